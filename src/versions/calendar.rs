//! The scheme of versions that are dates, in whole or in part, as their tags show it (calver.org).

use std::collections::BTreeSet;

use chrono::{DateTime, Datelike as _, Days, NaiveDate};

use super::bump;
use crate::config::Versioning;

/// A version, and the commit date of its tag.
#[derive(Clone, Debug)]
pub(crate) struct DatedVersion {
    /// The version, with dots between its numbers.
    pub(crate) text: String,
    /// In seconds since 1970.
    pub(crate) date: u64,
}

/// The month of a release may be that of so many days before or after its commit.
const PREPARED: u64 = 7;

/// The numbers of the newest versions, and their dates.
struct Numbers<'a> {
    versions: Vec<Vec<&'a str>>,
    dates: Vec<Option<NaiveDate>>,
}

impl Numbers<'_> {
    fn column(&self, index: usize) -> impl Iterator<Item = &str> {
        self.versions.iter().filter_map(move |numbers| numbers.get(index).copied())
    }

    fn is_padded(&self, index: usize) -> bool {
        self.column(index).any(|number| number.len() > 1 && number.starts_with('0'))
    }

    /// Whether the numbers at an index lie in a range.
    fn are_all(&self, index: usize, is_valid: impl Fn(u32) -> bool) -> bool {
        self.column(index).all(|number| number.parse().is_ok_and(&is_valid))
    }

    /// Returns the dates of the versions that agree with them, if at least three of four do.
    fn agreeing(&self, is_said: impl Fn(&[&str], NaiveDate) -> bool) -> Option<Vec<NaiveDate>> {
        let pairs = self.versions.iter().zip(&self.dates);
        let dates = pairs.filter_map(|(numbers, date)| date.filter(|date| is_said(numbers, *date)));
        Some(dates.collect()).filter(|dates: &Vec<_>| 4 * dates.len() >= 3 * self.versions.len())
    }

    /// Returns the tokens of dates whose months or days have two digits.
    fn padded_tokens(&self) -> Option<[&'static str; 3]> {
        if !bump::is_date(&self.versions.first()?.join(".")) || !self.are_all(1, |month| (1..=12).contains(&month)) {
            return None;
        }
        // Numbers of two digits after months of two digits are days.
        let are_days = self.column(2).all(|day| day.len() == 2) && self.are_all(2, |day| (1..=31).contains(&day));
        if self.is_padded(2) && !are_days {
            return None;
        }
        let has_days = self.is_padded(2) || self.is_padded(1) && are_days;
        Some([self.year(), if self.is_padded(1) { "0M" } else { "MM" }, if has_days { "0D" } else { "MICRO" }])
    }

    /// Returns the tokens of the parts of dates that agree with the dates of the tags: versions without padding look like
    /// any other.
    fn agreeing_tokens(&self) -> Option<[&'static str; 3]> {
        let is_year = |numbers: &[&str], date: NaiveDate| is_year(numbers[0], date);
        let years: BTreeSet<i32> = self.agreeing(is_year)?.iter().map(NaiveDate::year).collect();
        let is_of_month = |numbers: &[&str], date: NaiveDate| {
            let days =
                [date.checked_sub_days(Days::new(PREPARED)), Some(date), date.checked_add_days(Days::new(PREPARED))];
            days.into_iter().flatten().any(|day| is_year(numbers, day) && is_number(numbers.get(1), day.month()))
        };
        let is_month = |dates: Vec<NaiveDate>| {
            let months: BTreeSet<_> = dates.iter().map(|date| (date.year(), date.month())).collect();
            months.len() > 1 || self.year() == "YYYY"
        };
        if self.agreeing(is_of_month).is_some_and(is_month) {
            let is_of_day = |numbers: &[&str], date: NaiveDate| {
                let days = [date.pred_opt(), Some(date), date.succ_opt()];
                days.into_iter().flatten().any(|day| is_number(numbers.get(2), day.day()))
            };
            return Some([self.year(), "MM", if self.agreeing(is_of_day).is_some() { "DD" } else { "MICRO" }]);
        }
        (years.len() > 1).then(|| [self.year(), "MINOR", "MICRO"])
    }

    fn year(&self) -> &'static str {
        if self.versions[0][0].len() == 4 { "YYYY" } else { "YY" }
    }
}

