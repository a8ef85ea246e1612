//! Addresses of versions: link definitions and the links of headings, turned into those of another version.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;

use super::{
    Document,
    heading_text::pattern,
    outline::{HeadingRole, Outline, VersionHeading},
    version_key::{VersionKey, versions, with_version},
};

static COMPARE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(.*?/compare/)([^#?\s>)]+?)(\.{2,3})([^#?\s>)]+)(.*)$"));

pub(super) struct Comparison<'a> {
    start: &'a str,
    pub(super) from: &'a str,
    dots: &'a str,
    pub(super) to: &'a str,
    end: &'a str,
}

impl<'a> Comparison<'a> {
    pub(super) fn parse(address: &'a str) -> Option<Self> {
        let found = COMPARE.captures(address)?;
        let [start, from, dots, to, end] = found.extract().1;
        Some(Self { start, from, dots, to, end })
    }

    pub(super) fn comparison_address(&self, from: &str, to: &str) -> String {
        format!("{}{from}{}{to}{}", self.start, self.dots, self.end)
    }
}

/// Returns the last version in a tag name.
pub(super) fn version_of(tag: &str) -> Option<VersionKey> {
    versions(tag, true).pop().map(|found| found.key)
}

/// The change from the address of one version to that of another.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkChange<'a> {
    /// The version of the existing address.
    pub(super) model: &'a VersionKey,
    /// The version of the new address.
    pub(super) version: &'a str,
    /// The tag that the section of the new version starts after.
    pub(super) base_tag: Option<&'a str>,
    /// The next lower version of the document.
    pub(super) lower: Option<&'a str>,
}

impl LinkChange<'_> {
    /// Returns the address of the new version. A comparison goes from the base tag to the new tag; without a base tag
    /// it begins at the tag of the next lower version. `None` if no version is lower either.
    pub(super) fn apply(&self, address: &str) -> Option<String> {
        let Some(comparison) = Comparison::parse(address) else { return Some(self.exchange(address)) };
        let Comparison { from, to, .. } = comparison;
        let tag = [to, from].into_iter().find(|tag| version_of(tag).as_ref() == Some(self.model)).unwrap_or(to);
        let new = with_version(tag, self.version)?;
        // An address may have the signs of a tag in their escaped form.
        let escaped = |base: String, (sign, escape): (char, &str)| {
            if tag.contains(escape) { base.replace(sign, escape) } else { base }
        };
        let base = self.base_tag.map(|base| [('@', "%40"), ('/', "%2F")].into_iter().fold(base.to_owned(), escaped));
        let base = base.or_else(|| with_version(tag, self.lower?))?;
        Some(comparison.comparison_address(&base, &new))
    }

    /// Replaces the version of the model everywhere in a text.
    pub(super) fn exchange(&self, text: &str) -> String {
        let mut new = text.to_owned();
        for found in versions(text, true).iter().rev().filter(|found| found.key == *self.model) {
            new.replace_range(found.start..found.end, self.version);
        }
        new
    }
}

static DEFINITION: LazyLock<Regex> = LazyLock::new(|| pattern(r"^ {0,3}\[((?:[^\]\\]|\\.)+)\]:[ \t]*<?([^\s>]+)"));
static INLINE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\]\(([^)\s]+)"));

pub(super) fn is_definition(line: &str) -> bool {
    DEFINITION.is_match(line)
}

/// `[label]: address` in one line.
#[derive(Clone, Debug)]
pub(super) struct Definition<'d> {
    pub(super) at: usize,
    line: &'d str,
    label: Range<usize>,
    address: Range<usize>,
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
}

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

/// Finds the definition that the heading of a version refers to: `[1.0.0]` without an address, and not escaped.
pub(super) fn definition_of<'l, 'd>(
    definitions: &'l [Definition<'d>],
    found: VersionHeading,
) -> Option<&'l Definition<'d>> {
    let (text, span) = (found.heading.text(), &found.text.version);
    let open = text[..span.start].rfind('[')?;
    let close = span.end + text[span.end..].find(']')?;
    let is_link = !text[..open].ends_with('\\') && !text[close + 1..].starts_with('(');
    let label = &text[open + 1..close];
    definitions.iter().find(|definition| is_link && definition.label().eq_ignore_ascii_case(label))
}

