//! Advice about what looks like a mistake: a value close to a known one, a trailer in another case, none at all.

use std::collections::{HashMap, HashSet};

use super::{
    conventional::Conventional,
    verdict::{Verdict, wanted},
};
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
        judged().filter(|(_, verdict)| **verdict == Verdict::NoCategory).map(|(commit, _)| commit).collect();
    if verdicts.iter().all(|verdict| matches!(verdict, Verdict::NoCategory | Verdict::OtherPaths | Verdict::Skipped(_)))
    {
        advice.extend(nothing_listed(&without, commits.len(), config, trailer));
    }
    advice
}

fn nothing_listed(without: &[&Commit], commits: usize, config: &Config, trailer: &str) -> Option<Warning> {
    match without {
        [] if commits == 0 || config.paths.is_empty() => None,
        [] => Some(Warning::new(format!("no commit of the range changes `{}`", config.paths.join("`, `")))),
        without => Some(no_category(without, config, trailer)),
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

fn no_category(commits: &[&Commit], config: &Config, trailer: &str) -> Warning {
    let what = wanted(config.source, trailer);
    let warning = Warning::new(match commits {
        [_] => format!("the commit of the range has no {what}"),
        commits => format!("none of the {} commits of the range has a {what}", commits.len()),
    });
    warning.hint(cure(commits, config, trailer))
}

fn cure(commits: &[&Commit], config: &Config, trailer: &str) -> String {
    if config.source.has_types() {
        return "begin titles with a type such as `feat: ` or `fix: `; `types` in the settings adds others".to_owned();
    }
    if let Some(other) = other_case(commits, trailer) {
        return format!("trailers are case-sensitive: some say `{other}:`, look for it with `--trailer {other}`");
    }
    let is_conventional =
        |commit: &&&Commit| Conventional::of(commit).is_some_and(|title| title.place(config).is_some());
    if commits.iter().filter(is_conventional).count() * 2 > commits.len() {
        return "the titles are Conventional Commits: `source: conventional` in the settings reads them".to_owned();
    }
    format!(
        "end a commit message with a paragraph such as `{trailer}: added`, or look for another trailer with `--trailer NAME`"
    )
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
        let found = advice(&["feat: A", "docs: B", "C"], &[]);
        assert!(found[0].ends_with("`source: conventional` in the settings reads them"), "{found:?}");
        assert_eq!(advice(&[], &[]), Vec::<String>::new());
    }
}
