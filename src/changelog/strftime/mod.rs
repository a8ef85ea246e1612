//! Dates as text, by the rules of Ruby's `DateTime#strftime`, which the service's `date_format` follows.
//!
//! A directive is `%`, flags (`-` no padding, `0` and `_` padding, `^` upper case, `#` changed case), a width, `:` or a
//! locale modifier, and a letter. What is no directive stays as it is written, so no format ever fails.

mod directive;
mod parts;

use chrono::{DateTime, FixedOffset};

use self::directive::Directive;
use crate::model::Date;

type Moment = DateTime<FixedOffset>;

/// Writes `date` as `format` says.
#[must_use]
pub fn strftime(date: &Date, format: &str) -> String {
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
            Ok((parsed, behind)) => {
                parsed.write(date, out);
                behind
            }
            Err(behind) => {
                out.push_str(&directive[..directive.len() - behind.len()]);
                behind
            }
        };
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of date, format and what Ruby makes of them, as JSON arrays.
    const RUBY: &str = include_str!("../../../testdata/strftime.jsonl");

    #[test]
    fn every_directive_is_as_in_ruby() {
        for line in RUBY.lines() {
            let [date, format, expected]: [String; 3] = serde_json::from_str(line).unwrap();
            assert_eq!(strftime(&date.parse().unwrap(), &format), expected, "{format:?} of {date}");
        }
    }
}
