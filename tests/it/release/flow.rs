//! A release without blockers, step by step.

use serde_json::json;

use super::{FINISHED, Released};
use crate::support::remote::Server;

#[test]
fn the_plan_shows_everything_and_does_nothing() {
    let fixture = Released::new();
    let before = fixture.state();
    let tip = fixture.repo.git(&["rev-parse", "--short=8", "HEAD"]);
    let whole = fixture.repo.git(&["rev-parse", "HEAD"]);
    let plan = fixture.release(&[]);
    assert_eq!(plan.stderr, "this is only a plan; run again with `--execute` (`-x`) to release\n");
    assert_eq!(
        plan.success(),
        format!(
            "release 1.1.0 of main as v1.1.0\n\n\
             commit: CHANGELOG.md\n    --- a/CHANGELOG.md\n    +++ b/CHANGELOG.md\n    @@ -1,5 +1,11 @@\n     # Log\n\n    \
             +## 1.1.0 (2024-03-09)\n    +\n    +### Added\n    +\n    +- Add crane (`{tip}`)\n    +\n     \
             ## 1.0.0 (2024-01-01)\n\n     One.\n  undo: git reset --keep {whole}\n\n\
             tag: v1.1.0\n    1.1.0 (2024-03-09)\n\n    ### Added\n\n    - Add crane (`{tip}`)\n  \
             undo: git tag -d v1.1.0\n\n\
             push: to origin\n    <new commit>:refs/heads/main\n    refs/tags/v1.1.0\n  \
             undo: git push origin --delete refs/tags/v1.1.0\n        git revert --no-edit <new commit>\n        \
             git push origin HEAD:refs/heads/main\n\n\
             forge release: skipped\n"
        )
    );
    let document = fixture.release(&["--dry-run", "--format", "json"]).json();
    assert_eq!(document["version"], "1.1.0");
    assert_eq!(document["finished"], false);
    assert_eq!(document["steps"]["commit"]["state"], "planned");
    assert_eq!(document["steps"]["commit"]["files"], json!(["CHANGELOG.md"]));
    assert_eq!(document["steps"]["push"]["refs"], json!(["<new commit>:refs/heads/main", "refs/tags/v1.1.0"]));
    assert_eq!(fixture.state(), before);
}

#[test]
fn a_release_is_committed_tagged_and_pushed_and_then_it_is_done() {
    let fixture = Released::new();
    fixture.repo.file("staged.txt", "staged\n");
    let run = fixture.release(&["-x"]);
    let commit = fixture.repo.git(&["rev-parse", "--short=8", "HEAD"]);
    assert_eq!(run.stderr, format!("committed {commit} on main\ntagged {commit} as v1.1.0\npushed to origin\n"));
    assert_eq!(run.success(), "released 1.1.0 as v1.1.0: committed, tagged, pushed\n");
    fixture.assert_released();
    assert_eq!(fixture.repo.git(&["status", "--porcelain"]), "A  staged.txt");
    let done = fixture.state();
    for arguments in [&["-x"][..], &[], &["1.1.0", "-x"], &["v1.1.0"]] {
        assert_eq!(fixture.release(arguments).success(), format!("{FINISHED}{commit} on main\n"));
    }
    assert_eq!(fixture.state(), done);
}

#[test]
fn a_release_that_is_done_stays_so_when_the_branch_goes_on() {
    let fixture = Released::new();
    fixture.release(&["-x"]).success();
    fixture.repo.commit("Tidy up");
    assert!(fixture.release(&[]).failure(5).contains("nothing to release: no unreleased change bumps the version"));
    assert!(fixture.release(&["1.1.0", "-x"]).success().starts_with(FINISHED));
    fixture.repo.change("Mend crane", "fixed");
    assert!(fixture.release(&[]).success().starts_with("release 1.1.1 of main as v1.1.1\n"));
}

#[test]
fn without_a_commit_the_tip_is_released() {
    let fixture = Released::new();
    let run = fixture.release(&["-x", "--no-commit"]);
    assert_eq!(run.success(), "released 1.1.0 as v1.1.0: tagged, pushed\n");
    assert_eq!(fixture.remote(&["rev-parse", "v1.1.0^{}"]), fixture.repo.git(&["rev-parse", "HEAD"]));
    assert_eq!(fixture.repo.git(&["log", "-1", "--format=%s"]), "Add crane");
    assert!(fixture.remote(&["cat-file", "-p", "v1.1.0"]).contains("\n\n1.1.0 (2024-03-09)\n\n### Added\n"));
    assert!(fixture.release(&["-x", "--no-commit"]).success().starts_with(FINISHED));
}

