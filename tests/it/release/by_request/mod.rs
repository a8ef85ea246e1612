//! `tidings release --request`: the request of a release is opened, renewed, edited by people, and merged.

mod by_forge;
pub mod hosted;
mod over_http;
mod pages;
mod told;
mod trouble;

use self::hosted::{BRANCH, Hosted, KINDS, Kind};

#[test]
fn a_request_is_opened_once_and_renewed_by_what_is_pushed() {
    for kind in KINDS {
        let host = Hosted::new(kind);
        let opened = host.request().success();
        assert!(opened.starts_with("opened ") && opened.contains("11: Release 1.1.0\n"), "{opened}");
        let request = host.only();
        assert_eq!((request.source.as_str(), request.target.as_str()), (BRANCH, "main"));
        assert!(request.body.starts_with("### Added\n\n- "), "{}", request.body);
        assert!(request.body.contains("Merging this request releases 1.1.0."), "{}", request.body);
        let message = host.released.remote(&["log", "-1", "--format=%B", BRANCH]);
        assert_eq!(message.trim(), "Release 1.1.0\n\nTidings-Release: 1.1.0");
        assert_eq!(
            host.released.remote(&["rev-parse", &format!("{BRANCH}^")]),
            host.released.remote(&["rev-parse", "main"])
        );
        assert_eq!(host.released.repo.git(&["status", "--porcelain"]), "", "nothing changed here");
        let head = host.released.remote(&["rev-parse", BRANCH]);
        assert!(host.request().success().contains(" is up to date: Release 1.1.0\n"));
        assert_eq!(host.released.remote(&["rev-parse", BRANCH]), head);
        assert_eq!(host.service.state().requests.changes, 0);
        host.change("Add mast");
        assert!(host.request().success().starts_with("renewed "));
        assert!(host.only().body.starts_with("### Added\n\n- "), "{}", host.only().body);
        assert!(host.changelog().contains("Add mast"));
        assert_eq!(host.released.remote(&["rev-list", "--count", &format!("main..{BRANCH}")]).trim(), "1");
    }
}

#[test]
fn what_was_merged_in_any_way_is_tagged_and_published_once() {
    for (kind, how) in KINDS.into_iter().flat_map(|kind| ["merge", "squash", "rebase", "ff"].map(|how| (kind, how))) {
        let host = Hosted::new(kind);
        host.request().success();
        host.edit("CHANGELOG.md", |text| text.replace("Add crane", "Add the crane"));
        host.merge(how);
        let merged = host.released.repo.git(&["rev-parse", "main"]);
        host.change("Add mast");
        let done = host.request().success();
        assert!(done.starts_with("released 1.1.0 as v1.1.0: tagged, pushed, published\nopened "), "{how}: {done}");
        assert_eq!(host.released.remote(&["rev-parse", "v1.1.0^{}"]), merged, "{how}");
        let published = host.published();
        assert_eq!(published.len(), 1);
        assert!(published[0].1.contains("Add the crane") && !published[0].1.contains("mast"), "{how}: {published:?}");
        let all = host.service.state().requests.all.clone();
        assert_eq!((all.len(), all[1].title.as_str()), (2, "Release 1.2.0"), "{how}");
        assert!(all[1].body.contains("Add mast") && !all[1].body.contains("crane"), "{how}: {}", all[1].body);
        assert!(host.request().success().contains(" is up to date"), "{how}");
        assert_eq!(host.published().len(), 1);
    }
}

#[test]
fn an_ordinary_release_finishes_what_was_merged() {
    let host = Hosted::new(Kind::GitLab);
    host.request().success();
    host.merge("squash");
    let done = host.run(&["-x"]).success();
    assert_eq!(done, "released 1.1.0 as v1.1.0: tagged, pushed, published\n");
    host.run(&["--request", "-x"]).failure(5);
    assert!(host.run(&["1.1.0", "-x"]).success().contains("already released"));
}

#[test]
fn after_the_merge_nothing_may_be_left_for_a_next_request() {
    let host = Hosted::new(Kind::GitHub);
    host.request().success();
    host.merge("rebase");
    assert_eq!(host.request().success(), "released 1.1.0 as v1.1.0: tagged, pushed, published\n");
    host.request().failure(5);
    assert_eq!(host.service.state().requests.all.len(), 1);
}

