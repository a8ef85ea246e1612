//! The commits of a section that a release of another line has already, such as one that was cherry-picked into it.

use super::history::History;
use crate::{
    git::cherry_picks::{self, CopyIndex},
    model::{Oid, Version, compare_versions, pluralize},
    pipeline::{
        base::{
            base_tag::{BaseTag, peel_tags},
            tags::Tags,
        },
        range::range_start::{RangeStart, find_base},
        scope::Scope,
    },
    sources::{classified_commit::Classification, classifier::Retention},
    versions::tag_pattern::BaseCandidate,
};

impl History<'_> {
    /// Says how many commits are left out because the base tag, on another line, has them already.
    pub(super) fn released_remark(&self) -> Option<String> {
        let base = self.start.base().filter(|_| self.released > 0)?;
        let (listed, verb) =
            (self.range.indices(Classification::is_listed).len(), if self.released == 1 { "is" } else { "are" });
        Some(format!(
            "{} of {} {verb} in `{}` already and left out; `--no-skip-released` lists them",
            self.released,
            pluralize(listed + self.released, "change"),
            base.tag,
        ))
    }

    /// Skips commits that a release of another line already has, unless the configuration or GitLab's rule lists them.
    ///
    /// Without a word on it that holds for the releases before a base tag. If the base tag is in the history of the
    /// range, so is all that it has, and nothing has to be compared.
    pub(super) fn without_released(self) -> anyhow::Result<Self> {
        let has_other_base = self.start.base().is_some() && !self.has_start;
        let is_asked = self.config().skip.released.unwrap_or(has_other_base);
        if !is_asked || !self.skips_released() {
            return Ok(self);
        }
        self.compared_with_releases()
    }

    /// Marks each listed commit that a release of another line already has with that release.
    pub(crate) fn with_releases(self) -> anyhow::Result<Self> {
        // Without a clear family of tags it is not known which releases are of another line.
        if self.released > 0 || Tags::for_range(&self.scope).is_err() {
            return Ok(self);
        }
        self.compared_with_releases()
    }

    /// Whether what a release of another line already has is skipped. Where the start of the range was given, its
    /// readers come from there, so only a configuration or an option skips it.
    fn skips_released(&self) -> bool {
        let config = self.config();
        config.skips_released() && (config.skip.released.is_some() || self.start.base().is_some())
    }

    fn compared_with_releases(mut self) -> anyhow::Result<Self> {
        let listed = self.range.indices(Classification::is_listed);
        if listed.is_empty() {
            return Ok(self);
        }
        let base = match &self.start {
            RangeStart::Base(base) => Some(base.clone()),
            _ => find_base(&self.scope, &Tags::for_range(&self.scope)?)?,
        };
        let releases = match &base {
            // A section does not say in which release a skipped commit was.
            Some(base) if self.range.classifier.keep == Retention::Listed => {
                let own = BaseCandidate { version: base.version.clone(), tag: base.tag.clone() };
                vec![(own, base.commit)]
            }
            _ => earlier_releases(&self.scope, base.as_ref())?,
        };
        if releases.is_empty() {
            return Ok(self);
        }
        let range = self.scope.range(self.start.commit());
        let ids: Vec<Oid> = listed.iter().map(|index| self.range.commits[*index].id).collect();
        let tips: Vec<Oid> = releases.iter().map(|(_, commit)| *commit).collect();
        let found = cherry_picks::copied_in(self.scope.repo, range, &ids, &tips, base.map(|base| base.commit))?;
        let version = |release: usize| &releases[release].0.version;
        let is_skipped = self.skips_released();
        for (index, copy) in listed.into_iter().zip(found) {
            let classified = &mut self.range.commits[index];
            match copy {
                Some(CopyIndex::BeforeBase(release)) => {
                    classified.set_released(format!("already released in {}", version(release)), is_skipped);
                    self.released += usize::from(is_skipped);
                }
                // A user who upgrades from the base tag does not have the change yet.
                Some(CopyIndex::Elsewhere(release)) => {
                    classified.set_released(format!("also in {}", version(release)), false);
                }
                None => {}
            }
        }
        Ok(self)
    }
}

/// Returns the stable releases that came before a section, the lowest version first.
fn earlier_releases(scope: &Scope, base: Option<&BaseTag>) -> anyhow::Result<Vec<(BaseCandidate, Oid)>> {
    let tags = Tags::for_range(scope)?;
    let below = scope.request.version.as_ref().map(Version::stable);
    peel_tags(
        scope.repo,
        tags.stable().into_iter().rev().filter(|candidate| match (&below, base) {
            (Some(below), _) => compare_versions(&candidate.version, below).is_lt(),
            (None, Some(base)) => compare_versions(&candidate.version, &base.version).is_le(),
            (None, None) => false,
        }),
    )
}
