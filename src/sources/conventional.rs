//! Conventional Commits as a source: the type in the title names the category (conventionalcommits.org, 1.0.0).

use std::{ops::Deref, sync::LazyLock};

use memchr::memmem::Finder;

use super::classification::Classification;
use crate::{
    config::Config,
    model::{BREAKING, Commit, CommitRef, closest},
};

/// The default commit types, and the category that each is listed under.
pub(crate) const TYPES: [(&str, Option<&str>); 11] = [
    ("feat", Some("added")),
    ("fix", Some("fixed")),
    ("perf", Some("performance")),
    (REVERT, Some("changed")),
    ("build", None),
    ("chore", None),
    ("ci", None),
    ("docs", None),
    ("refactor", None),
    ("style", None),
    ("test", None),
];

/// The key of `types` for all types that have no category else.
const OTHER_TYPES: &str = "*";

/// The categories that are types, too, for titles such as `breaking: drop it`.
const CATEGORIES: [&str; 8] =
    [BREAKING, "added", "changed", "deprecated", "fixed", "performance", "removed", "security"];

const REVERT: &str = "revert";

/// The prefix that git gives the title of a revert.
pub(super) const GIT_REVERT: &str = "Revert \"";

/// The parts of a title `type(scope)!: description`, or of the title `Revert "..."` that git writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConventionalCommit<'a> {
    /// The type in lower case; `revert` if git wrote the title.
    pub commit_type: String,
    pub scope: Option<&'a str>,
    /// Whether a `!` is before the colon, or a line begins with `BREAKING CHANGE:`.
    pub is_breaking: bool,
    pub description: &'a str,
}

/// How a section lists the commits of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeListing<'a> {
    Category(&'a str),
    Unlisted,
}

impl<'a> ConventionalCommit<'a> {
    /// Parses a commit's title; `None` if it is not a conventional one.
    pub(crate) fn from_commit<T: Deref<Target = str>>(commit: &'a Commit<T>) -> Option<Self> {
        Self::parse(commit.subject().trim_start(), &commit.message)
    }

    /// Parses a commit's title if its type is known. A cheap check comes first, since in some histories few titles have
    /// a type.
    pub(crate) fn of_known_type<'c, T: Deref<Target = str>>(
        commit: &'a Commit<T>,
        config: &'c Config,
    ) -> Option<(Self, TypeListing<'c>)> {
        let subject = commit.subject().trim_start();
        let end = subject.find(|letter: char| matches!(letter, '(' | ':' | '!') || letter.is_whitespace())?;
        let of_same_name = |known: &str| known.eq_ignore_ascii_case(&subject[..end]);
        let may_be_known = !subject[..end].is_ascii()
            || TYPES.iter().any(|(known, _)| of_same_name(known))
            || CATEGORIES.iter().any(|known| of_same_name(known))
            || config.types.keys().any(|known| of_same_name(known) || known == OTHER_TYPES)
            || subject.starts_with(GIT_REVERT)
            || subject.contains('!')
            || breaking_line(&commit.message).is_some();
        let title = may_be_known.then(|| Self::from_commit(commit)).flatten()?;
        let listing = title.listing(config)?;
        Some((title, listing))
    }

    /// Parses the title of a message.
    ///
    /// Only the title has to be valid: an odd body is not a reason to lose an entry.
    pub(crate) fn parse(title: &'a str, message: &str) -> Option<Self> {
        if let Some(description) = title.strip_prefix(GIT_REVERT).and_then(|rest| rest.strip_suffix('"')) {
            return Some(Self { commit_type: REVERT.to_owned(), scope: None, is_breaking: false, description });
        }
        let parsed = git_conventional::Commit::parse(title).ok()?;
        Some(Self {
            commit_type: parsed.type_().as_str().to_lowercase(),
            scope: parsed.scope().map(|scope| scope.as_str()),
            is_breaking: parsed.breaking() || breaking_line(message).is_some(),
            description: parsed.description().trim_end(),
        })
    }

    /// Returns how a commit of this type is listed; `None` if the type is unknown and the change is not breaking.
    pub(crate) fn listing<'c>(&self, config: &'c Config) -> Option<TypeListing<'c>> {
        if self.is_breaking {
            return Some(TypeListing::Category(BREAKING));
        }
        let category = || CATEGORIES.into_iter().find(|kind| *kind == self.commit_type).map(Some);
        let usual = || {
            TYPES.iter().find(|(kind, _)| *kind == self.commit_type).map(|(_, category)| *category).or_else(category)
        };
        let category = match config.types.get(&self.commit_type) {
            Some(category) => category.as_deref(),
            None => match (usual(), config.types.get(OTHER_TYPES)) {
                (Some(Some(category)), _) => Some(category),
                (_, Some(other)) => other.as_deref(),
                (usual, None) => usual?,
            },
        };
        Some(category.map_or(TypeListing::Unlisted, TypeListing::Category))
    }

    /// Returns the description as an entry's title, without type and scope; a revert names what it reverts.
    pub(crate) fn title(&self, config: &Config) -> String {
        if self.commit_type != REVERT {
            return self.description.to_owned();
        }
        let reverted = Self::parse(self.description, "")
            .filter(|reverted| reverted.commit_type != REVERT && reverted.listing(config).is_some());
        format!("Revert {}", reverted.map_or(self.description, |reverted| reverted.description))
    }
}

