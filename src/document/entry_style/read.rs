//! What the newest sections of a file show of its style: bullets, categories, entries, and the empty lines between them.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::{
    form::{self, Form, Stop},
    words::{Scope, Tag, Words, category},
};
use crate::model::is_digits;

static GROUP_LINE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?P<open>\*\*|__|)(?P<title>[^*_:+\s-][^*_:]*?)(?P<close>:\*\*|\*\*:|\*\*|:__|__:|__|:)[ \t]*$")
});
/// A category as an item above its entries, such as `* Bugfixes`.
static GROUP_ITEM: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?P<open> {0,3}[-*+][ \t]+(?:\*\*)?)(?P<title>[^*_:]+?)(?P<close>(?:\*\*|:)*)[ \t]*$"));
static ITEM: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?P<sign> {0,3}(?:[-*+]|(?P<number>[0-9]{1,3})[.)])[ \t]+)(?P<text>\S.*)$"));
/// The author of an entry in a paragraph of its own.
static SIGNATURE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^[ \t]+\*[^*]*[^*:]\*[ \t]*$"));
static NESTED: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?P<sign>[ \t]+[-*+][ \t]+)(?P<text>\S.*)$"));
/// A dependency that got a version, which is no change of its own: changesets lists `  - mast@1.2.0`, with or without a
/// line above it.
static DEPENDENCY: LazyLock<Regex> = LazyLock::new(|| pattern(r"^[ \t]*[-*+][ \t]+`?@?[^\s@`]+@[0-9][^\s`]*`?[ \t]*$"));
/// A scope above its entries, bold or as code.
static SCOPE_ITEM: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:\*\*[^*]+(?P<bold>\*\*:?)|`[^`]+`(?:, `[^`]+`)*(?P<colon>:?))$"));

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns of entries are valid")
}

/// The title of a category in a section.
pub(super) struct Title {
    /// What stands before and after it: hashes and a blank, or the signs of a line that has no hashes. After one that is
    /// underlined, a line feed and the sign.
    pub(super) open: String,
    pub(super) close: String,
    pub(super) has_count: bool,
    pub(super) blanks_below: usize,
    /// The empty lines above it, unless it is the first.
    pub(super) blanks_above: Option<usize>,
    pub(super) is_known: bool,
}

/// What an entry shows.
pub(super) struct SeenEntry {
    pub(super) form: Form,
    pub(super) stop: Stop,
    pub(super) tag: Option<Tag>,
    pub(super) scope: Option<Scope>,
    pub(super) digits: Option<usize>,
    /// Whether it is below a title that stands for no known category.
    pub(super) is_of_other: bool,
    /// The item of its scope that it is below.
    pub(super) below: Option<ScopeItem>,
}

/// How a scope is written as an item above its entries.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ScopeItem {
    pub(super) open: String,
    pub(super) close: String,
    /// The bullet of the entries below it.
    pub(super) bullet: String,
}

/// What the sections show.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) bullets: Vec<String>,
    /// The numbers of numbered entries.
    pub(super) numbers: Vec<String>,
    pub(super) titles: Vec<Title>,
    pub(super) entries: Vec<SeenEntry>,
    /// The categories with the words that stand for them, for each section.
    pub(super) categories: Vec<Vec<(String, String)>>,
    /// The same of the words before entries.
    pub(super) tags: Vec<Vec<(String, String)>>,
    /// Whether there is an empty line, for each two entries.
    pub(super) loose: Vec<bool>,
    /// The length of each line of an entry that has more than one.
    pub(super) wrapped: Vec<usize>,
    /// That of the longest line.
    pub(super) longest: usize,
    /// That of the longest line without an address, whatever the other lines of its entry have.
    reach: usize,
    /// How many entries end with their author in a paragraph of its own.
    pub(super) signed: usize,
    /// Whether a further line of an entry is indented, for each.
    pub(super) indented: Vec<bool>,
    /// The entries that are read and not yet taken apart, with the index of their section.
    open: Vec<(usize, Open)>,
}

/// An entry that is being read.
struct Open {
    lines: Vec<String>,
    is_of_other: bool,
    below: Option<ScopeItem>,
}

/// The place in a section.
#[derive(Default)]
struct Place {
    entry: Option<Open>,
    /// What the next entries are below: an item of a category, or one of a scope.
    list: Option<Parent>,
    blanks: usize,
    follows_entry: bool,
    has_title: bool,
    is_of_other: bool,
}

enum Parent {
    Category,
    Scope(String, String),
}

