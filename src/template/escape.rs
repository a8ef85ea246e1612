//! Titles as Markdown that shows them as they are: users wrote them as plain text, with code in backticks.

use crate::model::is_digits;

/// Escapes every sign of a text that Markdown would read as markup. Code in backticks stays, and `@name` becomes code,
/// because a forge would notify the user of that name.
///
/// Each of `links`, a text and an address, becomes a link wherever its text occurs, except in code and addresses; a
/// link whose text does not occur is appended.
pub(crate) fn escape(text: &str, links: &[(&str, &str)]) -> String {
    let others = links.iter().filter(|(name, _)| !text.contains(&name.replace('\\', "")));
    let others = others.map(|(name, address)| format!(" ({})", link(name, address)));
    std::iter::once(escape_after("", text, links)).chain(others).collect()
}

/// Returns a link with this text, or only the text without an address.
pub(super) fn link(text: &str, address: &str) -> String {
    // The signs that would end the address.
    const ENDS: [(&str, &str); 5] = [(" ", "%20"), ("(", "%28"), (")", "%29"), ("<", "%3C"), (">", "%3E")];
    if address.is_empty() {
        return escape(text, &[]);
    }
    let address = ENDS.iter().fold(address.to_owned(), |address, (sign, code)| address.replace(sign, code));
    ["[", &escape_within(text), "](", &address, ")"].concat()
}

/// Escapes a text that does not begin a line or an item: at its start, fewer signs are markup.
pub(super) fn escape_within(text: &str) -> String {
    escape_after("[", text, &[])
}

/// Escapes a text that follows another one.
fn escape_after(start: &str, text: &str, links: &[(&str, &str)]) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let (before, rest) = text.split_at(at);
        let is_here = |(name, _): &&(&str, &str)| {
            !name.is_empty()
                && rest.starts_with(name)
                && !before.rsplit(char::is_whitespace).next().is_some_and(|word| word.contains("://"))
        };
        // The longest name wins: `#123` is not `#12` and a digit.
        if let Some((name, address)) = links.iter().filter(is_here).max_by_key(|(name, _)| name.len()) {
            escaped += &self::link(name, address);
            at += name.len();
        } else if first == '`' {
            at += code(rest, &mut escaped);
        } else if first == '@' && may_be_mention(before, &escaped) {
            at += mention(rest, &mut escaped);
        } else {
            let next = rest[first.len_utf8()..].chars().next();
            let before = if before.trim().is_empty() { start } else { before };
            if is_markup(before, first, next) {
                escaped.push('\\');
            }
            escaped.push(first);
            at += first.len_utf8();
        }
    }
    escaped
}

/// Copies a code span, or escapes backticks that are not closed; returns the number of bytes of the text used.
fn code(rest: &str, escaped: &mut String) -> usize {
    let run = |text: &str| text.len() - text.trim_start_matches('`').len();
    let open = run(rest);
    let mut at = open;
    while let Some(next) = rest[at..].find('`') {
        let close = run(&rest[at + next..]);
        at += next + close;
        if close == open {
            *escaped += &rest[..at];
            return at;
        }
    }
    *escaped += &"\\`".repeat(open);
    open
}

/// Whether a name may begin with `@` here: not within a word, such as an address, but directly after code.
fn may_be_mention(before: &str, escaped: &str) -> bool {
    escaped.ends_with('`') || !before.ends_with(|last: char| last.is_alphanumeric() || last == '_')
}

/// Puts the name of a user or a package into code; returns the number of bytes of the text used. Beside a backtick there
/// can be no code: there an invisible character (a word joiner) parts the name from its sign.
fn mention(rest: &str, escaped: &mut String) -> usize {
    let end = rest[1..].find(|letter: char| !letter.is_ascii_alphanumeric() && !"-_/.".contains(letter));
    let end = end.map_or(rest.len(), |end| end + 1);
    let name = rest[..end].trim_end_matches(['-', '_', '/', '.']);
    if name.len() < 2 || escaped.ends_with('`') || rest[name.len()..].starts_with('`') {
        *escaped += if name.len() < 2 { "@" } else { "@\u{2060}" };
        return 1;
    }
    *escaped += &["`", name, "`"].concat();
    name.len()
}

