//! The replacements of git-cliff in messages and in the finished text. What makes a link of a reference becomes a rule of
//! `links`; what fills a placeholder, such as `<REPO>`, is done here.

use std::sync::LazyLock;

use regex::Regex;

use super::outcome::{Migration, text_of};
use crate::config::{Field, TitleReplacement};

/// A replacement that is a Markdown link.
static LINK: LazyLock<Regex> = LazyLock::new(|| constant(r"^([^\[\]]*)\[([^\[\]]+)\]\(([^()\s]+)\)([^\[\]]*)$"));
/// The text of such a link: words, and the group with a number or name.
static REFERENCE: LazyLock<Regex> = LazyLock::new(|| constant(r"^([^$]*)\$(?:\{(\d+)\}|(\d+))$"));
static GROUP: LazyLock<Regex> = LazyLock::new(|| constant(r"\$(?:\{(\d+)\}|(\d+))"));

const COMMAND: &str = "a command is not run on messages: `replace` replaces patterns in titles";
const ADDRESS: &str = "write the address in `links`";

fn constant(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is constant and valid")
}

/// The replacements in the finished text, and which of them were of use.
#[derive(Default)]
pub(super) struct Postprocessors<'f> {
    all: Vec<Postprocessor<'f>>,
}

struct Postprocessor<'f> {
    element: Field<'f>,
    pattern: Regex,
    with: String,
    is_used: bool,
}

impl<'f> Postprocessors<'f> {
    /// Reads those with a pattern; a command, or a pattern that RE2 would refuse, is a loss.
    pub(super) fn read(migration: &mut Migration, list: Option<Field<'f>>) -> anyhow::Result<Self> {
        let mut all = Vec::new();
        for element in list.map_or(Ok(Vec::new()), |list| list.elements())? {
            let fields = element.fields()?;
            let (Some(pattern), Some(with)) = (text_of(&fields, "pattern")?, text_of(&fields, "replace")?) else {
                migration.lose(KEY, &element, "a command is not run on the section");
                continue;
            };
            if let Some(pattern) = migration.pattern(KEY, &element, &pattern) {
                all.push(Postprocessor { element, pattern: pattern.regex().clone(), with, is_used: false });
            }
        }
        Ok(Self { all })
    }

    /// Returns a part of the finished text as it will be.
    pub(super) fn apply(&mut self, text: &str) -> String {
        self.all.iter_mut().fold(text.to_owned(), |text, one| {
            one.is_used |= one.pattern.is_match(&text);
            one.pattern.replace_all(&text, one.with.as_str()).into_owned()
        })
    }

    /// Makes links of the others, as far as they only make links, and records the rest as lost.
    pub(super) fn take_links(self, migration: &mut Migration) {
        for one in self.all.into_iter().filter(|one| !one.is_used) {
            match Link::of(one.pattern.as_str(), &one.with) {
                Some(link) if link.changes_nothing_else(one.pattern.as_str()) => {
                    link.take(migration, KEY, &one.element);
                }
                _ => migration.lose(
                    KEY,
                    &one.element,
                    "the section is not edited: `links` and templates make it what it is",
                ),
            }
        }
    }
}

const KEY: &str = "changelog.postprocessors";

/// Takes over a replacement in messages; what it does to the text below the title is left out.
pub(super) fn take_preprocessor(
    migration: &mut Migration,
    posts: &mut Postprocessors,
    element: &Field,
) -> anyhow::Result<()> {
    const KEY: &str = "git.commit_preprocessors";
    let fields = element.fields()?;
    let (Some(text), Some(with)) = (text_of(&fields, "pattern")?, text_of(&fields, "replace")?) else {
        migration.lose(KEY, element, COMMAND);
        return Ok(());
    };
    let Some(pattern) = migration.pattern(KEY, element, &text) else { return Ok(()) };
    let mut with = posts.apply(&with);
    if let Some(link) = Link::of(&text, &with) {
        let is_identity = link.changes_nothing_else(&text);
        with = link.plain();
        link.take(migration, KEY, element);
        if is_identity {
            return Ok(());
        }
    } else if LINK.is_match(&with) {
        migration.lose(KEY, element, ADDRESS);
        return Ok(());
    }
    match TitleReplacement::new(pattern, with) {
        Ok(replacement) => migration.config.replacements.push(replacement),
        Err(why) => migration.lose(KEY, element, format!("the replacement {why}")),
    }
    Ok(())
}

