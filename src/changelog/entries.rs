//! From judged commits to entries.

use indexmap::IndexMap;

use super::{request_reference::RequestReference, title::title, verdict::Verdict};
use crate::model::{Author, Commit, CommitLink, Entry, Person, Project};

/// What entries are made with beside the commits themselves.
pub struct Making<'a> {
    /// Where links and references point.
    pub project: &'a Project,
    /// Tells the author of a commit.
    pub author: &'a dyn Fn(&Person) -> Author,
}

impl Making<'_> {
    /// The entries of the listed commits, in the order of the walk.
    #[must_use]
    pub fn collect(
        &self,
        commits: &[Commit],
        verdicts: &[Verdict],
        requests: &[Option<RequestReference>],
    ) -> Vec<Entry> {
        let judged = commits.iter().zip(verdicts).zip(requests);
        let entries = judged.flat_map(|((commit, verdict), request)| {
            let categories = verdict.categories().iter();
            categories.map(|category| self.entry(commit, category, *request))
        });
        entries.collect()
    }

    fn entry(&self, commit: &Commit, category: &str, request: Option<RequestReference>) -> Entry {
        Entry {
            title: title(commit),
            category: category.to_owned(),
            commit: self.link(commit),
            author: Some((self.author)(&commit.author)),
            merge_request: request.map(|request| self.project.merge_request(request.path, request.number)),
        }
    }

    fn link(&self, commit: &Commit) -> CommitLink {
        let trailers: IndexMap<String, String> =
            commit.trailers.iter().map(|trailer| (trailer.key.clone(), trailer.value.clone())).collect();
        CommitLink { trailers, date: commit.committed.to_iso8601(), ..self.project.commit(commit.id) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changelog::testing::{commit, listed};

    #[test]
    fn only_listed_commits_become_entries_in_the_order_of_the_walk() {
        let commits = [commit(3, "Three\n\nChangelog: fixed\nMR: x\nMR: y"), commit(2, "Two"), commit(1, "One")];
        let verdicts = [listed(&["fixed"]), Verdict::NoTrailer, listed(&["added"])];
        let request = RequestReference { path: None, number: 7 };
        let project = Project::new("https://git.example.org", "harbor/pilot");
        let making = Making { project: &project, author: &|_| Author::default() };
        let entries = making.collect(&commits, &verdicts, &[Some(request), None, None]);
        let titles: Vec<_> = entries.iter().map(|entry| (entry.title.as_str(), entry.category.as_str())).collect();
        assert_eq!(titles, [("Three", "fixed"), ("One", "added")]);
        assert_eq!(entries[0].commit.trailers["MR"], "y", "the last of a repeated key");
        assert_eq!(entries[0].merge_request.as_ref().unwrap().reference, "harbor/pilot!7");
        assert_eq!(entries[1].merge_request, None);
    }

    #[test]
    fn every_category_makes_an_entry() {
        let commits = [commit(2, "Two\n\nChangelog: fixed\nChangelog: added"), commit(1, "One\n\nMR: x")];
        let project = Project::new("https://git.example.org", "harbor/pilot");
        let making = Making { project: &project, author: &|_| Author::default() };
        let entries = making.collect(&commits, &[listed(&["fixed", "added"]), Verdict::NoTrailer], &[None, None]);
        let categories: Vec<_> = entries.iter().map(|entry| entry.category.as_str()).collect();
        assert_eq!(categories, ["fixed", "added"]);
    }
}
