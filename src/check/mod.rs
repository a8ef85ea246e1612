//! Classified commits come in, findings go out: what the changelog would lose or print badly.

use std::{borrow::Cow, collections::HashSet};

use serde::Serialize;

use crate::{
    config::{COMMON_CATEGORIES, Config, EntrySource},
    model::{Commit, Oid, Problem, Trailer, closest, is_digits, is_misspelt, pluralize},
    sources::{
        classified_commit::{Classification, ClassifiedCommit},
        conventional::{ConventionalCommit, breaking_line, breaking_text, closest_type, is_conventional, well_formed},
        folds::NONE,
        trailers::category,
    },
};

/// The default maximum length of a title, in characters.
const MAX_TITLE: usize = 72;

/// The most findings of one kind in a message, which may have millions of lines.
const MOST_OF_A_KIND: usize = 20;

/// Which commits must have the trailer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TrailerPolicy {
    /// At least one commit of the range.
    #[default]
    Any,
    /// Every commit, except merges, commits reverted in the range, and the reverts themselves.
    Each,
    /// None, but the range must add a change file.
    ChangeFile,
    None,
}

/// The rules that commit messages are checked by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules<'a> {
    pub trailer: &'a str,
    pub require: TrailerPolicy,
    /// The configuration; if it has no categories, only values that look like misspelt common ones are found.
    pub config: &'a Config,
    /// Maximum length of a title, in characters; 0 means no limit.
    pub max_title: usize,
}

/// A defect of a commit message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    /// The commit; `None` for the range as a whole, or a message without a commit.
    pub commit: Option<Oid>,
    pub rule: &'static str,
    /// The line of the message, from 1.
    pub line: Option<usize>,
    pub message: String,
    pub hint: String,
}

impl Finding {
    /// Reports a range without a change file.
    pub(crate) fn without_change_file() -> Self {
        let message = "the range adds no change file".to_owned();
        Self::new("missing-change-file", None, message, "write one with `tidings change`, and commit it")
    }

    /// Reports a squash commit that lists nothing, though the commits of the request do.
    pub(crate) fn lost_in_squash(listed: usize) -> Self {
        let commits = pluralize(listed, "commit");
        let message = format!("the message of the squash commit lists nothing, and {commits} of the request would");
        Self::new(
            "lost-in-squash",
            None,
            message,
            "say it in the title or description that the squash message is made of",
        )
    }

    /// Reports a change file that cannot be read.
    pub(crate) fn of_change_file(problem: &Problem) -> Self {
        let hint = problem.hints().join("; ");
        let message = problem.to_string();
        Self::new("change-file", None, message.lines().next().unwrap_or_default().to_owned(), hint)
    }

    fn new(rule: &'static str, line: Option<usize>, message: String, hint: impl Into<String>) -> Self {
        Self { commit: None, rule, line, message, hint: hint.into() }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Message<'a> {
    pub text: &'a str,
    pub trailers: &'a [Trailer],
    /// Whether it is that of a merge, whose title git wrote.
    pub is_merge: bool,
}

impl<'a> Rules<'a> {
    /// Returns the rules of a configuration; `max_title` takes precedence over the configured maximum length.
    pub(crate) fn new(config: &'a Config, trailer: &'a str, require: TrailerPolicy, max_title: Option<usize>) -> Self {
        Self { trailer, require, config, max_title: max_title.or(config.max_title).unwrap_or(MAX_TITLE) }
    }

