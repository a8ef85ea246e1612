//! Families of tags, which have the same text before their versions; those of the newest tags come first.

use indexmap::IndexMap;
use semver::Version;

use crate::{
    changelog::{
        bump,
        tag_pattern::{self, TagPattern},
    },
    config::Versioning,
};

/// The tags with the same text before their versions.
#[derive(Clone, Debug)]
pub(super) struct TagFamily<'a> {
    /// The text before the version and its `v`.
    pub(super) name: &'a str,
    /// The tags, newest first.
    pub(super) tags: Vec<&'a str>,
    /// The number of the repository's newest tags among them.
    pub(super) recent: usize,
}

/// Sorts tags, the newest first, into families, in the order of their newest tags. Pre-releases do not count.
pub(super) fn families(tags: &[String]) -> Vec<TagFamily<'_>> {
    let is_stable = |text: &str| {
        let text = text.strip_prefix('v').unwrap_or(text);
        TagPattern::Default.stable_version(text).is_some() || tag_pattern::loose(text).is_some()
    };
    let mut families: IndexMap<&str, TagFamily> = IndexMap::new();
    let stable = tags.iter().filter_map(|tag| {
        let name = tag_pattern::family(tag)?;
        is_stable(&tag[name.len()..]).then_some((name, tag.as_str()))
    });
    for (position, (name, tag)) in stable.enumerate() {
        let family = families.entry(name).or_insert_with(|| TagFamily { name, tags: Vec::new(), recent: 0 });
        family.tags.push(tag);
        family.recent += usize::from(position < tag_pattern::NEWEST);
    }
    families.into_values().collect()
}

impl TagFamily<'_> {
    pub(super) fn prefix(&self) -> String {
        let newest = self.tags.first().copied().unwrap_or_default();
        let has_v = newest[self.name.len()..].starts_with('v');
        format!("{}{}", self.name, if has_v { "v" } else { "" })
    }

    pub(super) fn last_version(&self) -> Option<Version> {
        self.versions().filter_map(|version| Version::parse(version).ok()).max()
    }

    /// Returns the name of what is released, without the separator before the version.
    pub(super) fn released_name(&self) -> &str {
        self.name.trim_end_matches(['/', '@', '-', '_', '.'])
    }

    fn versions(&self) -> impl Iterator<Item = &str> {
        self.tags.iter().map(|tag| &tag[self.name.len()..]).map(|text| text.strip_prefix('v').unwrap_or(text))
    }

    /// Returns the scheme of calendar versions, if the newest tags are dates.
    pub(super) fn versioning(&self) -> Option<String> {
        let newest: Vec<Vec<&str>> =
            self.versions().take(tag_pattern::NEWEST).map(|version| version.split('.').collect()).collect();
        let first = newest.first().filter(|_| self.versions().next().is_some_and(bump::is_date))?;
        let column = |index: usize| newest.iter().filter_map(move |parts| parts.get(index).copied());
        let is_padded = |index: usize| column(index).any(|number| number.len() > 1 && number.starts_with('0'));
        if !column(1).all(|month| month.parse().is_ok_and(|month: u32| (1..=12).contains(&month))) {
            return None;
        }
        // Numbers of two digits after months of two digits are days.
        let is_day = |day: &str| day.len() == 2 && day.parse().is_ok_and(|day: u32| (1..=31).contains(&day));
        let has_days = is_padded(1) && column(2).all(is_day);
        let mut tokens = vec![
            if first[0].len() == 4 { "YYYY" } else { "YY" },
            if is_padded(1) { "0M" } else { "MM" },
            if is_padded(2) || has_days { "0D" } else { "MICRO" },
            "MICRO",
        ];
        tokens.truncate(first.len());
        let scheme = tokens.join(".");
        Versioning::parse(&scheme).is_ok().then_some(scheme)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(tags: &[&str]) -> Vec<(String, usize, Option<String>)> {
        let tags: Vec<_> = tags.iter().map(|&tag| tag.to_owned()).collect();
        let families = families(&tags);
        families.iter().map(|family| (family.prefix(), family.tags.len(), family.versioning())).collect()
    }

    #[test]
    fn a_prefix_is_that_of_the_newest_tag() {
        let tags =
            ["tokio-1.53.0", "tokio-util-0.7.1", "tokio-1.52.0", "tokio-1.54.0-rc.1", "tokio-v0.1.10", "nightly"];
        assert_eq!(found(&tags), [("tokio-".into(), 3, None), ("tokio-util-".into(), 1, None)]);
        assert_eq!(found(&["v1.2.0", "26.2", "@a/b@1.0.0"]), [("v".into(), 2, None), ("@a/b@".into(), 1, None)]);
    }

    #[test]
    fn dates_show_the_scheme_of_their_versions() {
        for (tags, scheme) in [
            (&["2026.08.19", "2026.07.30"][..], Some("YYYY.0M.0D")),
            (&["2024.3.1", "2024.11.0"], Some("YYYY.MM.MICRO")),
            (&["2024.03", "2024.11"], Some("YYYY.0M")),
            (&["v2024.14.1"], None),
            (&["26.2"], None),
        ] {
            assert_eq!(found(tags)[0].2.as_deref(), scheme, "{tags:?}");
        }
    }
}
