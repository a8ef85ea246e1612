//! One tag: what it stands for, and making an annotated one (git-tag(1)).

use anyhow::{Context as _, Result};

use super::{Repo, git_command::GitCommand, oid, signing, tags};
use crate::model::{Oid, Problem};

/// A tag that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    /// What the reference points at: the tag object of an annotated tag.
    pub object: Oid,
    /// The commit it leads to; `None` where it marks a tree or a blob.
    pub commit: Option<Oid>,
}

/// The tag of a name; `None` where there is none.
///
/// # Errors
/// Where the name cannot be one, or the tag's object is missing.
pub fn find(repo: &Repo, name: &str) -> Result<Option<Tag>> {
    let full = format!("refs/tags/{name}");
    let invalid = || Problem::usage(format!("`{name}` is no name of a tag"));
    let Some(mut found) = repo.gix().try_find_reference(&full).with_context(invalid)? else { return Ok(None) };
    let object = found.follow_to_object().with_context(|| format!("cannot follow the tag `{name}`"))?;
    Ok(Some(Tag { object: oid(&object), commit: tags::peel(repo, name)? }))
}

/// An annotated tag to be made.
#[derive(Clone, Copy, Debug)]
pub struct NewTag<'a> {
    /// Its name, behind `refs/tags/`.
    pub name: &'a str,
    /// The commit it marks.
    pub commit: Oid,
    /// Its message, taken as it is.
    pub message: &'a str,
    /// Sign it even if `tag.gpgSign` does not ask for it.
    pub sign: bool,
}

/// Makes an annotated tag, signed where that is wanted or set. Git does it, as it has the user's keys and hooks.
///
/// # Errors
/// Where the tag is there, nobody is known to be the tagger, or the signature fails.
pub fn create(repo: &Repo, tag: &NewTag) -> Result<()> {
    let kind = if tag.sign { "--sign" } else { "--annotate" };
    let commit = tag.commit.to_string();
    let git = GitCommand::of(repo).args(["tag", kind, "--cleanup=verbatim", "--file=-", "--", tag.name, &commit]);
    let is_signed = tag.sign || signing::is_enabled(repo, signing::TAG)?;
    let failed = || Problem::new(format!("git did not make the tag `{}`", tag.name));
    git.run(tag.message)
        .map(drop)
        .with_context(|| if is_signed { signing::with_hints(failed(), signing::TAG, tag.sign) } else { failed() })
}
