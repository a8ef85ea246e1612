//! Entries made from classified commits.

use std::borrow::Cow;

use indexmap::IndexMap;

use super::{
    categories::group,
    classified_commit::ClassifiedCommit,
    conventional::{ConventionalCommit, breaking_text},
    entry_title::{rule_match, shorten, source_title, title},
    item_text,
    merge_request_reference::MergeRequestReference,
    references::link_references,
};
use crate::{
    config::{Config, LinkRule, Pattern},
    model::{Author, BREAKING, Category, Commit, CommitLink, Entry, Forge, Person, Project, Reference, SquashSubject},
    parallel,
};

/// The inputs of entries besides the commits themselves.
pub(crate) struct EntryBuilder<'a> {
    /// The project that links and references point to.
    pub project: &'a Project,
    pub author: &'a (dyn Fn(&Person) -> Author + Sync),
    pub config: &'a Config,
}

/// The number of entries after which the commits that they were made of are dropped, so that a long history is never in
/// memory twice.
const BATCH: usize = 1 << 14;

/// Whether entries are worded as on their forge. Entries of trailers, and all on GitLab, are as GitLab makes them.
pub(crate) fn has_own_words(project: &Project, config: &Config) -> bool {
    project.forge() != Forge::GitLab && !config.source.has_only_trailers()
}

impl EntryBuilder<'_> {
    /// Returns the entries of listed commits under the titles of their categories, each in the order of the walk. `whole`
    /// has the commits that were kept whole, at the same indexes.
    pub(crate) fn categories(
        &self,
        commits: &[ClassifiedCommit],
        mut whole: Vec<Option<Box<Commit>>>,
        requests: &[Option<&MergeRequestReference>],
        titles: &IndexMap<String, String>,
    ) -> Vec<Category> {
        let mut listed: Vec<_> = commits
            .iter()
            .zip(requests)
            .enumerate()
            .flat_map(|(at, (classified, request))| {
                let messages = &classified.mentions().messages;
                let categories = classified.classification.categories().iter().enumerate();
                let author = classified.mentions().request_author.as_deref();
                categories.map(move |(index, category)| {
                    let message = messages.get(index).map(|message| &**message);
                    ListedChange { at, message, category, request: *request, author }
                })
            })
            .filter(|change| whole[change.at].is_some())
            .collect();
        if let Some(other) = &self.config.other {
            listed.sort_by_key(|change| change.category == other);
        }
        // Entries are large, so the inputs of entries are grouped instead.
        let groups = group(listed, |change| change.category, titles);
        let (titles, groups): (Vec<_>, Vec<_>) = groups.into_iter().unzip();
        let entries = if groups.iter().map(Vec::len).sum::<usize>() <= BATCH {
            self.entries(&groups, &whole)
        } else {
            let mut all = Vec::new();
            for group in &groups {
                let mut entries = Vec::new();
                for batch in group.chunks(BATCH) {
                    entries.extend(self.entries(&[batch.to_vec()], &whole).into_iter().flatten());
                    for change in batch {
                        // The entries of the other categories of a commit are still to be made.
                        if commits[change.at].classification.categories().len() == 1 {
                            whole[change.at] = None;
                        }
                    }
                }
                all.push(entries);
            }
            all
        };
        titles.into_iter().zip(entries).map(|(title, entries)| Category::new(title, entries)).collect()
    }

    /// Returns the entry of each change.
    fn entries(&self, changes: &[Vec<ListedChange<'_>>], whole: &[Option<Box<Commit>>]) -> Vec<Vec<Entry>> {
        let links = self.links();
        parallel::map(changes, |change| {
            whole[change.at].as_deref().map_or_else(Entry::default, |commit| self.entry(change, commit, &links))
        })
    }

    /// Returns the rules for references in titles: the configured ones, else one for the numbers that the forge links.
    fn links(&self) -> Cow<'_, [LinkRule]> {
        const NUMBER: &str = r"\B#([1-9][0-9]{0,8})\b";
        let has_numbers = self.project.forge().profile().squash_subject == SquashSubject::Number;
        let is_own = has_numbers && self.config.links.is_empty() && has_own_words(self.project, self.config);
        let url = self.project.issue_url("$1").filter(|_| is_own);
        let rule = url.and_then(|url| LinkRule::new(Pattern::parse(NUMBER).ok()?, url).ok());
        rule.map_or(Cow::Borrowed(&self.config.links), |rule| Cow::Owned(vec![rule]))
    }

    fn entry(&self, change: &ListedChange<'_>, commit: &Commit, links: &[LinkRule]) -> Entry {
        let ListedChange { message, category, request, author, .. } = *change;
        let part = message.map(|message| Commit { message: message.into(), ..commit.clone() });
        let commit = part.as_ref().unwrap_or(commit);
        let conventional = self.conventional(commit);
        let rule = rule_match(commit, self.config).filter(|rule| rule.has_scope);
        let title = match (&rule, &conventional) {
            (Some(rule), _) => rule.title.to_owned(),
            (None, Some(found)) => found.title(self.config),
            (None, None) if commit.message.is_empty() => title(commit),
            (None, None) => source_title(commit, self.config.source).to_owned(),
        };
        let is_as_on_gitlab = self.config.source.has_only_trailers() || self.config.is_gitlab_file;
        let is_cut = self.config.cuts_titles.unwrap_or(is_as_on_gitlab);
        let mut title = self.strip_reference(if is_cut { shorten(&title) } else { title }, request);
        let (linked_title, references) = link_references(&title, links);
        if self.config.links.is_empty() {
            title.truncate(strip_numbers(&title, &references).len());
        }
        let breaking_text = conventional.as_ref().and_then(|_| breaking_text(&commit.message));
        let body = if self.config.has_bodies { message_body(commit) } else { breaking_text.clone() };
        Entry {
            title,
            text: None,
            body: body.filter(|_| !self.config.is_gitlab_file).and_then(|body| item_text::below_title(&body)),
            breaking_text,
            breaking: category != BREAKING && conventional.as_ref().is_some_and(|found| found.is_breaking),
            scope: rule
                .map_or_else(|| conventional.and_then(|found| found.scope).map(str::to_owned), |rule| rule.scope),
            linked_title,
            references,
            category: category.to_owned(),
            commit: self.link(commit),
            author: Some(self.author(&commit.author, author)),
            merge_request: request.map(|request| request.in_project(self.project)),
        }
    }

    /// Returns the author of a commit, with the login that the forge gave if the configuration has no other reference.
    fn author(&self, person: &Person, login: Option<&str>) -> Author {
        let author = (self.author)(person);
        let reference = author.reference.or_else(|| login.map(|login| format!("@{login}")));
        Author { reference, ..author }
    }

    /// Drops the merge request's number, which the entry links, from the end of a title; on GitLab it is an issue's.
    fn strip_reference(&self, mut title: String, request: Option<&MergeRequestReference>) -> String {
        let number = request.filter(|_| has_own_words(self.project, self.config)).map(|request| request.number);
        let bare = number.and_then(|number| title.trim_end().strip_suffix(&format!(" (#{number})")));
        if let Some(length) = bare.map(|bare| bare.trim_end().len()).filter(|length| *length > 0) {
            title.truncate(length);
        }
        title
    }

    /// Parses the title if its type is known, so that its prefix says nothing that the category does not.
    fn conventional<'c>(&self, commit: &'c Commit) -> Option<ConventionalCommit<'c>> {
        let has_types = self.config.source.has_types();
        has_types.then(|| ConventionalCommit::of_known_type(commit, self.config)).flatten().map(|(found, _)| found)
    }

    pub(super) fn link(&self, commit: &Commit) -> CommitLink {
        CommitLink {
            trailers: commit.trailers.iter().cloned().collect(),
            date: commit.committed.to_iso8601(),
            ..self.project.commit(commit.id)
        }
    }
}

