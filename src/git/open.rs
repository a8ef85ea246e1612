//! Finds and opens repositories, and checks their owner and format (gitrepository-layout(5)).
//!
//! A repository of another user, which git refuses unless `safe.directory` names it (git-config(1)), is read without
//! its settings that could do harm. Commits to it are refused, since its hooks would not run.

use std::{
    env, fs,
    io::{Read as _, Seek as _, SeekFrom},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context as _, Result};
use gix::{
    ThreadSafeRepository,
    config::source::Kind,
    discover::upwards,
    odb::{self, store::init::Slots},
    open::Options,
    sec::{Trust, trust::Mapping},
};

use super::{Repo, encoding::quote};
use crate::{
    interrupt::TemporaryDirectory,
    model::{Problem, Warning, none_if_missing},
};

/// Settings that ignore replaced objects, so that a history means the same on every machine.
const SETTINGS: [&str; 1] = ["core.useReplaceRefs=false"];

/// The variables for the directory of new objects, and for further ones (git(1), "The Git Repository").
const OBJECTS: &str = "GIT_OBJECT_DIRECTORY";
const ALTERNATES: &str = "GIT_ALTERNATE_OBJECT_DIRECTORIES";

/// The supported extensions, in lower case; the value of `refStorage` is checked when a repository is opened.
const EXTENSIONS: [&str; 8] = [
    "noop",
    "noop-v1",
    "objectformat",
    "partialclone",
    "preciousobjects",
    "refstorage",
    "relativeworktrees",
    "worktreeconfig",
];

/// The bytes of objects, such as tags and their targets, that are cached after they were looked up one by one.
const OBJECT_CACHE: usize = 256 << 10;

/// How many packs a repository may get while it is open, if each fetch adds one.
const FETCHED_PACKS: usize = 4096;

impl Repo {
    /// Opens the repository that `GIT_DIR` names, or the one that contains `directory`, with the objects that the
    /// environment names.
    ///
    /// # Errors
    /// If there is no repository, or it cannot be read.
    pub(crate) fn discover(directory: &Path) -> Result<Self> {
        let open = |options| {
            let upwards = upwards::Options { match_ceiling_dir_or_error: false, ..Default::default() };
            ThreadSafeRepository::discover_with_environment_overrides_opts(directory, upwards, options)
        };
        let found = Self::open_with(directory, open);
        if let (Err(_), Some(named)) = (&found, env::var_os("GIT_DIR")) {
            return Err(invalid_git_dir(Path::new(&named)).into());
        }
        let mut repo = found?;
        repo.enter_quarantine()?;
        Ok(repo)
    }