#[test]
fn edits_of_people_stay_and_new_entries_come_in() {
    for kind in KINDS {
        let host = Hosted::new(kind);
        host.change("Add mast");
        host.change("Add pier");
        host.request().success();
        host.edit("CHANGELOG.md", |text| {
            let mut lines: Vec<&str> = text.lines().filter(|line| !line.contains("Add pier")).collect();
            let place = |title| lines.iter().position(|line| line.contains(title)).unwrap();
            let (crane, mast) = (place("Add crane"), place("Add mast"));
            lines.swap(crane, mast);
            lines.insert(crane.max(mast) + 1, "- Light a lamp");
            let text = lines.join("\n") + "\n";
            text.replace("Add crane (", "Add a crane to every pier (").replace("# Log\n", "# Log of changes\n")
        });
        {
            let mut state = host.service.state();
            let request = &mut state.requests.all[0];
            request.title = "Spring release 1.1.0".to_owned();
            request.body = format!("Please read.\n\n{}", request.body);
        }
        host.change("Add buoy");
        host.request().success();
        let text = host.changelog();
        assert!(text.starts_with("# Log of changes\n"), "{text}");
        assert!(text.contains("- Add a crane to every pier (") && text.contains("Add buoy"), "{text}");
        assert!(!text.contains("- Add crane") && !text.contains("Add pier"), "{text}");
        assert!(text.contains("\n- Light a lamp\n") && text.find("to every pier") < text.find("Add mast"), "{text}");
        let request = host.only();
        assert_eq!(request.title, "Spring release 1.1.0");
        assert!(request.body.starts_with("Please read.\n\n### Added\n\n- "), "{}", request.body);
        assert!(request.body.contains("Add buoy") && request.body.contains("crane to every pier"), "{}", request.body);
        let commits = host.released.remote(&["log", "--format=%s", &format!("main..{BRANCH}")]);
        assert_eq!(commits.trim(), "Keep the edits of the release\nRelease 1.1.0");
        let message = host.released.remote(&["log", "-1", "--format=%B", BRANCH]);
        assert!(message.contains("Co-authored-by: Mona Reef <mona@harbor.example>\n"), "{message}");
        host.change("Add chain");
        host.request().success();
        let text = host.changelog();
        assert!(text.contains("Add chain") && !text.contains("Add pier") && text.contains("to every pier"), "{text}");
        assert!(host.request().success().contains(" is up to date"));
    }
}

#[test]
fn a_version_that_people_write_into_the_heading_is_released() {
    for kind in KINDS {
        let host = Hosted::new(kind);
        host.released
            .repo
            .file("tidings.yml", "version_files: [{path: VERSION, regex: '^(.+)$'}]\n")
            .file("VERSION", "1.0.0\n")
            .commit("Keep a version");
        host.released.repo.git(&["push", "-q", "origin", "main"]);
        host.request().success();
        assert_eq!(host.released.remote(&["show", &format!("{BRANCH}:VERSION")]).trim(), "1.1.0");
        host.edit("CHANGELOG.md", |text| text.replace("## 1.1.0 (", "## 2.0.0 ("));
        for title in ["Add mast", "Add buoy"] {
            host.change(title);
            host.request().success();
            let text = host.changelog();
            assert!(
                text.contains("## 2.0.0 (2024-03-09)\n") && !text.contains("1.1.0") && text.contains(title),
                "{text}"
            );
            assert_eq!(host.released.remote(&["show", &format!("{BRANCH}:VERSION")]).trim(), "2.0.0");
            assert_eq!(host.only().title, "Release 2.0.0");
        }
        host.merge("squash");
        let done = host.run(&["-x"]).success();
        assert_eq!(done, "released 2.0.0 as v2.0.0: tagged, pushed, published\n");
        host.request().failure(5);
    }
}

#[test]
fn a_version_that_people_chose_gives_way_to_a_higher_one() {
    let host = Hosted::new(KINDS[0]);
    host.request().success();
    host.edit("CHANGELOG.md", |text| text.replace("## 1.1.0 (", "## 1.5.0 ("));
    host.change("Add mast");
    host.request().success();
    assert_eq!(host.only().title, "Release 1.5.0");
    host.released.repo.change("Remove the pier", "removed");
    host.released.repo.git(&["push", "-q", "origin", "main"]);
    host.request().success();
    let text = host.changelog();
    assert!(text.contains("## 2.0.0 (2024-03-09)\n") && !text.contains("1.5.0"), "{text}");
    assert_eq!(host.only().title, "Release 2.0.0");
}

