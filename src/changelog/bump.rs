//! The next version: how much the unreleased changes ask to raise the last one.

use indexmap::IndexMap;
use semver::Version;

use super::classification::Classification;
use crate::model::BumpLevel;

/// How much the changes of one category ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CategoryBump {
    /// The value of the trailer.
    pub category: String,
    /// The level it asks for.
    pub level: BumpLevel,
    /// How many entries have it.
    pub count: usize,
}

/// What each category of the listed commits asks for, the most first.
///
/// Below 1.0.0 the default rule asks for one level less; what the settings say holds as it stands there.
#[must_use]
pub fn category_bumps<'a>(
    verdicts: impl IntoIterator<Item = &'a Classification>,
    rules: &IndexMap<String, BumpLevel>,
    base: Option<&Version>,
) -> Vec<CategoryBump> {
    let unstable = base.is_some_and(|base| base.major == 0);
    let mut counts: IndexMap<&str, usize> = IndexMap::new();
    for category in verdicts.into_iter().flat_map(Classification::categories) {
        *counts.entry(category).or_default() += 1;
    }
    let ask = |(category, count): (&str, usize)| {
        let usual = || if unstable { default_level(category).for_zero_major() } else { default_level(category) };
        let level = rules.get(category).copied().unwrap_or_else(usual);
        CategoryBump { category: category.to_owned(), level, count }
    };
    let mut bumps: Vec<CategoryBump> = counts.into_iter().map(ask).collect();
    bumps.sort_by_key(|bump| std::cmp::Reverse(bump.level));
    bumps
}

/// What a category asks for where the settings do not say; one that is not known asks for a patch.
fn default_level(category: &str) -> BumpLevel {
    match category {
        "removed" | "breaking" => BumpLevel::Major,
        "added" | "changed" | "deprecated" | "performance" => BumpLevel::Minor,
        _ => BumpLevel::Patch,
    }
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
        let rules = rules.iter().map(|(category, level)| ((*category).to_owned(), *level)).collect();
        let bumps = category_bumps(&verdicts, &rules, base.parse().ok().as_ref());
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
    fn commits_that_are_not_listed_ask_for_nothing() {
        let id = crate::changelog::testing::oid(1);
        assert_eq!(
            category_bumps(
                &[Classification::NoCategory, Classification::RevertedBy(id.into()), Classification::OutsidePaths],
                &IndexMap::new(),
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
