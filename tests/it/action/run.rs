//! The step that runs the program.

use super::runner::{Done, Runner};
use crate::support::TestRepo;

fn repository() -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    repo.commit("Initial");
    repo.tag("v1.0.0");
    repo.change("Add crane", "added");
    repo
}

fn run(repo: &TestRepo, inputs: &[(&str, &str)]) -> Done {
    Runner::with(inputs).step("Run tidings", repo.path())
}

#[test]
fn a_section_is_output_summary_and_log() {
    let repo = repository();
    let done = run(&repo, &[("version", "1.1.0"), ("date", "2024-03-09"), ("template", "compact")]);
    let notes = repo.tidings(&["show", "1.1.0", "--date", "2024-03-09", "--template", "compact"]).success();
    assert_eq!(done.output("notes"), notes.trim_end());
    assert_eq!(done.summary, format!("{}\n", notes.trim_end()));
    assert_eq!([done.output("version"), done.output("changed"), done.output("tag")], ["1.1.0", "true", ""]);
    assert!(done.outcome.stdout.contains("::group:: tidings show --format=json"), "{}", done.outcome.stdout);
    assert!(done.outcome.stdout.contains("Add crane"), "{}", done.outcome.stdout);
}

#[test]
fn adding_tells_whether_something_changed() {
    let repo = repository();
    let inputs = [("command", "add"), ("version", "1.1.0"), ("message", "Two\n\nparagraphs"), ("sign", "false")];
    assert_eq!(run(&repo, &inputs).output("changed"), "true");
    assert_eq!(repo.git(&["log", "-1", "--format=%B"]), "Two\n\nparagraphs");
    assert_eq!(run(&repo, &inputs).output("changed"), "false");
}

#[test]
fn a_dry_run_needs_an_identity_as_the_run_does() {
    let repo = repository();
    let add = [("command", "add"), ("version", "1.1.0")];
    let dry_run = [add[0], add[1], ("dry-run", "true")];
    repo.git(&["config", "--unset", "user.email"]);
    let (done, dry) = (run(&repo, &add).outcome, run(&repo, &dry_run).outcome);
    assert_eq!((dry.code, &dry.stderr), (1, &done.stderr));
    assert!(dry.stderr.contains("git config user.email"), "{}", dry.stderr);
    repo.author();
    let dry = run(&repo, &dry_run);
    assert_eq!(dry.output("changed"), "false");
    assert_eq!(run(&repo, &add).output("notes"), dry.output("notes"));
}

#[test]
fn a_release_is_planned_and_carried_out() {
    let repo = repository();
    repo.git(&["init", "-q", "--bare", "../remote"]);
    repo.git(&["remote", "add", "origin", "../remote"]);
    repo.git(&["push", "-q", "-u", "origin", "main"]);
    let plan = [("command", "release")];
    let done = run(&repo, &plan);
    assert_eq!([done.output("version"), done.output("tag"), done.output("changed")], ["1.1.0", "v1.1.0", "false"]);
    let done = run(&repo, &[("command", "release"), ("execute", "true")]);
    assert_eq!([done.output("version"), done.output("tag"), done.output("changed")], ["1.1.0", "v1.1.0", "true"]);
    assert!(done.summary.contains("Add crane"), "{}", done.summary);
    assert_eq!(repo.git(&["ls-remote", "--tags", "origin", "v1.1.0"]).lines().count(), 1);
    assert_eq!(run(&repo, &plan).output("changed"), "false");
}

#[test]
fn nothing_to_release_is_no_failure_unless_asked_for() {
    let repo = repository();
    let done = run(&repo, &[("command", "next")]);
    assert_eq!([done.output("version"), done.output("changed")], ["1.1.0", "true"]);
    assert!(done.summary.starts_with("1.1.0 (minor: 1 change since v1.0.0"), "{}", done.summary);
    repo.tag("v1.1.0");
    let done = run(&repo, &[("command", "next")]);
    assert_eq!([done.output("version"), done.output("changed")], ["", "false"]);
    assert_eq!(run(&repo, &[("fail-on-empty", "true")]).outcome.code, 5);
}

#[test]
fn a_check_annotates_and_fails() {
    let repo = repository();
    let done = run(&repo, &[("command", "check"), ("range", "v1.0.0..")]);
    assert_eq!((done.outcome.code, done.summary.as_str()), (0, "Every commit message is as it should be.\n"));
    repo.change("Mend it", "fixd");
    let done = run(&repo, &[("command", "check"), ("range", "v1.0.0..")]);
    assert_eq!(done.outcome.code, 3);
    assert!(done.outcome.stdout.contains("\n::error title=tidings unknown-category::"), "{}", done.outcome.stdout);
    assert!(done.summary.starts_with("- tidings unknown-category: "), "{}", done.summary);
}

#[test]
fn flags_and_lists_and_formats_are_passed_on() {
    let repo = repository();
    let done = run(&repo, &[("first-release", "yes")]);
    assert_eq!(done.outcome.code, 2);
    assert!(done.outcome.stdout.contains("::error title=tidings::--first-release takes true or false"));
    repo.write("docs/note", "");
    let done = run(&repo, &[("format", "text"), ("first-release", "true"), ("directory", "docs")]);
    assert_eq!((done.outcome.code, done.outputs.len()), (0, 0));
    assert!(done.outcome.stdout.contains("## Unreleased"), "{}", done.outcome.stdout);
    let done = run(&repo, &[("dry-run", "true")]);
    assert_eq!(done.outcome.code, 2, "`show` has no such option");
    assert!(done.outcome.stderr.contains("unexpected argument '--dry-run'"), "{}", done.outcome.stderr);
}

#[test]
fn nothing_that_is_given_runs() {
    let repo = repository();
    let marker = repo.beside("marker");
    let deed = format!("$(touch {0})`touch {0}`;touch {0}\n touch {0}", marker.display());
    for input in ["command", "version", "from", "template", "directory", "format", "range", "strict"] {
        assert_ne!(run(&repo, &[(input, &deed)]).outcome.code, 0, "{input}");
        assert!(!marker.exists(), "{input}");
    }
}

#[test]
fn a_commit_cannot_speak_to_the_runner() {
    let repo = repository();
    repo.change("::error::x\nEOF\nchanged=false\n::set-output name=version::9.9.9", "added");
    repo.file("t.tpl", "{% each categories %}{% each entries %}::warning::{{ title }}\n{% end %}{% end %}");
    let done = run(&repo, &[("template", "t.tpl")]);
    let names: Vec<_> = done.outputs.keys().map(String::as_str).collect();
    assert_eq!(names, ["changed", "notes", "tag", "version"]);
    assert!(done.output("notes").contains("::warning::"), "{:?}", done.outputs);
    let (before, after) = done.outcome.stdout.split_once("::stop-commands::").unwrap();
    let token = after.lines().next().unwrap();
    assert!(token.len() == 32 && !before.contains("::warning::"), "{before}");
    let (_, behind) = after.split_once(&format!("::{token}::")).unwrap();
    assert!(!behind.contains("::"), "{behind}");
}
