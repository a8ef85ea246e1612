//! Addresses of versions: the link of a heading or definition, turned into that of another version.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    heading_text::pattern,
    version_key::{VersionKey, versions, with_version},
};

static COMPARE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(.*?/compare/)([^#?\s>)]+?)(\.{2,3})([^#?\s>)]+)(.*)$"));

/// What a comparison in an address is between.
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

    pub(super) fn between(&self, from: &str, to: &str) -> String {
        format!("{}{from}{}{to}{}", self.start, self.dots, self.end)
    }
}

/// The version that a tag ends with.
pub(super) fn version_of(tag: &str) -> Option<VersionKey> {
    versions(tag, true).pop().map(|found| found.key)
}

/// How the address of one version becomes that of another.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkChange<'a> {
    /// The version whose address it is.
    pub(super) model: &'a VersionKey,
    /// The version whose address is wanted.
    pub(super) version: &'a str,
    /// The tag that its section starts after.
    pub(super) base_tag: Option<&'a str>,
    /// The next lower version of the document.
    pub(super) lower: Option<&'a str>,
}

impl LinkChange<'_> {
    /// The address of the new version. A comparison goes from the base tag to the new tag; without a base tag from that
    /// of the next lower version, and `None` if there is none either.
    pub(super) fn apply(&self, address: &str) -> Option<String> {
        let Some(comparison) = Comparison::parse(address) else { return Some(self.exchange(address)) };
        let Comparison { from, to, .. } = comparison;
        let is_model = |tag: &&str| version_of(tag).as_ref() == Some(self.model);
        let tag = [to, from].into_iter().find(is_model).unwrap_or(to);
        let new = with_version(tag, self.version)?;
        let lower = || with_version(tag, self.lower?);
        let base = self.base_tag.map(ToOwned::to_owned).or_else(lower)?;
        Some(comparison.between(&base, &new))
    }

    /// Replaces the version of the model wherever it is.
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
        let none = LinkChange { base_tag: None, lower: None, ..change };
        assert_eq!(none.apply("https://x/compare/v1.0.0...v1.1.0"), None);
    }
}
