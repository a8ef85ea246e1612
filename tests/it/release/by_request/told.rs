//! `--comment-on-requests`: merge requests and issues of a release get a comment.

use super::hosted::{Hosted, KINDS, Kind};
use crate::support::{Fault, service::ReleaseRequest};

/// A project whose next release names request 11, issue 4, a number that nothing has, and another project.
pub fn naming(kind: Kind) -> Hosted {
    let host = Hosted::new(kind);
    let sign = if kind == Kind::GitLab { '!' } else { '#' };
    host.released.repo.change(&format!("Mend sail ({sign}11), see #4, #99 and other/app{sign}11"), "fixed");
    host.released.repo.git(&["push", "-q", "origin", "main"]);
    let request = |number| ReleaseRequest { number, state: "merged", ..ReleaseRequest::default() };
    host.service.state().requests.all.push(request(11));
    if kind == Kind::GitLab {
        host.service.state().requests.issues.insert(4, Vec::new());
    } else {
        host.service.state().requests.all.push(request(4));
    }
    host
}

pub fn comments(host: &Hosted) -> Vec<String> {
    let state = host.service.state();
    let of_requests = state.requests.all.iter().flat_map(|request| request.comments.clone());
    of_requests.chain(state.requests.issues.values().flatten().cloned()).collect()
}

pub const RELEASE: [&str; 3] = ["1.1.0", "-x", "--comment-on-requests"];

#[test]
fn each_request_and_issue_of_the_notes_is_told_once() {
    for kind in KINDS {
        let host = naming(kind);
        let plan = host.run(&["1.1.0", "--comment-on-requests"]);
        let issue = if kind == Kind::GitLab { "issue 4, issue 99" } else { "request 99" };
        let named = if kind == Kind::GitLab {
            format!("request 11, {issue}")
        } else {
            format!("request 4, request 11, {issue}")
        };
        assert!(plan.stderr.contains(&format!("told of the release: {named}\n")), "{plan:?}");
        assert_eq!(comments(&host), [""; 0], "{kind:?}: a plan tells nobody");
        let done = host.run(&RELEASE);
        assert!(done.stderr.contains("1.1.0 is announced in 2 comments\n"), "{kind:?}: {done:?}");
        let told = comments(&host);
        assert_eq!(told.len(), 2, "{kind:?}: {told:?}");
        for comment in &told {
            assert!(comment.starts_with("<!-- tidings:released v1.1.0 -->\nReleased in [1.1.0](http"), "{comment}");
        }
        assert!(host.run(&RELEASE).success().contains("already released"), "{kind:?}");
        assert_eq!(comments(&host), told, "{kind:?}: nobody is told twice");
    }
}

#[test]
fn without_the_option_nobody_is_told_and_the_configuration_may_ask_for_it() {
    let host = naming(Kind::GitHub);
    host.run(&["1.1.0", "-x"]).success();
    assert_eq!(comments(&host), [""; 0]);
    host.released.repo.write("tidings.yml", "comment_on_requests: true\n");
    host.run(&["1.1.0", "-x"]).success();
    assert_eq!(comments(&host).len(), 2, "the next run completes what is missing");
}

#[test]
fn what_cannot_be_told_is_a_warning_and_the_release_is_there() {
    let host = naming(Kind::GitHub);
    host.run(&["1.1.0", "-x"]).success();
    let before = host.service.requests().len();
    host.run(&["1.1.0", "-x"]).success();
    for _ in before..host.service.requests().len() {
        host.service.fail(Fault::Nothing);
    }
    let refusal = r#"{"message": "Resource not accessible by integration"}"#;
    host.service.fail(Fault::Status(403, "application/json", refusal.to_owned()));
    let done = host.run(&RELEASE);
    assert!(done.stderr.contains("warning: no comment was written on request 4: "), "{done:?}");
    assert!(done.success().contains("already released"));
    assert_eq!(comments(&host), [""; 0], "nobody else is asked for without rights");
    assert_eq!(host.published().len(), 1);
}
