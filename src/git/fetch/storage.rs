//! The directory of everything that was fetched: a temporary one, or one of a cache.

use std::{
    collections::BTreeSet,
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use gix::{ObjectId, hash::Kind};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::{
    extent::HistoryExtent,
    options::{FetchEvent, Options},
    url::RepoUrl,
};
use crate::{
    git::clean_up_on_interrupt,
    interrupt::{Cleanup, TemporaryDirectory},
    model::none_if_missing,
};

/// The characters of a URL that are escaped in the name of a directory.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.').remove(b'-').remove(b'_');
/// A cache with more packs and pack indices than this is slower to open than to fetch again.
const MAX_PACKS: usize = 120;

const HISTORY: &str = "history.git";
const FILES: &str = "files.git";

/// The directory of a remote repository's two local ones, and of the extent of its history.
#[derive(Debug)]
pub(super) enum Storage {
    Transient(TemporaryDirectory),
    /// A directory of the cache, locked as long as the file is open, so that other runs wait.
    Cached {
        path: PathBuf,
        _lock: File,
        _temporary: Cleanup,
    },
}

impl Storage {
    /// Opens the directory for a URL, in the cache if there is one; creates it if it is missing.
    pub(super) fn open(url: &RepoUrl, options: &Options) -> Result<Self> {
        match &options.cache {
            None => Ok(Self::Transient(TemporaryDirectory::new().context("cannot create a temporary directory")?)),
            Some(cache) => {
                Self::open_cache(cache.join(utf8_percent_encode(&url.to_string(), ESCAPED).to_string()), options)
            }
        }
    }

    fn open_cache(path: PathBuf, options: &Options) -> Result<Self> {
        let context = || format!("cannot use the cache at `{}`", path.display());
        fs::create_dir_all(&path).with_context(context)?;
        let lock = File::create(path.join("lock")).with_context(context)?;
        if matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) {
            options.report(FetchEvent::Waiting(&path));
            lock.lock().with_context(context)?;
        }
        let storage = Self::Cached { path, _lock: lock, _temporary: clean_up_on_interrupt()? };
        if storage.packs() > MAX_PACKS {
            storage.clear()?;
        }
        Ok(storage)
    }

    /// Returns the object format of the cached repositories; SHA-1 if there are none yet.
    pub(super) fn object_hash(&self) -> Result<Kind> {
        let config = self.path().join(FILES).join("config");
        if !config.exists() {
            return Ok(Kind::Sha1);
        }
        let text = fs::read_to_string(&config).with_context(|| format!("cannot read `{}`", config.display()))?;
        Ok(if text.contains("sha256") { Kind::Sha256 } else { Kind::Sha1 })
    }

    /// Returns the bare repository of commits; creates it if it is missing or has another object format.
    pub(super) fn history(&self, hash: Kind) -> Result<PathBuf> {
        init(self.path().join(HISTORY), hash)
    }

    pub(super) fn files(&self, hash: Kind) -> Result<PathBuf> {
        init(self.path().join(FILES), hash)
    }

    pub(super) fn extent(&self) -> PathBuf {
        self.path().join("extent")
    }

    pub(super) fn is_kept(&self) -> bool {
        matches!(self, Self::Cached { .. })
    }

    fn path(&self) -> &Path {
        match self {
            Self::Transient(directory) => directory.path(),
            Self::Cached { path, .. } => path,
        }
    }

    fn packs(&self) -> usize {
        let count = |name| fs::read_dir(pack_directory(&self.path().join(name))).map_or(0, Iterator::count);
        count(HISTORY) + count(FILES)
    }

    /// Loads the extent of the history that lies in the cache. What is damaged, or is not known to be whole, is removed,
    /// so that it is fetched again.
    pub(super) fn load_extent(&self) -> Result<Option<HistoryExtent>> {
        let (history, files, hash) = (self.path().join(HISTORY), self.path().join(FILES), self.object_hash()?);
        if !has_sound_packs(&files, None, hash) {
            remove(&files)?;
        }
        let extent = HistoryExtent::load(&self.extent())?;
        let Some(extent) = extent.filter(|extent| has_sound_packs(&history, Some(&extent.packs), hash)) else {
            remove(&history)?;
            return Ok(None);
        };
        for name in pack_names(&history).iter().filter(|name| !extent.packs.contains(name)) {
            // Without its index nobody reads a pack.
            let index = pack_directory(&history).join(format!("{name}.idx"));
            none_if_missing(fs::remove_file(&index)).with_context(|| format!("cannot clear `{}`", index.display()))?;
        }
        let shallow: Vec<String> = extent.shallow.iter().map(ToString::to_string).collect();
        fs::write(history.join("shallow"), shallow.join("\n")).context("cannot write the list of shallow commits")?;
        Ok(Some(extent))
    }

    fn clear(&self) -> Result<()> {
        remove(&self.path().join(HISTORY))?;
        remove(&self.path().join(FILES))?;
        none_if_missing(fs::remove_file(self.extent())).context("cannot clear the cache").map(drop)
    }
}

