//! Addresses of versions: those of link definitions and headings, turned into those of another version.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    heading_text::heading_pattern,
    version_key::{VersionKey, versions, with_version},
};

static COMPARE: LazyLock<Regex> =
    LazyLock::new(|| heading_pattern(r"^(.*?/compare/)([^#?\s>)]+?)(\.{2,3})([^#?\s>)]+)(.*)$"));

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
