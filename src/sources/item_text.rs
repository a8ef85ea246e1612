//! Texts of several lines in an item of a list: later lines are indented, so that they belong to it.

use crate::model::is_code_fence;

/// Splits a text in Markdown into its first paragraph and the rest, as an item has them; a heading at the beginning
/// becomes bold.
pub(super) fn split(text: &str) -> (String, Option<String>) {
    let mut lines = text.lines().map(str::trim_end);
    let mut first: Vec<String> = Vec::new();
    let mut rest: Vec<String> = Vec::new();
    for line in lines.by_ref() {
        let begins_block = !first.is_empty() && is_block(line);
        if line.is_empty() || begins_block {
            rest.extend(begins_block.then(|| indented(line)));
            break;
        }
        let heading = first.is_empty().then(|| heading(line)).flatten();
        let is_heading = heading.is_some();
        first.push(heading.unwrap_or_else(|| line.to_owned()));
        if is_heading {
            break;
        }
    }
    rest.extend(lines.map(indented));
    let body = rest.join("\n");
    let body = body.trim_matches('\n');
    let first: Vec<String> =
        first.iter().enumerate().map(|(at, line)| if at == 0 { line.clone() } else { indented(line) }).collect();
    (first.join("\n"), (!body.is_empty()).then(|| body.to_owned()))
}

/// Returns the text of a message as the paragraphs below the title of an item. People write it for readers of a log:
/// code stays as it is, headings become bold, and outside of code `<` begins no element and `@name` notifies nobody.
pub(super) fn below_title(text: &str) -> Option<String> {
    let mut is_fenced = false;
    let lines = text.lines().map(str::trim_end).map(|line| {
        let is_fence = is_code_fence(line);
        is_fenced ^= is_fence;
        if is_fence || is_fenced {
            return indented(line);
        }
        let heading = heading(line);
        indented(&plain(heading.as_deref().unwrap_or(line)))
    });
    let mut lines: Vec<String> = lines.collect();
    lines.extend(is_fenced.then(|| indented("```")));
    let body = lines.join("\n");
    let body = body.trim_matches('\n');
    (!body.is_empty()).then(|| body.to_owned())
}

/// Escapes what is more than text in a line, outside of code in backticks.
fn plain(line: &str) -> String {
    let mut escaped = String::with_capacity(line.len());
    // Code ends at the last backtick.
    let (code, rest) = line.rmatch_indices('`').next().map_or(("", line), |(at, _)| line.split_at(at + 1));
    for (index, part) in code.split_inclusive('`').chain([rest]).enumerate() {
        if index % 2 == 1 && index < code.matches('`').count() {
            escaped += part;
            continue;
        }
        for word in part.split_inclusive(char::is_whitespace) {
            let name = word.strip_prefix('@').map(|rest| rest.trim_end_matches(|end: char| !end.is_alphanumeric()));
            match name.filter(|name| !name.is_empty() && !name.contains('`')) {
                Some(name) => escaped.extend(["`@", name, "`", &word[name.len() + 1..]]),
                None => escaped += &word.replace('<', "\\<"),
            }
        }
    }
    escaped
}

fn indented(line: &str) -> String {
    if line.is_empty() { String::new() } else { format!("  {line}") }
}

/// Returns the text of a heading in bold.
fn heading(line: &str) -> Option<String> {
    let text = line.trim_start_matches('#');
    (text.len() < line.len() && text.starts_with(' ')).then(|| format!("**{}**", text.trim().trim_matches('*')))
}

/// Whether a line begins a list or code, and does not continue a paragraph.
fn is_block(line: &str) -> bool {
    let line = line.trim_start();
    ["- ", "* ", "+ ", "```", "~~~", "1. ", "> ", "#"].iter().any(|start| line.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_lines_are_part_of_the_item() {
        for (text, first, body) in [
            ("Add it", "Add it", None),
            ("Add it\nand more", "Add it\n  and more", None),
            ("Add it\n\nWhy:\n\n```js\n  x\n```", "Add it", Some("  Why:\n\n  ```js\n    x\n  ```")),
            ("Add it:\n- one\n- two", "Add it:", Some("  - one\n  - two")),
            ("## Add it\n\nMore", "**Add it**", Some("  More")),
            ("", "", None),
        ] {
            assert_eq!(split(text), (first.to_owned(), body.map(str::to_owned)), "{text:?}");
        }
    }

    #[test]
    fn the_text_of_a_message_is_only_text() {
        for (text, body) in [
            ("It is gone\n\nUse `a <b> @c`, not <b>.", "  It is gone\n\n  Use `a <b> @c`, not \\<b>."),
            ("Ask @ida, or ida@x.example", "  Ask `@ida`, or ida@x.example"),
            ("# Why\n- one\n- two", "  **Why**\n  - one\n  - two"),
            ("```\n<a> @b\n```\n<details>", "  ```\n  <a> @b\n  ```\n  \\<details>"),
            ("```\nopen", "  ```\n  open\n  ```"),
            ("a ` b <c>", "  a ` b \\<c>"),
        ] {
            assert_eq!(below_title(text).as_deref(), Some(body), "{text:?}");
        }
        assert_eq!(below_title("\n"), None);
    }
}
