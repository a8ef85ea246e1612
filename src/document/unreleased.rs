//! The unreleased changes of a document: their heading, and moving their text into the section of a version.

use std::{collections::HashSet, ops::Range, sync::LazyLock};

use regex::Regex;

use super::{
    Document,
    category_levels::{USUAL, rank},
    definitions::{Definition, definitions, is_definition},
    heading_text::{heading_pattern, is_unreleased},
    links::{Comparison, version_of},
    merge,
    outline::{HeadingRole, LINE_LEVEL, Outline},
    parts::{replace_entries, without_entries_of},
    placement::{Placement, is_rule},
    version_key::VersionKey,
};
use crate::model::{Section, pluralize};

static BREAKING_TITLE: LazyLock<Regex> = LazyLock::new(|| heading_pattern(r"(?i)^#+\W*(?:removed|breaking)\b"));
static BREAKING_MARK: LazyLock<Regex> =
    LazyLock::new(|| heading_pattern(r"(?i:\*\*\W*breaking|__\W*breaking|\[breaking\])|\bBREAKING(?: CHANGES?)?\b"));

/// The body of a section without entries.
const NO_CHANGES: &str = "No changes.";

impl Document {
    /// Moves the text below `Unreleased` from the document into the section: under the category of the same name, else
    /// to the top. An entry that the section has too is there once, with the words and the category that people gave it.
    /// Comments, with their headings, and categories without text stay.
    ///
    /// Where the text was generated the last time as `generated`, people decide about what they changed of it: what they
    /// struck out is not in the section.
    pub(crate) fn move_unreleased(mut self, section: &Section, generated: Option<&str>) -> (Self, Section) {
        let mut section = section.clone();
        // The section of an older version does not take what is newer.
        if self.has_released_above(&section.version) {
            return (self, section);
        }
        let (spans, mut blocks) = self.unreleased_blocks();
        let lines = if blocks.is_empty() { None } else { self.entry_style().and_then(|style| style.line_title()) };
        if let Some(lines) = &lines {
            blocks = lines.split(blocks);
            section.body = lines.with_headings(&section.body);
        }
        let mut definitions: Vec<String> = blocks.iter_mut().flat_map(|(_, text)| split_definitions(text)).collect();
        let has_text = !blocks.is_empty();
        let generated_definitions = if has_text { split_definitions(&mut section.body) } else { Vec::new() };
        let is_empty = section.body == NO_CHANGES;
        if is_empty && has_text {
            section.body.clear();
        }
        if let Some(generated) = generated.filter(|text| !text.is_empty()) {
            let mut generated = generated.to_owned();
            split_definitions(&mut generated);
            generated = lines.as_ref().map_or(generated.clone(), |lines| lines.with_headings(&generated));
            let parts = blocks.into_iter().flat_map(|(title, text)| [title, text]).filter(|part| !part.is_empty());
            let theirs = parts.collect::<Vec<_>>().join("\n\n");
            let new = if is_empty { "" } else { &section.body };
            let merged = merge::merge(&generated, &theirs, new).text.trim_matches('\n').to_owned();
            section.body = if merged.is_empty() { NO_CHANGES.to_owned() } else { merged };
        } else {
            let (body, blocks) = without_repeated(section.body, blocks);
            section.body = body;
            for (title, text) in blocks.iter().rev().filter(|(_, text)| !text.is_empty()) {
                section.body = add_text(&section.body, title, text);
            }
        }
        if let Some(lines) = &lines {
            section.body = lines.without_headings(&section.body);
        }
        let mut labels: HashSet<String> = definitions.iter().filter_map(|line| label_of(line)).collect();
        let is_new = |line: &String| label_of(line).is_none_or(|label| labels.insert(label));
        definitions.extend(generated_definitions.into_iter().filter(is_new));
        if !definitions.is_empty() {
            let body = [&section.body, "\n\n", &definitions.join("\n")].concat();
            body.trim_start_matches('\n').clone_into(&mut section.body);
        }
        self.apply(spans.into_iter().map(|span| (span, String::new())).collect());
        (self, section)
    }

    /// Whether an entry of the section stands below `Unreleased` too.
    pub(crate) fn has_unreleased_entry_of(&self, section: &Section) -> bool {
        let (_, blocks) = self.unreleased_blocks();
        without_repeated(section.body.clone(), blocks.clone()) != (section.body.clone(), blocks)
    }

