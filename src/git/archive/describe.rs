//! Names of a commit: the refs that point at it, and the nearest tag (git-describe(1)).

use std::borrow::Cow;

use anyhow::{Context as _, Result};
use gix::{
    ObjectId, Reference,
    bstr::{BStr, BString, ByteSlice as _},
    glob::{wildmatch, wildmatch::Mode},
    hashtable::HashMap,
    revision::plumbing::describe,
};

use crate::git::{Repo, object};

/// Returns the refs that point at a commit, as `%D` lists them: `HEAD -> main, tag: v1.0.0`.
pub(super) fn decoration(repo: &Repo, commit: ObjectId) -> Result<String> {
    let head = repo.gix().head_name().context("cannot read HEAD")?;
    let mut names = Vec::new();
    for reference in references(repo, "refs/")? {
        if head.as_ref().is_some_and(|head| head.as_ref() == reference.name()) || !points_at(&reference, commit) {
            continue;
        }
        let name = reference.name();
        let tag = if name.as_bstr().starts_with(b"refs/tags/") { "tag: " } else { "" };
        names.push(format!("{tag}{}", name.shorten()));
    }
    if repo.gix().head_id().is_ok_and(|id| id == commit) {
        names.push(head.map_or_else(|| "HEAD".to_owned(), |head| format!("HEAD -> {}", head.shorten())));
    }
    names.reverse();
    Ok(names.join(", "))
}

#[derive(Debug, Default)]
pub(super) struct Describe<'a> {
    /// Whether lightweight tags count too.
    tags: bool,
    /// Patterns of which a tag has to match one, if there are any.
    matching: Vec<&'a BStr>,
    /// Patterns of which a tag must match none.
    excluded: Vec<&'a BStr>,
    /// How many digits of the object ID are shown.
    digits: Option<usize>,
}

impl<'a> Describe<'a> {
    /// Parses options such as `tags=true,match=v*`; `None` if git would not understand them.
    pub(super) fn parse(options: &'a [u8]) -> Option<Self> {
        let mut describe = Self::default();
        for option in options.split(|byte| *byte == b',').filter(|option| !option.is_empty()) {
            let (name, value) = match option.split_once_str("=") {
                Some((name, value)) => (name, Some(value)),
                None => (option, None),
            };
            match (name, value) {
                (b"tags", value) => describe.tags = !matches!(value, Some(b"false" | b"no" | b"off" | b"0")),
                (b"match", Some(pattern)) => describe.matching.push(pattern.into()),
                (b"exclude", Some(pattern)) => describe.excluded.push(pattern.into()),
                (b"abbrev", Some(digits)) => describe.digits = Some(digits.to_str().ok()?.parse().ok()?),
                _ => return None,
            }
        }
        Some(describe)
    }

    fn is_wanted(&self, tag: &BStr) -> bool {
        let fits = |pattern: &&BStr| wildmatch(pattern, tag, Mode::empty());
        (self.matching.is_empty() || self.matching.iter().any(fits)) && !self.excluded.iter().any(fits)
    }

    /// Returns the nearest tag, the distance from it and the object ID; an empty string if no tag is reached.
    pub(super) fn describe(&self, repo: &Repo, commit: ObjectId) -> Result<String> {
        let repository = repo.gix();
        let cache = repository.commit_graph_if_enabled().context("cannot read the commit-graph")?;
        let options = describe::Options { name_by_oid: self.names(repo)?, ..describe::Options::default() };
        let mut graph = repository.revision_graph(cache.as_ref());
        let found = gix::revision::plumbing::describe(&commit, &mut graph, options).context("cannot describe")?;
        let Some(found) = found else { return Ok(String::new()) };
        match (self.digits, &found.name) {
            (Some(0), Some(name)) => Ok(name.to_string()),
            (digits, _) => {
                let digits = digits.unwrap_or_else(|| object::short(repo, commit).len());
                Ok(found.into_format(digits.clamp(4, commit.kind().len_in_hex())).to_string())
            }
        }
    }

    /// Chooses the tag by which each tagged commit is named: of several, the newest annotated one.
    fn names(&self, repo: &Repo) -> Result<HashMap<ObjectId, Cow<'static, BStr>>> {
        let mut best: HashMap<ObjectId, (Option<i64>, BString)> = HashMap::default();
        for mut reference in references(repo, "refs/tags/")? {
            let name = reference.name().shorten().to_owned();
            let date = date_of_annotated(&reference);
            if !self.is_wanted(name.as_ref()) || (date.is_none() && !self.tags) {
                continue;
            }
            let Ok(id) = reference.peel_to_id() else { continue };
            let is_better = best.get(&id.detach()).is_none_or(|(known, _)| date > *known);
            if is_better {
                best.insert(id.detach(), (date, name));
            }
        }
        Ok(best.into_iter().map(|(id, (_, name))| (id, Cow::Owned(name))).collect())
    }
}

/// Returns when an annotated tag was made (0 if a partial clone lacks its object); `None` for a lightweight tag.
fn date_of_annotated(reference: &Reference<'_>) -> Option<i64> {
    let id = reference.try_id()?;
    let Ok(object) = id.object() else {
        return reference.inner.peeled.filter(|peeled| *peeled != id).map(|_| 0);
    };
    let tag = object.try_into_tag().ok()?;
    let tagger = tag.tagger().ok().flatten();
    Some(tagger.and_then(|tagger| tagger.time().ok()).map_or(0, |time| time.seconds))
}

fn points_at(reference: &Reference<'_>, commit: ObjectId) -> bool {
    reference.clone().peel_to_id().is_ok_and(|id| id == commit)
}

/// Lists the refs below a directory, by name.
fn references<'repo>(repo: &'repo Repo, directory: &str) -> Result<Vec<Reference<'repo>>> {
    let listed = repo.gix().references().context("cannot list the refs")?;
    let listed = listed.prefixed(directory).context("cannot list the refs")?;
    Ok(listed.filter_map(std::result::Result::ok).collect())
}