/// Whether a definition is in the section of its heading and not at the end of the document.
pub(super) fn is_in_section(definition: &Definition, outline: &Outline, found: VersionHeading) -> bool {
    let at = found.heading.at;
    let next = outline.versions().map(|other| other.heading.at).find(|other| *other > at);
    definition.at > at && next.is_some_and(|next| definition.at < next)
}

/// Returns a new definition like `model`, and the line that it goes before.
pub(super) fn new_definition(
    definitions: &[Definition],
    model: &Definition,
    change: &LinkChange,
    key: &VersionKey,
    is_oldest_first: bool,
) -> Option<(usize, String)> {
    let versions: Vec<_> =
        definitions.iter().filter_map(|definition| Some((definition.key.as_ref()?, definition.at))).collect();
    let count = |ascends: bool| versions.windows(2).filter(|pair| (pair[0].0 < pair[1].0) == ascends).count();
    let ascends = if versions.len() > 1 { count(true) > count(false) } else { is_oldest_first };
    let lower = versions.iter().filter(|(other, _)| *other < key).max_by_key(|(other, _)| *other).map(|(_, at)| *at);
    let line = match lower {
        Some(lower) if ascends => lower + 1,
        Some(lower) => lower,
        None if ascends => versions.first()?.1,
        None => versions.last()?.1 + 1,
    };
    let compared = if versions.len() == 1 { first_comparison(definitions, model) } else { None };
    let new = compared.and_then(|address| model.for_version(change, Some(&address)));
    Some((line, new.or_else(|| model.for_version(change, None))?))
}

/// Returns the address of the only version as a comparison, like that of the unreleased changes: the page of a first
/// version compares nothing, but those of the next ones do.
fn first_comparison(definitions: &[Definition], model: &Definition) -> Option<String> {
    if Comparison::parse(model.address()).is_some() {
        return None;
    }
    let unreleased = definitions.iter().filter(|definition| definition.key.is_none());
    let mut open = unreleased.filter_map(|definition| Comparison::parse(definition.address()));
    open.find(|open| version_of(open.to).is_none() && version_of(open.from) == model.key)
        .map(|open| open.comparison_address(open.from, open.from))
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
    added: &[&VersionKey],
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
                    .is_some_and(|from| from == lower || from > lower && added.contains(&&from));
            let new = comparison.comparison_address(&with_version(comparison.from, version)?, comparison.to);
            let start = document.lines[at].span.start;
            is_open.then_some((start + span.start..start + span.end, new))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_to_another_version() {
        let model = VersionKey::parse("1.1.0").unwrap();
        let change = LinkChange { model: &model, version: "1.2.0", base_tag: Some("a-v1.1.1"), lower: Some("1.1.0") };
        for (old, new) in [
            ("https://x/-/compare/a-v1.0.0...a-v1.1.0", "https://x/-/compare/a-v1.1.1...a-v1.2.0"),
            ("https://x/compare/v1.1.0..v1.0.0#top", "https://x/compare/a-v1.1.1..v1.2.0#top"),
            ("https://x/releases/tag/v1.1.0", "https://x/releases/tag/v1.2.0"),
            ("https://x/milestone/3", "https://x/milestone/3"),
        ] {
            assert_eq!(change.apply(old).as_deref(), Some(new));
        }
        let lower = LinkChange { base_tag: None, ..change }.apply("https://x/compare/v1.0.0...v1.1.0");
        assert_eq!(lower.as_deref(), Some("https://x/compare/v1.1.0...v1.2.0"));
        let escaped =
            LinkChange { base_tag: Some("a@1.1.1"), ..change }.apply("https://x/compare/a%401.0.0...a%401.1.0");
        assert_eq!(escaped.as_deref(), Some("https://x/compare/a%401.1.1...a%401.2.0"));
        let none = LinkChange { base_tag: None, lower: None, ..change };
        assert_eq!(none.apply("https://x/compare/v1.0.0...v1.1.0"), None);
    }
}
