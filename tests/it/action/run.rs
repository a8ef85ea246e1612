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
    assert_eq!([done.output("version"), done.output("changed"), done.output("tag")], ["1.1.0", "true", "v1.1.0"]);
    assert_eq!(done.output("compare_url"), "");
    assert!(done.outcome.stdout.contains("::group:: tidings show --format=json"), "{}", done.outcome.stdout);
    assert!(done.outcome.stdout.contains("Add crane"), "{}", done.outcome.stdout);
}

#[test]
fn a_section_names_its_tag_and_its_comparison() {
    let repo = repository();
    repo.git(&["remote", "add", "origin", "https://github.com/harbor/pilot.git"]);
    let compared = "https://github.com/harbor/pilot/compare/v1.0.0...v1.1.0";
    for (input, expected) in [
        (("next", "false"), ["", ""]),
        (("next", "true"), ["v1.1.0", compared]),
        (("version", "1.1.0"), ["v1.1.0", compared]),
    ] {
        let done = run(&repo, &[input, ("offline", "true")]);
        assert_eq!([done.output("tag"), done.output("compare_url")], expected, "{input:?}");
        assert_eq!(done.output("previous_tag"), "v1.0.0");
    }
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
fn a_dry_run_needs_no_identity() {
    let repo = repository();
    let add = [("command", "add"), ("version", "1.1.0")];
    let dry_run = [add[0], add[1], ("dry-run", "true")];
    repo.git(&["config", "--unset", "user.email"]);
    assert_eq!(run(&repo, &add).outcome.code, 1);
    let dry = run(&repo, &dry_run);
    assert_eq!((dry.outcome.code, dry.output("changed")), (0, "false"));
    repo.author();
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
    let head = repo.git(&["rev-parse", "HEAD"]);
    let outputs = ["version", "tag", "previous_tag", "sha", "changed"].map(|name| done.output(name));
    assert_eq!(outputs, ["1.1.0", "v1.1.0", "v1.0.0", &head, "true"]);
    assert!(done.summary.starts_with("1.1.0 (minor since v1.0.0: 1 `added`)"), "{}", done.summary);
    repo.tag("v1.1.0");
    let done = run(&repo, &[("command", "next")]);
    assert_eq!([done.output("version"), done.output("tag"), done.output("changed")], ["", "", "false"]);
    assert_eq!(run(&repo, &[("fail-on-empty", "true")]).outcome.code, 5);
    let done = run(&repo, &[("command", "release")]);
    assert_eq!(
        (done.output("changed"), done.output("releases")),
        ("false", "[]"),
        "no answer, but what a matrix reads"
    );
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
    assert_eq!((done.outcome.code, done.output("changed")), (0, "true"));
    assert!(done.outcome.stdout.contains("## Unreleased"), "{}", done.outcome.stdout);
    let done = run(&repo, &[("dry-run", "true")]);
    assert_eq!(done.outcome.code, 2, "`show` has no such option");
    assert!(done.outcome.stdout.contains("unexpected argument '--dry-run'"), "{}", done.outcome.stdout);
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
    assert_eq!(
        names,
        [
            "changed",
            "compare_url",
            "notes",
            "notes_file",
            "previous_tag",
            "released",
            "releases",
            "sha",
            "tag",
            "url",
            "version"
        ]
    );
    assert!(done.output("notes").contains("::warning::"), "{:?}", done.outputs);
    assert_eq!(commands(&done.outcome.stdout).len(), 2, "the group alone: {}", done.outcome.stdout);
}

/// The workflow commands that a runner carries out.
fn commands(log: &str) -> Vec<&str> {
    let (mut commands, mut stopped) = (Vec::new(), None);
    for line in log.lines().filter(|line| line.starts_with("::")) {
        match stopped {
            Some(token) if line.trim_matches(':') == token => stopped = None,
            Some(_) => {}
            None => match line.strip_prefix("::stop-commands::") {
                Some(token) => stopped = Some(token),
                None => commands.push(line),
            },
        }
    }
    commands
}

#[test]
fn settings_cannot_speak_to_the_runner() {
    let repo = repository();
    repo.file(".gitlab/changelog_config.yml", "\"a\\n::error::PWN\": 1\n");
    let done = run(&repo, &[("command", "check"), ("range", "x\n::error::PWN")]);
    assert!(done.outcome.stdout.contains("PWN"), "{done:?}");
    let commands = commands(&done.outcome.stdout);
    let errors: Vec<_> = commands.iter().filter(|command| command.starts_with("::error")).collect();
    assert!(errors.len() == 1 && errors[0].starts_with("::error title=tidings::"), "the program's own: {errors:?}");
}

/// A repository of two packages, and the bare one it is pushed to.
fn packages() -> TestRepo {
    let repo = repository();
    repo.file(".gitlab/changelog_config.yml", "packages: {api: , web: }\n");
    repo.file("api/x", "1");
    repo.file("web/x", "1");
    repo.change("Begin", "added");
    repo.git(&["init", "-q", "--bare", "../remote"]);
    repo.git(&["remote", "add", "origin", "../remote"]);
    repo.git(&["push", "-q", "-u", "origin", "main"]);
    repo
}

#[test]
fn all_packages_are_outputs_too() {
    let repo = packages();
    let all = [("all-packages", "true"), ("first-release", "true")];
    for command in ["show", "next"] {
        let done = run(&repo, &[&all[..], &[("command", command)]].concat());
        let releases: serde_json::Value = serde_json::from_str(done.output("releases")).unwrap();
        assert_eq!((&releases[0]["package"], &releases[1]["package"]), (&"api".into(), &"web".into()));
        assert_eq!(done.output("changed"), "true");
        assert_eq!(releases[1]["tag"], if command == "next" { "web/v0.1.0".into() } else { serde_json::Value::Null });
    }
    let done = run(&repo, &[&all[..], &[("command", "release"), ("execute", "true")]].concat());
    assert_eq!(done.output("tag"), "api/v0.1.0\nweb/v0.1.0");
    assert_eq!(done.output("version"), "0.1.0\n0.1.0");
    assert!(done.output("notes").contains("# api") && done.summary.contains("\n\n# web\n"), "{done:?}");
    let releases: serde_json::Value = serde_json::from_str(done.output("releases")).unwrap();
    assert_eq!(releases[1]["tag"], "web/v0.1.0");
    assert!(releases[1]["changed"] == true && releases.as_array().unwrap().len() == 2, "{releases}");
    assert_eq!(repo.git(&["ls-remote", "--tags", "origin", "web/v0.1.0"]).lines().count(), 1);
}

#[test]
fn one_release_is_a_list_too() {
    let repo = repository();
    let done = run(&repo, &[("version", "1.1.0")]);
    let head = repo.git(&["rev-parse", "HEAD"]);
    let releases: serde_json::Value = serde_json::from_str(done.output("releases")).unwrap();
    let expected = serde_json::json!([{ "package": null, "version": "1.1.0", "tag": "v1.1.0", "previous_tag": "v1.0.0",
        "sha": head, "url": null, "changed": true }]);
    assert_eq!(releases, expected);
    assert_eq!((done.output("sha"), done.output("previous_tag")), (head.as_str(), "v1.0.0"));
}

#[test]
fn an_output_file_is_text_and_the_outputs_are_there() {
    let repo = repository();
    let section = repo.tidings(&["show", "1.1.0", "--date", "2024-03-09"]).success();
    let base = [("version", "1.1.0"), ("date", "2024-03-09"), ("output", "notes.md")];
    for format in ["", "text"] {
        let runner = Runner::with(&[&base[..], &[("format", format)]].concat());
        let done = runner.step("Run tidings", repo.path());
        assert_eq!(repo.read("notes.md").trim_end(), section.trim_end());
        assert_eq!(done.output("notes"), section.trim_end());
        assert_eq!(std::fs::read_to_string(done.output("notes_file")).unwrap().trim_end(), section.trim_end());
    }
    run(&repo, &[&base[..], &[("format", "json")]].concat()).output("notes");
    assert!(repo.read("notes.md").starts_with('{'));
    repo.write("docs/note", "");
    run(&repo, &[("command", "next"), ("output", "next"), ("directory", "docs")]).output("version");
    assert_eq!(repo.read("docs/next"), "1.1.0\n");
    let done = run(&repo, &[("output", "missing/notes.md")]).outcome;
    let message = "\n::error title=tidings::cannot write the output file ./missing/notes.md\n";
    assert!(done.code == 2 && done.stdout.contains(message), "{done:?}");
}

#[test]
fn long_notes_are_cut_in_outputs_and_whole_in_their_file() {
    let repo = repository();
    repo.file("CHANGELOG.md", format!("## 1.0.0 (2024-03-09)\n\n{}", "1234567 é\n".repeat(120_000)));
    let runner = Runner::with(&[("command", "notes"), ("version", "1.0.0")]);
    let done = runner.step("Run tidings", repo.path());
    for text in [done.output("notes"), &done.summary] {
        assert!(text.len() < 1_048_576 && text.contains("the output `notes_file` names"), "{}", text.len());
    }
    assert!(std::fs::metadata(done.output("notes_file")).unwrap().len() > 1_200_000);
}

#[test]
fn assets_may_be_patterns_and_have_blanks_around_them() {
    let repo = repository();
    repo.write("docs/a b.zip", "");
    repo.write("docs/c.zip", "");
    let all = [("command", "release"), ("directory", "docs"), ("no-push", "true"), ("no-host-release", "true")];
    let done = run(&repo, &[&all[..], &[("asset", "  *.zip \n\n c.zip=d e.zip\n")]].concat());
    let line = "--asset=a\\ b.zip=a.b.zip --asset=c.zip --asset=c.zip=d\\ e.zip --";
    assert!(done.outcome.stdout.contains(line), "{}", done.outcome.stdout);
    let done = run(&repo, &[&all[..], &[("asset", "*.tar")]].concat());
    assert!(done.outcome.stdout.contains("::error title=tidings::no file matches the asset *.tar"), "{done:?}");
}

#[test]
fn a_command_may_have_two_words_and_an_option_be_repeated() {
    let repo = repository();
    let done = run(&repo, &[("command", "repo tree"), ("verbose", "2")]);
    assert!(done.outcome.stdout.contains("::group:: tidings repo tree --verbose --verbose --\n"), "{done:?}");
    for command in ["show --next", "--help", "show;id"] {
        let done = run(&repo, &[("command", command)]);
        assert!(done.outcome.code == 2 && done.outcome.stdout.contains("takes the words of a command"), "{done:?}");
    }
}

#[test]
fn nothing_to_release_can_be_a_failure() {
    let repo = repository();
    repo.tag("v1.1.0");
    for command in ["next", "release"] {
        let quiet = run(&repo, &[("command", command)]).outcome;
        assert!(quiet.code == 0 && quiet.stdout.contains("::notice title=tidings::there is nothing"), "{quiet:?}");
        assert_eq!(run(&repo, &[("command", command), ("fail-on-empty", "true")]).outcome.code, 5);
    }
}

#[test]
fn a_runner_may_have_no_summary() {
    let repo = repository();
    let runner = Runner::with(&[]).set("GITHUB_STEP_SUMMARY", "").set("RUNNER_TEMP", "");
    assert_eq!(runner.step("Run tidings", repo.path()).output("changed"), "true");
}
