//! The words before the title of an entry: its category and its scope.

use std::sync::LazyLock;

use regex::Regex;

static TAGGED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:(?P<type>[A-Za-z]+)(?:\((?P<scope>[^)]*)\))?!?: |(?P<open>\*\*|\\?\[|)(?P<word>[A-Za-z][A-Za-z ]*?)(?P<close>:\*\* |\*\*: |\*\* |\\?\]:? |: ))",
    )
});
static SCOPED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:(?P<plain>[^\s*`()\[\]:\\]{1,40}): |(?P<open>\*\*|\*\(|\(|\\?\[`?|`)(?P<name>[^*`()\[\]:\\]{1,40})(?P<close>:\*\* |\*\*:? |\)\*:? |\):? |`?\\?\]:? |`: ))",
    )
});
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns of words are valid")
}

/// The words that categories have in many files, and the category that each is.
const TITLES: [(&str, &str); 43] = [
    ("breaking changes", "breaking"),
    ("breaking", "breaking"),
    ("breaking change", "breaking"),
    ("major changes", "breaking"),
    ("added", "added"),
    ("features", "added"),
    ("feature", "added"),
    ("feat", "added"),
    ("new features", "added"),
    ("new", "added"),
    ("additions", "added"),
    ("enhancements", "added"),
    ("enhancement", "added"),
    ("minor changes", "added"),
    ("fixed", "fixed"),
    ("fixes", "fixed"),
    ("fix", "fixed"),
    ("bug fixes", "fixed"),
    ("bugfixes", "fixed"),
    ("bugfix", "fixed"),
    ("bugs fixed", "fixed"),
    ("bug fix", "fixed"),
    ("patch changes", "fixed"),
    ("performance", "performance"),
    ("performance improvements", "performance"),
    ("perf", "performance"),
    ("changed", "changed"),
    ("change", "changed"),
    ("changes", "changed"),
    ("improvements", "changed"),
    ("improvement", "changed"),
    ("improved", "changed"),
    ("deprecated", "deprecated"),
    ("deprecation", "deprecated"),
    ("deprecations", "deprecated"),
    ("removed", "removed"),
    ("removals", "removed"),
    ("security", "security"),
    ("security fixes", "security"),
    ("other", "other"),
    ("others", "other"),
    ("other changes", "other"),
    ("miscellaneous", "other"),
];

/// The types of commits that have no category of their own.
const TYPES: [&str; 9] = ["build", "chore", "ci", "deps", "docs", "refactor", "revert", "style", "test"];

/// Returns the category that a title stands for, whatever its pictures.
pub(super) fn category(title: &str) -> Option<&'static str> {
    let is_picture = |word: &&str| word.len() > 2 && word.starts_with(':') && word.ends_with(':');
    let words: Vec<_> = title.split_whitespace().filter(|word| !is_picture(word)).collect();
    let text = words.join(" ");
    let text = text.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    TITLES.iter().find(|(known, _)| *known == text).map(|(_, category)| *category)
}

/// A word before each entry that names the category, such as `[FEATURE] `, `**added:** ` or `feat(scope): `.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Tag {
    pub(super) open: String,
    pub(super) close: String,
    /// Whether the word is a type of Conventional Commits, with the scope in parentheses.
    pub(super) is_type: bool,
}

/// What stands around the scope before the title of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Scope {
    pub(super) open: String,
    pub(super) close: String,
}

impl Default for Scope {
    fn default() -> Self {
        Self { open: "**".to_owned(), close: ":** ".to_owned() }
    }
}

/// The words before a title, taken apart.
pub(super) struct Words {
    pub(super) tag: Option<Tag>,
    /// The category that the tag names, and its word for it.
    pub(super) category: Option<(&'static str, String)>,
    pub(super) scope: Option<Scope>,
}

impl Words {
    /// Takes apart what an entry begins with.
    pub(super) fn of(words: &str) -> Self {
        let untagged = || Self { tag: None, category: None, scope: Scope::find(words) };
        let Some(found) = TAGGED.captures(words) else { return untagged() };
        let kind = found.name("type").map(|kind| kind.as_str());
        let word = kind.unwrap_or_else(|| found.name("word").map_or("", |word| word.as_str()));
        let (known, is_type) = (category(word), kind.is_some_and(|kind| TYPES.contains(&kind)));
        if known.is_none() && !is_type {
            return untagged();
        }
        let text = |name: &str| found.name(name).map_or(String::new(), |text| text.as_str().to_owned());
        let tag = if kind.is_some() {
            let is_type = is_type || ["feat", "fix", "perf"].contains(&word) || found.name("scope").is_some();
            Tag { open: String::new(), close: ": ".to_owned(), is_type }
        } else {
            Tag { open: text("open"), close: text("close"), is_type: false }
        };
        let scope = Scope::find(&words[found[0].len()..]).filter(|_| !tag.is_type);
        Self { tag: Some(tag), category: known.map(|known| (known, word.to_owned())), scope }
    }
}

impl Scope {
    /// Finds the scope that words begin with.
    fn find(words: &str) -> Option<Self> {
        let found = SCOPED.captures(words)?;
        if found.name("plain").is_some() {
            return Some(Self { open: String::new(), close: ": ".to_owned() });
        }
        let (open, close) = (&found["open"], &found["close"]);
        // A sign that opens is closed by its own kind.
        let pairs = [("**", "**"), ("*(", ")*"), ("(", ")"), ("[", "]"), ("`", "`")];
        let (_, end) = pairs.iter().find(|(sign, _)| open.trim_start_matches('\\').starts_with(sign))?;
        close.contains(end).then(|| Self { open: open.to_owned(), close: close.to_owned() })
    }
}
