//! Kills at random moments: the repository is sound, nothing of others is touched, and the next run ends as any other.

use std::{
    fs, iter,
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::{FILE, repo};
use crate::support::{Outcome, Random, TestRepo, git_in, tidings};

/// How often each of the tests kills.
const KILLS: usize = 51;
const ADD: &[&str] = &["add", "1.1.0"];
const RELEASE: &[&str] = &["release", "1.1.0", "-x", "--no-host-release"];
/// A release that deletes the change files that it lists.
const CHANGES: &[&str] = &["release", "1.1.0", "--execute", "--no-host-release"];
const PACKAGES: &[&str] = &["release", "--all-packages", "-x", "--no-host-release"];

#[test]
fn add_survives_kills() {
    survive(ADD, false, 1);
}

#[test]
fn add_with_hooks_survives_kills() {
    survive(ADD, true, 2);
}

#[test]
fn release_survives_kills() {
    survive(RELEASE, false, 3);
}

#[test]
fn release_with_hooks_survives_kills() {
    survive(RELEASE, true, 4);
}

#[test]
fn a_release_of_packages_survives_kills() {
    survive(PACKAGES, false, 5);
}

#[test]
fn a_release_that_deletes_change_files_survives_kills() {
    survive(CHANGES, false, 6);
}

#[test]
fn a_release_with_hooks_that_deletes_change_files_survives_kills() {
    survive(CHANGES, true, 7);
}

/// What is killed at random moments, and what comes of it without a kill.
struct Story {
    template: TestRepo,
    arguments: &'static [&'static str],
    tip: String,
    /// The changelog files, and the tags of a release.
    files: &'static [&'static str],
    tags: &'static [&'static str],
    /// The content of the changelog files before, and as each day's run makes it.
    contents: [Vec<Option<String>>; 3],
    /// How long a run takes.
    span: Duration,
}

fn survive(arguments: &'static [&'static str], hooks: bool, seed: u64) {
    let story = Story::new(arguments, hooks);
    let mut random = Random::new(seed);
    let mut kills = 0;
    for number in 0..10 * KILLS {
        let directory = tempfile::tempdir().unwrap();
        let was_killed = story.kill_once(directory.path(), &mut random);
        kills += usize::from(was_killed.unwrap_or_else(|why| panic!("round {number} of seed {seed}: {why}")));
        if kills == KILLS {
            return;
        }
    }
    panic!("only {kills} runs were there to be killed");
}

