//! Titles that are not Conventional Commits but can be sorted: `area: text`, `[area] text`, and emoji.

use std::{collections::HashSet, sync::LazyLock};

use indexmap::IndexMap;
use regex::Regex;

use crate::config::{CHANGES, EntryRule, Pattern};

/// The number of titles from which a rule names the word that they begin with.
const SEVERAL: usize = 3;
/// A shape is a habit if at least one in this many titles has it.
const SOME: usize = 10;

/// Words before the colon that name a kind of change.
const KINDS: [(&str, &[&str]); 4] = [
    ("added", &["feat", "feature"]),
    ("fixed", &["fix", "bugfix", "bug", "hotfix"]),
    ("performance", &["perf", "performance"]),
    ("security", &["security"]),
];

/// Areas of a project that its users do not see, and kinds of commits that its changelog does not list.
const UNSEEN: [&str; 40] = [
    "appveyor",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "benchsuite",
    "bors",
    "build",
    "changelog",
    "chore",
    "ci",
    "cleanup",
    "clippy",
    "dependabot",
    "dependencies",
    "deps",
    "devscripts",
    "doc",
    "docs",
    "example",
    "examples",
    "fmt",
    "github",
    "lint",
    "lints",
    "meta",
    "misc",
    "readme",
    "refactor",
    "release",
    "renovate",
    "rustfmt",
    "style",
    "test",
    "testing",
    "tests",
    "travis",
    "typo",
    "typos",
    "wip",
];

/// Emoji and their codes by the category they stand for on gitmoji.dev; those of `None` are not listed.
const EMOJI: [(Option<&str>, &str); 8] = [
    (Some("breaking"), "💥 :boom:"),
    (Some("added"), "✨ :sparkles:"),
    (Some("fixed"), "🐛 :bug: 🚑 :ambulance: 🩹 :adhesive_bandage:"),
    (Some("changed"), "♻ :recycle: 🚸 :children_crossing: 💄 :lipstick: ⏪ :rewind:"),
    (Some("removed"), "🔥 :fire: 🗑 :wastebasket:"),
    (Some("security"), "🔒 :lock: 🔐 :closed_lock_with_key:"),
    (Some("performance"), "⚡ :zap:"),
    (
        None,
        "📝 :memo: 💡 :bulb: ✏ :pencil2: 🌐 :globe_with_meridians: 👷 :construction_worker: 💚 :green_heart: 🔧 :wrench: \
         🔨 :hammer: ✅ :white_check_mark: 🧪 :test_tube: 🔖 :bookmark: 🚀 :rocket: 🎨 :art: 🚨 :rotating_light: 🚧 \
         :construction: 🙈 :see_no_evil: ⬆ :arrow_up: ⬇ :arrow_down: ➕ :heavy_plus_sign: ➖ :heavy_minus_sign: 📌 :pushpin: \
         🎉 :tada: 👥 :busts_in_silhouette: 🍱 :bento:",
    ),
];

/// The patterns of the titles of release commits: a version alone, or the preparation of one.
const RELEASES: [&str; 2] = [r"^[\w@/.-]*\d+\.\d+\.\d+\S*$", r"(?i)^(release|prepare|bump)\b.*\d\.\d"];

static AREA: LazyLock<Regex> = LazyLock::new(|| constant(r"^([\w./,@+-]+)(?:\([^)]*\))?!?: "));
static BRACKETS: LazyLock<Regex> = LazyLock::new(|| constant(r"^\[([^\]]+)\] ?"));
static CODE: LazyLock<Regex> = LazyLock::new(|| constant(r"^:[a-z0-9_+-]+:"));

fn constant(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is constant and valid")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TitleShape {
    Area,
    Brackets,
    Emoji,
}

/// The counts of what the titles of a history begin with, by shape.
#[derive(Clone, Debug, Default)]
pub(super) struct TitleShapes {
    titles: usize,
    areas: IndexMap<String, usize>,
    brackets: IndexMap<String, usize>,
    emoji: IndexMap<String, usize>,
    releases: [usize; 2],
}

impl TitleShapes {
    pub(super) fn count(&mut self, title: &str) {
        self.titles += 1;
        for (count, pattern) in self.releases.iter_mut().zip(&*RELEASE_PATTERNS) {
            *count += usize::from(pattern.is_match(title));
        }
        if let Some(found) = AREA.captures(title) {
            *self.areas.entry(found[1].to_owned()).or_default() += 1;
        } else if let Some(found) = BRACKETS.captures(title) {
            *self.brackets.entry(found[1].to_owned()).or_default() += 1;
        } else if let Some(found) = emoji(title) {
            *self.emoji.entry(found.to_owned()).or_default() += 1;
        }
    }

