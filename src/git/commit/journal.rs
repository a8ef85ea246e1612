//! A journal of what a commit is about to do to the work tree. If the commit is stopped (git fails, a kill, a full
//! disk), this run or the next one compares the journal with the branch, and undoes or completes the commit.

use std::{
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};
use gix::{ObjectId, bstr::ByteSlice as _};

use super::{
    file_path::FilePath,
    index::{self, IndexLock},
    object,
    record::Record,
    target_branch,
    work_tree::{self, PendingFile},
};
use crate::{
    git::Repo,
    interrupt,
    model::{Problem, hints, none_if_missing},
};

/// The directory of the lock, the journal and the files that it names, in the repository's own directory.
const DIRECTORY: &str = "tidings";
const JOURNAL: &str = "journal";
const LOCK: &str = "lock";
/// How long to wait for another run that commits in the same work tree, hooks included.
const TIMEOUT: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(5);

/// The lock of a work tree, which one run holds at a time. The system releases it if the run is killed.
#[derive(Debug)]
pub(super) struct CommitLock {
    directory: PathBuf,
    _file: File,
}

impl CommitLock {
    /// Waits for the lock, then undoes or completes the commit of a run that was killed.
    pub(super) fn take(repo: &Repo) -> Result<Self> {
        // Whoever owns the repository has written the journal, too.
        repo.check_owner()?;
        let directory = repo.git_dir().join(DIRECTORY);
        let failed = || format!("cannot write to `{}`", directory.display());
        if !directory.is_dir() {
            fs::create_dir_all(&directory).with_context(failed)?;
            // In a shared repository the other users of the group write here too.
            fs::set_permissions(&directory, fs::metadata(repo.git_dir())?.permissions()).with_context(failed)?;
        }
        let lock = directory.join(LOCK);
        let file = File::options().append(true).create(true).open(&lock).or_else(|_| File::open(&lock));
        let file = file.with_context(failed)?;
        wait_for(&file)?;
        settle(repo, &directory)?.index.map_or(Ok(()), Err)?;
        let taken = Self { directory, _file: file };
        taken.clear();
        Ok(taken)
    }

    /// Removes everything but the lock from the directory; a file that cannot be removed will be overwritten.
    fn clear(&self) {
        for left in fs::read_dir(&self.directory).into_iter().flatten().flatten() {
            if left.file_name() != LOCK {
                let _ = fs::remove_file(left.path());
            }
        }
    }

    /// Writes the journal of these changes, keeps the old files, and prepares the new ones.
    pub(super) fn begin<'a>(
        &'a self,
        repo: &'a Repo,
        tip: ObjectId,
        message: &str,
        files: Vec<PendingFile>,
    ) -> Result<Journal<'a>> {
        let failed = || format!("cannot write to `{}`", self.directory.display());
        let mut text = format!("{tip} {}\n", message.lines().next().unwrap_or_default()).into_bytes();
        for (number, file) in files.iter().enumerate() {
            file.prepare(repo, &self.directory, number).with_context(failed)?;
            text.extend(Record::line(repo, file)?);
        }
        let unfinished = self.directory.join("journal.new");
        fs::write(&unfinished, text).with_context(failed)?;
        fs::rename(unfinished, self.directory.join(JOURNAL)).with_context(failed)?;
        Ok(Journal { lock: self, repo, files, is_open: true })
    }

    /// Replaces one file, without a journal.
    pub(super) fn replace(&self, repo: &Repo, file: &PendingFile) -> Result<()> {
        file.prepare(repo, &self.directory, 0)
            .with_context(|| format!("cannot write to `{}`", self.directory.display()))?;
        let done = file.persist(repo, &self.directory, 0);
        self.clear();
        done
    }
}

/// Undoes or completes the commit of a run that was killed, as [`super::commit`] does before it begins.
pub(crate) fn settle_leftover(repo: &Repo) -> Result<()> {
    if repo.work_tree().is_some() && repo.git_dir().join(DIRECTORY).join(JOURNAL).exists() {
        CommitLock::take(repo)?;
    }
    Ok(())
}

