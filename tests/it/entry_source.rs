//! `source: auto`: trailers if the history has any, else types, merge requests or titles.

use crate::support::TestRepo;

/// A release, and a commit for each message after it.
fn harbor(messages: &[&str]) -> TestRepo {
    let repo = TestRepo::new();
    repo.commit("Initial");
    repo.tag("v1.0.0");
    for message in messages {
        repo.commit(message);
    }
    repo
}

/// The titles of the section, in its order, and what was said on stderr.
fn shown(repo: &TestRepo, options: &[&str]) -> (Vec<String>, String) {
    let outcome = repo.tidings(&[&["show", "--format", "json"], options].concat());
    let said = outcome.stderr.clone();
    let document = outcome.json();
    let titles = document["entries"].as_array().expect("a list of entries").iter();
    (titles.map(|entry| entry["title"].as_str().unwrap_or_default().to_owned()).collect(), said)
}

fn merge(repo: &TestRepo, branch: &str, commits: &[&str], message: &str) {
    repo.git(&["checkout", "-q", "-b", branch]);
    for message in commits {
        repo.commit(message);
    }
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", message, branch]);
}

#[test]
fn trailers_come_first_and_nothing_is_said() {
    let repo = harbor(&["feat: add crane", "fix: mend mast", "feat: add sail\n\nChangelog: added\n"]);
    let (entries, said) = shown(&repo, &[]);
    assert_eq!((entries, said.as_str()), (vec!["feat: add sail".to_owned()], ""));
}

#[test]
fn trailers_of_older_commits_count_too() {
    let repo = TestRepo::new();
    repo.change("Initial", "added");
    repo.tag("v1.0.0");
    repo.commit("feat: add crane");
    let (entries, said) = shown(&repo, &[]);
    assert!(entries.is_empty(), "{entries:?}");
    assert!(said.contains("the commit of the range has no `Changelog:` trailer"), "{said}");
    assert!(said.contains("hint: run `tidings init`"), "{said}");
}

#[test]
fn a_fifth_of_the_commits_makes_them_conventional() {
    let (entries, said) = shown(&harbor(&["feat: add crane", "A", "B", "C", "D"]), &[]);
    assert_eq!(entries, ["add crane"]);
    let remark = "no commit has a `Changelog:` trailer, so Conventional Commits are listed (1 of 5); set `source: \
                  conventional` or another, or run `tidings init`";
    assert!(said.contains(remark) && said.lines().count() == 1, "{said}");
    let (entries, said) = shown(&harbor(&["feat: add crane", "A", "B", "C", "D", "E"]), &[]);
    assert_eq!(entries, ["E", "D", "C", "B", "A", "feat: add crane"]);
    assert!(said.contains("so every title is listed; set `source: titles`"), "{said}");
}

#[test]
fn merged_requests_are_changes_with_their_own_titles() {
    let repo = harbor(&["Before"]);
    repo.git(&["remote", "add", "origin", "https://github.com/harbor/pilot.git"]);
    merge(&repo, "crane", &["One", "Two"], "Merge pull request #7 from ida/crane\n\nAdd crane\n");
    repo.commit("Mend mast (#8)");
    merge(&repo, "sail", &["Squashed (#9)"], "Merge pull request #9 from ida/sail\n\nAdd sail\n");
    merge(&repo, "hull", &["Three"], "Add hull (#10)\n\nThe description of the pull request.\n");
    let outcome = repo.tidings(&["show", "--template", "compact"]);
    assert!(outcome.stderr.contains("so pull requests are listed; set `source: merge-requests`"), "{}", outcome.stderr);
    let text = outcome.success();
    let lines: Vec<&str> = text.lines().filter_map(|line| line.split_once(" (")?.0.strip_prefix("- ")).collect();
    assert_eq!(
        lines,
        ["**Changes**: Add hull", "**Changes**: Add sail", "**Changes**: Mend mast", "**Changes**: Add crane"]
    );
}

#[test]
fn merges_of_gitea_have_number_and_title_in_their_first_line() {
    let repo = harbor(&["Before"]);
    repo.git(&["remote", "add", "origin", "https://codeberg.org/harbor/pilot.git"]);
    let message = "Merge pull request 'Add crane' (#7) from ida/crane into main\n\nReviewed-on: https://x/pulls/7\n";
    merge(&repo, "crane", &["One", "Two"], message);
    let (entries, said) = shown(&repo, &[]);
    assert_eq!(entries, ["Add crane"]);
    assert!(said.contains("so pull requests are listed"), "{said}");
    let titles = repo.tidings(&["show", "--source", "titles", "--format", "json"]).json();
    let page = |index: usize| titles["entries"][index]["merge_request"]["web_url"].as_str();
    let expected = Some("https://codeberg.org/harbor/pilot/pulls/7");
    assert_eq!([page(0), page(1), page(2)], [expected, expected, None]);
    let wrote = repo.tidings(&["init", "--yes"]).success();
    assert!(repo.read("tidings.yml").contains("\nsource: merge-requests\n"), "{wrote}");
}

