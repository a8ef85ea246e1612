//! The body of a section in the service's default form.

use std::fmt::Write as _;

use crate::model::{Entry, Release};

pub(super) fn body(release: &Release) -> String {
    let mut text = String::new();
    for category in &release.categories {
        let s = if category.single_change { "1 change".into() } else { format!("{} changes", category.count) };
        let _ = write!(text, "### {} ({s})\n\n", category.title);
        for entry in &category.entries {
            let _ = writeln!(text, "{}", line(entry));
        }
        text.push('\n');
    }
    if text.is_empty() { "No changes.".into() } else { text.trim().to_owned() }
}

fn line(entry: &Entry) -> String {
    let page = entry.commit.web_url.as_ref().unwrap_or(&entry.commit.short_id);
    let mut line = format!("- [{}]({page})", entry.title);
    if let Some(url) = entry.merge_request.as_ref().and_then(|request| request.web_url.as_ref()) {
        let _ = write!(line, " ([merge request]({url}))");
    }
    line
}