impl Seen {
    /// Reads a section, and says whether it has entries.
    pub(super) fn read(&mut self, body: &str) -> bool {
        self.categories.push(Vec::new());
        self.tags.push(Vec::new());
        let known = self.bullets.len();
        let lines: Vec<&str> = body.lines().filter(|line| !DEPENDENCY.is_match(line)).collect();
        let Some(top) = lines.iter().filter(|line| ITEM.is_match(line)).map(|line| indent(line)).min() else {
            return false;
        };
        let (mut place, mut is_code, mut is_underline) = (Place::default(), false, false);
        for (at, line) in lines.iter().enumerate() {
            if std::mem::take(&mut is_underline) {
                continue;
            }
            is_code ^= line.trim_start_matches(['-', '*', '+', ' ', '\t']).starts_with("```");
            if line.trim().is_empty() || is_code {
                self.close(&mut place.entry);
                place.blanks += usize::from(line.trim().is_empty());
                continue;
            }
            let is_item = indent(line) == top && ITEM.is_match(line);
            let below = lines[at + 1..].iter().take_while(|line| line.trim().is_empty()).count();
            let has_nested = || lines.get(at + 1 + below).is_some_and(|next| NESTED.is_match(next));
            is_underline = !is_item && place.entry.is_none() && is_underlined(&lines[at..]);
            let title = if is_underline {
                Some(self.underlined(&lines[at..]))
            } else {
                self.title(line, below, is_item && has_nested())
            };
            if let Some(title) = title {
                self.close(&mut place.entry);
                let (is_known, blanks) = (title.is_known, place.has_title.then_some(place.blanks));
                self.titles.push(Title { blanks_above: blanks, ..title });
                let list = is_item.then_some(Parent::Category);
                place = Place { list, has_title: true, is_of_other: !is_known, ..Place::default() };
            } else if is_item {
                self.item(line, has_nested(), &mut place);
            } else if let Some(found) = NESTED.captures(line) {
                self.nested(&found, line, &mut place);
            } else if let Some(entry) = &mut place.entry {
                entry.lines.push((*line).to_owned());
            } else if place.follows_entry && SIGNATURE.is_match(line) {
                self.signed += 1;
            }
            place.blanks = 0;
        }
        self.close(&mut place.entry);
        self.bullets.len() > known
    }

    /// Reads the titles of a section that is too old to show more.
    pub(super) fn read_titles(&mut self, body: &str) {
        self.categories.push(Vec::new());
        let lines: Vec<&str> = body.lines().collect();
        for (line, next) in lines.iter().zip(lines.iter().skip(1)) {
            let has_nested = next.starts_with([' ', '\t']) && NESTED.is_match(next);
            if has_nested || line.starts_with(['#', '*', '_']) || line.ends_with(':') {
                self.title(line, 0, has_nested);
            }
        }
    }

    /// Takes the entries apart that were read.
    pub(super) fn finish(&mut self) {
        for (section, open) in std::mem::take(&mut self.open) {
            let Some(parsed) = form::parse(&self.joined(&open.lines)) else { continue };
            let words = Words::of(&parsed.words);
            if let (Some((category, word)), Some(tags)) = (words.category, self.tags.get_mut(section)) {
                note(tags, category, &word);
            }
            let Words { tag, scope, .. } = words;
            let (Open { is_of_other, below, .. }, form::Parsed { form, stop, digits, .. }) = (open, parsed);
            self.entries.push(SeenEntry { form, stop, tag, scope, digits, is_of_other, below });
        }
    }

    /// Joins the lines of an entry. A line feed stays where the next word would have fitted into the line.
    fn joined(&self, lines: &[String]) -> String {
        let mut text = String::new();
        for pair in lines.windows(2) {
            let word = pair[1].split_whitespace().next().unwrap_or_default();
            let is_on_purpose = pair[0].chars().count() + 1 + word.chars().count() <= self.reach;
            let line = if text.is_empty() { item_text(&pair[0]) } else { pair[0].trim() };
            text = text + line + if is_on_purpose { "\n" } else { " " };
        }
        let last = lines.last().map_or("", String::as_str);
        text + if lines.len() == 1 { item_text(last) } else { last.trim() }
    }

    /// Reads an item of the first level: an entry, or the scope of those below it.
    fn item(&mut self, line: &str, has_nested: bool, place: &mut Place) {
        self.close(&mut place.entry);
        let Some(item) = ITEM.captures(line) else { return };
        place.list = None;
        if let Some(scope) = SCOPE_ITEM.captures(&item["text"]).filter(|_| has_nested) {
            place.list = Some(match scope.name("bold") {
                Some(close) => Parent::Scope("**".to_owned(), close.as_str().to_owned()),
                None => Parent::Scope(
                    "`".to_owned(),
                    "`".to_owned() + scope.name("colon").map_or("", |colon| colon.as_str()),
                ),
            });
            if place.follows_entry {
                self.loose.push(place.blanks > 0);
            }
            self.bullets.push(item["sign"].to_owned());
            place.follows_entry = true;
            return;
        }
        self.numbers.extend(item.name("number").map(|number| number.as_str().to_owned()));
        let sign = item
            .name("number")
            .map_or_else(|| item["sign"].to_owned(), |number| item["sign"].replacen(number.as_str(), "1", 1));
        self.entry(&sign, line, place);
    }