fn remove(repository: &Path) -> Result<()> {
    let removed = none_if_missing(fs::remove_dir_all(repository));
    removed.with_context(|| format!("cannot clear `{}`", repository.display())).map(drop)
}

/// Returns the names of the packs of a repository, without their extensions.
pub(super) fn pack_names(repository: &Path) -> Vec<String> {
    let entries = fs::read_dir(pack_directory(repository)).into_iter().flatten().flatten();
    entries.filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".idx")?.to_owned())).collect()
}

/// Whether the packs of a repository have their checksums: all those of these names, or all that are there.
fn has_sound_packs(repository: &Path, names: Option<&[String]>, hash: Kind) -> bool {
    let found = pack_names(repository);
    names.unwrap_or(&found).iter().all(|name| is_sound(repository, name, hash).unwrap_or(false))
}

/// Whether a pack and its index end with their checksums; a pack has its own in its name.
fn is_sound(repository: &Path, name: &str, hash: Kind) -> io::Result<bool> {
    let directory = pack_directory(repository);
    let pack = checksum(&directory.join(format!("{name}.pack")), hash)?;
    let index = checksum(&directory.join(format!("{name}.idx")), hash)?;
    Ok(index.is_some() && pack.is_some_and(|checksum| name.ends_with(&checksum.to_string())))
}

/// Returns the checksum at the end of a file; `None` if it is not that of what is before it.
fn checksum(file: &Path, hash: Kind) -> io::Result<Option<ObjectId>> {
    let content = fs::read(file)?;
    let Some(end) = content.len().checked_sub(hash.len_in_bytes()) else { return Ok(None) };
    let (content, stored) = content.split_at(end);
    let mut hasher = gix::hash::hasher(hash);
    hasher.update(content);
    let computed = hasher.try_finalize().map_err(io::Error::other)?;
    Ok((computed.as_bytes() == stored).then_some(computed))
}

pub(super) fn pack_directory(repository: &Path) -> PathBuf {
    repository.join("objects").join("pack")
}

/// Creates an empty bare repository (gitrepository-layout(5)), unless it exists.
pub(super) fn init(path: PathBuf, hash: Kind) -> Result<PathBuf> {
    let config = match hash {
        Kind::Sha256 => "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectFormat = sha256\n",
        _ => "[core]\n\trepositoryformatversion = 0\n\tbare = true\n",
    };
    let file = path.join("config");
    if fs::read_to_string(&file).is_ok_and(|known| known.starts_with(config)) {
        return Ok(path);
    }
    let context = || format!("cannot create a repository at `{}`", path.display());
    fs::create_dir_all(pack_directory(&path)).with_context(context)?;
    fs::create_dir_all(path.join("refs")).with_context(context)?;
    fs::write(path.join("HEAD"), "ref: refs/heads/main\n").with_context(context)?;
    fs::write(file, config).with_context(context)?;
    Ok(path)
}

/// Adds commits to the shallow boundary: the server's repository may be a shallow clone itself
/// (gitrepository-layout(5), `shallow`).
pub(super) fn extend_shallow_boundary(history: &gix::Repository, commits: Vec<ObjectId>) -> Result<()> {
    let known = history.shallow_commits().context("cannot read the list of shallow commits")?;
    let all: BTreeSet<_> = known.iter().flat_map(|known| known.iter().copied()).chain(commits).collect();
    if all.is_empty() {
        return Ok(());
    }
    let lines = all.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    fs::write(history.shallow_file()?, lines).context("cannot write the list of shallow commits")
}