#[test]
fn edits_that_do_not_go_with_what_is_new_are_told_and_nothing_is_pushed() {
    for kind in KINDS {
        let host = Hosted::new(kind);
        host.request().success();
        host.edit("CHANGELOG.md", |text| text.replace("One.", "The first release."));
        let head = host.released.remote(&["rev-parse", BRANCH]);
        let log = host.released.repo.read("CHANGELOG.md").replace("One.", "It began.");
        host.released.repo.file("CHANGELOG.md", &*log).commit("Write it anew");
        host.change("Add mast");
        let output = host.request().failure(3);
        assert!(output.contains("what was edited on `tidings/release-main` does not go with what is new"), "{output}");
        assert!(output.contains("`CHANGELOG.md`"), "{output}");
        assert_eq!(host.released.remote(&["rev-parse", BRANCH]), head);
        assert!(host.only().body.contains("**This request is not renewed:**"), "{}", host.only().body);
        host.request().failure(3);
        assert_eq!(host.service.state().requests.changes, 1, "it is told once");
        host.edit("CHANGELOG.md", |text| text.replace("The first release.", "One."));
        host.request().success();
        assert!(!host.only().body.contains("not renewed") && host.only().body.contains("Add mast"));
    }
}

#[test]
fn a_plan_says_what_would_be_done_and_does_nothing() {
    let host = Hosted::new(Kind::GitHub);
    let before = host.released.state();
    let plan = host.run_with(None, &["--request"]).success();
    assert!(
        plan.starts_with("pull request of tidings/release-main into main: Release 1.1.0\n\nbranch: to be pushed\n"),
        "{plan}"
    );
    assert!(plan.contains("    +## 1.1.0 (2024-03-09)\n") && plan.contains("\npull request: to be opened\n"), "{plan}");
    for alias in ["--merge-request", "--pull-request"] {
        assert_eq!(host.run_with(None, &[alias]).success(), plan, "{alias}");
    }
    assert_eq!((host.released.state(), host.service.requests().len()), (before, 0));
    let document = host.run(&["--request", "--format", "json"]).json();
    assert_eq!((&document["state"], &document["title"]), (&"to_open".into(), &"Release 1.1.0".into()));
    let asked = host.service.requests().len();
    host.run(&["--request", "--offline"]).success();
    assert_eq!(host.service.requests().len(), asked, "nobody is asked with `--offline`");
    assert!(host.run_with(None, &["--request", "-x"]).failure(1).contains("no token found for the "));
}

#[test]
fn when_nothing_is_left_to_release_the_request_is_closed() {
    for kind in KINDS {
        let host = Hosted::new(kind);
        host.request().success();
        host.take_back();
        let closed = host.request();
        assert_eq!(closed.code, 5, "{}", closed.stderr);
        let request = host.only();
        assert_eq!((request.state, request.comments.len()), ("closed", 1));
        assert_eq!(host.released.remote(&["for-each-ref", "refs/heads/tidings"]), "");
        host.request().failure(5);
        host.change("Add mast");
        host.request().success();
        assert_eq!(host.service.state().requests.all.len(), 2, "a new request for what is new");
    }
}

#[test]
fn a_request_that_people_closed_is_left_alone_until_the_version_changes() {
    for kind in KINDS {
        let host = Hosted::new(kind);
        host.request().success();
        let head = host.released.remote(&["rev-parse", BRANCH]);
        host.close_request();
        host.change("Add mast");
        let output = host.request().success();
        assert!(output.contains("was closed and is left alone until the version changes"), "{output}");
        assert_eq!(host.released.remote(&["rev-parse", BRANCH]), head);
    }
}

#[test]
fn a_branch_that_no_run_made_is_not_touched() {
    for kind in KINDS {
        let host = Hosted::new(kind);
        host.released.repo.git(&["switch", "-q", "-c", "other"]);
        host.released.repo.commit("Theirs");
        host.released.repo.git(&["push", "-q", "origin", &format!("other:{BRANCH}")]);
        host.released.repo.git(&["switch", "-q", "main"]);
        let output = host.request().failure(1);
        assert!(
            output.contains("no commit of the branch `tidings/release-main` on the remote was made for a release"),
            "{output}"
        );
        assert!(output.contains("--request-branch"), "{output}");
        host.run(&["--request", "-x", "--request-branch", "next"]).success();
        assert_eq!(host.only().source, "next");
    }
}

#[test]
fn the_branch_of_the_request_comes_from_the_configuration() {
    let host = Hosted::new(Kind::GitLab);
    let repo = &host.released.repo;
    repo.file("tidings.yml", "source: trailers\nrequest_branch: next-release\n").commit("Configure");
    repo.git(&["push", "-q", "origin", "main"]);
    host.request().success();
    assert_eq!(host.only().source, "next-release");
    assert!(host.request().success().contains(" is up to date"));
}

