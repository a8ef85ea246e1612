//! Advice about trailers that look like mistakes: a value close to a known one, a name in another case, none at all.

use std::collections::{HashMap, HashSet};

use super::verdict::Verdict;
use crate::{
    config::Config,
    model::{Commit, Warning, closest},
};

/// What the user should know about the trailers of a range.
#[must_use]
pub fn advise(commits: &[Commit], verdicts: &[Verdict], config: &Config, trailer: &str) -> Vec<Warning> {
    let judged = || commits.iter().zip(verdicts);
    let listed = judged()
        .flat_map(|(commit, verdict)| verdict.categories().iter().map(move |category| (category.as_str(), commit)));
    let mut advice = unlikely_categories(listed, config);
    let without: Vec<&Commit> =
        judged().filter(|(_, verdict)| **verdict == Verdict::NoTrailer).map(|(commit, _)| commit).collect();
    if verdicts.iter().all(|verdict| matches!(verdict, Verdict::NoTrailer | Verdict::OtherPaths)) {
        advice.extend(nothing_listed(&without, commits.len(), config, trailer));
    }
    advice
}

fn nothing_listed(without: &[&Commit], commits: usize, config: &Config, trailer: &str) -> Option<Warning> {
    match without {
        [] if commits == 0 => None,
        [] => Some(Warning::new(format!("no commit of the range changes `{}`", config.paths.join("`, `")))),
        without => Some(no_trailer(without, trailer)),
    }
}

/// Values that are no configured category but nearly one, each told once.
fn unlikely_categories<'a>(listed: impl Iterator<Item = (&'a str, &'a Commit)>, config: &Config) -> Vec<Warning> {
    let mut told = HashSet::new();
    let mut warn = |(value, commit): (&str, &Commit)| {
        if config.categories.contains_key(value) || !told.insert(value.to_owned()) {
            return None;
        }
        let known = closest(value, config.categories.keys().map(String::as_str))?;
        let message =
            format!("the category `{value}` of commit {} is not among the configured ones", commit.id.short());
        Some(Warning::new(message).hint(format!("did you mean `{known}`?")))
    };
    listed.filter_map(&mut warn).collect()
}

fn no_trailer(commits: &[&Commit], trailer: &str) -> Warning {
    let count =
        if commits.len() == 1 { "the commit".to_owned() } else { format!("none of the {} commits", commits.len()) };
    let has = if commits.len() == 1 { "has no" } else { "has a" };
    let warning = Warning::new(format!("{count} of the range {has} `{trailer}:` trailer"));
    match other_case(commits, trailer) {
        Some(other) => warning.hint(format!("trailers are case-sensitive: some say `{other}:`, look for it with `--trailer {other}`")),
        None => warning.hint(format!(
            "end a commit message with a paragraph such as `{trailer}: added`, or look for another trailer with `--trailer NAME`"
        )),
    }
}

/// The most frequent trailer that differs from the asked one in case alone.
fn other_case<'a>(commits: &[&'a Commit], trailer: &str) -> Option<&'a str> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for found in commits.iter().flat_map(|commit| &commit.trailers) {
        if found.key.eq_ignore_ascii_case(trailer) {
            *counts.entry(&found.key).or_default() += 1;
        }
    }
    counts.into_iter().max_by_key(|&(key, count)| (count, key)).map(|(key, _)| key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changelog::testing::{commit, judge};

    fn advice(messages: &[&str], categories: &[&str]) -> Vec<String> {
        let commits: Vec<Commit> = messages.iter().zip(1..).map(|(message, id)| commit(id, message)).collect();
        let categories = categories.iter().map(|category| ((*category).to_owned(), String::new())).collect();
        let config = Config { categories, ..Config::default() };
        let advice = advise(&commits, &judge(&commits), &config, "Changelog");
        advice.into_iter().map(|warning| format!("{warning}; {}", warning.hint.clone().unwrap_or_default())).collect()
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
        assert_eq!(advice(&[], &[]), Vec::<String>::new());
    }
}
