//! What a commit says about itself: its message, and who makes it, and when (git-commit(1), "Commit Information").

use anyhow::{Context as _, Result};
use gix::{
    actor::{Signature, SignatureRef},
    bstr::{BStr, BString},
};

use crate::{git::Repo, model::Problem};

/// Cleans a message as `git commit --cleanup=whitespace` does: drops white space at the ends of lines, empty lines around
/// the text, and all but one between paragraphs.
pub(super) fn clean_message(message: &str) -> Result<String> {
    let mut text = String::new();
    let mut empty_above = false;
    for line in message.lines().map(|line| line.trim_end_matches(|char: char| char.is_ascii_whitespace())) {
        if !line.is_empty() {
            let gap = if empty_above && !text.is_empty() { "\n" } else { "" };
            text.extend([gap, line, "\n"]);
        }
        empty_above = line.is_empty();
    }
    if text.is_empty() {
        return Err(Problem::usage("the commit message is empty").hint("give one with `--message`").into());
    }
    Ok(text)
}

/// Refuses if git would not know whom to name as author or committer, as [`super::commit`] does.
///
/// # Errors
/// If a name, an address or a date is missing or invalid.
pub fn check_identity(repo: &Repo) -> Result<()> {
    author(repo)?;
    committer(repo)?;
    ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"].into_iter().try_for_each(check_date)
}

pub(super) fn author(repo: &Repo) -> Result<Signature> {
    signature(repo.gix().author(), "author")
}

pub(super) fn committer(repo: &Repo) -> Result<Signature> {
    signature(repo.gix().committer(), "committer")
}

fn signature(person: Option<gix::Result<SignatureRef>>, role: &str) -> Result<Signature> {
    let clean = |person: SignatureRef| {
        let (name, email) = (without_crud(person.name), without_crud(person.email));
        Ok(Signature { name, email, time: person.time()? })
    };
    let person = person.map(|person| person.and_then(clean)).transpose();
    person
        .with_context(|| format!("cannot read who the {role} is"))?
        .filter(|person| !person.name.is_empty())
        .ok_or_else(|| {
            Problem::new(format!("git does not know the {role}: no name or no e-mail address is set"))
                .hint("set them with `git config user.name \"...\"` and `git config user.email \"...\"`")
                .into()
        })
}

/// Cleans a name or address as git does: drops the characters that would end it in a commit, and white space and
/// punctuation at its ends.
fn without_crud(text: &BStr) -> BString {
    let is_crud = |byte: &u8| *byte <= b' ' || b",:;<>\"\\'".contains(byte);
    let start = text.iter().position(|byte| !is_crud(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !is_crud(byte)).map_or(start, |last| last + 1);
    text[start..end].iter().copied().filter(|byte| !b"\n<>".contains(byte)).collect::<Vec<_>>().into()
}

/// Refuses a date that gix cannot parse: it would take the current time instead.
fn check_date(variable: &str) -> Result<()> {
    let Some(date) = std::env::var_os(variable).filter(|date| !date.is_empty()) else { return Ok(()) };
    let date = date.to_string_lossy();
    match gix::date::parse(&date, Some(gix::date::Zoned::now())) {
        Ok(_) => Ok(()),
        Err(_) => Err(Problem::new(format!("`{variable}` is `{date}`, which is not a date"))
            .hint("write it as `2024-01-31T12:00:00+01:00`, or as `1706698800 +0100`")
            .into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_tidied_as_git_does() {
        assert_eq!(clean_message("\n  \nTitle \t\r\n\n\n# kept\n  body\n\n").unwrap(), "Title\n\n# kept\n  body\n");
        assert!(clean_message(" \n\t\n").is_err());
    }

    #[test]
    fn names_are_written_as_git_writes_them() {
        for (given, written) in [
            ("Ida Holm", "Ida Holm"),
            (" Ida <x>, Inc. ", "Ida x, Inc."),
            ("Ida \"q\"", "Ida \"q"),
            ("<ida@harbor.example>", "ida@harbor.example"),
            ("I\nda;", "Ida"),
            ("<>,", ""),
            ("", ""),
        ] {
            assert_eq!(without_crud(given.into()), written);
        }
    }
}
