//! The insertion of a section into a document, in the document's own style.

use std::{ops::Range, path::Path};

use super::{
    Document, Insertion,
    heading_text::{self, Words},
    links::{self, Definition, LinkChange, definition_of, is_in_section, new_definition, open_comparisons},
    outline::{LINE_LEVEL, Outline, VersionHeading},
    placement::{Placement, separator},
    refusal,
    style::{Style, first_heading},
    unreleased::{find_heading, with_level},
    version_key::VersionKey,
};
use crate::{
    config::HeadingRule,
    model::{Date, Problem, Section},
};

/// The options that decide about the heading of a section and where it is inserted.
#[derive(Clone, Debug)]
pub struct InsertOptions {
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
}

impl Document {
    /// Inserts a section into the document by the given rule; errors call the document `file`. An existing section of
    /// the version, whatever its form, is kept, or replaced if the options say so.
    ///
    /// # Errors
    /// If no rule says where the section belongs or how its heading is written; the message says what to set.
    pub fn insert(&mut self, section: &Section, file: &Path, options: &InsertOptions) -> Result<Insertion, Problem> {
        refusal::encoding(file, &self.bytes)?;
        if options.moves_unreleased && self.section(&section.version).is_none() {
            let (mut emptied, section) = self.clone().move_unreleased(section);
            let options = InsertOptions { moves_unreleased: false, ..options.clone() };
            let insertion = emptied.insert(&section, file, &options)?;
            *self = emptied;
            return Ok(insertion);
        }
        let is_gitlab = match options.rule {
            HeadingRule::GitLab => true,
            HeadingRule::GitLabFirst => self.is_gitlab(),
            HeadingRule::File | HeadingRule::Text(_) => false,
        };
        let is_new = refusal::is_empty(&self.bytes) && !matches!(options.rule, HeadingRule::Text(_));
        let Some(key) = VersionKey::parse(&section.version).filter(|_| !is_gitlab && !is_new) else {
            return if options.replace {
                self.replace_as_gitlab(section).ok_or_else(|| refusal::ambiguous_section(file, &section.version))
            } else {
                Ok(self.insert_as_gitlab(section))
            };
        };
        refusal::markup(file, self)?;
        let (changed, insertion) = self.insert_once(section, &key, (file, options))?;
        // The new heading may make the next run read the headings as those of packages, or the section as other text.
        let replacing = InsertOptions { replace: true, ..options.clone() };
        if insertion != Insertion::Unchanged && changed.insert_once(section, &key, (file, &replacing))?.0 != changed {
            return Err(refusal::ambiguous_section(file, &section.version));
        }
        *self = changed;
        Ok(insertion)
    }

    fn insert_once(
        &self,
        section: &Section,
        key: &VersionKey,
        (file, options): (&Path, &InsertOptions),
    ) -> Result<(Self, Insertion), Problem> {
        let outline = self.outline(&options.rule);
        if let Some(conflict) = &outline.conflict {
            return Err(refusal::conflict(file, conflict));
        }
        let definitions = links::definitions(self);
        let unreleased = find_heading(&outline, &definitions);
        let separator = separator(self, &outline);
        let own = |found: VersionHeading| {
            definition_of(&definitions, found).is_some_and(|definition| is_in_section(definition, &outline, found))
        };
        let has_own_definitions = outline.versions().any(own);
        let placement = Placement { document: self, outline: &outline, unreleased, separator, has_own_definitions };
        let insertion_request = SectionInsertion { section, key, file, options, placement, definitions };
        let mut changed = self.clone();
        let insertion = match outline.version(&section.version) {
            Some(_) if !options.replace => Insertion::Unchanged,
            Some(found) => {
                let (span, text) = insertion_request.replacement(found)?;
                changed.replace_text(span, &text)
            }
            None => {
                changed.apply(insertion_request.edits()?);
                Insertion::Inserted
            }
        };
        Ok((changed, insertion))
    }

    /// Returns why a section of the next patch version cannot be inserted into the document, `file` in messages.
    pub(crate) fn refusal(&self, file: &Path) -> Option<Problem> {
        self.refusal_of(HeadingRule::GitLabFirst, file)
    }

