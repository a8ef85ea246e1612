//! `tidings add --unreleased`: brings the text below `Unreleased` up to date.

use serde_json::json;

use super::{args::Args, outcome::AddOutcome};
use crate::{
    commands::{Session, history_report},
    document::Document,
    git::Repo,
    model::Problem,
    pipeline::{self, ChangelogRequest, Scope, SectionInputs, UnreleasedSection},
    sources::titles::UPDATE_TITLE,
};

pub(super) fn update(args: &Args, repo: &Repo, request: ChangelogRequest, session: &mut Session) -> anyhow::Result<()> {
    let scope = Scope::open(repo, request)?.with_changelog_file(args.file.as_deref());
    if scope.config().keeps_unreleased {
        return Err(Problem::new(
            "a release leaves the text below `Unreleased` there, so it cannot be kept up to date",
        )
        .hint("set `unreleased: move` in the configuration")
        .into());
    }
    let file = args.changelog_file(&scope)?;
    let inputs = session.progress().while_reading(repo, || SectionInputs::read(scope))?;
    let UnreleasedSection { changelog, body_before } = UnreleasedSection::make(inputs, &file)?;
    history_report::print(&changelog.history, session)?;
    let body = changelog.body_of_entries();
    let package = args.options.range.config.package.as_ref();
    let title = package.map_or_else(|| UPDATE_TITLE.to_owned(), |package| format!("{UPDATE_TITLE} of {package}"));
    let title = args.given_message(&changelog.section.version).unwrap_or(title);
    let message = pipeline::update_message(&title, &file);
    let mut conflicts = Vec::new();
    let done = args.put(repo, &[&file], &message, &mut |path, old| {
        let mut document = Document::parse(old);
        conflicts = document.update_unreleased(&body_before, body, path, changelog.insertion.opening)?;
        Ok(Some(document.into_bytes()).filter(|new| new != old).into())
    })?;
    for conflict in &conflicts {
        let line = conflict.lines().next().unwrap_or_default();
        session.note(&format!("`{line}` was edited and is generated differently now; it stays as it is"));
    }
    let document = || {
        let mut document = json!({ "version": changelog.section.version, "notes": body });
        done.describe(&file.display().to_string(), &mut document);
        document
    };
    let name = file.display();
    let text = match &done {
        AddOutcome::Nothing => format!("the unreleased changes in {name} are up to date"),
        AddOutcome::Committed(made) => format!("updated the unreleased changes in {name}: commit {}", made.id.short()),
        _ => format!("updated the unreleased changes in {name} (not committed)"),
    };
    done.answer(document, &text, session)
}