/// Returns the files of a commit that was stopped in the middle and is not settled yet: they may be changed and staged.
pub(crate) fn leftover_files(repo: &Repo) -> Vec<String> {
    let directory = repo.git_dir().join(DIRECTORY);
    let journal = directory.join(JOURNAL);
    if !journal.exists() {
        return Vec::new();
    }
    // A run that holds the lock is still at work.
    let lock = File::open(directory.join(LOCK));
    let is_at_work = lock.as_ref().is_ok_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock)));
    let text = if is_at_work { Vec::new() } else { fs::read(journal).unwrap_or_default() };
    let records = parse(repo, &text).map(|(_, _, records)| records).unwrap_or_default();
    records.iter().map(|record| record.file.to_string()).collect()
}

fn wait_for(file: &File) -> Result<()> {
    let start = Instant::now();
    // On a file system without such locks, those of git have to suffice.
    while let Err(TryLockError::WouldBlock) = file.try_lock() {
        if interrupt::is_interrupted() {
            return Err(Problem::new("interrupted; nothing was changed").into());
        }
        if start.elapsed() > TIMEOUT {
            return Err(Problem::new("another run of this program is committing in this work tree")
                .hint("wait for it to end, then try again")
                .into());
        }
        thread::sleep(POLL);
    }
    Ok(())
}

/// The journal of a commit that has begun; dropping it settles the commit.
#[derive(Debug)]
pub(super) struct Journal<'a> {
    lock: &'a CommitLock,
    repo: &'a Repo,
    files: Vec<PendingFile>,
    is_open: bool,
}

impl Journal<'_> {
    /// Moves the new files over the old ones.
    pub(super) fn persist(&self) -> Result<()> {
        let mut files = self.files.iter().enumerate();
        files.try_for_each(|(number, file)| file.persist(self.repo, &self.lock.directory, number))
    }

    /// Undoes the commit's changes to files and index, or completes them if the branch has the commit.
    pub(super) fn settle(mut self) -> Result<JournalOutcome> {
        self.is_open = false;
        let settled = settle(self.repo, &self.lock.directory)?;
        // The next run needs the journal if the index is still to be written.
        if settled.index.is_none() {
            self.lock.clear();
        }
        Ok(settled)
    }

    /// Ends a commit after which files, index and branch agree.
    pub(super) fn close(mut self) {
        self.is_open = false;
        // The journal goes first: it must not name files that are gone.
        if fs::remove_file(self.lock.directory.join(JOURNAL)).is_ok() {
            self.lock.clear();
        }
    }

    /// Settles a commit that failed. Returns the commit if it was made nevertheless, otherwise the error and what
    /// happened to the files; `unchanged` adds context to the error if the files are as before.
    pub(super) fn fail(
        self,
        error: anyhow::Error,
        unchanged: impl FnOnce(anyhow::Error) -> anyhow::Error,
    ) -> Result<(ObjectId, String)> {
        match self.settle() {
            Ok(JournalOutcome { made: Some(made), index, .. }) => {
                let said = format!("the commit is made, but what came after it failed: {}", error.root_cause());
                Ok((made, index.iter().fold(said, |said, error| said + "\n" + &stale_index(error))))
            }
            Ok(JournalOutcome { changed, .. }) if changed.is_empty() => Err(unchanged(error)),
            Ok(JournalOutcome { changed, .. }) => Err(error.context(left_alone(&changed))),
            Err(why) => {
                let problem = Problem::new(format!("some files may have been changed: {why:#}"));
                let problem = hints(&why).into_iter().fold(problem, Problem::hint);
                Err(error.context(problem.hint("fix the cause and run the same command again: it cleans up")))
            }
        }
    }
}

#[derive(Debug)]
pub(super) struct JournalOutcome {
    /// The commit, if the branch has it.
    pub(super) made: Option<ObjectId>,
    /// Why the index does not have the commit yet; the next run writes it.
    pub(super) index: Option<anyhow::Error>,
    /// The files that somebody else has changed since; they are left as they are.
    changed: Vec<FilePath>,
}

