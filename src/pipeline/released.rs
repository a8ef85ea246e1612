//! What a release of another line has already: commits that were cherry-picked into it, or from it.

use super::{BaseTag, ChangelogRequest, History, RangeStart, range_start::find_base, tags::Tags};
use crate::{
    changelog::{classified_commit::Classification, tag_pattern::BaseCandidate},
    git::{
        self, Repo,
        cherry_picks::{self, CopyPlace},
    },
    model::{Oid, Range, Version, compare_versions},
};

impl History {
    /// The same history without what a release of another line has already, if the configuration skips that.
    pub(super) fn without_released(self, repo: &Repo, request: &ChangelogRequest) -> anyhow::Result<Self> {
        if !self.settings.config.skip.released {
            return Ok(self);
        }
        let tags = Tags::for_range(repo, &self.settings, request.version.as_ref(), self.to)?;
        self.compared_with(repo, request, &tags)
    }

    /// The same history, and of each listed commit which release of another line has it already.
    pub(crate) fn with_releases(self, repo: &Repo, request: &ChangelogRequest) -> anyhow::Result<Self> {
        // Without a clear family of tags no release is known to be another line's.
        match Tags::for_range(repo, &self.settings, request.version.as_ref(), self.to) {
            Ok(tags) if !self.settings.config.skip.released => self.compared_with(repo, request, &tags),
            _ => Ok(self),
        }
    }

    fn compared_with(mut self, repo: &Repo, request: &ChangelogRequest, tags: &Tags) -> anyhow::Result<Self> {
        let listed = self.range.places(Classification::is_listed);
        if listed.is_empty() {
            return Ok(self);
        }
        let base = match &self.start {
            RangeStart::Base(base) => Some(base.clone()),
            _ => find_base(repo, tags, request.version.as_ref(), self.to)?,
        };
        let releases = earlier_releases(repo, request, tags, base.as_ref())?;
        if releases.is_empty() {
            return Ok(self);
        }
        let range = Range { from: self.start.commit(), to: self.to };
        let ids: Vec<Oid> = listed.iter().map(|place| self.range.commits[*place].id).collect();
        let tips: Vec<Oid> = releases.iter().map(|(_, commit)| *commit).collect();
        let found = cherry_picks::copied_in(repo, range, &ids, (&tips, base.map(|base| base.commit)))?;
        let version = |release: usize| &releases[release].0.version;
        for (place, copy) in listed.into_iter().zip(found) {
            let judged = &mut self.range.commits[place];
            match copy {
                Some(CopyPlace::BeforeBase(release)) => {
                    judged.set_released(
                        format!("out already in {}", version(release)),
                        self.settings.config.skip.released,
                    );
                }
                // Who comes from the base does not have it yet.
                Some(CopyPlace::Elsewhere(release)) => {
                    judged.set_released(format!("also in {}", version(release)), false);
                }
                None => {}
            }
        }
        Ok(self)
    }
}

/// The stable releases that came before a section, the lowest version first.
fn earlier_releases(
    repo: &Repo,
    request: &ChangelogRequest,
    tags: &Tags,
    base: Option<&BaseTag>,
) -> anyhow::Result<Vec<(BaseCandidate, Oid)>> {
    let below = request.version.as_ref().map(Version::stable);
    let is_earlier = |version: &str| match (&below, base) {
        (Some(below), _) => compare_versions(version, below).is_lt(),
        (None, Some(base)) => compare_versions(version, &base.version).is_le(),
        (None, None) => false,
    };
    let mut releases = Vec::new();
    for candidate in tags.stable().into_iter().rev().filter(|candidate| is_earlier(&candidate.version)) {
        let commit = git::tags::peel(repo, &candidate.tag)?;
        releases.extend(commit.map(|commit| (candidate, commit)));
    }
    Ok(releases)
}
