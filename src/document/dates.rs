//! The dates of headings: finding them, and writing another date in the same form.

use std::{ops::Range, sync::LazyLock};

use chrono::Datelike as _;
use regex::Regex;

use crate::model::{Date, strftime};

static DATE: LazyLock<Regex> = LazyLock::new(|| {
    let month = "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|\
                 oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
    let weekday = "(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? )?";
    let (day, year) = ("[0-9]{1,2}(?:st|nd|rd|th)?", "[0-9]{4}");
    let numbers = format!(r"{year}[-/.][0-9]{{1,2}}[-/.][0-9]{{1,2}}|[0-9]{{1,2}}[-/.][0-9]{{1,2}}[-/.]{year}");
    let words = format!(r"{month}\.? {day},? {year}|{day}(?: of)?[ -]{month}\.?,?[ -]{year}|{month}\.?,? {year}");
    Regex::new(&format!(r"(?i)\b(?:{numbers}|{weekday}(?:{words}))\b")).expect("the pattern is valid")
});

/// The placeholder for `st`, `nd`, `rd` or `th` in a format.
const ORDINAL: char = '\u{1}';

pub(super) fn find(text: &str) -> impl Iterator<Item = Range<usize>> {
    let dates = DATE.find_iter(text).filter(|found| is_possible(found.as_str()));
    dates.map(|found| found.range())
}

/// Whether a date may be a version as well: numbers with dots between them, as `2024.1.5` and `1.12.2000`. A zero before
/// the first number of `09.03.2024` shows that it is none.
pub(super) fn may_be_version(date: &str) -> bool {
    let numbers = || date.split('.');
    let has_year_first = numbers().next().is_some_and(|first| first.len() == 4);
    is_dotted(date) && (has_year_first || !numbers().any(|number| number.starts_with('0')))
}

/// Whether a date has its year last, as `1.12.2000`.
pub(super) fn has_year_last(date: &str) -> bool {
    date.rsplit('.').next().is_some_and(|last| last.len() == 4)
}

fn is_dotted(date: &str) -> bool {
    date.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// Whether numbers with dots between them can be a day of a year; those of `1.0.1000` cannot, as it is a version.
fn is_possible(date: &str) -> bool {
    if !is_dotted(date) {
        return true;
    }
    let numbers: Vec<u32> = date.split('.').filter_map(|number| number.parse().ok()).collect();
    let [first, second, third] = numbers[..] else { return false };
    let (year, one, other) = if first > 99 { (first, second, third) } else { (third, first, second) };
    (1900..2200).contains(&year) && (1..=31).contains(&one.max(other)) && (1..=12).contains(&one.min(other))
}

/// The meaning of a run of letters or of digits in a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part<'a> {
    Year,
    /// A day or a month.
    Number(&'a str),
    Month(&'a str),
    Weekday(&'a str),
    Ordinal,
    Other(&'a str),
}

fn parts(date: &str) -> Vec<Part<'_>> {
    let kind = |letter: char| (letter.is_ascii_digit(), letter.is_ascii_alphabetic());
    let mut parts: Vec<Part> = Vec::new();
    let mut rest = date;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|letter| kind(letter) != kind(first)).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        rest = after;
        parts.push(match kind(first) {
            (true, _) if run.len() == 4 => Part::Year,
            (true, _) => Part::Number(run),
            (_, true) if matches!(parts.last(), Some(Part::Number(_))) => Part::Ordinal,
            (_, true)
                if ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
                    .iter()
                    .any(|name| run.to_ascii_lowercase().starts_with(name)) =>
            {
                Part::Weekday(run)
            }
            (_, true) if run != "of" => Part::Month(run),
            _ => Part::Other(run),
        });
    }
    parts
}

fn is_alike(left: &[Part], right: &[Part]) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).all(|(left, right)| match left {
            Part::Other(_) => left == right,
            _ => std::mem::discriminant(left) == std::mem::discriminant(right),
        })
}

/// Returns the form of `model` as a format of [`strftime`]. The other dates decide what it leaves open (zeros, short
/// months, whether day or month is first); `None` if they do not show which number is the day.
pub(super) fn format(model: &str, others: &[&str]) -> Option<String> {
    let model = parts(model);
    let all: Vec<_> = others.iter().map(|date| parts(date)).filter(|date| is_alike(date, &model)).collect();
    let all: Vec<_> = std::iter::once(&model).chain(&all).collect();
    let has_month = model.iter().any(|part| matches!(part, Part::Month(_)));
    let day = if has_month { 0 } else { day_index(&all)? };
    let mut index = 0;
    Some(
        model
            .iter()
            .map(|part| match part {
                Part::Year => "%Y".to_owned(),
                Part::Number(_) => {
                    let letter = if index == day { 'd' } else { 'm' };
                    index += 1;
                    let padding = if is_padded(&all, index - 1).unwrap_or(!has_month) { "" } else { "-" };
                    format!("%{padding}{letter}")
                }
                Part::Month(name) => match_case(name, if is_long(&all) { "%B" } else { "%b" }),
                Part::Weekday(name) => match_case(name, if name.len() > 5 { "%A" } else { "%a" }),
                Part::Ordinal => ORDINAL.to_string(),
                Part::Other(text) => (*text).to_owned(),
            })
            .collect(),
    )
}

