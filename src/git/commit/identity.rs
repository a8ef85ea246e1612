//! Who commits, and when: the environment, the settings, or a refusal (git-commit(1), "commit information").

use anyhow::{Context as _, Result};
use gix::{
    actor::{Signature, SignatureRef},
    bstr::{BStr, BString},
};

use crate::{git::Repo, model::Problem};

/// Refuses where git would not know whom to name as author or committer, or would not take their dates.
pub(super) fn check(repo: &Repo) -> Result<()> {
    author(repo)?;
    committer(repo)?;
    ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"].into_iter().try_for_each(check_date)
}

pub(super) fn author(repo: &Repo) -> Result<Signature> {
    known(repo.gix().author(), "author")
}

pub(super) fn committer(repo: &Repo) -> Result<Signature> {
    known(repo.gix().committer(), "committer")
}

fn known(person: Option<gix::Result<SignatureRef>>, role: &str) -> Result<Signature> {
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

/// A name or address as git writes it into a commit: what would end it there is dropped, as are white space and
/// punctuation at its ends.
fn without_crud(text: &BStr) -> BString {
    let is_crud = |byte: &u8| *byte <= b' ' || b",:;<>\"\\'".contains(byte);
    let start = text.iter().position(|byte| !is_crud(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !is_crud(byte)).map_or(start, |last| last + 1);
    text[start..end].iter().copied().filter(|byte| !b"\n<>".contains(byte)).collect::<Vec<_>>().into()
}

/// A date that cannot be read would silently become the present.
fn check_date(variable: &str) -> Result<()> {
    let Some(date) = std::env::var_os(variable).filter(|date| !date.is_empty()) else { return Ok(()) };
    let date = date.to_string_lossy();
    match gix::date::parse(&date, Some(gix::date::Zoned::now())) {
        Ok(_) => Ok(()),
        Err(_) => Err(Problem::new(format!("`{variable}` is `{date}`, which is no date"))
            .hint("write it as `2024-01-31T12:00:00+01:00`, or as `1706698800 +0100`")
            .into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
