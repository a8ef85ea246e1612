//! What people edited on the branch of a release, merged with what is generated now.

use std::path::Path;

use super::{
    super::{ReleaseContext, ReleasePlan, merged::RELEASE_TRAILER},
    branch::Written,
};
use crate::{
    document::{
        Document, SectionSpan,
        merge::{merge, merge_line},
    },
    git::{
        Repo, commit,
        merge::{Sides, merge_lines, merge_trees, tree_of},
    },
    model::{Oid, Version},
};

/// The commit that has the edits, or why there is none.
#[derive(Clone, Debug, Default)]
pub(super) struct MergedEdits {
    pub(super) commit: Option<Oid>,
    pub(super) conflicts: Vec<String>,
}

impl MergedEdits {
    pub(super) fn unchanged(commit: Oid) -> Self {
        Self { commit: Some(commit), conflicts: Vec::new() }
    }
}

/// Merges the edits of the branch with a newly generated commit: the section entry by entry, all else line by line.
pub(super) fn merge_edits(
    context: &ReleaseContext,
    plans: &[&ReleasePlan],
    written: &Written,
    generated: Oid,
) -> anyhow::Result<MergedEdits> {
    let repo = context.scope.repo;
    let mut conflicts = Vec::new();
    let mut merge_file = |sides: Sides| {
        let Some(plan) = plans.iter().find(|plan| plan.edits.file == Path::new(sides.path)) else {
            return merge_lines(repo, sides);
        };
        let before = written.version(plan.package.as_deref()).unwrap_or(&plan.version);
        let (merged, found) = merge_changelog(repo, sides, before, &plan.version)?;
        conflicts.extend(found.iter().map(|part| {
            let first = part.lines().next().unwrap_or_default();
            format!("`{}`: {first}", sides.path)
        }));
        Ok(merged)
    };
    let merged = merge_trees(repo, [written.generated, generated, written.head], &mut merge_file)?;
    conflicts.extend(merged.conflicts.into_iter().map(|path| format!("`{path}`")));
    let Some(tree) = merged.tree.filter(|_| conflicts.is_empty()) else {
        return Ok(MergedEdits { commit: None, conflicts });
    };
    let commit = if tree == tree_of(repo, generated)? {
        generated
    } else {
        let sign = plans.iter().any(|plan| plan.sign);
        commit::build_on(repo, generated, tree, &message(plans, &written.authors), sign)?
    };
    Ok(MergedEdits { commit: Some(commit), conflicts })
}

fn message(plans: &[&ReleasePlan], authors: &[String]) -> String {
    let authors = authors.iter().map(|author| format!("Co-authored-by: {author}\n"));
    let releases = plans.iter().map(|plan| format!("{RELEASE_TRAILER}: {}\n", plan.name()));
    format!("Keep the edits of the release\n\n{}", authors.chain(releases).collect::<String>())
}

/// Merges a changelog file, in which the section of the release is merged by its entries. Returns the file, unless its
/// other lines are in conflict, and the parts of the section that are.
fn merge_changelog(
    repo: &Repo,
    sides: Sides,
    before: &Version,
    version: &Version,
) -> anyhow::Result<(Option<Vec<u8>>, Vec<String>)> {
    /// Stands for the section while the lines around it are merged.
    const PLACEHOLDER: &[u8] = b"\n\x01\n";
    let [before, version] = [before, version].map(Version::to_string);
    let [base, ours, theirs] = [sides.base, sides.ours, sides.theirs].map(Document::parse);
    let in_theirs = theirs.section_span(&version).or_else(|| theirs.section_span(&before));
    let spans = (base.section_span(&before), ours.section_span(&version), in_theirs);
    let (Some(of_base), Some(of_ours), Some(of_theirs)) = spans else { return Ok((merge_lines(repo, sides)?, vec![])) };
    let around = |document: &Document, span: &SectionSpan| {
        let bytes = document.as_bytes();
        [&bytes[..span.heading.start], PLACEHOLDER, &bytes[span.body.end..]].concat()
    };
    let [rest_base, rest_ours, rest_theirs] =
        [around(&base, &of_base), around(&ours, &of_ours), around(&theirs, &of_theirs)];
    let rest = Sides { path: sides.path, base: &rest_base, ours: &rest_ours, theirs: &rest_theirs };
    let Some(rest) = merge_lines(repo, rest)? else { return Ok((None, vec![])) };
    let text = |document: &Document, span: &std::ops::Range<usize>| {
        String::from_utf8_lossy(&document.as_bytes()[span.clone()]).replace("\r\n", "\n")
    };
    let heading = merge_line(
        &text(&base, &of_base.heading),
        &text(&theirs, &of_theirs.heading),
        &text(&ours, &of_ours.heading),
        [&before, &version],
    );
    let body = merge(&text(&base, &of_base.body), &text(&theirs, &of_theirs.body), &text(&ours, &of_ours.body));
    let conflicts = [heading.conflicts, body.conflicts].concat();
    let Some(at) = rest.windows(PLACEHOLDER.len()).position(|bytes| bytes == PLACEHOLDER) else {
        return Ok((None, conflicts));
    };
    let section = heading.text + &body.text;
    let section = if ours.has_windows_lines() { section.replace('\n', "\r\n") } else { section };
    let file = [&rest[..at], section.as_bytes(), &rest[at + PLACEHOLDER.len()..]].concat();
    Ok((Some(file), conflicts))
}