/// A replacement that makes a link of a reference, such as `[#${2}](https://host/issues/${2})`.
struct Link {
    before: String,
    /// The text before the group, such as `#`.
    word: String,
    group: String,
    /// The pattern of the group.
    inner: String,
    url: String,
    after: String,
}

impl Link {
    /// Takes a replacement apart; `None` if it is not a link, or has more groups than one.
    fn of(pattern: &str, with: &str) -> Option<Self> {
        let link = LINK.captures(with)?;
        let reference = REFERENCE.captures(&link[2])?;
        let group = reference.get(2).or_else(|| reference.get(3))?.as_str().to_owned();
        let is_other = |found: regex::Captures| found.iter().skip(1).flatten().any(|name| name.as_str() != group);
        if GROUP.captures_iter(&link[3]).any(is_other) {
            return None;
        }
        let inner = group_of(pattern, group.parse().ok()?)?.to_owned();
        let url = GROUP.replace_all(&link[3], "$${1}").into_owned();
        Some(Self {
            before: link[1].to_owned(),
            word: reference[1].to_owned(),
            group,
            inner,
            url,
            after: link[4].to_owned(),
        })
    }

    /// Returns the replacement without the link.
    fn plain(&self) -> String {
        let Self { before, word, group, after, .. } = self;
        format!("{before}{word}${{{group}}}{after}")
    }

    /// Whether the replacement is what its pattern finds, besides the link.
    fn changes_nothing_else(&self, pattern: &str) -> bool {
        let Self { before, word, inner, after, .. } = self;
        let same = format!("{before}{word}({inner}){after}");
        pattern.replace('\\', "") == same.replace('\\', "")
    }

    /// Makes a rule of `links`. Without an address it is one that tidings knows: those of `#12` are links anyway.
    fn take(self, migration: &mut Migration, key: &str, element: &Field) {
        if ["https://", "http://"].iter().any(|scheme| self.url.starts_with(scheme)) {
            let pattern = format!("{}({})", regex::escape(&self.word), self.inner);
            migration.link(key, element, &pattern, self.url);
        } else if !["#", "!"].contains(&self.word.as_str()) {
            migration.lose(key, element, ADDRESS);
        }
    }
}

/// Returns the pattern in a group, given by its number.
fn group_of(pattern: &str, number: usize) -> Option<&str> {
    let (mut count, mut open, mut is_escaped, mut is_class) = (0, Vec::new(), false, false);
    for (at, sign) in pattern.char_indices() {
        let was_escaped = is_escaped;
        is_escaped = sign == '\\' && !was_escaped;
        match sign {
            _ if was_escaped => {}
            '[' => is_class = true,
            ']' => is_class = false,
            '(' if !is_class => {
                let is_counted = !pattern[at + 1..].starts_with('?');
                count += usize::from(is_counted);
                open.push((at + 1, if is_counted { count } else { 0 }));
            }
            ')' if !is_class => {
                let (start, group) = open.pop()?;
                if group == number {
                    return Some(&pattern[start..at]);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pattern_of_a_group_is_found() {
        for (pattern, number, expected) in [
            (r"\((\w+\s)?#([0-9]+)\)", 2, Some("[0-9]+")),
            (r"\((\w+\s)?#([0-9]+)\)", 1, Some(r"\w+\s")),
            ("a(?:b)(c)", 1, Some("c")),
            ("[(](a(b))", 1, Some("a(b)")),
            ("[(](a(b))", 2, Some("b")),
            ("(a)", 2, None),
        ] {
            assert_eq!(group_of(pattern, number), expected, "{pattern}");
        }
    }

    #[test]
    fn a_link_is_taken_apart() {
        let shown = |pattern: &str, with: &str| {
            let link = Link::of(pattern, with)?;
            Some((link.plain(), link.changes_nothing_else(pattern), link.url))
        };
        let jira = shown("JIRA-([0-9]+)", "[JIRA-$1](https://jira/$1)").unwrap();
        assert_eq!(jira, ("JIRA-${1}".to_owned(), true, "https://jira/${1}".to_owned()));
        let issue = shown(r"\((\w+\s)?#([0-9]+)\)", "([#${2}](https://host/issues/${2}))").unwrap();
        assert_eq!(issue, ("(#${2})".to_owned(), false, "https://host/issues/${1}".to_owned()));
        assert!(shown(r"\(#(\d+)\)", "([#${1}](https://host/${1}))").unwrap().1);
        for with in ["plain", "[a](https://host)", "[#${1}](https://host/${1}/${2})", "[a${1}b](https://host/${1})"] {
            assert_eq!(shown("(a)(b)", with), None, "{with}");
        }
    }
}
