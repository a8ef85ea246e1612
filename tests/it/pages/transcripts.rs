//! Pages whose examples begin with a repository of their own print what the commands print.

#![cfg(unix)]

use std::{fs, path::Path, process::Command};

use crate::support::{Page, TestRepo, isolate, tidings};

const START: &str = "```console\n$ git init ";

/// Precedes each command, which the output is told apart by.
const MARK: char = '\u{1}';

/// Runs the commands one after the other in one shell, and returns what each printed on stdout and stderr.
fn run(commands: &[&str]) -> Vec<String> {
    let directory = tempfile::tempdir().unwrap();
    let program = tidings(directory.path());
    let path = [Path::new(program.get_program()).parent().unwrap().as_os_str(), &std::env::var_os("PATH").unwrap()]
        .join(std::ffi::OsStr::new(":"));
    // Each command has a minute of its own, so that the IDs of its commits are the same in every run.
    let lines = commands.iter().enumerate().map(|(minute, command)| {
        let date = format!("2024-03-09T10:{minute:02}:00Z");
        format!("export GIT_AUTHOR_DATE={date} GIT_COMMITTER_DATE={date}\nprintf '{MARK}'\n{command}\n")
    });
    let script = format!("exec 2>&1\n{}", lines.collect::<String>());
    let mut shell = Command::new("bash");
    isolate(&mut shell);
    for (role, name) in [("AUTHOR", "Ida"), ("COMMITTER", "Ida")] {
        shell.env(format!("GIT_{role}_NAME"), name).env(format!("GIT_{role}_EMAIL"), "ida@harbor.example");
    }
    shell.env("PATH", path).env("SOURCE_DATE_EPOCH", "1709978400").current_dir(directory.path());
    let output = shell.args(["-c", &script]).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    printed.split(MARK).skip(1).map(str::to_owned).collect()
}

/// The page with the output of its commands as they print it. A quotation below a block is the section that the last
/// command printed, so that a reader sees it as a forge renders it.
fn renewed(page: &Page) -> String {
    let commands: Vec<&str> =
        page.blocks("console").flat_map(str::lines).filter_map(|line| line.strip_prefix("$ ")).collect();
    let outputs = run(&commands);
    assert_eq!(outputs.len(), commands.len(), "{}: {outputs:#?}", page.path);
    let mut outputs = outputs.iter();
    let mut last = "";
    let parts = page.text.split("```").map(|part| match part.strip_prefix("console\n") {
        Some(block) => {
            let typed = block.lines().filter(|line| line.starts_with("$ "));
            let printed = typed.map(|line| {
                last = outputs.next().unwrap();
                format!("{line}\n{last}")
            });
            format!("console\n{}", printed.collect::<String>())
        }
        None if part.starts_with("\n\n>") => {
            let rest = part[2..].split_inclusive('\n').skip_while(|line| line.starts_with('>'));
            format!("\n\n{}{}", quoted(last), rest.collect::<String>())
        }
        None => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("```")
}

/// A section as a quotation, without the notes above it; of the change of a file, what is added to it.
fn quoted(printed: &str) -> String {
    let section: Vec<&str> = match printed.split_once("\n+++ ") {
        Some((_, change)) => change.lines().filter_map(|line| line.strip_prefix('+')).collect(),
        None => printed.lines().skip_while(|line| line.starts_with("note: ")).collect(),
    };
    section.join("\n").trim_end().lines().map(|line| format!("> {line}").trim_end().to_owned() + "\n").collect()
}

/// `TIDINGS_RENEW=1 cargo test --test it pages::transcripts` writes the output again.
#[test]
fn transcripts_show_what_is_printed() {
    let mut count = 0;
    for page in Page::all().into_iter().filter(|page| page.text.contains(START)) {
        count += 1;
        let renewed = renewed(&page);
        if std::env::var_os("TIDINGS_RENEW").is_some() {
            fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(&page.path), renewed).unwrap();
        } else {
            let mut lines = page.text.lines().zip(renewed.lines());
            let different = lines.find(|(shown, printed)| shown != printed);
            let hint = "`TIDINGS_RENEW=1 cargo test --test it pages::transcripts` renews the page";
            assert!(page.text == renewed, "{}: {hint}; shown and printed are {different:#?}", page.path);
        }
    }
    assert!(count >= 3, "{count} pages");
}

/// The plan of a release asks the remote, so that its page shows parts of it: each line is printed, in this order.
#[test]
fn the_plan_of_a_release_is_printed_as_its_page_shows_it() {
    let repo = TestRepo::new();
    repo.author();
    repo.file("CHANGELOG.md", "# Changelog\n\n## 1.2.0 (2024-01-01)\n\n- Begin\n");
    repo.file("Cargo.toml", "[package]\nname = \"crane\"\nversion = \"1.2.0\"\n");
    repo.file("tidings.yml", "version_files: [{ path: Cargo.toml, key: package.version }]\n").commit("Begin");
    repo.annotated_tag("v1.2.0");
    repo.change("Add crane", "added");
    repo.git(&["init", "-q", "--bare", "-b", "main", "../app.git"]);
    let address = "https://gitlab.com/group/app.git";
    repo.git(&["remote", "add", "origin", address]);
    let key = format!("url.{}.insteadOf", repo.beside("app.git").display());
    repo.git(&["config", &key, address]);
    repo.git(&["push", "-q", "--set-upstream", "origin", "main", "v1.2.0"]);
    let outcome = repo.tidings(&["release", "--date", "2024-03-09"]);
    let id = regex::Regex::new("[0-9a-f]{40}").unwrap();
    let printed = id.replace_all(&[outcome.stdout.as_str(), &outcome.stderr].concat(), "ID").into_owned();
    let page = Page::load("docs/releases.md");
    let block = id.replace_all(page.blocks("console").next().unwrap(), "ID").into_owned();
    let plan = block.lines().skip(1).take_while(|line| !line.starts_with("$ "));
    let mut lines = printed.lines();
    for shown in plan.filter(|line| line.trim() != "..." && !line.is_empty()) {
        assert!(lines.any(|line| line == shown), "{shown}\n{printed}");
    }
}