    /// Returns a heading for the configuration if no section can be inserted in the file's own style: that of one of
    /// these packages, or the usual one.
    pub(crate) fn proposed_heading(&self, file: &Path, packages: &[&str]) -> Option<String> {
        let outline = Outline::read(self, None);
        let versions: Vec<_> = outline.headings.iter().filter(|heading| heading.version.is_some()).collect();
        let hashes = "#".repeat(versions.first().map_or(2, |heading| heading.level.min(6)));
        let is_named = |name: &&&str| versions.iter().any(|heading| heading.text().starts_with(&format!("{name} ")));
        let named = packages.iter().filter(is_named).map(|name| format!("{hashes} {name} {{version}}"));
        let mut proposals = named.chain([format!("{hashes} {{version}} ({{date}})")]);
        proposals.find(|text| self.refusal_of(HeadingRule::Text(text.clone()), file).is_none())
    }

    fn refusal_of(&self, rule: HeadingRule, file: &Path) -> Option<Problem> {
        let newest = self.newest_version().and_then(|newest| newest.parse::<semver::Version>().ok());
        let version = newest.map_or_else(
            || "0.1.0".to_owned(),
            |newest| format!("{}.{}.{}", newest.major, newest.minor, newest.patch + 1),
        );
        let section = Section { version, date: None, body: String::new() };
        let options =
            InsertOptions { rule, date: Date::now(), base_tag: None, replace: false, moves_unreleased: false };
        self.clone().insert(&section, file, &options).err()
    }

    /// Reads the outline by the rule. A configured form says which headings are meant, so that none conflict.
    fn outline(&self, rule: &HeadingRule) -> Outline<'_> {
        let HeadingRule::Text(form) = rule else { return Outline::read(self, None) };
        Outline { conflict: None, ..Outline::read(self, Some(&form_words(form))) }
    }

    fn new_line(&self, at: usize, text: &str) -> (Range<usize>, String) {
        let start = self.start_of(at);
        let is_open = start > 0 && self.bytes[start - 1] != b'\n';
        (start..start, if is_open { format!("\n{text}") } else { format!("{text}\n") })
    }
}

/// The heading of a new section, with its link definition.
struct NewHeading {
    lines: Vec<String>,
    level: usize,
    /// The link definition at the end of the section.
    own_definition: Option<String>,
    /// The link definition among the others, and the line that it goes before.
    definition: Option<(usize, String)>,
}

/// A section, and all that decides how it is inserted into a document.
struct SectionInsertion<'d> {
    section: &'d Section,
    key: &'d VersionKey,
    file: &'d Path,
    options: &'d InsertOptions,
    placement: Placement<'d>,
    definitions: Vec<Definition<'d>>,
}