#[test]
fn a_section_of_the_file_is_what_the_tag_says() {
    let fixture = Released::new();
    let log = fixture.repo.read("CHANGELOG.md");
    fixture.repo.file("CHANGELOG.md", log.replace("## 1.0.0", "## 1.1.0 (2024-03-09)\n\nBy hand.\n\n## 1.0.0"));
    fixture.repo.commit("Prepare");
    fixture.repo.commit("Tidy up");
    assert_eq!(fixture.release(&["1.1.0", "-x"]).success(), "released 1.1.0 as v1.1.0: tagged, pushed\n");
    assert!(fixture.remote(&["cat-file", "-p", "v1.1.0"]).ends_with("\n\n1.1.0 (2024-03-09)\n\nBy hand."));
}

#[test]
fn pre_releases_first_releases_and_other_names_of_tags() {
    let fixture = Released::new();
    fixture.release(&["--pre", "rc", "-x", "--no-push"]).success();
    let again = fixture.release(&["--pre", "rc", "-x", "--no-push"]).success();
    assert_eq!(again, "nothing left to do for 1.1.0-rc.1; skipped: push\n");
    assert_eq!(fixture.release(&["--format", "json"]).json()["tag"], "v1.1.0", "of the same commit");
    fixture.repo.change("Add hook", "added");
    let named = fixture.release(&["--tag", "crane-1.1.0", "--format", "json"]).json();
    assert_eq!((&named["version"], &named["tag"]), (&"1.1.0".into(), &"crane-1.1.0".into()));
    fixture.repo.tag("1.2.0").change("Mend hook", "fixed");
    assert_eq!(fixture.release(&["--format", "json"]).json()["tag"], "1.2.1");
    assert_eq!(fixture.release(&["2.0.0", "--format", "json"]).json()["tag"], "2.0.0");
    assert_eq!(fixture.release(&["v1.2.1", "--format", "json"]).json()["tag"], "1.2.1");
    let lower = fixture.release(&["1.0.1", "-x"]).failure(1);
    assert!(lower.contains("1.0.1 is not above `1.2.0`, the last release of `main`"), "{lower}");
    fixture.repo.git(&["tag", "-d", "v1.0.0", "1.2.0", "v1.1.0-rc.1"]);
    fixture.remote(&["tag", "-d", "v1.0.0"]);
    let first = ["--initial", "0.1.0", "--no-push", "--format", "json"];
    assert_eq!(fixture.release(&first).json()["tag"], "v0.1.0");
}

#[test]
fn another_branch_is_released_from_where_it_is() {
    let fixture = Released::new();
    fixture.repo.git(&["branch", "stable"]);
    fixture.repo.change("Add mast", "added");
    fixture.release(&["--branch", "stable", "1.0.1", "-x"]).success();
    assert_eq!(fixture.remote(&["log", "-1", "--format=%s %D", "stable"]), "Release 1.0.1 tag: v1.0.1, stable");
    assert!(!fixture.repo.read("CHANGELOG.md").contains("1.0.1"));
}

#[test]
fn a_branch_of_another_name_upstream_and_a_given_remote() {
    let fixture = Released::new();
    fixture.repo.git(&["checkout", "-q", "-b", "work", "--track", "origin/main"]);
    assert_eq!(
        fixture.release(&["--format", "json"]).json()["steps"]["push"]["refs"][0],
        "<new commit>:refs/heads/main"
    );
    let to = fixture.release(&["--remote", "../remote.git", "--format", "json"]).json();
    assert_eq!(to["steps"]["push"]["refs"][0], "<new commit>:refs/heads/work");
    fixture.repo.git(&["config", "branch.work.pushRemote", "../remote.git"]);
    assert_eq!(fixture.release(&["--format", "json"]).json()["steps"]["push"]["remote"], "../remote.git");
}

