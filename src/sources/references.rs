//! Links to the references in titles; what is Markdown already stays as it is.

use std::{collections::BTreeMap, fmt::Write as _, ops::Range, sync::LazyLock};

use indexmap::IndexSet;
use regex::Regex;

use crate::{
    config::{LinkRule, fill_in},
    model::Reference,
};

/// Links the references of a title. Returns the title in Markdown, if it has any, and the references in their order.
///
/// If references overlap, the first rule is used. Code, links, tags and URLs stay as they are.
pub(crate) fn link_references(title: &str, links: &[LinkRule]) -> (Option<String>, Vec<Reference>) {
    // Most titles have no references, and need no further work.
    if !links.iter().any(|rule| rule.pattern.regex().is_match(title)) {
        return (None, Vec::new());
    }
    // By their starts; none overlaps another.
    let mut taken: BTreeMap<usize, usize> = markdown(title).into_iter().map(|range| (range.start, range.end)).collect();
    let mut found: Vec<(Range<usize>, Reference)> = Vec::new();
    for rule in links {
        for captures in rule.pattern.regex().captures_iter(title) {
            let Some(whole) = captures.get(0).filter(|whole| !whole.is_empty()) else { continue };
            if taken.range(..whole.end()).next_back().is_some_and(|(_, end)| whole.start() < *end) {
                continue;
            }
            let mut url = String::new();
            if fill_in(&captures, &rule.url, &mut url).is_none() {
                continue;
            }
            taken.insert(whole.start(), whole.end());
            found.push((whole.range(), Reference { text: escape(whole.as_str()), url: encode(&url) }));
        }
    }
    found.sort_by_key(|(range, _)| range.start);
    let (mut text, mut end) = (String::new(), 0);
    let mut references: IndexSet<Reference> = IndexSet::new();
    for (range, reference) in found {
        text += &title[end..range.start];
        text.extend(["[", &reference.text, "](", &reference.url, ")"]);
        end = range.end;
        references.insert(reference);
    }
    (Some(text + &title[end..]).filter(|_| end > 0), references.into_iter().collect())
}

/// Returns the parts of a title that stay as they are: code, links and images, tags, URLs and character references
/// (commonmark.org, "Inlines").
fn markdown(title: &str) -> Vec<Range<usize>> {
    static MARKDOWN: LazyLock<Regex> = LazyLock::new(|| {
        let code = "``[^`].*?``|`[^`]+`";
        let link = r"\[(?:[^\[\]]|\[[^\[\]]*\])*\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])";
        let address = r"<[^<>\s][^<>]*>|[A-Za-z][A-Za-z0-9+.-]*://\S+";
        let character = "&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);";
        Regex::new(&format!("{code}|{link}|{address}|{character}")).expect("the pattern is a constant")
    });
    MARKDOWN.find_iter(title).map(|found| found.range()).collect()
}

/// Escapes the brackets in the text of a link.
fn escape(text: &str) -> String {
    text.replace('[', "\\[").replace(']', "\\]")
}

/// Percent-encodes the characters of a URL that would end the destination of a link.
fn encode(url: &str) -> String {
    let mut safe = String::with_capacity(url.len());
    for letter in url.chars() {
        match letter {
            '(' | ')' | '<' | '>' | '"' | '\\' | '`' | '[' | ']' | '\0'..=' ' | '\x7f' => {
                // Writing to a string cannot fail.
                let _ = write!(safe, "%{:02X}", u32::from(letter));
            }
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config;

    fn linked(title: &str) -> Option<String> {
        let config = "links:\n  '#(\\d+)': https://git.example/-/issues/$1\n  '\\b[A-Z]+-\\d+\\b': https://jira.example/$0\n  \
                        '\\[x(.*?)\\]': 'https://x.example/$1'\n";
        let links = config::parse(config, "c.yml").unwrap().0.links;
        link_references(title, &links).0
    }

    #[test]
    fn references_become_links_and_the_rest_stays() {
        let expected = "Fix [#7](https://git.example/-/issues/7), é [ABC-12](https://jira.example/ABC-12)!";
        assert_eq!(linked("Fix #7, é ABC-12!").as_deref(), Some(expected));
        assert_eq!(linked("Fix it"), None);
        assert_eq!(link_references("Fix #7", &[]), (None, Vec::new()));
        assert_eq!(linked("a [x(b) c]").as_deref(), Some(r"a [\[x(b) c\]](https://x.example/%28b%29%20c)"));
    }

    #[test]
    fn markdown_and_urls_stay_as_they_are() {
        for title in [
            "Fix [#7](https://elsewhere.example)",
            "Fix [see #7 (here)](u(#7)) too",
            "Fix [ABC-1][#7]",
            "Fix `#7` and ``a ` #7``",
            "Fix https://git.example/a#7",
            "Fix <a href='#7'>",
            "Keep &#39; and &#x27; apart",
        ] {
            assert_eq!(linked(title), None, "{title}");
        }
        let beside = linked("Fix [a](b) #7 `ABC-1`");
        assert_eq!(beside.as_deref(), Some("Fix [a](b) [#7](https://git.example/-/issues/7) `ABC-1`"));
        assert_eq!(linked("Fix [ABC-1]").as_deref(), Some("Fix [[ABC-1](https://jira.example/ABC-1)]"));
    }

    #[test]
    fn each_reference_is_listed_once() {
        let links = config::parse("links: {'#\\d+': 'https://x/$0', '\\d+': 'https://y/$0'}", "c.yml").unwrap().0.links;
        let references = link_references("#7 #8 #7 9", &links).1;
        let urls: Vec<_> = references.iter().map(|reference| reference.url.as_str()).collect();
        assert_eq!(urls, ["https://x/#7", "https://x/#8", "https://y/9"]);
    }
}