    /// Checks the commits of a range, newest first, given also with their texts. Commits that are out of the section's
    /// scope are skipped.
    ///
    /// # Errors
    /// If a text cannot be read.
    pub(crate) fn check<'c>(
        &self,
        commits: &[ClassifiedCommit],
        whole: impl Iterator<Item = anyhow::Result<(&'c ClassifiedCommit, Cow<'c, Commit>)>>,
    ) -> anyhow::Result<Vec<Finding>> {
        let classifications = || commits.iter().map(|classified| &classified.classification);
        let reverts: HashSet<Oid> = classifications().filter_map(Classification::reverted_by).collect();
        let mut findings = Vec::new();
        for commit in whole {
            let (classified, commit) = commit?;
            findings.extend(self.commit(classified, &commit, &reverts));
        }
        findings.extend(commits.iter().filter_map(unread_revert));
        let is_concerned = classifications()
            .any(|classification| !matches!(classification, Classification::OutsidePaths | Classification::Skipped(_)));
        let asks_any = self.require == TrailerPolicy::Any && self.config.source != EntrySource::Files;
        if asks_any
            && is_concerned
            && !classifications().any(|classification| {
                classification.is_listed()
                    || matches!(classification, Classification::UnlistedType(_) | Classification::FoldedInto(_))
            })
        {
            findings.push(self.missing_category("no commit of the range has a"));
        }
        Ok(findings)
    }

    /// Checks the message of a commit unless it is out of the section's scope. These commits revert others of the range.
    pub(crate) fn commit(
        &self,
        classified: &ClassifiedCommit,
        commit: &Commit,
        reverts: &HashSet<Oid>,
    ) -> impl Iterator<Item = Finding> + use<> {
        let (id, is_merge, classification) = (commit.id, commit.is_merge, &classified.classification);
        let is_named = matches!(classification, Classification::Listed(_) | Classification::FoldedInto(_));
        let exempt = is_merge || is_named || reverts.contains(&id);
        let message = Message { text: &commit.message, trailers: &commit.trailers, is_merge };
        let found = if classification.is_out_of_scope() { Vec::new() } else { self.message(message, !exempt) };
        found.into_iter().map(move |finding| Finding { commit: Some(id), ..finding })
    }

    /// Checks one message. If each commit must have the trailer, `required` says whether this one must.
    pub(crate) fn message(&self, message: Message, required: bool) -> Vec<Finding> {
        let source = self.config.source;
        let has_trailer = source.has_trailers() && message.trailers.iter().any(|trailer| trailer.key == self.trailer);
        let mut findings = Vec::new();
        if source.has_trailers() {
            findings.extend(self.trailer(message));
        }
        // If merge requests or titles are entries, a message need not say anything more.
        let mut is_present =
            has_trailer || self.config.other.is_some() || !(source.has_trailers() || source.has_types());
        if source.has_types() && !has_trailer {
            is_present = is_conventional(message.text, self.config);
            findings.extend(self.misspelt_type(message.text).or_else(|| self.malformed_type(message.text)));
            findings.extend(empty_breaking_change(message.text));
        }
        // If a finding says already what went wrong, a missing category is not reported too.
        if self.require == TrailerPolicy::Each && required && !is_present && findings.is_empty() {
            findings.push(self.missing_category("the message has no"));
        }
        let title = if message.is_merge { Vec::new() } else { check_title(message.text, self.max_title) };
        title.into_iter().chain(findings).collect()
    }

    fn missing_category(&self, lack: &str) -> Finding {
        let category = self.config.categories.keys().next().map_or("added", String::as_str);
        let source = self.config.source.profile();
        let message = format!("{lack} {}", source.listed_property(self.trailer));
        Finding::new(source.rule, None, message, source.rule_hint(self.trailer, category))
    }

    /// Finds a type that is nearly a known one.
    fn misspelt_type(&self, text: &str) -> Option<Finding> {
        let ConventionalCommit { commit_type: kind, .. } =
            conventional(text).filter(|_| !is_conventional(text, self.config))?;
        let near = closest_type(&kind, self.config)?;
        let message = format!("unknown type `{kind}`");
        Some(Finding::new("unknown-type", Some(1), message, format!("did you mean `{near}`?")))
    }

    /// Finds a known type that is not read because of blanks around its parts or an empty scope.
    fn malformed_type(&self, text: &str) -> Option<Finding> {
        let title = text.lines().next().filter(|_| !is_conventional(text, self.config))?.trim_end();
        let good = well_formed(title, self.config)?;
        let message = format!("the type of `{title}` is not read");
        Some(Finding::new("malformed-type", Some(1), message, format!("write `{good}`")))
    }

