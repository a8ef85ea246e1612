//! The edits that insert sections into a document, or replace them, all according to one outline.

use std::{collections::BTreeMap, ops::Range, path::Path};

use super::{
    links::{Definition, LinkChange, definition_of, is_in_section, new_definition, open_comparisons},
    outline::{LINE_LEVEL, VersionHeading},
    placement::Placement,
    refusal,
    style::{Style, first_heading},
    unreleased::with_level,
    version_key::VersionKey,
};
use crate::{
    config::HeadingRule,
    model::{Date, Problem, Section},
};

/// The options that decide about the heading of a section and where it is inserted.
#[derive(Clone, Debug)]
pub(crate) struct InsertOptions {
    /// The rule for headings: GitLab's, the file's own style, or a configured form.
    pub rule: HeadingRule,
    /// The date of the heading.
    pub date: Date,
    /// The tag that the section starts after.
    pub base_tag: Option<String>,
    /// Whether an existing section of the version is replaced.
    pub replace: bool,
    /// Whether the text below `Unreleased` is moved into a new section.
    pub moves_unreleased: bool,
    /// What was generated below `Unreleased` the last time, so that what differs there is the work of people; `None` if
    /// nothing was.
    pub generated: Option<String>,
    /// The text that a new file begins with, unless GitLab's rule holds; empty if that is the section.
    pub opening: &'static str,
}

impl InsertOptions {
    /// Creates options for a new section that nothing else is known of: nothing is replaced or moved.
    #[must_use]
    pub(crate) fn new(rule: HeadingRule, date: Date) -> Self {
        Self { rule, date, base_tag: None, replace: false, moves_unreleased: false, generated: None, opening: "" }
    }
}

/// A piece of a document, and the text that replaces it.
pub(super) type Edit = (Range<usize>, String);

/// A section to insert, with the key of its version.
#[derive(Clone, Debug)]
pub(super) struct KeyedSection<'s> {
    pub(super) section: &'s Section,
    pub(super) options: &'s InsertOptions,
    pub(super) key: VersionKey,
}

impl<'s> KeyedSection<'s> {
    /// Returns `None` if the version cannot be compared with those of headings.
    pub(super) fn new(section: &'s Section, options: &'s InsertOptions) -> Option<Self> {
        Some(Self { section, options, key: VersionKey::parse(&section.version)? })
    }
}

/// The heading of a new section, with its link definition.
struct NewHeading {
    lines: Vec<String>,
    level: usize,
    /// The empty lines below it.
    gap: usize,
    /// The link definition at the end of the section.
    own_definition: Option<String>,
    /// The link definition among the others, and the line that it goes before.
    definition: Option<(usize, String)>,
}

/// New sections, and all that decides how they are inserted into a document.
pub(super) struct SectionEdits<'d> {
    /// The sections that the document lacks, in the order that they get.
    missing: Vec<&'d KeyedSection<'d>>,
    file: &'d Path,
    placement: Placement<'d>,
    definitions: Vec<Definition<'d>>,
}

