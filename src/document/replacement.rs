//! The replacement of sections in GitLab's form.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    ops::Range,
    path::Path,
};

use super::{Document, Insertion, gitlab::headed_version, notes::SectionEnds, outline::Outline, refusal};
use crate::model::{Problem, Section, is_stripped};

impl Document {
    /// Replaces sections, all according to one outline, and keeps the white space around them; inserts those that are
    /// missing. Of several sections of one version, the last one stays.
    ///
    /// # Errors
    /// If a header ends a comment, since what follows would become part of the comment.
    pub(super) fn replace_all_as_gitlab(
        &mut self,
        sections: &[&Section],
        file: &Path,
    ) -> Result<Vec<Insertion>, Problem> {
        let headers = self.header_lines();
        let line_of = |section: &Section| headers.get(section.version.as_bytes()).copied();
        let found: BTreeMap<usize, &Section> =
            sections.iter().filter_map(|section| Some((line_of(section)?, *section))).collect();
        // The new headers come first, since they may change what the headings after them are read as.
        let mut headed = self.clone();
        let first_line = |section: &Section| section.to_string().lines().next().unwrap_or_default().to_owned();
        let edits = found.iter().map(|(line, section)| (*line, self.lines[*line].span.clone(), first_line(section)));
        let mut changed = headed.replace_texts(edits);
        let mut comments = self.lines.iter().zip(&headed.lines);
        if let Some(line) = comments.position(|(before, after)| before.commented != after.commented) {
            let above = found.range(..=line).next_back().or_else(|| found.first_key_value());
            let version = above.map_or("", |(_, section)| section.version.as_str());
            return Err(refusal::ambiguous_section(file, version));
        }
        let mut outline = Outline::read(&headed, None);
        // Headings without hashes have to begin a paragraph, and may no longer do so after a new section.
        outline.headings.retain(|heading| heading.line.starts_with('#'));
        let ends = SectionEnds::new(&headed, &outline, 2);
        let starts: Vec<usize> = found.keys().map(|line| headed.start_of(*line)).collect();
        let next = starts.iter().skip(1).copied().chain([headed.bytes.len()]);
        let edits = found.iter().zip(starts.iter().zip(next)).map(|((line, section), (start, next))| {
            let text = section.to_string();
            (*line, *start..ends.of(*start).min(next), text.trim_end_matches(is_stripped).to_owned())
        });
        let mut replaced = headed.clone();
        changed.extend(replaced.replace_texts(edits));
        let missing: Vec<&Section> = sections.iter().copied().filter(|section| line_of(section).is_none()).collect();
        let mut inserted = replaced.insert_all_as_gitlab(&missing).into_iter();
        let insertions = sections.iter().filter_map(|section| match line_of(section) {
            Some(line) if changed.contains(&line) => Some(Insertion::Replaced),
            Some(_) => Some(Insertion::Unchanged),
            None => inserted.next(),
        });
        let insertions = insertions.collect();
        *self = replaced;
        Ok(insertions)
    }

    /// Replaces the texts of sections but keeps the white space at their ends, each given with the line of its header.
    /// Returns the lines of those that were not the same already, whatever their line ends: new ones might change which
    /// line end is the more frequent.
    fn replace_texts(&mut self, texts: impl Iterator<Item = (usize, Range<usize>, String)>) -> HashSet<usize> {
        let mut changed = HashSet::new();
        let mut edits = Vec::new();
        for (line, span, text) in texts {
            let span = self.trim(span);
            if !self.has_text(span.clone(), &text) {
                changed.insert(line);
                edits.push((span, text));
            }
        }
        if !edits.is_empty() {
            self.apply(edits);
        }
        changed
    }

    /// Returns for each version the line of its first header in GitLab's sense.
    fn header_lines(&self) -> HashMap<&[u8], usize> {
        let mut headers = HashMap::new();
        for (index, line) in self.lines.iter().enumerate().filter(|(_, line)| !line.fenced) {
            if let Some(version) = headed_version(&self.bytes[line.span.clone()]) {
                headers.entry(version).or_insert(index);
            }
        }
        headers
    }
}
