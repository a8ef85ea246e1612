//! `release` with the input `request`: the outputs name the request, and say what was released by its merge.

use super::runner::{Done, Runner};
use crate::{
    release::by_request::hosted::{Hosted, Kind},
    support::TestRepo,
};

fn run(host: &Hosted, repo: &TestRepo, further: &[(&str, &str)]) -> Done {
    let url = host.service.url();
    let given = [
        ("command", "release"),
        ("request", "true"),
        ("project", "group/app"),
        ("base-url", &url),
        ("token", "developer-token"),
        ("date", "2024-03-09"),
    ];
    let runner = Runner::with(&[&given, further].concat());
    runner.set("GITHUB_SERVER_URL", "https://forge.example").step("Run tidings", repo.path())
}

const EXECUTE: [(&str, &str); 1] = [("execute", "true")];

#[test]
fn the_request_is_named_and_what_its_merge_released() {
    let host = Hosted::new(Kind::GitLab);
    let repo = &host.released.repo;
    let plan = run(&host, repo, &[]);
    assert_eq!((plan.output("request"), plan.output("request_url"), plan.output("changed")), ("", "", "false"));
    let plan_text = "This is a plan: nothing is written. It would open a request: Release 1.1.0\n";
    assert!(plan.summary.starts_with(plan_text) && plan.outcome.stdout.contains(plan_text), "{plan:?}");
    let page = "https://git.example.org/group/app/-/merge_requests/11";
    let opened = run(&host, repo, &EXECUTE);
    assert_eq!((opened.output("request"), opened.output("request_url")), ("11", page));
    assert_eq!([opened.output("changed"), opened.output("releases"), opened.output("tag")], ["false", "[]", ""]);
    assert!(opened.summary.starts_with(&format!("[Request 11]({page}): Release 1.1.0\n")), "{}", opened.summary);
    host.merge("squash");
    let released = run(&host, repo, &EXECUTE);
    assert_eq!((released.output("request"), released.output("changed")), ("", "true"));
    assert_eq!([released.output("version"), released.output("tag")], ["1.1.0", "v1.1.0"]);
    assert_eq!(released.output("released"), released.output("releases"));
    assert!(released.output("notes").starts_with("### "), "no heading of a package: {released:?}");
    let nothing = run(&host, repo, &EXECUTE);
    assert_eq!([nothing.output("request"), nothing.output("changed"), nothing.output("releases")], ["", "false", "[]"]);
}
