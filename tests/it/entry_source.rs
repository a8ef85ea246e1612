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

/// The titles of the section, in its order, and stderr.
fn shown(repo: &TestRepo, options: &[&str]) -> (Vec<String>, String) {
    let outcome = repo.tidings(&[&["show", "--format", "json"], options].concat());
    let stderr = outcome.stderr.clone();
    let document = outcome.json();
    let titles = document["entries"].as_array().expect("a list of entries").iter();
    (titles.map(|entry| entry["title"].as_str().unwrap_or_default().to_owned()).collect(), stderr)
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
    let (entries, stderr) = shown(&repo, &[]);
    assert_eq!((entries, stderr.as_str()), (vec!["feat: add sail".to_owned()], ""));
}

#[test]
fn trailers_of_older_commits_count_too() {
    let repo = TestRepo::new();
    repo.change("Initial", "added");
    repo.tag("v1.0.0");
    repo.commit("feat: add crane");
    let (entries, stderr) = shown(&repo, &[]);
    assert!(entries.is_empty(), "{entries:?}");
    assert!(stderr.contains("the commit of the range has no `Changelog:` trailer"), "{stderr}");
    assert!(stderr.contains("hint: run `tidings init`"), "{stderr}");
}

#[test]
fn a_half_of_the_newest_commits_makes_them_conventional() {
    let (entries, stderr) = shown(&harbor(&["feat: add crane", "fix: mend mast", "A"]), &[]);
    assert_eq!(entries, ["add crane", "mend mast"]);
    let remark = "note: listing Conventional Commits (2 of 4 commits); `tidings init` keeps that";
    assert!(stderr.contains(remark) && stderr.lines().count() == 1, "{stderr}");
    let (entries, stderr) = shown(&harbor(&["feat: add crane", "A"]), &[]);
    assert_eq!(entries, ["A", "feat: add crane"]);
    assert!(stderr.contains("note: listing every title; `tidings init` keeps that"), "{stderr}");
    let repo = harbor(&["feat: add crane", "A"]);
    repo.write("tidings.yml", "sort: title\n");
    let stderr = repo.tidings(&["show"]).stderr;
    assert!(stderr.contains("note: listing every title; `source: titles` keeps that"), "{stderr}");
}

#[test]
fn one_source_is_decided_for_the_repository_and_taken_for_every_range() {
    let repo = harbor(&["feat: add crane", "fix: mend mast", "feat: add sail"]);
    repo.tag("v1.1.0");
    repo.commit("Paint it");
    repo.tag("v1.2.0");
    repo.commit("fix: mend sail");
    let named = |arguments: &[&str]| {
        let text = repo.tidings(&[arguments, &["--template", "compact"]].concat()).success();
        text.lines().filter(|line| line.starts_with("- ")).count()
    };
    assert_eq!(named(&["show", "1.2.0", "--to", "v1.2.0"]), 0, "the range alone has only titles");
    assert_eq!(named(&["show", "--all"]), 4);
    repo.tidings(&["init", "--yes"]).success();
    assert!(repo.read("tidings.yml").contains("\nsource: conventional\n"));
    repo.git(&["checkout", "-q", "-b", "old", "v1.0.0"]);
    repo.commit("feat: add oar");
    repo.git(&["rm", "-q", "--ignore-unmatch", "--cached", "tidings.yml"]);
    std::fs::remove_file(repo.path().join("tidings.yml")).unwrap();
    assert_eq!(named(&["show"]), 1);
}

