//! The next version by the calendar (calver.org).

use super::strftime;
use crate::{
    config::CalendarPart,
    model::{BumpLevel, Date, Problem, version_order::compare},
};

/// The version after `last` (stable, as it is written) on a day. While the parts of the date stay the same, the counter of
/// the bump level is incremented: `MAJOR`, `MINOR` or `MICRO`, or the last one that exists; counters after a changed part
/// begin at 0.
///
/// # Errors
/// If there is no counter to increment on a day that has a release, or the day is before that of `last`.
pub fn next_version(
    parts: &[CalendarPart],
    last: Option<&str>,
    level: BumpLevel,
    date: &Date,
) -> Result<String, Problem> {
    let old: Vec<&str> = last.unwrap_or_default().split('+').next().unwrap_or_default().split('.').collect();
    let number = |index: usize| old.get(index).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
    let today: Vec<Option<String>> = parts.iter().map(|part| on(*part, date)).collect();
    let has_changed = |index: usize| today[index].as_deref().is_some_and(|now| now.parse() != Ok(number(index)));
    let first_change = (0..parts.len()).find(|index| has_changed(*index));
    let incremented = match first_change {
        Some(_) => None,
        None => Some(counter(parts, level).ok_or_else(|| no_counter(last))?),
    };
    // Counters after the changed part are reset.
    let reset_after = first_change.or(incremented).unwrap_or(parts.len());
    let part = |index: usize| match &today[index] {
        Some(now) => now.clone(),
        None if incremented == Some(index) => number(index).saturating_add(1).to_string(),
        None if index > reset_after => "0".to_owned(),
        None => number(index).to_string(),
    };
    let next = (0..parts.len()).map(part).collect::<Vec<_>>().join(".");
    match last {
        Some(last) if compare(&next, last).is_le() => {
            Err(Problem::new(format!("`{next}` is not above the last version `{last}`"))
                .hint("check `versioning` in the configuration, or the date of the release (`--date`)"))
        }
        _ => Ok(next),
    }
}

fn on(part: CalendarPart, date: &Date) -> Option<String> {
    match part {
        CalendarPart::Date(directive) => Some(strftime(date, directive)),
        CalendarPart::ShortYear => {
            strftime(date, "%Y").parse::<u64>().ok().map(|year| year.saturating_sub(2000).to_string())
        }
        CalendarPart::Major | CalendarPart::Minor | CalendarPart::Micro => None,
    }
}

/// The index of the counter that a level increments.
fn counter(parts: &[CalendarPart], level: BumpLevel) -> Option<usize> {
    let wanted = match level {
        BumpLevel::Major => CalendarPart::Major,
        BumpLevel::Minor => CalendarPart::Minor,
        BumpLevel::Patch | BumpLevel::None => CalendarPart::Micro,
    };
    parts.iter().position(|part| *part == wanted).or_else(|| parts.iter().rposition(|part| !part.is_date()))
}

fn no_counter(last: Option<&str>) -> Problem {
    Problem::new(format!("the version of today is `{}`, which is released already", last.unwrap_or_default()))
        .hint("add a counter to `versioning`, such as `YYYY.0M.0D.MICRO`, or release on another day (`--date`)")
}

/// Whether a version obviously is a date: it begins with a year, or has numbers with leading zeros.
#[must_use]
pub fn is_date(version: &str) -> bool {
    let mut numbers = version.split(['.', '+']);
    let is_year =
        numbers.next().and_then(|first| first.parse::<u64>().ok()).is_some_and(|year| (1990..2100).contains(&year));
    is_year || version.split(['.', '+']).any(|number| number.len() > 1 && number.starts_with('0'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Versioning;

    fn next(scheme: &str, last: &str, level: BumpLevel) -> Result<String, String> {
        let Ok(Versioning::Calendar(parts)) = Versioning::parse(scheme) else { panic!("{scheme}") };
        let last = Some(last).filter(|last| !last.is_empty());
        next_version(&parts, last, level, &"2026-08-09".parse().unwrap()).map_err(|problem| problem.to_string())
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
        assert!(next("YYYY.MM.DD", "2026.8.9", BumpLevel::Patch).unwrap_err().contains("released already"));
        assert!(next("YYYY.MM.DD", "2027.1.1", BumpLevel::Patch).unwrap_err().contains("is not above"));
    }

    #[test]
    fn years_and_leading_zeros_are_dates() {
        assert!(is_date("2026.8.1") && is_date("26.08") && !is_date("26.2") && !is_date("1.20.0"));
    }
}