pub(super) fn write(date: &Date, format: &str) -> String {
    let ordinal = match date.parts().day() {
        1 | 21 | 31 => "st",
        2 | 22 => "nd",
        3 | 23 => "rd",
        _ => "th",
    };
    strftime(date, format).replace(ORDINAL, ordinal)
}

fn match_case(name: &str, directive: &str) -> String {
    let is_upper = !name.contains(|letter: char| letter.is_ascii_lowercase());
    if is_upper { directive.replace('%', "%^") } else { directive.to_owned() }
}

fn numbers<'a>(date: &'a [Part]) -> impl Iterator<Item = &'a str> {
    date.iter().filter_map(|part| if let Part::Number(number) = part { Some(*number) } else { None })
}

/// Returns which of two numbers is the day: the second after a year, else the one that is above 12 in any date.
fn day_index(all: &[&Vec<Part>]) -> Option<usize> {
    if all.first()?.first() == Some(&Part::Year) {
        return Some(1);
    }
    (0..2).find(|index| {
        all.iter().any(|date| numbers(date).nth(*index).and_then(|number| number.parse::<u8>().ok()) > Some(12))
    })
}

fn is_padded(all: &[&Vec<Part>], index: usize) -> Option<bool> {
    all.iter().find_map(|date| {
        let number = numbers(date).nth(index)?;
        if number.starts_with('0') { Some(true) } else { (number.len() == 1).then_some(false) }
    })
}

fn is_long(all: &[&Vec<Part>]) -> bool {
    all.iter()
        .flat_map(|date| date.iter())
        .find_map(|part| match part {
            Part::Month(name) if !name.eq_ignore_ascii_case("may") => {
                Some(name.len() > 4 || name.starts_with(['j', 'J']) && name.len() == 4)
            }
            _ => None,
        })
        .unwrap_or(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(model: &str, others: &[&str]) -> Option<String> {
        assert_eq!(find(model).next(), Some(0..model.len()), "{model}");
        let date: Date = "2024-03-09".parse().ok()?;
        format(model, others).map(|format| write(&date, &format))
    }

    #[test]
    fn a_date_is_written_as_the_model_is() {
        for (model, others, date) in [
            ("2024-02-21", &[][..], "2024-03-09"),
            ("2024/2/5", &[], "2024/3/9"),
            ("2024.2.21", &["2024.1.5"], "2024.3.9"),
            ("December 14, 2023", &["April 2, 2023"], "March 9, 2024"),
            ("Feb 13, 2024", &["Jan 9, 2024"], "Mar 9, 2024"),
            ("May 16, 2023", &["Jan 09, 2024"], "Mar 09, 2024"),
            ("21st February, 2024", &[], "9th March, 2024"),
            ("8 December, 2023", &[], "9 March, 2024"),
            ("21.02.2024", &["04.01.2024"], "09.03.2024"),
            ("01/05/2024", &["02/21/2024"], "03/09/2024"),
            ("Monday, January 1st 2024", &[], "Saturday, March 9th 2024"),
            ("05-JAN-2024", &[], "09-MAR-2024"),
            ("1st of June 2023", &[], "9th of March 2024"),
            ("June 2023", &[], "March 2024"),
            ("Thurs, 7 March 2024", &[], "Sat, 9 March 2024"),
            ("Sept 5, 2024", &[], "Mar 9, 2024"),
            // `May` is neither long nor short.
            ("May 5, 2024", &["January 3, 2024"], "March 9, 2024"),
        ] {
            assert_eq!(written(model, others).as_deref(), Some(date), "{model}");
        }
        for others in [&["04/10/2023", "2024-01-31"][..], &["12/12/2023"], &["13-04-2023"]] {
            assert_eq!(written("03/09/2024", others), None, "day or month: {others:?}");
        }
    }

    #[test]
    fn a_day_has_the_ending_of_its_number() {
        let format = format("21st February, 2024", &[]).unwrap();
        for (day, written) in [
            ("01", "1st"),
            ("02", "2nd"),
            ("03", "3rd"),
            ("04", "4th"),
            ("11", "11th"),
            ("12", "12th"),
            ("13", "13th"),
            ("21", "21st"),
            ("22", "22nd"),
            ("23", "23rd"),
            ("31", "31st"),
        ] {
            let date: Date = format!("2024-03-{day}").parse().unwrap();
            assert_eq!(write(&date, &format), format!("{written} March, 2024"));
        }
    }

    #[test]
    fn numbers_that_are_no_day_of_a_year_are_no_date() {
        for text in ["1.0.1000", "5.4.1234", "40.2.1234", "13.14.2024", "0.12.2024", "2024.0.5", "2024.13.32"] {
            assert_eq!(find(text).next(), None, "{text}");
        }
        assert!(may_be_version("2024.01.05") && may_be_version("1.12.2000") && !may_be_version("09.03.2024"));
        assert!(!may_be_version("2024-01-05"));
    }
}
