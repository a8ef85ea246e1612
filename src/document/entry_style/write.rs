//! A release in the style of a file.

use std::collections::HashMap;

use super::{
    CategoryTitle, EntryStyle,
    form::{self, Segment, Stop, Target, Writing},
    moved,
};
use crate::{
    document::category_levels::USUAL,
    model::{Author, BREAKING, Category, CommitLink, Entry, MergeRequest, Release, SharedText},
};

impl EntryStyle {
    /// Describes the titles of categories, for people.
    fn described_titles(&self, heading: &CategoryTitle) -> String {
        let (open, close) = (moved(&heading.open, USUAL, self.rank), heading.close.replace('\n', "` above `"));
        let titles: Vec<String> = self.titles.iter().map(|(_, title)| format!("`{open}{title}{close}`")).collect();
        let titles = if titles.is_empty() { "titles".to_owned() } else { titles.join(", ") };
        titles + if heading.has_count { " with their numbers of entries" } else { "" }
    }

    /// Writes the body of a section. The titles and scopes of the entries are Markdown already.
    pub(crate) fn body(&self, release: &Release) -> String {
        let (mut text, mut definitions, mut follows_body) = (String::new(), Vec::new(), false);
        let mut number = 0;
        let project = release.project.as_deref().unwrap_or_default();
        for category in &release.categories {
            if let Some(heading) = &self.heading {
                if !text.is_empty() {
                    text += &"\n".repeat(heading.above);
                }
                text += &heading.line(category);
            }
            if self.heading.is_some() {
                number = 0;
            }
            for (at, (scope, entries)) in self.by_scope(&category.entries).into_iter().enumerate() {
                let is_first = text.is_empty() || self.heading.is_some() && at == 0;
                if !is_first && (self.is_loose || follows_body) {
                    text.push('\n');
                }
                if let Some((item, scope)) = self.scope_item.as_ref().zip(scope) {
                    text = text + &self.bullet + &item.0.open + scope + &item.0.close + "\n";
                }
                for entry in entries {
                    follows_body = entry.body.is_some() || self.is_signed;
                    number += 1;
                    let writing = Writing {
                        entry,
                        project,
                        digits: self.digits,
                        definitions: &mut definitions,
                        defined: &self.defined,
                    };
                    text += &self.entry(&category.title, writing, scope.is_some(), number);
                }
            }
        }
        if text.is_empty() {
            return "No changes.".to_owned();
        }
        for (at, definition) in definitions.iter().enumerate() {
            text += if at == 0 { "\n" } else { "" };
            text = text + definition + "\n";
        }
        text.trim_end().to_owned()
    }

