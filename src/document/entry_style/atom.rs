//! What an entry can name besides its title: commits, requests and people, in each of the forms that they are written in.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;

/// What an entry names besides its title.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Atom {
    /// As code or not: `` `1a2b3c4` ``, `[1a2b3c4](address)`.
    Commit {
        is_code: bool,
        is_linked: bool,
    },
    Request(RequestForm),
    Author(AuthorForm),
}

/// How a request, or an issue, is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum RequestForm {
    /// `#12`
    Number,
    /// `[#12](address)`
    Linked,
    /// `[merge request](address)`
    Named,
    /// `[#12]`, with its address in a definition
    Defined,
    /// `https://host/pull/12`
    Address,
    /// `` {pr}`12` ``, as in the Markdown of Sphinx
    Role,
    /// `[\#12](address)`
    Escaped,
    /// `[GH-12](address)`
    GitHub,
}

/// How a person is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum AuthorForm {
    /// `@ida`
    Login,
    /// `[@ida](address)`
    Linked,
    /// `[Ida](https://host/ida)`
    LinkedName,
    /// `[@ida][]`, with its address in a definition
    Defined,
    /// `Ida Lund`
    Name,
}

impl Atom {
    const CODED_COMMIT: Self = Self::Commit { is_code: true, is_linked: false };
    const COMMIT: Self = Self::Commit { is_code: false, is_linked: false };
    const LINKED_CODED_COMMIT: Self = Self::Commit { is_code: true, is_linked: true };
    const LINKED_COMMIT: Self = Self::Commit { is_code: false, is_linked: true };

    /// Returns the atom that a sign stands for.
    pub(super) fn of_sign(sign: char) -> Option<Self> {
        if sign == NAME_SIGN {
            return Some(Self::Author(AuthorForm::Name));
        }
        PATTERNS.get((sign as usize).wrapping_sub(FIRST_SIGN as usize)).map(|(atom, _)| *atom)
    }
}

/// The address of a link in Markdown.
const ADDRESS: &str = r"\((?:[^()\s]|\([^()\s]*\))+\)";

/// The patterns of atoms, of which the first that matches counts; `ADDRESS` stands for the one above. The names and numbers
/// of forges are ASCII: with those of all scripts, this takes four times as long to compile.
const PATTERNS: [(Atom, &str); 16] = [
    (Atom::LINKED_CODED_COMMIT, r"\[`[0-9a-f]{7,40}`\]ADDRESS"),
    (Atom::LINKED_COMMIT, r"\[[0-9a-f]{7,40}\]ADDRESS"),
    (Atom::Request(RequestForm::Linked), r"\[(?:[0-9A-Za-z_.-]+/[0-9A-Za-z_.-]+)?[#!][0-9]+\]ADDRESS"),
    (Atom::Request(RequestForm::Named), r"\[(?:merge|pull) request\]ADDRESS"),
    (Atom::Author(AuthorForm::Linked), r"\[@[0-9A-Za-z_\[\]-]+\]ADDRESS"),
    (Atom::Author(AuthorForm::LinkedName), r"\[[^\]#!]+\]\(https?://[^/()\s]+/[^/()\s]+/?\)"),
    (Atom::Request(RequestForm::Defined), r"\[[#!][0-9]+\](?:\[[^\]]*\])?"),
    (Atom::CODED_COMMIT, "`[0-9a-f]{7,40}`"),
    (Atom::COMMIT, r"\b[0-9a-f]{7,40}\b"),
    (Atom::Request(RequestForm::Address), r"https?://[^\s()]+/(?:pull|pulls|merge_requests|issues)/[0-9]+"),
    (Atom::Request(RequestForm::Number), r"(?:[0-9A-Za-z_.-]+/[0-9A-Za-z_.-]+)?[#!][0-9]+\b"),
    (Atom::Author(AuthorForm::Login), r"@[A-Za-z0-9][0-9A-Za-z_-]*(?:\[bot\])?"),
    (Atom::Request(RequestForm::Role), r"\{pr\}`[0-9]+`"),
    (Atom::Request(RequestForm::Escaped), r"\[\\[#!][0-9]+\]ADDRESS"),
    (Atom::Request(RequestForm::GitHub), r"\[GH-[0-9]+\]ADDRESS"),
    (Atom::Author(AuthorForm::Defined), r"\[@[0-9A-Za-z_-]+\](?:\[[^\]]*\])?"),
];

static ATOM: LazyLock<Regex> = LazyLock::new(|| {
    let patterns = PATTERNS.map(|(_, pattern)| format!("({})", pattern.replace("ADDRESS", ADDRESS)));
    Regex::new(&patterns.join("|")).expect("the patterns of atoms are valid")
});

/// A pattern of the signs that stand for atoms in a text, those of [`PATTERNS`] in their order and [`NAME_SIGN`].
pub(super) const SIGN: &str = "[\u{e000}-\u{e010}]";

const FIRST_SIGN: char = '\u{e000}';

/// The sign of a name, which no pattern of its own finds.
pub(super) const NAME_SIGN: char = '\u{e010}';

/// Exchanges the atoms of a text for signs; returns them, each with its sign.
pub(super) fn mask(text: &str) -> (String, Vec<(char, String)>) {
    let (mut masked, mut atoms, mut at) = (String::new(), Vec::new(), 0);
    for found in ATOM.captures_iter(text) {
        let mut signs = (FIRST_SIGN..NAME_SIGN).zip(&PATTERNS).zip(1..);
        let Some(((sign, (atom, _)), _)) = signs.find(|(_, group)| found.get(*group).is_some()) else { continue };
        let Range { start, end } = found.get(0).map_or(0..0, |all| all.range());
        let is_word = *atom == Atom::COMMIT && !found[0].contains(|letter: char| letter.is_ascii_digit());
        let is_of_link = *atom == Atom::Request(RequestForm::Address) && text[..start].ends_with("](");
        if is_word || is_of_link || text[..start].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_') {
            continue;
        }
        masked += &text[at..start];
        masked.push(sign);
        atoms.push((sign, found[0].to_owned()));
        at = end;
    }
    (masked + &text[at..], atoms)
}

/// Puts the atoms of a part of a text back. Only what they begin with is of interest, so that equal signs may get the
/// text of each other.
pub(super) fn unmask(masked: &str, atoms: &[(char, String)]) -> String {
    let unmasked = masked.chars().map(|sign| match atoms.iter().find(|(known, _)| *known == sign) {
        Some((_, text)) => text.clone(),
        None => sign.to_string(),
    });
    unmasked.collect()
}
