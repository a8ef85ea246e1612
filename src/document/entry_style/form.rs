//! The form of an entry: what stands before and after its title, such as its request, commit and author. It is
//! recognised by exchanging each of these atoms for a sign, so that what remains is the punctuation between them.

use std::{collections::BTreeSet, sync::LazyLock};

use regex::Regex;

use super::atom::{self, Atom, AuthorForm, NAME_SIGN, RequestForm, SIGN};
use crate::model::Entry;

static CLOSED: LazyLock<Regex> = LazyLock::new(|| {
    let closed = format!("(?:closes|fixes|resolves|refs|fix) {SIGN}(?:(?:,| and)? {SIGN})*");
    pattern(&format!(r"(?i)\s\({closed}\)|[,.;]?\s{closed}|, \{{issue\}}`\d+`|\{{issue\}}`\d+` ?"))
});
/// The name of a person, where only one can be: beside something else in parentheses, and after it at the end.
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    let (name, login) = (r"\p{L}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){0,3}", r"[\p{L}\p{N}][\p{L}\p{N}._'’-]*");
    pattern(&format!(
        r"(?P<open>\((?:by )?)(?P<first>{name})(?P<close>, {SIGN}\))|(?P<lead>{SIGN}\)?\s(?:[-–—] |by ))(?P<last>{name}|{login})(?P<end>\.?)$|(?P<before>\({SIGN}\) \()(?P<only>{name}|{login}(?:\[bot\])?)(?P<after>\))$",
    ))
});
static AFTER: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"(?:{SEGMENT})+[.!]?$")));
static ONE_AFTER: LazyLock<Regex> = LazyLock::new(|| pattern(SEGMENT));
static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    let leading = ["lead", "open", "inner", "square", "within", "bare"];
    let leading = leading.iter().fold(LEADING.to_owned(), |text, name| text.replace(&format!("?P<{name}>"), "?:"));
    pattern(&format!("^(?P<all>{leading}(?: {leading})*)(?P<end>!? [-–—] |:\\s|\\s)"))
});
static ONE_BEFORE: LazyLock<Regex> = LazyLock::new(|| pattern(LEADING));
static LINKED: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\[.+\]\((?P<address>[^()\s]+)\)$"));

/// Something after a title, and the punctuation and words before it.
const SEGMENT: &str = concat!(
    "(?P<lead>(?:[-–—,.;:]\\s|\\s?(?:[-–—,.;:] ?)?)(?i:(?:by|in|see|via|from|thanks|to|contributed by|pr|pull request)\\s)*)",
    "(?:(?P<open>\\()(?P<inner>(?i:(?:by|see|via|thanks|pr) )?[\u{e000}-\u{e010}](?:(?:, by |, |; | / | by | )[\u{e000}-\u{e010}])*)\\)",
    "|(?P<square>\\\\?\\[)(?P<within>[\u{e000}-\u{e010}](?:, ?[\u{e000}-\u{e010}])*)\\\\?\\]",
    "|(?P<bare>[\u{e000}-\u{e010}]))",
);

/// Something before a title.
const LEADING: &str = concat!(
    "(?P<lead>(?i:thanks (?:to )?)?)",
    "(?:(?P<open>\\()(?P<inner>[\u{e000}-\u{e010}](?:(?:, | by | )[\u{e000}-\u{e010}])*)\\)",
    "|(?P<square>\\\\?\\[)(?P<within>[\u{e000}-\u{e010}])\\\\?\\]|(?P<bare>[\u{e000}-\u{e010}]))",
);

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns of entries are valid")
}

/// Atoms that belong together: alone, or in brackets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Segment {
    /// What stands before it, such as ` by `.
    lead: String,
    /// What is around them, such as `(` and `)`.
    brackets: (String, &'static str),
    /// Each atom, after what separates it from the one before.
    atoms: Vec<(String, Atom)>,
}

impl Segment {
    /// Whether it is the number of a request and nothing else.
    pub(super) fn is_request(&self) -> bool {
        self.atoms.iter().all(|(_, atom)| matches!(atom, Atom::Request(_)))
    }
}

/// What the title of an entry is a link to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Target {
    Commit,
    Request,
}

/// The form of an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Form {
    pub(super) before: Vec<Segment>,
    /// What stands between those and the rest, such as `: `.
    pub(super) before_end: String,
    pub(super) link: Option<Target>,
    pub(super) after: Vec<Segment>,
}

