//! The insertion of a section into a document, in the document's own style.

use std::{ops::Range, path::Path};

use super::{
    Document, Insertion,
    definitions::{DefinitionIndex, definitions},
    heading_text::{self, Words},
    outline::Outline,
    placement::{Placement, separator},
    refusal,
    section_edits::{InsertOptions, KeyedSection, SectionEdits},
    unreleased::find_heading,
    version_index::VersionIndex,
};
use crate::{
    config::HeadingRule,
    model::{Date, Problem, Section},
};

impl Document {
    /// Inserts a section into the document by the given rule; errors call the document `file`. An existing section of
    /// the version, whatever its form, is kept, or replaced if the options say so.
    ///
    /// # Errors
    /// If no rule says where the section belongs or how its heading is written; the message says what to set.
    pub(crate) fn insert(
        &mut self,
        section: &Section,
        file: &Path,
        options: &InsertOptions,
    ) -> Result<Insertion, Problem> {
        refusal::encoding(file, &self.bytes)?;
        if options.moves_unreleased && self.section(&section.version).is_none() {
            let (mut emptied, section) = self.clone().move_unreleased(section, options.generated.as_deref());
            let options = InsertOptions { moves_unreleased: false, ..options.clone() };
            let insertion = emptied.insert(&section, file, &options)?;
            *self = emptied;
            return Ok(insertion);
        }
        Ok(self.insert_all(&[(section, options)], file)?[0])
    }

    /// Inserts sections in one pass, by the rule of the first of them; they get the order of their versions.
    ///
    /// # Errors
    /// As [`Self::insert`]; the document stays as it was.
    pub(crate) fn insert_all(
        &mut self,
        sections: &[(&Section, &InsertOptions)],
        file: &Path,
    ) -> Result<Vec<Insertion>, Problem> {
        refusal::encoding(file, &self.bytes)?;
        let Some((_, InsertOptions { rule, replace, opening, .. })) = sections.first() else { return Ok(Vec::new()) };
        if refusal::is_empty(&self.bytes) && *rule == HeadingRule::File && !opening.is_empty() {
            let mut opened = Self::parse(*opening);
            let insertions = opened.insert_all(sections, file)?;
            *self = opened;
            return Ok(insertions);
        }
        let is_gitlab = match rule {
            HeadingRule::GitLab => true,
            HeadingRule::GitLabFirst => self.is_gitlab(),
            HeadingRule::File | HeadingRule::Text(_) => false,
        };
        let is_new = refusal::is_empty(&self.bytes) && !matches!(rule, HeadingRule::Text(_));
        let keyed: Option<Vec<_>> =
            sections.iter().map(|(section, options)| KeyedSection::new(section, options)).collect();
        let Some(keyed) = keyed.filter(|_| !is_gitlab && !is_new) else {
            let sections: Vec<&Section> = sections.iter().map(|(section, _)| *section).collect();
            return if *replace {
                self.replace_all_as_gitlab(&sections, file)
            } else {
                Ok(self.insert_all_as_gitlab(&sections))
            };
        };
        refusal::markup(file, self)?;
        let (changed, insertions) = self.insert_once(&keyed, *replace, file)?;
        if insertions.iter().any(|insertion| *insertion != Insertion::Unchanged) {
            // New headings may make the next run read headings as those of packages, or a section as other text.
            let (again, moved) = changed.insert_once(&keyed, true, file)?;
            if again != changed {
                let mut moved = moved.iter().zip(&keyed).filter(|(insertion, _)| **insertion != Insertion::Unchanged);
                let (_, moved) = moved.next().unwrap_or((&Insertion::Replaced, &keyed[0]));
                return Err(refusal::ambiguous_section(file, &moved.section.version));
            }
        }
        *self = changed;
        Ok(insertions)
    }

