//! From judged commits to entries, by category.

use super::{
    classified_commit::ClassifiedCommit,
    conventional::{BREAKING, ConventionalCommit},
    merge_request_reference::MergeRequestReference,
    references::link_references,
    release::{category_titles, group},
    title::{rule_match, shortened, source_title, title},
};
use crate::{
    config::Config,
    model::{Author, Category, Commit, CommitLink, Entry, Forge, Person, Project},
    parallel,
};

/// What entries are made with beside the commits themselves.
pub struct EntryBuilder<'a> {
    /// Where links and references point.
    pub project: &'a Project,
    /// Tells the author of a commit.
    pub author: &'a (dyn Fn(&Person) -> Author + Sync),
    /// The settings.
    pub config: &'a Config,
}

/// Whether entries are worded as the forge does it. Those of trailers, and all on GitLab, are as GitLab makes them.
#[must_use]
pub fn has_own_words(project: &Project, config: &Config) -> bool {
    project.forge() != Forge::GitLab && !config.source.has_only_trailers()
}

impl EntryBuilder<'_> {
    /// The entries of the listed commits under the titles of their categories, each in the order of the walk.
    #[must_use]
    pub fn categories(
        &self,
        commits: &[ClassifiedCommit],
        requests: &[Option<&MergeRequestReference>],
    ) -> Vec<Category> {
        let mut listed: Vec<_> = commits
            .iter()
            .zip(requests)
            .flat_map(|(judged, request)| {
                let commit = judged.commit.as_deref();
                let categories = judged.verdict.categories().iter();
                categories.filter_map(move |category| Some((commit?, category.as_str(), *request)))
            })
            .collect();
        if let Some(other) = &self.config.other {
            listed.sort_by_key(|(_, category, _)| category == other);
        }
        // Entries are large: what they are made of is grouped instead.
        let groups = group(listed, |(_, category, _)| category, &category_titles(self.config));
        let (titles, groups): (Vec<_>, Vec<_>) = groups.into_iter().unzip();
        let entries = parallel::map(&groups, |(commit, category, request)| self.entry(commit, category, *request));
        titles.into_iter().zip(entries).map(|(title, entries)| Category::new(title, entries)).collect()
    }

    fn entry(&self, commit: &Commit, category: &str, request: Option<&MergeRequestReference>) -> Entry {
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
        let title = if is_cut { shortened(&title) } else { title };
        let title = self.without_reference(title, request);
        let (linked_title, references) = match link_references(&title, &self.config.links) {
            Some(linked) => (Some(linked.title), linked.references),
            None => (None, Vec::new()),
        };
        Entry {
            title,
            breaking: category != BREAKING && conventional.as_ref().is_some_and(|found| found.is_breaking),
            scope: rule
                .map_or_else(|| conventional.and_then(|found| found.scope).map(str::to_owned), |rule| rule.scope),
            linked_title,
            references,
            category: category.to_owned(),
            commit: self.link(commit),
            author: Some((self.author)(&commit.author)),
            merge_request: request.map(|request| self.project.merge_request(request.path.as_deref(), request.number)),
        }
    }

    /// The title without the number of its merge request at its end, which the entry links; on GitLab it is an issue's.
    fn without_reference(&self, mut title: String, request: Option<&MergeRequestReference>) -> String {
        let number = request.filter(|_| has_own_words(self.project, self.config)).map(|request| request.number);
        let bare = number.and_then(|number| title.trim_end().strip_suffix(&format!(" (#{number})")));
        if let Some(length) = bare.map(|bare| bare.trim_end().len()).filter(|length| *length > 0) {
            title.truncate(length);
        }
        title
    }

    /// The title taken apart, where its prefix says nothing that the category does not.
    fn conventional<'c>(&self, commit: &'c Commit) -> Option<ConventionalCommit<'c>> {
        let has_types = self.config.source.has_types();
        has_types.then(|| ConventionalCommit::of_known_type(commit, self.config)).flatten().map(|(found, _)| found)
    }

    fn link(&self, commit: &Commit) -> CommitLink {
        CommitLink {
            trailers: commit.trailers.iter().cloned().collect(),
            date: commit.committed.to_iso8601(),
            ..self.project.commit(commit.id)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changelog::{
        classification::Classification,
        testing::{commit, listed, with_verdicts},
    };
    use crate::config::EntrySource;

    fn entries(
        making: &EntryBuilder<'_>,
        commits: &[ClassifiedCommit],
        requests: &[Option<&MergeRequestReference>],
    ) -> Vec<Entry> {
        making.categories(commits, requests).into_iter().flat_map(|category| category.entries).collect()
    }

    #[test]
    fn only_listed_commits_become_entries() {
        let commits = [commit(3, "Three\n\nChangelog: fixed\nMR: x\nMR: y"), commit(2, "Two"), commit(1, "One")];
        let verdicts = [listed(&["fixed"]), Classification::NoCategory, listed(&["added"])];
        let request = MergeRequestReference { path: None, number: 7 };
        let project = Project::new("https://git.example.org", "harbor/pilot");
        let making = EntryBuilder { project: &project, author: &|_| Author::default(), config: &Config::default() };
        let entries = entries(&making, &with_verdicts(&commits, &verdicts), &[Some(&request), None, None]);
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
            let making = EntryBuilder { project: &project, author: &|_| Author::default(), config: &config };
            let verdicts = [listed(&["added"]), listed(&["changed"])];
            let entries = entries(&making, &with_verdicts(&commits, &verdicts), &[None, None]);
            entries.into_iter().map(|entry| format!("{} {}", entry.title, entry.scope.unwrap_or_default()))
        };
        assert_eq!(titles(EntrySource::Both).collect::<Vec<_>>(), ["Add crane api", "Docker: use less "]);
        assert_eq!(titles(EntrySource::Trailers).next().unwrap(), "feat(api): Add crane ");
    }

    #[test]
    fn every_category_makes_an_entry() {
        let commits = [commit(2, "Two\n\nChangelog: fixed\nChangelog: added"), commit(1, "One\n\nMR: x")];
        let project = Project::new("https://git.example.org", "harbor/pilot");
        let making = EntryBuilder { project: &project, author: &|_| Author::default(), config: &Config::default() };
        let verdicts = [listed(&["fixed", "added"]), Classification::NoCategory];
        let entries = entries(&making, &with_verdicts(&commits, &verdicts), &[None, None]);
        let categories: Vec<_> = entries.iter().map(|entry| entry.category.as_str()).collect();
        assert_eq!(categories, ["fixed", "added"]);
    }
}
