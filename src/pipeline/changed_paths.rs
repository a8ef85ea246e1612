//! Which commits of a range change the paths of a section, also under the names that directories had before a move.

use std::collections::BTreeSet;

use crate::{
    changelog::{
        classification::Classification,
        classifier::{ClassifiedCommit, Classifier, Retention},
        reverted::RevertedCommits,
    },
    git::{self, Repo, paths::MovedDirectory},
    model::{Oid, Parents},
};

/// The IDs of the commits at some places of a walk, each with that of its first parent.
pub(super) fn with_first_parents<'a>(
    commits: &'a [ClassifiedCommit],
    parents: &'a Parents,
    places: &'a [usize],
) -> impl Iterator<Item = (Oid, Option<Oid>)> + 'a {
    let id = |place: usize| commits[place].id;
    places.iter().map(move |place| (id(*place), parents.first(*place).map(|parent| parent.id(id))))
}

/// A line of first parents from the newest commit of a walk down, and the first one outside.
pub(super) fn first_parent_line(commits: &[ClassifiedCommit], parents: &Parents) -> Vec<Oid> {
    let mut line: Vec<Oid> = commits.first().map(|newest| newest.id).into_iter().collect();
    let mut parent = if line.is_empty() { None } else { parents.first(0) };
    while let Some(next) = parent {
        line.push(next.id(|place| commits[place].id));
        parent = next.index().and_then(|place| parents.first(place));
    }
    line
}

/// The commits at some places of a walk that change a directory which was moved to one of the paths later; `line` is that
/// of the first parents.
pub(super) fn changed_before_move(
    repo: &Repo,
    (commits, parents): (&[ClassifiedCommit], &Parents),
    (line, paths): (&[Oid], &[String]),
    places: &[usize],
) -> anyhow::Result<BTreeSet<usize>> {
    let mut changed = BTreeSet::new();
    for moved in MovedDirectory::find(repo, line, paths)? {
        let pairs: Vec<_> = with_first_parents(commits, parents, places).collect();
        let found = places.iter().zip(moved.changed(repo, &pairs)?);
        changed.extend(found.filter(|(_, is_changed)| *is_changed).map(|(place, _)| *place));
    }
    Ok(changed)
}

/// Judges the commits of a range with paths. Trees are compared for commits that would be listed; for the others only if
/// nothing is, or all are kept, so that it matters why.
pub(super) fn classify_by_paths(
    classifier: &Classifier,
    repo: &Repo,
    (commits, parents): (&mut [ClassifiedCommit], &Parents),
) -> anyhow::Result<()> {
    let changed = |commits: &[ClassifiedCommit], is_asked: &dyn Fn(&Classification) -> bool| {
        let asked: Vec<usize> = (0..commits.len()).filter(|place| is_asked(&commits[*place].verdict)).collect();
        let pairs = with_first_parents(commits, parents, &asked);
        let paths = classifier.config.paths.as_slice();
        let mut found: Vec<_> = asked.iter().copied().zip(git::paths::changed(repo, pairs, paths)?).collect();
        let others: Vec<usize> = found.iter().filter(|(_, is_changed)| !is_changed).map(|(place, _)| *place).collect();
        if !others.is_empty() {
            let line = first_parent_line(commits, parents);
            let moved = changed_before_move(repo, (commits, parents), (&line, paths), &others)?;
            for (place, is_changed) in &mut found {
                *is_changed |= moved.contains(place);
            }
        }
        anyhow::Ok(found)
    };
    let is_first_asked = |verdict: &Classification| classifier.keep == Retention::All || verdict.is_listed();
    let mut in_paths = vec![true; commits.len()];
    for (place, is_changed) in changed(commits, &is_first_asked)? {
        in_paths[place] = is_changed;
    }
    let reverted = RevertedCommits::find(commits, parents);
    classifier.classify(commits, &reverted, Some(&in_paths));
    if classifier.keep == Retention::All || commits.iter().any(|judged| judged.verdict.is_listed()) {
        return Ok(());
    }
    let is_open =
        |verdict: &Classification| !matches!(verdict, Classification::OutsidePaths | Classification::RevertedBy(_));
    for (place, _) in changed(commits, &is_open)?.into_iter().filter(|(_, is_changed)| !is_changed) {
        commits[place].verdict = Classification::OutsidePaths;
    }
    Ok(())
}