    /// Opens the repository at `path`: a work tree, a `.git` directory or a bare repository.
    ///
    /// # Errors
    /// If there is no repository, or it cannot be read.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        Self::open_with(path, |options| options.full.open(path))
    }

    /// Opens the repository at `path` with its own git settings alone. Those of the user, of the machine and of the
    /// environment do not count, for the git program neither: tests are the same for everybody.
    #[cfg(any(test, fuzzing))]
    pub(crate) fn open_isolated(path: &Path) -> Result<Self> {
        let permissions = gix::open::Permissions::isolated();
        let open = |options: Mapping<Options>| options.full.permissions(permissions).open(path);
        let mut repo = Self::open_with(path, open)?;
        repo.is_isolated = true;
        Ok(repo)
    }

    /// Opens the repository at `path`, into which objects are fetched while it is read.
    pub(super) fn open_fetched(path: &Path) -> Result<Self> {
        let slots = Slots::AsNeededByDiskState { multiplier: 1.1, minimum: FETCHED_PACKS };
        Self::open_with(path, |options| options.full.object_store_slots(slots).open(path))
    }

    fn open_with(path: &Path, open: impl Fn(Mapping<Options>) -> gix::Result<ThreadSafeRepository>) -> Result<Self> {
        let open = |options| match open(options) {
            Ok(found) => Ok(gix::Repository::from(found)),
            Err(error) => Err(open_error(error.into(), path)),
        };
        let mut inner = open(options(|options| options))?;
        let is_foreign = is_foreign(&inner);
        if !is_foreign && inner.git_dir_trust() != Trust::Full {
            inner = open(options(|options| options.filter_config_section(|_| true)))?;
        }
        inner.clear_namespace();
        inner.object_cache_size_if_unset(OBJECT_CACHE);
        check_readable(&inner)?;
        inner.shallow_commits().context("cannot read the list of shallow commits")?;
        Ok(Self::new(inner, is_foreign))
    }

    /// Opens the repository at `path`, which holds the commits of a range and is removed with `directory`.
    pub(super) fn excerpt(path: &Path, directory: TemporaryDirectory) -> Result<Self> {
        let mut repo = Self::open_fetched(path)?;
        repo.excerpt = Some(directory);
        Ok(repo)
    }

    /// Opens the same repository so that it reads the objects of another one besides its own, and writes none.
    pub(super) fn with_objects_of(&self, other: &Self) -> Result<Self> {
        let mut both = Self::open(self.git_dir())?;
        let directories = [self, other].map(|repo| repo.inner.common_dir().join("objects"));
        both.read_objects_in(directories.into_iter())?;
        Ok(both)
    }

    /// Makes the repository read the objects that the environment names, if any: those of a push are in quarantine
    /// while hooks run on the server (git-receive-pack(1), "Quarantine environment").
    fn enter_quarantine(&mut self) -> Result<()> {
        let set = |variable| env::var_os(variable).filter(|value| !value.is_empty());
        let own = self.inner.common_dir().join("objects");
        let objects = set(OBJECTS).filter(|directory| !is_same(Path::new(directory), &own));
        let alternates = set(ALTERNATES);
        if objects.is_none() && alternates.is_none() {
            return Ok(());
        }
        let first = objects.map_or(own, PathBuf::from);
        let others = alternates.iter().flat_map(env::split_paths);
        let opened = self.read_objects_in(std::iter::once(first).chain(others));
        opened.with_context(|| format!("cannot read the objects that `{OBJECTS}` and `{ALTERNATES}` name"))
    }

    /// Makes the repository read the objects in these directories. They are in the alternates file of an empty store,
    /// since gix reads alternates from nothing else.
    fn read_objects_in(&mut self, directories: impl Iterator<Item = PathBuf>) -> Result<()> {
        let lines = directories.map(|directory| alternates_line(&directory)).collect::<Result<Vec<_>>>()?;
        let directory = TemporaryDirectory::new()?;
        fs::create_dir(directory.path().join("info"))?;
        fs::write(directory.path().join("info/alternates"), lines.concat())?;
        let (at, none) = (directory.path().to_owned(), &mut std::iter::empty());
        let store = odb::Store::at_opts(at, self.inner.object_hash(), none, odb::store::init::Options::default())?;
        let mut shared = ThreadSafeRepository::from(self.inner.clone());
        shared.objects = Arc::new(store);
        self.inner = shared.into();
        self.quarantine = Some(directory);
        Ok(())
    }
}

/// The properties of a repository, and whether it can be used.
impl Repo {
    /// Returns the name of the object format: `sha1` or `sha256`.
    #[must_use]
    pub(crate) fn object_format(&self) -> &'static str {
        object_format(self.inner.object_hash())
    }

    /// Warns if settings of the repository are not used because it belongs to another user.
    pub(crate) fn ownership_warning(&self) -> Option<Warning> {
        let has_ignored =
            self.is_foreign
                && self.inner.config_snapshot().plumbing().sections().any(|section| {
                    section.meta().source.kind() == Kind::Repository && section.header().name() != "core"
                });
        has_ignored.then(|| {
            let top = safe_directory(&self.inner);
            let message = format!("{}, so its git settings, such as remotes, are not used", foreign_owner(&top));
            Warning::new(message).hint(safe_directory_hint(&top))
        })
    }

    /// Refuses a repository of another user, because its hooks and settings would be ignored.
    pub(super) fn check_owner(&self) -> Result<()> {
        if !self.is_foreign {
            return Ok(());
        }
        let top = safe_directory(&self.inner);
        Err(Problem::new(foreign_owner(&top)).hint(safe_directory_hint(&top)).into())
    }

    /// Refuses a repository in which new objects would not be kept, or whose format is unknown.
    pub(super) fn check_writable(&self) -> Result<()> {
        if self.quarantine.is_some() {
            let problem = format!("`{OBJECTS}` keeps new objects out of the repository, so nothing can be committed");
            return Err(Problem::new(problem)
                .hint("on a server, commit in a `post-receive` hook, after the push is accepted")
                .into());
        }
        check_known_format(&self.inner)
    }
}

