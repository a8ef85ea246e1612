//! Regular expressions of the configuration, in RE2's syntax, and the rules that consist of them.

use std::{borrow::Cow, ops::Deref};

use regex::{Captures, Regex, RegexBuilder};

use super::re2;
use crate::model::{Commit, CommitRef};

/// The maximum size of a compiled pattern, in bytes: `a{1000}{1000}` exceeds it.
const SIZE_LIMIT: usize = 1 << 20;

/// A compiled pattern; two are equal if their texts are.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    text: String,
    regex: Regex,
}

impl Pattern {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let regex = RegexBuilder::new(&re2::translate(text)?).size_limit(SIZE_LIMIT).build();
        Ok(Self { text: text.to_owned(), regex: regex.map_err(|error| reason(&error))? })
    }

    /// Refuses a replacement that refers to a group which the pattern does not define.
    pub(super) fn check_groups(&self, replacement: &str) -> Result<(), String> {
        match groups(replacement).into_iter().find(|name| !self.has_group(name)) {
            Some(name) => Err(format!("refers to group `{name}`, which the pattern does not define")),
            None => Ok(()),
        }
    }

    fn has_group(&self, name: &str) -> bool {
        match name.parse::<usize>() {
            Ok(number) => number < self.regex.captures_len(),
            Err(_) => self.regex.capture_names().flatten().any(|known| known == name),
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn regex(&self) -> &Regex {
        &self.regex
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Pattern {}

/// Returns the last line of the error, since the lines before it repeat the pattern.
fn reason(error: &regex::Error) -> String {
    let text = error.to_string();
    text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

/// A rule for references in titles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LinkRule {
    /// The pattern of a reference.
    pub pattern: Pattern,
    /// The URL that it links to: `$1`, `${1}` and `${name}` are the groups of the pattern, `$$` is a dollar.
    pub url: String,
}

impl LinkRule {
    pub(crate) fn new(pattern: Pattern, url: String) -> Result<Self, String> {
        pattern.check_groups(&url)?;
        Ok(Self { pattern, url })
    }
}

/// A replacement in titles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TitleReplacement {
    /// The pattern of what is replaced, everywhere in the title.
    pub pattern: Pattern,
    /// What it is replaced with: `$1`, `${1}` and `${name}` are the groups of the pattern, `$$` is a dollar.
    pub with: String,
}

impl TitleReplacement {
    /// The longest title that a replacement may make, in bytes.
    const LONGEST: usize = 4096;

    pub(crate) fn new(pattern: Pattern, with: String) -> Result<Self, String> {
        pattern.check_groups(&with)?;
        Ok(Self { pattern, with })
    }

    /// Returns the title of a commit after all replacements; `None` if it is the same. One that is too long afterwards
    /// stays as it was.
    pub(crate) fn apply(replacements: &[Self], title: &str) -> Option<String> {
        let mut new = Cow::Borrowed(title);
        for Self { pattern, with } in replacements {
            let Some(replaced) = replace_all(pattern, &new, with) else { continue };
            let line = replaced.lines().next().unwrap_or_default().trim();
            if line != new && line.len() <= Self::LONGEST {
                new = Cow::Owned(line.to_owned());
            }
        }
        (new != title).then(|| new.into_owned())
    }
}

/// The most bytes of a text in which the groups of a pattern are filled in: a configuration may name a long group many
/// times, in a text that it puts in place of every letter.
const MOST_FILLED_IN: usize = 64 << 10;

/// Replaces a pattern everywhere in a text; `None` if that gets too long.
fn replace_all(pattern: &Pattern, text: &str, with: &str) -> Option<String> {
    let (mut replaced, mut end) = (String::new(), 0);
    for captures in pattern.regex().captures_iter(text) {
        let whole = captures.get_match();
        replaced += &text[end..whole.start()];
        fill_in(&captures, with, &mut replaced)?;
        end = whole.end();
    }
    Some(replaced + &text[end..])
}

/// Appends a text with the groups of a pattern filled in; `None` if the whole gets too long.
pub(crate) fn fill_in(groups: &Captures<'_>, text: &str, into: &mut String) -> Option<()> {
    let most = text.matches('$').count().saturating_mul(groups.get_match().len()).saturating_add(text.len());
    (into.len().saturating_add(most) <= MOST_FILLED_IN).then(|| groups.expand(text, into))
}

/// Returns the groups that a replacement refers to, in the syntax of the `regex` crate.
fn groups(url: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut rest = url;
    while let Some((_, text)) = rest.split_once('$') {
        let braced = text.strip_prefix('{').and_then(|inner| inner.split_once('}'));
        let word =
            text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric() || letter == '_').len();
        match braced {
            Some((name, after)) => {
                names.push(name);
                rest = after;
            }
            None if word > 0 => {
                names.push(&text[..word]);
                rest = &text[word..];
            }
            None => rest = text.strip_prefix('$').unwrap_or(text),
        }
    }
    names
}

/// Commits to skip: those that match any of these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Skip {
    /// IDs or prefixes of them, in lower case.
    pub commits: Vec<String>,
    /// E-mail addresses of authors, in lower case.
    pub authors: Vec<String>,
    /// Patterns to search for in the whole message.
    pub messages: Vec<Pattern>,
    /// Whether to skip commits of which a release in the history of the base tag has a copy already; `None` skips them
    /// unless the configuration is GitLab's.
    pub released: Option<bool>,
}

