//! The edits that insert sections into a document, or replace them, all according to one outline.

use std::{collections::BTreeMap, ops::Range, path::Path};

use super::{
    category_levels::USUAL,
    definitions::{DefinitionIndex, open_comparisons},
    links::LinkChange,
    outline::{LINE_LEVEL, NEWEST, VersionHeading},
    placement::Placement,
    refusal,
    series_groups::SeriesGroups,
    style::{Style, Styles, first_heading},
    unreleased::with_level,
    version_index::VersionIndex,
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
    /// The level of a version that the headings below it are written for.
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
    /// The sections that the document lacks, by version.
    missing: BTreeMap<&'d VersionKey, &'d KeyedSection<'d>>,
    file: &'d Path,
    placement: Placement<'d>,
    versions: &'d VersionIndex<'d>,
    groups: SeriesGroups<'d>,
    styles: Styles<'d>,
    definitions: DefinitionIndex<'d>,
    /// The lines up to the last one that is not empty.
    lines: usize,
    /// The line after the section of the last version.
    end_of_sections: usize,
    /// The line feeds between sections.
    between: String,
    has_fixed_categories: bool,
}

impl<'d> SectionEdits<'d> {
    pub(super) fn new(
        sections: &'d [KeyedSection<'d>],
        file: &'d Path,
        placement: Placement<'d>,
        versions: &'d VersionIndex<'d>,
        definitions: DefinitionIndex<'d>,
    ) -> Self {
        let mut missing = BTreeMap::new();
        for one in sections.iter().filter(|one| versions.version(&one.section.version).is_none()) {
            // Of equal versions, the first is inserted.
            missing.entry(&one.key).or_insert(one);
        }
        let groups = SeriesGroups::new(&placement, versions);
        let styles = Styles::new(placement.outline);
        let document = placement.document;
        let lines = (0..document.lines.len()).rfind(|line| !document.is_blank(*line)).map_or(0, |last| last + 1);
        let end_of_sections = placement.end_of_sections();
        let between = "\n".repeat(1 + blanks_between(&placement));
        let has_fixed_categories = placement.outline.has_fixed_categories();
        Self {
            missing,
            file,
            placement,
            versions,
            groups,
            styles,
            definitions,
            lines,
            end_of_sections,
            between,
            has_fixed_categories,
        }
    }

    /// Whether the section is one of those that are inserted.
    pub(super) fn inserts(&self, section: &KeyedSection) -> bool {
        self.missing.get(&section.key).is_some_and(|one| std::ptr::eq(one.section, section.section))
    }

    /// Returns the edits that insert the sections which the document lacks.
    pub(super) fn insertions(&self) -> Result<Vec<Edit>, Problem> {
        let Self { placement, missing, .. } = self;
        let (document, outline) = (placement.document, placement.outline);
        let mut texts = BTreeMap::<usize, Vec<String>>::new();
        let mut edits = Vec::new();
        let mut in_order: Vec<_> = missing.values().copied().collect();
        if !outline.is_oldest_first {
            in_order.reverse();
        }
        for new in in_order {
            let heading = self.heading(new, self.styles.choose(&new.key).as_ref())?;
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
            let end = if is_last || document.is_blank(line) { "\n" } else { &self.between };
            (at..at, self.gap_above(line) + &texts.join(&self.between) + end)
        });
        // Of edits at one place, the section is the first.
        edits = sections.chain(edits).collect();
        if let Some((key, highest)) = missing.last_key_value() {
            let added = missing.keys().copied().collect();
            let (definitions, version) = (&self.definitions.all, &highest.section.version);
            edits.extend(open_comparisons(document, outline, definitions, key, version, &added));
        }
        Ok(edits)
    }

    /// Returns the line feeds above a section: below another one as many as are between sections.
    fn gap_above(&self, line: usize) -> String {
        let document = self.placement.document;
        let gap = document.gap(document.start_of(line), false);
        let follows_section = self.placement.outline.versions().any(|found| found.heading.at < line);
        let blanks = (0..line).rev().take_while(|at| document.is_blank(*at)).count();
        let wanted = if follows_section { self.between.len() - 1 } else { 0 };
        let missing = wanted.saturating_sub(blanks + usize::from(!gap.is_empty()));
        gap + &"\n".repeat(missing)
    }

    /// Returns the line that a section goes before.
    fn line(&self, new: &KeyedSection) -> Result<usize, Problem> {
        let placement = &self.placement;
        if !self.versions.headings().is_empty() {
            let line = self.versions.line_of(&new.key).unwrap_or(self.end_of_sections);
            let line = self.groups.line_of(&new.key, line);
            return line.map_err(|heading| refusal::group(self.file, &new.section.version, heading));
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
        let heading = self.heading(new, Some(&self.styles.of_heading(found)))?;
        let start = document.start_of(found.heading.lines.start);
        let at = outline.headings.partition_point(|heading| heading.at < found.heading.at);
        let end = document.start_of(self.placement.end_of_section(at));
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
        let version = section.version.as_str();
        let lower = self.versions.next_lower(key).map(|found| (&found.text.key, found.version()));
        let added = missing.range::<&VersionKey, _>(..key).next_back();
        let all_lower = lower.into_iter().chain(added.map(|(key, other)| (*key, other.section.version.as_str())));
        let lower = all_lower.max_by_key(|(key, _)| *key).map(|(_, version)| version);
        let base_tag = options.base_tag.as_deref();
        let change = style.map(|style| LinkChange { model: style.model.key(), version, base_tag, lower });
        let (lines, level) = match (&options.rule, style, &change) {
            (HeadingRule::Text(form), ..) => configured_heading(section, form),
            (_, Some(style), Some(change)) => {
                let above = style.model.heading.lines.start..style.model.heading.at;
                let anchors: Vec<_> = above.filter_map(|at| placement.document.line(at)).collect();
                let lines = style.render(self.styles.dates(), &options.date, change, &anchors);
                (lines.map_err(|date| refusal::date(self.file, date))?, style.model.heading.level)
            }
            _ => self.first_version_heading(section),
        };
        let (mut own_definition, mut definition) = (None, None);
        if let (Some(style), Some(change)) = (style, &change)
            && let Some(model) = self.definitions.definition_of(style.model)
        {
            let is_there = self.definitions.has_version(key);
            let new = self.definitions.new_definition(model, change, key, placement.outline.is_oldest_first);
            let at = style.model.heading.at;
            let is_own = model.is_in_section(self.versions, style.model)
                || self.versions.line_after(at).is_none() && model.at > at;
            if placement.has_own_definitions && is_own {
                own_definition = new.map(|(_, line)| line);
            } else {
                definition = new.filter(|_| !is_there);
            }
        }
        let mut gap = style.map_or(1, |style| self.gap(style));
        let mut lines = lines;
        if let (Some(style), Some(change)) = (style, &change)
            && let Some((model, below)) = placement.document.subheading(style.newest())
            && let Some(line) = below.render(&options.date, &LinkChange { model: model.key(), ..*change })
        {
            lines.extend(vec![String::new(); below.above]);
            lines.push(line);
            gap = below.below;
        }
        let level = if self.has_fixed_categories { USUAL } else { level };
        Ok(NewHeading { lines, level, gap, own_definition, definition })
    }

    /// Returns how many empty lines are below the headings of the newest versions, up to two.
    fn gap(&self, style: &Style) -> usize {
        let document = self.placement.document;
        let gaps = style.newest().map(|found| {
            let below = found.heading.lines.end..self.lines;
            (!below.is_empty()).then(|| below.take(2).take_while(|line| document.is_blank(*line)).count())
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

/// Returns how many empty lines are above most of the newest versions that follow another one, from one to three.
fn blanks_between(placement: &Placement) -> usize {
    let document = placement.document;
    let versions = placement.outline.versions().skip(1).take(NEWEST);
    let blanks = versions.map(|found| {
        let above = (0..found.heading.lines.start).rev();
        above.take_while(|line| document.is_blank(*line)).count()
    });
    let blanks: Vec<usize> = blanks.collect();
    let is_usual = |wanted: &usize| blanks.iter().filter(|count| *count == wanted).count() * 2 > blanks.len();
    [2, 3].into_iter().find(is_usual).filter(|_| placement.separator.is_none()).unwrap_or(1)
}

/// Renders a section, without the white space after it.
fn text(section: &Section, heading: &NewHeading) -> String {
    let body = with_level(&section.body, USUAL, heading.level);
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
