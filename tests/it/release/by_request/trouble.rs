//! What goes wrong between two steps of a run: nothing is done twice, nothing is lost, and the next run goes on.

use std::sync::atomic::{AtomicBool, Ordering};

use super::hosted::{BRANCH, Hosted, KINDS, Kind};
use crate::support::{Fault, Outcome, TestRepo, git_in, service::ReleaseRequest};

/// A server that fails, an answer that is lost after the deed, a right that is missing, and a rate limit of an hour.
fn faults() -> [Fault; 4] {
    let json = |status, text: &str| Fault::Status(status, "application/json", format!(r#"{{"message": "{text}"}}"#));
    [
        json(500, "Internal Server Error"),
        Fault::Truncated,
        json(403, "Resource not accessible by integration"),
        Fault::Limited(3600),
    ]
}

/// Runs until no exchange is left to fail: each run gets one exchange further than the one before.
pub fn run_through(host: &Hosted, fault: &Fault, run: impl Fn() -> Outcome) -> Outcome {
    for position in 0..40 {
        for _ in 0..position {
            host.service.fail(Fault::Nothing);
        }
        host.service.fail(fault.clone());
        let before = host.service.requests().len();
        let outcome = run();
        let is_met = host.service.requests().len() - before > position;
        host.service.forget_faults();
        if !is_met {
            return outcome;
        }
    }
    panic!("{fault:?} never ends");
}

/// Every kind of forge with every fault.
fn troubled() -> impl Iterator<Item = (Hosted, Fault, String)> {
    let pairs = KINDS.into_iter().flat_map(|kind| faults().map(|fault| (kind, fault)));
    pairs.map(|(kind, fault)| (Hosted::new(kind), fault.clone(), format!("{kind:?}, {fault:?}")))
}

/// Opens or renews the request, and sends nothing again.
fn request(host: &Hosted) -> Outcome {
    host.run(&["--request", "-x", "--retries", "0"])
}

#[test]
fn a_request_is_opened_and_renewed_once_whatever_fails() {
    for (host, fault, what) in troubled() {
        run_through(&host, &fault, || request(&host)).success();
        assert_eq!((host.only().state, host.service.state().requests.changes), ("opened", 0), "{what}");
        host.change("Add mast");
        run_through(&host, &fault, || request(&host)).success();
        assert!(host.only().body.contains("Add mast"), "{what}: {}", host.only().body);
        let ahead = host.released.remote(&["rev-list", "--count", &format!("main..{BRANCH}")]);
        assert_eq!(ahead.trim(), "1", "{what}");
        assert!(host.request().success().contains(" is up to date"), "{what}");
    }
}

#[test]
fn what_was_merged_is_published_once_whatever_fails() {
    for (host, fault, what) in troubled() {
        host.request().success();
        host.merge("squash");
        run_through(&host, &fault, || request(&host));
        host.request().failure(5);
        let tags: Vec<_> = host.published().into_iter().map(|(tag, _)| tag).collect();
        assert_eq!(tags, ["v1.1.0"], "{what}");
        assert_eq!(host.released.remote(&["tag", "--list"]), "v1.0.0\nv1.1.0", "{what}");
        assert_eq!(host.service.state().requests.all.len(), 1, "{what}");
    }
}

#[test]
fn a_request_is_closed_once_whatever_fails_and_the_next_release_has_another_one() {
    for (host, fault, what) in troubled() {
        host.request().success();
        host.take_back();
        run_through(&host, &fault, || request(&host)).failure(5);
        assert_eq!((host.only().state, host.only().comments.len()), ("closed", 1), "{what}");
        assert_eq!(host.released.remote(&["for-each-ref", "refs/heads/tidings"]), "", "{what}");
        host.change("Add mast");
        assert!(host.request().success().starts_with("opened "), "{what}");
    }
}

#[test]
fn a_branch_that_is_not_deleted_leaves_the_request_open_for_the_next_run() {
    for kind in KINDS {
        let host = Hosted::new(kind);
        host.request().success();
        host.take_back();
        host.released.remote_hook("update", "case $3 in 0000*) echo protected >&2; exit 1;; esac");
        let stderr = host.request().failure(1);
        assert!(stderr.contains("protected"), "{kind:?}: {stderr}");
        assert_eq!(host.only().state, "opened", "{kind:?}");
        host.released.remote_hook("update", "exit 0");
        host.request().failure(5);
        assert_eq!((host.only().state, host.only().comments.len()), ("closed", 1), "{kind:?}");
    }
}

/// Has git do something in the remote when the first request of the next run arrives: the branch is read by then.
fn in_the_middle(host: &Hosted, arguments: Vec<String>) {
    let (remote, is_done) = (host.released.repo.beside("remote.git"), AtomicBool::new(false));
    host.service.script(move |_| {
        if !is_done.swap(true, Ordering::SeqCst) {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            git_in(&remote, &arguments, TestRepo::EPOCH);
        }
        None
    });
}

fn update_ref(arguments: &[&str]) -> Vec<String> {
    ["update-ref"].iter().chain(arguments).map(|argument| (*argument).to_owned()).collect()
}

#[test]
fn a_branch_that_somebody_moves_during_a_run_keeps_what_they_wrote() {
    let reference = format!("refs/heads/{BRANCH}");
    for kind in KINDS {
        let host = Hosted::new(kind);
        host.request().success();
        let before = host.released.remote(&["rev-parse", BRANCH]);
        host.edit("CHANGELOG.md", |text| text.replace("Add crane", "Add the crane"));
        let edited = host.released.remote(&["rev-parse", BRANCH]);
        host.released.remote(&["update-ref", &reference, before.trim()]);
        host.change("Add mast");
        in_the_middle(&host, update_ref(&[&reference, edited.trim()]));
        assert!(host.request().success().starts_with("renewed "), "{kind:?}");
        let text = host.changelog();
        assert!(text.contains("Add the crane") && text.contains("Add mast"), "{kind:?}: {text}");
        assert!(host.only().body.contains("Add the crane"), "{kind:?}");
    }
}

#[test]
fn a_branch_that_somebody_deletes_during_a_run_is_made_again() {
    for kind in KINDS {
        let host = Hosted::new(kind);
        host.request().success();
        host.change("Add mast");
        in_the_middle(&host, update_ref(&["-d", &format!("refs/heads/{BRANCH}")]));
        let _ = host.request();
        host.request().success();
        let open: Vec<_> =
            host.service.state().requests.all.iter().filter(|one| one.state == "opened").cloned().collect();
        assert_eq!(open.len(), 1, "{kind:?}: {open:?}");
        assert!(open[0].body.contains("Add mast") && host.changelog().contains("Add mast"), "{kind:?}");
    }
}

#[test]
fn a_branch_that_somebody_takes_for_something_else_during_a_run_is_theirs() {
    let reference = format!("refs/heads/{BRANCH}");
    for kind in KINDS {
        let host = Hosted::new(kind);
        host.request().success();
        let theirs = host.released.remote(&["commit-tree", "-p", "main", "-m", "Theirs", "main^{tree}"]);
        host.change("Add mast");
        in_the_middle(&host, update_ref(&[&reference, theirs.trim()]));
        host.request().failure(1);
        assert_eq!(host.released.remote(&["rev-parse", BRANCH]), theirs, "{kind:?}");
    }
}

/// A second request of the same branches, which people opened.
fn open_another(host: &Hosted) {
    let first = host.only();
    let title = "Theirs".to_owned();
    host.service.state().requests.all.push(ReleaseRequest { number: 12, title, body: String::new(), ..first });
}

#[test]
fn of_two_requests_the_oldest_is_renewed_and_no_third_one_is_opened() {
    for kind in KINDS {
        let host = Hosted::new(kind);
        host.request().success();
        open_another(&host);
        host.change("Add mast");
        let renewed = host.request();
        assert!(
            renewed.stderr.contains("several requests are open (12, 11); the oldest one is renewed"),
            "{renewed:?}"
        );
        assert!(renewed.success().starts_with("renewed "), "{kind:?}");
        let all = host.service.state().requests.all.clone();
        let texts: Vec<_> = all.iter().map(|one| (one.title.as_str(), one.body.contains("Add mast"))).collect();
        assert_eq!(texts, [("Release 1.1.0", true), ("Theirs", false)], "{kind:?}");
    }
}

#[test]
fn both_of_two_requests_are_closed_when_nothing_is_left() {
    for kind in KINDS {
        let host = Hosted::new(kind);
        host.request().success();
        open_another(&host);
        host.take_back();
        let closed = host.request();
        assert_eq!(closed.code, 5, "{kind:?}: {}", closed.stderr);
        host.request().failure(5);
        let all = host.service.state().requests.all.clone();
        let states: Vec<_> = all.iter().map(|one| (one.state, one.comments.len())).collect();
        assert_eq!(states, [("closed", 1), ("closed", 1)], "{kind:?}");
    }
}

#[test]
fn a_release_that_somebody_makes_by_hand_takes_the_place_of_the_request() {
    for (kind, is_by_tag) in KINDS.into_iter().flat_map(|kind| [(kind, false), (kind, true)]) {
        let host = Hosted::new(kind);
        host.request().success();
        host.edit("CHANGELOG.md", |text| text.replace("Add crane", "Add the crane"));
        if is_by_tag {
            host.released.repo.git(&["tag", "v1.1.0"]);
            host.released.repo.git(&["push", "-q", "origin", "v1.1.0"]);
        } else {
            host.run(&["1.1.0", "-x"]).success();
        }
        let closed = host.request();
        assert_eq!(closed.code, 5, "{kind:?}, {is_by_tag}: {closed:?}");
        assert_eq!((host.only().state, host.only().comments.len()), ("closed", 1), "{kind:?}, {is_by_tag}");
        assert_eq!(host.published().len(), usize::from(!is_by_tag), "{kind:?}: nothing is published twice");
        host.change("Add mast");
        assert!(host.request().success().contains("opened "), "{kind:?}, {is_by_tag}");
        let all = host.service.state().requests.all.clone();
        assert_eq!((all.len(), all[1].title.as_str()), (2, "Release 1.2.0"), "{kind:?}, {is_by_tag}");
        assert!(all[1].body.contains("Add mast") && !all[1].body.contains("crane"), "{}", all[1].body);
    }
}

#[test]
fn a_request_whose_merge_the_forge_did_not_see_is_closed_after_its_release() {
    for kind in KINDS {
        let host = Hosted::new(kind);
        host.request().success();
        let repo = &host.released.repo;
        repo.git(&["fetch", "-q", "origin", BRANCH]);
        repo.git(&["merge", "-q", "--squash", "FETCH_HEAD"]);
        repo.git(&["commit", "-q", "-m", "Release it"]);
        repo.git(&["push", "-q", "origin", "main"]);
        let done = host.request().success();
        assert!(done.starts_with("released 1.1.0 as v1.1.0: tagged, pushed, published\nclosed "), "{kind:?}: {done}");
        let reason = "Nothing is left to release, so this request is closed.";
        assert_eq!((host.only().state, host.only().comments), ("closed", vec![reason.to_owned()]), "{kind:?}");
        host.change("Add mast");
        assert!(host.request().success().starts_with("opened "), "{kind:?}");
        assert_eq!(host.published().len(), 1, "{kind:?}");
    }
}

#[test]
fn a_request_that_people_closed_is_followed_by_another_one_of_another_version() {
    for kind in KINDS {
        let host = Hosted::new(kind);
        host.request().success();
        host.close_request();
        host.released.repo.file("tidings.yml", "bump: {removed: major}\n").commit("Configure");
        host.released.repo.commit("Drop the rope\n\nChangelog: removed");
        host.released.repo.git(&["push", "-q", "origin", "main"]);
        assert!(host.request().success().starts_with("opened "), "{kind:?}");
        let all = host.service.state().requests.all.clone();
        let states: Vec<_> = all.iter().map(|one| (one.state, one.title.as_str())).collect();
        assert_eq!(states, [("closed", "Release 1.1.0"), ("opened", "Release 2.0.0")], "{kind:?}");
    }
}

#[test]
fn what_names_the_release_is_told_once_whatever_fails() {
    for kind in [Kind::GitLab, Kind::GitHub, Kind::Gitea] {
        for fault in faults() {
            let host = super::told::naming(kind);
            let arguments = [&super::told::RELEASE[..], &["--retries", "0"]].concat();
            run_through(&host, &fault, || host.run(&arguments));
            assert_eq!(super::told::comments(&host).len(), 2, "{kind:?}, {fault:?}");
            assert_eq!(host.published().len(), 1, "{kind:?}, {fault:?}");
        }
    }
}