/// Returns the options for opening repositories of this user, and of others: for those, gix ignores settings that
/// could run a program.
fn options(change: impl Fn(Options) -> Options) -> Mapping<Options> {
    let Mapping { full, reduced } = Mapping::<Options>::default();
    let [full, reduced] = [full, reduced].map(|options| change(options.config_overrides(SETTINGS)));
    Mapping { full, reduced }
}

fn invalid_git_dir(path: &Path) -> Problem {
    Problem::new(format!("`GIT_DIR` names `{}`, which is not a readable repository", path.display()))
        .hint("unset it, or name a repository with `--repo`")
}

fn open_error(error: anyhow::Error, path: &Path) -> anyhow::Error {
    match nearest_repository(path) {
        None => Problem::new(format!("no git repository at `{}` or above it", path.display()))
            .hint(if is_address(path) {
                format!("begin a URL with its scheme, such as `https://{}`", path.display())
            } else {
                "run the command inside a repository, or choose one with `--repo`".to_owned()
            })
            .into(),
        Some(at) => error.context(format!("cannot open the repository at `{}`", at.display())),
    }
}

/// Whether a path that leads nowhere looks like a URL without its scheme, such as `github.com/group/app`.
fn is_address(path: &Path) -> bool {
    let mut parts = path.components().map(|part| part.as_os_str().to_string_lossy());
    let is_host = parts.next().is_some_and(|host| host.trim_matches('.').contains('.'));
    is_host && parts.next().is_some() && path.is_relative() && !path.exists()
}

/// Finds the directory of what looks like a repository, at `path` or above.
fn nearest_repository(path: &Path) -> Option<PathBuf> {
    let path = path.canonicalize().ok()?;
    path.ancestors()
        .find(|at| at.join(".git").exists() || (at.join("HEAD").exists() && at.join("objects").exists()))
        .map(Path::to_owned)
}

fn is_same(left: &Path, right: &Path) -> bool {
    left.canonicalize().is_ok_and(|left| right.canonicalize().is_ok_and(|right| left == right))
}

/// Formats a line of `info/alternates` (gitrepository-layout(5)).
fn alternates_line(directory: &Path) -> Result<String> {
    let absolute = std::path::absolute(directory)?;
    Ok(quote(&gix::path::into_bstr(absolute)?) + "\n")
}

/// Whether a repository belongs to another user and is not trusted. gix reads `safe.directory` only from files, git
/// also from the environment; and git trusts the repository that `GIT_DIR` names.
fn is_foreign(repo: &gix::Repository) -> bool {
    repo.git_dir_trust() != Trust::Full
        && env::var_os("GIT_DIR").is_none()
        && !is_safe_by_environment(&safe_directory(repo))
}

