//! `--compare-local`: whether the server makes the section that is made here.

use std::io::Write as _;

use serde_json::json;

use crate::{
    commands::{ChangelogArgs, Session, args::MAX_COMMITS, hosted, people::ServerLookup},
    git::commit::FileChange,
    model::{Date, Problem, ProblemKind},
    pipeline::SectionInputs,
};

/// Makes the section on the server and here, for the same date, and shows how they differ.
pub(super) fn run(version: &str, options: &ChangelogArgs, session: &mut Session) -> anyhow::Result<()> {
    let date = options.given_date()?.unwrap_or_else(Date::now);
    let options = ChangelogArgs { date: Some(date.to_string()), ..options.clone() };
    // These are for the section that is made here.
    let mut for_server = ChangelogArgs { people: false, ..options.clone() };
    let range = &mut for_server.range;
    (range.max_commits, range.source, range.no_notes) = (MAX_COMMITS, None, false);
    let theirs = hosted::section(version, &for_server, session)?;
    let mut request = options.request(Some(version))?;
    (request.host, request.project_path) = hosted::links(session)?;
    let repo = session.whole_repo()?;
    let inputs = session.progress().while_reading(&repo, || SectionInputs::read(&repo, request))?;
    let changelog = inputs.changelog(ServerLookup(session).if_requested(options.people), &repo)?;
    session.warn(&changelog.history.warnings)?;
    let ours = changelog.section.notes();
    let diff = unified(&theirs, &ours);
    let same = theirs == ours;
    session.answer(&json!({ "same": same, "server": theirs, "local": ours, "diff": diff }), |out| {
        out.write_all(diff.as_bytes())
    })?;
    if same {
        session.note("the server's section and the local one are the same");
        return Ok(());
    }
    Err(Problem::new("the server's section and the local one differ").kind(ProblemKind::CheckFailed).into())
}

fn unified(theirs: &str, ours: &str) -> String {
    if theirs == ours {
        return String::new();
    }
    let change = FileChange { file: "section".to_owned(), before: Some(theirs.into()), after: ours.into() };
    String::from_utf8_lossy(&change.diff()).replacen("a/section", "server", 1).replacen("b/section", "local", 1)
}
