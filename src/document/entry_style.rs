//! The style of the entries in a changelog file: its bullets, the titles and order of its categories, and the form of an
//! entry, read from its newest sections.

use std::{collections::HashMap, fmt::Write as _, hash::Hash};

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

/// A part after the title of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Part {
    /// `([#12](address))`
    LinkedRequest,
    /// `(#12)`
    Request,
    /// `([1a2b3c4d](address))`
    LinkedCommit,
    /// `(1a2b3c4d)`
    Commit,
    /// `` (`1a2b3c4d`) ``
    CodedCommit,
    /// `by @ida`
    Author,
    /// `in #12`
    InRequest,
    /// `in https://host/pull/12`
    InAddress,
}

impl Part {
    /// Returns the part in GitLab's template language.
    fn template(self) -> &'static str {
        match self {
            Self::LinkedRequest => {
                "{% if merge_request %}{% if merge_request.web_url %} ([{% if merge_request.label %}{{ merge_request.label }}{% else %}{{ merge_request.reference }}{% end %}]({{ merge_request.web_url }})){% else %} ({{ merge_request.reference }}){% end %}{% end %}"
            }
            Self::Request => {
                "{% if merge_request %} ({% if merge_request.label %}{{ merge_request.label }}{% else %}{{ merge_request.reference }}{% end %}){% end %}"
            }
            Self::LinkedCommit => {
                "{% if commit.web_url %} ([{{ commit.short_id }}]({{ commit.web_url }})){% else %} ({{ commit.short_id }}){% end %}"
            }
            Self::Commit => " ({{ commit.short_id }})",
            Self::CodedCommit => " (`{{ commit.short_id }}`)",
            Self::Author => "{% if author.reference %} by {{ author.reference }}{% end %}",
            Self::InRequest => {
                "{% if merge_request %} in {% if merge_request.label %}{{ merge_request.label }}{% else %}{{ merge_request.reference }}{% end %}{% end %}"
            }
            Self::InAddress => "{% if merge_request.web_url %} in {{ merge_request.web_url }}{% end %}",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::LinkedRequest => "linked request",
            Self::Request => "request",
            Self::LinkedCommit => "linked commit",
            Self::Commit | Self::CodedCommit => "commit",
            Self::Author => "author",
            Self::InRequest | Self::InAddress => "`in` and the request",
        }
    }
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

    /// Returns a template in GitLab's language that writes entries in this style.
    pub(crate) fn template(&self) -> String {
        let Self { bullet, hashes, has_counts, is_spaced, .. } = self;
        let count = if *has_counts { COUNT } else { "" };
        let blank = if *is_spaced { "\n" } else { "" };
        let (open, close) = match self.scope {
            Scope::Bold => ("**", ":** "),
            Scope::BoldName => ("**", "**: "),
            Scope::Plain => ("", ": "),
        };
        let mut text = format!(
            "{{% if categories %}}\n{{% each categories %}}\n{hashes} {{{{ title }}}}{count}\n{blank}\
             {{% each entries %}}\n{bullet} {{% if scope %}}{open}{{{{ scope }}}}{close}{{% end %}}\
             {{% if breaking %}}[**breaking**] {{% end %}}"
        );
        match &self.parts {
            None => text += ENTRY,
            Some(parts) => {
                text += "{{ title }}";
                for part in parts {
                    text += part.template();
                }
            }
        }
        // The language drops a line end after `%}`.
        text += if text.ends_with("%}") { "\n\n" } else { "\n" };
        text + "{% end %}\n\n{% end %}\n{% else %}\nNo changes.\n{% end %}\n"
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

/// The number of entries after the title of a category.
const COUNT: &str = " ({% if single_change %}1 change{% else %}{{ count }} changes{% end %})";

/// The title of an entry and what follows it, as the built-in section has them.
const ENTRY: &str = "{% if commit.web_url %}[{{ title }}]({{ commit.web_url }}){% else %}{{ title }} (`{{ commit.short_id }}`){% end %}{% if author.credit %} by {{ author.reference }}{% end %}{% if merge_request %}{% if merge_request.web_url %} ([{% if merge_request.label %}{{ merge_request.label }}{% else %}merge request{% end %}]({{ merge_request.web_url }})){% else %} ({{ merge_request.reference }}){% end %}{% end %}{% each references %} ([{{ text }}]({{ url }})){% end %}";

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

/// Returns the parts after the title of an entry, in their order; `None` if the title itself is a link.
fn parts(entry: &str) -> Option<Vec<Part>> {
    let mut rest = entry.split(", closes ").next().unwrap_or_default().trim_end_matches(['.', ' ']);
    let mut parts = Vec::new();
    while let Some((before, part)) = last_part(rest) {
        parts.push(part);
        rest = before.trim_end_matches([',', ' ']);
    }
    parts.reverse();
    let title = rest.rsplit_once(":** ").map_or(rest, |(_, title)| title);
    let is_link = title.starts_with('[') && title.ends_with(')') && title.contains("](");
    (!is_link).then_some(parts)
}

/// Splits the last part off an entry.
fn last_part(entry: &str) -> Option<(&str, Part)> {
    if let Some((before, word)) = entry.rsplit_once(' ') {
        let person = word.strip_prefix('[').map_or(word, |word| word.split(']').next().unwrap_or_default());
        if person.starts_with('@') && person.len() > 1 && before.ends_with(" by") {
            return Some((before.strip_suffix(" by")?, Part::Author));
        }
        if let Some(before) = before.strip_suffix(" in") {
            if word.starts_with("https://") {
                return Some((before, Part::InAddress));
            }
            if word.trim_start_matches('[').strip_prefix(['#', '!'])?.starts_with(|digit: char| digit.is_ascii_digit())
            {
                return Some((before, Part::InRequest));
            }
        }
    }
    let inner = entry.strip_suffix(')')?;
    if let Some(inner) = inner.strip_suffix(')') {
        let (before, text) = inner.rsplit_once(" ([")?;
        let (text, _) = text.split_once("](")?;
        return Some((before, if is_request(text) { Part::LinkedRequest } else { linked_commit(text)? }));
    }
    let (before, text) = inner.rsplit_once(" (")?;
    let part = match text.strip_prefix('`').and_then(|text| text.strip_suffix('`')) {
        Some(text) => is_commit(text).then_some(Part::CodedCommit)?,
        None if is_request(text) => Part::Request,
        None => is_commit(text).then_some(Part::Commit)?,
    };
    Some((before, part))
}

fn linked_commit(text: &str) -> Option<Part> {
    is_commit(text.trim_matches('`')).then_some(Part::LinkedCommit)
}

fn is_request(text: &str) -> bool {
    text.strip_prefix(['#', '!']).is_some_and(is_digits)
}

fn is_commit(text: &str) -> bool {
    (7..=40).contains(&text.len()) && text.bytes().all(|digit| digit.is_ascii_hexdigit())
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
    }
}
