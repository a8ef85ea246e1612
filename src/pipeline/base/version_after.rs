//! The version after the last one, written as the tags write theirs.

use super::tags::Tags;
use crate::{
    model::{BumpLevel, compare_versions, without_build},
    versions::{bump, revisions, tag_families},
};

impl Tags {
    /// Returns the version after a stable one. A maintenance branch that has four numbers, such as `1.5.5.4`, goes on with
    /// the fourth where the next third one is that of another release. At least the lowest part is raised that tags have.
    pub(crate) fn version_after(&self, version: &str, level: BumpLevel) -> String {
        let level = if level == BumpLevel::None { level } else { level.max(self.pattern.lowest_part()) };
        if self.pattern.has_revisions() {
            let first = u64::from(!self.names.iter().any(|tag| tag.ends_with("-0")));
            if let Some(next) = revisions::increment(version, level, first) {
                return next;
            }
        }
        let next = bump::increment(version, level);
        if let (Some(short), BumpLevel::Patch) = (next.strip_suffix(".0"), level) {
            let has_four = version.split('.').count() == 4;
            let is_next = |other: String| [short, next.as_str()].contains(&without_build(&other));
            let is_released = |tag: &String| self.pattern.stable_version(tag).is_some_and(is_next);
            if let Some((start, last)) = without_build(version).rsplit_once('.')
                && has_four
                && self.names.iter().any(is_released)
            {
                return format!("{start}.{}", last.parse::<u64>().unwrap_or(0).saturating_add(1));
            }
        }
        self.padded(&self.without_zeros(next))
    }

    /// Drops the zeros at the end that the highest first release of a series is written without: `2.43` follows `2.42.1`
    /// where `2.42` is the highest of these, `1.8.3` follows `1.8.2.3` where `1.8.2` is, and `26.08` follows `26.07.1`.
    pub(crate) fn without_zeros(&self, version: String) -> String {
        let (mut short, mut len) = (version.as_str(), numbers(&version));
        if shorter(short).is_none() {
            return version;
        }
        let is_first = |other: &str| numbers(other) < len || (numbers(other) == len && shorter(other).is_some());
        let versions = self.names.iter().filter_map(|tag| self.pattern.stable_version(tag));
        let firsts = versions.map(|other| without_build(&other).to_owned()).filter(|other| is_first(other));
        let Some(last) =
            firsts.max_by(|one, other| compare_versions(one, other).then_with(|| numbers(one).cmp(&numbers(other))))
        else {
            return version;
        };
        while let Some(rest) = shorter(short).filter(|_| len > numbers(&last)) {
            (short, len) = (rest, len - 1);
        }
        short.to_owned()
    }

    /// Gives the numbers as many digits as those have that the highest versions up to this one write with leading zeros:
    /// `9.2.0031`.
    fn padded(&self, version: &str) -> String {
        let stable = self.stable();
        let below = || stable.iter().filter(|other| compare_versions(&other.version, version).is_lt());
        let newest = || below().take(tag_families::NEWEST);
        let width = |index: usize| {
            let numbers = newest().filter_map(|other| without_build(&other.version).split('.').nth(index));
            numbers.filter(|number| number.len() > 1 && number.starts_with('0')).map(str::len).max().unwrap_or(0)
        };
        let padded = version.split('.').enumerate().map(|(index, number)| format!("{number:0>0$}", width(index)));
        padded.collect::<Vec<_>>().join(".")
    }
}

/// Returns a version without the zero at its end, if there is one.
fn shorter(version: &str) -> Option<&str> {
    let (rest, last) = version.rsplit_once('.')?;
    last.chars().all(|digit| digit == '0').then_some(rest)
}

fn numbers(version: &str) -> usize {
    version.split('.').count()
}