    /// Whether the document has a heading of unreleased changes.
    pub(crate) fn has_unreleased_heading(&self) -> bool {
        find_heading(&Outline::read(self, None), &definitions(self)).is_some()
    }

    /// Whether the document has headings below its title, and none of them is a version or says `Unreleased`.
    pub(crate) fn is_other_page(&self) -> bool {
        let outline = Outline::read(self, None);
        let has_headings = outline.headings.len() > 1;
        has_headings && outline.versions().next().is_none() && !self.has_unreleased_heading()
    }

    fn has_released_above(&self, version: &str) -> bool {
        let outline = Outline::read(self, None);
        let key = VersionKey::parse(version);
        key.is_some_and(|key| outline.versions().any(|found| !found.text.is_pending && *found.key() > key))
    }

    /// Whether the text below `Unreleased` says that something breaks: `**breaking:**`, or an item below `### Removed`
    /// or `### Breaking changes`.
    pub(crate) fn unreleased_breaks(&self) -> bool {
        let (_, blocks) = self.unreleased_blocks();
        blocks.iter().any(|(title, text)| BREAKING_TITLE.is_match(title) || BREAKING_MARK.is_match(text))
    }

    /// Returns the spans of the text below `Unreleased`, and the titles (empty if without category) and texts in it.
    fn unreleased_blocks(&self) -> (Vec<Range<usize>>, Vec<(String, String)>) {
        let outline = Outline::read(self, None);
        let Some(at) = find_heading(&outline, &definitions(self)) else { return Default::default() };
        let (heading, is_fixed) = (&outline.headings[at], outline.has_fixed_categories());
        let end = self.end_of_unreleased(&outline, at);
        let further = outline.headings[at + 1..].iter().take_while(|inner| inner.lines.start < end);
        let starts =
            std::iter::once(heading.lines.end..heading.lines.end).chain(further.map(|inner| inner.lines.clone()));
        let starts: Vec<Range<usize>> = starts.collect();
        let (mut spans, mut blocks) = (Vec::new(), Vec::new());
        for (index, title) in starts.iter().enumerate() {
            let end = starts.get(index + 1).map_or(end, |next| next.start);
            let is_text = |line: &usize| !self.lines[*line].commented;
            let text: String =
                (title.end..end).filter(is_text).filter_map(|line| Some(self.line(line)?.to_owned() + "\n")).collect();
            if text.trim().is_empty() {
                continue;
            }
            // The empty lines below `Unreleased` stay, and the heading of a comment.
            let has_comment = (title.end..end).any(|line| self.lines[line].commented);
            let from = if title.is_empty() || has_comment {
                (title.end..end).find(|line| is_text(line) && !self.is_blank(*line))
            } else {
                Some(title.start)
            };
            let moved = (from.unwrap_or(end)..end).filter(is_text);
            spans.extend(moved.map(|line| self.lines[line].span.clone()));
            let title: String = title.clone().filter_map(|line| Some(self.line(line)?.to_owned() + "\n")).collect();
            let [title, text] = [title, text]
                .map(|text| with_level(&text, rank(heading, is_fixed), USUAL).trim_matches('\n').to_owned());
            blocks.push((title, text));
        }
        (spans, blocks)
    }

    /// Returns the line after the text below `Unreleased`, whose heading has this index.
    pub(super) fn end_of_unreleased(&self, outline: &Outline, at: usize) -> usize {
        let heading = &outline.headings[at];
        let placement =
            Placement { document: self, outline, unreleased: Some(at), separator: None, has_own_definitions: false };
        let end = placement.end_of(at, heading.rank());
        // A rule before the next section stays.
        let last = (heading.lines.end..end).rev().find(|line| !self.is_blank(*line));
        last.filter(|last| self.line(*last).is_some_and(is_rule)).unwrap_or(end)
    }
}

/// Takes the link definitions off the end of a text.
fn split_definitions(text: &mut String) -> Vec<String> {
    let is_last = |line: &&str| line.trim().is_empty() || is_definition(line);
    let len = text.split_inclusive('\n').rev().take_while(is_last).map(str::len).sum::<usize>();
    let taken = text.split_off(text.len() - len);
    text.truncate(text.trim_end_matches('\n').len());
    taken.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
}

/// Returns the label of a link definition with its brackets.
fn label_of(definition: &str) -> Option<String> {
    Some(definition.trim_start().split_once("]:")?.0.to_owned() + "]")
}

