//! Properties that hold for any input. Each function panics if its property does not hold for the given bytes: the fuzz
//! targets in `fuzz/` call them with everything, the tests below with a fixed number of inputs that look right.

#![expect(clippy::missing_panics_doc, reason = "to panic is what they are for")]

use std::path::Path;

use serde_json::json;

use crate::{
    api::Headers,
    config::{
        self,
        HeadingRule::{File, GitLab},
        Pattern,
    },
    document::{Document, InsertOptions, Insertion},
    model::{Date, Section, Source, printable_lines},
    setup::migration,
    template::Template,
    versions::tag_pattern::TagPattern,
};

pub use crate::git::properties::{commit, fetch, notes, pack};

/// A configuration file is read, or refused with its name and without control characters.
pub fn config(data: &[u8]) {
    match config::parse(data, "c.yml") {
        Ok((config, _)) => {
            let _ = TagPattern::from_config(&config);
            let _ = Template::from_config(&config, |path| anyhow::bail!("`{path}` is not read"));
        }
        Err(error) => {
            let error = error.to_string();
            assert!(error.contains("c.yml") && printable_lines(&error) == error, "{error:?}");
        }
    }
}

/// The configuration of another tool is taken over, or refused with its name and without control characters.
pub fn foreign_config(data: &[u8]) {
    for name in migration::files().into_iter().chain(["package.json", "pyproject.toml", "Cargo.toml"]) {
        match migration::read(name, data, &|_| Ok(None)) {
            Ok((tool, _)) => assert!(!tool.is_empty()),
            Err(error) => {
                let error = error.to_string();
                assert!(error.contains(name) && printable_lines(&error) == error, "{error:?}");
            }
        }
    }
}

/// A template in GitLab's language ends, and text without its signs is printed as it is.
pub fn template(data: &[u8]) {
    renders("t", data, &['{', '%', '\\']);
}

/// A Handlebars template ends without a panic of the library, and text without its signs is printed as it is.
pub fn handlebars(data: &[u8]) {
    renders("t.hbs", data, &['{', '\\']);
}

fn renders(name: &str, data: &[u8], signs: &[char]) {
    let text = String::from_utf8_lossy(data);
    let values = json!({"a": [1, [2, [3, [4, [5]]]], {"a": "b"}], "b": "x", "e": [], "o": {"it": 1}, "n": null});
    let rendered = Template::parse(Source::new(name, &*text)).and_then(|template| template.render_data(&values));
    match rendered {
        Ok(rendered) => assert!(text.contains(signs) || rendered == text, "{rendered:?}"),
        Err(error) => {
            let error = format!("{error:#}");
            assert!(text.contains(signs) || text.len() > 16 << 10, "{error}");
            assert!(text.contains("panic") || !error.contains("panic"), "{error}");
        }
    }
}

/// A regular expression of RE2 is translated or refused, and a quoted text matches itself.
pub fn regex(data: &[u8]) {
    let text = String::from_utf8_lossy(&data[..data.len().min(500)]);
    let _ = Pattern::parse(&text);
    if !text.contains("\\E") {
        let pattern = Pattern::parse(&format!(r"^\Q{text}\E$")).expect("a quoted text is a regular expression");
        assert!(pattern.regex().is_match(&text), "{text:?}");
    }
}

/// A document keeps its bytes when a section is inserted by GitLab's rule, once, and the section is found again. In the
/// style of the file it is inserted or refused.
pub fn document(data: &[u8]) {
    assert_eq!(Document::parse(data).into_bytes(), data);
    for (version, rule) in
        ["1.5.0", "0.0.1", "99.0.0-rc.1"].iter().zip([GitLab, File, GitLab]).chain([(&"1.5.0", File)])
    {
        let (day, body) = (Some("2026-01-02".to_owned()), "- One".to_owned());
        let section = Section { version: (*version).to_owned(), date: day, body };
        let is_gitlab = rule == GitLab;
        let options = InsertOptions::new(rule, Date::now());
        let mut document = Document::parse(data);
        let mut insert = |replace| {
            let inserted = document.insert(&section, Path::new("C.md"), &InsertOptions { replace, ..options.clone() });
            inserted.map(|insertion| (insertion, document.clone()))
        };
        let Ok((insertion, once)) = insert(false) else { continue };
        assert_eq!(insertion == Insertion::Unchanged, once.as_bytes() == data);
        if is_gitlab {
            assert!(is_subsequence(data, once.as_bytes()), "bytes are lost");
            assert_eq!(insert(false).ok().map(|(insertion, _)| insertion), Some(Insertion::Unchanged));
            assert!(once.section(version).is_some());
            if insert(true).is_ok() {
                assert_eq!(insert(true).ok().map(|(insertion, _)| insertion), Some(Insertion::Unchanged));
            }
        }
    }
}