    pub(crate) fn trailer(&self, message: Message) -> Vec<Finding> {
        let mut findings = self.find_misplaced(message);
        findings.extend(
            self.wrong_case(message.trailers)
                .or_else(|| self.misspelt(message.trailers))
                .or_else(|| self.wrong_separator(message)),
        );
        let mut values = message.trailers.iter().filter(|trailer| trailer.key == self.trailer);
        let read: Vec<&Trailer> = if self.config.takes_repeated_trailers {
            values.collect()
        } else {
            values.next_back().into_iter().collect()
        };
        let values = read.into_iter().filter_map(|trailer| self.value(category(&trailer.value, self.config)));
        findings.extend(values.take(MOST_OF_A_KIND));
        findings
    }

    /// Finds lines that look like the trailer but are not read as one: all but the last, which git read as trailers.
    fn find_misplaced(&self, message: Message) -> Vec<Finding> {
        let lines = (1..)
            .zip(message.text.lines())
            .filter(|(_, line)| line.split_once(':').is_some_and(|(key, value)| self.is_like(key, value)));
        let read = message.trailers.iter().filter(|read| self.is_like(&read.key, &read.value)).count();
        let misplaced = lines.clone().count().saturating_sub(read);
        let rest = misplaced.saturating_sub(MOST_OF_A_KIND);
        let mut findings: Vec<_> = lines
            .take(misplaced - rest)
            .map(|(number, line)| {
                let message = format!("`{}` is ignored because it is not in the last paragraph", line.trim());
                let hint = "move it into a last paragraph of trailers alone, after an empty line";
                Finding::new("misplaced-trailer", Some(number), message, hint)
            })
            .collect();
        if let Some(last) = findings.last_mut().filter(|_| rest > 0) {
            last.message = format!("{}, and so are {rest} more lines like it", last.message);
        }
        findings
    }

    /// Whether a name is that of the trailer in any case, and the value a single word, so that prose does not match.
    fn is_like(&self, key: &str, value: &str) -> bool {
        key.trim_end().eq_ignore_ascii_case(self.trailer) && value.split_whitespace().count() == 1
    }

    fn wrong_case(&self, trailers: &[Trailer]) -> Option<Finding> {
        let is_other = |found: &&Trailer| found.key != self.trailer && found.key.eq_ignore_ascii_case(self.trailer);
        let Trailer { key, .. } = trailers.iter().find(is_other)?;
        let message = format!("`{key}:` is not read, names of trailers are case-sensitive");
        Some(Finding::new("wrong-case", None, message, format!("write `{}:`", self.trailer)))
    }

    /// Finds a name that is nearly that of the trailer, in a message without the trailer.
    fn misspelt(&self, trailers: &[Trailer]) -> Option<Finding> {
        if trailers.iter().any(|found| found.key == self.trailer) {
            return None;
        }
        let Trailer { key, .. } = trailers.iter().find(|found| is_misspelt(&found.key, self.trailer))?;
        let message = format!("`{key}:` is not the trailer `{}:`", self.trailer);
        Some(Finding::new("misspelt-trailer", None, message, format!("did you mean `{}:`?", self.trailer)))
    }

    /// Finds an equals sign instead of the colon in the last paragraph of a message without the trailer.
    fn wrong_separator(&self, message: Message) -> Option<Finding> {
        if message.trailers.iter().any(|found| found.key == self.trailer) {
            return None;
        }
        let lines: Vec<_> = (1..).zip(message.text.trim_end().lines()).collect();
        // Without an empty line there is only the title.
        let above = lines.iter().rposition(|(_, line)| line.trim().is_empty())?;
        let (number, line) = lines[above..]
            .iter()
            .find(|(_, line)| line.split_once('=').is_some_and(|(key, value)| self.is_like(key, value)))?;
        let message = format!("`{}` is not read, since the name of a trailer is followed by a colon", line.trim());
        Some(Finding::new("wrong-separator", Some(*number), message, format!("write `{}:`", self.trailer)))
    }

