//! Dates as text, by the rules of Ruby's `DateTime#strftime`, which GitLab's `date_format` follows.
//!
//! A directive is `%`, flags (`-` no padding, `0` and `_` padding, `^` upper case, `#` changed case), a width, `:` or a
//! locale modifier, and a letter. What is not a directive stays as it is written, so no format ever fails.

use chrono::{DateTime, Datelike as _, FixedOffset, Timelike as _};

use crate::model::Date;

type Moment = DateTime<FixedOffset>;

pub(crate) fn strftime(date: &Date, format: &str) -> String {
    let mut text = String::with_capacity(format.len() + 16);
    write(date.parts(), format, &mut text);
    text
}

fn write(date: &Moment, format: &str, out: &mut String) {
    let mut rest = format;
    while let Some(start) = rest.find('%') {
        out.push_str(&rest[..start]);
        let directive = &rest[start..];
        rest = match Directive::parse(directive) {
            Ok((parsed, after)) => {
                parsed.write(date, out);
                after
            }
            Err(after) => {
                out.push_str(&directive[..directive.len() - after.len()]);
                after
            }
        };
    }
    out.push_str(rest);
}

/// The maximum width of a directive; a wider one is left as text.
const MAX_WIDTH: usize = 1024;

#[derive(Clone, Copy, Debug, Default)]
struct Directive {
    letter: char,
    width: usize,
    padding: Option<char>,
    unpadded: bool,
    upper: bool,
    change_case: bool,
    colons: usize,
}

impl Directive {
    /// Parses the directive at the beginning of a text that starts with `%`, and returns it with the text after it;
    /// `Err` is the text after something that is not a directive.
    fn parse(text: &str) -> Result<(Self, &str), &str> {
        let mut directive = Self::default();
        let mut letters = text[1..].chars();
        loop {
            let here = letters.as_str();
            let letter = letters.next().ok_or(here)?;
            match letter {
                '-' | '_' | '^' | '#' | '0' if directive.width == 0 => directive.flag(letter),
                '0'..='9' if directive.width == 0 => {
                    let digits = here.len() - here.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
                    letters = here[digits..].chars();
                    directive.width =
                        here[..digits].parse().ok().filter(|width| *width <= MAX_WIDTH).ok_or(&here[digits..])?;
                }
                ':' => {
                    let after = here.trim_start_matches(':');
                    directive.colons = here.len() - after.len();
                    directive.letter = 'z';
                    let zone = after.strip_prefix('z').filter(|_| directive.colons <= 3);
                    return zone.map(|after| (directive, after)).ok_or(letters.as_str());
                }
                'E' if here[1..].starts_with(['c', 'C', 'x', 'X', 'y', 'Y']) => {}
                'O' if here[1..].starts_with(|letter| "deHkIlmMSuUVwWy".contains(letter)) => {}
                _ if is_known(letter) => {
                    directive.letter = letter;
                    return Ok((directive, letters.as_str()));
                }
                _ => return Err(letters.as_str()),
            }
        }
    }

    fn flag(&mut self, flag: char) {
        match flag {
            '-' => self.unpadded = true,
            '_' => self.padding = Some(' '),
            '0' => self.padding = Some('0'),
            '^' => self.upper = true,
            _ => self.change_case = true,
        }
    }

    fn write(&self, date: &Moment, out: &mut String) {
        match self.letter {
            'a' => self.name(&date.format("%a").to_string(), out),
            'A' => self.name(&date.format("%A").to_string(), out),
            'b' | 'h' => self.name(&date.format("%b").to_string(), out),
            'B' => self.name(&date.format("%B").to_string(), out),
            'p' | 'P' => self.meridian(date, out),
            'L' => self.fraction(date, 3, out),
            'N' => self.fraction(date, 9, out),
            'z' => out.push_str(&self.offset(date.offset().local_minus_utc())),
            '%' => self.pad("%", out),
            'n' => self.pad("\n", out),
            't' => self.pad("\t", out),
            letter => match expansion(letter) {
                Some(format) => self.composite(date, format, out),
                None => out.push_str(&self.number(date)),
            },
        }
    }

    fn number(&self, date: &Moment) -> String {
        let (number, padding, width) = value(date, self.letter);
        let width = match self.width {
            _ if self.unpadded => 0,
            0 => width,
            given => given,
        };
        match self.padding.unwrap_or(padding) {
            '0' => format!("{number:0width$}"),
            _ => format!("{number:width$}"),
        }
    }

    fn name(&self, name: &str, out: &mut String) {
        if self.upper || self.change_case { self.pad(&name.to_uppercase(), out) } else { self.pad(name, out) }
    }

    fn meridian(&self, date: &Moment, out: &mut String) {
        let lower = if self.letter == 'p' { self.change_case } else { !(self.change_case || self.upper) };
        let text = match (date.hour() < 12, lower) {
            (true, true) => "am",
            (true, false) => "AM",
            (false, true) => "pm",
            (false, false) => "PM",
        };
        self.pad(text, out);
    }

    fn fraction(&self, date: &Moment, digits: usize, out: &mut String) {
        let digits = if self.width == 0 { digits } else { self.width };
        let nanoseconds = format!("{:09}", date.nanosecond());
        out.extend(nanoseconds.chars().chain(std::iter::repeat('0')).take(digits));
    }

    fn composite(&self, date: &Moment, format: &str, out: &mut String) {
        let mut text = String::new();
        write(date, format, &mut text);
        self.pad(&if self.upper { text.to_uppercase() } else { text }, out);
    }

    fn pad(&self, text: &str, out: &mut String) {
        let missing = if self.unpadded { 0 } else { self.width.saturating_sub(text.len()) };
        out.extend(std::iter::repeat_n(self.padding.unwrap_or(' '), missing));
        out.push_str(text);
    }

    /// Formats `%z` with its colons. The width counts the whole text, and its padding goes into the hours.
    fn offset(&self, seconds: i32) -> String {
        let (hours, rest) = (seconds.abs() / 3600, seconds.abs() % 3600);
        let after = match self.colons {
            0 => format!("{:02}", rest / 60),
            3 if rest == 0 => String::new(),
            1 | 3 if self.colons == 1 || rest % 60 == 0 => format!(":{:02}", rest / 60),
            _ => format!(":{:02}:{:02}", rest / 60, rest % 60),
        };
        let digits = if hours < 10 { 1 } else { 2 };
        let width = self.width.saturating_sub(1 + after.len()).max(if self.unpadded { digits } else { 2 });
        let sign = if seconds < 0 { '-' } else { '+' };
        if self.padding == Some(' ') {
            format!("{:blanks$}{sign}{hours}{after}", "", blanks = width - digits)
        } else {
            format!("{sign}{hours:0width$}{after}")
        }
    }
}

fn is_known(letter: char) -> bool {
    "aAbBcCdDeFgGhHIjklLmMnNpPQrRsStTuUvVwWxXyYzZ+%".contains(letter)
}

/// Returns the directives that a composed one consists of.
fn expansion(letter: char) -> Option<&'static str> {
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

/// Returns the number of a directive, its padding and its width.
fn value(date: &Moment, letter: char) -> (i64, char, usize) {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of date, format and Ruby's output, as JSON arrays.
    const RUBY: &str = include_str!("../../testdata/strftime.jsonl");

    #[test]
    fn every_directive_is_as_in_ruby() {
        for line in RUBY.lines() {
            let [date, format, expected]: [String; 3] = serde_json::from_str(line).unwrap();
            assert_eq!(strftime(&date.parse().unwrap(), &format), expected, "{format:?} of {date}");
        }
    }
}