/// The minimum number of digits of an ID: git does not abbreviate to fewer (`core.abbrev` in git-config(1)).
pub(super) const MIN_DIGITS: usize = 4;

impl Skip {
    pub(crate) fn reason(&self, commit: &CommitRef<'_>) -> Option<String> {
        if let Some(id) = self.commits.iter().find(|id| commit.id.starts_with(id)) {
            return Some(format!("commit `{id}`"));
        }
        if let Some(email) = self.authors.iter().find(|email| commit.author.email.eq_ignore_ascii_case(email)) {
            return Some(format!("author `{email}`"));
        }
        let pattern = self.messages.iter().find(|pattern| pattern.regex().is_match(&commit.message))?;
        Some(format!("message `{}`", pattern.text()))
    }
}

/// A rule: patterns that all have to match a commit, and how the commit is classified then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EntryRule {
    /// The pattern of the title.
    pub title: Option<Pattern>,
    /// The pattern of the rest of the message.
    pub body: Option<Pattern>,
    /// The pattern of the author, `Name <address>`.
    pub author: Option<Pattern>,
    /// The pattern of one of the trailers, `Key: value`.
    pub trailer: Option<Pattern>,
    /// The category that the commit is listed under; `$1` and the like are the groups of the first pattern.
    pub category: Option<String>,
    /// The part of the project that the commit is about, with groups too.
    pub scope: Option<String>,
    pub skip: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RuleMatch<'a> {
    /// The category that the commit is listed under; `None` skips the commit.
    pub category: Option<String>,
    /// The part of the project, if the rule names one.
    pub scope: Option<String>,
    /// Whether the rule names a part, even if the title of this commit has none.
    pub has_scope: bool,
    /// The title without the text that named the part of the project.
    pub title: &'a str,
}

impl EntryRule {
    pub(crate) fn patterns(&self) -> impl Iterator<Item = &Pattern> {
        [&self.title, &self.body, &self.author, &self.trailer].into_iter().flatten()
    }

    /// Applies the rule to a commit of this title; `None` if it does not match.
    pub(crate) fn apply<'a, T: Deref<Target = str>>(
        &self,
        title: &'a str,
        commit: &'a Commit<T>,
    ) -> Option<RuleMatch<'a>> {
        let body = commit.message.get(commit.subject().len()..).unwrap_or_default();
        let author = self.author.as_ref().map(|_| format!("{} <{}>", &*commit.author.name, &*commit.author.email));
        let lines: Vec<String> = match &self.trailer {
            Some(_) => commit.trailers.iter().map(|found| format!("{}: {}", &*found.key, &*found.value)).collect(),
            None => Vec::new(),
        };
        let texts = [
            (&self.title, vec![title]),
            (&self.body, vec![body]),
            (&self.author, author.iter().map(String::as_str).collect()),
            (&self.trailer, lines.iter().map(String::as_str).collect()),
        ];
        let mut groups = None;
        for (pattern, texts) in &texts {
            let Some(pattern) = pattern else { continue };
            let found = texts.iter().find_map(|text| pattern.regex().captures(text))?;
            groups.get_or_insert(found);
        }
        let groups = groups?;
        if self.skip {
            return Some(RuleMatch { category: None, scope: None, has_scope: false, title });
        }
        let category = expand(&groups, self.category.as_deref()?).filter(|category| !category.is_empty())?;
        let scope = self.scope.as_deref().and_then(|scope| expand(&groups, scope)).filter(|scope| !scope.is_empty());
        let named = self.title.as_ref().and_then(|_| groups.get(0)).filter(|whole| whole.start() == 0);
        let has_scope = self.scope.is_some();
        let rest = named.filter(|_| has_scope).map(|whole| title[whole.end()..].trim_start());
        let title = rest.filter(|rest| !rest.is_empty()).unwrap_or(title);
        Some(RuleMatch { category: Some(category), scope, has_scope, title })
    }
}

fn expand(groups: &Captures<'_>, text: &str) -> Option<String> {
    let mut expanded = String::new();
    fill_in(groups, text, &mut expanded)?;
    Some(expanded.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_refers_to_groups_of_its_pattern_only() {
        let link = |url: &str| LinkRule::new(Pattern::parse(r"(?P<key>[A-Z]+)-(\d+)").unwrap(), url.to_owned());
        for url in ["https://x/", "https://x/$1/$2", "https://x/${key}-$2", "https://x/$0?a=$$5", "https://x/$"] {
            assert!(link(url).is_ok(), "{url}");
        }
        for (url, name) in [("https://x/$3", "3"), ("https://x/$1_a", "1_a"), ("https://x/${number}", "number")] {
            let reason = link(url).unwrap_err();
            assert!(reason.contains(&format!("`{name}`")), "{reason}");
        }
    }
}
