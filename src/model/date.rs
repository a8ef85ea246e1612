//! The date of a release: a moment in the offset it was given in, never converted.

use std::{fmt, str::FromStr};

use chrono::{DateTime, Datelike as _, FixedOffset, NaiveDate, SecondsFormat, TimeDelta, Timelike as _, Utc};

use super::{Problem, Time};

/// A moment between the years 0 and 9999, with nanoseconds, and its offset from UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date(DateTime<FixedOffset>);

impl Date {
    /// Returns the present moment, UTC.
    pub(crate) fn now() -> Self {
        Self(Utc::now().fixed_offset())
    }

    /// Returns the moment this many seconds since the Unix epoch, UTC; `None` if the year has more than four digits.
    #[must_use]
    pub fn from_seconds(seconds: i64) -> Option<Self> {
        DateTime::from_timestamp(seconds, 0).map(|date| date.fixed_offset()).and_then(Self::with_valid_year)
    }

    /// Returns the moment in the offset of its clock; `None` if the year has more than four digits.
    pub(crate) fn from_time(time: Time) -> Option<Self> {
        Self::with_valid_year(time.moment())
    }

    /// Returns the date with its parts, in its own offset.
    pub(crate) fn parts(&self) -> &DateTime<FixedOffset> {
        &self.0
    }

    fn with_valid_year(date: DateTime<FixedOffset>) -> Option<Self> {
        (0..=9999).contains(&date.year()).then_some(Self(date))
    }
}

/// Parses `YYYY-MM-DD` (midnight, `+00:00`) or RFC 3339, such as `2024-03-09T10:20:30.5+01:00`.
impl FromStr for Date {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        let date = DateTime::parse_from_rfc3339(text).ok().and_then(replace_leap_second);
        date.or_else(|| midnight(text)).and_then(Self::with_valid_year).ok_or_else(|| {
            Problem::usage(format!("`{text}` is not a date")).hint("write `2024-03-09`, or `2024-03-09T10:20:30+01:00`")
        })
    }
}

/// Parses `YYYY-MM-DD`, with all digits, as midnight.
fn midnight(text: &str) -> Option<DateTime<FixedOffset>> {
    let shape: String = text.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect();
    let date = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().filter(|_| shape == "0000-00-00")?;
    Some(date.and_hms_opt(0, 0, 0)?.and_utc().fixed_offset())
}

/// Turns second 60 into the first second of the next minute; chrono reads it as a nanosecond of more than a billion.
fn replace_leap_second(date: DateTime<FixedOffset>) -> Option<DateTime<FixedOffset>> {
    match date.nanosecond().checked_sub(1_000_000_000) {
        None => Some(date),
        Some(nanosecond) => date.with_nanosecond(nanosecond)?.checked_add_signed(TimeDelta::seconds(1)),
    }
}

/// Writes RFC 3339 in the date's own offset.
impl fmt::Display for Date {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0.to_rfc3339_opts(SecondsFormat::AutoSi, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_keep_their_own_offset() {
        for (text, date) in [
            ("2024-03-09", "2024-03-09T00:00:00+00:00"),
            ("2024-03-09T10:20:30Z", "2024-03-09T10:20:30+00:00"),
            ("2024-12-31T23:30:00-05:00", "2024-12-31T23:30:00-05:00"),
            ("2021-01-03T23:59:59.001002003+05:30", "2021-01-03T23:59:59.001002003+05:30"),
            ("2016-12-31T23:59:60.5Z", "2017-01-01T00:00:00.500+00:00"),
        ] {
            assert_eq!(text.parse::<Date>().unwrap().to_string(), date);
        }
        assert_eq!(Date::from_seconds(1_700_000_000).unwrap().to_string(), "2023-11-14T22:13:20+00:00");
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "today",
            "2024",
            "2024-3-9",
            "2024-02-30",
            "2024-03-09T25:00:00Z",
            "2024-03-09 ",
            "+2024-3-09",
            "09.03.2024",
        ] {
            assert_eq!(text.parse::<Date>().unwrap_err().to_string(), format!("`{text}` is not a date"));
        }
        for seconds in [i64::MAX, i64::MIN, 253_402_300_800, -99_999_999_999] {
            assert_eq!(Date::from_seconds(seconds), None);
        }
    }
}
