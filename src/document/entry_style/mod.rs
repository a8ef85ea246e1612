//! The style of the entries in a changelog file: its bullets, the titles and order of its categories, and the form of an
//! entry, read from its newest sections.

mod part;

use std::{collections::HashMap, fmt::Write as _, hash::Hash};

use self::part::{Part, parts};
use super::Document;
use crate::model::is_digits;

/// The number of the newest sections that are read.
const SECTIONS: usize = 5;

/// The fewest entries that show a style.
const FEWEST: usize = 3;

/// The words that categories have in many files, and the category that each is.
const TITLES: [(&str, &str); 32] = [
    ("breaking changes", "breaking"),
    ("breaking", "breaking"),
    ("breaking change", "breaking"),
    ("added", "added"),
    ("features", "added"),
    ("feature", "added"),
    ("new features", "added"),
    ("new", "added"),
    ("additions", "added"),
    ("enhancements", "added"),
    ("fixed", "fixed"),
    ("fixes", "fixed"),
    ("bug fixes", "fixed"),
    ("bugfixes", "fixed"),
    ("bugs fixed", "fixed"),
    ("bug fix", "fixed"),
    ("performance", "performance"),
    ("performance improvements", "performance"),
    ("perf", "performance"),
    ("changed", "changed"),
    ("changes", "changed"),
    ("improvements", "changed"),
    ("improved", "changed"),
    ("deprecated", "deprecated"),
    ("deprecations", "deprecated"),
    ("removed", "removed"),
    ("removals", "removed"),
    ("security", "security"),
    ("security fixes", "security"),
    ("other", "other"),
    ("other changes", "other"),
    ("miscellaneous", "other"),
];

/// The style of the entries in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EntryStyle {
    /// The sign before an entry.
    bullet: char,
    /// The hashes before the title of a category.
    hashes: String,
    /// Whether the title of a category is followed by the number of its entries.
    has_counts: bool,
    /// Whether an empty line is below the title of a category.
    is_spaced: bool,
    /// The titles by category, in the order of the file.
    pub(crate) titles: Vec<(String, String)>,
    scope: Scope,
    /// The parts after the title of an entry; `None` if the file shows no form that most entries have.
    parts: Option<Vec<Part>>,
}

/// The form of the scope before the title of an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Scope {
    /// `**api:** `
    #[default]
    Bold,
    /// `**api**: `
    BoldName,
    /// `api: `
    Plain,
}

impl Document {
    /// Returns the style of the entries in the newest sections; `None` if there are too few to show one.
    pub(crate) fn entry_style(&self) -> Option<EntryStyle> {
        let versions = self.versions();
        let bodies: Vec<_> = versions.iter().take(SECTIONS).filter_map(|version| self.section(version)).collect();
        let bodies: Vec<&str> = bodies.iter().filter_map(|section| std::str::from_utf8(section.body).ok()).collect();
        EntryStyle::of(&bodies)
    }
}

impl EntryStyle {
    fn of(bodies: &[&str]) -> Option<Self> {
        let mut seen = Seen::default();
        for body in bodies {
            seen.read(body);
        }
        if seen.bullets.len() < FEWEST {
            return None;
        }
        let most_have = |flags: &[bool]| flags.iter().filter(|flag| **flag).count() * 2 > flags.len();
        let (entries, parts) = (seen.parts.len(), most_common(&seen.parts));
        Some(Self {
            bullet: most_common(&seen.bullets)?.0,
            hashes: most_common(&seen.hashes).map_or_else(|| "###".to_owned(), |(hashes, _)| hashes),
            has_counts: most_have(&seen.counted),
            is_spaced: seen.spaced.is_empty() || most_have(&seen.spaced),
            titles: seen.titles,
            scope: most_common(&seen.scopes).map(|(scope, _)| scope).unwrap_or_default(),
            parts: parts.filter(|(_, count)| count * 2 > entries).and_then(|(parts, _)| parts),
        })
    }

    /// Returns the built-in section as a template in GitLab's language that writes entries in this style.
    fn template(&self) -> String {
        let Self { bullet, hashes, .. } = self;
        let (open, close) = match self.scope {
            Scope::Bold => ("**", ":** "),
            Scope::BoldName => ("**", "**: "),
            Scope::Plain => ("", ": "),
        };
        let blank = if self.is_spaced { "\n" } else { "" };
        let mut text = SECTION
            .replace("\n### ", &format!("\n{hashes} "))
            .replace("\n\n{% each entries %}\n- ", &format!("\n{blank}{{% each entries %}}\n{bullet} "))
            .replace("**{{ scope }}:** ", &format!("{open}{{{{ scope }}}}{close}"));
        if !self.has_counts {
            text = text.replace(COUNT, "");
        }
        let Some(parts) = &self.parts else { return text };
        let parts: String = parts.iter().map(|part| part.template()).collect();
        let new = format!("{{% if text %}}{{{{ text }}}}{parts}{{% else %}}{{{{ title }}}}{parts}{{% end %}}");
        if let Some((start, end)) = text.find("{% if text %}").zip(text.find("{% if body %}")) {
            text.replace_range(start..end, &new);
        }
        text
    }