    /// Returns the document with the sections that it lacks, and with the others replaced if that is wanted.
    fn insert_once(
        &self,
        sections: &[KeyedSection],
        replaces: bool,
        file: &Path,
    ) -> Result<(Self, Vec<Insertion>), Problem> {
        let Some(options) = sections.first().map(|first| first.options) else { return Ok((self.clone(), Vec::new())) };
        let outline = self.outline(&options.rule);
        if let Some(conflict) = &outline.conflict {
            return Err(refusal::conflict(file, conflict));
        }
        if sections.len() > 1 && outline.versions().next().is_none() {
            return self.insert_after_oldest(sections, replaces, file);
        }
        let versions = VersionIndex::new(&outline);
        let definitions = DefinitionIndex::new(definitions(self));
        let unreleased = find_heading(&outline, &definitions.all);
        let separator = separator(self, &outline);
        let has_own_definitions = outline.versions().any(|found| {
            let definition = definitions.definition_of(found);
            definition.is_some_and(|definition| definition.is_in_section(&versions, found))
        });
        let placement = Placement { document: self, outline: &outline, unreleased, separator, has_own_definitions };
        let all = SectionEdits::new(sections, file, placement, &versions, definitions);
        let mut edits = all.insertions()?;
        let mut insertions = Vec::with_capacity(sections.len());
        for section in sections {
            let found = versions.version(&section.section.version).filter(|_| replaces);
            let replacement = found.map(|found| all.replacement(section, found)).transpose()?.flatten();
            insertions.push(match replacement {
                _ if all.inserts(section) => Insertion::Inserted,
                Some(_) => Insertion::Replaced,
                None => Insertion::Unchanged,
            });
            edits.extend(replacement);
        }
        edits.sort_by_key(|(span, _)| (span.start, span.end));
        let mut changed = self.clone();
        changed.apply(edits);
        Ok((changed, insertions))
    }

    /// Inserts the oldest section first: its heading is the model of the others.
    fn insert_after_oldest(
        &self,
        sections: &[KeyedSection],
        replaces: bool,
        file: &Path,
    ) -> Result<(Self, Vec<Insertion>), Problem> {
        let oldest = sections.iter().min_by_key(|one| &one.key).into_iter().cloned().collect::<Vec<_>>();
        let (changed, _) = self.insert_once(&oldest, replaces, file)?;
        let (changed, mut insertions) = changed.insert_once(sections, false, file)?;
        for (insertion, _) in
            insertions.iter_mut().zip(sections).filter(|(_, one)| oldest.iter().any(|oldest| oldest.key == one.key))
        {
            *insertion = Insertion::Inserted;
        }
        Ok((changed, insertions))
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
        let named = packages
            .iter()
            .filter(|name| versions.iter().any(|heading| heading.text().starts_with(&format!("{name} "))))
            .map(|name| format!("{hashes} {name} {{version}}"));
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
        let options = InsertOptions::new(rule, Date::now());
        self.clone().insert(&section, file, &options).err()
    }

    /// Reads the outline by the rule. A configured form says which headings are meant, so that none conflict.
    fn outline(&self, rule: &HeadingRule) -> Outline<'_> {
        let HeadingRule::Text(form) = rule else { return Outline::read(self, None) };
        let mut outline = Outline::read(self, Some(&form_words(form)));
        outline.conflict = None;
        outline
    }

    pub(super) fn new_line(&self, at: usize, text: &str) -> (Range<usize>, String) {
        let start = self.start_of(at);
        let is_open = start > 0 && self.bytes[start - 1] != b'\n';
        (start..start, if is_open { format!("\n{text}") } else { format!("{text}\n") })
    }
}

/// Returns the words before the version in a configured form.
fn form_words(form: &str) -> Words {
    let line = form.lines().next().unwrap_or_default().trim_matches(['#', ' ']);
    let text = line.replace("{version}", "1.2.3").replace("{date}", "2024-01-31");
    heading_text::read(&text).map_or(Words::Plain, |found| found.words)
}