    /// Reads an item of the second level: an entry, if the item that it is below is a category or a scope.
    fn nested(&mut self, found: &Captures, line: &str, place: &mut Place) {
        self.close(&mut place.entry);
        match &place.list {
            Some(Parent::Category) => self.entry(&found["sign"], line, place),
            Some(Parent::Scope(open, close)) => {
                let below = ScopeItem { open: open.clone(), close: close.clone(), bullet: found["sign"].to_owned() };
                let lines = vec![found["text"].to_owned()];
                place.entry = Some(Open { lines, is_of_other: place.is_of_other, below: Some(below) });
            }
            None => {}
        }
    }

    /// Reads the first of these lines, which the second underlines, as the title of a category.
    fn underlined(&mut self, lines: &[&str]) -> Title {
        let below = lines[2..].iter().take_while(|line| line.trim().is_empty()).count();
        self.titled(String::new(), lines[0].trim(), format!("\n{}", &lines[1][..1]), below)
    }

    fn entry(&mut self, sign: &str, line: &str, place: &mut Place) {
        if place.follows_entry {
            self.loose.push(place.blanks > 0);
        }
        self.bullets.push(sign.to_owned());
        place.follows_entry = true;
        place.entry = Some(Open { lines: vec![line.to_owned()], is_of_other: place.is_of_other, below: None });
    }

    /// Reads a line as the title of a category.
    fn title(&mut self, line: &str, blanks_below: usize, has_nested: bool) -> Option<Title> {
        let text = line.trim_start_matches('#');
        let hashes = &line[..line.len() - text.len()];
        let (open, title, close) = if !hashes.is_empty() && text.starts_with(' ') {
            (format!("{hashes} "), text.trim().to_owned(), String::new())
        } else {
            let item = GROUP_ITEM.captures(line).filter(|_| has_nested);
            let found = item.or_else(|| GROUP_LINE.captures(line))?;
            category(&found["title"])?;
            (found["open"].to_owned(), found["title"].to_owned(), found["close"].to_owned())
        };
        Some(self.titled(open, &title, close, blanks_below))
    }

    /// Takes the title of a category apart, and notes the word for it.
    fn titled(&mut self, open: String, title: &str, close: String, blanks_below: usize) -> Title {
        let number = title.strip_suffix(" changes)").or_else(|| title.strip_suffix(" change)"));
        let counted = number.and_then(|title| title.rsplit_once(" (")).filter(|(_, number)| is_digits(number));
        let title = counted.map_or(title, |(title, _)| title);
        let category = category(title);
        if let (Some(category), Some(known)) = (category, self.categories.last_mut()) {
            note(known, category, title);
        }
        let has_count = counted.is_some();
        Title { open, close, has_count, blanks_below, blanks_above: None, is_known: category.is_some() }
    }

    fn close(&mut self, entry: &mut Option<Open>) {
        let Some(open) = entry.take() else { return };
        let without_address = open.lines.iter().filter(|line| !line.contains("://"));
        self.reach = self.reach.max(without_address.map(|line| line.chars().count()).max().unwrap_or_default());
        let is_address = open.lines.iter().any(|line| line.contains("://"));
        if open.below.is_none() && !is_address {
            let lengths = open.lines.iter().map(|line| line.chars().count());
            self.longest = self.longest.max(lengths.clone().max().unwrap_or_default());
            if open.lines.len() > 1 {
                self.wrapped.extend(lengths);
            }
        }
        self.indented.extend(open.lines.iter().skip(1).map(|line| line.starts_with([' ', '\t'])));
        self.open.push((self.tags.len() - 1, open));
    }
}

/// Returns the number of blanks at the start of a line, or before the sign of an item.
pub(super) fn indent(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// Whether the second of these lines makes the first one a heading, as in reStructuredText: of one sign, and at least as
/// long.
fn is_underlined(lines: &[&str]) -> bool {
    let [above, line, ..] = lines else { return false };
    let line = line.trim_end();
    let sign = line.chars().next().filter(|sign| "-~=^\"'*+#".contains(*sign));
    let is_as_long = line.len() >= above.trim().chars().count().max(3);
    is_as_long && !above.starts_with([' ', '\t']) && sign.is_some_and(|sign| line.chars().all(|other| other == sign))
}

/// Returns the text of a line without the sign of its item.
fn item_text(line: &str) -> &str {
    let found = ITEM.captures(line).or_else(|| NESTED.captures(line));
    found.and_then(|found| found.name("text")).map_or(line, |text| text.as_str()).trim()
}

/// Notes the word of a category, of which the first counts.
fn note(known: &mut Vec<(String, String)>, category: &str, word: &str) {
    if !known.iter().any(|(name, _)| name == category) {
        known.push((category.to_owned(), word.to_owned()));
    }
}