/// Reads the token of the next page from any headers; there is one only if a `Link` header has a next page.
pub fn paging(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let headers = text.lines().filter_map(|line| line.split_once(": "));
    let headers: Headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    if let Some(token) = headers.next_page_token() {
        assert!(headers.get("link").is_some_and(|link| link.contains("page") && link.contains("next")), "{token:?}");
    }
}

fn is_subsequence(part: &[u8], whole: &[u8]) -> bool {
    let mut whole = whole.iter();
    part.iter().all(|byte| whole.any(|other| other == byte))
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*, sample::select};

    use super::*;

    /// Pieces of a language, and now and then any bytes.
    fn input(pieces: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
        let piece = select(pieces).prop_map(|piece| piece.as_bytes().to_vec());
        vec(prop_oneof![12 => piece, 1 => vec(any::<u8>(), 0..4)], 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn configurations(data in input(&[
            "categories", "template", "template_file", "tag_regex", "authors", "links", "a", ":", ": ", "\n", "\n  ", "- ", "[", "]",
            "{", "}", ",", "*x", "&x ", "|", ">", "|2-", "'", "\"", "? ", "!!str ", "---", "...", "#", "<<", "1.5", "~", "é", "\t",
            "%YAML 1.1\n", "\\e", "\u{202e}",
        ])) {
            config(&data);
        }

        #[test]
        fn configurations_of_other_tools(data in input(&[
            "[git]\n", "[changelog]\n", "[tool.git-cliff.git]\n", "commit_parsers = ", "tag_pattern = ", "{ message = \"^feat\", group = \"a\" }",
            "\"", "'", "[", "]", "{", "}", ",", ":", " = ", "\n", "types", "\"types\"", "\"plugins\"", "\"branches\"", "\"packages\"",
            "\"release-type\"", "\"release\"", "\"standard-version\"", "\"section\"", "\"hidden\"", "true", "null", "1.5", "1e999", "- ",
            "*x", "&x ", "---\n", "\\u202e", "\u{202e}", "é", "\t",
        ])) {
            foreign_config(&data);
        }

        #[test]
        fn templates(data in input(&[
            "{{", "}}", "{%", "%}", "{", "}", "%", "\\", "\n", "{% if a %}", "{% else %}", "{% end %}", "{% each a %}", "{% each it %}",
            "{{ a }}", "{{ it }}", " ", "\t", "a", "it", ".", "0", "if", "each", "end", "é", "-",
        ])) {
            template(&data);
        }

        #[test]
        fn handlebars_templates(data in input(&[
            "{{", "}}", "{{{", "}}}", "{{#if a}}", "{{/if}}", "{{else}}", "{{#each a}}", "{{/each}}", "{{^}}", "{{else if a}}", "{{!-- ",
            "--}}", "{{{{raw}}}}", "{{{{/raw}}}}", "\\{{", "\\", "~", "a", "this", "..", "/", "(", ")", "[0]", "\"", "\n", " ", "@index",
            "|x|", "as", "upper", "{{a}}", "{{upper a}}", "é", "=", "&", "^", "#",
        ])) {
            handlebars(&data);
        }

        #[test]
        fn regular_expressions(data in input(&[
            "\\", "\\Q", "\\E", "[", "]", "[:alpha:]", "^", "-", "&&", "~~", "(", ")", "(?P<a>", "(?<a>", "(?i)", "{", "}", "1000", ",",
            "*", "+", "?", "|", ".", "$", "\\d", "\\pL", "\\x{41}", "\\b", "a", "é",
        ])) {
            regex(&data);
        }

        #[test]
        fn documents(data in input(&[
            "## 1.5.0", "## 1.0.0 (2026-01-01)", "## [2.0.0] - 2026-01-01", "# Changelog", "## Unreleased", "### added", "- One", "```", "~~~",
            "    ", "\n", "\n\n", "\r\n", "\r", "\u{feff}", "[1.5.0]: https://x.example", "===", "---", "<!--", "-->", "## v1.4.0", "é",
        ])) {
            document(&data);
        }

        #[test]
        fn page_headers(data in input(&[
            "x-next-page: ", "link: ", "<", ">", "; ", "rel=\"next\"", "rel=next", ", ", "https://h/x", "?", "page=2", "&", "page_token=a%2F",
            "private_token=t", "private%5Ftoken=t", "1", "99999999999999999999", "-1", "\n", "%", " ", "é",
        ])) {
            paging(&data);
        }
    }
}
