//! What the letters of directives stand for.

use chrono::{Datelike as _, Timelike as _};

use super::Moment;

/// What a directive made of others stands for.
pub(super) fn composite(letter: char) -> Option<&'static str> {
    Some(match letter {
        'c' => "%a %b %e %H:%M:%S %Y",
        'D' | 'x' => "%m/%d/%y",
        'F' => "%Y-%m-%d",
        'r' => "%I:%M:%S %p",
        'R' => "%H:%M",
        'T' | 'X' => "%H:%M:%S",
        'v' => "%e-%^b-%4Y",
        'Z' => "%:z",
        '+' => "%a %b %e %H:%M:%S %Z %Y",
        _ => return None,
    })
}

/// The number of a directive, what pads it, and how wide it is.
pub(super) fn number(date: &Moment, letter: char) -> (i64, char, usize) {
    let year = i64::from(date.year());
    let iso_year = i64::from(date.iso_week().year());
    let weekday = date.weekday().num_days_from_sunday();
    let week = |first_day: u32| (date.ordinal0() + 7 - (weekday + 7 - first_day) % 7) / 7;
    let (number, padding, width) = match letter {
        'Y' => return (year, '0', 4),
        'G' => return (iso_year, '0', if iso_year < 0 { 5 } else { 4 }),
        'C' => return (year.div_euclid(100), '0', 2),
        'y' => return (year.rem_euclid(100), '0', 2),
        'g' => return (iso_year.rem_euclid(100), '0', 2),
        's' => return (date.timestamp(), '0', 1),
        'Q' => return (date.timestamp_millis(), '0', 1),
        'm' => (date.month(), '0', 2),
        'd' => (date.day(), '0', 2),
        'e' => (date.day(), ' ', 2),
        'j' => (date.ordinal(), '0', 3),
        'H' => (date.hour(), '0', 2),
        'k' => (date.hour(), ' ', 2),
        'I' => (date.hour12().1, '0', 2),
        'l' => (date.hour12().1, ' ', 2),
        'M' => (date.minute(), '0', 2),
        'S' => (date.second(), '0', 2),
        'u' => (date.weekday().number_from_monday(), '0', 1),
        'V' => (date.iso_week().week(), '0', 2),
        'U' => (week(0), '0', 2),
        'W' => (week(1), '0', 2),
        _ => (weekday, '0', 1),
    };
    (i64::from(number), padding, width)
}
