//! The next version: the last one raised by what the unreleased changes require, or by the calendar (calver.org).

use indexmap::IndexMap;
use semver::Version;

use crate::{
    config::{CalendarPart, Config, EntrySource},
    model::{BumpLevel, Date, Problem, compare_versions, strftime, without_build},
};

/// The bump level that the commits of one category require.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CategoryBump {
    /// The name of the category.
    pub category: String,
    /// The level that applies to this version.
    pub level: BumpLevel,
    /// The level that would apply from 1.0.0 on.
    pub asked: BumpLevel,
    pub count: usize,
}

/// Returns the bump level of each category, the highest first. A category comes as often as commits are listed under it.
///
/// Below 1.0.0 the default levels are lower; configured levels are never lowered.
pub(crate) fn category_bumps<'a>(
    categories: impl IntoIterator<Item = &'a str>,
    config: &Config,
    base: Option<&Version>,
) -> Vec<CategoryBump> {
    let unstable = base.is_some_and(|base| base.major == 0);
    let mut counts: IndexMap<&str, usize> = IndexMap::new();
    for category in categories {
        *counts.entry(category).or_default() += 1;
    }
    let mut bumps: Vec<CategoryBump> = counts
        .into_iter()
        .map(|(category, count)| {
            let (asked, level) = match config.bump.get(category) {
                Some(level) => (*level, *level),
                None => default_levels(category, config.source, unstable),
            };
            CategoryBump { category: category.to_owned(), level, asked, count }
        })
        .collect();
    bumps.sort_by_key(|bump| std::cmp::Reverse(bump.level));
    bumps
}

/// Returns the default level of a category from 1.0.0 on, and the one for this version. An unknown category requires a
/// patch.
///
/// Conventional Commits: a breaking change requires major and `feat` minor, but below 1.0.0 both require minor;
/// anything else requires a patch. Below 1.0.0 the categories of trailers require one level less.
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

/// Increments one of the first three numbers of a stable version (semver.org, 6 to 8), which may have other numbers than
/// a semantic one, such as `26.2`. The numbers after it become 0, and the result has at least as many as before.
pub(crate) fn increment(version: &str, level: BumpLevel) -> String {
    let index = match level {
        BumpLevel::Major => 0,
        BumpLevel::Minor => 1,
        BumpLevel::Patch | BumpLevel::None => 2,
    };
    let mut numbers: Vec<u64> = without_build(version).split('.').map(|number| number.parse().unwrap_or(0)).collect();
    numbers.resize(numbers.len().max(index + 1), 0);
    numbers[index] = numbers[index].saturating_add(u64::from(level > BumpLevel::None));
    numbers[index + 1..].fill(0);
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(".")
}

/// Returns the stable version after another one. After a pre-release it is that of the pre-release if the level asks for
/// no more, as npm counts.
pub(crate) fn increment_version(version: &Version, level: BumpLevel) -> String {
    let stable = format!("{}.{}.{}", version.major, version.minor, version.patch);
    let is_enough = match level {
        _ if version.pre.is_empty() => false,
        BumpLevel::Major => version.minor == 0 && version.patch == 0,
        BumpLevel::Minor => version.patch == 0,
        BumpLevel::Patch | BumpLevel::None => true,
    };
    if is_enough { stable } else { increment(&stable, level) }
}

/// Returns the pre-release part after the existing ones of the same version: `rc.2` after `rc.1`, and `rc2` if the last
/// one is written `rc1`.
pub(crate) fn next_pre_release<'a>(name: &str, existing: impl IntoIterator<Item = &'a str>) -> String {
    match existing
        .into_iter()
        .filter_map(|pre| {
            let rest = pre.strip_prefix(name)?;
            let (separator, digits) = rest.strip_prefix('.').map_or(("", rest), |digits| (".", digits));
            let number: u64 = digits.parse().ok()?;
            Some((number, separator))
        })
        .max()
    {
        Some((last, separator)) => format!("{name}{separator}{}", last.saturating_add(1)),
        None => format!("{name}.1"),
    }
}

