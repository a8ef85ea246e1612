//! The classification of the commits of a range: of each alone, on the thread that decodes it, then of all together.

use std::{
    borrow::Cow,
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{
    classification::BY_RULE,
    classified_commit::{Classification, ClassifiedCommit, NearMiss, ParsedMessage},
    conventional::type_before_colon,
    entry_title::{rule_match, source_title},
    merge_request_reference::MergeRequestReference,
    requests,
    reverted::RevertedCommits,
    reverts::{revert_targets, reverts},
    source_profile::SourceAnswer,
    titles::is_release,
    trailers,
};
use crate::{
    config::{Config, EntrySource, TitleReplacement},
    model::{CommitRef, Forge, Oid, OidMap},
};

/// Which commits are kept whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retention {
    /// The commits that may be listed.
    Listed,
    /// The same, but it matters why the others are not listed. Their texts are read again, a few at a time.
    Reasons,
    /// All commits.
    All,
}

/// What the commits read so far have shown, on all threads. Which were read before another is left to chance, which is
/// enough: what depends on this value is dropped if the range lists anything.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeenCommits {
    /// Whether a commit is listed (if the source is `auto`, by a trailer). Then it does not matter why others are not
    /// listed, or what else may list them.
    is_any_listed: Arc<AtomicBool>,
}

impl SeenCommits {
    fn is_any_listed(&self) -> bool {
        self.is_any_listed.load(Ordering::Relaxed)
    }
}

/// The configuration that commits are classified by.
#[derive(Debug)]
pub(crate) struct Classifier {
    /// The exact name of the category trailer.
    pub trailer: String,
    /// The configuration.
    pub config: Arc<Config>,
    /// The forge, which decides how messages name merge requests; `None` if nothing says which it is.
    pub forge: Option<Forge>,
    /// Which commits are kept whole.
    pub keep: Retention,
}

impl Classifier {
    pub(crate) fn new(trailer: &str, config: Arc<Config>, forge: Option<Forge>, keep: Retention) -> Self {
        Self { trailer: trailer.to_owned(), config, forge, keep }
    }

    /// Classifies a commit by itself; `seen` comes from earlier commits of the range.
    pub(crate) fn read(&self, commit: &CommitRef<'_>, seen: &SeenCommits) -> ClassifiedCommit {
        let replaced = self.replace_title(commit);
        let commit = replaced.as_ref().unwrap_or(commit);
        let mut classified = self.classify_commit(commit, seen);
        let is_kept = classified.was_listed || self.keep == Retention::All || self.is_open(seen);
        classified.commit = is_kept.then(|| Box::new(commit.to_shared()));
        classified
    }

