//! What a job shows of a run: the plan, errors as annotations, and outputs that say what happened.

use super::runner::{Done, Runner};
use crate::support::TestRepo;

/// A released version and a change, and the remote that has both.
fn repository() -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    repo.commit("Initial");
    repo.tag("v1.0.0");
    repo.change("Add crane", "added");
    repo.git(&["init", "-q", "--bare", "../remote"]);
    repo.git(&["remote", "add", "origin", "../remote"]);
    repo.git(&["push", "-q", "-u", "origin", "main", "--tags"]);
    repo
}

fn run(repo: &TestRepo, inputs: &[(&str, &str)]) -> Done {
    Runner::with(inputs).step("Run tidings", repo.path())
}

const RELEASE: (&str, &str) = ("command", "release");
const EXECUTE: (&str, &str) = ("execute", " True ");

#[test]
fn the_log_has_the_plan_and_the_summary_its_beginning() {
    let repo = repository();
    let done = run(&repo, &[RELEASE]);
    let head = repo.git(&["rev-parse", "HEAD"]);
    for part in [
        "release 1.1.0 of main as v1.1.0\n",
        "\ncommit: planned\n",
        "\n+++ b/CHANGELOG.md\n",
        &format!("  undo: git reset --keep {head}\n"),
        "\npush: planned, to origin\n",
        "\nthis is only a plan; set the input `execute` to release\n",
    ] {
        assert!(done.outcome.stdout.contains(part), "{part}: {}", done.outcome.stdout);
    }
    let begin = "## 1.1.0\n\nThis is a plan: nothing is written. \
                 It would release `v1.1.0` of `main`, and push to `origin`.\n";
    assert!(done.summary.starts_with(begin) && done.summary.contains("Add crane"), "{}", done.summary);
    repo.write("CHANGELOG.md", "Mine\n");
    let blocked = run(&repo, &[RELEASE]);
    assert_eq!(blocked.outcome.code, 3, "{blocked:?}");
    assert!(blocked.summary.contains("\n- Blocked: `CHANGELOG.md` "), "{}", blocked.summary);
    std::fs::remove_file(repo.path().join("CHANGELOG.md")).unwrap();
    let done = run(&repo, &[RELEASE, EXECUTE]);
    assert!(done.summary.starts_with("## 1.1.0\n\n### Added\n"), "{}", done.summary);
}

#[test]
fn a_run_that_fails_says_what_it_did_and_why_it_failed() {
    let repo = repository();
    repo.hook("pre-push", "echo 100% not now >&2; exit 1");
    let done = run(&repo, &[RELEASE, EXECUTE]);
    assert_eq!(done.outcome.code, 1);
    let annotation =
        "\n::error title=tidings::the push to `origin` failed; nothing was changed there%0A  100%25 not now";
    assert!(done.outcome.stdout.contains(annotation), "{}", done.outcome.stdout);
    let named = ["version", "tag", "changed"].map(|name| done.outputs[name].as_str());
    assert_eq!(named, ["1.1.0", "v1.1.0", "true"]);
    let released: serde_json::Value = serde_json::from_str(&done.outputs["released"]).unwrap();
    assert_eq!(released[0]["sha"], repo.git(&["rev-parse", "v1.1.0^{}"]));
    // Nothing was done.
    for inputs in [[RELEASE, ("level", "most")], [("command", " "), ("verbose", "much")]] {
        let done = run(&repo, &inputs);
        assert_eq!((done.outcome.code, done.outputs["changed"].as_str()), (2, "false"), "{inputs:?}");
        assert_eq!(done.outputs["released"], "[]");
        let is_annotated = done.outcome.stdout.lines().any(|line| line.starts_with("::error title=tidings::"));
        assert!(is_annotated, "{}", done.outcome.stdout);
    }
}

#[test]
fn only_what_this_run_released_is_published() {
    let repo = repository();
    assert_eq!(run(&repo, &[RELEASE]).output("released"), "[]", "a plan");
    let done = run(&repo, &[RELEASE, EXECUTE]);
    assert_eq!(done.output("released"), done.output("releases"));
    let again = run(&repo, &[RELEASE, EXECUTE]);
    assert_eq!((again.output("released"), again.output("changed")), ("[]", "false"));
    assert!(again.output("releases").contains("\"version\":\"1.1.0\""), "{again:?}");
}

#[test]
fn the_whole_changelog_has_no_headings_of_packages() {
    let repo = repository();
    let all = repo.tidings(&["show", "--all", "--date", "2024-03-09"]).success();
    let done = run(&repo, &[("all", "true"), ("output", "ALL.md"), ("date", "2024-03-09")]);
    assert_eq!(done.output("notes"), all.trim_end());
    assert_eq!(repo.read("ALL.md").trim_end(), all.trim_end());
    assert!(!done.summary.lines().any(|line| line.trim_end() == "#"), "{}", done.summary);
}

#[test]
fn nothing_to_release_leaves_nothing_in_the_log_and_the_summary() {
    let repo = repository();
    repo.tag("v1.1.0");
    for further in [&[][..], &[("first-release", "false")]] {
        let done = run(&repo, &[&[("command", "next")][..], further].concat());
        assert_eq!((done.output("changed"), done.summary.as_str()), ("false", ""));
        assert!(!done.outcome.stdout.contains("\"version\""), "{}", done.outcome.stdout);
    }
}

#[test]
fn commits_have_the_identity_of_the_job_unless_there_is_one() {
    let repo = repository();
    repo.git(&["config", "--remove-section", "user"]);
    let add = [("command", "add"), ("version", "1.1.0 ")];
    let author = |variables: &[(&'static str, &str)]| {
        let runner = variables.iter().fold(Runner::with(&add), |runner, (name, value)| runner.set(name, value));
        assert_eq!(runner.step("Run tidings", repo.path()).output("changed"), "true");
        let author = repo.git(&["log", "-1", "--format=%an <%ae> %cn"]);
        repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
        author
    };
    let bot = "github-actions[bot]";
    let of_github = format!("{bot} <41898282+{bot}@users.noreply.github.com> {bot}");
    assert_eq!(author(&[]), of_github);
    let enterprise = ("GITHUB_SERVER_URL", "https://code.harbor.example:8443");
    assert_eq!(author(&[enterprise]), format!("{bot} <{bot}@users.noreply.code.harbor.example> {bot}"));
    let gitea = author(&[enterprise, ("GITEA_ACTIONS", "true")]);
    assert_eq!(gitea, "actions <actions@noreply.code.harbor.example> actions");
    repo.author();
    assert_eq!(author(&[]), "Ida <ida@harbor.example> Ida");
}

#[test]
fn a_directory_may_look_like_an_option() {
    let repo = repository();
    repo.write("-x/note", "");
    assert_eq!(run(&repo, &[("directory", "-x"), ("command", "next")]).output("version"), "1.1.0");
}
