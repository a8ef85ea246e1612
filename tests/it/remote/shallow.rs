//! Random ranges and sections of random shallow clones: `git rev-list` and the program agree on them in the whole
//! repository, but for commits that the clone cannot know of. `TIDINGS_SHALLOW=150 cargo test --test it shallow` tries more
//! histories.

use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    process::{Command, Stdio},
};

use serde_json::Value;

use crate::support::{Clocks, Outcome, Planned, Random, TestRepo, git_in, isolate, random_history, tidings};

const HISTORIES: u64 = 5;
const COMMITS: usize = 60;
const CLONES: usize = 3;
const RANGES: usize = 4;

/// A repository of a random history, in which every commit is listed, with branches, and with tags along its line.
fn whole(random: &mut Random) -> (TestRepo, Vec<String>) {
    let repo = TestRepo::new();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let mut history = random_history(random, COMMITS, Clocks::Right);
    for Planned { message, .. } in &mut history {
        message.extend(b"\nChangelog: added\n");
    }
    let ids = repo.import(&history);
    let line = repo.git(&["rev-list", "--first-parent", "--reverse", "main"]);
    let line: Vec<&str> = line.lines().collect();
    for (minor, commit) in line.iter().skip(1 + random.below(6)).step_by(4 + random.below(5)).enumerate() {
        repo.git(&["tag", &format!("v1.{minor}.0"), commit]);
    }
    for branch in 0..3 {
        repo.git(&["branch", &format!("b{branch}"), random.pick(&ids).as_str()]);
    }
    (repo, ids)
}

/// Clones a part of it: a few generations, of one branch or of all, and sometimes a few of another branch or commit.
fn clone(random: &mut Random, repo: &TestRepo, ids: &[String]) {
    let (url, path) = (format!("file://{}", repo.path().display()), repo.beside("clone"));
    if path.exists() {
        fs::remove_dir_all(&path).unwrap();
    }
    let depth = |random: &mut Random| format!("--depth={}", 1 + random.below(16));
    let branch = *random.pick(&["main", "main", "b0", "b1"]);
    let branches = *random.pick(&["--single-branch", "--no-single-branch"]);
    let tags = *random.pick(&["--no-tags", "--tags"]);
    let arguments = ["clone", "-q", &depth(random), "-b", branch, branches, tags, &url, path.to_str().unwrap()];
    repo.git(&arguments.into_iter().filter(|argument| *argument != "--tags").collect::<Vec<_>>());
    repo.git_beside("clone", &["checkout", "-q", "--detach"]);
    for _ in 0..random.below(3) {
        let wanted = if random.once_in(2) { random.pick(ids).as_str() } else { *random.pick(&["b1", "b2", "main"]) };
        repo.git_beside("clone", &["fetch", "-q", &depth(random), "origin", wanted]);
    }
}

fn run(directory: &Path, arguments: &[&str]) -> Outcome {
    tidings(directory).args(arguments).output().unwrap().into()
}

/// Returns those of some commits that nobody with the clone and its remote can know: the clone lacks them, and no
/// branch that it tracks nor a tag that it has leads to them.
fn unknown<'a>(repo: &TestRepo, clone: &Path, commits: &[&'a str]) -> Vec<&'a str> {
    let tracked = git_in(clone, &["config", "remote.origin.fetch"], 0);
    let tracked = tracked.trim_start_matches('+').split(':').next().unwrap();
    let branches = if tracked.ends_with('*') { "--branches" } else { tracked };
    let tags = git_in(clone, &["tag"], 0);
    let references: Vec<&str> = ["rev-list", branches].into_iter().chain(tags.lines()).collect();
    let reachable = repo.git(&references);
    let has = |commit: &str| git_succeeds(clone, &["cat-file", "-e", commit]);
    commits.iter().copied().filter(|commit| !reachable.contains(commit) && !has(commit)).collect()
}

/// Whether git, run without the user's settings, succeeds in a directory.
fn git_succeeds(directory: &Path, arguments: &[&str]) -> bool {
    let mut command = Command::new("git");
    isolate(&mut command);
    command.args(arguments).current_dir(directory).stderr(Stdio::null()).status().unwrap().success()
}

/// Whether a run was refused because of one of these commits.
fn is_refused_for(outcome: &Outcome, unknown: &[&str]) -> bool {
    let refusal = |commit: &&str| outcome.stderr.starts_with(&format!("error: unknown revision `{commit}`\n"));
    outcome.code == 1 && outcome.stdout.is_empty() && unknown.iter().any(refusal)
}

/// Returns the commits of a range in a clone.
#[track_caller]
fn listed(outcome: Outcome) -> BTreeSet<String> {
    let document: Value = serde_json::from_str(&outcome.success()).unwrap();
    let id = |commit: &Value| commit["id"].as_str().unwrap().to_owned();
    document["commits"].as_array().unwrap().iter().map(id).collect()
}

#[test]
fn a_range_and_a_section_of_a_shallow_clone_are_those_of_the_whole_repository() {
    let histories = std::env::var("TIDINGS_SHALLOW").map_or(HISTORIES, |number| number.parse().unwrap());
    let (mut right, mut refused) = (0, 0);
    for seed in 0..histories {
        let mut random = Random::new(seed);
        let (repo, ids) = whole(&mut random);
        for number in 0..CLONES {
            clone(&mut random, &repo, &ids);
            let path = repo.beside("clone");
            for _ in 0..RANGES {
                let (from, to) = (random.pick(&ids), random.pick(&ids));
                let expected = git_in(repo.path(), &["rev-list", &format!("{from}..{to}")], 0);
                let expected: BTreeSet<String> = expected.lines().map(str::to_owned).collect();
                let outcome = run(&path, &["explain", "--format", "json", "--from", from, "--to", to]);
                if is_refused_for(&outcome, &unknown(&repo, &path, &[from, to])) {
                    refused += 1;
                    continue;
                }
                assert_eq!(listed(outcome), expected, "seed {seed}, clone {number}: {from}..{to}");
                right += 1;
            }
            let to = random.pick(&ids);
            let unknown = unknown(&repo, &path, &[to]);
            let version = format!("1.{}.1", random.below(8));
            let options = ["--to", to, "--host", "h.example", "--project-path", "a/b", "--date", "2024-03-09"];
            for show in [&["show"][..], &["show", &version]] {
                let arguments = [show, &options].concat();
                let (here, there) = (run(&path, &arguments), run(repo.path(), &arguments));
                if is_refused_for(&here, &unknown) {
                    refused += 1;
                    continue;
                }
                let context = format!("seed {seed}, clone {number}: {arguments:?}: {}", here.stderr);
                assert_eq!((&here.stdout, here.code), (&there.stdout, there.code), "{context}");
                right += 1;
            }
        }
    }
    assert!(refused * 20 < right, "{refused} of {right} were refused");
}
