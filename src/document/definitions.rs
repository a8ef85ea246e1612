//! The link definitions of a document, by label and by version, and what a new version changes in them.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::Range,
    sync::LazyLock,
};

use regex::Regex;

use super::{
    Document,
    heading_text::heading_pattern,
    links::{Comparison, LinkChange, version_of},
    outline::{HeadingRole, Outline, VersionHeading},
    version_index::VersionIndex,
    version_key::{VersionKey, with_version},
};

static DEFINITION: LazyLock<Regex> =
    LazyLock::new(|| heading_pattern(r"^ {0,3}\[((?:[^\]\\]|\\.)+)\]:[ \t]*<?([^\s>]+)"));
static INLINE: LazyLock<Regex> = LazyLock::new(|| heading_pattern(r"\]\(([^)\s]+)"));

pub(super) fn is_definition(line: &str) -> bool {
    DEFINITION.is_match(line)
}

/// `[label]: address` in one line.
#[derive(Clone, Debug)]
pub(super) struct Definition<'d> {
    pub(super) at: usize,
    line: &'d str,
    label: Range<usize>,
    pub(super) address: Range<usize>,
    /// The version, if the label is nothing else.
    pub(super) key: Option<VersionKey>,
}

impl Definition<'_> {
    pub(super) fn label(&self) -> &str {
        &self.line[self.label.clone()]
    }

    pub(super) fn address(&self) -> &str {
        &self.line[self.address.clone()]
    }

    /// Returns the same line for another version, with the address made of `address`; `None` if its comparison has no
    /// version to start from.
    fn for_version(&self, change: &LinkChange, address: Option<&str>) -> Option<String> {
        let label = with_version(self.label(), change.version)?;
        let address = change.apply(address.unwrap_or_else(|| self.address()))?;
        let (label_span, span) = (&self.label, &self.address);
        let (start, middle, end) =
            (&self.line[..label_span.start], &self.line[label_span.end..span.start], self.line[span.end..].trim_end());
        Some(format!("{start}{label}{middle}{address}{end}"))
    }

    /// Whether a definition is in the section of its heading and not at the end of the document.
    pub(super) fn is_in_section(&self, versions: &VersionIndex, found: VersionHeading) -> bool {
        let at = found.heading.at;
        self.at > at && versions.line_after(at).is_some_and(|next| self.at < next)
    }
}

/// Returns the link definitions of a document, in its order.
pub(super) fn definitions(document: &Document) -> Vec<Definition<'_>> {
    (0..document.lines.len())
        .filter_map(|at| {
            let line = document.text(at)?;
            let found = DEFINITION.captures(line)?;
            let (label, address) = (found.get(1)?, found.get(2)?);
            let key = VersionKey::parse(label.as_str());
            Some(Definition { at, line, label: label.range(), address: address.range(), key })
        })
        .collect()
}

/// The link definitions of a document, and where they are by label and by version.
pub(super) struct DefinitionIndex<'d> {
    pub(super) all: Vec<Definition<'d>>,
    /// The first definition of each label, in lower case.
    labels: HashMap<String, usize>,
    /// The line of the last definition of each version.
    keys: BTreeMap<VersionKey, usize>,
    /// The lines of the first and of the last definition of a version.
    ends: Option<(usize, usize)>,
    /// Whether most versions are above the ones before them; `None` if there are fewer than two.
    ascends: Option<bool>,
    /// The comparisons with an open end, by the version that they start at.
    open: BTreeMap<Option<VersionKey>, String>,
}

impl<'d> DefinitionIndex<'d> {
    pub(super) fn new(all: Vec<Definition<'d>>) -> Self {
        let mut labels = HashMap::new();
        let mut open = BTreeMap::new();
        for (index, definition) in all.iter().enumerate() {
            labels.entry(definition.label().to_ascii_lowercase()).or_insert(index);
            if definition.key.is_none()
                && let Some(found) =
                    Comparison::parse(definition.address()).filter(|found| version_of(found.to).is_none())
            {
                open.entry(version_of(found.from)).or_insert_with(|| found.comparison_address(found.from, found.from));
            }
        }
        let versions: Vec<_> = all.iter().filter_map(|found| Some((found.key.as_ref()?, found.at))).collect();
        let count = |ascends: bool| versions.windows(2).filter(|pair| (pair[0].0 < pair[1].0) == ascends).count();
        let ascends = (versions.len() > 1).then(|| count(true) > count(false));
        let ends = versions.first().zip(versions.last()).map(|(first, last)| (first.1, last.1));
        let keys = versions.iter().map(|(key, at)| ((*key).clone(), *at)).collect();
        Self { all, labels, keys, ends, ascends, open }
    }