/// Returns the version after `last` (stable, as it is written) on a day. While the parts of the date stay the same, the
/// counter of the bump level is incremented: `MAJOR`, `MINOR` or `MICRO`, or the last counter if that part does not
/// exist. Counters after a changed part begin at 0.
pub(crate) fn next_by_calendar(
    parts: &[CalendarPart],
    last: Option<&str>,
    level: BumpLevel,
    date: &Date,
) -> Result<String, Problem> {
    let old: Vec<&str> = without_build(last.unwrap_or_default()).split('.').collect();
    let number = |index: usize| old.get(index).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
    let today: Vec<Option<String>> = parts.iter().map(|part| calendar_value(*part, date)).collect();
    let first_change =
        (0..parts.len()).find(|index| today[*index].as_deref().is_some_and(|now| now.parse() != Ok(number(*index))));
    let incremented = match first_change {
        Some(_) => None,
        None => Some(counter(parts, level).ok_or_else(|| no_counter(last))?),
    };
    // Counters after the changed part are reset.
    let reset_after = first_change.or(incremented).unwrap_or(parts.len());
    let next = (0..parts.len())
        .map(|index| match &today[index] {
            Some(now) => now.clone(),
            None if incremented == Some(index) => number(index).saturating_add(1).to_string(),
            None if index > reset_after => "0".to_owned(),
            None => number(index).to_string(),
        })
        .collect::<Vec<_>>()
        .join(".");
    match last {
        Some(last) if compare_versions(&next, last).is_le() => {
            Err(Problem::new(format!("`{next}` is not above the last version `{last}`"))
                .hint("check `versioning` in the configuration, or the date of the release (`--date`)"))
        }
        _ => Ok(next),
    }
}

fn calendar_value(part: CalendarPart, date: &Date) -> Option<String> {
    match part {
        CalendarPart::Date(directive) => Some(strftime(date, directive)),
        CalendarPart::ShortYear => {
            strftime(date, "%Y").parse::<u64>().ok().map(|year| year.saturating_sub(2000).to_string())
        }
        CalendarPart::Major | CalendarPart::Minor | CalendarPart::Micro => None,
    }
}

/// Returns the index of the counter that a level increments.
fn counter(parts: &[CalendarPart], level: BumpLevel) -> Option<usize> {
    let wanted = match level {
        BumpLevel::Major => CalendarPart::Major,
        BumpLevel::Minor => CalendarPart::Minor,
        BumpLevel::Patch | BumpLevel::None => CalendarPart::Micro,
    };
    parts.iter().position(|part| *part == wanted).or_else(|| parts.iter().rposition(|part| !part.is_date()))
}

fn no_counter(last: Option<&str>) -> Problem {
    Problem::new(format!("today's version, `{}`, is already released", last.unwrap_or_default()))
        .hint("add a counter to `versioning`, such as `YYYY.0M.0D.MICRO`, or release on another day (`--date`)")
}

/// Whether a version obviously is a date: it begins with a year, or has numbers with leading zeros.
pub(crate) fn is_date(version: &str) -> bool {
    begins_with_year(version) || version.split(['.', '+']).any(|number| number.len() > 1 && number.starts_with('0'))
}

/// Whether the first number of a version is a year.
pub(crate) fn begins_with_year(version: &str) -> bool {
    let first = version.split(['.', '+']).next().and_then(|first| first.parse::<u64>().ok());
    first.is_some_and(|year| (1990..2100).contains(&year))
}

