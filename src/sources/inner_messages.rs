//! The messages inside the message of a commit, each of which may be an entry: those of the commits that were squashed
//! into it, and the blocks in which people write further ones.
//!
//! What other projects wrote is never read: the release notes in the request of a bot, quotes and code.

use std::{borrow::Cow, collections::HashSet, sync::LazyLock};

use memchr::memmem::Finder;

use super::{
    classification::Classification,
    conventional::{self, ConventionalCommit, GIT_REVERT, breaking_line, breaking_text, is_conventional},
    merge_request_reference::prefixed_title,
    source_profile::{MISSING_CATEGORY, SourceAnswer, SourceProfile},
    squash_list::{BREAKING_CHANGE, SQUASH, SquashList, is_listed_header},
    titles::is_release,
};
use crate::{
    config::{Config, EntriesPerCommit},
    model::{CommitRef, is_code_fence},
};

/// The blocks of release-please: further messages, and those in place of the whole message.
const NESTED: [&str; 2] = ["BEGIN_NESTED_COMMIT", "END_NESTED_COMMIT"];
const OVERRIDE: [&str; 2] = ["BEGIN_COMMIT_OVERRIDE", "END_COMMIT_OVERRIDE"];
/// The line that GitHub writes between the list of a squashed commit and its trailers.
const RULE: &str = "---------";

/// The beginnings of lines after which everything is about other projects: Dependabot's and Renovate's.
const FOREIGN: [&str; 5] =
    ["This PR contains the following updates", "Bumps [", "Bumps the ", "### Release Notes", "updated-dependencies:"];

/// Conventional Commits as a source.
pub(super) const CONVENTIONAL: SourceProfile = SourceProfile {
    classify: |commit, config, _| classify(commit, config),
    property: "known type in its title",
    short_property: "known type",
    rule: "missing-type",
    rule_hint: "start the title with a type such as `feat: ` or `fix: `",
    unlisted_hint: Some(
        "begin titles with a type such as `feat: ` or `fix: `; `types` in the configuration adds others",
    ),
};

/// Conventional Commits as a source, for the commits without a trailer.
pub(super) const BOTH: SourceProfile = SourceProfile {
    property: "`{trailer}:` trailer or known type in its title",
    short_property: "trailer or known type",
    rule: MISSING_CATEGORY,
    rule_hint: "start the title with a type such as `feat: ` or `fix: `, or end the message with a paragraph such as \
                `{trailer}: {category}`",
    ..CONVENTIONAL
};

/// Classifies a commit by the types in its message.
fn classify(commit: &CommitRef<'_>, config: &Config) -> SourceAnswer {
    let (mut categories, mut listed, mut unlisted) = (Vec::new(), Vec::new(), None);
    for message in inner_messages(commit, config) {
        let part = CommitRef { message: Cow::Borrowed(&message), ..commit.clone() };
        match conventional::classify(&part, config) {
            Classification::Listed(found) => {
                categories.extend(found);
                listed.push(message.into());
            }
            other => unlisted = unlisted.or(Some(other).filter(|other| *other != Classification::NoCategory)),
        }
    }
    if categories.is_empty() {
        return unlisted.unwrap_or_else(|| conventional::classify(commit, config)).into();
    }
    SourceAnswer { messages: listed, ..Classification::Listed(categories).into() }
}