    /// Whether a definition has this version as its label.
    pub(super) fn has_version(&self, key: &VersionKey) -> bool {
        self.keys.contains_key(key)
    }

    /// Finds the definition that the heading of a version refers to: `[1.0.0]` without an address, and not escaped.
    pub(super) fn definition_of(&self, found: VersionHeading) -> Option<&Definition<'d>> {
        let (text, span) = (found.heading.text(), &found.text.version);
        let open = text[..span.start].rfind('[')?;
        let close = span.end + text[span.end..].find(']')?;
        let is_link = !text[..open].ends_with('\\') && !text[close + 1..].starts_with('(');
        let index = self.labels.get(&text[open + 1..close].to_ascii_lowercase()).filter(|_| is_link)?;
        Some(&self.all[*index])
    }

    /// Returns a new definition like `model`, and the line that it goes before.
    pub(super) fn new_definition(
        &self,
        model: &Definition,
        change: &LinkChange,
        key: &VersionKey,
        is_oldest_first: bool,
    ) -> Option<(usize, String)> {
        let ascends = self.ascends.unwrap_or(is_oldest_first);
        let line = match self.keys.range(..key).next_back() {
            Some((_, lower)) if ascends => lower + 1,
            Some((_, lower)) => *lower,
            None if ascends => self.ends?.0,
            None => self.ends?.1 + 1,
        };
        let compared = if self.ascends.is_none() { self.first_comparison(model) } else { None };
        let new = compared.and_then(|address| model.for_version(change, Some(address)));
        Some((line, new.or_else(|| model.for_version(change, None))?))
    }

    /// Returns the address of the only version as a comparison, like that of the unreleased changes: the page of a first
    /// version compares nothing, but those of the next ones do.
    fn first_comparison(&self, model: &Definition) -> Option<&str> {
        let is_comparison = Comparison::parse(model.address()).is_some();
        self.open.get(&model.key).filter(|_| !is_comparison).map(String::as_str)
    }
}

/// Returns edits that start the comparisons of unreleased changes at the new version, the highest of the `added` ones. So
/// far these start at the next lower version of the document, or at an added one above it; and the new version has to be
/// the highest.
pub(super) fn open_comparisons(
    document: &Document,
    outline: &Outline,
    definitions: &[Definition],
    key: &VersionKey,
    version: &str,
    added: &BTreeSet<&VersionKey>,
) -> Vec<(Range<usize>, String)> {
    let released = || outline.versions().filter(|found| !found.text.is_pending).map(|found| found.key().clone());
    let Some(lower) = released().filter(|other| other < key).max().filter(|_| released().all(|other| other < *key))
    else {
        return Vec::new();
    };
    let labels = definitions.iter().filter(|definition| definition.key.is_none());
    let labels = labels.map(|definition| (definition.at, definition.address.clone()));
    let headings =
        outline.headings.iter().filter(|heading| heading.role == HeadingRole::Other && heading.version.is_none());
    let inline = headings.filter_map(|heading| Some((heading.at, INLINE.captures(heading.line)?.get(1)?.range())));
    labels
        .chain(inline)
        .filter_map(|(at, span)| {
            let address = &document.line(at)?[span.clone()];
            let comparison = Comparison::parse(address)?;
            let is_open = version_of(comparison.to).is_none()
                && version_of(comparison.from)
                    .is_some_and(|from| from == lower || from > lower && added.contains(&from));
            let new = comparison.comparison_address(&with_version(comparison.from, version)?, comparison.to);
            let start = document.lines[at].span.start;
            is_open.then_some((start + span.start..start + span.end, new))
        })
        .collect()
}