/// Whether Markdown reads a sign as markup after the text before it and before the next sign.
fn is_markup(before: &str, sign: char, next: Option<char>) -> bool {
    let is_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    match sign {
        '<' | '*' | '[' | ']' | '~' => true,
        '\\' => next.is_none_or(|next| next.is_ascii_punctuation()),
        // Within a word it is not markup.
        '_' => !(is_word(before.chars().next_back()) && is_word(next)),
        '&' => next.is_some_and(|next| next == '#' || next.is_ascii_alphabetic()),
        // At the beginning, these begin headings, lists and quotes.
        '-' | '+' | '>' | '=' => before.trim().is_empty(),
        '#' => before.trim().is_empty() && next.is_none_or(|next| next == '#' || next.is_whitespace()),
        '.' | ')' => is_digits(before.trim()) && next.is_none_or(char::is_whitespace),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*, sample::select};
    use pulldown_cmark::{Event, Options, Parser, Tag};

    use super::*;

    /// Returns the visible text of an entry with this title; `None` if it has other markup than code.
    fn shown(markdown: &str) -> Option<String> {
        let mut text = String::new();
        for event in Parser::new_ext(markdown, Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TABLES) {
            match event {
                Event::Text(part) | Event::Code(part) => text += &part,
                Event::End(_) | Event::Start(Tag::List(_) | Tag::Item | Tag::Paragraph) => {}
                _ => return None,
            }
        }
        Some(text)
    }

    #[test]
    fn titles_are_read_as_they_were_written() {
        for (title, expected) in [
            ("rewrite assets url in <template>", "rewrite assets url in \\<template>"),
            ("keep __init__ and snake_case", "keep \\_\\_init\\_\\_ and snake_case"),
            ("use `<T>` and `a_b`", "use `<T>` and `a_b`"),
            ("bump @vue/tsconfig, ask ida@harbor.example", "bump `@vue/tsconfig`, ask ida@harbor.example"),
            ("add [x](y) ] *bold*", "add \\[x\\](y) \\] \\*bold\\*"),
            ("end with \\", "end with \\\\"),
            ("# 1 and `open", "\\# 1 and \\`open"),
            ("1. step &amp; ~gone~", "1\\. step \\&amp; \\~gone\\~"),
            ("C:\\temp", "C:\\temp"),
        ] {
            assert_eq!(escape(title, &[]), expected);
            let visible = title.replace('`', "");
            let read = shown(&format!("- {expected}")).map(|text| text.replace('`', ""));
            assert_eq!(read, Some(visible), "{expected}");
        }
    }

    /// Returns what a forge searches for names of users: the text outside of code.
    fn outside_of_code(markdown: &str) -> String {
        let mut text = String::new();
        for event in Parser::new_ext(markdown, Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TABLES) {
            match event {
                Event::Text(part) => text += &part,
                _ => text.push(' '),
            }
        }
        text
    }

    #[test]
    fn no_user_is_notified() {
        let name = regex::Regex::new(r"(?:^|\W)@\w").unwrap();
        for title in
            ["@all", "see `@all", "`a`@all", "@all`", "`@all` @all", "a `` @all", "(@all)", "\\`@all", "@all@all"]
        {
            let text = outside_of_code(&format!("- {}", escape(title, &[])));
            assert!(!name.is_match(&text), "{title}: {text}");
        }
    }

    #[test]
    fn references_become_links_outside_of_code_and_addresses() {
        let links = [("#12", "https://x/12")];
        assert_eq!(escape("mend *it* #12", &links), "mend \\*it\\* [#12](https://x/12)");
        assert_eq!(escape("see `#12` https://y/#12", &links), "see `#12` https://y/#12");
        assert_eq!(escape("mend *it*", &links), "mend \\*it\\* ([#12](https://x/12))");
        let links = [links[0], ("#123", "https://x/123")];
        assert_eq!(escape("#123 and #12", &links), "[#123](https://x/123) and [#12](https://x/12)");
    }

    proptest! {
        #[test]
        fn no_title_is_markup(pieces in vec(select(vec![
            "a", "b1", " ", "<", ">", "*", "**", "_", "[", "]", "(", ")", "\\", "`", "``", "@", "@ida", "&", "&lt;", "#", "-", "+",
            "=", "1.", "~", "~~", "!", "|", "://", ".", "é", "<b>", "](x)",
        ]), 0..20)) {
            let title = pieces.concat();
            let title = title.trim();
            let plain = |text: &str| text.replace(['`', ' ', '\u{2060}'], "");
            let read = shown(&format!("- x {} (y)", escape(title, &[])));
            prop_assert_eq!(read.as_deref().map(plain), Some(plain(&format!("x {title} (y)"))), "{}", escape(title, &[]));
            let searched = outside_of_code(&format!("- x {} (y)", escape(title, &[])));
            prop_assert!(!searched.contains(" @ida"), "{}", searched);
        }
    }
}