/// Returns the messages of a commit, its own first, if they are others than the message as it stands; else nothing.
fn inner_messages(commit: &CommitRef<'_>, config: &Config) -> Vec<String> {
    let mode = config.entries_per_commit;
    let subject = commit.subject();
    let is_whole = mode == EntriesPerCommit::One || commit.is_merge || !may_have_others(&commit.message, mode);
    if is_whole || subject.starts_with(GIT_REVERT) || is_release(subject) {
        return Vec::new();
    }
    let text = if commit.message.contains('\r') {
        Cow::Owned(commit.message.replace("\r\n", "\n"))
    } else {
        Cow::Borrowed(&*commit.message)
    };
    let mut lines = own_lines(&text);
    if let Some(replaced) = take_blocks(&mut lines, OVERRIDE).pop() {
        return split_at_types(&replaced, config);
    }
    let nested = take_blocks(&mut lines, NESTED);
    let mut found = Messages::default();
    if mode == EntriesPerCommit::Marked {
        found.own = join(&lines);
    } else {
        found.read(&without_host_words(lines), mode, config);
    }
    found.others.extend(nested.iter().map(|lines| lines.join("\n")));
    let messages = found.into_distinct();
    // A list without which the message says the same is left in it.
    let is_same = messages.len() == 1 && messages[0].lines().next() == text.lines().next();
    if is_same && breaking_line(&messages[0]) == breaking_line(&text) { Vec::new() } else { messages }
}

/// Whether a message may be or have others than itself. Most messages have none of these words.
fn may_have_others(message: &str, mode: EntriesPerCommit) -> bool {
    // What breaks may break in another project.
    static WORDS: LazyLock<[Finder<'static>; 4]> =
        LazyLock::new(|| ["\n* ", "BEGIN_", SQUASH, "BREAKING"].map(Finder::new));
    let is_of_host = message.starts_with("Merge") || message.starts_with("Pull request #");
    is_of_host || mode == EntriesPerCommit::All || WORDS.iter().any(|words| words.find(message.as_bytes()).is_some())
}

/// Returns the lines up to the trailers of a squashed commit; `None` stands for a line that others wrote.
fn own_lines(text: &str) -> Vec<Option<&str>> {
    let (mut is_fenced, mut open, mut is_foreign) = (false, 0usize, false);
    let mut lines = Vec::new();
    for line in text.lines().take_while(|line| *line != RULE) {
        let is_fence = is_code_fence(line);
        let lower = line.to_ascii_lowercase();
        let count = |tags: [&str; 2]| tags.iter().map(|tag| lower.matches(tag).count()).sum::<usize>();
        let opened = count(["<details", "<blockquote"]);
        is_foreign |= FOREIGN.iter().any(|words| line.starts_with(words));
        let is_own = !is_foreign && !is_fenced && !is_fence && open + opened == 0;
        lines.push(is_own.then_some(line));
        is_fenced ^= is_fence;
        open = (open + opened).saturating_sub(count(["</details", "</blockquote"]));
    }
    lines
}

/// Takes the blocks between two marks out of the lines; one that is not closed stays.
fn take_blocks<'t>(lines: &mut Vec<Option<&'t str>>, [begin, end]: [&str; 2]) -> Vec<Vec<&'t str>> {
    let (mut rest, mut blocks, mut open) = (Vec::with_capacity(lines.len()), Vec::new(), None);
    for line in lines.drain(..) {
        let mark = line.map(str::trim);
        if let (Some(start), true) = (open, mark == Some(end)) {
            let block = rest.split_off(start);
            let inside = block.into_iter().skip(1).flatten();
            blocks.push(inside.skip_while(|line: &&str| line.trim().is_empty()).collect());
            open = None;
            continue;
        }
        if open.is_none() && mark == Some(begin) {
            open = Some(rest.len());
        }
        rest.push(line);
    }
    *lines = rest;
    blocks
}

/// Drops what a forge writes before the title of a request: `Merged PR 7: `, or a subject that names it.
fn without_host_words(mut lines: Vec<Option<&str>>) -> Vec<Option<&str>> {
    let Some(Some(subject)) = lines.first().copied() else { return lines };
    if let Some((_, title)) = prefixed_title(subject) {
        lines[0] = Some(title);
        return lines;
    }
    let is_of_host = subject.starts_with("Merge pull request #")
        || subject.starts_with("Merged in ") && subject.ends_with(')') && subject.contains("(pull request #");
    let next = lines.iter().skip(1).position(|line| line.is_some_and(|line| !line.trim().is_empty()));
    match next.filter(|_| is_of_host) {
        Some(next) if !lines[next + 1].is_some_and(|line| line.starts_with("* ")) => lines.split_off(next + 1),
        _ => lines,
    }
}