    /// Returns the style in words.
    pub(crate) fn describe(&self) -> String {
        let mut text = format!("`{}` bullets", self.bullet);
        if !self.titles.is_empty() {
            let titles: Vec<_> = self.titles.iter().map(|(_, title)| format!("`{} {title}`", self.hashes)).collect();
            let _ = write!(text, ", {}", titles.join(", "));
        }
        if self.has_counts {
            text += " with their numbers of entries";
        }
        match self.parts.as_deref() {
            None => {}
            Some([]) => text += ", titles alone",
            Some(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| part.words()).collect();
                let _ = write!(text, ", titles with {}", parts.join(", "));
            }
        }
        text
    }
}

/// Returns the built-in section as a template in GitLab's language that writes entries in the style of a file; without
/// one, the titles of categories stand alone.
pub(crate) fn section_template(style: Option<&EntryStyle>) -> String {
    style.map_or_else(|| SECTION.replace(COUNT, ""), EntryStyle::template)
}

/// The built-in section.
const SECTION: &str = include_str!("../../../templates/section.tpl");

/// The number of entries after the title of a category, as the built-in section writes it.
const COUNT: &str = " ({% if single_change %}1 change{% else %}{{ count }} changes{% end %})";

/// What the sections show.
#[derive(Default)]
struct Seen {
    bullets: Vec<char>,
    hashes: Vec<String>,
    counted: Vec<bool>,
    spaced: Vec<bool>,
    titles: Vec<(String, String)>,
    scopes: Vec<Scope>,
    /// The parts of each entry; `None` for one whose title is a link.
    parts: Vec<Option<Vec<Part>>>,
}

impl Seen {
    fn read(&mut self, body: &str) {
        let mut lines = body.lines().peekable();
        while let Some(line) = lines.next() {
            let title = line.trim_start_matches('#');
            let hashes = &line[..line.len() - title.len()];
            if !hashes.is_empty() && title.starts_with(' ') {
                let is_spaced = lines.peek().is_none_or(|next| next.trim().is_empty());
                self.category(hashes, title.trim(), is_spaced);
            } else if let Some((bullet, entry)) = bullet(line) {
                // An entry may go on in the lines below it.
                let mut entry = entry.trim().to_owned();
                while let Some(more) =
                    lines.next_if(|more| more.starts_with("  ") && self::bullet(more.trim()).is_none())
                {
                    entry = format!("{entry} {}", more.trim());
                }
                self.bullets.push(bullet);
                self.entry(&entry);
            }
        }
    }

    fn category(&mut self, hashes: &str, title: &str, is_spaced: bool) {
        let number = title.strip_suffix(" changes)").or_else(|| title.strip_suffix(" change)"));
        let counted = number.and_then(|title| title.rsplit_once(" (")).filter(|(_, number)| is_digits(number));
        let title = counted.map_or(title, |(title, _)| title);
        self.hashes.push(hashes.to_owned());
        self.counted.push(counted.is_some());
        self.spaced.push(is_spaced);
        let words: Vec<_> =
            title.split(' ').filter(|word| !(word.len() > 2 && word.starts_with(':') && word.ends_with(':'))).collect();
        let words = words.join(" ");
        let words = words.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
        let Some((_, category)) = TITLES.iter().find(|(known, _)| *known == words) else { return };
        if !self.titles.iter().any(|(known, _)| known == category) {
            self.titles.push(((*category).to_owned(), title.to_owned()));
        }
    }

    fn entry(&mut self, entry: &str) {
        let is_name = |name: &str| !name.is_empty() && name.len() < 40 && !name.contains(['*', ' ', '`', '(']);
        if let Some(rest) = entry.strip_prefix("**") {
            let inside = rest.split_once(":**").is_some_and(|(name, _)| is_name(name));
            let outside = rest.split_once("**:").is_some_and(|(name, _)| is_name(name));
            self.scopes.extend(inside.then_some(Scope::Bold).or(outside.then_some(Scope::BoldName)));
        } else if entry.split_once(": ").is_some_and(|(name, _)| is_name(name)) {
            self.scopes.push(Scope::Plain);
        }
        self.parts.push(parts(entry));
    }
}

/// Splits a line of a list at its sign.
fn bullet(line: &str) -> Option<(char, &str)> {
    let sign = line.chars().next().filter(|sign| matches!(sign, '-' | '*' | '+'))?;
    Some((sign, line[1..].strip_prefix([' ', '\t'])?))
}