    /// Describes how many titles have the most common shape, if these are more than the `types` that begin with a type.
    pub(super) fn habit(&self, types: usize) -> Option<String> {
        let (shape, count) = self.common()?;
        let example = match shape {
            TitleShape::Area => "as in `area: text`",
            TitleShape::Brackets => "as in `[area] text`",
            TitleShape::Emoji => "with an emoji",
        };
        // A title with a type has the shape of an area too.
        let others = if shape == TitleShape::Area { count.saturating_sub(types) } else { count };
        (others > types).then(|| format!("{count} of the newest {} titles begin {example}", self.titles))
    }

    fn common(&self) -> Option<(TitleShape, usize)> {
        let shapes =
            [(TitleShape::Area, &self.areas), (TitleShape::Brackets, &self.brackets), (TitleShape::Emoji, &self.emoji)];
        let counts = shapes.map(|(shape, words)| (shape, words.values().sum::<usize>()));
        counts
            .into_iter()
            .filter(|(_, count)| *count > 0 && count * SOME >= self.titles)
            .max_by_key(|(_, count)| *count)
    }

    pub(super) fn rules(&self) -> Vec<EntryRule> {
        let releases = RELEASES.iter().zip(self.releases).filter(|(_, count)| *count >= SEVERAL);
        let releases = releases.filter_map(|(pattern, _)| rule(pattern, None, None));
        let sorted = match self.common() {
            Some((TitleShape::Area, _)) => area_rules(&self.areas, r"^(", r")(\([^)]*\))?!?: ", r"^([\w./,@+-]+): "),
            Some((TitleShape::Brackets, _)) => area_rules(&self.brackets, r"^\[(", r")\]", r"^\[([^\]]+)\] ?"),
            Some((TitleShape::Emoji, _)) => emoji_rules(&self.emoji),
            None => Vec::new(),
        };
        releases.chain(sorted).collect()
    }
}

static RELEASE_PATTERNS: LazyLock<[Regex; 2]> = LazyLock::new(|| RELEASES.map(constant));

/// Returns the emoji, or its code, at the beginning of a title.
fn emoji(title: &str) -> Option<&str> {
    let code = CODE.find(title).map(|found| found.as_str());
    code.or_else(|| EMOJI.iter().flat_map(|(_, names)| names.split(' ')).find(|name| title.starts_with(name)))
}

fn rule(title: &str, category: Option<&str>, scope: Option<&str>) -> Option<EntryRule> {
    Some(EntryRule {
        title: Some(Pattern::parse(title).ok()?),
        category: category.map(str::to_owned),
        scope: scope.map(str::to_owned),
        skip: category.is_none(),
        ..EntryRule::default()
    })
}

/// Returns rules that skip unseen areas, take kinds as categories, and any other area as the scope.
fn area_rules(areas: &IndexMap<String, usize>, before: &str, after: &str, any: &str) -> Vec<EntryRule> {
    let of = |words: &[&str]| {
        let seen = areas.iter().filter(|(area, count)| **count >= SEVERAL && words.contains(&&*area.to_lowercase()));
        let mut seen: Vec<_> = seen.collect();
        seen.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let patterns: Vec<String> = seen.into_iter().map(|(area, _)| regex::escape(area)).collect();
        (!patterns.is_empty()).then(|| patterns.join("|"))
    };
    let mut rules: Vec<EntryRule> = Vec::new();
    rules.extend(of(&UNSEEN).and_then(|words| rule(&format!("{before}{words}{after}"), None, None)));
    for (category, words) in KINDS {
        let pattern =
            of(words).map(|words| format!("^(?:{words})(?:\\(([^)]*)\\))?!?: ")).filter(|_| after.ends_with(": "));
        rules.extend(pattern.and_then(|pattern| rule(&pattern, Some(category), Some("$1"))));
    }
    rules.extend(rule(any, Some(CHANGES), Some("$1")));
    rules
}

fn emoji_rules(seen: &IndexMap<String, usize>) -> Vec<EntryRule> {
    let rules = EMOJI.iter().filter_map(|(category, names)| {
        let names: HashSet<&str> = names.split(' ').collect();
        let seen: Vec<String> =
            seen.keys().filter(|name| names.contains(name.as_str())).map(|name| regex::escape(name)).collect();
        (!seen.is_empty()).then(|| rule(&format!("^(?:{})", seen.join("|")), *category, None))?
    });
    rules.collect()
}
