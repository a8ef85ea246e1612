//! The contributors and the statistics of a release, which are found only if the template names them.

use std::{collections::HashMap, rc::Rc};

use crate::{
    git::{
        self, Repo,
        people::{self, HistoryPeople},
    },
    model::{Category, Oid, Person, ReleaseContributor, ReleaseDetails, Statistics, Warning},
    pipeline::{changes::history::History, range::range_start::RangeStart, scope::Scope},
    sources::{
        authors::AuthorResolver, classified_commit::Classification, merge_request_reference::MergeRequestReference,
    },
    template::Template,
};

/// Finds the contributors and the statistics that a template names.
pub(super) fn details(
    history: &mut History,
    categories: &[Category],
    template: &Template,
) -> anyhow::Result<ReleaseDetails> {
    let statistics = template.mentions("statistics").then(|| statistics(history, categories)).transpose()?;
    let asks_first_time = asks_first_time(template);
    if !asks_first_time && !template.mentions("contributors") {
        return Ok(ReleaseDetails { statistics, ..ReleaseDetails::default() });
    }
    let is_whole = is_whole(history.scope.repo);
    if asks_first_time && !is_whole && history.start != RangeStart::Root {
        history.warnings.push(
            Warning::new("without the whole history, first-time contributors are unknown")
                .hint("use a full clone: `git fetch --unshallow` completes a shallow one"),
        );
    }
    let contributors = contributors(history, asks_first_time && is_whole)?;
    Ok(ReleaseDetails { contributors: Some(contributors), new_contributors: None, statistics })
}

/// Whether a template names a variable that needs the history before the range.
fn asks_first_time(template: &Template) -> bool {
    template.mentions("first_time") || template.mentions("new_contributors")
}

/// Whether the commits before a range can be read without fetching all of them from a server.
fn is_whole(repo: &Repo) -> bool {
    !repo.is_shallow() && repo.transferred_bytes().is_none()
}

/// Reads the people of all ranges at once if the template names first contributions.
pub(super) fn prepare(template: &Template, first: &History, ends: impl Iterator<Item = Oid>) -> anyhow::Result<()> {
    if !is_whole(first.scope.repo) || !asks_first_time(template) {
        return Ok(());
    }
    history_people(first, &ends.collect::<Vec<_>>()).map(drop)
}

/// Returns the contributors for whom the release is the first one; empty if nothing is before it.
pub(super) fn new_contributors(details: &ReleaseDetails, start: &RangeStart) -> Option<Vec<ReleaseContributor>> {
    let is_new = |one: &&ReleaseContributor| one.first_time == Some(true) && *start != RangeStart::Root;
    Some(details.contributors.as_ref()?.iter().filter(is_new).cloned().collect())
}

fn statistics(history: &History, categories: &[Category]) -> anyhow::Result<Statistics> {
    let Scope { repo, request, .. } = &history.scope;
    let tagged = history.start.base().map_or(Ok(None), |base| git::tags::moment(repo, &base.tag))?;
    let days = tagged.map(|tagged| (request.date.parts().timestamp() - tagged.seconds).max(0) / (24 * 60 * 60));
    let categories = categories.iter().map(|category| (category.title.clone(), category.count)).collect();
    Ok(Statistics { commits: history.range_len, days, categories })
}

fn contributors(history: &History, asks_first_time: bool) -> anyhow::Result<Vec<ReleaseContributor>> {
    let (scope, start) = (&history.scope, history.start.commit());
    if !asks_first_time {
        let people = people::read_range(scope.repo, scope.range(start), &scope.request.range.walk, scope.notes()?)?;
        let people = people.with_identities(|people| resolver(history).identify(people));
        return tally(history, &people, &|_| None);
    }
    let tips: Vec<Oid> = start.into_iter().chain([scope.to]).collect();
    let people = history_people(history, &tips)?;
    let before = start.map(|start| people.up_to(start)).unwrap_or_default();
    tally(history, &people, &|number| Some(!before.get(number).copied().unwrap_or_default()))
}

/// Returns the people of the history of `tips`; if they are unknown, reads them and those of earlier calls.
fn history_people(history: &History, tips: &[Oid]) -> anyhow::Result<Rc<HistoryPeople>> {
    let scope = &history.scope;
    let known = scope.known.people.borrow().clone();
    if let Some(known) = known.as_ref().filter(|known| tips.iter().all(|tip| known.contains(*tip))) {
        return Ok(Rc::clone(known));
    }
    let mut all = known.map_or_else(Vec::new, |known| known.tips());
    all.extend(tips);
    let found = people::read_history(scope.repo, &all, scope.notes()?)?;
    let found = Rc::new(found.with_identities(|people| resolver(history).identify(people)));
    scope.known.people.replace(Some(Rc::clone(&found)));
    Ok(found)
}

fn resolver<'h>(history: &'h History) -> AuthorResolver<'h> {
    AuthorResolver { known: &history.config().authors, project: history.project() }
}

/// Counts the commits of each person who is not a bot.
fn tally(
    history: &History,
    people: &HistoryPeople,
    is_first: &dyn Fn(usize) -> Option<bool>,
) -> anyhow::Result<Vec<ReleaseContributor>> {
    let resolver = resolver(history);
    let mut found: Vec<ReleaseContributor> = Vec::new();
    let mut indexes: HashMap<usize, usize> = HashMap::new();
    for (commit, request) in counted_commits(history)? {
        let mut counted = Vec::new();
        for (number, person) in people.of_commit(commit).filter(|(_, person)| !is_bot(person)) {
            if counted.contains(&number) {
                continue;
            }
            counted.push(number);
            let index = *indexes.entry(number).or_insert_with(|| {
                let (name, email) = (shown_name(person).to_owned(), person.email.to_string());
                let first_time = is_first(number);
                found.push(ReleaseContributor { name, email, first_time, ..ReleaseContributor::default() });
                found.len() - 1
            });
            let contributor = &mut found[index];
            contributor.commits += 1;
            contributor.reference = contributor.reference.take().or_else(|| resolver.author(person).reference);
            contributor.commit = history.project().commit(commit);
            contributor.merge_request = request.as_ref().map(|request| request.in_project(history.project()));
        }
    }
    found.sort_by_key(|contributor| std::cmp::Reverse(contributor.commits));
    Ok(found)
}

fn shown_name(person: &Person) -> &str {
    if person.name.is_empty() { person.email.split('@').next().unwrap_or_default() } else { &person.name }
}

/// Whether a person is a bot, by the name or address that forges give to bots, or has no name to show.
fn is_bot(person: &Person) -> bool {
    person.name.ends_with("[bot]") || person.email.contains("[bot]@") || shown_name(person).is_empty()
}

/// Returns the commits of a range that are neither merges nor skipped by the configuration, for a package only those
/// that change its paths, each with the merge request that brought it in.
fn counted_commits(history: &History) -> anyhow::Result<Vec<(Oid, Option<MergeRequestReference>)>> {
    let (all, in_range) = history.whole_range();
    let mut indices: Vec<usize> = in_range
        .into_iter()
        .filter(|index| {
            let classified = &all.commits[*index];
            !classified.is_merge
                && !matches!(classified.classification, Classification::Skipped(_) | Classification::OutsidePaths)
        })
        .collect();
    let paths = &history.config().paths;
    if !paths.is_empty() {
        let changed = all.find_changes(history.scope.repo, indices, paths)?;
        indices = changed.into_iter().filter_map(|(index, is_changed)| is_changed.then_some(index)).collect();
    }
    Ok(indices.into_iter().map(|index| (all.commits[index].id, all.merge_request(index).cloned())).collect())
}
