//! The types of plain scalars, by the rules of Ruby's YAML parser (Psych, YAML 1.1), which GitLab uses. The only difference is
//! intended: dates and symbols, which GitLab refuses, are texts.

use crate::model::{float_text, is_digits};

/// A scalar with its type.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar<'a> {
    Null,
    Bool(bool),
    /// A number as Ruby prints it.
    Number(String),
    Text(&'a str),
}

/// Resolves a plain (unquoted, one-line) scalar.
pub(super) fn resolve(text: &str) -> Scalar<'_> {
    match text.to_ascii_lowercase().as_str() {
        "" | "~" | "null" => Scalar::Null,
        "yes" | "true" | "on" => Scalar::Bool(true),
        "no" | "false" | "off" => Scalar::Bool(false),
        ".nan" => Scalar::Number("NaN".to_owned()),
        ".inf" | "+.inf" => Scalar::Number("Infinity".to_owned()),
        "-.inf" => Scalar::Number("-Infinity".to_owned()),
        _ => integer(text)
            .or_else(|| float(text))
            .or_else(|| sexagesimal(text))
            .map_or(Scalar::Text(text), Scalar::Number),
    }
}

/// A whole number in decimal, `0b`, `0x` or (with a leading zero) octal digits; `_` and `,` may separate them.
fn integer(text: &str) -> Option<String> {
    let (sign, digits) = signed(text);
    let magnitude = match digits.as_bytes() {
        [b'0', b'b', ..] => with_radix(2, &digits[2..]),
        [b'0', b'x', ..] => with_radix(16, &digits[2..]),
        [b'0', _, ..] => with_radix(8, digits),
        [b'0'..=b'9', ..] => decimal(digits),
        _ => None,
    }?;
    Some(if magnitude == "0" { magnitude } else { format!("{sign}{magnitude}") })
}

fn with_radix(radix: u32, digits: &str) -> Option<String> {
    u128::from_str_radix(&without_separators(digits), radix).ok().map(|number| number.to_string())
}

/// A decimal number of any size; each separator must be between two digits.
fn decimal(digits: &str) -> Option<String> {
    let groups = digits.split(is_separator);
    groups.clone().all(is_digits).then(|| groups.collect())
}

/// A number to the base of 60, as in Ruby: both `a:b` and `a:b:c` begin with hours.
fn sexagesimal(text: &str) -> Option<String> {
    let (hours, rest) = text.split_once(':')?;
    let rest: Vec<&str> = rest.split(':').collect();
    let is_sixtieth = |part: &&str| matches!(part.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9']);
    if signed(hours).1.starts_with('_') || rest.len() > 2 || !rest.iter().all(is_sixtieth) {
        return None;
    }
    let hours: i64 = hours.replace('_', "").parse().ok()?;
    let rest = rest.iter().zip([60, 1]).map(|(part, unit)| part.parse::<i64>().unwrap_or_default() * unit);
    Some(hours.checked_mul(3600)?.checked_add(rest.sum())?.to_string())
}

/// A number with a point: `1.`, `.5`, `1_000.25`, `1.5e+3`.
fn float(text: &str) -> Option<String> {
    let (_, unsigned) = signed(text);
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "+0"));
    let (whole, fraction) = mantissa.split_once('.')?;
    let all = |text: &str, known: fn(char) -> bool| text.chars().all(known);
    let valid = all(whole, |letter| letter.is_ascii_digit() || matches!(letter, '_' | ','))
        && !whole.starts_with(['_', ','])
        && all(fraction, |letter| letter.is_ascii_digit())
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.strip_prefix(['+', '-']).is_some_and(is_digits);
    let number = valid.then(|| without_separators(text))?;
    number.parse().ok().map(float_text)
}

fn is_separator(letter: char) -> bool {
    matches!(letter, '_' | ',')
}

fn without_separators(digits: &str) -> String {
    digits.replace(is_separator, "")
}

fn signed(text: &str) -> (&str, &str) {
    match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_as_ruby_reads_them() {
        let table = [
            ("7", "7"),
            ("+7", "7"),
            ("-7", "-7"),
            ("-0", "0"),
            ("1_000", "1000"),
            ("1,000", "1000"),
            ("017", "15"),
            ("00_", "0"),
            ("12:30", "45000"),
            ("-1:02:03", "-3477"),
            ("0x1F", "31"),
            ("0b101", "5"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("7.50", "7.5"),
            ("-.5", "-0.5"),
            ("1.", "1.0"),
            ("1_0.5e+3", "10500.0"),
            (".inf", "Infinity"),
        ];
        for (text, number) in table {
            assert_eq!(resolve(text), Scalar::Number(number.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_number_is_a_text() {
        for text in [
            "08",
            "12:60",
            "1:2:3:4",
            "1e3",
            "1.5e3",
            "1__0",
            "1_",
            ".",
            "-",
            "1.2.3",
            "v1",
            "2024-03-09",
            ":symbol",
            "0xg",
            "+",
        ] {
            assert_eq!(resolve(text), Scalar::Text(text));
        }
    }

    #[test]
    fn words_of_yaml_1_1_are_booleans_and_null() {
        assert_eq!(resolve("Yes"), Scalar::Bool(true));
        assert_eq!(resolve("OFF"), Scalar::Bool(false));
        assert_eq!(resolve("~"), Scalar::Null);
        assert_eq!(resolve("y"), Scalar::Text("y"));
    }
}