impl Form {
    /// Whether it is the title alone.
    pub(super) fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the form without ends of lines.
    pub(super) fn in_one_line(&self) -> Self {
        let mut form = self.clone();
        form.before_end = form.before_end.replace('\n', " ");
        for segment in form.before.iter_mut().chain(&mut form.after) {
            segment.lead = segment.lead.replace('\n', " ");
        }
        form
    }
}

/// An entry taken apart.
pub(super) struct Parsed {
    pub(super) form: Form,
    /// What is between the atoms before and those after the title: category, scope and title.
    pub(super) words: String,
    /// The number of digits of its commits.
    pub(super) digits: Option<usize>,
    /// Where it has a full stop.
    pub(super) stop: Stop,
}

/// Where an entry ends with a full stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Stop {
    #[default]
    None,
    /// After its title.
    Title,
    /// After all of it.
    Entry,
}

/// Takes an entry apart; `None` if it has no words of its own, as in a list of people. A line feed in it is one that was
/// written on purpose.
pub(super) fn parse(entry: &str) -> Option<Parsed> {
    let (masked, mut atoms) = atom::mask(entry);
    let mut masked = CLOSED.replace_all(&masked, "").into_owned();
    let (mut form, mut stop) = (Form::default(), Stop::None);
    while let Some(found) = NAME.captures(&masked) {
        let Some(name) = ["first", "last", "only"].iter().find_map(|part| found.name(part)) else { break };
        atoms.push((NAME_SIGN, name.as_str().to_owned()));
        let range = name.range();
        masked.replace_range(range, NAME_SIGN.encode_utf8(&mut [0; 4]));
    }
    if let Some(found) = BEFORE.captures(&masked) {
        form.before = segments(&ONE_BEFORE, &found["all"]);
        found["end"].clone_into(&mut form.before_end);
        masked.drain(..found[0].len());
    }
    if let Some(found) = AFTER.find(&masked) {
        form.after = segments(&ONE_AFTER, found.as_str());
        if found.as_str().ends_with('.') {
            stop = Stop::Entry;
        }
        masked.truncate(found.start());
    }
    if masked.trim_end().ends_with('.') {
        stop = Stop::Title;
    }
    let words = atom::unmask(&masked, &atoms).replace('\n', " ").trim_end_matches(['.', ' ']).to_owned();
    let title = words.rsplit_once(": ").map_or(&*words, |(_, title)| title);
    let address = LINKED.captures(title).or_else(|| LINKED.captures(words.split_once(":** ")?.1));
    let has_part = |found: &regex::Captures, parts: &[&str]| parts.iter().any(|part| found["address"].contains(part));
    form.link = address.and_then(|found| {
        let is_request = has_part(&found, &["/pull/", "/issues/", "/merge_requests/"]);
        let is_commit = has_part(&found, &["/commit/", "/commits/"]);
        is_request.then_some(Target::Request).or(is_commit.then_some(Target::Commit))
    });
    let digits = atoms.iter().find_map(|(_, text)| {
        let id = text.trim_start_matches(['[', '`']).split(|letter: char| !letter.is_ascii_hexdigit()).next()?;
        (id.len() >= 7).then_some(id.len())
    });
    words.contains(char::is_alphanumeric).then_some(Parsed { form, words, digits, stop })
}

fn segments(one: &Regex, text: &str) -> Vec<Segment> {
    let segments = one.captures_iter(text).map(|found| {
        let inner = ["inner", "within", "bare"].into_iter().find_map(|name| found.name(name));
        let inner = inner.map_or("", |inner| inner.as_str());
        let (mut atoms, mut between) = (Vec::new(), String::new());
        for letter in inner.chars() {
            match Atom::of_sign(letter) {
                Some(atom) => atoms.push((std::mem::take(&mut between), atom)),
                None => between.push(letter),
            }
        }
        let brackets = match (found.name("open"), found.name("square")) {
            (Some(open), _) => (open.as_str().to_owned(), ")"),
            (None, Some(open)) => (open.as_str().to_owned(), "]"),
            (None, None) => (String::new(), ""),
        };
        Segment { lead: found["lead"].to_owned(), brackets, atoms }
    });
    segments.collect()
}

/// An entry whose segments are written, and what that needs.
pub(super) struct Writing<'e> {
    pub(super) entry: &'e Entry,
    /// The path of the project, which the references in it do not repeat.
    pub(super) project: &'e str,
    /// The number of digits of a commit.
    pub(super) digits: usize,
    /// The definitions of the links that have none in the text.
    pub(super) definitions: &'e mut Vec<String>,
    /// The references and people that have definitions in the file.
    pub(super) defined: &'e BTreeSet<String>,
}