#[test]
fn over_http_git_brings_the_login_and_nobody_sees_it() {
    let fixture = Released::new();
    fixture.remote(&["config", "http.receivepack", "true"]);
    let server = Server { account: Some("aWRhOnNlY3JldA=="), ..Server::of_directory(&fixture.repo.beside("")) };
    let Some(server) = server.http() else { return };
    let url = server.url("http", "remote.git");
    fixture.repo.git(&["remote", "set-url", "origin", &url]);
    let stderr = fixture.release(&["-x", "--no-host-release"]).failure(1);
    assert!(
        stderr.contains("cannot reach the remote `origin`\n") && stderr.contains("could not read Username"),
        "{stderr}"
    );
    let with_login = url.replace("://", "://ida:secret@");
    let run = fixture.release(&["-x", "-v", "--no-host-release", "--remote", &with_login]);
    assert!(run.stderr.contains("To http://127.0.0.1") && !run.stderr.contains("secret"), "{}", run.stderr);
    assert_eq!(run.success(), "released 1.1.0 as v1.1.0: committed, tagged, pushed\n");
    fixture.assert_released();
}

#[test]
fn a_pre_release_without_a_commit_is_made_once_and_becomes_stable() {
    let fixture = Released::new();
    let pre = ["--pre", "rc", "--no-commit", "-x"];
    assert_eq!(fixture.release(&pre).success(), "released 1.1.0-rc.1 as v1.1.0-rc.1: tagged, pushed\n");
    assert!(fixture.release(&pre).success().starts_with("1.1.0-rc.1 is already released as v1.1.0-rc.1: "));
    assert_eq!(fixture.release(&["--no-commit", "-x"]).success(), "released 1.1.0 as v1.1.0: tagged, pushed\n");
    assert!(fixture.release(&["--no-commit", "-x"]).success().starts_with(FINISHED));
}

#[test]
fn a_release_keeps_the_style_of_the_file() {
    let fixture = Released::new();
    let old = "# Log\n\n## [1.0.0] - 2024-01-01\n\nOne.\n\n[1.0.0]: https://x/-/compare/v0.9.0...v1.0.0\n";
    fixture.repo.file("CHANGELOG.md", old).commit("Keep");
    fixture.repo.git(&["push", "-q"]);
    fixture.release(&["-x", "--strict"]).success();
    let new = fixture.repo.read("CHANGELOG.md");
    assert!(new.starts_with("# Log\n\n## [1.1.0] - 2024-03-09\n\n"), "{new}");
    assert!(new.contains("\n[1.1.0]: https://x/-/compare/v1.0.0...v1.1.0\n[1.0.0]: "), "{new}");
    assert!(fixture.release(&["--no-commit", "-x"]).success().starts_with(FINISHED), "the section is found again");
}

#[test]
fn a_section_that_was_written_after_its_release_is_not_released_again() {
    let fixture = Released::new();
    fixture.repo.git(&["rm", "-q", "CHANGELOG.md"]);
    fixture.repo.commit("Begin the log anew");
    fixture.repo.tidings(&["add", "--all"]).success();
    assert!(fixture.repo.read("CHANGELOG.md").contains("\n## 1.0.0 ("));
    let stderr = fixture.release(&["-x"]).success();
    assert_eq!(stderr, "released 1.1.0 as v1.1.0: committed, tagged, pushed\n");
    assert!(fixture.release(&["-x"]).success().starts_with(FINISHED));
}

#[test]
fn a_section_that_a_merge_brought_with_its_release_is_not_released_again() {
    let fixture = Released::new();
    fixture.repo.git(&["branch", "stable"]);
    fixture.release(&["1.1.0", "-x"]).success();
    fixture.repo.git(&["switch", "-q", "stable"]);
    fixture.repo.change("Fix mast", "fixed");
    fixture.release(&["1.0.1", "-x"]).success();
    fixture.repo.git(&["switch", "-q", "main"]);
    fixture.repo.change("Add moon", "added");
    fixture.repo.git(&["merge", "-q", "--no-commit", "-X", "ours", "stable"]);
    let whole = fixture.repo.read("CHANGELOG.md");
    let fix = "## 1.0.1 (2024-03-09)\n\n- Fix\n\n## 1.0.0";
    fixture.repo.file("CHANGELOG.md", whole.replace("## 1.0.0", fix)).commit("Merge stable");
    fixture.repo.git(&["push", "-q"]);
    assert_eq!(fixture.release(&["-x"]).success(), "released 1.2.0 as v1.2.0: committed, tagged, pushed\n");
}

#[test]
fn of_the_versions_that_the_tip_is_tagged_as_the_highest_is_released() {
    let fixture = Released::new();
    for tag in ["v1.10.0", "v1.9.0"] {
        fixture.repo.annotated_tag(tag);
    }
    let plan = fixture.release(&["--no-commit", "--format", "json"]).json();
    assert_eq!((&plan["version"], &plan["tag"]), (&json!("1.10.0"), &json!("v1.10.0")));
}
