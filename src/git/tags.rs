//! Lists tags without reading their objects, peels one when it is needed, and creates them (git-tag(1)).

use std::{fs, path::Path};

use anyhow::{Context as _, Result};
use gix::{ObjectId, bstr::ByteSlice as _, object::Kind};
use indexmap::IndexMap;

pub(crate) use super::tag_targets::{peel, peel_all};

use super::{
    FetchedCommits, Repo, decode,
    encoding::decode_text,
    git_command::GitCommand,
    object, object_id, oid,
    open::damaged_packed_refs,
    signing,
    tag_targets::{TAGS, TagTargets, loose_names, own_target, target},
    walk,
};
use crate::model::{Oid, Problem, TaggedCommit, Time, compare_versions, none_if_missing};

/// Returns the names of all tags, without `refs/tags/`, sorted bytewise. Those that an incomplete clone lacks are read
/// from its remote.
///
/// # Errors
/// If the references cannot be read.
pub(crate) fn names(repo: &Repo) -> Result<Vec<String>> {
    let mut names = own_names(repo)?;
    if let Some(origin) = repo.origin() {
        names.extend(own_names(origin)?);
        names.sort_unstable();
        names.dedup();
    }
    Ok(names)
}

/// Whether the repository itself has a tag; its remote is not asked.
pub(crate) fn has_any(repo: &Repo) -> Result<bool> {
    let directory = repo.gix().common_dir();
    let file = directory.join("packed-refs");
    let packed = none_if_missing(fs::read(&file)).with_context(|| format!("cannot read `{}`", file.display()))?;
    if packed.is_none_or(|packed| !packed.contains_str(" refs/tags/")) {
        return Ok(!loose_names(directory)?.is_empty());
    }
    Ok(true)
}

/// Returns the names of the repository's own tags. It reads only names: the file of packed references, and the
/// directories of the others.
pub(super) fn own_names(repo: &Repo) -> Result<Vec<String>> {
    let directory = repo.gix().common_dir();
    let mut names = parse_packed_refs(&directory.join("packed-refs"))?;
    names.extend(loose_names(directory)?);
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

/// Parses the tags in `packed-refs`: lines of an ID, a space and a full name, among others. If its header says that it
/// is sorted, it has to be, since names that are out of order would not be found.
fn parse_packed_refs(file: &Path) -> Result<Vec<String>> {
    let packed = none_if_missing(fs::read(file)).with_context(|| format!("cannot read `{}`", file.display()))?;
    let Some(packed) = packed else { return Ok(Vec::new()) };
    let is_sorted =
        packed.lines().next().is_some_and(|header| header.starts_with(b"#") && header.contains_str(" sorted"));
    let mut names = Vec::with_capacity(packed.len() / 128);
    let mut last: &[u8] = b"";
    for line in packed.lines().filter(|line| line.first().is_some_and(u8::is_ascii_hexdigit)) {
        let name = line.find_byte(b' ').map_or(&b""[..], |space| &line[space + 1..]);
        if is_sorted && name <= last {
            return Err(damaged_packed_refs(
                file,
                &format!("`{}` is not in the order of its header", decode_text(name)),
            )
            .into());
        }
        last = name;
        names.extend(name.strip_prefix(TAGS.as_bytes()).map(|name| decode_text(name).into_owned()));
    }
    Ok(names)
}

/// Returns the commit dates of these tags in seconds since 1970; `None` for a tag without a commit. Missing commits
/// are fetched without their ancestors.
pub(crate) fn dates<'a>(repo: &Repo, names: impl IntoIterator<Item = &'a str>) -> Result<Vec<Option<u64>>> {
    let dated = dated_commits(repo, names)?;
    Ok(dated.into_iter().map(|found| found.map(|(_, date)| date)).collect())
}

/// Returns the commits of these tags with their dates, as [`dates`] does.
fn dated_commits<'a>(repo: &Repo, names: impl IntoIterator<Item = &'a str>) -> Result<Vec<Option<(Oid, u64)>>> {
    let peeled = peel_all(repo, &names.into_iter().collect::<Vec<_>>())?;
    let peeled: Vec<Option<ObjectId>> = peeled.into_iter().map(|commit| commit.map(object_id)).collect();
    let fetched = repo.with_missing(peeled.iter().flatten())?;
    let mut others = fetched.as_ref().map(FetchedCommits::header_reader).transpose()?;
    let mut date = |id: &ObjectId| match others.as_mut().filter(|_| !repo.gix().has_object(*id)) {
        Some(others) => Ok((oid(id), others.read(id)?.date)),
        None => Ok((oid(id), walk::date(&repo.own_commits(), *id)?)),
    };
    peeled.iter().map(|id| id.as_ref().map(&mut date).transpose()).collect()
}