#[test]
fn what_bots_did_neither_decides_nor_is_listed() {
    let bot = "renovate[bot] <29139614+renovate[bot]@users.noreply.github.com>";
    let repo = harbor(&["Add crane (#7)"]);
    repo.git(&["remote", "add", "origin", "https://github.com/harbor/pilot.git"]);
    for title in ["chore(deps): update a (#8)", "fix(deps): update b (#9)", "chore(deps): update c (#10)"] {
        repo.git(&["commit", "-q", "--allow-empty", "--author", bot, "-m", title]);
    }
    merge(&repo, "renovate/d", &["Update d"], "Merge pull request #11 from harbor/renovate/d\n\nUpdate d\n");
    let (entries, stderr) = shown(&repo, &[]);
    assert_eq!(entries, ["Add crane"]);
    assert!(stderr.contains("listing pull requests;"), "{stderr}");
    let (entries, _) = shown(&repo, &["--source", "titles"]);
    assert_eq!(entries, ["Update d", "Add crane"], "{}", "its author is a person");
    let text = repo.tidings(&["explain"]).success();
    assert!(text.contains("chore(deps): update c (#10)  (skipped: the commit of a bot)"), "{text}");
    repo.write("tidings.yml", "match: [{author: '\\[bot\\]', category: Updates}]\nsource: titles\n");
    assert_eq!(shown(&repo, &[]).0.len(), 5);
}

#[test]
fn merges_name_requests_where_the_forge_is_not_known() {
    let repo = harbor(&["Before"]);
    merge(&repo, "crane", &["One", "Fix it (#4)"], "Add crane (#7)");
    let (entries, stderr) = shown(&repo, &[]);
    assert_eq!(entries, ["Add crane (#7)"]);
    assert!(stderr.contains("listing merge requests;"), "{stderr}");
    repo.write("tidings.yml", "forge: gitlab\nsource: merge-requests\n");
    let (entries, stderr) = shown(&repo, &[]);
    assert!(entries.is_empty() && stderr.contains("hint: set `forge` if numbers in titles"), "{stderr}");
}

#[test]
fn requests_that_bors_merged_have_the_titles_below_its_own() {
    let repo = harbor(&["Before"]);
    repo.git(&["remote", "add", "origin", "https://github.com/harbor/pilot.git"]);
    merge(&repo, "crane", &["One", "Two"], "Auto merge of #7 - ida:crane, r=olaf\n\nAdd crane\n\nIt lifts.\n");
    let (entries, stderr) = shown(&repo, &[]);
    assert_eq!(entries, ["Add crane"]);
    assert!(stderr.contains("listing pull requests;"), "{stderr}");
}

#[test]
fn types_that_are_categories_mean_them_and_blanks_before_a_type_are_dropped() {
    let repo = harbor(&["breaking: drop mast", "security: close hatch", " feat: add crane"]);
    let document = repo.tidings(&["show", "--format", "json"]).json();
    let categories: Vec<_> = document["categories"].as_array().unwrap().iter().map(|one| &one["title"]).collect();
    assert_eq!(categories, ["Breaking changes", "Added", "Security"]);
    assert_eq!(shown(&repo, &[]).0, ["drop mast", "add crane", "close hatch"]);
    assert_eq!(repo.tidings(&["next"]).success(), "2.0.0\n");
}

#[test]
fn common_types_that_are_not_known_are_warned_of() {
    let repo = harbor(&["feat: add crane", "ui: paint", "ui(mast)!: paint", "UI: paint it", "ui: turn", "core: x"]);
    let warning = "warning: 3 titles begin with the type `ui`, which is unknown, so they are not listed\nhint: name its \
                   category in the configuration, such as `types: {ui: changed}`, or write `types: {ui: none}`\n";
    let conventional = ["--source", "conventional"];
    for command in ["show", "check", "explain"] {
        let stderr = repo.tidings(&[&[command], &conventional[..]].concat()).stderr;
        assert!(stderr.contains(warning) && stderr.matches("unknown").count() == 1, "{command}: {stderr}");
    }
    repo.write("tidings.yml", "types: {ui: none}\nsource: conventional\n");
    assert!(!repo.tidings(&["show"]).stderr.contains("unknown"));
    // A category that no commit names is not a misspelt one.
    repo.write("tidings.yml", "categories: {changes: Changes}\nsource: conventional\ntypes: {ui: changed}\n");
    assert_eq!(repo.tidings(&["show"]).stderr, "");
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
    assert!(outcome.stderr.contains("listing pull requests; `tidings init` keeps that"), "{}", outcome.stderr);
    let text = outcome.success();
    let lines: Vec<&str> = text.lines().filter_map(|line| line.split_once(" (")?.0.strip_prefix("- ")).collect();
    assert_eq!(
        lines,
        ["**Changes**: Add hull", "**Changes**: Add sail", "**Changes**: Mend mast", "**Changes**: Add crane"]
    );
}

