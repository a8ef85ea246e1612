//! The branch of a release on the remote: what is there, what was generated, and what people chose.

use std::{collections::HashSet, path::Path};

use super::{
    super::{
        ReleaseContext, ReleasePlan, ReleaseRequest,
        edits::has_released,
        merged::{CHOSEN_TRAILER, RELEASE_TRAILER},
    },
    text::{RequestPage, RequestedRelease, describe_at},
};
use crate::{
    api::merge_requests::RequestText,
    git::{
        commit_record, merge, merge_base,
        remote::{self, Upstream},
    },
    model::{Oid, Problem, Project, Version, repository::CommitRecord},
    pipeline::{base::tags::Tags, scope::changelog_file},
};

/// The number of commits of people that are looked through for the generated one.
const MAX_COMMITS: usize = 1_000;

/// A package, if there is one, and its version.
pub(crate) type ReleaseName = (Option<String>, Version);

/// The branch of a release on the remote.
#[derive(Clone, Debug)]
pub(crate) struct ReleaseBranch {
    pub upstream: Upstream,
    /// The branch that it is merged into, by its short name on the remote.
    pub target: String,
    /// The commit it points to; `None` if it does not exist.
    pub head: Option<Oid>,
    /// What an earlier run made and was not released yet.
    pub written: Option<Written>,
}

/// What an earlier run made of the branch, and people since.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub head: Oid,
    /// The commit with the generated text, and the one it was made on.
    pub generated: Oid,
    pub parent: Oid,
    /// The newest commit that a run made.
    latest: Oid,
    /// The releases of the generated commit.
    pub releases: Vec<ReleaseName>,
    /// The versions that people chose.
    chosen: Vec<ReleaseName>,
    pub is_edited: bool,
    /// The authors of the edits, as `Name <address>`.
    pub(super) authors: Vec<String>,
}

impl ReleaseBranch {
    /// Reads the branch, which is fetched from the remote; refuses one that no run made.
    pub(crate) fn read(context: &ReleaseContext, request: &ReleaseRequest, name: Option<&str>) -> anyhow::Result<Self> {
        let remote = context.remote(request)?.ok_or_else(|| Problem::new("the remote cannot be asked"))?;
        let target = remote.upstream.short().to_owned();
        let name = name.or(context.scope.config().release.request_branch.as_deref());
        let short = name.map_or_else(|| format!("tidings/release-{target}"), str::to_owned);
        if short == target {
            let problem = Problem::usage(format!("`{short}` is the branch that is released"));
            return Err(problem.hint("choose another one with `--request-branch`").into());
        }
        let upstream = Upstream { remote: remote.upstream.remote.clone(), branch: format!("refs/heads/{short}") };
        let head = remote.reference(&upstream.branch);
        let written = match head {
            None => None,
            Some(head) => {
                remote::fetch_branch(context.scope.repo, &upstream.remote, &upstream.branch)?;
                Written::read(context, head, &short)?
            }
        };
        Ok(Self { upstream, target, head, written })
    }

    /// Returns the version that people chose for a package.
    pub(super) fn chosen(&self, package: Option<&str>) -> Option<Version> {
        let chosen = &self.written.as_ref()?.chosen;
        chosen.iter().find(|(name, _)| name.as_deref() == package).map(|(_, version)| version.clone())
    }
}

impl Written {
    /// Reads what is not released yet; `None` if the branch was merged.
    fn read(context: &ReleaseContext, head: Oid, name: &str) -> anyhow::Result<Option<Self>> {
        let repo = context.scope.repo;
        if merge_base::is_ancestor(repo, head, context.scope.to)? {
            return Ok(None);
        }
        let Commits { own, edits } = Commits::read(context, head)?;
        let Some((generated, record)) = own.last() else {
            return Err(Problem::new(format!("no commit of the branch `{name}` on the remote was made for a release"))
                .hint("choose another branch with `--request-branch`, or delete this one")
                .into());
        };
        let releases = names(record, RELEASE_TRAILER);
        if is_released(context, &releases)? {
            return Ok(None);
        }
        let parent = record.parent_ids.first().map(|parent| parent.parse()).transpose()?;
        let parent: Oid = parent.unwrap_or(*generated);
        let mut chosen = Vec::new();
        for (package, version) in &releases {
            let file = context.file_of(package.as_deref())?;
            let edited = edited_version(context, &file, parent, head, version)?;
            let kept = names(record, CHOSEN_TRAILER).into_iter().find(|(name, _)| name == package);
            let edited = edited.filter(|edited| edited != version).map(|edited| (package.clone(), edited));
            chosen.extend(edited.or(kept));
        }
        let mut seen = HashSet::new();
        let authors = edits.iter().rev().map(|edit| format!("{} <{}>", edit.author_name, edit.author_email));
        Ok(Some(Self {
            head,
            generated: *generated,
            parent,
            latest: own.first().map_or(*generated, |(id, _)| *id),
            is_edited: merge::tree_of(repo, *generated)? != merge::tree_of(repo, head)?,
            authors: authors.filter(|author| seen.insert(author.clone())).collect(),
            releases,
            chosen,
        }))
    }

