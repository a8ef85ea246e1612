//! The report about the commits of a range: how many are listed, how many are not, and why; and the remarks and
//! warnings of several packages, put together, because there may be thousands.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde_json::{Value, json};

use super::Session;
use crate::{
    config::EntrySource,
    git::Repo,
    model::{Problem, ProblemKind, Warning, name_some, pluralize},
    pipeline::{History, RangeStart},
    sources::classified_commit::{Classification, ClassifiedCommit},
};

/// The reasons why commits are not listed: the key in JSON, and the words after the number of these commits.
const REASONS: [(&str, &str); 7] = [
    ("reverted", "reverted"),
    ("no_trailer", "without a "),
    ("unlisted_type", "of other types"),
    ("reverts", "reverting others"),
    ("other_paths", "of other paths"),
    ("skipped", "skipped"),
    ("folded", "mending what is not released either"),
];

/// The number of commits of each classification.
#[derive(Default)]
pub(super) struct ClassificationCounts<'a> {
    pub(super) listed: usize,
    pub(super) categories: BTreeMap<&'a str, usize>,
    /// The number of commits that are not listed, by the index of [`REASONS`].
    out: [usize; REASONS.len()],
}

impl<'a> ClassificationCounts<'a> {
    pub(super) fn from_commits(commits: &'a [ClassifiedCommit]) -> Self {
        let mut counts = Self::default();
        for classification in commits.iter().map(|classified| &classified.classification) {
            for category in classification.categories() {
                *counts.categories.entry(category).or_default() += 1;
            }
            *match classification {
                Classification::Listed(_) => &mut counts.listed,
                Classification::RevertedBy(_) => &mut counts.out[0],
                Classification::NoCategory => &mut counts.out[1],
                Classification::UnlistedType(_) => &mut counts.out[2],
                Classification::Revert => &mut counts.out[3],
                Classification::OutsidePaths => &mut counts.out[4],
                Classification::Skipped(_) => &mut counts.out[5],
                Classification::FoldedInto(_) => &mut counts.out[6],
            } += 1;
        }
        counts
    }

    /// Returns in words how many commits are not listed, by reason: always the first two, the others if they occur.
    pub(super) fn describe_unlisted(&self, source: EntrySource) -> Vec<String> {
        let counts = self.out.into_iter().zip(REASONS).enumerate();
        let counts = counts.filter(|(index, (count, _))| *index < 2 || *count > 0);
        counts
            .map(|(index, (count, (_, words)))| {
                format!("{count} {words}{}", if index == 1 { source.profile().short_property } else { "" })
            })
            .collect()
    }

    pub(super) fn document(&self) -> Value {
        let commits = self.listed + self.out.iter().sum::<usize>();
        let counted = |(category, count): (&&str, &usize)| json!({ "category": category, "count": count });
        let categories: Vec<_> = self.categories.iter().map(counted).collect();
        let mut document = json!({ "commits": commits, "listed": self.listed, "categories": categories });
        for ((key, _), count) in REASONS.into_iter().zip(self.out) {
            document[key] = count.into();
        }
        document
    }
}

/// Returns in words why nothing of a range is listed.
pub(super) fn nothing_listed(history: &History) -> String {
    let since = match &history.start {
        RangeStart::Base(base) => format!("since {}", base.tag),
        RangeStart::Revision { revision, .. } => format!("since {revision}"),
        RangeStart::Root => "in the whole history".to_owned(),
    };
    if history.range_len == 0 {
        return format!("no commits {since}");
    }
    let out = ClassificationCounts::from_commits(history.commits()).describe_unlisted(history.config().source);
    let out: Vec<String> = out.into_iter().filter(|reason| !reason.starts_with("0 ")).collect();
    let commits = pluralize(history.range_len, "commit");
    format!("none of {commits} {since} is listed: {}", out.join(", "))
}

/// Returns the error under `--fail-on-empty`.
pub(super) fn no_entries() -> Problem {
    Problem::new("the section has no entries").kind(ProblemKind::NothingToDo)
}

/// The maximum number of packages whose warnings are printed one by one.
const FEW: usize = 3;

/// The maximum number of packages that a line names.
const NAMED: usize = 10;

/// The remarks and warnings about packages, by their text.
#[derive(Default)]
pub(super) struct PackageMessages {
    packages: usize,
    /// The packages that nothing is listed for.
    empty: Vec<String>,
    remarks: IndexMap<String, Vec<String>>,
    warnings: IndexMap<String, (Warning, Vec<String>)>,
}