/// Returns the most frequent value and how often it occurs; of equally frequent ones the first.
fn most_common<T: Clone + Eq + Hash>(values: &[T]) -> Option<(T, usize)> {
    let mut counts: HashMap<&T, usize> = HashMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    let most = counts.values().copied().max()?;
    values.iter().find(|value| counts[value] == most).map(|value| (value.clone(), most))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The newest section of a file with these entries, and what is recognised.
    fn style(body: &str) -> Option<String> {
        let file = format!("# Changelog\n\n## 1.1.0 (2024-03-09)\n\n{body}\n\n## 1.0.0 (2024-03-08)\n\nOld.\n");
        Document::parse(file).entry_style().map(|style| style.describe())
    }

    /// Entries of a category in the forms that files of projects and tools have.
    #[test]
    fn entries_are_recognised_as_people_and_tools_write_them() {
        let link = "https://github.com/harbor/pilot";
        let forms: [(&str, &str); 30] = [
            ("- Add N", "titles alone"),
            ("- Add N.", "titles alone"),
            ("- **api:** add N", "titles alone"),
            ("- **api**: add N", "titles alone"),
            ("- api: add N", "titles alone"),
            ("- `crane` lifts N", "titles alone"),
            ("- Add N (heavy)", "titles alone"),
            ("- Add N (`1a2b3c4d`)", "titles with commit"),
            ("- Add N (1a2b3c4)", "titles with commit"),
            ("- Add N (#12)", "titles with request"),
            ("- Add N (!12)", "titles with request"),
            ("- Add N. (#12)", "titles with request"),
            ("- Add N\n  and more (#12)", "titles with request"),
            ("- Add N ([#12](L/pull/12))", "titles with linked request"),
            ("- Add N ([!12](L/-/merge_requests/12))", "titles with linked request"),
            ("- Add N ([1a2b3c4](L/commit/1a2b3c4))", "titles with linked commit"),
            ("- Add N ([`1a2b3c4`](L/commit/1a2b3c4))", "titles with linked commit"),
            ("- Add N ([#12](L/issues/12)) ([1a2b3c4](L/commit/1a2b3c4))", "titles with linked request, linked commit"),
            ("- **api:** add N ([1a2b3c4](L/commit/1a2b3c4)), closes [#9](L/issues/9)", "titles with linked commit"),
            ("- Add N (#12) (1a2b3c4)", "titles with request, commit"),
            ("- Add N by @ida", "titles with author"),
            ("- Add N by [@ida](L)", "titles with author"),
            ("- Add N by @ida in #12", "titles with author, `in` and the request"),
            ("- Add N by @ida in [#12](L/pull/12)", "titles with author, `in` and the request"),
            ("- Add N by @ida in L/pull/12", "titles with author, `in` and the request"),
            ("- Add N in #12", "titles with `in` and the request"),
            ("- Add N ([#12](L/pull/12)) by @ida", "titles with linked request, author"),
            ("- Add N (#12) by @ida", "titles with request, author"),
            ("- Add N (#12).", "titles with request"),
            ("- Add N (`1a2b3c4d`) by @ida", "titles with commit, author"),
        ];
        for (form, expected) in forms {
            let entry = |number: &str| form.replace('N', number).replace('L', link);
            let body = format!("### Added\n\n{}\n{}\n{}", entry("one"), entry("two"), entry("three"));
            let found = style(&body).unwrap_or_default();
            assert_eq!(found, format!("`-` bullets, `### Added`, {expected}"), "{form}");
        }
        let linked = "### Added\n\n- [Add N](https://x/1)\n- [Add M](https://x/2)\n- [Add O](https://x/3)";
        assert_eq!(style(linked).unwrap(), "`-` bullets, `### Added`");
    }

    #[test]
    fn categories_keep_their_titles_order_and_signs() {
        let body = "### \u{1f41b} Bug Fixes\n* a\n* b\n\n### :sparkles: Features\n* c\n\n### Docs\n* d";
        let found = style(body).unwrap();
        assert_eq!(found, "`*` bullets, `### \u{1f41b} Bug Fixes`, `### :sparkles: Features`, titles alone");
        let counted = style("#### Added (2 changes)\n\n- a\n- b\n\n#### Fixed (1 change)\n\n- c").unwrap();
        assert!(counted.contains("`#### Fixed` with their numbers of entries"), "{counted}");
        assert_eq!(style("### Added\n\n- a\n- b"), None, "two entries show no style");
        assert_eq!(style("Prose alone."), None);
    }

    #[test]
    fn a_template_writes_what_was_read() {
        let body = "### Features\n* **api**: a (#1)\n* b (#2)\n* c (#3)";
        let text = EntryStyle::of(&[body]).unwrap().template();
        assert!(
            text.contains("### {{ title }}\n{% each entries %}\n* {% if scope %}**{{ scope }}**: {% end %}"),
            "{text}"
        );
        assert!(text.contains("{{ title }}{% if merge_request %} ({% if merge_request.label %}"), "{text}");
        assert!(text.contains("{{ text }}{% if merge_request %} (") && text.contains("{{ body }}"), "{text}");
    }

    #[test]
    fn every_part_of_the_built_in_section_is_replaced() {
        let linked = "#### Added (1 change)\n* [a](https://x/1)\n* [b](https://x/2)\n* [c](https://x/3)";
        let text = EntryStyle::of(&[linked]).unwrap().template();
        let usual =
            SECTION.replace("\n### ", "\n#### ").replace("\n\n{% each entries %}\n- ", "\n{% each entries %}\n* ");
        assert_eq!(text, usual);
        assert!(SECTION.contains(COUNT) && !section_template(None).contains("changes{% end %})"));
    }
}
