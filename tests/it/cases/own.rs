//! The repository's own cases, in testdata/cases: a directory each with `arguments` (one a line), the files they name, and
//! what the program says, `stdout` or `stderr`.

use std::{fs, path::Path};

use crate::support::{Outcome, testdata, tidings};

#[test]
fn every_case_says_what_is_written_down() {
    for entry in fs::read_dir(testdata("cases")).expect("the cases are there") {
        check(&entry.expect("it is read").path());
    }
}

fn check(case: &Path) {
    let read = |name: &str| fs::read_to_string(case.join(name)).ok().map(|text| text.replace("\r\n", "\n"));
    let arguments = read("arguments").expect("a case has arguments");
    let output = tidings(case).args(arguments.lines()).output().expect("the program runs");
    let outcome = Outcome::from(output);
    let name = case.display();
    assert_eq!(outcome.stdout, read("stdout").unwrap_or_default(), "stdout of {name}, which says {}", outcome.stderr);
    assert_eq!(outcome.stderr, read("stderr").unwrap_or_default(), "stderr of {name}");
}