/// Whether the first number of a version is a day, as in `20240309.1`.
pub(crate) fn begins_with_day(version: &str) -> bool {
    let first = version.split(['.', '+']).next().filter(|first| first.len() == 8);
    let number = |range: std::ops::Range<usize>| first.and_then(|first| first.get(range)?.parse::<u64>().ok());
    let is_in = |range: std::ops::Range<usize>, values: std::ops::Range<u64>| {
        number(range).is_some_and(|number| values.contains(&number))
    };
    is_in(0..4, 1990..2100) && is_in(4..6, 1..13) && is_in(6..8, 1..32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Versioning;

    #[test]
    fn categories_ask_by_the_default_rule_and_for_less_below_one() {
        for (source, category, stable, unstable) in [
            (EntrySource::Auto, "removed", BumpLevel::Major, BumpLevel::Minor),
            (EntrySource::Auto, "added", BumpLevel::Minor, BumpLevel::Patch),
            (EntrySource::Auto, "changed", BumpLevel::Minor, BumpLevel::Patch),
            (EntrySource::Auto, "deprecated", BumpLevel::Minor, BumpLevel::Patch),
            (EntrySource::Auto, "fixed", BumpLevel::Patch, BumpLevel::Patch),
            (EntrySource::Conventional, "breaking", BumpLevel::Major, BumpLevel::Minor),
            (EntrySource::Conventional, "added", BumpLevel::Minor, BumpLevel::Minor),
            (EntrySource::Conventional, "performance", BumpLevel::Patch, BumpLevel::Patch),
            (EntrySource::Conventional, "changed", BumpLevel::Patch, BumpLevel::Patch),
            (EntrySource::Conventional, "removed", BumpLevel::Patch, BumpLevel::Patch),
        ] {
            let config = Config { source, ..Config::default() };
            let level = |base: &str| category_bumps([category], &config, base.parse().ok().as_ref())[0].level;
            assert_eq!((level("1.2.0"), level("0.2.0")), (stable, unstable), "{category}");
        }
    }

    #[test]
    fn what_asks_most_comes_first_and_configured_levels_hold_as_they_are_written() {
        let categories = ["fixed", "added", "fixed", "removed", "odd"];
        let bumps = |config: &Config, base: &str| -> Vec<(String, BumpLevel, usize)> {
            let bumps = category_bumps(categories, config, base.parse().ok().as_ref());
            bumps.into_iter().map(|bump| (bump.category, bump.level, bump.count)).collect()
        };
        let expected =
            |bumps: [(&str, BumpLevel, usize); 4]| bumps.map(|(name, level, count)| (name.to_owned(), level, count));
        let (major, minor, patch) = (BumpLevel::Major, BumpLevel::Minor, BumpLevel::Patch);
        let usual = [("removed", major, 1), ("added", minor, 1), ("fixed", patch, 2), ("odd", patch, 1)];
        assert_eq!(bumps(&Config::default(), "1.2.3"), expected(usual));
        let bump = [("added".to_owned(), minor), ("fixed".to_owned(), BumpLevel::None)].into();
        let below = [("added", minor, 1), ("removed", minor, 1), ("odd", patch, 1), ("fixed", BumpLevel::None, 2)];
        assert_eq!(bumps(&Config { bump, ..Config::default() }, "0.4.1"), expected(below));
    }

    #[test]
    fn a_level_raises_one_part_and_clears_those_after_it() {
        for (version, level, next) in [
            ("1.1", BumpLevel::Patch, "1.1.1"),
            ("26.2", BumpLevel::Minor, "26.3"),
            ("26.2", BumpLevel::Major, "27.0"),
            ("1.2.3.4", BumpLevel::Patch, "1.2.4.0"),
            ("1.2.3+b.1", BumpLevel::Major, "2.0.0"),
            ("1.2.3+b.1", BumpLevel::Minor, "1.3.0"),
            ("1.2.3+b.1", BumpLevel::Patch, "1.2.4"),
            ("1.2.3+b.1", BumpLevel::None, "1.2.3"),
            ("18446744073709551615.0.0", BumpLevel::Major, "18446744073709551615.0.0"),
        ] {
            assert_eq!(increment(version, level), next);
        }
    }

    #[test]
    fn pre_releases_count_on_in_the_way_they_are_written() {
        assert_eq!(next_pre_release("rc", []), "rc.1");
        assert_eq!(next_pre_release("rc", ["rc.1", "rc.10", "rc.9", "beta.40"]), "rc.11");
        assert_eq!(next_pre_release("rc", ["rc1", "rc2"]), "rc3");
        assert_eq!(next_pre_release("rc", ["rc", "rc.x", "rcx1"]), "rc.1");
    }

    fn next(scheme: &str, last: &str, level: BumpLevel) -> Result<String, String> {
        let Ok(Versioning::Calendar(parts)) = Versioning::parse(scheme) else { panic!("{scheme}") };
        let last = Some(last).filter(|last| !last.is_empty());
        next_by_calendar(&parts, last, level, &"2026-08-09".parse().unwrap()).map_err(|problem| problem.to_string())
    }

    #[test]
    fn the_date_comes_first_and_then_the_counters() {
        for (scheme, last, level, expected) in [
            ("YYYY.0M.MICRO", "2026.07.4", BumpLevel::Minor, "2026.08.0"),
            ("YYYY.0M.MICRO", "2026.08.4", BumpLevel::Minor, "2026.08.5"),
            ("YYYY.0M.0D", "2026.08.01", BumpLevel::Patch, "2026.08.09"),
            ("YY.MINOR.MICRO", "26.2.1", BumpLevel::Minor, "26.3.0"),
            ("YY.MINOR.MICRO", "26.2.1", BumpLevel::Patch, "26.2.2"),
            ("YY.MINOR.MICRO", "25.9.1", BumpLevel::Patch, "26.0.0"),
            ("MAJOR.YYYY.MM.MICRO", "3.2026.7.2", BumpLevel::Patch, "3.2026.8.0"),
            ("YYYY.0M.MICRO", "", BumpLevel::Patch, "2026.08.0"),
            ("YYYY.WW.DD", "2026.1.1", BumpLevel::Patch, "2026.32.9"),
        ] {
            assert_eq!(next(scheme, last, level).as_deref(), Ok(expected), "{scheme} after {last}");
        }
    }

    #[test]
    fn a_day_without_a_counter_is_released_once_and_time_does_not_run_back() {
        assert!(next("YYYY.MM.DD", "2026.8.9", BumpLevel::Patch).unwrap_err().contains("is already released"));
        assert!(next("YYYY.MM.DD", "2027.1.1", BumpLevel::Patch).unwrap_err().contains("is not above"));
    }

    #[test]
    fn years_and_leading_zeros_are_dates() {
        assert!(begins_with_day("20260831.1") && !begins_with_day("20261301.0") && !begins_with_day("2026.8.1"));
        assert!(is_date("2026.8.1") && is_date("26.08") && !is_date("26.2") && !is_date("1.20.0"));
    }

    #[test]
    fn after_a_pre_release_its_own_version_is_enough_if_the_level_asks_for_no_more() {
        for (version, level, next) in [
            ("2.0.0-rc.1", BumpLevel::Major, "2.0.0"),
            ("2.1.0-rc.1", BumpLevel::Major, "3.0.0"),
            ("2.0.1-rc.1", BumpLevel::Major, "3.0.0"),
            ("2.1.0-rc.1", BumpLevel::Minor, "2.1.0"),
            ("2.1.1-rc.1", BumpLevel::Minor, "2.2.0"),
            ("2.1.1-rc.1", BumpLevel::Patch, "2.1.1"),
            ("2.1.1-rc.1", BumpLevel::None, "2.1.1"),
            ("2.0.0", BumpLevel::Major, "3.0.0"),
            ("2.1.0", BumpLevel::Minor, "2.2.0"),
            ("2.1.1", BumpLevel::Patch, "2.1.2"),
        ] {
            assert_eq!(increment_version(&version.parse().unwrap(), level), next, "{version}, {level:?}");
        }
    }
}
