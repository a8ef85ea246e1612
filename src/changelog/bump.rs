//! The next version: how much the unreleased changes ask to raise the last one.

use indexmap::IndexMap;
use semver::Version;

use super::classification::Classification;
use crate::{
    config::{Config, EntrySource},
    model::BumpLevel,
};

/// How much the changes of one category ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CategoryBump {
    /// The value of the trailer.
    pub category: String,
    /// The level it counts for.
    pub level: BumpLevel,
    /// The level it would count for from 1.0.0 on.
    pub asked: BumpLevel,
    /// How many entries have it.
    pub count: usize,
}

/// What each category of the listed commits asks for, the most first.
///
/// Below 1.0.0 the default rule asks for less; what the configuration says holds as it is written.
#[must_use]
pub fn category_bumps<'a>(
    verdicts: impl IntoIterator<Item = &'a Classification>,
    config: &Config,
    base: Option<&Version>,
) -> Vec<CategoryBump> {
    let unstable = base.is_some_and(|base| base.major == 0);
    let mut counts: IndexMap<&str, usize> = IndexMap::new();
    for category in verdicts.into_iter().flat_map(Classification::categories) {
        *counts.entry(category).or_default() += 1;
    }
    let ask = |(category, count): (&str, usize)| {
        let (asked, level) = match config.bump.get(category) {
            Some(level) => (*level, *level),
            None => default_levels(category, config.source, unstable),
        };
        CategoryBump { category: category.to_owned(), level, asked, count }
    };
    let mut bumps: Vec<CategoryBump> = counts.into_iter().map(ask).collect();
    bumps.sort_by_key(|bump| std::cmp::Reverse(bump.level));
    bumps
}

/// What a category asks for by default from 1.0.0 on, and what it asks for in this version; an unknown one asks for a
/// patch.
///
/// Conventional Commits: a breaking change asks for major and `feat` for minor, both for minor below 1.0.0, anything else
/// for a patch. The categories of trailers ask for one level less below 1.0.0.
fn default_levels(category: &str, source: EntrySource, unstable: bool) -> (BumpLevel, BumpLevel) {
    let asked = match (category, source) {
        ("breaking", _) => BumpLevel::Major,
        ("removed", source) if source.has_trailers() => BumpLevel::Major,
        ("added", _) => BumpLevel::Minor,
        ("changed" | "deprecated", source) if source.has_trailers() => BumpLevel::Minor,
        _ => BumpLevel::Patch,
    };
    let level = match (source, asked) {
        _ if !unstable => asked,
        (source, _) if source.has_trailers() => asked.for_zero_major(),
        (_, BumpLevel::Major) => BumpLevel::Minor,
        (_, _) => asked,
    };
    (asked, level)
}

/// Raises one of the first three numbers of a version that is not semantic, such as `26.2`; those after it become 0, and
/// their count stays at least what it was.
#[must_use]
pub fn increment_numbers(version: &str, level: BumpLevel) -> String {
    let index = match level {
        BumpLevel::Major => 0,
        BumpLevel::Minor => 1,
        BumpLevel::Patch | BumpLevel::None => 2,
    };
    let bare = version.split('+').next().unwrap_or_default();
    let mut numbers: Vec<u64> = bare.split('.').map(|number| number.parse().unwrap_or(0)).collect();
    numbers.resize(numbers.len().max(index + 1), 0);
    numbers[index] = numbers[index].saturating_add(u64::from(level > BumpLevel::None));
    numbers[index + 1..].fill(0);
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(".")
}

/// The version after `base`, without pre-release and build (semver.org, 6 to 8).
#[must_use]
pub fn increment(base: &Version, level: BumpLevel) -> Version {
    let Version { major, minor, patch, .. } = *base;
    match level {
        BumpLevel::Major => Version::new(major.saturating_add(1), 0, 0),
        BumpLevel::Minor => Version::new(major, minor.saturating_add(1), 0),
        BumpLevel::Patch => Version::new(major, minor, patch.saturating_add(1)),
        BumpLevel::None => Version::new(major, minor, patch),
    }
}

