//! How many commits of a range are listed, how many are not, and why.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{
    changelog::classified_commit::{Classification, ClassifiedCommit},
    config::EntrySource,
    model::pluralize,
    pipeline::{History, RangeStart},
};

/// How many commits met which fate.
#[derive(Default)]
pub(super) struct VerdictCounts<'a> {
    pub(super) listed: usize,
    pub(super) categories: BTreeMap<&'a str, usize>,
    reverted: usize,
    no_category: usize,
    /// Those that only some settings bring about.
    others: [usize; 4],
}

impl<'a> VerdictCounts<'a> {
    pub(super) fn of(commits: &'a [ClassifiedCommit]) -> Self {
        let mut counts = Self::default();
        for verdict in commits.iter().map(|judged| &judged.verdict) {
            for category in verdict.categories() {
                *counts.categories.entry(category).or_default() += 1;
            }
            *match verdict {
                Classification::Listed(_) => &mut counts.listed,
                Classification::RevertedBy(_) => &mut counts.reverted,
                Classification::NoCategory => &mut counts.no_category,
                Classification::UnlistedType(_) => &mut counts.others[0],
                Classification::Revert => &mut counts.others[1],
                Classification::OutsidePaths => &mut counts.others[2],
                Classification::Skipped(_) => &mut counts.others[3],
            } += 1;
        }
        counts
    }

    /// How many are out, by reason: first the two that are usual, whatever their number, then those of the others that
    /// occur.
    pub(super) fn out(&self, source: EntrySource) -> Vec<String> {
        let usual = [
            (self.reverted, "reverted".to_owned()),
            (self.no_category, format!("without a {}", what_names_a_category(source))),
        ];
        let words = ["of other types", "taking back others", "of other paths", "skipped"].map(str::to_owned);
        let others = self.others.into_iter().zip(words).filter(|(count, _)| *count > 0);
        usual.into_iter().chain(others).map(|(count, words)| format!("{count} {words}")).collect()
    }

    pub(super) fn document(&self) -> Value {
        let [unlisted_type, takes_back, other_paths, skipped] = self.others;
        let out = self.reverted + self.no_category + self.others.iter().sum::<usize>();
        json!({
            "commits": self.listed + out,
            "listed": self.listed,
            "categories": self.categories,
            "reverted": self.reverted,
            "no_trailer": self.no_category,
            "unlisted_type": unlisted_type,
            "takes_back": takes_back,
            "other_paths": other_paths,
            "skipped": skipped,
        })
    }
}

/// What a range has of which nothing is listed.
pub(super) fn nothing_listed(history: &History) -> String {
    let since = match &history.start {
        RangeStart::Base(base) => format!("since {}", base.tag),
        RangeStart::Revision { revision, .. } => format!("since {revision}"),
        RangeStart::Root => "in the whole history".to_owned(),
    };
    if history.range_len == 0 {
        return format!("no commits {since}");
    }
    let out = VerdictCounts::of(history.commits()).out(history.settings.config.source);
    let out: Vec<String> = out.into_iter().filter(|reason| !reason.starts_with("0 ")).collect();
    let commits = pluralize(history.range_len, "commit");
    format!("none of {commits} {since} is listed: {}", out.join(", "))
}

/// What would have listed a commit, in a word or two.
pub(super) fn what_names_a_category(source: EntrySource) -> &'static str {
    match source {
        EntrySource::Auto | EntrySource::Trailers => "trailer",
        EntrySource::Conventional => "known type",
        EntrySource::Both => "trailer or known type",
        EntrySource::MergeRequests => "merge or pull request",
        EntrySource::Titles => "title of its own",
    }
}
