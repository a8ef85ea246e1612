//! A tag is only ever on a commit that has the section and the version files, whatever happens before the commit.

use std::process::Stdio;

use super::Released;
use crate::support::tidings;

const SETTINGS: &str = ".gitlab/changelog_config.yml";

/// Checks that a tag of 1.1.0, here or on the remote, is on a commit whose file has the section, and that the remote's
/// branch has that commit.
#[track_caller]
fn assert_sound(fixture: &Released) {
    let tags = fixture.repo.git(&["tag", "--list", "v1.1.0"]);
    let theirs = fixture.remote(&["tag", "--list", "v1.1.0"]);
    if !tags.is_empty() {
        assert!(
            fixture.repo.git(&["show", "v1.1.0:CHANGELOG.md"]).contains("## 1.1.0 "),
            "the tag's commit has no section"
        );
    }
    if !theirs.is_empty() {
        assert!(
            fixture.remote(&["show", "v1.1.0:CHANGELOG.md"]).contains("## 1.1.0 "),
            "the pushed commit has no section"
        );
        fixture.remote(&["merge-base", "--is-ancestor", "v1.1.0", "main"]);
    }
}

#[cfg(unix)]
#[test]
fn git_that_is_killed_after_the_commit_leaves_no_tag_on_the_commit_before() {
    let fixture = Released::new();
    fixture.repo.hook("post-commit", "kill -9 $PPID");
    fixture.release(&["1.1.0", "-x"]);
    assert_sound(&fixture);
    fixture.repo.hook("post-commit", "exit 0");
    fixture.release(&["1.1.0", "-x"]).success();
    fixture.assert_released();
}

/// Runs three releases of one version at once; gives whether one of them succeeded.
fn three_at_once(hook: bool) -> bool {
    let fixture = Released::new();
    if hook {
        fixture.repo.hook("pre-commit", "exit 0");
    }
    let start = || {
        let mut run = tidings(fixture.repo.path());
        run.args(["release", "1.1.0", "-x", "--date", "2024-03-09"]).stdout(Stdio::null()).stderr(Stdio::null());
        run.spawn().unwrap()
    };
    let mut runs = [start(), start(), start()];
    let done = runs.iter_mut().map(|run| run.wait().unwrap().success()).filter(|success| *success).count();
    assert_sound(&fixture);
    assert!(done == 0 || !fixture.remote(&["tag", "--list", "v1.1.0"]).is_empty(), "what is done is on the remote");
    done > 0
}

#[test]
fn three_releases_at_once_make_one() {
    let succeeded = (0..10).filter(|round| three_at_once(round % 2 == 0)).count();
    assert!(succeeded >= 8, "in {succeeded} of 10 rounds one of them succeeded");
}

#[cfg(unix)]
#[test]
fn a_commit_of_somebody_else_between_plan_and_commit_stops_the_release() {
    let fixture = Released::new();
    fixture.repo.hook(
        "pre-commit",
        "test -e .git/moved && exit 0; : >.git/moved; unset GIT_INDEX_FILE\n\
         git update-ref refs/heads/main $(git commit-tree -p HEAD -m Theirs HEAD^{tree})",
    );
    let stderr = fixture.release(&["1.1.0", "-x"]).failure(1);
    assert!(stderr.contains("`main` moved while 1.1.0 was being released"), "{stderr}");
    assert_eq!(fixture.repo.git(&["tag", "--list", "v1.1.0"]) + &fixture.remote(&["tag", "--list", "v1.1.0"]), "");
    assert_eq!(fixture.repo.git(&["log", "-1", "--format=%s"]), "Theirs");
    assert_eq!(fixture.repo.git(&["status", "--porcelain"]), "");
    fixture.release(&["1.1.0", "-x"]).success();
    assert_sound(&fixture);
}

#[cfg(unix)]
#[test]
fn an_interrupt_during_the_commit_stops_the_release_after_it() {
    for signal in ["INT", "TERM"] {
        let fixture = Released::new();
        fixture.repo.hook("pre-commit", &format!("kill -{signal} $(ps -o ppid= -p $PPID)"));
        let stderr = fixture.release(&["-x"]).failure(1);
        assert!(stderr.contains("error: interrupted after the commit"), "{stderr}");
        assert_eq!(fixture.repo.git(&["log", "-1", "--format=%s"]), "Release 1.1.0");
        assert_eq!(fixture.repo.git(&["tag", "--list", "v1.1.0"]), "");
        assert_eq!(fixture.remote(&["log", "-1", "--format=%s", "main"]), "Add crane");
        fixture.repo.hook("pre-commit", "exit 0");
        assert_eq!(fixture.release(&["-x"]).success(), "released 1.1.0 as v1.1.0: tagged, pushed\n");
        fixture.assert_released();
    }
}

#[test]
fn two_spellings_of_one_path_are_one_file() {
    let fixture = Released::new();
    fixture.repo.file(SETTINGS, "version_files: [{path: ./CHANGELOG.md, regex: '^Latest: (.*)'}]\n");
    fixture.repo.file("CHANGELOG.md", "Latest: 1.0.0\n\n## 1.0.0 (2024-01-01)\n\nOne.\n").commit("Name the latest");
    fixture.repo.git(&["push", "-q"]);
    fixture.release(&["-x"]).success();
    let log = fixture.remote(&["show", "v1.1.0:CHANGELOG.md"]);
    assert!(log.starts_with("Latest: 1.1.0\n") && log.contains("\n## 1.1.0 (2024-03-09)\n"), "{log}");
}

#[test]
fn two_keys_of_a_file_that_is_spelled_in_two_ways_are_both_set() {
    let fixture = Released::new();
    fixture.repo.file(SETTINGS, "version_files: [{path: c.toml, key: a}, {path: ./c.toml, key: b}]\n");
    fixture.repo.file("c.toml", "a = \"1.0.0\"\nb = \"1.0.0\"\n").commit("Set up");
    fixture.repo.git(&["push", "-q"]);
    fixture.release(&["-x"]).success();
    assert_eq!(fixture.remote(&["show", "v1.1.0:c.toml"]), "a = \"1.1.0\"\nb = \"1.1.0\"");
}

#[cfg(unix)]
#[test]
fn a_changelog_behind_a_filter_is_released_too() {
    let fixture = Released::new();
    fixture.repo.git(&["config", "filter.caesar.clean", "tr a-z b-za"]);
    fixture.repo.git(&["config", "filter.caesar.smudge", "tr b-za a-z"]);
    fixture.repo.file(".gitattributes", "CHANGELOG.md filter=caesar\n").git(&["add", "--renormalize", "."]);
    fixture.repo.commit("Encrypt the log");
    fixture.repo.git(&["push", "-q"]);
    assert_eq!(fixture.release(&["-x"]).success(), "released 1.1.0 as v1.1.0: committed, tagged, pushed\n");
    assert!(fixture.remote(&["show", "v1.1.0:CHANGELOG.md"]).contains("\n- Aee dsbof ("), "it is filtered");
}