impl<'d> SectionEdits<'d> {
    pub(super) fn new(
        sections: &'d [KeyedSection<'d>],
        file: &'d Path,
        placement: Placement<'d>,
        definitions: Vec<Definition<'d>>,
    ) -> Self {
        let outline = placement.outline;
        let mut missing: Vec<_> =
            sections.iter().filter(|one| outline.version(&one.section.version).is_none()).collect();
        // Of equal versions, the first is inserted.
        missing.sort_by(|one, other| one.key.cmp(&other.key));
        missing.dedup_by(|one, other| one.key == other.key);
        if !outline.is_oldest_first {
            missing.reverse();
        }
        Self { missing, file, placement, definitions }
    }

    /// Whether the section is one of those that are inserted.
    pub(super) fn inserts(&self, section: &KeyedSection) -> bool {
        self.missing.iter().any(|one| std::ptr::eq(one.section, section.section))
    }

    /// Returns the edits that insert the sections which the document lacks.
    pub(super) fn insertions(&self) -> Result<Vec<Edit>, Problem> {
        let Self { placement, missing, .. } = self;
        let (document, outline) = (placement.document, placement.outline);
        let mut texts = BTreeMap::<usize, Vec<String>>::new();
        let mut edits = Vec::new();
        for new in missing {
            let heading = self.heading(new, Style::choose(outline, &new.key).as_ref())?;
            let mut text = text(new.section, &heading);
            if let Some(separator) = placement.separator {
                text = text + "\n\n" + separator;
            }
            texts.entry(self.line(new)?).or_default().push(text);
            edits.extend(heading.definition.map(|(line, text)| document.new_line(line, &text)));
        }
        let sections = texts.into_iter().map(|(line, texts)| {
            let at = document.start_of(line);
            let is_last = refusal::is_empty(&document.bytes[at..]);
            let end = if is_last || document.is_blank(line) { "\n" } else { "\n\n" };
            (at..at, document.gap(at, false) + &texts.join("\n\n") + end)
        });
        // Of edits at one place, the section is the first.
        edits = sections.chain(edits).collect();
        if let Some(highest) = missing.iter().max_by_key(|new| &new.key) {
            let added: Vec<&VersionKey> = missing.iter().map(|new| &new.key).collect();
            let (key, version) = (&highest.key, &highest.section.version);
            edits.extend(open_comparisons(document, outline, &self.definitions, key, version, &added));
        }
        Ok(edits)
    }

    /// Returns the line that a section goes before.
    fn line(&self, new: &KeyedSection) -> Result<usize, Problem> {
        let placement = &self.placement;
        if placement.outline.versions().next().is_some() {
            return placement
                .find(&new.key)
                .map_err(|heading| refusal::group(self.file, &new.section.version, heading));
        }
        if !matches!(new.options.rule, HeadingRule::Text(_)) {
            refusal::no_version(self.file, placement)?;
        }
        Ok(placement.first_section())
    }

    /// Returns the edit that replaces an existing section; `None` if it only changes line ends: the new section might
    /// change which line end is the more frequent.
    pub(super) fn replacement(&self, new: &KeyedSection, found: VersionHeading) -> Result<Option<Edit>, Problem> {
        let (document, outline) = (self.placement.document, self.placement.outline);
        // The heading keeps its level and form, so that the section still ends where it did.
        let heading = self.heading(new, Some(&Style::from_outline(outline, found)))?;
        let start = document.start_of(found.heading.lines.start);
        let at = outline.headings.iter().position(|heading| heading.at == found.heading.at);
        let end = document.start_of(at.map_or(found.heading.lines.end, |at| self.placement.end_of_section(at)));
        let mut end = document.trim(start..end).end;
        if let Some(separator) =
            self.placement.separator.filter(|rule| document.bytes[..end].ends_with(rule.as_bytes()))
        {
            end = document.trim(start..end - separator.len()).end;
        }
        // The text after the section still has to begin a paragraph.
        let next = document.lines.partition_point(|line| line.span.start < end);
        let is_close = next < document.lines.len() && !document.is_blank(next);
        let is_hashed = heading.lines.iter().any(|line| line.starts_with('#'));
        let gap = if is_hashed { String::new() } else { document.gap(start, false) };
        let text = gap + &text(new.section, &heading) + if is_close { "\n" } else { "" };
        Ok((!document.has_text(start..end, &text)).then_some((start..end, text)))
    }

    fn heading(&self, new: &KeyedSection, style: Option<&Style>) -> Result<NewHeading, Problem> {
        let Self { placement, missing, .. } = self;
        let KeyedSection { section, options, key } = new;
        let outline = placement.outline;
        let version = section.version.as_str();
        let lower = outline.next_lower(key).map(|found| (&found.text.key, found.version()));
        let added = missing.iter().filter(|other| other.key < *key).max_by_key(|other| &other.key);
        let all_lower = lower.into_iter().chain(added.map(|other| (&other.key, other.section.version.as_str())));
        let lower = all_lower.max_by_key(|(key, _)| *key).map(|(_, version)| version);
        let base_tag = options.base_tag.as_deref();
        let change = style.map(|style| LinkChange { model: style.model.key(), version, base_tag, lower });
        let (lines, level) = match (&options.rule, style, &change) {
            (HeadingRule::Text(form), ..) => configured_heading(section, form),
            (_, Some(style), Some(change)) => {
                let above = style.model.heading.lines.start..style.model.heading.at;
                let anchors: Vec<_> = above.filter_map(|at| placement.document.line(at)).collect();
                let lines = style.render(outline, &options.date, change, &anchors);
                (lines.map_err(|date| refusal::date(self.file, date))?, style.model.heading.level)
            }
            _ => self.first_version_heading(section),
        };
        let (mut own_definition, mut definition) = (None, None);
        if let (Some(style), Some(change)) = (style, &change)
            && let Some(model) = definition_of(&self.definitions, style.model)
        {
            let is_there = self.definitions.iter().any(|other| other.key.as_ref() == Some(key));
            let new = new_definition(&self.definitions, model, change, key, outline.is_oldest_first);
            let is_own = is_in_section(model, outline, style.model)
                || outline.versions().all(|other| other.heading.at <= style.model.heading.at)
                    && model.at > style.model.heading.at;
            if placement.has_own_definitions && is_own {
                own_definition = new.map(|(_, line)| line);
            } else {
                definition = new.filter(|_| !is_there);
            }
        }
        let gap = style.map_or(1, |style| self.gap(style));
        Ok(NewHeading { lines, level, gap, own_definition, definition })
    }

    /// Returns how many empty lines are below the headings of the newest versions, up to two.
    fn gap(&self, style: &Style) -> usize {
        let document = self.placement.document;
        let gaps = style.newest().map(|found| {
            let below = found.heading.lines.end..document.lines.len();
            let is_last = below.clone().all(|line| document.is_blank(line));
            (!is_last).then(|| below.take_while(|line| document.is_blank(*line)).count().min(2))
        });
        let gaps: Vec<_> = gaps.collect();
        let first = gaps.first().copied().flatten().unwrap_or(1);
        if gaps.len() > 1 && gaps.iter().all(|gap| *gap == Some(first)) { first } else { 1 }
    }

    fn first_version_heading(&self, section: &Section) -> (Vec<String>, usize) {
        let (level, has_brackets) =
            first_heading(self.placement.outline, &self.placement.document.bytes, self.placement.unreleased);
        let (version, date) = (&section.version, section.date.as_deref().unwrap_or_default());
        let text = if has_brackets { format!("[{version}] - {date}") } else { format!("{version} ({date})") };
        (vec![format!("{} {text}", "#".repeat(level))], level)
    }
}

/// Renders a section, without the white space after it.
fn text(section: &Section, heading: &NewHeading) -> String {
    let body = with_level(&section.body, 2, heading.level);
    let mut text = heading.lines.join("\n");
    if !body.trim_end().is_empty() {
        text += &"\n".repeat(1 + heading.gap);
        text += body.trim_end();
    }
    if let Some(definition) = &heading.own_definition {
        text = text + "\n\n" + definition;
    }
    text
}

/// Returns the lines of the heading in the configured form, and its level.
fn configured_heading(section: &Section, form: &str) -> (Vec<String>, usize) {
    let date = section.date.as_deref().unwrap_or_default();
    let text = form.replace("{version}", &section.version).replace("{date}", date);
    let lines: Vec<String> = text.trim_end().lines().map(str::to_owned).collect();
    let level = match lines.get(1).and_then(|line| line.chars().next()) {
        Some('=') => 1,
        Some(_) => 2,
        None => Some(text.bytes().take_while(|byte| *byte == b'#').count())
            .filter(|hashes| *hashes > 0)
            .unwrap_or(LINE_LEVEL),
    };
    (lines, level)
}