/// The pre-release part after those that exist for the same version: `rc.1`, `rc.2`; where the last one is written
/// `rc1`, the next is `rc2`.
#[must_use]
pub fn next_pre_release<'a>(name: &str, existing: impl IntoIterator<Item = &'a str>) -> String {
    let number = |pre: &'a str| {
        let rest = pre.strip_prefix(name)?;
        let (separator, digits) = rest.strip_prefix('.').map_or(("", rest), |digits| (".", digits));
        let number: u64 = digits.parse().ok()?;
        Some((number, separator))
    };
    match existing.into_iter().filter_map(number).max() {
        Some((last, separator)) => format!("{name}{separator}{}", last.saturating_add(1)),
        None => format!("{name}.1"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changelog::testing::listed;

    fn levels(categories: &[&str], rules: &[(&str, BumpLevel)], base: &str) -> Vec<(String, BumpLevel, usize)> {
        let verdicts: Vec<_> = categories.iter().map(|category| listed(&[category])).collect();
        let bump = rules.iter().map(|(category, level)| ((*category).to_owned(), *level)).collect();
        let config = Config { bump, ..Config::default() };
        let bumps = category_bumps(&verdicts, &config, base.parse().ok().as_ref());
        bumps.into_iter().map(|bump| (bump.category, bump.level, bump.count)).collect()
    }

    #[test]
    fn categories_ask_by_the_default_rule_most_first() {
        let found = levels(&["fixed", "added", "fixed", "removed", "odd"], &[], "1.2.3");
        let expected = [
            ("removed".to_owned(), BumpLevel::Major, 1),
            ("added".to_owned(), BumpLevel::Minor, 1),
            ("fixed".to_owned(), BumpLevel::Patch, 2),
            ("odd".to_owned(), BumpLevel::Patch, 1),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn below_one_the_default_rule_asks_for_less_and_the_settings_for_what_they_say() {
        let of = |category, rules: &[_]| levels(&[category], rules, "0.4.1")[0].1;
        assert_eq!(of("removed", &[]), BumpLevel::Minor);
        assert_eq!(of("added", &[]), BumpLevel::Patch);
        assert_eq!(of("fixed", &[]), BumpLevel::Patch);
        assert_eq!(of("added", &[("added", BumpLevel::Minor)]), BumpLevel::Minor);
        assert_eq!(of("fixed", &[("fixed", BumpLevel::None)]), BumpLevel::None);
    }

    #[test]
    fn conventional_commits_ask_for_minor_at_most_below_one() {
        let config = Config { source: EntrySource::Conventional, ..Config::default() };
        let of =
            |category, base: &str| category_bumps([&listed(&[category])], &config, base.parse().ok().as_ref())[0].level;
        for (category, stable, unstable) in [
            ("breaking", BumpLevel::Major, BumpLevel::Minor),
            ("added", BumpLevel::Minor, BumpLevel::Minor),
            ("performance", BumpLevel::Patch, BumpLevel::Patch),
            ("changed", BumpLevel::Patch, BumpLevel::Patch),
        ] {
            assert_eq!((of(category, "1.2.0"), of(category, "0.2.0")), (stable, unstable), "{category}");
        }
    }

    #[test]
    fn versions_of_other_counts_of_numbers_keep_them() {
        for (version, level, next) in [
            ("1.1", BumpLevel::Patch, "1.1.1"),
            ("26.2", BumpLevel::Minor, "26.3"),
            ("26.2", BumpLevel::Major, "27.0"),
            ("1.2.3.4", BumpLevel::Patch, "1.2.4.0"),
        ] {
            assert_eq!(increment_numbers(version, level), next);
        }
    }

    #[test]
    fn commits_that_are_not_listed_ask_for_nothing() {
        let id = crate::changelog::testing::oid(1);
        assert_eq!(
            category_bumps(
                &[Classification::NoCategory, Classification::RevertedBy(id.into()), Classification::OutsidePaths],
                &Config::default(),
                None
            ),
            []
        );
    }

    #[test]
    fn a_level_raises_one_part_and_clears_those_behind() {
        let base = Version::parse("1.2.3+b.1").unwrap();
        for (level, expected) in [
            (BumpLevel::Major, "2.0.0"),
            (BumpLevel::Minor, "1.3.0"),
            (BumpLevel::Patch, "1.2.4"),
            (BumpLevel::None, "1.2.3"),
        ] {
            assert_eq!(increment(&base, level).to_string(), expected);
        }
        assert_eq!(increment(&Version::new(u64::MAX, 0, 0), BumpLevel::Major).major, u64::MAX);
    }

    #[test]
    fn pre_releases_count_on_in_the_way_they_are_written() {
        assert_eq!(next_pre_release("rc", []), "rc.1");
        assert_eq!(next_pre_release("rc", ["rc.1", "rc.10", "rc.9", "beta.40"]), "rc.11");
        assert_eq!(next_pre_release("rc", ["rc1", "rc2"]), "rc3");
        assert_eq!(next_pre_release("rc", ["rc", "rc.x", "rcx1"]), "rc.1");
    }
}