    /// Returns the commit with the replacements of the configuration in its title; `None` if there are none.
    pub(crate) fn replace_title<'c>(&self, commit: &CommitRef<'c>) -> Option<CommitRef<'c>> {
        if self.config.replacements.is_empty() {
            return None;
        }
        let subject = commit.subject();
        let title = TitleReplacement::apply(&self.config.replacements, subject)?;
        let message = Cow::Owned(title + &commit.message[subject.len()..]);
        Some(CommitRef { message, ..commit.clone() })
    }

    /// Classifies a commit again that was kept while the source was not known.
    pub(crate) fn read_again(&self, classified: &mut ClassifiedCommit) {
        let Some(commit) = classified.commit.take() else { return };
        let again = self.classify_commit(&commit.as_commit_ref(), &SeenCommits::default());
        let again = if classified.mentions().is_noted { again.into_noted() } else { again };
        let is_kept = again.was_listed || self.keep == Retention::All;
        *classified = ClassifiedCommit { commit: is_kept.then_some(commit), ..again };
    }

    /// Classifies a commit by itself, and does not keep its text.
    fn classify_commit(&self, commit: &CommitRef<'_>, seen: &SeenCommits) -> ClassifiedCommit {
        let SourceAnswer { classification, has_trailer, messages } = self.classify_alone(commit);
        if has_trailer || (classification.is_listed() && self.config.source != EntrySource::Auto) {
            seen.is_any_listed.store(true, Ordering::Relaxed);
        }
        let asks_near_miss = self.asks_near_miss(&classification, seen);
        let asks_request = classification.is_listed() || commit.is_merge || asks_near_miss;
        let near_miss = asks_near_miss.then(|| NearMiss::from_commit(commit, &self.config, &self.trailer)).flatten();
        let request = asks_request.then(|| MergeRequestReference::from_own_message(commit, self.forge)).flatten();
        let asks_targets = !self.config.source.has_only_trailers() || self.keep != Retention::Listed;
        let revert_targets = if asks_targets { revert_targets(commit) } else { Vec::new() };
        let asks_type = self.config.source.has_types() && classification == Classification::NoCategory;
        let unknown_type = if asks_type && !commit.is_merge { type_before_colon(commit.subject()) } else { None };
        let mentions = ParsedMessage {
            request,
            messages,
            near_miss,
            unknown_type: unknown_type.map(|kind| kind.to_lowercase().into()),
            reverts: reverts(commit),
            revert_targets,
            ..ParsedMessage::default()
        };
        ClassifiedCommit {
            id: commit.id,
            mentions: (mentions != ParsedMessage::default()).then(|| Box::new(mentions)),
            has_trailer,
            was_listed: classification.is_listed(),
            classification,
            is_merge: commit.is_merge,
            commit: None,
        }
    }

    /// Classifies the commits of a walk, newest first, by each other. If the configuration has paths, `changed` says of
    /// each commit whether it changes any of them.
    ///
    /// A revert counts only if it is walked before the commit that it reverts, and only if it is not reverted itself:
    /// so a revert of a revert restores the first commit.
    pub(crate) fn classify(
        &self,
        commits: &mut [ClassifiedCommit],
        all_forms: &RevertedCommits,
        changed: Option<&[bool]>,
    ) {
        let has_only_trailers = self.config.source.has_only_trailers();
        let mut reverted = if has_only_trailers { OidMap::default() } else { all_forms.by.clone() };
        for (index, classified) in commits.iter_mut().enumerate() {
            if self.keep != Retention::All && !classified.was_listed {
                classified.commit = None;
            }
            if let Some(by) = reverted.get(&classified.id) {
                classified.classification = Classification::RevertedBy(Box::new(*by));
                continue;
            }
            if let Some(target) = classified.mentions().reverts.filter(|_| has_only_trailers) {
                reverted.insert(target, classified.id);
            }
            if let Some(by) = all_forms.by.get(&classified.id).filter(|_| classified.classification.is_listed()) {
                classified.mentions.get_or_insert_default().unread_revert = Some(*by);
            }
            if changed.is_some_and(|changed| !changed[index]) {
                classified.classification = Classification::OutsidePaths;
            }
        }
        if !has_only_trailers {
            exclude_reverts(commits);
        }
        if self.config.source == EntrySource::MergeRequests {
            requests::list_once(commits, all_forms);
        }
    }

    /// Classifies a commit by itself.
    fn classify_alone(&self, commit: &CommitRef<'_>) -> SourceAnswer {
        if let Some(reason) = self.config.skip.reason(commit) {
            return Classification::Skipped(reason.into()).into();
        }
        if let Some(found) = rule_match(commit, &self.config) {
            return match found.category {
                Some(category) => Classification::Listed(vec![category]).into(),
                None => Classification::Skipped(BY_RULE.into()).into(),
            };
        }
        let source = self.config.source;
        let mut answer = self.ask_source(commit);
        if answer.has_trailer {
            return answer;
        }
        let needs_no_kind = answer.classification == Classification::NoCategory || !source.has_types();
        answer.classification = answer.classification.or_other(commit, &self.config);
        if needs_no_kind && answer.classification.is_listed() && is_release(source_title(commit, source)) {
            return Classification::Skipped("the commit of a release".into()).into();
        }
        answer
    }

    /// Asks the source of entries. Each source is a file beside this one.
    fn ask_source(&self, commit: &CommitRef<'_>) -> SourceAnswer {
        let source = self.config.source;
        if source.has_trailers() {
            let answer = trailers::classify(commit, &self.config, &self.trailer);
            if answer.has_trailer {
                return answer;
            }
        }
        (source.profile().classify)(commit, &self.config, self.forge)
    }

    /// Whether to look for a near miss. With configured paths, a commit that is listed here may still be excluded.
    fn asks_near_miss(&self, classification: &Classification, seen: &SeenCommits) -> bool {
        let is_asked = !self.config.paths.is_empty() || !seen.is_any_listed();
        is_asked && *classification == Classification::NoCategory && self.config.source.has_only_trailers()
    }

    /// Whether something other than trailers may list the commits, which is only known at the end of the range.
    fn is_open(&self, seen: &SeenCommits) -> bool {
        self.config.source == EntrySource::Auto && (self.config.other.is_some() || !seen.is_any_listed())
    }
}

