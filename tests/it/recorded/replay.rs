//! Real releases, replayed: what the service once wrote must come out of the history it wrote it from.

use std::{
    fs,
    num::NonZero,
    path::{Path, PathBuf},
    thread,
};

use serde::Deserialize;

use crate::support::tidings;

/// How many links to merge requests the merge commits alone tell, of all that the service wrote.
const KNOWN_LINKS: usize = 1659;

#[derive(Deserialize)]
struct Replay {
    version: String,
    date: String,
    to: String,
    from: Option<String>,
    project: Option<String>,
    section: String,
}

/// A list item taken apart: the link to the merge request is counted, the name of the author is not compared.
#[derive(Debug, PartialEq, Eq)]
struct Line<'a> {
    text: &'a str,
    request: Option<&'a str>,
}

impl<'a> Line<'a> {
    fn parse(line: &'a str) -> Self {
        let (text, request) = match line.strip_suffix("))").and_then(|line| line.rsplit_once(" ([merge request](")) {
            Some((text, request)) if line.starts_with("- [") => (text, Some(request)),
            _ => (line, None),
        };
        let text = match text.rsplit_once(" by @") {
            Some((text, name)) if text.ends_with(')') && !name.contains(' ') => text,
            _ => text,
        };
        Self { text, request }
    }
}

fn section(repository: &Path, replay: &Replay) -> String {
    let mut command = tidings(repository);
    command.args(["show", &replay.version, "--to", &replay.to, "--date", &replay.date]);
    command.args(["--host", "https://gitlab.com"]);
    command.args(replay.project.iter().flat_map(|project| ["--project-path", project]));
    command.args(replay.from.iter().flat_map(|from| ["--from", from]));
    let output = command.arg("--repo").arg(repository).output().expect("the program runs");
    assert!(output.status.success(), "{}: {}", replay.version, String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("sections are UTF-8")
}

fn replays(directory: &Path) -> Vec<(PathBuf, Vec<Replay>)> {
    let files = fs::read_dir(directory)
        .expect("the directory is read")
        .map(|entry| entry.expect("the directory is read").path());
    let lists = files.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    let parse = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("the list is text");
        let rows = text.lines().map(|line| serde_json::from_str(line).expect("a row is JSON")).collect();
        (path.with_extension("git"), rows)
    };
    lists.map(parse).collect()
}

/// How many entries link to the merge request that the service linked to; everything else must be the same.
fn known_links(repository: &Path, replay: &Replay) -> usize {
    let ours = section(repository, replay);
    let (theirs, ours): (Vec<_>, Vec<_>) =
        (replay.section.lines().map(Line::parse).collect(), ours.lines().map(Line::parse).collect());
    let texts = |lines: &[Line]| lines.iter().map(|line| line.text.to_owned()).collect::<Vec<_>>();
    assert_eq!(texts(&ours), texts(&theirs), "{}", replay.version);
    ours.iter().zip(&theirs).filter(|(ours, theirs)| theirs.request.is_some() && ours.request == theirs.request).count()
}

#[test]
fn every_release_comes_out_as_the_service_wrote_it() {
    let directory = directory_or_return!("TIDINGS_REPLAY");
    for (repository, replays) in replays(&directory) {
        let share = replays.len().div_ceil(thread::available_parallelism().map_or(1, NonZero::get));
        let count = |replays: &[Replay]| replays.iter().map(|replay| known_links(&repository, replay)).sum::<usize>();
        let links: usize = thread::scope(|scope| {
            let threads: Vec<_> = replays.chunks(share).map(|replays| scope.spawn(|| count(replays))).collect();
            threads.into_iter().map(|thread| thread.join().expect("every section is the same")).sum()
        });
        assert!(links >= KNOWN_LINKS, "{links} links of {}", repository.display());
    }
}
