//! What a release of another line has already: `tidings explain` reports it, and `skip: {released: true}` leaves it out.

use crate::support::{TestRepo, remote::Server};

/// main: v1.0.0, a fix and a feature; `rel` parted at v1.0.0, has a copy of the fix and v1.0.1.
fn harbor(pick: &[&str]) -> TestRepo {
    let repo = TestRepo::new();
    repo.commit("One");
    repo.tag("v1.0.0");
    let fix = repo.change("Mend mast", "fixed");
    repo.change("Add crane", "added");
    repo.git(&["checkout", "-q", "-b", "rel", "v1.0.0"]);
    repo.git(&[&["cherry-pick", "--allow-empty"], pick, &[&fix]].concat());
    repo.tag("v1.0.1");
    repo.git(&["checkout", "-q", "main"]);
    repo
}

fn explained(repo: &TestRepo, arguments: &[&str]) -> Vec<String> {
    let text = repo.tidings(&[&["explain"], arguments].concat()).success();
    let of_commit = |line: &&str| line.starts_with(['+', '-']);
    text.lines().filter(of_commit).map(|line| format!("{}{}", &line[..2], &line[11..])).collect()
}

fn titles(repo: &TestRepo, arguments: &[&str]) -> Vec<String> {
    let document = repo.tidings(&[&["show", "--format", "json"], arguments].concat()).json();
    let entries = document["entries"].as_array().expect("a list of entries").iter();
    entries.map(|entry| entry["title"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_copy_in_a_release_is_reported_and_skipped_if_that_is_asked_for() {
    for pick in [&["-x"][..], &[]] {
        let repo = harbor(pick);
        let reported = ["+ Add crane  (added)", "+ Mend mast  (fixed: already released in 1.0.1)"];
        let skipped = ["+ Add crane  (added)", "- Mend mast  (skipped: already released in 1.0.1)"];
        assert_eq!(explained(&repo, &[]), skipped, "the default");
        assert_eq!(titles(&repo, &["1.1.0"]), ["Add crane"]);
        let left_out = "1 of 2 changes is in `v1.0.1` already and left out; `--no-skip-released` lists them\n";
        for command in [&["show"][..], &["next"], &["explain"]] {
            assert!(repo.tidings(command).stderr.contains(left_out), "{command:?}");
            let all = repo.tidings(&[command, &["--no-skip-released"]].concat());
            assert!(!all.stderr.contains("left out"), "{}", all.stderr);
        }
        assert_eq!(explained(&repo, &["--no-skip-released"]), reported);
        assert_eq!(titles(&repo, &["--from", "v1.0.0"]), ["Add crane", "Mend mast"], "for readers of 1.0.0");
        repo.write(".gitlab/changelog_config.yml", "categories: {fixed: Fixed}\n");
        assert_eq!(titles(&repo, &["1.1.0"]), ["Mend mast", "Add crane"], "as on GitLab");
        std::fs::remove_dir_all(repo.path().join(".gitlab")).unwrap();
        repo.write("tidings.yml", "skip: {released: false}\n");
        assert_eq!(explained(&repo, &[]), reported);
        assert_eq!(titles(&repo, &["--skip-released"]), ["Add crane"]);
        std::fs::remove_file(repo.path().join("tidings.yml")).unwrap();
        assert_eq!(explained(&repo, &["--skip-released"]), skipped, "{pick:?}");
        assert_eq!(titles(&repo, &["1.1.0", "--skip-released"]), ["Add crane"]);
        repo.write("tidings.yml", "skip: {released: true}\n");
        assert_eq!(explained(&repo, &[]), skipped);
        assert_eq!(titles(&repo, &[]), ["Add crane"]);
        assert_eq!(titles(&repo, &["--from", "v1.0.0"]), ["Add crane"]);
        assert_eq!(repo.tidings(&["show", "--all"]).success().matches("- Mend mast").count(), 1);
    }
}

#[test]
fn a_copy_that_names_its_original_needs_no_other_likeness() {
    let repo = harbor(&[]);
    // The fix came from a branch, and each line has a reworded copy of its own.
    let original = repo.git(&["rev-parse", "main"]);
    repo.change_by("Jo <jo@harbor.example>", &format!("Reworded\n\n(cherry picked from commit {original})"), "fixed");
    repo.git(&["checkout", "-q", "rel"]);
    let message = format!("Also reworded\n\nChangelog: fixed\n(cherry picked from commit {original})\n");
    repo.commit(&message);
    repo.tag("v1.0.2");
    repo.git(&["checkout", "-q", "main"]);
    let expected = [
        "+ Reworded  (fixed: already released in 1.0.2)",
        "+ Add crane  (added: already released in 1.0.2)",
        "+ Mend mast  (fixed: already released in 1.0.1)",
    ];
    assert_eq!(explained(&repo, &["--no-skip-released"]), expected);
    assert_eq!(titles(&repo, &[]), [""; 0]);
    repo.tidings(&["next"]).failure(5);
    assert_eq!(repo.tidings(&["next", "--no-skip-released"]).success(), "1.1.0\n");
}

#[test]
fn what_only_an_older_line_has_is_new_to_whoever_comes_from_the_base() {
    let repo = TestRepo::new();
    repo.commit("One");
    repo.tag("v1.0.0");
    repo.commit("Two");
    repo.tag("v1.1.0");
    let copies = [
        ("v1.0.0", repo.change("Mend mast", "fixed"), "v1.0.1"),
        ("v1.1.0", repo.change("Add crane", "added"), "v1.1.1"),
    ];
    for (parted, original, tag) in copies {
        repo.git(&["checkout", "-q", parted]);
        repo.git(&["cherry-pick", "-x", "--allow-empty", &original]);
        repo.tag(tag);
    }
    repo.git(&["checkout", "-q", "main"]);
    for version in [&[][..], &["--from", "v1.1.0"], &["1.2.0"]] {
        let expected = ["+ Add crane  (added: already released in 1.1.1)", "+ Mend mast  (fixed: also in 1.0.1)"];
        assert_eq!(explained(&repo, &[version, &["--no-skip-released"]].concat()), expected, "{version:?}");
        let skipped = [version, &["--skip-released"]].concat();
        assert_eq!(titles(&repo, &skipped), ["Mend mast"], "{version:?}");
    }
}

#[test]
fn only_lower_versions_of_the_same_family_count() {
    let repo = harbor(&["-x"]);
    repo.tag("v2.0.0");
    repo.git(&["checkout", "-q", "rel"]);
    let backport = "+ Mend mast  (fixed)";
    assert_eq!(explained(&repo, &["1.0.1", "--from", "v1.0.0"]), [backport], "2.0.0 came later by its number");
    repo.git(&["tag", "-d", "v1.0.1"]);
    assert_eq!(explained(&repo, &[]), [backport]);
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["tag", "-d", "v2.0.0"]);
    repo.git(&["tag", "tool-1.0.1", "rel"]);
    repo.write("tidings.yml", "tag_prefix: v\n");
    assert_eq!(explained(&repo, &[]), ["+ Add crane  (added)", "+ Mend mast  (fixed)"]);
}

#[test]
fn by_url_and_in_a_shallow_clone_it_is_the_same() {
    let repo = harbor(&["-x"]);
    let Some(server) = Server::of_directory(repo.path().parent().unwrap()).http() else { return };
    let url = server.url("http", "repo/.git");
    let expected = explained(&repo, &["--skip-released"]);
    assert!(expected[1].ends_with("(skipped: already released in 1.0.1)"), "{expected:?}");
    assert_eq!(explained(&repo, &["--skip-released", "--repo", &url]), expected);
    let clone = repo.beside("shallow");
    repo.git(&["clone", "-q", "--depth", "1", &url, clone.to_str().unwrap()]);
    assert_eq!(explained(&repo, &["--skip-released", "--repo", clone.to_str().unwrap()]), expected);
}

#[test]
fn packages_that_share_a_range_skip_what_their_own_releases_have() {
    let repo = TestRepo::new();
    repo.write("tidings.yml", "packages: {api: {}, web: {}}\nskip: {released: true}\n");
    repo.file("api/a", "1").file("web/a", "1").commit("One");
    repo.tag("api/v1.0.0").tag("web/v1.0.0");
    let fix = repo.file("api/a", "2").file("web/a", "2").change("Mend both", "fixed");
    repo.git(&["checkout", "-q", "-b", "rel", "api/v1.0.0"]);
    repo.git(&["cherry-pick", "-x", &fix]);
    repo.tag("api/v1.0.1");
    repo.git(&["checkout", "-q", "main"]);
    assert_eq!(repo.tidings(&["next", "--all-packages"]).success(), "web 1.0.1\n");
}

#[test]
fn the_key_takes_a_flag_and_the_option_is_not_for_servers() {
    let repo = harbor(&[]);
    repo.write("tidings.yml", "skip: {released: soon}\n");
    let refused = repo.tidings(&["show"]).failure(1);
    assert!(refused.contains("tidings.yml:1:18: `released` must be `true` or `false`"), "{refused}");
    repo.write("tidings.yml", "");
    let server = ["--project", "a/b", "--base-url", "https://git.example.org", "--skip-released"];
    let refused = repo.tidings(&[&["show", "1.0.0"], &server[..]].concat()).failure(2);
    assert!(refused.contains("`--skip-released` cannot be used with `--project`"), "{refused}");
}
