//! The start of a range: a given revision, the base tag, or the beginning of history.

use std::collections::HashSet;

use crate::{
    git::{self, Repo},
    model::{Oid, Problem, Version, without_build},
    pipeline::{
        base::{
            base_tag::{BaseTag, explain_broken},
            last_release::last_release,
            tags::Tags,
            unread_tags::package_hint,
        },
        scope::Scope,
    },
};

/// The hint if a range has no base tag to start after.
const OTHER_STARTS: &str = "take the whole history with `--first-release`, or start after a commit with `--from`";

/// The excluded end of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RangeStart {
    /// A given revision.
    Revision {
        /// As it was typed.
        revision: String,
        /// The commit it names.
        commit: Oid,
    },
    /// The tag of the release before.
    Base(BaseTag),
    /// The beginning of history; nothing is excluded.
    Root,
}

impl RangeStart {
    /// Finds the start of the range of a scope, among the tags of a repository.
    pub(crate) fn resolve(scope: &Scope, tags: &Tags) -> anyhow::Result<Self> {
        match &scope.request.range.from {
            _ if scope.request.range.first_release => Ok(Self::Root),
            Some(revision) => {
                let commit = git::revision::resolve(scope.repo, revision)?;
                Ok(Self::Revision { revision: revision.clone(), commit })
            }
            None => match find_base(scope, tags)? {
                Some(base) => Ok(Self::Base(base)),
                // Before the first stable tag there is no release yet, and everything is unreleased.
                None if tags.has_no_release(scope.config())? && !scope.repo.is_incomplete() => Ok(Self::Root),
                None => Err(no_base(scope, tags, OTHER_STARTS).into()),
            },
        }
    }

    /// Returns the base tag, if the range starts after one.
    pub(crate) fn base(&self) -> Option<&BaseTag> {
        if let Self::Base(base) = self { Some(base) } else { None }
    }

    /// Returns the excluded commit.
    pub(crate) fn commit(&self) -> Option<Oid> {
        match self {
            Self::Revision { commit, .. } => Some(*commit),
            Self::Base(base) => Some(base.commit),
            Self::Root => None,
        }
    }
}

/// Finds the base tag of a section: that of a version, or of the unreleased changes.
pub(crate) fn base(scope: &Scope) -> anyhow::Result<BaseTag> {
    let tags = Tags::for_range(scope)?;
    tags.has_no_release(scope.config())?;
    let last_hint = "for a first release, run `tidings show --first-release`";
    let mut found = find_base(scope, &tags)?.ok_or_else(|| no_base(scope, &tags, last_hint))?;
    if scope.request.version.is_none() {
        let unread = tags.warn_unread(scope, &found.tag)?;
        found.passed_over = found.passed_over.or(unread.map(|warning| warning.message));
    }
    Ok(found)
}

/// Finds the base tag, if there is one: for a version as GitLab does, else by the lines of history of the tags.
pub(crate) fn find_base(scope: &Scope, tags: &Tags) -> anyhow::Result<Option<BaseTag>> {
    match &scope.request.version {
        Some(version) => base_below(scope.repo, tags, version, scope.to),
        None => last_release(scope.repo, tags, scope.to),
    }
}

/// Lets the range of a scope follow the last release of its line though the request says that nothing was released: a
/// job that always says so goes on after its first release. Returns a sentence about it; `None` if there is no release.
pub(crate) fn follow_last_release(scope: &mut Scope, tags: &Tags) -> anyhow::Result<Option<String>> {
    if !scope.request.range.first_release {
        return Ok(None);
    }
    let Some(last) = last_release(scope.repo, tags, scope.to)? else { return Ok(None) };
    scope.request.range.first_release = false;
    Ok(Some(format!("`--first-release` is not needed: `{}` is the last release", last.tag)))
}

/// Finds the highest stable version below the requested one, wherever its tag is.
///
/// Tags that are builds of the requested version itself (`1.2.0+ee.0` for `1.2.0`) count only if the section's end
/// descends from them; others were made after it.
pub(crate) fn base_below(repo: &Repo, tags: &Tags, version: &Version, to: Oid) -> anyhow::Result<Option<BaseTag>> {
    let ceiling = tags.ceiling(version);
    let (mut passed_over, mut broken) = (HashSet::new(), None);
    loop {
        let names = tags.names.iter().map(String::as_str).filter(|tag| !passed_over.contains(*tag));
        let Some(found) = tags.pattern.base(names, Some(&ceiling)) else { return Ok(None) };
        match git::tags::peel(repo, &found.tag)? {
            Some(commit)
                if !is_build_of(&found.version, version)
                    || (commit != to && git::merge_base::is_ancestor(repo, commit, to)?) =>
            {
                let reason = format!("the highest {} below {ceiling} of {}", tags.release_word(), tags.count());
                return Ok(Some(BaseTag { passed_over: broken, ..BaseTag::new(found, commit, reason) }));
            }
            Some(_) => {}
            None => broken = broken.or(explain_broken(repo, &found.tag)?),
        }
        passed_over.insert(found.tag);
    }
}

fn is_build_of(found: &str, version: &Version) -> bool {
    without_build(found) == without_build(&version.stable())
}

/// Makes the failure of a missing base tag, with the hints about tags and then `last_hint`.
fn no_base(scope: &Scope, Tags { names, pattern, .. }: &Tags, last_hint: &str) -> Problem {
    let (config, version) = (scope.config(), &scope.request.version);
    let problem = Problem::new("no release tag found to start after");
    if scope.repo.is_incomplete() {
        return problem.hint(format!("this clone is shallow and may lack tags: {}", scope.repo.unshallow_hint()));
    }
    let no_version = names.iter().rev().find(|tag| pattern.stable_version(tag).is_none());
    let problem = match (no_version, version) {
        (Some(tag), _) if names.iter().all(|tag| pattern.stable_version(tag).is_none()) => {
            problem.hint(package_hint(tag, config).unwrap_or_else(|| {
                format!("no tag is a stable version; if `{tag}` is one, set `tag_regex` in the configuration")
            }))
        }
        (_, Some(version)) if !names.is_empty() => problem.hint(format!("no stable tag is below {}", version.stable())),
        _ => match &config.tag_prefix {
            Some(prefix) if names.is_empty() => problem.hint(format!("no tag begins with `{prefix}`")),
            _ => problem,
        },
    };
    problem.hint(last_hint)
}