#[test]
fn the_forge_of_a_host_is_named_in_the_configuration_or_on_the_command_line() {
    let repo = harbor(&["Before"]);
    repo.git(&["remote", "add", "origin", "https://git.harbor.example/harbor/pilot.git"]);
    repo.commit("Mend mast (#8)");
    let shown = |arguments: &[&str]| repo.tidings(&[&["show"], arguments].concat());
    let page = "https://git.harbor.example/harbor/pilot";
    let github = shown(&["--forge", "github"]).success();
    assert!(github.contains(&format!("[Mend mast]({page}/commit/")) && github.contains(&format!("{page}/pull/8")));
    repo.write("tidings.yml", "forge: gitea\n");
    assert!(shown(&[]).success().contains(&format!("{page}/pulls/8")));
    assert!(shown(&["--forge", "github"]).success().contains(&format!("{page}/pull/8")), "the option is used");
    assert_eq!(repo.tidings(&["doctor", "--format", "json"]).json()["repository"]["forge"], "Gitea");
    repo.write("tidings.yml", "forge: forgejo\n");
    let refusal = shown(&[]).failure(1);
    assert!(refusal.contains("`forge` must be `github`, `gitea`, `bitbucket` or `gitlab`, not `forgejo`"), "{refusal}");
    assert!(shown(&["--forge", "forgejo"]).failure(2).contains("possible values: github, gitea, bitbucket, gitlab"));
}

#[test]
fn merge_requests_of_gitlab_are_found_by_what_their_merges_say() {
    let repo = harbor(&[]);
    merge(
        &repo,
        "crane",
        &["One"],
        "Merge branch 'crane' into 'main'\n\nAdd crane\n\nSee merge request harbor/pilot!7\n",
    );
    merge(&repo, "mast", &["Two"], "Merge branch 'mast' into 'main'\n\nSee merge request harbor/pilot!8\n");
    let (entries, said) = shown(&repo, &[]);
    assert_eq!(entries, ["Merge branch 'mast' into 'main'", "Add crane"]);
    assert!(said.contains("so merge requests are listed"), "{said}");
}

#[test]
fn the_option_comes_before_the_settings() {
    let repo = harbor(&["feat: add crane", "Mend mast\n\nChangelog: fixed\n"]);
    let of = |source: &str| shown(&repo, &["--source", source]).0;
    assert_eq!(of("trailers"), ["Mend mast"]);
    assert_eq!(of("conventional"), ["add crane"]);
    assert_eq!(of("both"), ["add crane", "Mend mast"]);
    assert_eq!(of("titles"), ["Mend mast", "feat: add crane"]);
    assert_eq!(of("auto"), ["Mend mast"]);
    let refusal = repo.tidings(&["show", "--source", "conventionl"]).failure(2);
    assert!(refusal.contains("must be one of auto, trailers, conventional"), "{refusal}");
}

#[test]
fn settings_of_gitlab_read_trailers_unless_they_name_a_source() {
    let repo = harbor(&["feat: add crane"]);
    repo.write(".gitlab/changelog_config.yml", "date_format: '%Y'\n");
    assert_eq!(shown(&repo, &[]).0, [""; 0]);
    repo.write(".gitlab/changelog_config.yml", "source: auto\n");
    assert_eq!(shown(&repo, &[]).0, ["add crane"]);
    repo.git(&["config", "core.hooksPath", "/dev/null"]);
    repo.write("own.yml", "date_format: '%Y'\n");
    assert_eq!(shown(&repo, &["--config-file", "own.yml"]).0, ["add crane"]);
}

#[test]
fn next_and_check_follow_the_same_source() {
    let repo = harbor(&["feat: add crane"]);
    assert_eq!(repo.tidings(&["next"]).success(), "1.1.0\n");
    repo.tidings(&["check"]).success();
    let repo = harbor(&["Add crane"]);
    repo.tidings(&["next"]).failure(5);
    assert_eq!(repo.tidings(&["next", "--source", "titles"]).success(), "1.0.1\n");
    let findings = repo.tidings(&["check"]).failure(3);
    assert!(findings.contains("the check found 1 problem"), "{findings}");
}

#[test]
fn packages_that_share_a_walk_share_their_source() {
    let repo = TestRepo::new();
    repo.file(".gitlab/changelog_config.yml", "source: auto\npackages:\n  api:\n  web:\n").commit("Begin");
    repo.tag("api/v1.0.0").tag("web/v1.0.0");
    repo.file("api/a", "1").commit("feat: add crane");
    repo.file("web/a", "1").commit("fix: mend mast");
    repo.file("web/b", "1").commit("Sail");
    let all = repo.tidings(&["show", "--all-packages", "--format", "json"]);
    assert_eq!(all.stderr.matches("so Conventional Commits are listed (2 of 3)").count(), 1, "{}", all.stderr);
    for section in all.json().as_array().unwrap() {
        let package = section["package"].as_str().unwrap();
        let one = repo.tidings(&["show", "--package", package, "--format", "json"]).json();
        assert_eq!((&section["entries"], section["entries"].as_array().unwrap().len()), (&one["entries"], 1));
    }
    repo.git(&["config", "user.name", "Ida"]);
    repo.git(&["config", "user.email", "ida@harbor.example"]);
    let plan = repo.tidings(&["release", "--all-packages", "--no-push", "--format", "json"]).json();
    assert_eq!((&plan[0]["version"], &plan[1]["version"]), (&"1.1.0".into(), &"1.0.1".into()));
}
