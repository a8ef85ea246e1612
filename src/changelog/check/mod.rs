//! Checks of commit messages: what the changelog would lose or print badly.

mod title;

use std::collections::HashSet;

use indexmap::IndexMap;
use serde::Serialize;

use super::verdict::Verdict;
use crate::{
    config::Config,
    model::{Commit, Oid, Trailer, closest},
};

/// The categories that the changelog's common formats know.
pub const COMMON: [&str; 8] =
    ["added", "fixed", "changed", "deprecated", "removed", "security", "performance", "other"];

/// Which commits must have the trailer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Require {
    /// At least one of the range.
    #[default]
    Any,
    /// Every one that is no merge, not reverted in the range and no revert of such a one.
    Each,
    /// None.
    None,
}

/// What messages are measured by.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// The name of the category trailer.
    pub trailer: &'a str,
    /// Which commits must have it.
    pub require: Require,
    /// The categories of the settings; without any, only what looks like a misspelt common one is found.
    pub categories: &'a IndexMap<String, String>,
    /// The longest title in characters; 0 for any.
    pub max_title: usize,
}

/// One thing that is wrong with a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The commit; `None` where the range as a whole is meant, or a message that is no commit yet.
    pub commit: Option<Oid>,
    /// The rule that is broken.
    pub rule: &'static str,
    /// The line of the message, from 1.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do now.
    pub hint: String,
}

impl Finding {
    fn new(rule: &'static str, line: Option<usize>, message: String, hint: impl Into<String>) -> Self {
        Self { commit: None, rule, line, message, hint: hint.into() }
    }
}

/// A message to be checked.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// Its text.
    pub text: &'a str,
    /// Its trailers.
    pub trailers: &'a [Trailer],
    /// Whether git wrote its title: that of a merge.
    pub is_merge: bool,
}

impl<'a> Rules<'a> {
    /// The rules of the settings.
    #[must_use]
    pub fn of(config: &'a Config, trailer: &'a str, require: Require, max_title: usize) -> Self {
        Self { trailer, require, categories: &config.categories, max_title }
    }

    /// Checks the commits of a range, newest first; those that the section is not about are not looked at.
    #[must_use]
    pub fn check(&self, commits: &[Commit], verdicts: &[Verdict]) -> Vec<Finding> {
        let reverts: HashSet<Oid> = verdicts.iter().filter_map(reverter).collect();
        let standing = commits.iter().zip(verdicts).filter(|(_, verdict)| !verdict.is_left_out());
        let mut findings: Vec<Finding> = standing
            .flat_map(|(commit, _)| {
                let exempt = commit.is_merge() || reverts.contains(&commit.id);
                let (text, trailers) = (commit.message.as_str(), commit.trailers.as_slice());
                let found = self.message(Message { text, trailers, is_merge: commit.is_merge() }, !exempt);
                found.into_iter().map(|finding| Finding { commit: Some(commit.id), ..finding })
            })
            .collect();
        let is_concerned = verdicts.iter().any(|verdict| *verdict != Verdict::OtherPaths);
        if self.require == Require::Any && is_concerned && !verdicts.iter().any(Verdict::is_listed) {
            findings.push(self.missing(&format!("no commit of the range has a `{}:` trailer", self.trailer)));
        }
        findings
    }

    /// Checks one message; where `each` commit must have the trailer, `required` says whether this one must.
    #[must_use]
    pub fn message(&self, message: Message, required: bool) -> Vec<Finding> {
        let mut findings = Vec::new();
        if !message.is_merge {
            findings.extend(title::check(message.text, self.max_title));
        }
        let misplaced = self.misplaced(message);
        let wrong_case = self.wrong_case(message.trailers);
        let value = self.value(message.trailers);
        let absent = !message.trailers.iter().any(|trailer| trailer.key == self.trailer);
        if self.require == Require::Each && required && absent && misplaced.is_empty() && wrong_case.is_none() {
            findings.push(self.missing(&format!("there is no `{}:` trailer", self.trailer)));
        }
        findings.extend(misplaced.into_iter().chain(wrong_case).chain(value));
        findings
    }

    fn missing(&self, message: &str) -> Finding {
        let hint = format!("end the message with a paragraph such as `{}: {}`", self.trailer, self.example());
        Finding::new("missing-trailer", None, message.to_owned(), hint)
    }

    fn example(&self) -> &str {
        self.categories.keys().next().map_or("added", String::as_str)
    }

    /// Lines that look like the trailer and are none. Of all such lines the last are those that git read as trailers.
    fn misplaced(&self, message: Message) -> Vec<Finding> {
        let same_name = |key: &str| key.trim_end().eq_ignore_ascii_case(self.trailer);
        let is_one = |(_, line): &(usize, &str)| {
            let Some((key, value)) = line.split_once(':') else { return false };
            same_name(key) && value.split_whitespace().count() == 1
        };
        let lines: Vec<_> = (1..).zip(message.text.lines()).filter(is_one).collect();
        let single_word = |value: &str| value.split_whitespace().count() == 1;
        let read = message.trailers.iter().filter(|read| same_name(&read.key) && single_word(&read.value)).count();
        let misplaced = &lines[..lines.len().saturating_sub(read)];
        let finding = |(number, line): &(usize, &str)| {
            let message = format!("`{}` does not stand in the last paragraph and is not read", line.trim());
            let hint = "move it into a last paragraph of trailers alone, behind an empty line";
            Finding::new("misplaced-trailer", Some(*number), message, hint)
        };
        misplaced.iter().map(finding).collect()
    }

    fn wrong_case(&self, trailers: &[Trailer]) -> Option<Finding> {
        let is_other = |found: &&Trailer| found.key != self.trailer && found.key.eq_ignore_ascii_case(self.trailer);
        let Trailer { key, .. } = trailers.iter().find(is_other)?;
        let message = format!("`{key}:` is not read, names of trailers are case-sensitive");
        Some(Finding::new("wrong-case", None, message, format!("write `{}:`", self.trailer)))
    }

    fn value(&self, trailers: &[Trailer]) -> Option<Finding> {
        let value = &trailers.iter().rev().find(|trailer| trailer.key == self.trailer)?.value;
        if value.is_empty() {
            let message = format!("the `{}:` trailer has no value", self.trailer);
            return Some(Finding::new("unknown-category", None, message, self.known_categories()));
        }
        let configured = !self.categories.is_empty();
        let is_known = if configured { self.categories.contains_key(value) } else { COMMON.contains(&value.as_str()) };
        let near = if configured {
            closest(value, self.categories.keys().map(String::as_str))
        } else {
            closest(value, COMMON)
        };
        if is_known || (!configured && near.is_none()) {
            return None;
        }
        let hint = near.map_or_else(|| self.known_categories(), |near| format!("did you mean `{near}`?"));
        Some(Finding::new("unknown-category", None, format!("`{value}` is no known category"), hint))
    }

    fn known_categories(&self) -> String {
        let configured: Vec<&str> = self.categories.keys().map(String::as_str).collect();
        let known = if configured.is_empty() { COMMON.to_vec() } else { configured };
        format!("known are `{}`", known.join("`, `"))
    }
}

fn reverter(verdict: &Verdict) -> Option<Oid> {
    match verdict {
        Verdict::RevertedBy(by) => Some(*by),
        Verdict::Listed(_) | Verdict::NoTrailer | Verdict::OtherPaths => None,
    }
}

#[cfg(test)]
mod tests;
