//! Whole histories at once, through `git fast-import`: thousands of commits in the time of one.

use std::io::Write as _;

use super::{Random, TestRepo};

/// A commit to be: parents are positions in the history, all smaller than its own.
#[derive(Clone, Debug, Default)]
pub struct Planned {
    pub parents: Vec<usize>,
    pub date: i64,
    pub message: Vec<u8>,
    /// Paths and what they hold from here on; `None` removes one. The rest is as in the first parent.
    pub files: Vec<(&'static str, Option<String>)>,
}

/// What a history's clocks are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clocks {
    /// Every commit is newer than its parents.
    Right,
    /// All commits have one date.
    Equal,
    /// Any commit may be dated before its parents.
    Skewed,
}

/// A history of this many commits with merges, criss-cross merges, octopuses and more than one root.
pub fn random_history(random: &mut Random, commits: usize, clocks: Clocks) -> Vec<Planned> {
    let recent = |random: &mut Random, own: usize| own - 1 - random.below(own.min(6));
    let plan = |random: &mut Random, own: usize| {
        let parents = match random.below(20) {
            _ if own == 0 => 0,
            0 => 0,
            1..=12 => 1,
            13..=18 => 2,
            _ => 4,
        };
        let mut parents: Vec<usize> = (0..parents).map(|_| recent(random, own)).collect();
        let mut seen = Vec::new();
        parents.retain(|parent| {
            !seen.contains(parent) && {
                seen.push(*parent);
                true
            }
        });
        let position = i64::try_from(own).expect("a small history");
        let jitter = i64::try_from(random.below(12)).expect("a small number");
        let date = TestRepo::EPOCH
            + match clocks {
                Clocks::Right => position * 60,
                Clocks::Equal => 0,
                Clocks::Skewed => position + jitter - 6,
            };
        Planned { parents, date, message: format!("Commit {own}\n").into_bytes(), files: Vec::new() }
    };
    (0..commits).map(|own| plan(random, own)).collect()
}

impl TestRepo {
    /// Writes a history and gives the ids of its commits; branch `main` ends at the last one.
    #[track_caller]
    pub fn import(&self, history: &[Planned]) -> Vec<String> {
        let mut stream = Vec::new();
        for (position, commit) in history.iter().enumerate() {
            let who = format!("Ida <ida@harbor.example> {} +0000", commit.date);
            stream.extend_from_slice(b"reset refs/heads/main\ncommit refs/heads/main\n");
            let _ = write!(stream, "mark :{}\nauthor {who}\ncommitter {who}\n", position + 1);
            let _ = writeln!(stream, "data {}", commit.message.len());
            stream.extend_from_slice(&commit.message);
            for (number, parent) in commit.parents.iter().enumerate() {
                let verb = if number == 0 { "from" } else { "merge" };
                let _ = write!(stream, "\n{verb} :{}", parent + 1);
            }
            stream.push(b'\n');
            for (path, content) in &commit.files {
                let _ = match content {
                    Some(content) => write!(stream, "M 100644 inline {path}\ndata {}\n{content}\n", content.len()),
                    None => writeln!(stream, "D {path}"),
                };
            }
            stream.push(b'\n');
        }
        let marks = self.beside("marks");
        let export = format!("--export-marks={}", marks.display());
        self.git_with_input(&["fast-import", "--quiet", "--force", &export], &stream);
        ids(&std::fs::read_to_string(marks).expect("git wrote the marks"))
    }

    /// Writes a commit-graph of exactly these commits and their ancestors.
    #[track_caller]
    pub fn write_commit_graph(&self, ids: &[String]) {
        self.git_with_input(&["commit-graph", "write", "--stdin-commits"], (ids.join("\n") + "\n").as_bytes());
    }
}

/// The ids of a file of marks `:1`, `:2`, ..., in the order of the marks.
fn ids(marks: &str) -> Vec<String> {
    let mut marks: Vec<(usize, String)> = marks
        .lines()
        .filter_map(|line| line.strip_prefix(':')?.split_once(' '))
        .map(|(mark, id)| (mark.parse().expect("marks are numbers"), id.to_owned()))
        .collect();
    marks.sort_unstable();
    marks.into_iter().map(|(_, id)| id).collect()
}
