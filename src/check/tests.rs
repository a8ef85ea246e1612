//! Messages and the findings that the checks report about them.

use super::*;
use crate::{model::CommitRef, sources::testing};

fn found(messages: &[&str], require: TrailerPolicy, categories: &[&str]) -> Vec<String> {
    let categories = categories.iter().map(|category| ((*category).to_owned(), String::new())).collect();
    found_under(&Config { categories, ..Config::default() }, &testing::commits(messages), require)
}

fn found_under(config: &Config, commits: &[CommitRef<'_>], require: TrailerPolicy) -> Vec<String> {
    let rules = Rules { trailer: "Changelog", require, config, max_title: 72 };
    let classifications = testing::classify_under(config.clone(), commits);
    let findings = check(&rules, &testing::with_classifications(commits, &classifications));
    findings.into_iter().map(|finding| format!("{}: {}; {}", finding.rule, finding.message, finding.hint)).collect()
}

fn check(rules: &Rules<'_>, commits: &[ClassifiedCommit]) -> Vec<Finding> {
    let whole = commits.iter().filter_map(|one| Some(Ok((one, Cow::Borrowed(one.commit.as_deref()?)))));
    rules.check(commits, whole).unwrap()
}

const NONE: [&str; 0] = [];

#[test]
fn what_is_fine_has_no_findings() {
    for (message, require, categories) in [
        ("Add it\n\nBody.\n\nChangelog: added\n", TrailerPolicy::Each, &[][..]),
        ("A", TrailerPolicy::None, &[]),
        // A category unlike all common ones, and prose.
        ("A\n\nChangelog: documentation", TrailerPolicy::Each, &[]),
        ("A\n\nChangelog: see the wiki.\n\nChangelog: added", TrailerPolicy::Each, &[]),
        ("A\n\nChangelogs: 2\nChangelog: added", TrailerPolicy::Each, &[]),
        ("A\n\nChange-Id: I12", TrailerPolicy::None, &[]),
        ("A\n\nChangelog=added\n\nBody.", TrailerPolicy::None, &[]),
        ("A\n\nchangelog = load(file) or None", TrailerPolicy::None, &[]),
        ("A\n\nlog.changelog=added", TrailerPolicy::None, &[]),
        ("A\n\nChangelog=added\nChangelog: fixed", TrailerPolicy::None, &[]),
        ("Changelog=added", TrailerPolicy::None, &[]),
    ] {
        assert_eq!(found(&[message], require, categories), NONE, "{message}");
    }
}

#[test]
fn a_mistake_is_one_finding() {
    for (message, categories, expected) in [
        ("A\n\nChangelog: fixd", &["added", "fixed"][..], "did you mean `fixed`?"),
        ("A\n\nChangelog: Added", &["added"], "did you mean `added`?"),
        ("A\n\nChangelog: docs", &["added", "fixed"], "use one of `added`, `fixed`"),
        ("A\n\nChangelog: fixd", &[], "did you mean `fixed`?"),
        ("A\n\nChangelog: added\n\nMore words.", &[], "misplaced-trailer: `Changelog: added`"),
        ("A\n\nchangelog: fixed\n\nB\n\nChangelog: added", &[], "misplaced-trailer: `changelog: fixed`"),
        ("A\n\nchangelog: added", &[], "wrong-case: `changelog:`"),
        (
            "A\n\nChagelog: added",
            &[],
            "misspelt-trailer: `Chagelog:` is not the trailer `Changelog:`; did you mean `Changelog:`?",
        ),
        (
            "A\n\nBody.\n\nchangelog = added\nSigned-off-by: Ida\n\n",
            &[],
            "wrong-separator: `changelog = added` is not read, since the name of a trailer is followed by a colon; write `Changelog:`",
        ),
    ] {
        let found = found(&[message], TrailerPolicy::Each, categories);
        assert!(found.len() == 1 && found[0].contains(expected), "{found:?}");
    }
}

#[test]
fn the_trailer_is_required_of_any_or_each() {
    let messages = ["A", "B\n\nChangelog: added"];
    assert_eq!(found(&[], TrailerPolicy::Any, &[]), NONE);
    assert_eq!(found(&messages, TrailerPolicy::Any, &[]), NONE);
    assert_eq!(found(&messages, TrailerPolicy::Each, &[]).len(), 1);
    assert!(found(&["A", "B"], TrailerPolicy::Any, &[])[0].starts_with("missing-trailer: no commit of the range"));
}

#[test]
fn merges_and_reverted_pairs_need_no_trailer() {
    let revert = format!("Revert \"B\"\n\nThis reverts commit {}.\n", testing::oid(2));
    assert_eq!(found(&[&revert, "B.\n\nChangelog: odd"], TrailerPolicy::Each, &["added"]), NONE);
    let merge = testing::child(1, &[2, 3], &format!("Merge {}", "x".repeat(80))).commit;
    let config = Config::default();
    let rules = Rules { trailer: "Changelog", require: TrailerPolicy::Each, config: &config, max_title: 72 };
    assert_eq!(check(&rules, &testing::with_classifications(&[merge], &[Classification::NoCategory])), []);
}

#[test]
fn titles_have_a_shape() {
    let with = |title: &str| found(&[title], TrailerPolicy::None, &[]);
    assert_eq!(with(&"x".repeat(73)), ["title: the title has 73 characters, more than 72; move details into the body"]);
    assert_eq!(with(&"ä".repeat(72)), NONE);
    assert_eq!(with(&format!("{} (#12) (!345)", "x".repeat(72))), NONE, "a squash put the numbers there");
    assert_eq!(with(&format!("{} (#1a)", "x".repeat(70))).len(), 1);
    assert!(with("Add it.")[0].contains("ends with a period"));
    assert_eq!(with("And so on..."), NONE);
    assert!(with(" Add it")[0].contains("white space"));
    assert!(with("Add it\nand more")[0].contains("is not empty"));
    assert!(with("")[0].contains("title is empty"));
    assert_eq!(with(&format!("Revert \"{}\"", "x".repeat(72))), NONE);
}

#[test]
fn a_type_in_the_title_does_where_the_source_says_so() {
    let of = |source, message: &str, require| {
        found_under(&Config { source, ..Config::default() }, &[testing::commit(1, message)], require)
    };
    for source in [EntrySource::Conventional, EntrySource::Both] {
        for message in ["feat: A", "docs: A", "odd!: A", "Revert \"A\""] {
            assert_eq!(of(source, message, TrailerPolicy::Each), NONE, "{message}");
            assert_eq!(of(source, message, TrailerPolicy::Any), NONE, "{message}");
        }
        let typo = of(source, "fixx: A", TrailerPolicy::Each);
        assert_eq!(typo, ["unknown-type: unknown type `fixx`; did you mean `fix`?"]);
        assert_eq!(of(source, "A", TrailerPolicy::Each).len(), 1);
    }
    for (title, good) in [
        ("feat : A", "feat: A"),
        ("Fix (api) ! : A", "Fix(api)!: A"),
        ("feat():A", "feat: A"),
        ("docs (ui): A", "docs(ui): A"),
    ] {
        let found = of(EntrySource::Conventional, title, TrailerPolicy::Each);
        let expected = format!("malformed-type: the type of `{title}` is not read; write `{good}`");
        assert!(found.contains(&expected) && !found.concat().contains("missing"), "{title}: {found:?}");
    }
    for other in ["Fix the api : A", "odd : A", "feat : ", "feat A", "fix (a) and (b): A"] {
        let found = of(EntrySource::Conventional, other, TrailerPolicy::None);
        assert!(!found.concat().contains("malformed"), "{found:?}");
    }
    let misplaced = "feat: A\n\nchangelog: fixed\n\nB";
    assert_eq!(of(EntrySource::Conventional, misplaced, TrailerPolicy::Each), NONE);
    assert_eq!(of(EntrySource::Both, misplaced, TrailerPolicy::Each).len(), 1);
    assert_eq!(of(EntrySource::Both, "Docker: A\n\nChangelog: added", TrailerPolicy::Each), NONE);
    let lacking = of(EntrySource::Both, "A", TrailerPolicy::Any);
    assert!(
        lacking[0].starts_with("missing-category: no commit of the range has a `Changelog:` trailer or known type")
    );
    assert!(of(EntrySource::Conventional, "A", TrailerPolicy::Any)[0].ends_with("such as `feat: ` or `fix: `"));
    assert_eq!(of(EntrySource::Trailers, "feat: A", TrailerPolicy::Each).len(), 1);
}

#[test]
fn every_trailer_is_checked_where_every_one_counts() {
    let commits = [testing::commit(1, "A\n\nChangelog: addde\nChangelog: fixed")];
    let of = |takes_repeated_trailers| {
        found_under(&Config { takes_repeated_trailers, ..Config::default() }, &commits, TrailerPolicy::Each)
    };
    assert_eq!((of(false).len(), of(true).len()), (0, 1));
}

#[test]
fn a_message_of_many_mistakes_has_a_few_findings() {
    let message = format!("A\n\n{}\nMore words.", "Changelog: added\n".repeat(50_000));
    let findings = found(&[&message], TrailerPolicy::None, &[]);
    assert_eq!(findings.len(), 20, "{findings:?}");
    assert!(findings[18].contains(": `Changelog: added` is ignored"), "{findings:?}");
    assert!(findings[19].contains("paragraph, and so are 49980 more lines like it"), "{findings:?}");
}
