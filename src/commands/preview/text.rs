//! The preview as Markdown: a comment, and the summary of a job.

use std::fmt::Write as _;

use crate::{
    model::{beginning, merge_text::MergeMethod, printable_lines},
    pipeline::preview::{MergePreview, PreviewedEntry},
    template::escape::escape,
};

/// The maximum number of entries and findings that are shown, the letters of one, and the bytes of the whole: forges refuse
/// long comments.
const MAX_SHOWN: usize = 100;
const MAX_LETTERS: usize = 1_000;
const MAX_LENGTH: usize = 60_000;

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
        let package = version.package.as_ref().map(|package| format!(" of {}", shown(package))).unwrap_or_default();
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
            let _ = writeln!(text, "- {of}{}; {}", shown(&finding.message), shown(&finding.hint));
        }
        if let (MergeMethod::Squash, Some(message)) = (method, &preview.message) {
            // What is indented is code that nothing in it ends, and a line in it is no command of the forge, such as `/close`.
            // A carriage return begins a line as well.
            let message = message.replace("\r\n", "\n");
            let lines = message
                .split(['\n', '\r'])
                .map(|line| format!("    {}", beginning(line, MAX_LETTERS)).trim_end().to_owned());
            let _ = writeln!(text, "\nThe squash commit would say:\n\n{}", lines.collect::<Vec<_>>().join("\n"));
        }
    }
    bounded(printable_lines(&text))
}

/// Returns the beginning of a text that is too long, in whole lines: a part of a line might mean something else.
fn bounded(text: String) -> String {
    if text.len() <= MAX_LENGTH {
        return text;
    }
    let mut length = 0;
    let kept = text.split_inclusive('\n').take_while(|line| {
        length += line.len();
        length <= MAX_LENGTH
    });
    kept.collect::<String>() + "\nThe rest is too long for a comment.\n"
}

/// Returns a text of others as it is shown.
fn shown(text: &str) -> String {
    escape(&beginning(text, MAX_LETTERS), &[])
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
            let package = entry.package.as_ref().map(|package| format!("{}: ", shown(package))).unwrap_or_default();
            let _ = writeln!(text, "\n**{package}{}**\n", shown(&entry.heading));
        }
        let _ = writeln!(text, "- {}", shown(&entry.title));
    }
    if let Some(further) = entries.len().checked_sub(MAX_SHOWN).filter(|further| *further > 0) {
        let _ = writeln!(text, "- and {further} more");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_too_long_ends_with_a_whole_line() {
        assert_eq!(bounded("short\n".to_owned()), "short\n");
        let long = format!("{}\n", "x".repeat(999)).repeat(61);
        let cut = bounded(long.clone());
        assert_eq!(cut, format!("{}\nThe rest is too long for a comment.\n", &long[..60_000]));
        let code = format!("see `@all{}`", "y".repeat(2_000));
        assert_eq!(shown(&code), format!("see \\`@\u{2060}all{}…", "y".repeat(991)), "no code without its end");
    }
}