impl Story {
    fn new(arguments: &'static [&'static str], hooks: bool) -> Self {
        let template = repo();
        let (files, tags): (&[_], &[_]) = match arguments {
            PACKAGES => (&["api/CHANGELOG.md", "web/CHANGELOG.md"], &["api/v0.1.0", "web/v0.1.0"]),
            RELEASE => (&[FILE], &["v1.1.0"]),
            CHANGES => (&[FILE, ".changeset/a.md", ".changeset/b.md"], &["v1.1.0"]),
            _ => (&[FILE], &[]),
        };
        if arguments == PACKAGES {
            template.file(".gitlab/changelog_config.yml", "packages: {api: , web: }\n");
            template.file("api/a", "1").file("web/a", "1").change("Begin", "added");
        }
        if arguments == CHANGES {
            template.file(".gitlab/changelog_config.yml", "source: files\n").file(".changeset/config.json", "{}\n");
            for name in ["a", "b"] {
                template.file(&format!(".changeset/{name}.md"), format!("---\npilot: minor\n---\n\nAdd {name}\n"));
            }
            template.commit("Write the changes down");
        }
        template.git(&["init", "-q", "--bare", "../origin.git"]);
        template.git(&["remote", "add", "origin", "../origin.git"]);
        template.git(&["push", "-q", "origin", "main", "v1.0.0"]);
        template.file("staged.txt", "staged\n").write("other.txt", "edited\n").write("untracked.txt", "new\n");
        if hooks {
            template.hook("pre-commit", "exit 0");
            template.hook("post-commit", "exit 0");
        }
        let tip = template.git(&["rev-parse", "HEAD"]);
        let (contents, span) = (Default::default(), Duration::ZERO);
        let mut story = Self { template, arguments, tip, files, tags, contents, span };
        for day in [1, 2] {
            let directory = tempfile::tempdir().unwrap();
            let repo = story.copy(directory.path());
            let start = Instant::now();
            story.run(&repo, day).success();
            story.span = start.elapsed();
            story.contents[day] = story.contents_of(&repo);
        }
        story.contents[0] = story.contents_of(story.template.path());
        story
    }

    fn contents_of(&self, repo: &Path) -> Vec<Option<String>> {
        self.files.iter().map(|file| fs::read_to_string(repo.join(file)).ok()).collect()
    }

    /// A copy of the repository and its remote.
    fn copy(&self, directory: &Path) -> PathBuf {
        let from = self.template.path().parent().unwrap();
        let copied = Command::new("cp").arg("-a").arg(from).arg(directory.join("copy")).status().unwrap();
        assert!(copied.success());
        directory.join("copy/repo")
    }

    fn command(&self, repo: &Path, day: usize) -> Command {
        let mut command = tidings(repo);
        command.args(self.arguments).args(["--date", &format!("2024-01-0{day}")]);
        command
    }

    fn run(&self, repo: &Path, day: usize) -> Outcome {
        self.command(repo, day).output().unwrap().into()
    }

    /// Kills a run, and looks at what it left and what the next one makes of it. Returns whether it was there to be killed.
    fn kill_once(&self, directory: &Path, random: &mut Random) -> Result<bool, String> {
        let repo = self.copy(directory);
        let killed = self.kill_at_random(&repo, random);
        if !killed.contains("(signal: 9") {
            return Ok(false);
        }
        let origin = repo.with_file_name("origin.git");
        for store in [&repo, &origin] {
            locks(store).for_each(|lock| fs::remove_file(lock).unwrap());
        }
        git(&repo, &["fsck", "--strict", "--no-dangling"]);
        for (index, found) in self.contents_of(&repo).into_iter().enumerate() {
            let is_known = self.contents.iter().any(|contents| contents[index] == found);
            check(is_known, || format!("{killed}: the file is neither old nor new: {found:?}"))?;
        }
        self.check_others(&repo, &killed, true)?;
        let day = if git(&repo, &["rev-parse", "HEAD"]) == self.tip { 2 } else { 1 };
        let again = self.run(&repo, 2);
        check(again.code == 0, || format!("{killed}: the next run fails: {again:?}"))?;
        self.check_others(&repo, &killed, false)?;
        let is_new = self.contents_of(&repo) == self.contents[day];
        let ids = git(&repo, &["rev-parse", "HEAD^", "HEAD"]);
        let (parent, head) = ids.split_once('\n').unwrap();
        check(is_new && parent == self.tip, || format!("{killed}: not as without a kill"))?;
        for tag in self.tags {
            git(&origin, &["fsck", "--strict", "--no-dangling"]);
            let tag = format!("{tag}^{{commit}}");
            let ids = git(&repo, &["rev-parse", &tag]) + "\n" + &git(&origin, &["rev-parse", "main", &tag]);
            check(ids.lines().all(|id| id == head), || format!("{killed}: {ids} and not all {head}"))?;
        }
        Ok(true)
    }

    /// What else is staged, edited or untracked is as it was; the changelog files may be changed too, or not.
    fn check_others(&self, repo: &Path, killed: &str, may_have_more: bool) -> Result<(), String> {
        let contents =
            ["staged.txt", "other.txt", "untracked.txt"].map(|file| fs::read_to_string(repo.join(file)).ok());
        let is_same = contents == ["staged\n", "edited\n", "new\n"].map(|text| Some(text.to_owned()));
        let status = git(repo, &["status", "--porcelain"]);
        let is_other = |line: &&str| !may_have_more || !self.files.iter().any(|file| line.ends_with(file));
        let is_same =
            is_same && status.lines().filter(is_other).eq([" M other.txt", "A  staged.txt", "?? untracked.txt"]);
        check(is_same, || format!("{killed}: {status:?} {contents:?}"))
    }

    /// Kills a run, and returns where it was.
    fn kill_at_random(&self, repo: &Path, random: &mut Random) -> String {
        let mut command = self.command(repo, 1);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).process_group(0).spawn().unwrap();
        // The moments that matter are few: count from the first signs of them. Git may be left to go on.
        let tag = self.tags.first().map_or("refs/tags/v1.1.0".to_owned(), |tag| format!("refs/tags/{tag}"));
        let signs = [None, Some("tidings"), Some("tidings/journal"), Some("index.lock"), Some(tag.as_str())];
        let sign = random.pick(&signs).map(|sign| repo.join(".git").join(sign));
        let spans = if sign.is_none() { [self.span; 3] } else { [200, 1000, 4000].map(Duration::from_micros) };
        let span = usize::try_from(random.pick(&spans).as_micros()).unwrap();
        let after = Duration::from_micros(random.below(span) as u64);
        let with_git = !random.once_in(3);
        let group = child.id();
        while sign.as_ref().is_some_and(|sign| !sign.exists()) && child.try_wait().unwrap().is_none() {}
        let start = Instant::now();
        while start.elapsed() < after {
            thread::yield_now();
        }
        // Until it is waited for, the program keeps its number.
        let kill = if with_git { kill_process_group } else { kill_process };
        let _ = kill(Pid::from_child(&child), Signal::KILL);
        let status = child.wait().unwrap();
        while is_alive(group) {
            thread::sleep(Duration::from_millis(2));
        }
        format!("kill (git too: {with_git}) after {after:?} from {sign:?} ({status})")
    }
}

fn check(holds: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why()) }
}

fn git(repo: &Path, arguments: &[&str]) -> String {
    git_in(repo, arguments, TestRepo::EPOCH)
}

/// The locks that a killed git leaves.
fn locks(store: &Path) -> impl Iterator<Item = PathBuf> {
    let mut directories = vec![store.to_owned()];
    let files = iter::from_fn(move || {
        let entries: Vec<_> = fs::read_dir(directories.pop()?).unwrap().map(|entry| entry.unwrap().path()).collect();
        directories.extend(entries.iter().filter(|path| path.is_dir() && !path.ends_with("objects")).cloned());
        Some(entries)
    });
    files.flatten().filter(|path| path.extension().is_some_and(|extension| extension == "lock"))
}

/// Whether a process of the group runs.
fn is_alive(group: u32) -> bool {
    let stats =
        fs::read_dir("/proc").unwrap().filter_map(|entry| fs::read_to_string(entry.ok()?.path().join("stat")).ok());
    stats.filter_map(|stat| stat.rsplit_once(") ").map(|(_, rest)| rest.to_owned())).any(|rest| {
        let mut words = rest.split(' ');
        words.next() != Some("Z") && words.nth(1) == Some(&group.to_string())
    })
}
