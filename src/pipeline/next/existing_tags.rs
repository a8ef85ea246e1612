//! Whether the next version is one that may follow, beside the tags that exist.

use std::borrow::Cow;

use super::version_counter::VersionCounter;
use crate::{
    git::{
        self,
        lineage::{self, Lineage},
    },
    model::{Oid, Problem, Version, compare_versions, without_build},
    pipeline::base::base_tag::{BaseTag, peel_tags},
    versions::{bump, tag_families, tag_names},
};

impl VersionCounter<'_> {
    /// Refuses a version that is tagged already, or below another tag, unless a branch or a pre-release is named after it.
    pub(super) fn check_tags(&self, version: &Version, last: Option<&Version>, is_named: bool) -> anyhow::Result<()> {
        if let Some(last) = last.filter(|_| !is_named) {
            self.check_above(version, last)?;
        }
        self.check_free(version, last)
    }

    fn check_free(&self, version: &Version, last: Option<&Version>) -> anyhow::Result<()> {
        let Some(taken) = self.tags.tag_of(version) else { return Ok(()) };
        let of_manifest = last.filter(|last| self.follows_manifest && self.base.is_none_or(|base| !is_of(base, last)));
        let Some(last) = of_manifest else {
            let base = self.base_name();
            let message = format!("the version after `{base}` is {version}, but the tag `{taken}` exists already");
            return Err(Problem::new(message).hint("choose another version, or another part with `--level`").into());
        };
        let message = format!(
            "the version after {last}, which the manifest has, is {version}, but the tag `{taken}` exists already"
        );
        Err(Problem::new(message)
            .hint(format!("if {version} was released, write it into the manifest; if not, delete the tag"))
            .into())
    }

    /// Refuses a version that begins a series below another one: 2.27.0 after 2.26.0 if another line is at 2.30.1 already,
    /// or if the history has `prerelease-3.1.10`. A maintenance branch has patches, and the line of development goes on
    /// above all others.
    fn check_above(&self, version: &Version, last: &Version) -> anyhow::Result<()> {
        let above = match self.higher_series(version, last)? {
            Some(tag) => format!("`{tag}`, which is on another line of history"),
            None => match self.pre_release_above(version)? {
                Some(tag) => format!("`{tag}`, which is in this history"),
                None => return Ok(()),
            },
        };
        let message = format!("the version after `{}` is {version}, which is below {above}", self.base_name());
        Err(Problem::new(message)
            .hint("name the version yourself, as in `tidings release VERSION`, or choose another part with `--level`")
            .into())
    }

    fn base_name(&self) -> &str {
        self.base.map_or("the beginning", |base| base.tag.as_str())
    }

    /// Returns the highest tag of a series above that of a version, if the version is the first of its own one. The tag is
    /// on another line that left this history: what is in it came before the numbers went back.
    fn higher_series(&self, version: &Version, last: &Version) -> anyhow::Result<Option<String>> {
        let (new, old) = (numbers(&version.stable()), numbers(&last.stable()));
        let Some(raised) = (0..new.len()).find(|index| new.get(*index) != old.get(*index)) else { return Ok(None) };
        // The last number counts the releases of a series. A date is of another count.
        if raised > 1 || raised + 1 >= new.len().max(old.len()) {
            return Ok(None);
        }
        let is_higher = |other: &str| {
            let is_date = bump::begins_with_year(other) && !bump::begins_with_year(&version.stable());
            let other = numbers(other);
            !is_date && other.get(..raised) == new.get(..raised) && other.get(raised) > new.get(raised)
        };
        let higher = self.tags.stable().into_iter().filter(|tag| is_higher(&tag.version));
        let higher = peel_tags(self.scope.repo, higher)?;
        if higher.is_empty() {
            return Ok(None);
        }
        let commits: Vec<Oid> = higher.iter().map(|(_, commit)| *commit).collect();
        let lineages = lineage::lineage(self.scope.repo, self.scope.to, &commits)?;
        let is_beside = |lineage: &Lineage| matches!(lineage, Lineage::Parted { at } if !at.is_empty());
        Ok(higher.into_iter().zip(lineages).find(|(_, lineage)| is_beside(lineage)).map(|((tag, _), _)| tag.tag))
    }

    /// Returns the highest tag above a version that is called a pre-release by the word before its number, if it is in the
    /// history of the range.
    fn pre_release_above(&self, version: &Version) -> anyhow::Result<Option<String>> {
        if self.scope.package_name().is_some() || self.scope.config().tag_regex.is_some() {
            return Ok(None);
        }
        let version = version.stable();
        let mut above: Vec<(String, &String)> = Vec::new();
        for tag in self.scope.tag_names()? {
            let Some(family) = tag_names::family(tag).filter(|family| tag_families::is_only_pre_release(family)) else {
                continue;
            };
            let number = &tag[family.len()..];
            let number = tag_names::numbers_with_dots(number.strip_prefix('v').unwrap_or(number)).map(Cow::into_owned);
            let is_above =
                |number: &String| compare_versions(number, &version).is_gt() && !bump::begins_with_year(number);
            above.extend(number.filter(is_above).map(|number| (number, tag)));
        }
        above.sort_by(|left, right| compare_versions(&right.0, &left.0));
        if above.is_empty() {
            return Ok(None);
        }
        let names: Vec<&str> = above.iter().map(|(_, tag)| tag.as_str()).collect();
        let peeled = git::tags::peel_all(self.scope.repo, &names)?;
        let (names, commits): (Vec<&str>, Vec<Oid>) =
            names.into_iter().zip(peeled).filter_map(|(name, commit)| Some((name, commit?))).unzip();
        let contained = lineage::contained(self.scope.repo, self.scope.to, &commits)?;
        Ok(names.into_iter().zip(contained).find(|(_, contained)| *contained).map(|(name, _)| name.to_owned()))
    }
}

fn is_of(base: &BaseTag, version: &Version) -> bool {
    compare_versions(&base.version, &version.to_string()).is_eq()
}

/// Returns the numbers of a stable version.
fn numbers(version: &str) -> Vec<u64> {
    without_build(version).split('.').map_while(|number| number.parse().ok()).collect()
}
