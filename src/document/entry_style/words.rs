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
        r"^(?:(?P<plain>[^\s*`()\[\]:\\]{1,40}): |(?P<open>\*\*\[?|\*\(|\(|\\?\[`?|`)(?P<name>[^*`()\[\]:\\]{1,40})(?P<close>:\*\* |\]?\*\*:? |\)\*:? |\):? |`?\\?\]:? |`: ))",
    )
});
/// A picture before an entry, as a sign or by its name.
static PICTURE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?P<picture>:[a-z0-9_+-]+:|[^\x00-\x7f\p{L}\p{N}\p{P}\s]+) "));

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns of words are valid")
}

/// The words that categories have in many files, and the category that each is.
const TITLES: [(&str, &str); 50] = [
    ("breaking changes", "breaking"),
    ("breaking", "breaking"),
    ("breaking change", "breaking"),
    ("major changes", "breaking"),
    ("added", "added"),
    ("features", "added"),
    ("feature", "added"),
    ("feat", "added"),
    ("new features", "added"),
    ("new feature", "added"),
    ("new", "added"),
    ("additions", "added"),
    ("enhancements", "added"),
    ("enhancement", "added"),
    ("minor changes", "added"),
    ("minor enhancements", "added"),
    ("implemented enhancements", "added"),
    ("fixed", "fixed"),
    ("fixes", "fixed"),
    ("fix", "fixed"),
    ("bug fixes", "fixed"),
    ("bugfixes", "fixed"),
    ("bugfix", "fixed"),
    ("bugs fixed", "fixed"),
    ("bug fix", "fixed"),
    ("patch changes", "fixed"),
    ("fixed bugs", "fixed"),
    ("bugs", "fixed"),
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
    ("internal", "other"),
    ("merged pull requests", "other"),
];

/// The pictures of categories, by the sign and by the name, the usual one of each category first.
const PICTURES: [(&str, &str, &str); 16] = [
    ("\u{1f4a5}", "boom", "breaking"),
    ("\u{2728}", "sparkles", "added"),
    ("\u{1f389}", "tada", "added"),
    ("\u{1f195}", "new", "added"),
    ("\u{1f41b}", "bug", "fixed"),
    ("\u{1f41e}", "beetle", "fixed"),
    ("\u{1fa79}", "adhesive_bandage", "fixed"),
    ("\u{1f691}", "ambulance", "fixed"),
    ("\u{26a1}", "zap", "performance"),
    ("\u{1f512}", "lock", "security"),
    ("\u{1f5d1}", "wastebasket", "deprecated"),
    ("\u{1f525}", "fire", "removed"),
    ("\u{267b}", "recycle", "changed"),
    ("\u{1f527}", "wrench", "other"),
    ("\u{1f477}", "construction_worker", "other"),
    ("\u{1f3e0}", "house", "other"),
];

/// Returns the usual picture of a category: by its name if the file has those, else the sign.
pub(super) fn picture(category: &str, is_named: bool) -> Option<String> {
    let (sign, name, _) = PICTURES.iter().find(|(_, _, known)| *known == category)?;
    Some(if is_named { format!(":{name}:") } else { (*sign).to_owned() })
}

/// Whether a title begins with a picture, or is one.
pub(super) fn has_picture(title: &str) -> bool {
    PICTURE.is_match(&format!("{title} "))
}

/// The types of commits that have no category of their own.
const TYPES: [&str; 9] = ["build", "chore", "ci", "deps", "docs", "refactor", "revert", "style", "test"];

/// Returns the category that a title stands for, whatever its pictures.
pub(super) fn category(title: &str) -> Option<&'static str> {
    let words = title.split_whitespace();
    let words: Vec<_> =
        words.filter(|word| word.len() <= 2 || !(word.starts_with(':') && word.ends_with(':'))).collect();
    let text = words.join(" ");
    let text = text.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    TITLES.iter().find(|(known, _)| *known == text).map(|(_, category)| *category)
}

/// A word or picture before each entry that names the category, such as `[FEATURE] `, `**added:** ` or `feat(scope): `.
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
        if let Some(found) = PICTURE.captures(words) {
            let picture = &found["picture"];
            let plain = picture.trim_matches([':', '\u{fe0f}']);
            let known = PICTURES.iter().find(|(sign, name, _)| *sign == plain || *name == plain);
            let tag = Tag { open: String::new(), close: " ".to_owned(), is_type: false };
            let category = known.map(|(_, _, category)| (*category, picture.to_owned()));
            return Self { tag: Some(tag), category, scope: Scope::find(&words[found[0].len()..]) };
        }
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
        // `[13.x]` is a branch.
        if found["name"].starts_with(|first: char| first.is_ascii_digit()) {
            return None;
        }
        // A sign that opens is closed by its own kind.
        let pairs = [("**[", "]**"), ("**", "**"), ("*(", ")*"), ("(", ")"), ("[", "]"), ("`", "`")];
        let (_, end) = pairs.iter().find(|(sign, _)| open.trim_start_matches('\\').starts_with(sign))?;
        close.contains(end).then(|| Self { open: open.to_owned(), close: close.to_owned() })
    }
}