    /// Groups entries by the scopes that are items of their own here; each other entry is alone.
    fn by_scope<'e>(&self, entries: &'e [Entry]) -> Vec<(Option<&'e str>, Vec<&'e Entry>)> {
        let Some((_, fewest)) = &self.scope_item else {
            return entries.iter().map(|entry| (None, vec![entry])).collect();
        };
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for scope in entries.iter().filter_map(|entry| entry.scope.as_deref()) {
            *counts.entry(scope).or_default() += 1;
        }
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut groups: Vec<(Option<&str>, Vec<&Entry>)> = Vec::new();
        for entry in entries {
            let scope = entry.scope.as_deref().filter(|scope| counts[scope] >= *fewest);
            if let Some(place) = scope.and_then(|scope| places.get(scope)) {
                groups[*place].1.push(entry);
                continue;
            }
            places.extend(scope.map(|scope| (scope, groups.len())));
            groups.push((scope, vec![entry]));
        }
        groups
    }

    /// Writes an entry with the line feed after it.
    fn entry(&self, category: &str, mut writing: Writing, is_below_scope: bool, number: usize) -> String {
        let entry = writing.entry;
        let mut line = self.words_before(category, entry, is_below_scope);
        let title = entry.text.as_ref().unwrap_or(&entry.title);
        let address = match self.form.link {
            Some(Target::Commit) => entry.commit.web_url.as_ref(),
            Some(Target::Request) => entry.merge_request.as_ref().and_then(|request| request.web_url.as_ref()),
            None => None,
        };
        let linked = address.filter(|_| entry.text.is_none()).map(|address| format!("[{title}]({address})"));
        line += linked.as_ref().unwrap_or(title);
        let before: Vec<_> = self.form.before.iter().map(|segment| writing.segment(segment)).collect();
        // `Thanks @ida!` ends without thanks, too.
        let end = if before.last().is_some_and(Option::is_some) { "" } else { "!" };
        let before: Vec<String> = before.into_iter().flatten().collect();
        if !before.is_empty() {
            line = before.join(" ") + self.form.before_end.trim_start_matches(end) + &line;
        }
        // The text of a change file may end with issues, where other entries have the request.
        let has_issues = entry.text.as_deref().is_some_and(|text| {
            let is_last = |parsed: form::Parsed| parsed.form.after.last().is_some_and(Segment::is_request);
            form::parse(text).is_none_or(is_last)
        });
        let after = self.form.after.iter().filter(|segment| !has_issues || !segment.is_request());
        let after: String = after.filter_map(|segment| writing.segment(segment)).collect();
        let lacks_stop = |text: &str| text.ends_with(|last: char| last.is_alphanumeric() || ")`\"'*]".contains(last));
        let stop = match self.stop {
            Stop::Title if lacks_stop(&line) && !has_issues && !after.starts_with('.') => ".",
            _ => "",
        };
        if after.starts_with('.') && line.ends_with('.') {
            line.pop();
        }
        line = line + stop + &after;
        if self.stop == Stop::Entry && lacks_stop(&line) {
            line.push('.');
        }
        let item = self.scope_item.as_ref().filter(|_| is_below_scope);
        let bullet = item.map_or(&self.bullet, |(item, _)| &item.bullet);
        let bullet = if self.is_counted { bullet.replacen('1', &number.to_string(), 1) } else { bullet.clone() };
        let name = entry.author.as_ref().filter(|_| self.is_signed).map(|author| format!("  *{}*", author.name));
        let below = [entry.body.as_deref(), name.as_deref()].into_iter().flatten().collect::<Vec<_>>().join("\n\n");
        self.as_item(&bullet, &line, (!below.is_empty()).then_some(&below))
    }

    /// Returns what stands before the title: the category, the scope, and a mark of what breaks.
    fn words_before(&self, category: &str, entry: &Entry, is_below_scope: bool) -> String {
        let mut text = String::new();
        let is_type = self.tag.as_ref().is_some_and(|tag| tag.is_type);
        let scope = entry.scope.as_deref().filter(|_| !is_below_scope);
        // The text of a change file has its type itself, and `Changes` names no kind.
        let has_kind = entry.text.is_none() && !category.eq_ignore_ascii_case("changes");
        if let Some(tag) = self.tag.as_ref().filter(|_| has_kind) {
            // Below a heading, the type is that of the category.
            let word = if self.heading.is_some() { self.worded_type(&entry.category) } else { category.to_owned() };
            let (word, mark) = word.strip_suffix('!').map_or((&*word, entry.breaking), |word| (word, true));
            let scope = scope.filter(|_| is_type).map(|scope| format!("({scope})")).unwrap_or_default();
            let mark = if is_type && mark { "!" } else { "" };
            text = [&tag.open, word, &scope, mark, &tag.close].concat();
        }
        if let Some(scope) = scope.filter(|_| !is_type) {
            text += &[&self.scope.open, scope, &self.scope.close].concat();
        }
        if entry.breaking && !is_type && entry.category != BREAKING {
            text += "[**breaking**] ";
        }
        text
    }

    fn worded_type(&self, category: &str) -> String {
        Self { heading: None, ..self.clone() }.worded(category, category)
    }

    /// Makes an item of a list of a line and the paragraphs below it, which are indented by two blanks.
    fn as_item(&self, bullet: &str, line: &str, body: Option<&str>) -> String {
        let indent = " ".repeat(bullet.chars().count());
        let hanging = if self.is_indented { &*indent } else { "" };
        let lines = line.lines().flat_map(|line| match self.width {
            Some(width) => wrapped(line.trim(), width.saturating_sub(indent.len())),
            None => vec![line.trim().to_owned()],
        });
        let mut text = bullet.to_owned() + &lines.collect::<Vec<_>>().join(&format!("\n{hanging}")) + "\n";
        if let Some(body) = body {
            text.push('\n');
            for line in body.trim_end().lines() {
                let line = line.strip_prefix("  ").unwrap_or(line);
                text += if line.trim().is_empty() { "" } else { &indent };
                text = text + line.trim_end() + "\n";
            }
        }
        text
    }

    /// Returns the style by an example: the titles of categories, and an entry.
    pub(crate) fn describe(&self) -> String {
        let entry = Entry {
            title: "title".to_owned(),
            category: "added".to_owned(),
            scope: Some("scope".to_owned()),
            commit: CommitLink {
                id: "1a2b3c4d".repeat(5),
                web_url: Some("https://host/commit".to_owned()),
                ..CommitLink::default()
            },
            author: Some(Author {
                name: SharedText::from("Ida"),
                reference: Some("@name".to_owned()),
                ..Author::default()
            }),
            merge_request: Some(MergeRequest {
                reference: "#12".to_owned(),
                label: None,
                web_url: Some("https://host/pull/12".to_owned()),
            }),
            ..Entry::default()
        };
        let unwrapped = Self { width: None, ..self.clone() };
        let writing = Writing {
            entry: &entry,
            project: "",
            digits: self.digits,
            definitions: &mut Vec::new(),
            defined: &self.defined,
        };
        let added = self.titles.iter().find(|(category, _)| category == "added").map(|(_, title)| title.clone());
        let added = added.unwrap_or_else(|| self.worded("added", "Added"));
        let example = unwrapped.entry(&added, writing, false, 1);
        let (first, rest) = example.split_once('\n').unwrap_or((&example, ""));
        let example = [first, rest.trim()].join(" ");
        let example =
            example.trim_end().replace("https://host/commit", "\u{2026}").replace("https://host/pull/12", "\u{2026}");
        let mut text = format!("`{}`", example.replace("https://host/name", "\u{2026}"));
        if let Some(heading) = &self.heading {
            text = text + " below " + &self.described_titles(heading);
        } else {
            text += " directly below the version";
        }
        if self.is_loose {
            text += ", with empty lines between";
        }
        text + &self.width.map(|width| format!(", wrapped at {width}")).unwrap_or_default()
    }
}

