//! Warnings about probable mistakes: a value close to a known one, a trailer in another case, no trailer at all.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::classified_commit::{Classification, ClassifiedCommit, NearMiss};
use crate::{
    config::Config,
    model::{Warning, closest},
};

/// Returns the warnings about the trailers of a range.
pub(crate) fn trailer_warnings(commits: &[ClassifiedCommit], config: &Config, trailer: &str) -> Vec<Warning> {
    let mut advice = category_warnings(commits, config);
    if list_nothing(commits) {
        advice.extend(nothing_listed(commits, config, trailer));
    }
    advice
}

/// Warns of values that are nearly a configured category, of each once.
pub(crate) fn category_warnings(commits: &[ClassifiedCommit], config: &Config) -> Vec<Warning> {
    let mut reported = HashSet::new();
    // Of other sources the configuration or the rules name the category, and not the commit.
    let listed = commits
        .iter()
        .filter(|classified| classified.has_trailer)
        .flat_map(|classified| classified.classification.categories().iter().map(|value| (value, classified.id)));
    listed
        .filter_map(|(value, commit)| {
            if config.categories.contains_key(value) || !reported.insert(value.clone()) {
                return None;
            }
            let known = closest(value, config.categories.keys().map(String::as_str))?;
            let message =
                format!("the category `{value}` of commit {} is not among the configured ones", commit.short());
            Some(Warning::new(message).hint(format!("did you mean `{known}`?")))
        })
        .collect()
}

/// Warns of types that are not known and common in a range, since their commits are not listed.
pub(crate) fn type_warnings(commits: &[ClassifiedCommit]) -> Vec<Warning> {
    const SEVERAL: usize = 3;
    const SHARE: usize = 20;
    let own = commits.iter().filter(|classified| !classified.is_merge).count();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let unlisted = commits.iter().filter(|classified| classified.classification == Classification::NoCategory);
    for kind in unlisted.filter_map(|classified| classified.mentions().unknown_type.as_deref()) {
        *counts.entry(kind).or_default() += 1;
    }
    let common = counts.into_iter().filter(|(_, count)| *count >= SEVERAL && count * SHARE >= own);
    common.map(|(kind, count)| {
        Warning::new(format!("{count} titles begin with the type `{kind}`, which is unknown, so they are not listed"))
            .hint(format!(
                "name its category in the configuration, such as `types: {{{kind}: changed}}`, or write `types: {{{kind}: none}}`"
            ))
    }).collect()
}

/// Whether no commit is listed, and neither a revert nor an unlisted type is the reason.
pub(crate) fn list_nothing(commits: &[ClassifiedCommit]) -> bool {
    commits.iter().all(|classified| match classified.classification {
        Classification::NoCategory | Classification::OutsidePaths | Classification::Skipped(_) => true,
        Classification::RevertedBy(_) => !classified.was_listed,
        _ => false,
    })
}

fn nothing_listed(commits: &[ClassifiedCommit], config: &Config, trailer: &str) -> Option<Warning> {
    let without = commits.iter().filter(|classified| {
        matches!(classified.classification, Classification::NoCategory | Classification::RevertedBy(_))
    });
    let without: Vec<&ClassifiedCommit> = without.collect();
    match without.as_slice() {
        [] if commits.is_empty() || config.paths.is_empty() => None,
        [] => Some(no_changes(&config.paths)),
        without => Some(no_category(without, config, trailer)),
    }
}

fn no_changes(paths: &[String]) -> Warning {
    let warning = Warning::new(format!("no commit of the range changes `{}`", paths.join("`, `")));
    if paths.iter().any(|path| path.starts_with('/') || path.contains('\\')) {
        return warning.hint("write paths from the top of the repository and with `/`, such as `packages/api`");
    }
    warning
}

fn no_category(commits: &[&ClassifiedCommit], config: &Config, trailer: &str) -> Warning {
    let what = config.source.profile().listed_property(trailer);
    let warning = Warning::new(match commits {
        [_] => format!("the commit of the range has no {what}"),
        commits => format!("none of the {} commits of the range has a {what}", commits.len()),
    });
    warning.hint(hint(commits, config, trailer))
}

fn hint(commits: &[&ClassifiedCommit], config: &Config, trailer: &str) -> String {
    if let Some(hint) = config.source.profile().unlisted_hint {
        return hint.to_owned();
    }
    if let Some(other) = find_other_case(commits) {
        return format!("trailers are case-sensitive: some say `{other}:`, look for it with `--trailer {other}`");
    }
    if near_misses(commits).filter(|near_miss| near_miss.is_conventional).count() * 2 > commits.len() {
        let setting = "set `source: conventional` in the configuration: the titles are Conventional Commits";
        return config.init_or(setting);
    }
    let init = if config.has_file { "" } else { "run `tidings init` for a configuration that fits the history, " };
    format!(
        "{init}end a commit message with a paragraph such as `{trailer}: added`, or look for another trailer with \
         `--trailer NAME`"
    )
}

/// Returns the most frequent trailer that differs from the category trailer only in case.
fn find_other_case<'a>(commits: &[&'a ClassifiedCommit]) -> Option<&'a str> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in near_misses(commits).flat_map(|near_miss| &near_miss.other_case) {
        *counts.entry(name).or_default() += 1;
    }
    counts.into_iter().max_by_key(|&(key, count)| (count, key)).map(|(key, _)| key)
}

fn near_misses<'a>(commits: &[&'a ClassifiedCommit]) -> impl Iterator<Item = &'a NearMiss> {
    commits.iter().filter_map(|classified| classified.mentions().near_miss.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::testing::{classifier, commits, read_by};

    fn advice(messages: &[&str], categories: &[&str]) -> Vec<String> {
        let categories = categories.iter().map(|category| ((*category).to_owned(), String::new())).collect();
        let config = Config { categories, ..Config::default() };
        let classifier = classifier(config);
        let mut commits = read_by(&classifier, &commits(messages));
        classifier.classify(&mut commits, &crate::sources::reverted::RevertedCommits::default(), None);
        let advice = trailer_warnings(&commits, &classifier.config, "Changelog");
        advice.into_iter().map(|warning| format!("{warning}; {}", warning.hints.concat())).collect()
    }

    #[test]
    fn a_value_close_to_a_category_is_told_once() {
        let found =
            advice(&["A\n\nChangelog: fixd", "B\n\nChangelog: fixd", "C\n\nChangelog: added"], &["added", "fixed"]);
        assert_eq!(found.len(), 1);
        assert!(
            found[0].contains("`fixd`") && found[0].contains("01010101") && found[0].ends_with("did you mean `fixed`?")
        );
    }

    #[test]
    fn values_that_are_like_nothing_and_unconfigured_lists_are_left_alone() {
        assert_eq!(advice(&["A\n\nChangelog: documentation"], &["added", "fixed"]), Vec::<String>::new());
        assert_eq!(advice(&["A\n\nChangelog: fixd"], &[]), Vec::<String>::new());
    }

    #[test]
    fn a_range_without_a_trailer_shows_one() {
        let found = advice(&["A", "B"], &[]);
        assert!(found[0].starts_with("none of the 2 commits") && found[0].contains("`Changelog: added`"), "{found:?}");
        let found = advice(&["A\n\nchangelog: added"], &[]);
        assert!(found[0].contains("--trailer changelog"), "{found:?}");
        let found = advice(&["feat: A", "docs: B", "C"], &[]);
        assert!(found[0].contains("`source: conventional` in the configuration"), "{found:?}");
        assert_eq!(advice(&[], &[]), Vec::<String>::new());
    }
}