    /// Whether it was made for the releases of these plans.
    pub(super) fn is_of(&self, plans: &[&ReleasePlan]) -> bool {
        let planned = plans.iter().map(|plan| (plan.package.clone(), plan.version.clone()));
        planned.eq(self.releases.iter().cloned())
    }

    /// Returns the version of a package in the generated commit.
    pub(super) fn version(&self, package: Option<&str>) -> Option<&Version> {
        self.releases.iter().find(|(name, _)| name.as_deref() == package).map(|(_, version)| version)
    }

    /// Returns the text of the request that was made of the last commit of a run.
    pub(super) fn last_text(
        &self,
        context: &ReleaseContext,
        plans: &[&ReleasePlan],
        page: RequestPage,
    ) -> anyhow::Result<RequestText> {
        let mut releases = Vec::new();
        for (package, generated) in &self.releases {
            let chosen = self.chosen.iter().find(|(name, _)| name == package).map(|(_, version)| version);
            let file = context.file_of(package.as_deref())?;
            let version = match chosen {
                Some(version) if has_released(context.scope.repo, self.latest, &file, version)? => version,
                _ => generated,
            };
            releases.push(RequestedRelease { package: package.clone(), version: version.clone(), file });
        }
        describe_at(context, plans, &releases, Some(self.latest), page)
    }
}

/// The commits of the branch that the released one lacks, the newest first.
struct Commits {
    /// Those that a run made.
    own: Vec<(Oid, CommitRecord)>,
    /// Those of people after the generated one.
    edits: Vec<CommitRecord>,
}

impl Commits {
    fn read(context: &ReleaseContext, head: Oid) -> anyhow::Result<Self> {
        let repo = context.scope.repo;
        let mut own: Vec<(Oid, CommitRecord)> = Vec::new();
        let mut edits: Vec<CommitRecord> = Vec::new();
        let (mut at, mut unknown) = (head, Vec::new());
        for _ in 0..MAX_COMMITS {
            let record = commit_record::load(repo, at, &Project::default())?;
            let parent = record.parent_ids.first().and_then(|parent| parent.parse::<Oid>().ok());
            if record.extended_trailers.contains_key(RELEASE_TRAILER) {
                edits.append(&mut unknown);
                own.push((at, record));
            } else {
                unknown.push(record);
            }
            match parent {
                Some(parent) if !merge_base::is_ancestor(repo, parent, context.scope.to)? => at = parent,
                _ => break,
            }
        }
        Ok(Self { own, edits })
    }
}

/// Whether the branch has one of the releases already, or a tag of it.
fn is_released(context: &ReleaseContext, releases: &[ReleaseName]) -> anyhow::Result<bool> {
    for (package, version) in releases {
        let tags = Tags::load(&context.scope_of(package.as_deref())?)?;
        let file = context.file_of(package.as_deref())?;
        if tags.tag_of(version).is_some() || has_released(context.scope.repo, context.scope.to, &file, version)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the version whose section the branch has and the commit it was made on does not.
fn edited_version(
    context: &ReleaseContext,
    file: &Path,
    parent: Oid,
    head: Oid,
    generated: &Version,
) -> anyhow::Result<Option<Version>> {
    let (before, after) = (
        changelog_file::read(context.scope.repo, parent, file)?,
        changelog_file::read(context.scope.repo, head, file)?,
    );
    Ok(new_version(&before.versions(), &after.versions(), generated))
}

/// Returns the version that is new in a file: the only one, else the generated one if it is among several.
fn new_version(before: &[&str], after: &[&str], generated: &Version) -> Option<Version> {
    let new = after.iter().filter(|version| !before.contains(version)).filter_map(|version| version.parse().ok());
    let versions: Vec<Version> = new.collect();
    match versions.as_slice() {
        [only] => Some(only.clone()),
        several => several.iter().find(|version| *version == generated).cloned(),
    }
}

/// Returns the releases in the trailers of a commit.
fn names(record: &CommitRecord, key: &str) -> Vec<ReleaseName> {
    let values = record.extended_trailers.get(key).into_iter().flatten();
    values.filter_map(|value| parse_name(value)).collect()
}

fn parse_name(value: &str) -> Option<ReleaseName> {
    let (package, version) = value.rsplit_once(' ').map_or((None, value), |(name, version)| (Some(name), version));
    Some((package.map(str::to_owned), version.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_new_version_is_chosen_and_of_several_the_generated_one() {
        let generated: Version = "1.1.0".parse().unwrap();
        for (after, expected) in [
            (&["1.1.0", "1.0.0"][..], Some("1.1.0")),
            (&["2.0.0", "1.0.0"], Some("2.0.0")),
            (&["1.2.0", "1.1.0", "1.0.0"], Some("1.1.0")),
            (&["1.3.0", "1.2.0", "1.0.0"], None),
            (&["1.0.0"], None),
        ] {
            let found = new_version(&["1.0.0"], after, &generated).map(|version| version.to_string());
            assert_eq!(found.as_deref(), expected, "{after:?}");
        }
    }
}
