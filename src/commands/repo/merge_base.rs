//! `tidings repo merge-base`: the best common ancestor of refs.

use crate::{
    commands::{Session, layout::Card},
    model::repository::CommitRecord,
    repository::Repository,
};

/// Find the best common ancestor of two or more refs.
///
/// Of more than two it is that of the first and a hypothetical merge of the others, as `git merge-base` gives it.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Branches, tags or commits.
    #[arg(value_name = "REF", num_args = 2.., required = true)]
    refs: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  tidings repo merge-base main topic                where a branch began
  tidings repo merge-base main topic --format json  with all of the commit
  tidings repo merge-base v1.0.0 v2.0.0 --project group/app";

/// Runs `tidings repo merge-base`.
pub(super) fn run(args: &Args, repository: &dyn Repository, session: &mut Session) -> anyhow::Result<()> {
    let commit = repository.merge_base(&args.refs)?;
    if session.json() {
        return session.out.json(&commit);
    }
    Ok(card(&commit).write(&mut session.out)?)
}

fn card(commit: &CommitRecord) -> Card {
    let author = format!("{} <{}>", commit.author_name, commit.author_email);
    let is_known = !commit.author_name.is_empty();
    Card::new(&commit.id)
        .field("title", Some(commit.title.as_str()))
        .field("author", Some(author.as_str()).filter(|_| is_known))
        .field("date", Some(commit.committed_date.as_str()).filter(|date| !date.is_empty()))
        .field("page", commit.web_url.as_deref())
}
