//! What the name of a tag says by itself: its family, and whether the rest is a version, however its numbers are
//! separated.

use std::borrow::Cow;

/// The characters between the numbers of a version in a tag; versions themselves have dots.
pub(crate) const SEPARATORS: [char; 3] = ['.', '_', '-'];

/// Returns a text as a stable version: a semantic one as it is, or two to four numbers with dots between them, which may
/// be written with `_` (`8_1_0`), or, if there are at least three, with `-` (`2024-03-04`).
pub(crate) fn stable_text(text: &str) -> Option<Cow<'_, str>> {
    // Most tags that are not versions are recognized by their first byte.
    text.as_bytes().first().filter(|byte| byte.is_ascii_digit())?;
    match semver::Version::parse(text) {
        Ok(version) => (version.pre.is_empty() && !names_pre_release(&version.build)).then_some(Cow::Borrowed(text)),
        Err(_) => numbers_with_dots(text),
    }
}

/// Returns two to four numbers with dots between them. Of a day's second release (`2024-03-04.1`) the last is behind a
/// dot already.
pub(crate) fn numbers_with_dots(text: &str) -> Option<Cow<'_, str>> {
    let is_number = |part: &str| (1..=10).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    if let Some((day, release)) = text.rsplit_once('.')
        && day.split('-').count() == 3
        && day.split('-').chain([release]).all(is_number)
    {
        return Some(text.replace('-', ".").into());
    }
    let separator = SEPARATORS.into_iter().find(|separator| text.contains(*separator))?;
    let least = if separator == '-' { 3 } else { 2 };
    let is_version = (least..=4).contains(&text.split(separator).count()) && text.split(separator).all(is_number);
    is_version.then(|| if separator == '.' { text.into() } else { text.replace(separator, ".").into() })
}

/// Whether build metadata names a pre-release, as in `16.2.0+rc45.ee.0`: semantic versioning takes it for a stable
/// version all the same.
pub(super) fn names_pre_release(build: &semver::BuildMetadata) -> bool {
    let word = build.split('.').next().unwrap_or_default().trim_end_matches(|byte: char| byte.is_ascii_digit());
    ["alpha", "beta", "dev", "pre", "rc"].contains(&word)
}

/// Whether a stable version is not a semantic one.
pub(crate) fn is_loose(version: &str) -> bool {
    semver::Version::parse(version).is_err()
}

/// Whether a family of tags has the name of a project, whatever separates the name from versions; of a name with a
/// scope (`@scope/name`) the last part counts too.
pub(crate) fn is_named(family: &str, name: &str) -> bool {
    let released = family.trim_end_matches(['-', '/', '@', '_']);
    let last = released.strip_prefix('@').and_then(|scoped| scoped.split_once('/')).map_or(released, |(_, last)| last);
    [released, last].iter().any(|own| own.eq_ignore_ascii_case(name))
}

/// Returns the name in what tags have before their versions: `api` for `api/v`, `@scope/node` for `@scope/node@`.
pub(crate) fn name_in_prefix(prefix: &str) -> &str {
    let family = prefix.strip_suffix('v').filter(|rest| !rest.ends_with(char::is_alphanumeric)).unwrap_or(prefix);
    family.trim_end_matches(['@', '/', '-', '_'])
}

/// Returns the part of a tag before its version and the version's `v`: `""` for `v1.2.0`, `api/` for `api/v1.2.0`,
/// `node@` for `node@9.0.0`, `curl-` for `curl-8_1_0`; `None` if it does not end with a version.
pub(crate) fn family(tag: &str) -> Option<&str> {
    let starts = tag.bytes().enumerate().filter(|(at, byte)| {
        let before = at.checked_sub(1).map(|at| tag.as_bytes()[at]);
        byte.is_ascii_digit() && !before.is_some_and(|byte| byte.is_ascii_digit() || byte == b'.')
    });
    for (start, _) in starts {
        let version = &tag[start..];
        if semver::Version::parse(version).is_ok() || numbers_with_dots(version).is_some() {
            let prefix = &tag[..start];
            let bare = prefix.strip_suffix('v').unwrap_or(prefix);
            let is_mark = bare.bytes().last().is_none_or(|byte| !byte.is_ascii_alphanumeric());
            return Some(if is_mark { bare } else { prefix });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_family_of_a_tag_is_what_comes_before_the_version() {
        for (tag, expected) in [
            ("v1.2.3", Some("")),
            ("26.2", Some("")),
            ("tokio-1.2.0", Some("tokio-")),
            ("tokio-v0.1.10", Some("tokio-")),
            ("@astrojs/node@9.0.0", Some("@astrojs/node@")),
            ("api/v1.2.0-rc.1", Some("api/")),
            ("rev1.2.0", Some("rev")),
            ("curl-8_1_0", Some("curl-")),
            ("2024-03-04", Some("")),
            ("2024-03-04.1", Some("")),
            ("release-2-1.0.0", Some("release-2-")),
            ("nightly", None),
            // The last four of five numbers are not a version.
            ("1.2.3.4.5", None),
        ] {
            assert_eq!(family(tag), expected, "{tag}");
        }
    }

    #[test]
    fn a_family_has_the_name_of_a_project_with_or_without_its_scope() {
        for (family, name, expected) in [
            ("harbor-", "Harbor", true),
            ("@harbor/sail@", "sail", true),
            ("@harbor/sail@", "harbor", false),
            ("api/sail/", "sail", false),
        ] {
            assert_eq!(is_named(family, name), expected, "{family} and {name}");
        }
    }

    #[test]
    fn a_day_and_its_second_release_are_numbers() {
        for (text, expected) in [
            ("2024-03-04", Some("2024.03.04")),
            ("2024-03-04.1", Some("2024.03.04.1")),
            ("2024-03-rc.1", None),
            ("2024-03-04.rc", None),
            ("2024-03.1", None),
            ("8-1", None),
            ("12345678901.0", None),
        ] {
            assert_eq!(numbers_with_dots(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_loose_version_is_not_a_semantic_one() {
        assert!(is_loose("1.2") && !is_loose("1.2.3+b"));
    }
}
