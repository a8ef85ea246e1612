//! What every command has: completions, a manual page, its help.

use std::fs;

use crate::support::TestRepo;

#[test]
fn every_shell_gets_a_script_that_asks_the_program() {
    let repo = TestRepo::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = repo.tidings(&["completions", shell]).success();
        assert!(script.contains("TIDINGS_COMPLETE") && script.contains("tidings"), "{shell}");
        let has_names = script.contains("tree blob archive") && script.contains("--first-release");
        assert_eq!(has_names, ["bash", "zsh", "fish"].contains(&shell), "{shell}");
    }
    repo.tidings(&["completions", "tcsh"]).failure(2);
}

/// zsh loads a file of its `fpath` at the first completion.
#[cfg(unix)]
#[test]
fn zsh_answers_the_first_completion_that_loads_the_script() {
    const COMPLETE: &str = "compdef() { : }; compadd() { print -r -- $@ }; fpath=($PWD); autoload -U _tidings
        words=(tidings rel) CURRENT=2 PREFIX=rel; _tidings";
    let repo = TestRepo::new();
    repo.tidings(&["completions", "zsh", "-o", "_tidings"]).success();
    let mut shell = std::process::Command::new("zsh");
    shell.args(["-f", "-c", COMPLETE]).current_dir(repo.path()).env("PATH", "/usr/bin:/bin");
    let Ok(output) = shell.output() else { return crate::support::skip_without("zsh") };
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains(" release "), "{shown}{}", String::from_utf8_lossy(&output.stderr));
}

/// What the completion of a line gives where the program is not on the `PATH`.
#[cfg(unix)]
#[test]
fn names_and_options_are_completed_without_the_program() {
    const COMPLETE: &str = r#"
        source ./tidings.bash
        complete_line() {
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
            _tidings tidings "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            echo "${COMPREPLY[@]}"
        }
        complete_line tidings exp
        complete_line tidings repo tr
        complete_line tidings --quiet repo tree --rec
        complete_line tidings show --package ""
    "#;
    let repo = TestRepo::new();
    repo.tidings(&["completions", "bash", "-o", "tidings.bash"]).success();
    let mut shell = std::process::Command::new("bash");
    shell.args(["--norc", "-c", COMPLETE]).current_dir(repo.path()).env("PATH", "/usr/bin:/bin");
    let output = shell.output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "explain\ntree\n--recursive\n\n");
}

#[test]
fn every_command_has_a_page() {
    let repo = TestRepo::new();
    let page = repo.tidings(&["man", "repo", "tree"]).success();
    assert!(page.starts_with(".ie") && page.contains("tidings\\-repo\\-tree"), "{page}");
    assert!(repo.tidings(&["man", "shw"]).failure(2).contains("unknown command `shw`"));
    let directory = repo.beside("pages");
    repo.tidings(&["man", "--dir", directory.to_str().unwrap()]).success();
    for name in ["tidings.1", "tidings-show.1", "tidings-repo-tree.1"] {
        assert!(!fs::read_to_string(directory.join(name)).unwrap().is_empty(), "{name}");
    }
    let names = fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(|name| name.contains("help")).count(), 0);
}

#[test]
fn a_page_tells_all_and_keeps_the_lines_of_examples() {
    let page = TestRepo::new().tidings(&["man", "show"]).success();
    assert!(page.contains("Treat warnings as errors"), "short help leaves this out");
    let (_, examples) = page.split_once(".SH EXAMPLES\n.nf\n").unwrap();
    assert!(examples.starts_with("\\&  tidings show                          the changes since"), "{examples}");
    assert!(examples.contains("\n\\&  tidings show \\-\\-next     ") && examples.ends_with("\n.fi\n"), "{examples}");
}

#[test]
fn the_help_has_groups_and_what_is_the_commands_own() {
    let repo = TestRepo::new();
    let help = |arguments: &[&str]| repo.tidings(arguments).success();
    let program = help(&["--help"]);
    let groups = ["\nChangelog:\n  show ", "\nRelease:\n  next ", "\nRepository:\n  repo ", "\nServer:\n  label "];
    for text in groups.into_iter().chain(["--retries <N>", " [bump]\n", "Usage: tidings [OPTIONS] <COMMAND>"]) {
        assert!(program.contains(text), "{text}: {program}");
    }
    assert!(help(&["-h"]).lines().all(|line| line.chars().count() <= 100), "{}", help(&["-h"]));
    for show in [help(&["show", "--help"]), help(&["help", "show"]), help(&["changelog", "--help"])] {
        assert!(show.contains("--first-release") && show.contains("Examples:\n  tidings show "), "{show}");
        assert!(!show.contains("--retries") && show.contains("more: `tidings --help`"), "{show}");
    }
    let label = help(&["label", "list", "--help"]);
    assert!(label.contains("--project <ID|PATH>") && !label.contains("--strict"), "{label}");
}

#[test]
fn a_synopsis_has_the_values_of_options() {
    let page = TestRepo::new().tidings(&["man", "add"]).success();
    let (_, synopsis) = page.split_once(".SH SYNOPSIS\n").unwrap();
    let line = synopsis.lines().next().unwrap();
    assert!(line.starts_with("\\fBtidings add\\fR [\\fIglobal options\\fR] [\\fB\\-\\-next\\fR]"), "{line}");
    assert!(line.contains(" [\\fB\\-\\-branch\\fR \\fIBRANCH\\fR]") && line.ends_with("[\\fIVERSION\\fR]"), "{line}");
}

/// What bash completes, a line each.
#[cfg(unix)]
const COMPLETE: &str = "
PATH=\"$1:$PATH\"
source ./tidings.bash
complete -p tidings
try() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMP_TYPE=9; _clap_complete_tidings tidings \"${!#}\" \"${COMP_WORDS[COMP_CWORD - 1]}\"; echo ${COMPREPLY[*]}; }
try tidings expl
try tidings repo tr
try tidings show --temp
try tidings check --require ''
try tidings show ''
try tidings show --to rel
try tidings show --package ''
try tidings show --template gi
try tidings man rel
try tidings ''
try tidings changelog --first
";

#[cfg(unix)]
#[test]
fn bash_completes_commands_options_values_and_names_of_the_repository() {
    let repo = TestRepo::new();
    repo.write(".gitlab/changelog_config.yml", "packages: {api: {paths: api}}\n");
    repo.commit("Begin");
    repo.tag("v1.0.0").tag("v1.1.0");
    repo.git(&["branch", "release-1"]);
    repo.tidings(&["completions", "bash", "-o", "tidings.bash"]).success();
    let mut shell = crate::support::tidings(repo.path());
    let program = std::path::PathBuf::from(shell.get_program());
    let path = program.parent().unwrap().to_str().unwrap().to_owned();
    let environment: Vec<_> =
        shell.get_envs().map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned))).collect();
    shell = std::process::Command::new("bash");
    for (name, value) in environment {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    let output = shell.args(["--norc", "-c", COMPLETE, "bash", &path]).current_dir(repo.path()).output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = stdout.lines().collect();
    assert!(lines[0].contains("-F _tidings tidings"), "{stdout}");
    let expected = [
        "explain",
        "tree",
        "--template",
        "any each change-file none",
        "v1.1.0 v1.0.0",
        "release-1",
        "api",
        "github-release",
    ];
    assert_eq!(lines[1..9], expected, "{stdout}");
    assert_eq!(lines[9], "release", "{stdout}");
    assert_eq!(lines[11], "--first-release", "{stdout}");
    assert!(lines[10].starts_with("show add ") && !lines[10].contains("--"), "{stdout}");
}