#[test]
fn a_request_that_a_token_may_not_open_is_opened_by_the_next_run() {
    for kind in KINDS {
        let host = Hosted::new(kind);
        let refused = host.run_with(Some("reporter-token"), &["--request", "-x"]);
        assert_eq!(refused.code, 4, "{kind:?}: {}", refused.stderr);
        assert_eq!(host.service.state().requests.all.len(), 0, "{kind:?}");
        assert!(host.request().success().starts_with("opened "), "{kind:?}");
    }
}

#[test]
fn commits_that_are_not_pushed_block_the_request() {
    let host = Hosted::new(Kind::GitLab);
    host.released.repo.change("Add mast", "added");
    let output = host.request().failure(1);
    assert!(output.contains("`main` is not the same as `main` on `origin`"), "{output}");
    assert!(output.contains("run `git push origin main` first"), "{output}");
}

#[test]
fn the_commit_of_a_request_deletes_the_change_files_that_it_lists() {
    let hosted = Hosted::new(Kind::GitLab);
    let repo = &hosted.released.repo;
    repo.file(".gitlab/changelog_config.yml", "source: files\n").file(".changeset/config.json", "{}\n");
    repo.file(".changeset/a.md", "---\napp: minor\n---\n\nAdd sail\n").commit("Write it down");
    repo.git(&["push", "-q", "origin", "main"]);
    hosted.request().success();
    repo.git(&["fetch", "-q", "origin"]);
    let names = repo.git(&["show", "--format=", "--name-status", &format!("origin/{BRANCH}")]);
    assert!(names.contains("D\t.changeset/a.md") && names.contains("CHANGELOG.md"), "{names}");
    // What people write in the request stays, and what is new comes in.
    repo.file(".changeset/b.md", "---\napp: patch\n---\n\nMend mast\n").commit("Write more down");
    repo.git(&["push", "-q", "origin", "main"]);
    hosted.request().success();
    repo.git(&["fetch", "-q", "origin"]);
    let names = repo.git(&["diff", "--name-status", "main", &format!("origin/{BRANCH}")]);
    assert!(names.contains("D\t.changeset/a.md") && names.contains("D\t.changeset/b.md"), "{names}");
}

#[test]
fn all_packages_share_one_request_and_are_each_released_once() {
    for (kind, how) in KINDS.into_iter().flat_map(|kind| ["merge", "squash", "rebase", "ff"].map(|how| (kind, how))) {
        let host = Hosted::new(kind);
        let repo = &host.released.repo;
        host.add_packages();
        let run = || host.run(&["--request", "--all-packages", "-x"]);
        assert!(run().success().contains("11: Release crane 1.1.0, mast 1.0.1\n"), "{kind:?}");
        assert!(run().success().contains(" is up to date: "), "{kind:?}");
        assert_eq!(host.service.state().requests.changes, 0, "{kind:?}");
        host.edit("crane/CHANGELOG.md", |text| text.replace("Add hook", "Add the hook"));
        repo.file("mast/x", "2\n").commit("Add boom\n\nChangelog: added");
        repo.git(&["push", "-q", "origin", "main"]);
        assert!(run().success().starts_with("renewed "), "{kind:?}");
        assert_eq!(host.only().title, "Release crane 1.1.0, mast 1.1.0");
        host.merge(how);
        let merged = repo.git(&["rev-parse", "main"]);
        let released = "released 1.1.0 as crane/v1.1.0: tagged, pushed, published\n\
                        released 1.1.0 as mast/v1.1.0: tagged, pushed, published\n";
        assert_eq!(run().success(), released, "{kind:?} {how}");
        run().failure(5);
        for tag in ["crane/v1.1.0", "mast/v1.1.0"] {
            assert_eq!(host.released.remote(&["rev-parse", &format!("{tag}^{{}}")]), merged, "{kind:?} {how} {tag}");
        }
        let published = host.published();
        let tags: Vec<_> = published.iter().map(|(tag, _)| tag.as_str()).collect();
        assert_eq!(tags, ["crane/v1.1.0", "mast/v1.1.0"], "{kind:?} {how}");
        assert!(published[0].1.contains("Add the hook") && !published[0].1.contains("boom"), "{published:?}");
        assert!(published[1].1.contains("Add boom") && published[1].1.contains("Mend sail"), "{published:?}");
        assert_eq!(host.service.state().requests.all.len(), 1, "{kind:?} {how}");
    }
}
