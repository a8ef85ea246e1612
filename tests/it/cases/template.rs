//! Cases of kind `tpl`: a template and data.

use super::{
    Case, check_all,
    differences::{Expected, expected, json_for_inspect},
    same,
};
use crate::support::{Outcome, tidings};

#[test]
fn templates_print_what_the_service_prints() {
    check_all(&Case::all("tpl"), check);
}

fn check(case: &Case) -> Result<(), String> {
    let files = [case.file("template.tpl"), case.file("data.json")];
    let output = tidings(&case.path).args(["render", "--template", &files[0], "--data", &files[1]]).output();
    let outcome = Outcome::from(output.expect("the program runs"));
    let answer = case.json("expected.json");
    let output = answer["output"].as_str();
    match (expected(case.name()), output) {
        (Some(Expected::Success), _) if outcome.code == 0 => Ok(()),
        (Some(Expected::Json), Some(output)) => same("output", &outcome.stdout, &json_for_inspect(output)),
        (None, Some(output)) => same("output", &outcome.stdout, output),
        // Mistakes are the same, their words are our own.
        (None, None) if outcome.code == 1 && outcome.stderr.starts_with("error: ") => Ok(()),
        _ => Err(format!("code {}, stderr {}", outcome.code, outcome.stderr)),
    }
}