/// Classifies a commit by the type in its title.
pub(super) fn classify(commit: &CommitRef<'_>, config: &Config) -> Classification {
    match ConventionalCommit::of_known_type(commit, config) {
        Some((_, TypeListing::Category(category))) => Classification::Listed(vec![category.to_owned()]),
        Some((title, TypeListing::Unlisted)) => Classification::UnlistedType(title.commit_type.into()),
        None => Classification::NoCategory,
    }
}

/// Returns the word that a title begins with, if it looks like a type: `word: text` or `word(scope)!: text`.
pub(crate) fn type_before_colon(title: &str) -> Option<&str> {
    let title = title.trim_start();
    let end = title.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-' && letter != '_')?;
    let (kind, rest) = title.split_at(end);
    let rest = match rest.strip_prefix('(') {
        Some(scope) => scope.split_once(')')?.1,
        None => rest,
    };
    let is_type = rest.strip_prefix('!').unwrap_or(rest).starts_with(": ");
    Some(kind).filter(|kind| is_type && !kind.is_empty())
}

/// Whether the title of a message is that of a Conventional Commit of a known type.
pub(crate) fn is_conventional(message: &str, config: &Config) -> bool {
    let title = ConventionalCommit::parse(message.lines().next().unwrap_or_default().trim_start(), message);
    title.is_some_and(|title| title.listing(config).is_some())
}

/// Returns the known type that is most like an unknown one.
pub(crate) fn closest_type<'c>(kind: &str, config: &'c Config) -> Option<&'c str> {
    closest(kind, known_types(config))
}

pub(super) fn known_types(config: &Config) -> impl Iterator<Item = &str> {
    TYPES.iter().map(|(kind, _)| *kind).chain(config.types.keys().map(String::as_str))
}

/// Returns a title without blanks around the parts of its type and without an empty scope, if the type is then known.
pub(crate) fn well_formed(title: &str, config: &Config) -> Option<String> {
    let (prefix, description) = title.split_once(':')?;
    let (name, scope, mark) = if let Some((name, rest)) = prefix.split_once('(') {
        let (scope, mark) = rest.split_once(')')?;
        (name, scope.trim(), mark)
    } else {
        let (name, mark) = prefix.split_at(prefix.find('!').unwrap_or(prefix.len()));
        (name, "", mark)
    };
    let scope = if scope.is_empty() { String::new() } else { format!("({scope})") };
    let good = format!("{}{scope}{}: {}", name.trim(), mark.trim(), description.trim());
    let parsed = ConventionalCommit::parse(&good, "")?;
    known_types(config).any(|known| known == parsed.commit_type).then_some(good)
}

/// Finds the line after the title that announces a breaking change: `BREAKING CHANGE: ...`.
///
/// The items of the list that a forge writes into a squashed commit do not count, since they are no entries either.
pub(crate) fn breaking_line(message: &str) -> Option<&str> {
    MARK.find_iter(message.as_bytes())
        .filter_map(|at| {
            let start = message[..at].rfind('\n')? + 1;
            Some(message[start..].lines().next().unwrap_or_default())
        })
        .find(|line| BREAKING_MARKS.iter().any(|mark| line.starts_with(mark)))
}

/// Returns what a message says that breaks: the text of each `BREAKING CHANGE:`, which goes on to the next footer or item
/// of a list (conventionalcommits.org, 1.0.0, 10). `None` if there is none.
pub(crate) fn breaking_text(message: &str) -> Option<String> {
    breaking_line(message)?;
    let mut texts: Vec<Vec<&str>> = Vec::new();
    let mut is_open = false;
    for line in message.lines().skip(1) {
        if let Some(text) = BREAKING_MARKS.iter().find_map(|mark| line.strip_prefix(mark)) {
            texts.push(vec![text]);
            is_open = true;
        } else if is_footer(line) || line.starts_with("* ") {
            is_open = false;
        } else if let (true, Some(text)) = (is_open, texts.last_mut()) {
            text.push(line);
        }
    }
    let texts = texts.iter().map(|lines| lines.join("\n").trim().to_owned()).filter(|text| !text.is_empty());
    Some(texts.collect::<Vec<_>>().join("\n\n")).filter(|text| !text.is_empty())
}