/// The messages of a commit: its own, and others.
#[derive(Default)]
struct Messages {
    own: String,
    others: Vec<String>,
}

impl Messages {
    /// Reads the message and the list of squashed commits in it.
    fn read(&mut self, lines: &[Option<&str>], mode: EntriesPerCommit, config: &Config) {
        let subject = lines.first().copied().flatten().unwrap_or_default();
        let is_entry = is_conventional(subject, config);
        let SquashList { rest, mut messages } = SquashList::read(lines, config);
        if mode == EntriesPerCommit::All {
            let (rest, at_end) = paragraphs_at_end(&rest, config);
            messages.extend(at_end);
            (self.own, self.others) = (join(&rest), messages);
        } else if is_entry {
            // The title stands for the list; what breaks in it breaks under the title.
            self.own = join(&rest);
            for text in messages.iter().filter_map(|message| what_breaks(message)) {
                self.own.extend(["\n\n", BREAKING_CHANGE, &text]);
            }
        } else {
            (self.own, self.others) = (join(&rest), messages);
        }
    }

    /// Returns the messages, without those whose title an earlier one has.
    fn into_distinct(self) -> Vec<String> {
        let mut titles = HashSet::new();
        let mut messages = vec![self.own];
        messages.extend(self.others);
        messages.retain(|message| titles.insert(comparable_title(message)));
        messages
    }
}

/// Splits off the paragraphs at the end that each begin with a type. Before prose, such a line is prose as well.
fn paragraphs_at_end<'t>(lines: &[Option<&'t str>], config: &Config) -> (Vec<Option<&'t str>>, Vec<String>) {
    let subject = lines.first().copied().flatten();
    let body: Vec<&str> = lines.iter().skip(1).map(|line| line.unwrap_or_default()).collect();
    let paragraphs = paragraphs(&body);
    let is_typed = |paragraph: &&Vec<&str>| is_listed_header(paragraph[0], config);
    let is_trailers = |paragraph: &&Vec<&str>| paragraph.iter().all(|line| line.contains(": ")) && !is_typed(paragraph);
    let without_trailers =
        &paragraphs[..paragraphs.len() - usize::from(paragraphs.last().as_ref().is_some_and(is_trailers))];
    let count = without_trailers.iter().rev().take_while(is_typed).count();
    if count == 0 {
        return (lines.to_vec(), Vec::new());
    }
    let (prose, typed) = without_trailers.split_at(without_trailers.len() - count);
    let mut rest = vec![subject];
    for line in prose.iter().flat_map(|paragraph| std::iter::once(&"").chain(paragraph)) {
        rest.push(Some(line));
    }
    (rest, typed.iter().map(|paragraph| paragraph.join("\n")).collect())
}

/// Splits lines into messages: each begins with a paragraph that begins with a type.
fn split_at_types(lines: &[&str], config: &Config) -> Vec<String> {
    let mut messages = Vec::<String>::new();
    for paragraph in paragraphs(lines) {
        match messages.last_mut().filter(|_| !is_conventional(paragraph[0], config)) {
            Some(message) => message.extend(["\n\n", &paragraph.join("\n")]),
            None => messages.push(paragraph.join("\n")),
        }
    }
    messages
}

/// Returns what a message says that breaks, else its description if the title has a `!`.
fn what_breaks(message: &str) -> Option<String> {
    let title = ConventionalCommit::parse(message.lines().next()?, message)?;
    title.is_breaking.then(|| breaking_text(message).unwrap_or_else(|| title.description.to_owned()))
}

/// Splits lines at blank ones.
fn paragraphs<'t>(lines: &[&'t str]) -> Vec<Vec<&'t str>> {
    let paragraphs = lines.split(|line| line.trim().is_empty());
    paragraphs.filter(|paragraph| !paragraph.is_empty()).map(<[&str]>::to_vec).collect()
}