#[test]
fn those_who_wrote_what_was_merged_are_the_authors_of_a_request() {
    let repo = harbor(&["Before"]);
    repo.git(&["remote", "add", "origin", "https://github.com/harbor/pilot.git"]);
    let ida = "Ida Holm <1+ida@users.noreply.github.com>";
    repo.git(&["checkout", "-q", "-b", "crane"]);
    repo.git(&["commit", "-q", "--allow-empty", "--author", ida, "-m", "One"]);
    repo.git(&["checkout", "-q", "main"]);
    repo.commit("Mend mast (#8)");
    repo.git(&["checkout", "-q", "crane"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge branch 'main' into crane", "main"]);
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge pull request #7 from ida/crane\n\nAdd crane\n", "crane"]);
    repo.git(&["checkout", "-q", "-b", "sail"]);
    repo.git(&["commit", "-q", "--allow-empty", "--author", ida, "-m", "Two"]);
    repo.git(&["checkout", "-q", "main"]);
    let listed = "Merge pull request #9 from ida/sail\n\nAdd sail\n\nChangelog: added\n";
    repo.git(&["merge", "-q", "--no-ff", "-m", listed, "sail"]);
    let authors = |source: &str| -> Vec<String> {
        let document = repo.tidings(&["show", "--format", "json", "--source", source]).json();
        let entries = document["entries"].as_array().expect("a list of entries").iter();
        entries.map(|entry| format!("{}: {}", entry["title"], entry["author"]["name"]).replace('"', "")).collect()
    };
    let maintainer = repo.git(&["log", "-1", "--format=%an"]);
    assert_eq!(
        authors("merge-requests"),
        ["Add sail: Ida Holm".to_owned(), "Add crane: Ida Holm".to_owned(), format!("Mend mast: {maintainer}")]
    );
    // GitLab names the author of the commit that has the trailer.
    assert_eq!(authors("trailers"), [format!("Merge pull request #9 from ida/sail: {maintainer}")]);
}

#[test]
fn merges_of_gitea_have_number_and_title_in_their_first_line() {
    let repo = harbor(&["Before"]);
    repo.git(&["remote", "add", "origin", "https://codeberg.org/harbor/pilot.git"]);
    let message = "Merge pull request 'Add crane' (#7) from ida/crane into main\n\nReviewed-on: https://x/pulls/7\n";
    merge(&repo, "crane", &["One", "Two"], message);
    let (entries, stderr) = shown(&repo, &[]);
    assert_eq!(entries, ["Add crane"]);
    assert!(stderr.contains("listing pull requests;"), "{stderr}");
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
    assert!(refusal.contains("`forge` must be `github`, `gitea`, `bitbucket`, "), "{refusal}");
    assert!(shown(&["--forge", "forgejo"]).failure(2).contains("possible values: github, gitea, bitbucket, "));
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
    let (entries, stderr) = shown(&repo, &[]);
    assert_eq!(entries, ["Merge branch 'mast' into 'main'", "Add crane"]);
    assert!(stderr.contains("listing merge requests;"), "{stderr}");
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
    assert!(refusal.contains("possible values: auto, trailers, conventional"), "{refusal}");
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
    for options in [&[][..], &["--source", "titles"]] {
        let next = repo.tidings(&[&["next"], options].concat());
        assert!(next.stderr.contains("the version is an estimate, since the changes have no kinds: patch 1.0.1"));
        assert_eq!(next.success(), "1.0.1\n");
    }
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
    assert_eq!(all.stderr.matches("listing Conventional Commits (2 of 4 commits)").count(), 1, "{}", all.stderr);
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