    fn value(&self, value: &str) -> Option<Finding> {
        if value.is_empty() {
            let message = format!("the `{}:` trailer has no value", self.trailer);
            return Some(Finding::new("unknown-category", None, message, self.known_categories()));
        }
        let is_configured = !self.config.categories.is_empty();
        let known = self.categories();
        let near = closest(value, known.iter().copied());
        let is_none = value == NONE && !self.config.is_gitlab_file;
        if is_none || known.contains(&value) || (!is_configured && near.is_none()) {
            return None;
        }
        let hint = near.map_or_else(|| self.known_categories(), |near| format!("did you mean `{near}`?"));
        Some(Finding::new("unknown-category", None, format!("unknown category `{value}`"), hint))
    }

    fn known_categories(&self) -> String {
        format!("use one of `{}`", self.categories().join("`, `"))
    }

    /// Returns the configured categories, else the common ones.
    fn categories(&self) -> Vec<&str> {
        let configured: Vec<&str> = self.config.categories.keys().map(String::as_str).collect();
        if configured.is_empty() { COMMON_CATEGORIES.to_vec() } else { configured }
    }
}

/// Reports a revert in a form that GitLab does not read.
pub(crate) fn unread_revert(classified: &ClassifiedCommit) -> Option<Finding> {
    let (by, id) = (classified.mentions().unread_revert?, classified.id);
    let message = format!("the revert of {} is not read, so {0} is listed all the same", id.short());
    let hint = format!("write `This reverts commit {id}` on a line of its own, the first of its kind");
    Some(Finding { commit: Some(by), ..Finding::new("unread-revert", None, message, hint) })
}

/// Finds a `BREAKING CHANGE:` that does not say what breaks.
fn empty_breaking_change(text: &str) -> Option<Finding> {
    let mark = breaking_line(text).filter(|_| breaking_text(text).is_none())?;
    let line = text.lines().position(|line| line == mark)? + 1;
    let hint = "write what breaks, and what users have to do, after `BREAKING CHANGE: `";
    Some(Finding::new("empty-breaking-change", Some(line), "the breaking change has no text".to_owned(), hint))
}

fn conventional(text: &str) -> Option<ConventionalCommit<'_>> {
    ConventionalCommit::parse(text.lines().next().unwrap_or_default(), text)
}

/// Checks the title of a message, which becomes an entry (git-commit(1), "DISCUSSION").
fn check_title(message: &str, longest: usize) -> Vec<Finding> {
    let mut lines = message.lines();
    let title = lines.next().unwrap_or_default();
    if title.trim().is_empty() {
        return vec![finding(1, "the title is empty", "say in the first line what the change does")];
    }
    let length = strip_numbers(title).chars().count();
    // Git writes these titles itself and makes them longer than the title that they quote.
    let is_revert = title.starts_with("Revert \"") || title.starts_with("Reapply \"");
    let mut findings = Vec::new();
    if longest > 0 && length > longest && !is_revert {
        let message = format!("the title has {length} characters, more than {longest}");
        findings.push(finding(1, message, "move details into the body"));
    }
    if title.ends_with('.') && !title.ends_with("..") {
        findings.push(finding(1, "the title ends with a period", "drop it: the title becomes an entry of a list"));
    }
    if title != title.trim() {
        findings.push(finding(1, "the title begins or ends with white space", "drop it"));
    }
    if lines.next().is_some_and(|second| !second.trim().is_empty()) {
        findings.push(finding(2, "the line below the title is not empty", "put an empty line between title and body"));
    }
    findings
}

/// Returns the title without the numbers of merge or pull requests that a squash puts after it, such as ` (#12)`.
fn strip_numbers(title: &str) -> &str {
    std::iter::successors(Some(title), |title| {
        let (before, number) = title.strip_suffix(')')?.rsplit_once(" (")?;
        is_digits(number.strip_prefix(['#', '!'])?).then_some(before)
    })
    .last()
    .unwrap_or(title)
}

fn finding(line: usize, message: impl Into<String>, hint: &str) -> Finding {
    Finding::new("title", Some(line), message.into(), hint)
}

#[cfg(test)]
mod tests;
