//! Who commits, and when: the environment, the settings, or a refusal (git-commit(1), "commit information").

use anyhow::{Context as _, Result};
use gix::{actor::SignatureRef, bstr::ByteSlice as _};

use crate::{git::Repo, model::Problem};

/// Refuses where git would not know whom to name as author or committer, or would not take their dates.
pub(super) fn check(repo: &Repo) -> Result<()> {
    author(repo)?;
    committer(repo)?;
    ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"].into_iter().try_for_each(check_date)
}

pub(super) fn author(repo: &Repo) -> Result<SignatureRef<'_>> {
    known(repo.gix().author(), "author")
}

pub(super) fn committer(repo: &Repo) -> Result<SignatureRef<'_>> {
    known(repo.gix().committer(), "committer")
}

fn known<'a>(person: Option<gix::Result<SignatureRef<'a>>>, role: &str) -> Result<SignatureRef<'a>> {
    let person = person.transpose().with_context(|| format!("cannot read who the {role} is"))?;
    person.filter(|person| !person.name.trim().is_empty()).ok_or_else(|| {
        Problem::new(format!("git does not know the {role}: no name or no e-mail address is set"))
            .hint("set them with `git config user.name \"...\"` and `git config user.email \"...\"`")
            .into()
    })
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
