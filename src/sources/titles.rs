//! Titles as a source: every commit but merges is a change, unless it is a release or the work of a bot.

use super::{
    bots::is_of_bot,
    classification::Classification,
    source_profile::{MISSING_CATEGORY, NAME_THE_REQUEST, SourceProfile},
};
use crate::config::CHANGES;
use crate::{model::CommitRef, versions::tag_names};

/// The title of a commit that brings the text below `Unreleased` up to date; the package may follow.
pub(crate) const UPDATE_TITLE: &str = "Update unreleased changes";

pub(super) const SOURCE: SourceProfile = SourceProfile {
    classify: |commit, _, _| classify(commit).into(),
    property: "title of its own",
    short_property: "title of its own",
    rule: MISSING_CATEGORY,
    rule_hint: NAME_THE_REQUEST,
    unlisted_hint: Some("merges and the commits of a release are not listed"),
};

/// Classifies a commit by its title.
fn classify(commit: &CommitRef<'_>) -> Classification {
    match () {
        () if commit.is_merge => Classification::NoCategory,
        () if is_of_bot(commit) => Classification::Skipped("the commit of a bot".into()),
        () => Classification::Listed(vec![CHANGES.to_owned()]),
    }
}

/// Whether a title only says that a version is released, such as `1.2.0` or `Bump version to 1.2.0`, or that the
/// changelog was written.
pub(crate) fn is_release(title: &str) -> bool {
    const WORDS: [&str; 20] = [
        "add",
        "all",
        "bump",
        "changelog",
        "chore",
        "cut",
        "for",
        "prepare",
        "preparing",
        "publish",
        "release",
        "released",
        "releases",
        "releasing",
        "renew",
        "tag",
        "to",
        "up",
        "version",
        "versions",
    ];
    let is_version = |word: &str| tag_names::family(word).is_some();
    // This is the title of `tidings add --unreleased`.
    if title.strip_prefix(UPDATE_TITLE).is_some_and(|rest| rest.is_empty() || rest.starts_with(" of ")) {
        return true;
    }
    // These are the titles of `tidings add` and `tidings release` for packages.
    let title = title.strip_prefix("Add changelog for ").and_then(|rest| rest.split(" of ").next()).unwrap_or(title);
    if title.strip_prefix("Release ").is_some_and(|packages| {
        packages
            .split(", ")
            .all(|part| part.rsplit_once(' ').is_some_and(|(name, version)| !name.contains(' ') && is_version(version)))
    }) {
        return true;
    }
    let mut words = title
        .split(|sign: char| sign.is_whitespace() || ",:()".contains(sign))
        .map(|word| word.trim_matches(['.', '!', '`', '\'', '"']))
        .filter(|word| !word.is_empty() && !word.starts_with('#'));
    let mut has_version = false;
    let is_of_release = words.all(|word| {
        has_version |= is_version(word);
        is_version(word) || WORDS.contains(&word.to_lowercase().as_str())
    });
    is_of_release && has_version
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_of_a_release_has_nothing_but_a_version() {
        for title in [
            "1.2.0",
            "v1.2.0",
            "ignore-0.4.33",
            "Release 1.2",
            "Bump version to 1.2.0 (#12)",
            "changelog: 15.2.0",
            "Add changelog for version 1.2.0",
            "Add changelog for version 1.2.0 of api",
            "Add changelog for all versions up to 1.2.0",
            "Update unreleased changes",
            "Update unreleased changes of api",
            "Release api 1.2.0",
            "Release api 1.2.0, web 2.0.0",
        ] {
            assert!(is_release(title), "{title}");
        }
        for title in [
            "Release",
            "Bump serde to 1.2.0",
            "Mend 1.2.0",
            "Prepare the release",
            "",
            "Version the API",
            "Add support of 1.2.0",
        ] {
            assert!(!is_release(title), "{title}");
        }
    }
}
