//! What the newest sections of a file show of its style: bullets, categories, entries, and the empty lines between them.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    form::{self, Form},
    words::{Scope, Tag, Words, category},
};
use crate::model::is_digits;

static GROUP_LINE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?P<open>\*\*|__|)(?P<title>[^*_:]+?)(?P<close>:\*\*|\*\*:|\*\*|:__|__:|__|:)[ \t]*$"));
static ITEM: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?P<sign> {0,3}[-*+][ \t]+)(?P<text>\S.*)$"));
static BARE_SCOPE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\*\*[^*]+\*\*:?$"));

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns of entries are valid")
}

/// The title of a category in a section.
pub(super) struct Title {
    /// What stands before and after it: hashes and a blank, or the signs of a line that has no hashes.
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
    pub(super) tag: Option<Tag>,
    pub(super) scope: Option<Scope>,
    pub(super) digits: Option<usize>,
}

/// What the sections show.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) bullets: Vec<String>,
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
}

/// An entry that is being read.
struct Open {
    text: String,
    lines: Vec<usize>,
}

impl Seen {
    /// Reads a section, and says whether it has entries.
    pub(super) fn read(&mut self, body: &str) -> bool {
        self.categories.push(Vec::new());
        self.tags.push(Vec::new());
        let known = self.bullets.len();
        let indent = |line: &str| line.len() - line.trim_start().len();
        let lines: Vec<&str> = body.lines().collect();
        let Some(top) = lines.iter().filter(|line| ITEM.is_match(line)).map(|line| indent(line)).min() else {
            return false;
        };
        let (mut open, mut parent): (Option<Open>, Option<String>) = (None, None);
        let (mut blanks, mut is_code, mut follows_entry, mut has_title) = (0, false, false, false);
        for (at, line) in lines.iter().enumerate() {
            is_code ^= line.trim_start_matches(['-', '*', '+', ' ', '\t']).starts_with("```");
            if line.trim().is_empty() || is_code {
                self.close(&mut open);
                blanks += usize::from(line.trim().is_empty());
                continue;
            }
            let below = || lines[at + 1..].iter().take_while(|line| line.trim().is_empty()).count();
            if let Some(title) = self.title(line, below()) {
                self.close(&mut open);
                self.titles.push(Title { blanks_above: has_title.then_some(blanks), ..title });
                (has_title, follows_entry, parent) = (true, false, None);
            } else if let Some(item) = ITEM.captures(line).filter(|_| indent(line) == top) {
                self.close(&mut open);
                if follows_entry {
                    self.loose.push(blanks > 0);
                }
                self.bullets.push(item["sign"].to_owned());
                parent = BARE_SCOPE.find(&item["text"]).map(|scope| {
                    let colon = if scope.as_str().contains(':') { " " } else { ": " };
                    scope.as_str().to_owned() + colon
                });
                if parent.is_none() {
                    open = Some(Open { text: item["text"].to_owned(), lines: vec![line.chars().count()] });
                }
                follows_entry = true;
            } else if let Some((scope, text)) = parent.as_ref().zip(nested(line)) {
                self.close(&mut open);
                open = Some(Open { text: format!("{scope}{text}"), lines: Vec::new() });
            } else if nested(line).is_some() {
                self.close(&mut open);
            } else if let Some(entry) = &mut open {
                entry.text = format!("{} {}", entry.text, line.trim());
                entry.lines.push(line.chars().count());
            }
            blanks = 0;
        }
        self.close(&mut open);
        self.bullets.len() > known
    }

    /// Reads a line as the title of a category.
    fn title(&mut self, line: &str, blanks_below: usize) -> Option<Title> {
        let text = line.trim_start_matches('#');
        let hashes = &line[..line.len() - text.len()];
        let (open, title, close) = if !hashes.is_empty() && text.starts_with(' ') {
            (format!("{hashes} "), text.trim().to_owned(), String::new())
        } else {
            let found = GROUP_LINE.captures(line)?;
            category(&found["title"])?;
            (found["open"].to_owned(), found["title"].to_owned(), found["close"].to_owned())
        };
        let number = title.strip_suffix(" changes)").or_else(|| title.strip_suffix(" change)"));
        let counted = number.and_then(|title| title.rsplit_once(" (")).filter(|(_, number)| is_digits(number));
        let title = counted.map_or(&*title, |(title, _)| title);
        let category = category(title);
        if let (Some(category), Some(known)) = (category, self.categories.last_mut()) {
            note(known, category, title);
        }
        let has_count = counted.is_some();
        Some(Title { open, close, has_count, blanks_below, blanks_above: None, is_known: category.is_some() })
    }

    fn close(&mut self, open: &mut Option<Open>) {
        let Some(Open { text, lines }) = open.take() else { return };
        let is_address = text.contains("://");
        self.longest = self.longest.max(lines.iter().copied().filter(|_| !is_address).max().unwrap_or_default());
        if lines.len() > 1 && !is_address {
            self.wrapped.extend(&lines);
        }
        let Some(parsed) = form::parse(&text) else { return };
        let words = Words::of(&parsed.words);
        if let (Some((category, word)), Some(tags)) = (words.category, self.tags.last_mut()) {
            note(tags, category, &word);
        }
        let (tag, scope) = (words.tag, words.scope);
        self.entries.push(SeenEntry { form: parsed.form, tag, scope, digits: parsed.digits });
    }
}

/// Returns the text of an item within another one.
fn nested(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let rest = text.strip_prefix(['-', '*', '+'])?;
    (text.len() < line.len() && rest.starts_with([' ', '\t'])).then(|| rest.trim())
}

/// Notes the word of a category, of which the first counts.
fn note(known: &mut Vec<(String, String)>, category: &str, word: &str) {
    if !known.iter().any(|(name, _)| name == category) {
        known.push((category.to_owned(), word.to_owned()));
    }
}