/// Whether a number is the year of a date, with four digits or two.
fn is_year(number: &str, date: NaiveDate) -> bool {
    let year = date.year().to_string();
    number == year || number.len() == 2 && year.ends_with(number)
}

fn is_number(text: Option<&&str>, number: u32) -> bool {
    text.is_some_and(|text| text.parse() == Ok(number))
}

/// Returns the scheme of versions, the newest first, if they are dates: by zeros before their months and days, or because
/// they agree with the dates of their tags.
pub(crate) fn scheme(newest: &[DatedVersion]) -> Option<String> {
    let date = |version: &DatedVersion| Some(DateTime::from_timestamp(version.date.try_into().ok()?, 0)?.date_naive());
    let dates = newest.iter().map(date).collect();
    let numbers = Numbers { versions: newest.iter().map(|version| version.text.split('.').collect()).collect(), dates };
    let len = numbers.versions.first()?.len();
    let is_padded = (1..=2).any(|index| numbers.is_padded(index));
    let tokens = if is_padded { numbers.padded_tokens() } else { numbers.agreeing_tokens() }?;
    let scheme = tokens.into_iter().chain(["MICRO"]).take(len).collect::<Vec<_>>().join(".");
    Versioning::parse(&scheme).is_ok().then_some(scheme)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the scheme of versions that are written with the dates of their tags.
    fn found(versions: &[(&str, &str)]) -> Option<String> {
        let dated = versions.iter().map(|(text, date)| {
            let date = date.parse::<NaiveDate>().unwrap().and_hms_opt(12, 0, 0).unwrap().and_utc();
            DatedVersion { text: (*text).to_owned(), date: date.timestamp().try_into().unwrap() }
        });
        scheme(&dated.collect::<Vec<_>>())
    }

    #[test]
    fn padded_numbers_show_the_scheme_by_themselves() {
        for (versions, expected) in [
            (&["2026.08.19", "2026.07.30"][..], Some("YYYY.0M.0D")),
            (&["2024.03", "2024.11"], Some("YYYY.0M")),
            (&["2024.03.1", "2024.11.0"], Some("YYYY.0M.MICRO")),
            (&["2026.2.09", "2026.2.08"], Some("YYYY.MM.0D")),
            (&["9.2.0995", "9.2.0031"], None),
            (&["2024.14.01"], None),
        ] {
            let dated: Vec<_> = versions.iter().map(|version| (*version, "2001-01-01")).collect();
            assert_eq!(found(&dated).as_deref(), expected, "{versions:?}");
        }
    }

    #[test]
    fn other_numbers_are_dates_if_those_of_the_tags_agree() {
        for (versions, expected) in [
            (
                &[("2026.8.10", "2026-08-20"), ("2026.8.9", "2026-07-29"), ("2026.7.0", "2026-07-01")][..],
                "YYYY.MM.MICRO",
            ),
            (&[("2024.3.1", "2024-03-09")], "YYYY.MM.MICRO"),
            (&[("24.10.0", "2024-10-07"), ("24.8.0", "2024-08-02")], "YY.MM.MICRO"),
            (&[("24.10.0", "2024-10-07")], ""),
            (&[("2024.7.4", "2024-07-04"), ("2024.6.2", "2024-06-02")], "YYYY.MM.DD"),
            (&[("2024.3.1", "2024-11-20"), ("2023.3.0", "2023-11-20")], "YYYY.MINOR.MICRO"),
            (&[("26.0", "2026-01-31"), ("25.3", "2025-10-25"), ("25.2", "2025-07-30")], "YY.MINOR"),
            (&[("2024.3.1", "2024-11-20"), ("2024.3.0", "2024-11-20")], ""),
            (&[("26.3.1", "2026-01-20"), ("26.3.0", "2025-10-20"), ("25.0.0", "2024-10-20")], ""),
            (&[("2026.8.10", "2030-01-01")], ""),
            (&[("1.8.0", "2026-08-20"), ("1.7.0", "2026-07-20")], ""),
        ] {
            assert_eq!(found(versions).unwrap_or_default(), expected, "{versions:?}");
        }
    }
}
