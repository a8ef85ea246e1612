//! A first settings file: the categories in use, and the shape of the tags.

use std::fmt::Write as _;

use indexmap::IndexMap;

use super::tag_pattern::TagPattern;
use crate::model::Commit;

/// What a history shows about how it is kept.
#[derive(Debug)]
pub struct Starter {
    /// Values of the trailer in use, the most frequent first; the usual ones where there is none.
    categories: Vec<String>,
    /// What stands before the version in tags, where the default rule reads none of them.
    prefix: Option<String>,
}

impl Starter {
    /// Looks at a history and its tags.
    #[must_use]
    pub fn of(commits: &[Commit], tags: &[String], usual: &[&str]) -> Self {
        let mut counts: IndexMap<&str, usize> = IndexMap::new();
        for value in commits.iter().filter_map(|commit| commit.trailer("Changelog")).filter(|value| !value.is_empty()) {
            *counts.entry(value).or_default() += 1;
        }
        counts.sort_by(|_, left, _, right| right.cmp(left));
        let used = counts.into_keys().map(str::to_owned).collect::<Vec<_>>();
        let categories = if used.is_empty() { usual.iter().map(|&word| word.to_owned()).collect() } else { used };
        Self { categories, prefix: prefix(tags) }
    }

    /// The text of the file, with a comment per key.
    #[must_use]
    pub fn settings(&self) -> String {
        let mut text = "# Trailer value: title. The order is that of the section.\ncategories:\n".to_owned();
        for category in &self.categories {
            // A JSON string is a YAML one; a String takes all that is written.
            let key = serde_json::Value::from(category.as_str());
            let title = serde_json::Value::from(capitalized(category));
            let _ = writeln!(text, "  {key}: {title}");
        }
        text.push_str("\n# The date of the header, for strftime.\n# date_format: \"%Y-%m-%d\"\n");
        text.push_str("\n# Which tags are versions, in RE2 syntax; without it `v?` and a semantic version.\n");
        let prefix = regex::escape(self.prefix.as_deref().unwrap_or("v")).replace('\'', "''");
        let pattern = r"(?P<major>\d+)\.(?P<minor>\d+)\.(?P<patch>\d+)(-(?P<pre>.+))?$";
        let shown = if self.prefix.is_some() { "" } else { "# " };
        let _ = writeln!(text, "{shown}tag_regex: '^{prefix}{pattern}'");
        text.push_str(
            "\n# What a category raises the next version by, over the default rule.\n# bump:\n#   added: minor\n",
        );
        text.push_str("\n# A template: section, keep-a-changelog, compact, github-release, or a file.\n# template_file: section\n");
        text
    }
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The most frequent text before a version, where no tag is a version by the default rule.
fn prefix(tags: &[String]) -> Option<String> {
    if tags.iter().any(|tag| TagPattern::Default.stable_version(tag).is_some()) {
        return None;
    }
    let mut counts: IndexMap<&str, usize> = IndexMap::new();
    for tag in tags {
        let digits = tag
            .char_indices()
            .find(|(at, letter)| letter.is_ascii_digit() && TagPattern::Default.stable_version(&tag[*at..]).is_some());
        if let Some((at, _)) = digits {
            *counts.entry(&tag[..at]).or_default() += 1;
        }
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(prefix, _)| prefix.to_owned())
}