/// Leaves each entry that a body and texts below titles both have in one of them: in the body if it is below the same
/// title there, else in the text.
fn without_repeated(mut body: String, mut blocks: Vec<(String, String)>) -> (String, Vec<(String, String)>) {
    for (title, text) in &mut blocks {
        (body, *text) = replace_entries(&body, title, text);
    }
    for (_, text) in &blocks {
        body = without_entries_of(&body, text);
    }
    (body, blocks)
}

/// Adds a text to the body, below the heading of the same title or else at the top.
pub(super) fn add_text(body: &str, title: &str, text: &str) -> String {
    let name = |line: &str| {
        let line = line.trim_start_matches('#').trim();
        line.rsplit_once(" (")
            .filter(|(_, rest)| rest.ends_with("change)") || rest.ends_with("changes)"))
            .map_or(line, |(name, _)| name)
            .to_lowercase()
    };
    let same = body.split_inclusive('\n').scan(0, |end, line| {
        *end += line.len();
        Some((*end, line))
    });
    let same =
        same.into_iter().find(|(_, line)| !title.is_empty() && line.starts_with('#') && name(line) == name(title));
    let (above, below) = same.map_or((String::new(), body), |(end, line)| {
        (body[..end - line.len()].to_owned() + &with_more_changes(line.trim_end(), text), &body[end..])
    });
    let parts =
        [above.as_str(), if above.is_empty() { title } else { "" }, text, below].map(|part| part.trim_matches('\n'));
    // A list continues without an empty line.
    let is_item = |line: &str| ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark));
    let ends_in_list =
        text.lines().rfind(|line| !line.starts_with([' ', '\t']) && !line.is_empty()).is_some_and(is_item);
    let goes_on = ends_in_list && is_item(parts[3]);
    let mut merged = parts[..3].iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join("\n\n");
    if !parts[3].is_empty() {
        merged += if goes_on { "\n" } else { "\n\n" };
        merged += parts[3];
    }
    merged
}

/// Adds the items of a text to the number of changes in the heading of a category, if it has one.
fn with_more_changes(heading: &str, text: &str) -> String {
    let Some((name, count)) = split_count(heading) else { return heading.to_owned() };
    let items = text.lines().filter(|line| ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark)));
    format!("{name} ({})", pluralize(count + items.count(), "change"))
}

/// Splits the heading of a category from the number of changes after it.
fn split_count(heading: &str) -> Option<(&str, usize)> {
    let (name, count) = heading.strip_suffix(')')?.rsplit_once(" (")?;
    let count = count.strip_suffix(" change").or_else(|| count.strip_suffix(" changes"))?;
    Some((name, count.parse().ok()?))
}

/// Returns the index of the heading of unreleased changes: one with such words, or with a comparison to an open end.
pub(super) fn find_heading(outline: &Outline, definitions: &[Definition]) -> Option<usize> {
    let is_open = |address: &str| Comparison::parse(address).is_some_and(|found| version_of(found.to).is_none());
    let open = definitions.iter().filter(|found| is_open(found.address()));
    let open: HashSet<String> = open.map(|found| found.label().to_ascii_lowercase()).collect();
    let label = |text: &str| Some(text.strip_prefix('[')?.strip_suffix(']')?.to_ascii_lowercase());
    outline.headings.iter().position(|heading| {
        if heading.role != HeadingRole::Other || heading.version.is_some() {
            return false;
        }
        let text = heading.text();
        is_unreleased(text)
            || label(text).is_some_and(|label| open.contains(&label))
            || text.split_once("](").is_some_and(|(_, address)| is_open(address))
    })
}

/// Returns the text with its headings moved from the level of one version heading to that of another.
pub(super) fn with_level(body: &str, from: usize, to: usize) -> String {
    if from == to || to == LINE_LEVEL {
        return body.to_owned();
    }
    let document = Document::parse(body);
    let moved = body.split_inclusive('\n').zip(&document.lines).map(|(text, line)| {
        let hashes = text.bytes().take_while(|byte| *byte == b'#').count();
        let is_heading = line.is_prose() && (1..=6).contains(&hashes) && text[hashes..].starts_with([' ', '\t', '\n']);
        let level = (hashes + to).saturating_sub(from).clamp(1, 6);
        if is_heading { "#".repeat(level) + &text[hashes..] } else { text.to_owned() }
    });
    moved.collect()
}