impl PackageMessages {
    /// Adds the messages about the history of a package. `is_for_others` if it is released for other packages.
    pub(super) fn add(&mut self, package: &str, history: &History, is_for_others: bool) {
        self.packages += 1;
        if history.has_nothing_for_package() && !is_for_others {
            self.empty.push(package.to_owned());
        }
        for remark in history.remarks() {
            self.remarks.entry(remark).or_default().push(package.to_owned());
        }
        for warning in &history.warnings {
            let known = self.warnings.entry(warning.message.clone()).or_insert_with(|| (warning.clone(), Vec::new()));
            known.1.push(package.to_owned());
        }
    }

    /// Prints the messages of a command: one that concerns several packages once, and the packages with other warnings
    /// in one warning if they are many. Only packages of a configuration can be named with `--package`.
    pub(super) fn print(self, session: &Session, command: &str, is_configured: bool) -> anyhow::Result<()> {
        let look = |command: &str, package: &str, at: &str| {
            let run = format!("`tidings {command} --package {package}`");
            if is_configured {
                format!("run {run} to see {at}")
            } else {
                format!("run {run} to see {at}, once `packages` of the configuration has it")
            }
        };
        for (remark, packages) in &self.remarks {
            session.remark(&format!("{}: {remark}", name_some(packages, NAMED, "")));
        }
        let (common, own): (Vec<_>, Vec<_>) = self.warnings.into_values().partition(|(_, packages)| packages.len() > 1);
        session.warn(common.iter().map(|(warning, _)| warning))?;
        let mut with_own: Vec<String> = own.iter().flat_map(|(_, packages)| packages.clone()).collect();
        with_own.dedup();
        if with_own.len() > FEW {
            let message =
                format!("{} have warnings: {}", pluralize(with_own.len(), "package"), name_some(&with_own, NAMED, "`"));
            session.warn(&[Warning::new(message).hint(look(command, &with_own[0], "those of one"))])?;
        } else {
            session.warn(own.iter().map(|(warning, _)| warning))?;
        }
        let Some(first) = self.empty.first() else { return Ok(()) };
        let (count, all) = (self.empty.len(), pluralize(self.packages, "package"));
        let message = format!("nothing is listed for {count} of {all}: {}", name_some(&self.empty, NAMED, "`"));
        session.warn(&[Warning::new(message).hint(look("explain", first, "why"))])
    }
}

/// Says that links are those of GitLab because nothing shows what the host of `origin` runs.
pub(super) fn note_assumed_forge(history: &History, repo: &Repo, session: &Session) {
    let is_shown = history.config().is_gitlab_file
        || repo
            .work_tree()
            .is_some_and(|root| [".gitlab-ci.yml", ".gitlab"].iter().any(|name| root.join(name).exists()));
    if history.project().assumes_forge() && !is_shown {
        let host = history.project().host();
        session.remark(&format!("unknown forge `{host}`: links are as on GitLab; set `forge` in the configuration"));
    }
}

/// Prints the remarks and the warnings of a history.
pub(super) fn print(history: &History, session: &Session) -> anyhow::Result<()> {
    history.remarks().iter().for_each(|remark| session.remark(remark));
    session.warn(&history.warnings)
}

/// The messages about the releases of one repository: the remarks on the first, and each warning once.
#[derive(Default)]
pub(super) struct ReleaseMessages {
    remarks: Option<Vec<String>>,
    warnings: IndexMap<String, Warning>,
}

impl ReleaseMessages {
    pub(super) fn add(&mut self, history: &History) {
        self.remarks.get_or_insert_with(|| history.remarks());
        for warning in &history.warnings {
            self.warnings.entry(warning.message.clone()).or_insert_with(|| warning.clone());
        }
    }

    pub(super) fn print(self, session: &Session) -> anyhow::Result<()> {
        self.remarks.iter().flatten().for_each(|remark| session.remark(remark));
        session.warn(self.warnings.values())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_packages_some_are_named() {
        let packages: Vec<String> = (0..12).map(|number| format!("p{number}")).collect();
        assert_eq!(name_some(&packages[..2], NAMED, "`"), "`p0`, `p1`");
        assert_eq!(name_some(&packages, NAMED, ""), "p0, p1, p2, p3, p4, p5, p6, p7, p8, p9 and 2 more");
    }
}