fn is_safe_by_environment(top: &Path) -> bool {
    let count = env::var("GIT_CONFIG_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(0);
    let set = (0..count).map_while(|number: usize| {
        Some((env::var(format!("GIT_CONFIG_KEY_{number}")).ok()?, env::var(format!("GIT_CONFIG_VALUE_{number}")).ok()?))
    });
    let directories = set.filter(|(key, _)| key.eq_ignore_ascii_case("safe.directory"));
    directories.fold(false, |is_safe, (_, directory)| match directory.as_str() {
        "" => false,
        "*" => true,
        _ => {
            let real = |directory: &str| fs::canonicalize(directory);
            is_safe
                || real(&directory).is_ok_and(|directory| directory == top)
                || directory
                    .strip_suffix("/*")
                    .and_then(|above| real(above).ok())
                    .is_some_and(|above| top.starts_with(above))
        }
    })
}

/// Returns the directory that `safe.directory` has to name.
fn safe_directory(repo: &gix::Repository) -> PathBuf {
    let top = repo.workdir().unwrap_or(repo.git_dir());
    top.canonicalize().unwrap_or_else(|_| top.to_owned())
}

fn foreign_owner(top: &Path) -> String {
    format!("the repository at `{}` belongs to another user", top.display())
}

fn safe_directory_hint(top: &Path) -> String {
    format!("if you trust it, run `git config --global --add safe.directory {}`", top.display())
}

/// Refuses a repository that would be read wrongly: gix does not know reftables, and reads a truncated `packed-refs`
/// as if it were complete.
fn check_readable(repo: &gix::Repository) -> Result<()> {
    let storage = repo.config_snapshot().plumbing().string("extensions.refStorage");
    if storage.is_some_and(|kind| kind != "files") {
        let shown = repo.git_dir().display();
        let problem = format!("the repository at `{shown}` keeps its references in a reftable, which is not supported");
        return Err(Problem::new(problem)
            .hint("run `git refs migrate --ref-format=files` to convert them to files")
            .into());
    }
    check_packed_refs(repo.common_dir())
}

/// Refuses an unknown format as git does, since the format may affect commits ("repository format version").
fn check_known_format(repo: &gix::Repository) -> Result<()> {
    let config = repo.config_snapshot();
    let version = config.integer("core.repositoryFormatVersion").unwrap_or_default();
    let refuse = |what: String| {
        Err(Problem::new(format!("the repository {what}, so nothing can be committed to it"))
            .hint("use a version of git that supports it")
            .into())
    };
    if version > 1 {
        return refuse(format!("has format version {version}, which is not known"));
    }
    let sections = config.plumbing().sections_by_name("extensions").into_iter().flatten();
    let names =
        sections.flat_map(|section| section.value_names().map(|name| name.to_ascii_lowercase()).collect::<Vec<_>>());
    match names.filter(|_| version == 1).find(|name| !EXTENSIONS.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => refuse(format!("uses the extension `{name}`, which is not known")),
    }
}

/// Returns the last byte of a file; of an empty one, that of an empty line.
fn last_byte(file: &Path) -> std::io::Result<[u8; 1]> {
    let mut file = fs::File::open(file)?;
    let mut last = [b'\n'];
    if file.metadata()?.len() > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    Ok(last)
}

/// Refuses a `packed-refs` that ends inside a line, as git does: it is truncated.
fn check_packed_refs(common_dir: &Path) -> Result<()> {
    let file = common_dir.join("packed-refs");
    match none_if_missing(last_byte(&file)).with_context(|| format!("cannot read `{}`", file.display()))? {
        Some([b'\n']) | None => Ok(()),
        Some(_) => Err(damaged_packed_refs(&file, "its last line has no end").into()),
    }
}

/// Returns the error for a `packed-refs` that git cannot have written.
pub(super) fn damaged_packed_refs(file: &Path, why: &str) -> Problem {
    Problem::new(format!("`{}` is damaged: {why}", file.display()))
        .hint("run `git fsck`; `git fetch --tags` restores lost tags")
}

/// Returns the names of the object formats that the program was built for.
pub(crate) fn object_formats() -> impl Iterator<Item = &'static str> {
    gix::hash::Kind::all().iter().map(|kind| object_format(*kind))
}

fn object_format(kind: gix::hash::Kind) -> &'static str {
    match kind {
        gix::hash::Kind::Sha256 => "sha256",
        _ => "sha1",
    }
}