impl CategoryTitle {
    fn line(&self, category: &Category) -> String {
        let count = match category.count {
            _ if !self.has_count => String::new(),
            1 => " (1 change)".to_owned(),
            count => format!(" ({count} changes)"),
        };
        let close = match self.close.strip_prefix('\n') {
            Some(sign) => "\n".to_owned() + &sign.repeat((category.title.chars().count() + count.len()).max(3)),
            None => self.close.clone(),
        };
        [&self.open, &category.title, &count, &close, "\n", &"\n".repeat(self.below)].concat()
    }
}

/// Breaks a line after at most `width` characters, but neither within code nor within a link.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for word in line.split(' ') {
        match pieces.last_mut() {
            Some(piece) if is_open(piece) => piece.extend([" ", word]),
            _ => pieces.push(word.to_owned()),
        }
    }
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + piece.chars().count() <= width => line.extend([" ", &piece]),
            _ => lines.push(piece),
        }
    }
    lines
}

/// Whether code or the text of a link has begun in a piece and not ended.
fn is_open(piece: &str) -> bool {
    let count = |sign: char| piece.matches(sign).count();
    count('`') % 2 == 1 || count('[') > count(']')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_links_stay_in_one_line() {
        for (piece, expected) in [
            ("a", false),
            ("`a", true),
            ("`a`", false),
            ("`a` `b", true),
            ("[a", true),
            ("[a]", false),
            ("a]", false),
            ("[[a]", true),
        ] {
            assert_eq!(is_open(piece), expected, "{piece}");
        }
        for (line, width, expected) in [
            ("one two three", 7, &["one two", "three"][..]),
            ("one two three", 6, &["one", "two", "three"]),
            ("one two three", 13, &["one two three"]),
            ("run `git log` now", 8, &["run", "`git log`", "now"]),
            ("see [the page](x) now", 8, &["see", "[the page](x)", "now"]),
            ("sehr ä ö ü", 8, &["sehr ä ö", "ü"]),
        ] {
            assert_eq!(wrapped(line, width), expected, "{line} {width}");
        }
    }
}
