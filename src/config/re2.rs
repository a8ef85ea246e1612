//! Translation of RE2's regular expressions to those of the `regex` crate.
//!
//! Both take linear time, and the languages are nearly the same. The differences are rewritten: RE2's `\d`, `\w`, `\s`
//! and `\b` are ASCII, its classes have no set operators, it has `\Q...\E`, and only the first group of a name is
//! named.

use std::{iter::Peekable, str::Chars};

const MAX_REPEAT: u32 = 1000;

/// Translates a pattern; fails with the reason if RE2 would refuse it, or it is not supported.
pub(super) fn translate(pattern: &str) -> Result<String, String> {
    let mut translation = Translation { rest: pattern.chars().peekable(), out: String::new(), names: Vec::new() };
    translation.run()?;
    Ok(translation.out)
}

struct Translation<'a> {
    rest: Peekable<Chars<'a>>,
    out: String,
    names: Vec<String>,
}

impl Translation<'_> {
    fn run(&mut self) -> Result<(), String> {
        while let Some(next) = self.rest.next() {
            match next {
                '\\' => self.escape()?,
                '[' => self.class()?,
                '(' => self.group()?,
                '{' => self.repetition()?,
                other => self.out.push(other),
            }
        }
        Ok(())
    }

    fn escape(&mut self) -> Result<(), String> {
        match self.rest.next().ok_or("trailing \\ at the end")? {
            'd' => self.out.push_str("[0-9]"),
            'D' => self.out.push_str("[^0-9]"),
            'w' => self.out.push_str("[0-9A-Za-z_]"),
            'W' => self.out.push_str("[^0-9A-Za-z_]"),
            's' => self.out.push_str(r"[\t\n\f\r ]"),
            'S' => self.out.push_str(r"[^\t\n\f\r ]"),
            'b' => self.out.push_str(r"(?-u:\b)"),
            'Q' => self.quote(),
            'C' => return Err(r"\C (any byte) is not supported".into()),
            other => self.out.extend(['\\', other]),
        }
        Ok(())
    }

    fn quote(&mut self) {
        while let Some(next) = self.rest.next() {
            if next == '\\' && self.rest.next_if_eq(&'E').is_some() {
                return;
            }
            self.literal(next);
        }
    }

    fn literal(&mut self, character: char) {
        self.out.push_str(&regex::escape(character.encode_utf8(&mut [0; 4])));
    }

    /// Translates a class to its end. A `]` at its start, a nested `[` and the set operators are literal in RE2.
    fn class(&mut self) -> Result<(), String> {
        self.out.push('[');
        if self.rest.next_if_eq(&'^').is_some() {
            self.out.push('^');
        }
        let mut first = true;
        loop {
            match self.rest.next().ok_or("missing closing ]")? {
                ']' if !first => break,
                '[' if self.rest.peek() == Some(&':') => self.posix_class(),
                '\\' => self.escape()?,
                literal @ ('[' | ']' | '&' | '~') => self.out.extend(['\\', literal]),
                // A second hyphen in a row would be the difference operator.
                '-' if self.out.ends_with('-') => self.out.push_str(r"\-"),
                other => self.out.push(other),
            }
            first = false;
        }
        self.out.push(']');
        Ok(())
    }

    fn posix_class(&mut self) {
        self.out.push('[');
        for next in self.rest.by_ref() {
            self.out.push(next);
            if next == ']' {
                return;
            }
        }
    }

    /// Translates `(?P<name>` and `(?<name>`: the first group of a name is named, later ones only group.
    fn group(&mut self) -> Result<(), String> {
        self.out.push('(');
        let ahead: String = self.rest.clone().take(3).collect();
        if ["?=", "?!", "?<=", "?<!"].iter().any(|look| ahead.starts_with(look)) {
            return Err(format!("invalid perl operator: look-around `({ahead}` is not part of RE2"));
        }
        let skipped = if ahead == "?P<" {
            3
        } else if ahead.starts_with("?<") {
            2
        } else {
            return Ok(());
        };
        let name: String = self.rest.clone().skip(skipped).take_while(|&character| character != '>').collect();
        if self.names.contains(&name) {
            self.rest.nth(skipped + name.chars().count());
        } else {
            self.names.push(name);
        }
        Ok(())
    }

    fn repetition(&mut self) -> Result<(), String> {
        self.out.push('{');
        let counts: String = self.rest.clone().take_while(|&character| character != '}').collect();
        match counts.split(',').find(|count| count.parse().is_ok_and(|count: u32| count > MAX_REPEAT)) {
            Some(count) => Err(format!("bad repetition operator: {count} is more than {MAX_REPEAT}")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::*;

    fn matches(pattern: &str, text: &str) -> bool {
        Regex::new(&translate(pattern).unwrap()).unwrap().is_match(text)
    }

    #[test]
    fn perl_classes_are_ascii() {
        assert!(matches(r"^\d\w\s$", "1a "));
        for (pattern, text) in
            [(r"^\d$", "١"), (r"^\w$", "ä"), (r"^\s$", "\u{a0}"), (r"^\s$", "\u{b}"), (r"^[\d]$", "١")]
        {
            assert!(!matches(pattern, text), "{pattern} {text:?}");
        }
        assert!(matches(r"^\D$", "١") && matches(r"^[^\D]$", "1"));
    }

    #[test]
    fn class_operators_are_literal() {
        assert!(matches(r"^[a&&b]$", "&") && matches(r"^[[a]$", "[") && matches(r"^[]a]$", "]"));
        assert!(matches(r"^[a-c]$", "b") && matches(r"^[[:alpha:]-]$", "-") && matches(r"^[a~~b]$", "~"));
    }

    #[test]
    fn quotes_are_literal_and_repeated_names_group_only() {
        assert!(matches(r"^\Qa.b\E.$", "a.bc") && !matches(r"^\Qa.b\E$", "axb"));
        assert!(matches(r"(?P<n>a)|(?P<n>b)", "b"));
    }

    #[test]
    fn what_re2_refuses_is_refused() {
        for pattern in [r"(?=a)", r"(?<!a)", r"a{1001}", r"a{2,5000}", r"\", r"[a", r"\C"] {
            assert!(translate(pattern).is_err(), "{pattern}");
        }
    }
}
