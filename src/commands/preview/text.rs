//! The preview as Markdown: a comment, and the summary of a job.

use std::fmt::Write as _;

use crate::{
    model::merge_text::MergeMethod,
    pipeline::preview::{MergePreview, PreviewedEntry},
    template::escape::escape,
};

/// The maximum number of entries and findings that are shown; forges refuse long comments.
const MAX_SHOWN: usize = 100;

/// Writes the preview.
pub(super) fn write(preview: &MergePreview, method: MergeMethod) -> String {
    let mut text = String::new();
    if preview.adds.is_empty() && preview.removes.is_empty() {
        text += "This request adds nothing to the changelog.\n";
    }
    list(&mut text, "Merging this adds to the changelog:", &preview.adds);
    list(&mut text, "Merging this takes out of the changelog:", &preview.removes);
    for version in &preview.versions {
        let Some(after) = &version.after else { continue };
        let package =
            version.package.as_ref().map(|package| format!(" of {}", escape(package, &[]))).unwrap_or_default();
        let _ = match &version.before {
            Some(before) if before == after => writeln!(text, "\nNext version{package}: `{after}`, as without it"),
            Some(before) => writeln!(text, "\nNext version{package}: **`{after}`** instead of `{before}`"),
            None => writeln!(text, "\nNext version{package}: **`{after}`**, and no release without it"),
        };
    }
    if !preview.is_clean {
        text += "\nThe request does not merge without a conflict, so this is what its own files say.\n";
    }
    if !preview.findings.is_empty() {
        text += "\nFound in its messages:\n\n";
        for finding in preview.findings.iter().take(MAX_SHOWN) {
            let of = finding.commit.map(|commit| format!("{}: ", commit.short())).unwrap_or_default();
            let _ = writeln!(text, "- {of}{}; {}", escape(&finding.message, &[]), escape(&finding.hint, &[]));
        }
        if let (MergeMethod::Squash, Some(message)) = (method, &preview.message) {
            // What is indented is code that nothing in it ends, and a line in it is no command of the forge, such as `/close`.
            let lines = message.lines().map(|line| format!("    {line}").trim_end().to_owned());
            let _ = writeln!(text, "\nThe squash commit would say:\n\n{}", lines.collect::<Vec<_>>().join("\n"));
        }
    }
    text
}

fn list(text: &mut String, head: &str, entries: &[PreviewedEntry]) {
    if entries.is_empty() {
        return;
    }
    *text += head;
    *text += "\n";
    let mut last = None;
    for entry in entries.iter().take(MAX_SHOWN) {
        let place = (&entry.package, &entry.heading);
        if last.replace(place) != Some(place) {
            let package =
                entry.package.as_ref().map(|package| format!("{}: ", escape(package, &[]))).unwrap_or_default();
            let _ = writeln!(text, "\n**{package}{}**\n", escape(&entry.heading, &[]));
        }
        let _ = writeln!(text, "- {}", escape(&entry.title, &[]));
    }
    if let Some(further) = entries.len().checked_sub(MAX_SHOWN).filter(|further| *further > 0) {
        let _ = writeln!(text, "- and {further} more");
    }
}
