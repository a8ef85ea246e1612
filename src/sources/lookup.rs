//! What a release needs from the forge: the users of its authors, and the merge requests of its commits.

use std::{collections::HashMap, fmt::Debug};

use indexmap::IndexMap;

use crate::model::{
    Author, Entry, LookupRequest, LookupResult, MergedRequest, Project, Release, ReleaseContributor, UnresolvedAuthor,
    Warning,
};

/// A forge on which users and merge requests are looked up.
pub(crate) trait ForgeLookup: Debug {
    /// Looks up users and merge requests of a project. A failed lookup is only a warning.
    fn look_up(&self, project: &Project, request: &LookupRequest) -> anyhow::Result<(LookupResult, Vec<Warning>)>;

    /// Returns the merge requests of a project that have these numbers, by number, as far as they exist. That they are
    /// not asked for is a warning.
    ///
    /// # Errors
    /// If the forge does not answer.
    fn merge_requests(
        &self,
        project: &Project,
        numbers: &[u64],
    ) -> anyhow::Result<(HashMap<u64, MergedRequest>, Vec<Warning>)>;
}

/// Adds the users and merge requests that a forge knows to a release.
pub(crate) fn look_up_and_apply(
    release: &mut Release,
    forge: &dyn ForgeLookup,
    project: &Project,
    groups: &[String],
) -> anyhow::Result<Vec<Warning>> {
    let request = lookup_request(release, groups);
    if request.is_empty() {
        return Ok(Vec::new());
    }
    let (findings, warnings) = forge.look_up(project, &request)?;
    apply_lookup(release, &findings, project);
    Ok(warnings)
}

/// Returns the authors and commits of a release to look up, with the groups whose members are credited.
fn lookup_request(release: &Release, groups: &[String]) -> LookupRequest {
    let mut authors: IndexMap<String, UnresolvedAuthor> = IndexMap::new();
    let mut commits = Vec::new();
    for entry in release.categories.iter().flat_map(|category| &category.entries) {
        if let Some(author) = entry.author.as_ref().filter(|author| !needs_no_lookup(author)) {
            let email = author.email.to_lowercase();
            let username = author.reference.as_ref().map(|name| name.trim_start_matches('@').to_owned());
            let commit = entry.commit.id.clone();
            authors.entry(email.clone()).or_insert(UnresolvedAuthor { email, username, commit });
        }
        if entry.merge_request.is_none() {
            commits.push(entry.commit.id.clone());
        }
    }
    let unknown = |one: &&ReleaseContributor| one.reference.is_none() && !one.email.is_empty();
    for one in release.details.contributors.iter().flatten().filter(unknown) {
        let email = one.email.to_lowercase();
        let commit = one.commit.id.clone();
        authors.entry(email.clone()).or_insert(UnresolvedAuthor { email, username: None, commit });
    }
    // A commit with several categories has an entry in each.
    commits.sort_unstable();
    commits.dedup();
    LookupRequest { authors: authors.into_values().collect(), commits, groups: groups.to_vec() }
}

/// Whether the configuration names and credits the author already, or there is no address to look up.
fn needs_no_lookup(author: &Author) -> bool {
    author.reference.is_some() && author.contributor && author.credit || author.email.is_empty()
}

/// Adds the result of a lookup to a release; the configuration takes precedence.
fn apply_lookup(release: &mut Release, result: &LookupResult, project: &Project) {
    for entry in release.categories.iter_mut().flat_map(|category| &mut category.entries) {
        add(entry, result, project);
    }
    for one in release.details.contributors.iter_mut().flatten().filter(|one| one.reference.is_none()) {
        one.reference = result.people.get(&one.email.to_lowercase()).map(|known| known.reference.clone());
    }
}

fn add(entry: &mut Entry, result: &LookupResult, project: &Project) {
    if let Some(author) = &mut entry.author
        && let Some(known) = result.people.get(&author.email.to_lowercase())
    {
        author.reference.get_or_insert_with(|| known.reference.clone());
        author.contributor |= known.contributor;
        author.credit |= known.credit;
    }
    if entry.merge_request.is_none() {
        let number = result.requests.get(&entry.commit.id);
        entry.merge_request = number.map(|number| project.merge_request(None, None, *number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Category, CommitLink, ForgeUser};

    fn entry(id: &str, email: &str, reference: Option<&str>) -> Entry {
        let reference = reference.map(str::to_owned);
        Entry {
            title: "Add it".into(),
            category: "added".into(),
            commit: CommitLink { id: id.into(), ..CommitLink::default() },
            author: Some(Author { email: email.into(), reference, ..Author::default() }),
            ..Entry::default()
        }
    }

    fn release(entries: Vec<Entry>) -> Release {
        Release { categories: vec![Category::new("added".into(), entries)], ..Release::default() }
    }

    #[test]
    fn every_author_and_commit_is_looked_up_once() {
        let project = Project::new("https://git.example.org", "harbor/pilot");
        let mut known = entry("c", "olaf@x", None);
        known.merge_request = Some(project.merge_request(None, None, 7));
        let release = release(vec![
            entry("b", "Ida@x", None),
            entry("a", "ida@x", None),
            entry("a", "ida@x", None),
            known,
            entry("d", "", None),
        ]);
        let request = lookup_request(&release, &["harbor".to_owned()]);
        let emails: Vec<_> =
            request.authors.iter().map(|author| (author.email.as_str(), author.commit.as_str())).collect();
        assert_eq!(emails, [("ida@x", "b"), ("olaf@x", "c")]);
        assert_eq!(request.commits, ["a", "b", "d"]);
    }

    #[test]
    fn an_author_whom_the_configuration_credits_is_not_looked_up() {
        let mut credited = entry("a", "ida@x", Some("@ida"));
        let author = credited.author.as_mut().unwrap();
        (author.contributor, author.credit) = (true, true);
        assert!(lookup_request(&release(vec![credited]), &[]).authors.is_empty());
        let named = lookup_request(&release(vec![entry("a", "ida@x", Some("@ida"))]), &[]);
        assert_eq!(named.authors[0].username.as_deref(), Some("ida"));
    }

    #[test]
    fn results_add_to_what_is_known() {
        let project = Project::new("https://git.example.org", "harbor/pilot");
        let known = ForgeUser { reference: "@other".into(), contributor: false, credit: true };
        let mut release = release(vec![entry("a", "Ida@x", Some("@ida")), entry("b", "olaf@x", None)]);
        let result = LookupResult { people: [("ida@x".into(), known)].into(), requests: [("b".into(), 9)].into() };
        apply_lookup(&mut release, &result, &project);
        let [first, second] = &release.categories[0].entries[..] else { panic!("two entries") };
        let author = first.author.as_ref().unwrap();
        assert_eq!((author.reference.as_deref(), author.contributor, author.credit), (Some("@ida"), false, true));
        assert_eq!(first.merge_request, None);
        assert_eq!(second.merge_request, Some(project.merge_request(None, None, 9)));
        assert!(!second.author.as_ref().unwrap().credit);
    }
}