/// Says that the index would take a commit back, and what to do.
pub(super) fn stale_index(error: &anyhow::Error) -> String {
    let hints = hints(error).join("; ");
    format!(
        "the index does not have the commit yet, so the next `git commit` could take it back: {error:#}; {hints}; then \
         run the same command again, which writes the index"
    )
}

impl Drop for Journal<'_> {
    fn drop(&mut self) {
        if self.is_open {
            // If this fails, the next run settles the commit.
            let _ = settle(self.repo, &self.lock.directory);
        }
    }
}

fn left_alone(changed: &[FilePath]) -> Problem {
    let names = changed.iter().map(ToString::to_string).collect::<Vec<_>>();
    let (shown, typed) = (names.join("`, `"), names.join(" "));
    Problem::new(format!("no commit was made; `{shown}` was changed at the same time and is kept as it is")).hint(
        format!("run `git diff {typed}` to see the changes, or `git restore {typed}` to restore the committed content"),
    )
}

/// Undoes the changes to files and index if the branch does not have the commit; completes the index if it does.
fn settle(repo: &Repo, directory: &Path) -> Result<JournalOutcome> {
    let journal = directory.join(JOURNAL);
    let found = none_if_missing(fs::read(&journal)).with_context(|| format!("cannot read `{}`", journal.display()))?;
    let mut settled = JournalOutcome { made: None, index: None, changed: Vec::new() };
    let Some((tip, subject, records)) = found.as_deref().and_then(|text| parse(repo, text)) else { return Ok(settled) };
    let head = target_branch::head(repo)?;
    if let Some(child) = target_branch::child_of(repo, tip, head)? {
        settled.made = is_ours(repo, child, subject, &records)?.then_some(child);
    }
    if settled.made.is_none() {
        for (number, record) in records.iter().enumerate() {
            let old = directory.join(work_tree::old_name(number));
            if record.undo(repo, &old).with_context(|| format!("cannot restore `{}`", record.file))? {
                settled.changed.push(record.file.clone());
            }
        }
    }
    let at = if settled.made.is_some() { head } else { tip };
    if let Err(error) = reset_index(repo, at, &records) {
        if settled.made.is_none() {
            return Err(error);
        }
        settled.index = Some(error);
        return Ok(settled);
    }
    fs::remove_file(&journal).with_context(|| format!("cannot remove `{}`", journal.display()))?;
    Ok(settled)
}

/// Whether a commit is the journal's: each file has changed, as planned or, with the journal's subject, by hooks.
fn is_ours(repo: &Repo, commit: ObjectId, subject: &[u8], records: &[Record]) -> Result<bool> {
    let has_subject = repo.own_objects().gix().find_commit(commit)?.message_raw()?.lines().next() == Some(subject);
    for record in records {
        let id = object::find(repo, commit, &record.file)?.map(|found| found.id);
        if id == record.base || !(has_subject || record.blob == id) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Resets the index entries that the commit wrote, or was to replace, to their versions in `commit`.
fn reset_index(repo: &Repo, commit: ObjectId, records: &[Record]) -> Result<()> {
    let index = index::load(repo)?;
    let mut stale = Vec::new();
    for record in records {
        let now = object::find(repo, commit, &record.file)?;
        if index::is_stale(&index, &record.file, [record.base, record.blob], now.as_ref(), record.is_deletion()) {
            stale.push((&record.file, now));
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    let mut lock = IndexLock::take(repo)?;
    lock.distrust_racy_entries(repo)?;
    lock.reset_entries(repo, &stale)?;
    lock.commit()
}

/// Parses a journal: the branch's commit before, the subject, and the files; `None` if it is malformed.
fn parse<'a>(repo: &Repo, text: &'a [u8]) -> Option<(ObjectId, &'a [u8], Vec<Record>)> {
    let (head, lines) = text.split_once_str("\n")?;
    let (tip, subject) = head.split_once_str(" ")?;
    let lines = lines.strip_suffix(b"\0")?.split(|byte| *byte == 0);
    let records = lines.map(|line| Record::parse(repo, line)).collect::<Option<_>>()?;
    Some((ObjectId::from_hex(tip).ok()?, subject, records))
}