/// Returns the text of a message between its subject and its trailers.
fn message_body(commit: &Commit) -> Option<String> {
    let (_, below) = commit.message.split_once('\n')?;
    let lines = below.replace("\r\n", "\n");
    let text = lines.split("\n---------\n").next()?.trim();
    let (before, last) = text.rsplit_once("\n\n").unwrap_or(("", text));
    let is_trailers = last
        .lines()
        .all(|line| commit.trailers.iter().any(|trailer| line.starts_with(&*trailer.key)) || line.starts_with(' '));
    Some(if is_trailers { before } else { text }.trim().to_owned())
}

/// A change of a commit that is listed.
#[derive(Clone, Copy)]
struct ListedChange<'a> {
    /// The index of the commit.
    at: usize,
    /// The message that describes it, if it is another one than the commit's.
    message: Option<&'a str>,
    category: &'a str,
    request: Option<&'a MergeRequestReference>,
    /// The login of the author of the merge request, if the forge was asked.
    author: Option<&'a str>,
}

/// Returns the title without the numbers in parentheses at its end, which are listed after it.
fn strip_numbers<'t>(title: &'t str, references: &[Reference]) -> &'t str {
    std::iter::successors(Some(title), |title: &&'t str| {
        let rest = references.iter().find_map(|found| title.strip_suffix(&format!("({})", found.text)))?;
        Some(rest.trim_end()).filter(|rest| !rest.is_empty())
    })
    .last()
    .unwrap_or(title)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        config::EntrySource,
        sources::{
            categories::category_titles,
            classified_commit::Classification,
            testing::{commit, listed, with_classifications},
        },
    };

    fn entries(
        builder: &EntryBuilder<'_>,
        commits: &[ClassifiedCommit],
        requests: &[Option<&MergeRequestReference>],
    ) -> Vec<Entry> {
        let titles = category_titles(builder.config, true, &[]);
        let whole = commits.iter().map(|classified| classified.commit.clone()).collect();
        builder
            .categories(commits, whole, requests, &titles)
            .into_iter()
            .flat_map(|category| category.entries)
            .collect()
    }

    #[test]
    fn entries_of_many_commits_are_those_of_each() {
        let commits: Vec<_> = (0..BATCH + 100).map(|number| commit(1, &format!("Change {number}"))).collect();
        let of =
            |number: usize| if number.is_multiple_of(3) { listed(&["added", "fixed"]) } else { listed(&["added"]) };
        let classifications: Vec<_> = (0..commits.len()).map(of).collect();
        let project = Project::new("https://git.example.org", "harbor/pilot");
        let builder = EntryBuilder { project: &project, author: &|_| Author::default(), config: &Config::default() };
        let classified = with_classifications(&commits, &classifications);
        let found = entries(&builder, &classified, &vec![None; commits.len()]);
        let of_category = |category: &str| -> Vec<&str> {
            found.iter().filter(|entry| entry.category == category).map(|entry| entry.title.as_str()).collect()
        };
        let titles: Vec<_> = commits.iter().map(|commit| &*commit.message).collect();
        assert_eq!(of_category("added"), titles);
        assert_eq!(of_category("fixed"), titles.iter().copied().step_by(3).collect::<Vec<_>>());
    }

    #[test]
    fn only_listed_commits_become_entries() {
        let commits = [commit(3, "Three\n\nChangelog: fixed\nMR: x\nMR: y"), commit(2, "Two"), commit(1, "One")];
        let classifications = [listed(&["fixed"]), Classification::NoCategory, listed(&["added"])];
        let request = MergeRequestReference { path: None, sign: '!', number: 7 };
        let project = Project::new("https://git.example.org", "harbor/pilot");
        let builder = EntryBuilder { project: &project, author: &|_| Author::default(), config: &Config::default() };
        let entries =
            entries(&builder, &with_classifications(&commits, &classifications), &[Some(&request), None, None]);
        let titles: Vec<_> = entries.iter().map(|entry| (entry.title.as_str(), entry.category.as_str())).collect();
        assert_eq!(titles, [("Three", "fixed"), ("One", "added")]);
        assert_eq!(entries[0].commit.trailers.get("MR").unwrap(), "y", "the last of a repeated key");
        assert_eq!(entries[0].commit.date, commits[0].committed.to_iso8601());
        assert!(!entries[0].commit.date.is_empty() && entries[0].commit.web_url.is_some());
        assert_eq!(entries[0].merge_request.as_ref().unwrap().reference, "harbor/pilot!7");
        assert_eq!(entries[1].merge_request, None);
    }

    #[test]
    fn a_title_loses_the_prefix_of_a_known_type() {
        let commits = [commit(2, "feat(api): Add crane"), commit(1, "Docker: use less")];
        let titles = |source| {
            let (project, config) = (Project::default(), Config { source, ..Config::default() });
            let builder = EntryBuilder { project: &project, author: &|_| Author::default(), config: &config };
            let classifications = [listed(&["added"]), listed(&["changed"])];
            let entries = entries(&builder, &with_classifications(&commits, &classifications), &[None, None]);
            entries.into_iter().map(|entry| format!("{} {}", entry.title, entry.scope.unwrap_or_default()))
        };
        assert_eq!(titles(EntrySource::Both).collect::<Vec<_>>(), ["Add crane api", "Docker: use less "]);
        assert_eq!(titles(EntrySource::Trailers).next().unwrap(), "feat(api): Add crane ");
    }

    #[test]
    fn every_category_makes_an_entry() {
        let commits = [commit(2, "Two\n\nChangelog: fixed\nChangelog: added"), commit(1, "One\n\nMR: x")];
        let project = Project::new("https://git.example.org", "harbor/pilot");
        let builder = EntryBuilder { project: &project, author: &|_| Author::default(), config: &Config::default() };
        let classifications = [listed(&["fixed", "added"]), Classification::NoCategory];
        let entries = entries(&builder, &with_classifications(&commits, &classifications), &[None, None]);
        let categories: Vec<_> = entries.iter().map(|entry| entry.category.as_str()).collect();
        assert_eq!(categories, ["fixed", "added"]);
    }
}
