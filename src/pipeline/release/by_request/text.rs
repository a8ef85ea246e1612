//! The title and the description of the request of a release.

use std::path::PathBuf;

use super::super::{
    ReleaseContext, ReleasePlan,
    edits::find_notes,
    plan::{release_name, title_of},
};
use crate::{
    api::merge_requests::RequestText,
    git::file::path_in_tree,
    model::{ForgeRelease, Oid, Project, Version},
};

/// What the block of a notice begins and ends with.
const NOTICE: (&str, &str) = ("<!-- tidings: notice -->", "<!-- tidings: end of notice -->");

/// Returns the text of the request for the releases of the plans, as they are at a commit.
pub(super) fn describe(
    context: &ReleaseContext,
    plans: &[&ReleasePlan],
    commit: Option<Oid>,
    page: RequestPage,
) -> anyhow::Result<RequestText> {
    let release = |plan: &&ReleasePlan| RequestedRelease {
        package: plan.package.clone(),
        version: plan.version.clone(),
        file: plan.edits.file.clone(),
    };
    describe_at(context, plans, &plans.iter().map(release).collect::<Vec<_>>(), commit, page)
}

/// Where the text is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestPage<'a> {
    /// The branch of the request, by its short name.
    pub branch: &'a str,
    /// The longest description that the forge takes.
    pub limit: usize,
}

/// A release that the request makes, and its changelog file.
pub(super) struct RequestedRelease {
    pub package: Option<String>,
    pub version: Version,
    pub file: PathBuf,
}

/// Returns the text of the request for some releases, as they are at a commit.
pub(super) fn describe_at(
    context: &ReleaseContext,
    plans: &[&ReleasePlan],
    releases: &[RequestedRelease],
    commit: Option<Oid>,
    page: RequestPage,
) -> anyhow::Result<RequestText> {
    let names: Vec<String> =
        releases.iter().map(|release| release_name(release.package.as_deref(), &release.version)).collect();
    let mut notes = Vec::new();
    for (name, RequestedRelease { version, file, .. }) in names.iter().zip(releases) {
        let found = commit.map_or(Ok(None), |commit| find_notes(context.scope.repo, commit, file, version))?;
        let planned = || plans.iter().find(|plan| plan.version == *version).map(|plan| plan.notes.body.clone());
        let body = found.map(|notes| notes.body).or_else(planned).unwrap_or_default();
        notes.push(if releases.len() > 1 { format!("## {name}\n\n{body}") } else { body });
    }
    let given = plans.first().and_then(|plan| plan.message.as_deref());
    let files: Vec<String> = releases
        .iter()
        .map(|release| file_link(context.scope.project(), page.branch, &path_in_tree(&release.file)))
        .collect();
    Ok(compose(title_of(given, &names), &notes.join("\n\n"), &names.join(", "), &files, page.limit))
}

/// Returns the link of a file on the branch, or its name alone if the forge's page is not known.
fn file_link(project: &Project, branch: &str, file: &str) -> String {
    project.branch_file_url(branch, file).map_or_else(|| format!("`{file}`"), |url| format!("[`{file}`]({url})"))
}

/// Composes the text; notes that are too long are cut at an entry. The files are links.
fn compose(title: String, notes: &str, names: &str, files: &[String], limit: usize) -> RequestText {
    let file = files.first().map(String::as_str).unwrap_or_default();
    let footer = format!(
        "---\n\nMerging this request releases {names}. It is renewed as the branch moves, and your edits stay: those of \
         its branch, and of this text. The version in the heading of {file} is the version of the release."
    );
    let mut release = ForgeRelease { description: without_commands(notes), ..ForgeRelease::default() };
    let limit = limit.saturating_sub(footer.chars().count() + 2);
    release.cut_notes(limit, &format!("The list goes on in {}.", files.join(", ")));
    RequestText { title, description: format!("{}\n\n{footer}", release.description) }
}

/// Keeps lines from being taken for commands of the forge, such as `/close`. GitLab overlooks a carriage return before one.
fn without_commands(notes: &str) -> String {
    notes
        .replace('\r', "")
        .lines()
        .map(|line| if line.starts_with('/') { format!("\\{line}") } else { line.to_owned() })
        .collect::<Vec<_>>()
        .join("\n")
}

/// Returns a description with a notice of conflicts at its end.
pub(crate) fn notice(description: &str, conflicts: &[String], branch: &str) -> String {
    let list = conflicts.iter().map(|conflict| format!("- {conflict}")).collect::<Vec<_>>().join("\n");
    format!(
        "{}\n\n{}\n**This request is not renewed:** what was edited here is generated differently now.\n\n{list}\n\n\
         Take the edit back on `{branch}`, or write there what is generated now.\n{}",
        without_notice(description),
        NOTICE.0,
        NOTICE.1
    )
}

/// Returns a description without the notice of conflicts.
pub(crate) fn without_notice(description: &str) -> String {
    let Some((before, rest)) = description.split_once(NOTICE.0) else { return description.trim_end().to_owned() };
    let after = rest.split_once(NOTICE.1).map_or("", |(_, after)| after);
    format!("{}{}", before.trim_end(), after.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_is_written_once_and_taken_away_again() {
        let once = notice("Notes.", &["`CHANGELOG.md`: - a".to_owned()], "tidings/release-main");
        assert!(once.contains("- `CHANGELOG.md`: - a\n"), "{once}");
        assert_eq!(notice(&once, &["`CHANGELOG.md`: - a".to_owned()], "tidings/release-main"), once);
        assert_eq!(without_notice(&once), "Notes.");
    }

    #[test]
    fn a_description_has_the_notes_as_far_as_they_fit_and_no_commands() {
        let notes = format!("\r/close\n\n{}", "- Mend the crane of the harbor\n".repeat(100));
        let project = Project::new("https://gitlab.com", "harbor/app");
        let link = file_link(&project, "tidings/release-main", "docs/CHANGES (all).md");
        let text = compose("Release 1.3.0".to_owned(), &notes, "1.3.0", &[link], 1_000);
        let end = "- Mend the crane of the harbor\n\nThe list goes on in [`docs/CHANGES (all).md`](https://gitlab.com/harbor/app/-/blob/\
                   tidings/release-main/docs/CHANGES%20%28all%29.md).\n\n---\n\n";
        assert!(text.description.contains(end), "{}", text.description);
        assert!(text.description.starts_with("\\/close\n\n- Mend"), "{}", text.description);
        assert!(text.description.chars().count() <= 1_000);
        assert!(text.description.contains("---\n\nMerging this request releases 1.3.0."), "{}", text.description);
    }
}
