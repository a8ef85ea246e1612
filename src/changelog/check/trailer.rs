//! The category trailer of a message: in its place, in its case, with a value that is known.

use super::{COMMON, Finding, Message, Rules};
use crate::{
    config::RepeatedTrailers,
    model::{Trailer, closest, is_misspelt},
};

impl Rules<'_> {
    /// What is wrong with the trailers of a message.
    pub(super) fn trailer(&self, message: Message) -> Vec<Finding> {
        let mut findings = self.misplaced(message);
        findings.extend(self.wrong_case(message.trailers).or_else(|| self.misspelt(message.trailers)));
        let mut values = message.trailers.iter().filter(|trailer| trailer.key == self.trailer);
        let read: Vec<&Trailer> = match self.config.repeated_trailers {
            RepeatedTrailers::Last => values.next_back().into_iter().collect(),
            RepeatedTrailers::All => values.collect(),
        };
        findings.extend(read.into_iter().filter_map(|trailer| self.value(&trailer.value)));
        findings
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

    /// A name that is nearly that of the trailer, in a message without it.
    fn misspelt(&self, trailers: &[Trailer]) -> Option<Finding> {
        if trailers.iter().any(|found| found.key == self.trailer) {
            return None;
        }
        let Trailer { key, .. } = trailers.iter().find(|found| is_misspelt(&found.key, self.trailer))?;
        let message = format!("`{key}:` is not the trailer `{}:`", self.trailer);
        Some(Finding::new("misspelt-trailer", None, message, format!("did you mean `{}:`?", self.trailer)))
    }

    fn value(&self, value: &str) -> Option<Finding> {
        if value.is_empty() {
            let message = format!("the `{}:` trailer has no value", self.trailer);
            return Some(Finding::new("unknown-category", None, message, self.known_categories()));
        }
        let is_configured = !self.config.categories.is_empty();
        let known = self.categories();
        let near = closest(value, known.iter().copied());
        if known.contains(&value) || (!is_configured && near.is_none()) {
            return None;
        }
        let hint = near.map_or_else(|| self.known_categories(), |near| format!("did you mean `{near}`?"));
        Some(Finding::new("unknown-category", None, format!("`{value}` is no known category"), hint))
    }

    fn known_categories(&self) -> String {
        format!("known are `{}`", self.categories().join("`, `"))
    }

    /// The configured categories, else the common ones.
    fn categories(&self) -> Vec<&str> {
        let configured: Vec<&str> = self.config.categories.keys().map(String::as_str).collect();
        if configured.is_empty() { COMMON.to_vec() } else { configured }
    }
}