fn join(lines: &[Option<&str>]) -> String {
    lines.iter().map(|line| line.unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Returns the title of a message for a comparison: without the number of a request, a final full stop, and differences
/// of case and blanks.
fn comparable_title(message: &str) -> String {
    let title = message.lines().next().unwrap_or_default().trim();
    let numbered = title.strip_suffix(')').and_then(|title| title.rsplit_once(" (#"));
    let title = numbered.filter(|(_, number)| number.parse::<u64>().is_ok()).map_or(title, |(title, _)| title);
    title.trim_end_matches('.').split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        config::EntrySource,
        sources::testing::{child, commit},
    };

    fn config(entries_per_commit: EntriesPerCommit) -> Config {
        Config { entries_per_commit, source: EntrySource::Conventional, ..Config::default() }
    }

    /// Returns the titles of the messages that are entries, listed or of a type that is not listed.
    fn entries(commit: &CommitRef<'_>, mode: EntriesPerCommit) -> Vec<String> {
        let config = config(mode);
        let mut messages = inner_messages(commit, &config);
        if messages.is_empty() {
            messages.push(commit.message.to_string());
        }
        messages.retain(|message| {
            let part = CommitRef { message: Cow::Borrowed(message), ..commit.clone() };
            conventional::classify(&part, &config) != Classification::NoCategory
        });
        messages.iter().map(|message| message.lines().next().unwrap_or_default().to_owned()).collect()
    }

    const RETRY: &str = "feat(api): add retry (#12)\n\n* feat(api): add retry\n\n* fix(cli): exit code on timeout\n\n\
                         * address review\n\n---------\n\nCo-authored-by: A <a@x>";

    #[test]
    fn a_list_of_squashed_commits_is_read_where_the_subject_is_no_entry() {
        let both: [(&str, &[&str]); 15] = [
            (
                "Retry support (#12)\n\n* feat: add retry to client\n\n* fix: exit code on timeout",
                &["feat: add retry to client", "fix: exit code on timeout"],
            ),
            ("feat: a thing\n\nChanges:\n* fix: not here\n* feat: nor here", &["feat: a thing"]),
            ("Retry\n\n* fix: #123", &[]),
            (
                "build(deps): bump http (#1)\n\nBumps [http](x)\n<details>\nfix(uri): enforce max (<a",
                &["build(deps): bump http (#1)"],
            ),
            ("Update NPM deps (#2)\n\nThis PR contains the following updates:\n\n* fix: foreign text", &[]),
            ("Title\n\n```\n\n* fix: in a fence\n\n```", &[]),
            ("Title\n\n> * fix: quoted words", &[]),
            ("chore: tidy\n\nfix: this sentence begins like a type\n\nMore prose.", &["chore: tidy"]),
            (
                "Revert \"feat: add retry (#12)\"\n\nThis reverts commit abc.\n\n* feat: add retry",
                &["Revert \"feat: add retry (#12)\""],
            ),
            ("Merged PR 7: feat(x): y z", &["feat(x): y z"]),
            ("Merged in b (pull request #183)\n\n* fix: removed emails here", &["fix: removed emails here"]),
            (
                "Squashed commit of the following:\n\ncommit 63e\nAuthor: A\nDate: d\n\n    feat(core): some subject\n",
                &["feat(core): some subject"],
            ),
            ("chore: x y\n\nBEGIN_NESTED_COMMIT\nfix: a b\nEND_NESTED_COMMIT", &["chore: x y", "fix: a b"]),
            ("Title (#3)\r\n\r\n* fix: exit code", &["fix: exit code"]),
            ("Title\n\n* fix: first here\n* fix: second here", &[]),
        ];
        for (message, expected) in both {
            for mode in [EntriesPerCommit::Squash, EntriesPerCommit::All] {
                assert_eq!(entries(&commit(1, message), mode), expected, "{message}");
            }
        }
        assert_eq!(entries(&commit(1, RETRY), EntriesPerCommit::Squash), ["feat(api): add retry (#12)"]);
        let all = ["feat(api): add retry (#12)", "fix(cli): exit code on timeout"];
        assert_eq!(entries(&commit(1, RETRY), EntriesPerCommit::All), all);
        let merge = "Merge pull request #1 from a/b\n\nfix: allow labels\n\n* feat: not this one";
        assert_eq!(entries(&child(9, &[1, 2], merge).commit, EntriesPerCommit::All), [""; 0]);
        assert_eq!(entries(&commit(1, merge), EntriesPerCommit::Squash), ["fix: allow labels"], "a squashed commit");
    }

    #[test]
    fn blocks_are_messages_of_their_own_and_one_means_one() {
        let nested = "chore: x y\n\nBEGIN_NESTED_COMMIT\nfix: a b\n\nIn words\nEND_NESTED_COMMIT\n\nMore\n\
                      BEGIN_NESTED_COMMIT\n\nfeat!: c d\nEND_NESTED_COMMIT\nBEGIN_NESTED_COMMIT\nfix: open";
        assert_eq!(entries(&commit(1, nested), EntriesPerCommit::Marked), ["chore: x y", "fix: a b", "feat!: c d"]);
        assert_eq!(entries(&commit(1, nested), EntriesPerCommit::One), ["chore: x y"]);
        let list = "Title\n\n* fix: first here";
        assert_eq!(entries(&commit(1, list), EntriesPerCommit::Marked), [""; 0]);
        let instead = "feat: typo\n\nBEGIN_COMMIT_OVERRIDE\nfeat: right words\n\nIn prose\n\nfix: and these\n\
                       END_COMMIT_OVERRIDE";
        assert_eq!(entries(&commit(1, instead), EntriesPerCommit::Squash), ["feat: right words", "fix: and these"]);
    }

    #[test]
    fn paragraphs_at_the_end_are_messages_only_where_all_are_wanted() {
        let message = "feat: first thing\n\nIn words.\n\nfix(api): second thing\nIn words.\n\ndocs: third thing\n\n\
                       Reviewed-by: Ida <i@x>";
        let all = ["feat: first thing", "fix(api): second thing", "docs: third thing"];
        assert_eq!(entries(&commit(1, message), EntriesPerCommit::All), all);
        assert_eq!(entries(&commit(1, message), EntriesPerCommit::Squash), ["feat: first thing"]);
    }

    #[test]
    fn what_breaks_in_another_project_breaks_nothing_here() {
        let config = config(EntriesPerCommit::Squash);
        let of = |message: &str| classify(&commit(1, message), &config).classification;
        let notes = "Bumps [http](x)\n\nBREAKING CHANGE: y";
        assert_eq!(of(&format!("fix(deps): bump http\n\n{notes}")), Classification::Listed(vec!["fixed".into()]));
        assert_eq!(of(&format!("chore: bump http\n\n{notes}")), Classification::UnlistedType("chore".into()));
        let own = format!("fix(deps): bump http\n\nBREAKING CHANGE: ours\n\n{notes}");
        assert_eq!(of(&own), Classification::Listed(vec!["breaking".into()]));
    }

    #[test]
    fn what_breaks_in_the_list_breaks_under_the_title_that_stands_for_it() {
        let of = |message: &str| inner_messages(&commit(1, message), &config(EntriesPerCommit::Squash));
        let found = of("feat: new mast (#4)\n\n* feat: new mast\n\n* refactor(api)!: drop old mast\n\n* fix: a b");
        assert!(found[0].ends_with("\n\nBREAKING CHANGE: drop old mast"), "{found:?}");
        assert_eq!(found.len(), 1);
        let found = of("fix: new mast (#4)\n\n* BREAKING CHANGE: no sail\n");
        assert!(found[0].contains("\n\nBREAKING CHANGE: no sail"), "{found:?}");
        assert_eq!(of("feat: new mast (#4)\n\n* feat: new mast\n\n* fix: a b"), [""; 0]);
    }
}