/// Does not list the reverts of commits in the range, except for a revert with a trailer, which asks to be listed.
fn exclude_reverts(commits: &mut [ClassifiedCommit]) {
    let reverts: HashSet<Oid> =
        commits.iter().filter_map(|classified| classified.classification.reverted_by()).collect();
    for classified in commits {
        if classified.classification.is_listed() && reverts.contains(&classified.id) && !classified.has_trailer {
            classified.classification = Classification::Revert;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        config::EntrySource,
        model::Person,
        sources::testing::{classifier, classify, classify_by, classify_under, commit, commits, listed, read},
    };

    fn revert(id: u8) -> String {
        format!("Revert it\n\nThis reverts commit {}.\n", commit(id, "").id)
    }

    #[test]
    fn a_revert_hides_what_it_reverts_and_is_not_read_if_it_is_reverted() {
        let (none, by) = (Classification::NoCategory, Classification::RevertedBy(commit(1, "").id.into()));
        let added = "Add it\n\nChangelog: added";
        assert_eq!(classify(&commits(&[&revert(2), added])), [none.clone(), by.clone()]);
        assert_eq!(classify(&commits(&[&revert(2), &revert(3), added])), [none, by, listed(&["added"])]);
    }

    #[test]
    fn types_name_the_category_where_the_source_says_so() {
        let commits = commits(&["feat: A", "feat: B\n\nChangelog: fixed", "chore: C", "C", "fix!: D"]);
        let of = |source| classify_under(Config { source, ..Config::default() }, &commits);
        let (none, chore, breaking) =
            (Classification::NoCategory, Classification::UnlistedType("chore".into()), listed(&["breaking"]));
        let both = [listed(&["added"]), listed(&["fixed"]), chore.clone(), none.clone(), breaking.clone()];
        assert_eq!(of(EntrySource::Both), both);
        let types = [listed(&["added"]), listed(&["added"]), chore, none.clone(), breaking];
        assert_eq!(of(EntrySource::Conventional), types);
        assert_eq!(of(EntrySource::Trailers), [none.clone(), listed(&["fixed"]), none.clone(), none.clone(), none]);
    }

    #[test]
    fn what_is_read_while_the_source_is_open_is_judged_again_as_if_it_was_known() {
        let messages = ["feat: A", "B (#7)", "C\n\nSee merge request !5", "Merge branch 'd'", "E\n\nChangelog: added"];
        let commits = commits(&messages);
        for source in [EntrySource::Conventional, EntrySource::MergeRequests, EntrySource::Titles] {
            let known = classifier(Config { source, ..Config::default() });
            let open = classifier(Config { source: EntrySource::Auto, ..Config::default() });
            let seen = SeenCommits::default();
            for commit in &commits[..4] {
                let mut classified = open.read(commit, &seen).into_noted();
                known.read_again(&mut classified);
                assert_eq!(
                    format!("{classified:?}"),
                    format!("{:?}", known.read(commit, &SeenCommits::default()).into_noted()),
                    "{source:?}"
                );
            }
            // With a trailer the source is known, and what nothing lists is not kept any more.
            assert!(open.read(&commits[4], &seen).has_trailer);
            assert!(open.read(&commits[0], &seen).commit.is_none());
        }
    }

    #[test]
    fn a_revert_by_its_title_is_listed_where_what_it_reverts_is_released() {
        let classify = |commits: &[CommitRef<'_>]| {
            classify_under(Config { source: EntrySource::Both, ..Config::default() }, commits)
        };
        let of = |id: u8, end: &str| {
            commit(9, &format!("revert: feat: A\n\nThis reverts commit {}.{end}", commit(id, "").id))
        };
        let feature = commit(1, "feat: A");
        assert_eq!(classify(&[of(7, ""), feature.clone()]), [listed(&["changed"]), listed(&["added"])]);
        let by = Classification::RevertedBy(of(1, "").id.into());
        assert_eq!(classify(&[of(1, ""), feature.clone()]), [Classification::Revert, by.clone()]);
        assert_eq!(classify(&[of(1, "\n\nChangelog: removed"), feature]), [listed(&["removed"]), by]);
    }

    #[test]
    fn what_changes_other_paths_is_out_and_reverts_all_the_same() {
        let commits = [commit(3, &revert(2)), commit(2, "A\n\nChangelog: added"), commit(1, "B\n\nChangelog: added")];
        let by = commits[0].id;
        let classifications = classify_by(&classifier(Config::default()), &commits, Some(&[false, true, false]));
        assert_eq!(
            classifications,
            [Classification::OutsidePaths, Classification::RevertedBy(by.into()), Classification::OutsidePaths]
        );
    }

    #[test]
    fn the_configuration_leaves_commits_authors_and_messages_out() {
        let skip = "skip:\n  commits: 0101\n  authors: [BOT@harbor.example]\n  messages: ['^wip\\b', 'Skip: yes$']\n";
        let config = crate::config::parse(skip, "c.yml").unwrap().0;
        let bot =
            CommitRef { author: Person { name: "".into(), email: "bot@Harbor.example".into() }, ..commit(2, "B") };
        let commits = [commit(1, "A"), bot, commit(3, "wip C"), commit(4, "D\n\nSkip: yes"), commit(5, "E wip")];
        let classifications = classify_under(config, &commits);
        let reasons = ["commit `0101`", "author `BOT@harbor.example`", r"message `^wip\b`", "message `Skip: yes$`"];
        assert_eq!(classifications[..4], reasons.map(|reason| Classification::Skipped(reason.into())));
        assert_eq!(classifications[4], Classification::NoCategory);
    }

    #[test]
    fn the_text_of_what_is_not_listed_is_dropped() {
        let commits = [commit(2, "A\n\nChangelog: added"), commit(1, "B\n\nchangelog: added")];
        let kept: Vec<_> = read(&commits).into_iter().map(|classified| classified.commit.is_some()).collect();
        assert_eq!(kept, [true, false]);
        let reasons = Classifier { keep: Retention::Reasons, ..classifier(Config::default()) };
        let seen = SeenCommits::default();
        assert!(reasons.read(&commits[0], &seen.clone()).commit.is_some());
        assert!(reasons.read(&commits[1], &seen.clone()).commit.is_none(), "another thread has seen a trailer");
        let all = Classifier { keep: Retention::All, ..classifier(Config::default()) };
        let read = |commit| all.read(commit, &SeenCommits::default());
        assert!(commits.iter().all(|commit| read(commit).commit.as_deref() == Some(&commit.to_shared())));
    }
}
