//! Entries made from changes that files describe, by category.

use super::change::{Change, Target, file_id};
use crate::{
    config::Config,
    model::{Author, Category, Commit, CommitLink, Entry, Oid},
    sources::{
        categories::group_by_category, entries::EntryBuilder, item_text, merge_request_reference::MergeRequestReference,
    },
};

/// A change, and the commit that added its file.
#[derive(Clone, Debug)]
pub(crate) struct AddedChange {
    pub change: Change,
    /// The targets that a section lists, at least one.
    pub targets: Vec<Target>,
    /// The commit; `None` if the history that is there does not show it.
    pub commit: Option<Box<Commit>>,
    /// The request that brought the file in.
    pub request: Option<MergeRequestReference>,
}

impl AddedChange {
    /// Returns the target whose category the change is listed under: the one with the highest level.
    pub(crate) fn target(&self) -> Option<&Target> {
        self.targets.iter().rev().max_by_key(|target| target.level)
    }

    /// Returns the commit that the file describes, and the path of the file.
    pub(crate) fn described_commit(&self) -> Option<(Oid, &str)> {
        Some((self.commit.as_ref()?.id, &self.change.path))
    }
}

/// Returns the entries of changes under the titles of their categories. `names_packages` puts the packages of each before
/// its text.
pub(crate) fn change_categories(
    builder: &EntryBuilder<'_>,
    changes: &[AddedChange],
    config: &Config,
    names_packages: bool,
) -> Vec<Category> {
    let entries = changes.iter().filter_map(|change| entry(builder, change, names_packages));
    group_by_category(entries.collect(), config)
}

fn entry(builder: &EntryBuilder<'_>, added: &AddedChange, names_packages: bool) -> Option<Entry> {
    let AddedChange { change, commit, request, .. } = added;
    let (text, body) = item_text::split(&change.text);
    let packages: Vec<&str> = added.targets.iter().filter_map(|target| target.package.as_deref()).collect();
    let mut author = commit.as_deref().map(|commit| (builder.author)(&commit.author));
    if let Some(name) = &change.author {
        author = Some(Author { reference: Some(format!("@{name}")), ..author.unwrap_or_default() });
    }
    let own = change.request.map(|number| MergeRequestReference { path: None, sign: '#', number });
    let with_issues = with_issues(&text, change, own.as_ref().or(request.as_ref()));
    let title = if text.is_empty() { &with_issues } else { &text }.replace('\n', " ");
    Some(Entry {
        title: if title.is_empty() { file_id(&change.path).to_owned() } else { title },
        text: Some(with_issues).filter(|text| !text.is_empty()),
        body,
        scope: (names_packages && !packages.is_empty())
            .then(|| packages.join(", "))
            .or_else(|| change.component.clone()),
        category: added.target()?.category.clone(),
        commit: commit.as_deref().map_or_else(CommitLink::default, |commit| builder.link(commit)),
        author,
        merge_request: own.as_ref().or(request.as_ref()).map(|request| request.in_project(builder.project)),
        ..Entry::default()
    })
}

/// Appends the issues to a text, without the number that is the request's.
fn with_issues(text: &str, change: &Change, request: Option<&MergeRequestReference>) -> String {
    let own = request.map(|request| format!("#{}", request.number));
    let is_own = |issue: &str| {
        let rest = own.as_deref().and_then(|own| Some(issue.split_once(own)?.1));
        rest.is_some_and(|rest| !rest.starts_with(|sign: char| sign.is_ascii_digit()))
    };
    let issues: Vec<&str> = change.issues.iter().map(String::as_str).filter(|issue| !is_own(issue)).collect();
    match (text, issues.as_slice()) {
        (_, []) => text.to_owned(),
        ("", issues) => issues.join(", "),
        (text, issues) => format!("{text} ({})", issues.join(", ")),
    }
}