/// Groups tags by their commits, the newest commit first; drops tags without a commit.
pub(crate) fn by_commit(repo: &Repo, names: Vec<String>) -> Result<Vec<TaggedCommit>> {
    let dated = dated_commits(repo, names.iter().map(String::as_str))?;
    let pairs = names.into_iter().zip(dated);
    let mut found: Vec<_> =
        pairs.filter_map(|(name, dated)| dated.map(|(commit, date)| (date, commit, name))).collect();
    found.sort_by(|(left_date, _, left), (right_date, _, right)| {
        right_date.cmp(left_date).then_with(|| compare_versions(right, left))
    });
    let mut commits: IndexMap<Oid, TaggedCommit> = IndexMap::new();
    for (date, commit, name) in found {
        commits.entry(commit).or_insert_with(|| TaggedCommit { date, tags: Vec::new() }).tags.push(name);
    }
    Ok(commits.into_values().collect())
}

/// Whether the object that a tag leads to is missing, so that it is not known what the tag is on.
pub(crate) fn is_broken(repo: &Repo, name: &str) -> Result<bool> {
    if repo.server().is_some() || peel(repo, name)?.is_some() {
        return Ok(false);
    }
    own_target(repo, name)?.map_or(Ok(false), |id| Ok(object::try_peel_tags(repo.own_objects(), id)?.is_none()))
}

/// Returns when a tag was made, as [`moments`] does.
pub(crate) fn moment(repo: &Repo, name: &str) -> Result<Option<Time>> {
    Ok(moments(repo, [name])?.pop().flatten())
}

/// Returns when tags were made: the tagger's date, or, if a tag is not annotated or names no tagger, its commit's
/// date; `None` for a tag without a commit. Missing objects are fetched at once, without ancestors.
pub(crate) fn moments<'a>(repo: &Repo, names: impl IntoIterator<Item = &'a str>) -> Result<Vec<Option<Time>>> {
    let names: Vec<&str> = names.into_iter().collect();
    let known = TagTargets::new(repo, names.len())?;
    let targets: Vec<Option<ObjectId>> = names.into_iter().map(|name| known.target(name)).collect::<Result<_>>()?;
    let fetched = repo.with_missing(targets.iter().flatten())?;
    let made = |id: ObjectId| {
        let fetched = fetched.as_deref().filter(|fetched| fetched.gix().has_object(id));
        let holder = fetched.unwrap_or(repo).own_objects();
        let Some(commit) = object::try_peel_tags(holder, id)?.filter(|object| object.kind == Kind::Commit) else {
            return Ok(None);
        };
        let object = object::find(holder, id)?;
        let mut headers = object.data.lines().take_while(|line| !line.is_empty());
        let tagger = headers.find_map(|line| line.strip_prefix(b"tagger "));
        let moment = tagger.and_then(decode::moment);
        Ok(moment.or_else(|| decode::RawCommit::parse(&commit.data).committer_time()))
    };
    targets.into_iter().map(|id| id.map_or(Ok(None), made)).collect()
}

/// A tag that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag {
    /// The object that the reference points at: the tag object of an annotated tag.
    pub object: Oid,
    /// The commit that the tag leads to; `None` if it leads to a tree or a blob.
    pub commit: Option<Oid>,
}

/// Finds a tag by its name, in the repository or on the remote that completes a clone; `None` if it does not exist.
pub(crate) fn find(repo: &Repo, name: &str) -> Result<Option<Tag>> {
    let full = format!("{TAGS}{name}");
    if gix::validate::reference::name(full.as_str().into()).is_err() {
        return Err(Problem::usage(format!("`{name}` is not a valid name for a tag")).into());
    }
    let Some(object) = target(repo, name)? else { return Ok(None) };
    Ok(Some(Tag { object: oid(&object), commit: peel(repo, name)? }))
}

/// An annotated tag to create.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewTag<'a> {
    /// Its name, without `refs/tags/`.
    pub name: &'a str,
    /// The commit that the tag points at.
    pub commit: Oid,
    /// Its message, which is used unchanged.
    pub message: &'a str,
    /// Whether to sign the tag even if `tag.gpgSign` does not ask for it.
    pub sign: bool,
}

/// Creates an annotated tag, signed if requested or configured. Git does it, since it has the user's keys and hooks.
pub(crate) fn create(repo: &Repo, tag: &NewTag) -> Result<()> {
    let kind = if tag.sign { "--sign" } else { "--annotate" };
    let commit = tag.commit.to_string();
    let git = GitCommand::new(repo).args(["tag", kind, "--cleanup=verbatim", "--file=-", "--", tag.name, &commit]);
    let is_signed = tag.sign || signing::is_enabled(repo, signing::TAG)?;
    let failed = || Problem::new(format!("git did not create the tag `{}`", tag.name));
    git.run(tag.message)
        .map(drop)
        .with_context(|| if is_signed { signing::with_hints(failed(), signing::TAG, tag.sign) } else { failed() })
}