impl SectionInsertion<'_> {
    fn edits(&self) -> Result<Vec<(Range<usize>, String)>, Problem> {
        let Self { placement, options, .. } = self;
        let (document, outline) = (placement.document, placement.outline);
        let line = if outline.versions().next().is_some() {
            placement.find(self.key).map_err(|heading| refusal::group(self.file, &self.section.version, heading))?
        } else {
            if !matches!(options.rule, HeadingRule::Text(_)) {
                refusal::no_version(self.file, placement)?;
            }
            placement.first_section()
        };
        let heading = self.heading(Style::choose(outline, self.key).as_ref())?;
        let mut text = self.text(&heading);
        if let Some(separator) = placement.separator {
            text = text + "\n\n" + separator;
        }
        let at = document.start_of(line);
        let is_last = refusal::is_empty(&document.bytes[at..]);
        text += if is_last || document.is_blank(line) { "\n" } else { "\n\n" };
        let mut edits = vec![(at..at, document.gap(at, false) + &text)];
        edits.extend(heading.definition.map(|(line, text)| document.new_line(line, &text)));
        edits.extend(open_comparisons(document, outline, &self.definitions, (self.key, &self.section.version)));
        edits.sort_by_key(|(span, _)| span.start);
        Ok(edits)
    }

    /// Returns the span of the existing section, and the text that replaces it.
    fn replacement(&self, found: VersionHeading) -> Result<(Range<usize>, String), Problem> {
        let (document, outline) = (self.placement.document, self.placement.outline);
        // The heading keeps its level and form, so that the section still ends where it did.
        let heading = self.heading(Some(&Style::from_outline(outline, found)))?;
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
        let next = document.lines.iter().position(|line| line.span.start >= end);
        let is_close = next.is_some_and(|next| !document.is_blank(next));
        let is_hashed = heading.lines.iter().any(|line| line.starts_with('#'));
        let gap = if is_hashed { String::new() } else { document.gap(start, false) };
        Ok((start..end, gap + &self.text(&heading) + if is_close { "\n" } else { "" }))
    }

    /// Renders the section, without the white space after it.
    fn text(&self, heading: &NewHeading) -> String {
        let body = with_level(&self.section.body, 2, heading.level);
        let parts = [heading.lines.join("\n"), body.trim_end().to_owned()];
        let parts = parts.into_iter().chain(heading.own_definition.clone()).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("\n\n")
    }

    fn heading(&self, style: Option<&Style>) -> Result<NewHeading, Problem> {
        let Self { section, key, options, placement, .. } = self;
        let outline = placement.outline;
        let version = section.version.as_str();
        let lower = outline.next_lower(key);
        let lower = lower.as_ref().map(VersionHeading::version);
        let base_tag = options.base_tag.as_deref();
        let change = style.map(|style| LinkChange { model: style.model.key(), version, base_tag, lower });
        let (lines, level) = match (&options.rule, style, &change) {
            (HeadingRule::Text(form), ..) => self.configured_heading(form),
            (_, Some(style), Some(change)) => {
                let above = style.model.heading.lines.start..style.model.heading.at;
                let anchors: Vec<_> = above.filter_map(|at| placement.document.line(at)).collect();
                let lines = style.render(outline, &options.date, change, &anchors);
                (lines.map_err(|date| refusal::date(self.file, date))?, style.model.heading.level)
            }
            _ => self.first_version_heading(),
        };
        let (mut own_definition, mut definition) = (None, None);
        if let (Some(style), Some(change)) = (style, &change)
            && let Some(model) = definition_of(&self.definitions, style.model)
        {
            let order = (*key, outline.is_oldest_first);
            let is_there = self.definitions.iter().any(|other| other.key.as_ref() == Some(key));
            let new = new_definition(&self.definitions, (model, change), order);
            let is_last = || outline.versions().all(|other| other.heading.at <= style.model.heading.at);
            let is_own = is_in_section(model, outline, style.model) || is_last() && model.at > style.model.heading.at;
            if placement.has_own_definitions && is_own {
                own_definition = new.map(|(_, line)| line);
            } else {
                definition = new.filter(|_| !is_there);
            }
        }
        Ok(NewHeading { lines, level, own_definition, definition })
    }

    /// Returns the lines of the heading in the configured form, and its level.
    fn configured_heading(&self, form: &str) -> (Vec<String>, usize) {
        let date = self.section.date.as_deref().unwrap_or_default();
        let text = form.replace("{version}", &self.section.version).replace("{date}", date);
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

    fn first_version_heading(&self) -> (Vec<String>, usize) {
        let (level, has_brackets) =
            first_heading(self.placement.outline, &self.placement.document.bytes, self.placement.unreleased);
        let (version, date) = (&self.section.version, self.section.date.as_deref().unwrap_or_default());
        let text = if has_brackets { format!("[{version}] - {date}") } else { format!("{version} ({date})") };
        (vec![format!("{} {text}", "#".repeat(level))], level)
    }
}

/// Returns the words before the version in a configured form.
fn form_words(form: &str) -> Words {
    let line = form.lines().next().unwrap_or_default().trim_matches(['#', ' ']);
    let text = line.replace("{version}", "1.2.3").replace("{date}", "2024-01-31");
    heading_text::read(&text).map_or(Words::Plain, |found| found.words)
}
