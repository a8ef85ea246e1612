//! Categories that are not headings, such as `FEATURES:` and `* Features`, as headings and back: texts with them are merged
//! as others are.

use super::entry_style::LineTitle;

/// What stands before a category while it is a heading.
const HASHES: &str = "### ";

impl LineTitle {
    /// Returns a text whose categories are headings, with the entries of items moved out below them.
    pub(super) fn with_headings(&self, text: &str) -> String {
        let lines: Vec<&str> = text.lines().collect();
        let mut next: Vec<Option<&str>> = Vec::with_capacity(lines.len());
        let mut below = None;
        for line in lines.iter().rev() {
            next.push(below);
            below = if line.trim().is_empty() { below } else { Some(line) };
        }
        let (mut headed, mut is_below) = (String::new(), false);
        for (line, next) in lines.iter().zip(next.into_iter().rev()) {
            if self.is_title(line, next) {
                is_below = true;
                headed = headed + HASHES + line.trim_end() + "\n\n";
            } else {
                let inner = if is_below { self.dedented(line) } else { line };
                headed = headed + inner + "\n";
            }
        }
        headed
    }

    /// Returns a text with headings of such categories as it was.
    pub(super) fn without_headings(&self, text: &str) -> String {
        let (mut plain, mut is_below, mut is_first) = (String::new(), false, false);
        for line in text.lines() {
            let title = line.strip_prefix(HASHES).filter(|title| title.starts_with(&self.open));
            if let Some(title) = title {
                plain = plain + title + "\n" + &"\n".repeat(self.below);
                (is_below, is_first) = (true, true);
            } else if !line.trim().is_empty() {
                let indent = if is_below { self.indent } else { 0 };
                plain = plain + &" ".repeat(indent) + line + "\n";
                is_first = false;
            } else if !is_first {
                plain.push('\n');
            }
        }
        plain.trim_end().to_owned()
    }

    /// Splits texts at the categories in them that are not headings.
    pub(super) fn split(&self, blocks: Vec<(String, String)>) -> Vec<(String, String)> {
        let parts = blocks.into_iter().flat_map(|(title, text)| {
            if title.is_empty() { split_at_headings(&self.with_headings(&text)) } else { vec![(title, text)] }
        });
        parts.collect()
    }

    /// Whether a line is the title of a category: an item above items, or words before a colon.
    fn is_title(&self, line: &str, next: Option<&str>) -> bool {
        let words = line.strip_prefix(&*self.open).and_then(|rest| rest.trim_end().strip_suffix(&*self.close));
        let is_worded = words.is_some_and(|words| {
            words.starts_with(char::is_alphanumeric) && words.len() < 60 && !words.contains([':', '`', '*', '_', '['])
        });
        let is_above_items = || {
            next.is_some_and(|next| {
                let inner = next.trim_start();
                next.len() > inner.len() && ["- ", "* ", "+ "].iter().any(|sign| inner.starts_with(sign))
            })
        };
        is_worded && (self.indent == 0 || is_above_items())
    }

    fn dedented<'l>(&self, line: &'l str) -> &'l str {
        let blanks = line.len() - line.trim_start_matches(' ').len();
        &line[blanks.min(self.indent)..]
    }
}

/// Splits a text into the one above its first heading and those below each, with their headings.
fn split_at_headings(text: &str) -> Vec<(String, String)> {
    let mut blocks = vec![(String::new(), String::new())];
    for line in text.lines() {
        match (line.starts_with(HASHES), blocks.last_mut()) {
            (false, Some((_, below))) => {
                *below += line;
                below.push('\n');
            }
            _ => blocks.push((line.to_owned(), String::new())),
        }
    }
    blocks.retain(|(_, text)| !text.trim().is_empty());
    blocks.into_iter().map(|(title, text)| (title, text.trim_matches('\n').to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(open: &str, close: &str, indent: usize, below: usize) -> LineTitle {
        LineTitle { open: open.to_owned(), close: close.to_owned(), indent, below }
    }

    #[test]
    fn categories_become_headings_and_are_the_same_again() {
        for (form, plain, headed) in [
            (
                title("* ", "", 2, 0),
                "* Features\n  * One\n    two\n\n* Docs\n  * Three\n",
                "### * Features\n\n* One\n  two\n\n### * Docs\n\n* Three\n",
            ),
            (title("", ":", 0, 1), "FEATURES:\n\n* One\n\nBUG FIXES:\n\n* Two\n", ""),
            (title("* ", "", 2, 0), "* An entry\n* Another\n", "* An entry\n* Another\n"),
        ] {
            let found = form.with_headings(plain);
            if !headed.is_empty() {
                assert_eq!(found, headed);
            }
            assert_eq!(form.without_headings(&found), plain.trim_end());
        }
    }

    #[test]
    fn a_text_is_split_at_headings() {
        let blocks = split_at_headings("above\n\n### * A\n\n* One\n\n### * B\n\n### * C\n\n* Two\n");
        let expected = [("", "above"), ("### * A", "* One"), ("### * C", "* Two")];
        assert_eq!(blocks, expected.map(|(title, text)| (title.to_owned(), text.to_owned())));
    }

    #[test]
    fn thousands_of_empty_lines_are_read_at_once() {
        let text = format!("* Features\n  * One{}  * Two\n", "\n".repeat(200_000));
        let form = title("* ", "", 2, 0);
        assert!(form.with_headings(&text).starts_with("### * Features\n\n* One\n\n"));
        assert_eq!(split_at_headings(&text).len(), 1);
    }
}