/// Whether a line begins a footer: `Reviewed-by: Ida`, `Closes #7`.
fn is_footer(line: &str) -> bool {
    let end = line.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-').unwrap_or(0);
    let (token, rest) = line.split_at(end);
    let is_token = token.starts_with(|letter: char| letter.is_ascii_alphabetic());
    is_token && (rest.starts_with(": ") || rest.starts_with(" #"))
}

const BREAKING_MARKS: [&str; 2] = ["BREAKING CHANGE:", "BREAKING-CHANGE:"];

static MARK: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("BREAKING"));

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(message: &str) -> Option<TypeListing<'static>> {
        static CONFIG: std::sync::LazyLock<Config> = std::sync::LazyLock::new(|| Config {
            types: [("docs".to_owned(), Some("documentation".to_owned())), ("perf".to_owned(), None)].into(),
            ..Config::default()
        });
        let commit = crate::sources::testing::commit(1, message);
        ConventionalCommit::of_known_type(&commit, &CONFIG).map(|(_, listing)| listing)
    }

    #[test]
    fn types_name_categories_by_the_configuration_then_by_the_usual_rule() {
        for (message, expected) in [
            ("feat: add crane", Some(TypeListing::Category("added"))),
            ("Fix(api): mend it", Some(TypeListing::Category("fixed"))),
            ("docs: tell", Some(TypeListing::Category("documentation"))),
            ("perf: hurry", Some(TypeListing::Unlisted)),
            ("chore(deps): renew", Some(TypeListing::Unlisted)),
            ("security: mend it", Some(TypeListing::Category("security"))),
            ("Removed(api): it", Some(TypeListing::Category("removed"))),
            (" feat: add crane", Some(TypeListing::Category("added"))),
            ("fxi: mend it", None),
            ("Merge branch 'a'", None),
            ("feat add crane", None),
            ("feat:", None),
            ("", None),
        ] {
            assert_eq!(listing(message), expected, "{message:?}");
        }
    }

    #[test]
    fn what_breaks_is_breaking_whatever_its_type() {
        for message in [
            "feat!: x",
            "chore(api)!: x",
            "odd!: x",
            "fix: x\n\nBREAKING CHANGE: y",
            "fix: x\nSquashed:\n\nBREAKING-CHANGE: y\n\nEmpty:",
            "breaking: x",
        ] {
            assert_eq!(listing(message), Some(TypeListing::Category(BREAKING)), "{message:?}");
        }
        assert_eq!(listing("fix: x\n\nNo BREAKING CHANGE: y"), Some(TypeListing::Category("fixed")));
        assert_eq!(listing("fix: x\n\nBREAKING CHANGES are none"), Some(TypeListing::Category("fixed")));
        for body in
            ["* stop it!: now\n\nfeat!: y\n", "* fix: x\n\n* BREAKING CHANGE: y\n", "- refactor(api)!: drop y\n"]
        {
            assert_eq!(listing(&format!("fix: x (#7)\n\n{body}")), Some(TypeListing::Category("fixed")), "{body}");
        }
    }

    #[test]
    fn the_text_of_what_breaks_ends_at_the_next_footer() {
        for (message, text) in [
            ("fix: x\n\nBREAKING CHANGE: it is gone", Some("it is gone")),
            ("fix: x\n\nBREAKING CHANGE: it\nis gone\n\nfor good\n\nCloses #7\nMore", Some("it\nis gone\n\nfor good")),
            ("fix: x\n\nBREAKING CHANGE: a\nReviewed-by: Ida\nBREAKING-CHANGE: b\n\n* feat: c", Some("a\n\nb")),
            ("fix: x\n\nBREAKING CHANGE:\n- one\n- two", Some("- one\n- two")),
            ("fix: x\n\nBREAKING CHANGE:\n\nReviewed-by: Ida", None),
            ("feat!: x", None),
        ] {
            assert_eq!(breaking_text(message).as_deref(), text, "{message}");
        }
    }

    #[test]
    fn a_title_loses_its_prefix_and_a_revert_names_what_it_reverts() {
        let title = |title| ConventionalCommit::parse(title, "").unwrap().title(&Config::default());
        assert_eq!(title("feat(api)!: Add crane "), "Add crane");
        assert_eq!(title("revert: feat(api): add crane"), "Revert add crane");
        assert_eq!(title("Revert \"fix: mend it\""), "Revert mend it");
        assert_eq!(title("Revert \"Docker: use less\""), "Revert Docker: use less");
        assert_eq!(ConventionalCommit::parse("feat(api): x", "").unwrap().scope, Some("api"));
        let kinds = ["wip: x", "Docs(a b)!: x", "docker-compose: x", "a b: x", "x:y", "https://x: y", ": x"];
        let found = [Some("wip"), Some("Docs"), Some("docker-compose"), None, None, None, None];
        assert_eq!(kinds.map(type_before_colon), found);
        assert_eq!(closest_type("feta", &Config::default()), Some("feat"));
    }
}