impl Writing<'_> {
    /// Returns a segment with what is known of it; `None` if nothing is.
    pub(super) fn segment(&mut self, segment: &Segment) -> Option<String> {
        let mut text = String::new();
        for (at, (between, atom)) in segment.atoms.iter().enumerate() {
            let Some(atom) = self.atom(*atom) else { continue };
            if at == 0 || !text.is_empty() {
                text += between;
            }
            text += &atom;
        }
        let (open, close) = &segment.brackets;
        (!text.is_empty()).then(|| [&segment.lead, open, &text, *close].concat())
    }

    fn atom(&mut self, atom: Atom) -> Option<String> {
        match atom {
            Atom::Commit { is_code, is_linked } => self.commit(is_code, is_linked),
            Atom::Request(form) => self.request(form),
            Atom::Author(AuthorForm::Login) => self.author(str::to_owned, false),
            Atom::Author(AuthorForm::Linked) => self.author(str::to_owned, true),
            Atom::Author(AuthorForm::LinkedName) => self.author(|name| name.trim_start_matches('@').to_owned(), true),
            Atom::Author(AuthorForm::Defined) => self.defined_author(),
            Atom::Author(AuthorForm::Name) => self.entry.author.as_ref().map(|author| author.name.to_string()),
        }
    }

    fn commit(&self, is_code: bool, is_linked: bool) -> Option<String> {
        let commit = &self.entry.commit;
        let id = if commit.id.is_empty() { &commit.short_id } else { &commit.id };
        let id = id.get(..self.digits).unwrap_or(id);
        let text = if is_code { format!("`{id}`") } else { id.to_owned() };
        let link = |url: &String| format!("[{text}]({url})");
        let linked = commit.web_url.as_ref().filter(|_| is_linked).map(link);
        (!id.is_empty()).then(|| linked.unwrap_or(text))
    }

    fn author(&self, form: impl Fn(&str) -> String, is_linked: bool) -> Option<String> {
        let name = self.entry.author.as_ref()?.reference.as_ref()?;
        let text = form(name);
        let Some(page) = self.entry.commit.web_url.as_ref().filter(|_| is_linked && name.starts_with('@')) else {
            return Some(text);
        };
        let host: Vec<&str> = page.splitn(4, '/').take(3).collect();
        Some(format!("[{text}]({}/{})", host.join("/"), name.trim_start_matches('@')))
    }

    fn defined_author(&mut self) -> Option<String> {
        let name = self.author(str::to_owned, false)?;
        if !name.starts_with('@') {
            return Some(name);
        }
        let linked = self.author(str::to_owned, true)?;
        let address = linked.split_once("](").and_then(|(_, address)| address.strip_suffix(')'));
        if let Some(address) = address {
            self.define(&name, address);
        }
        Some(format!("[{name}][]"))
    }

    /// Adds a definition that the file does not have.
    fn define(&mut self, label: &str, address: &str) {
        let definition = format!("[{label}]: {address}");
        if !self.defined.contains(label) && !self.definitions.contains(&definition) {
            self.definitions.push(definition);
        }
    }

    fn request(&mut self, form: RequestForm) -> Option<String> {
        let request = self.entry.merge_request.as_ref()?;
        let text = request.label.as_deref().unwrap_or(&request.reference);
        let text = text.strip_prefix(self.project).filter(|rest| rest.starts_with(['#', '!'])).unwrap_or(text);
        let Some(url) = &request.web_url else { return Some(text.to_owned()) };
        Some(match form {
            RequestForm::Linked => format!("[{text}]({url})"),
            RequestForm::Named => format!("[merge request]({url})"),
            RequestForm::Escaped => format!("[\\{text}]({url})"),
            RequestForm::GitHub => format!("[GH-{}]({url})", text.trim_start_matches(['#', '!'])),
            RequestForm::Address => url.clone(),
            RequestForm::Role => format!("{{pr}}`{}`", text.trim_start_matches(['#', '!'])),
            RequestForm::Defined => {
                // Without any definition, the brackets are only brackets.
                if self.defined.iter().any(|label| !label.starts_with('@')) {
                    self.define(text, url);
                }
                format!("[{text}]")
            }
            RequestForm::Number => text.to_owned(),
        })
    }
}
