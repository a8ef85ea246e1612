//! Reverts in the forms of git and of the forges, by source.

use crate::support::TestRepo;

fn harbor() -> TestRepo {
    let repo = TestRepo::new();
    repo.commit("Initial");
    repo.tag("v1.0.0");
    repo
}

fn titles(repo: &TestRepo, source: &str) -> Vec<String> {
    let document = repo.tidings(&["show", "--source", source, "--format", "json"]).json();
    let entries = document["entries"].as_array().expect("a list of entries").iter();
    entries.map(|entry| entry["title"].as_str().unwrap().to_owned()).collect()
}

fn merge(repo: &TestRepo, commits: &[&str], message: &str) -> String {
    repo.git(&["checkout", "-q", "-b", "side"]);
    for message in commits {
        repo.commit(message);
    }
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", message, "side"]);
    repo.git(&["branch", "-q", "-D", "side"]);
    repo.git(&["rev-parse", "HEAD"])
}

#[test]
fn a_range_with_a_revert_still_says_that_nothing_has_a_trailer() {
    let repo = harbor();
    let id = repo.commit("feat: x");
    repo.commit(&format!("Revert \"feat: x\"\n\nThis reverts commit {id}.\n"));
    repo.commit("feat: y");
    repo.commit("feat: z");
    let outcome = repo.tidings(&["show", "--source", "trailers"]);
    assert!(
        outcome.stderr.contains("none of the 4 commits of the range has a `Changelog:` trailer"),
        "{}",
        outcome.stderr
    );
    assert!(outcome.stderr.contains("hint: run `tidings init`"), "{}", outcome.stderr);
    assert_eq!(titles(&repo, "auto"), ["z", "y"]);
}

#[test]
fn a_reverted_change_with_a_trailer_is_no_missing_trailer() {
    let repo = harbor();
    let id = repo.change("Add crane", "added");
    repo.commit(&format!("Revert \"Add crane\"\n\nThis reverts commit {id}.\n"));
    let outcome = repo.tidings(&["show"]);
    assert_eq!(outcome.stderr, "none of 2 commits since v1.0.0 is listed: 1 reverted, 1 without a trailer\n");
    assert!(outcome.success().contains("No changes."));
}

#[test]
fn short_ids_and_several_of_them_revert_conventional_commits() {
    let repo = harbor();
    let ids = ["feat: a", "feat: b", "fix: c"].map(|message| repo.commit(message));
    let [a, b, _] = ids.each_ref().map(|id| &id[..7]);
    repo.commit(&format!(
        "revert: a and b\n\nThis reverts commit {a} (feat: a, 2024-03-09).\nThis reverts commit {b}.\n"
    ));
    assert_eq!(titles(&repo, "conventional"), ["c"]);
    assert_eq!(titles(&repo, "titles"), ["fix: c"]);
}

#[test]
fn the_revert_of_a_merge_takes_out_what_it_brought_in() {
    let repo = harbor();
    repo.commit("feat: stay");
    let id = merge(&repo, &["feat: a", "fix: b"], "Merge branch 'side'");
    repo.commit("fix: later");
    repo.commit(&format!(
        "Revert \"Merge branch 'side'\"\n\nThis reverts commit {id}, reversing\nchanges made to 1234567.\n"
    ));
    assert_eq!(titles(&repo, "conventional"), ["stay", "later"]);
}

#[test]
fn a_merged_request_is_reverted_by_its_number() {
    let repo = harbor();
    repo.git(&["remote", "add", "origin", "https://github.com/harbor/pilot.git"]);
    repo.commit("Mend mast (#4)");
    merge(&repo, &["One", "Two"], "Merge pull request #5 from ida/crane\n\nAdd crane\n");
    repo.commit("Add sail (#6)");
    repo.commit("Revert \"Add crane\" (#7)\n\nReverts harbor/pilot#5\n");
    assert_eq!(titles(&repo, "merge-requests"), ["Add sail", "Mend mast"]);
    merge(
        &repo,
        &["Revert \"Add sail\"\n\nReverts #6\n"],
        "Merge pull request #8 from ida/revert-6\n\nRevert \"Add sail\"\n",
    );
    assert_eq!(titles(&repo, "merge-requests"), ["Mend mast"]);
}

#[test]
fn for_trailers_the_rule_of_gitlab_stays_and_the_rest_is_reported() {
    let repo = harbor();
    let id = repo.change("Add crane", "added");
    repo.change("Mend mast", "fixed");
    repo.commit(&format!("Revert \"Add crane\"\n\nThis reverts commit {} (Add crane, 2024-03-09).\n", &id[..7]));
    assert_eq!(titles(&repo, "trailers"), ["Add crane", "Mend mast"].map(str::to_owned).to_vec());
    let by = &repo.git(&["rev-parse", "HEAD"])[..8];
    let text = repo.tidings(&["explain"]).success();
    assert!(
        text.contains(&format!("Add crane  (added: {by} reverts it in a form that GitLab does not read)")),
        "{text}"
    );
    let findings = repo.tidings(&["check"]);
    let found = format!("the revert of {} is not read, so {0} is listed all the same", &id[..8]);
    assert!(findings.stdout.contains(&found) && findings.stdout.contains(&id), "{}", findings.stdout);
}
