//! Objects, references and lists of git that are malformed: an error, as in git, and never a panic or a wrong answer.

use std::fs;

use super::run_briefly;
use crate::support::TestRepo;

fn repo() -> TestRepo {
    let repo = TestRepo::new();
    repo.file("f", "text\n").change("Add crane", "added");
    repo.tag("v0.9.0");
    repo.change("Add mast", "added");
    repo
}

/// Stores bytes as an object of any shape, and gives its id.
fn store(repo: &TestRepo, kind: &str, bytes: &str) -> String {
    let id = repo.git_with_input(&["hash-object", "-t", kind, "-w", "--stdin", "--literally"], bytes.as_bytes());
    String::from_utf8(id).unwrap().trim_end().to_owned()
}

#[track_caller]
fn fails(repo: &TestRepo, arguments: &[&str]) -> String {
    let outcome = run_briefly(repo.path(), arguments);
    assert!(!outcome.stderr.contains("panicked"), "{arguments:?}: {}", outcome.stderr);
    assert_eq!(outcome.code, 1, "{arguments:?}: {}", outcome.stderr);
    outcome.stderr
}

#[test]
fn a_malformed_tag_is_an_error() {
    for object in ["object 00\ntype commit\n", "", "object", "type commit\ntag x\n"] {
        let repo = repo();
        let id = store(&repo, "tag", object);
        fs::write(repo.path().join(".git/refs/tags/v1.0.0"), format!("{id}\n")).unwrap();
        for arguments in [
            &["show", "--from", "v1.0.0"][..],
            &["show", "--from", "v1.0.0^{}"],
            &["show", "--from", "v1.0.0~1"],
            &["show", "2.0.0"],
            &["base"],
            &["next"],
            &["repo", "tree", "--ref", "v1.0.0"],
            &["repo", "blob", "v1.0.0:f"],
            &["repo", "archive", "--sha", "v1.0.0", "-o", "a.tar"],
            &["repo", "compare", "v1.0.0", "main"],
            &["repo", "merge-base", "v1.0.0", "main"],
        ] {
            fails(&repo, arguments);
        }
    }
}

#[test]
fn a_tag_of_a_missing_object_does_not_count() {
    let repo = repo();
    let missing = "f".repeat(repo.git(&["rev-parse", "HEAD"]).len());
    fs::write(repo.path().join(".git/refs/tags/v2.0.0"), format!("{missing}\n")).unwrap();
    for arguments in [
        &["base"][..],
        &["next"],
        &["show"],
        &["base", "3.0.0"],
        &["show", "--first-release"],
        &["explain", "--from", "v0.9.0", "--to", "main"],
    ] {
        let outcome = run_briefly(repo.path(), arguments);
        assert_eq!(outcome.code, 0, "{arguments:?}: {}", outcome.stderr);
    }
    assert_eq!(run_briefly(repo.path(), &["base"]).stdout, "v0.9.0\n");
}

#[test]
fn a_malformed_commit_is_an_error() {
    let repo = repo();
    let id = store(&repo, "commit", "tree 4b82\n");
    fs::write(repo.path().join(".git/refs/heads/bad"), format!("{id}\n")).unwrap();
    for arguments in [
        &["repo", "blob", "bad:f"][..],
        &["repo", "blob", "bad^{tree}"],
        &["show", "--to", "bad^{tree}"],
        &["show", "--to", "bad~1"],
        &["repo", "tree", "--ref", "bad"],
        &["repo", "archive", "--sha", "bad", "-o", "a.tar"],
        &["repo", "compare", "main", "bad"],
    ] {
        fails(&repo, arguments);
    }
}

#[test]
fn a_bad_line_in_the_list_of_shallow_commits_is_an_error() {
    let repo = repo();
    fs::write(repo.path().join(".git/shallow"), "xx\n").unwrap();
    for arguments in [
        &["show", "--from", "main~1"][..],
        &["show", "--from", "main^"],
        &["check", "main~1..main"],
        &["next"],
        &["repo", "compare", "main~1", "main"],
        &["repo", "merge-base", "main~1", "main"],
        &["repo", "tree", "--ref", "main~1"],
        &["repo", "blob", "main~1:f"],
    ] {
        let stderr = fails(&repo, arguments);
        assert!(stderr.contains("shallow"), "{arguments:?}: {stderr}");
    }
}

const REVISIONS: &str = "HEAD @ main @~1 HEAD^ HEAD^2 HEAD^1^ HEAD~2 HEAD^^ HEAD~ HEAD^0 HEAD~0 v1.0.0 v1.0.0^{} \
                         v1.0.0^{commit} v1.0.0^0 v1.0.0^2~1 v1.0.0^{/crane} HEAD^{/mast} :/crane HEAD@{0} main@{1} \
                         @{0}^ v0.9.0-1-gTIP HEAD^{object}";
const BLOBS: &str = "HEAD:f HEAD^2:docs/guide.md v1.0.0:f v1.0.0^{tree}:docs/guide.md HEAD^{tree}:f :f :0:f";
const UNKNOWN: &str = "HEAD^3 HEAD~9 v0.9.0^{tag} HEAD^{blob} HEAD^{tree} HEAD^{ HEAD^- HEAD^x HEAD~x HEAD^{sub}";

#[test]
fn revisions_are_those_of_git() {
    let repo = repo();
    repo.git(&["checkout", "-q", "-b", "side", "v0.9.0"]);
    repo.file("docs/guide.md", "light\n").commit("Light the lamp");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge side", "side"]);
    repo.annotated_tag("v1.0.0");
    let tip = repo.git(&["rev-parse", "HEAD"]);
    for spec in REVISIONS.replace("TIP", &tip[..9]).split_whitespace() {
        let expected = repo.git(&["rev-list", "-1", spec]);
        let shown = repo.tidings(&["show", "--to", spec, "--first-release", "--format", "json"]).json();
        assert_eq!(shown["to"], expected, "{spec}");
    }
    for spec in BLOBS.split_whitespace() {
        let expected = repo.git(&["cat-file", "blob", spec]);
        assert_eq!(repo.tidings(&["repo", "blob", "--raw", spec]).success().trim_end(), expected, "{spec}");
    }
    for spec in UNKNOWN.split_whitespace() {
        fails(&repo, &["show", "--to", spec, "--first-release"]);
    }
}

#[test]
fn damaged_packed_refs_are_an_error() {
    let repo = TestRepo::new();
    for version in ["v0.1.0", "v0.2.0", "v0.3.0", "v0.4.0"] {
        repo.change(version, "added");
        repo.tag(version);
    }
    repo.change("Add crane", "added");
    repo.git(&["pack-refs", "--all"]);
    let file = repo.path().join(".git/packed-refs");
    let whole = fs::read_to_string(&file).unwrap();
    assert_eq!(repo.tidings(&["next"]).success(), "0.4.1\n");
    fs::write(&file, &whole[..whole.len() - 5]).unwrap();
    for arguments in [&["next"][..], &["base"], &["show"], &["repo", "tree", "--ref", "v0.1.0"]] {
        assert!(fails(&repo, arguments).contains("packed-refs"), "{arguments:?}");
    }
    let mut lines: Vec<_> = whole.lines().collect();
    let last = lines.len() - 1;
    lines.swap(last, last - 2);
    fs::write(&file, lines.join("\n") + "\n").unwrap();
    for arguments in [&["next"][..], &["base"], &["show"]] {
        assert!(fails(&repo, arguments).contains("packed-refs"), "{arguments:?}");
    }
    // Without the promise of an order any order is right.
    let unsorted = lines.join("\n").replace(" sorted", "").replace(" fully-peeled", "") + "\n";
    fs::write(&file, unsorted).unwrap();
    assert_eq!(repo.git(&["tag", "--list"]).lines().count(), 4);
    assert_eq!(repo.tidings(&["next"]).success(), "0.4.1\n");
}

#[test]
fn odd_dates_and_time_zones_of_commits_are_read_as_git_reads_them() {
    let repo = repo();
    let tree = repo.git(&["rev-parse", "HEAD^{tree}"]);
    for (index, date) in [
        "1700000000 +99999999999",
        "1700000000 -2147483647",
        "1700000000 +2147483647",
        "1700000000 +9999",
        "99999999999999999999 +0000",
        "9223372036854775807 +9999",
        "-1 +0000",
        "-0930",
        "",
    ]
    .iter()
    .enumerate()
    {
        let commit = format!(
            "tree {tree}\nauthor A <a@b> {date}\ncommitter A <a@b> {date}\n\nAdd {index}\n\nChangelog: added\n"
        );
        let id = store(&repo, "commit", &commit);
        let arguments = ["show", "--first-release", "--to", &id, "--format", "json"];
        let outcome = run_briefly(repo.path(), &arguments);
        assert!(outcome.success().contains(&format!("Add {index}")), "{date}");
        run_briefly(repo.path(), &["repo", "archive", "--sha", &id, "-o", "a.tar"]).success();
        for arguments in
            [&["repo", "compare", "v0.9.0", &id][..], &["repo", "compare", "v0.9.0", &id, "--format", "json"]]
        {
            let outcome = run_briefly(repo.path(), arguments);
            assert!(!outcome.stderr.contains("panicked"), "{date}: {}", outcome.stderr);
        }
    }
}

/// Titles of the commits of a history, in the order of `git log`, of which `show` lists those with a category.
#[track_caller]
fn lists_as_git_does(repo: &TestRepo, tip: &str) {
    let shown = repo.tidings(&["show", "--first-release", "--to", tip, "--format", "json"]).json();
    let titles: Vec<_> =
        shown["entries"].as_array().unwrap().iter().map(|entry| entry["title"].as_str().unwrap()).collect();
    let expected = repo.git(&["log", "--format=%s", tip]);
    assert_eq!(titles, expected.lines().filter(|title| titles.contains(title)).collect::<Vec<_>>());
    assert!(titles.len() > 1, "{titles:?}");
}

#[test]
fn dates_before_1970_and_grafts_mean_what_they_mean_to_git() {
    let repo = repo();
    let tree = repo.git(&["rev-parse", "HEAD^{tree}"]);
    let make = |title: &str, date: &str, parents: &[&str]| {
        let parents = parents.iter().map(|parent| ["parent ", parent, "\n"].concat()).collect::<Vec<_>>().concat();
        let people = format!("author A <a@b> {date}\ncommitter A <a@b> {date}\n");
        store(&repo, "commit", &format!("tree {tree}\n{parents}{people}\n{title}\n\nChangelog: added\n"))
    };
    let base = make("Base", "100 +0000", &[]);
    let dates = ["200 +0000", "-1 +0000", "-0930", "150 +0000", "-5 +0000", "99999999999999999999 +0000"];
    let sides: Vec<_> = dates.iter().map(|date| make(&format!("Side {date}"), date, &[&base])).collect();
    let tips: Vec<_> =
        sides.iter().zip(0..).map(|(side, number)| make(&format!("Tip {number}"), "120 +0000", &[side])).collect();
    let join = make("Join", "300 +0000", &tips.iter().map(String::as_str).collect::<Vec<_>>());
    lists_as_git_does(&repo, &join);
    repo.write(".git/info/grafts", format!("{join} {} {}\n{join} {base}\n", tips[0], tips[1]));
    lists_as_git_does(&repo, &join);
}

/// Changes in files of changesets, on top of a release; the second one came with the last commit.
fn with_change_files() -> TestRepo {
    let repo = TestRepo::new();
    repo.file(".changeset/config.json", "{}\n").file("CHANGELOG.md", "# harbor\n").commit("Initial");
    repo.tag("v1.0.0");
    for (name, text) in [("a-one", "Mend mast"), ("b-two", "Add sail")] {
        repo.file(&format!(".changeset/{name}.md"), format!("---\nharbor: minor\n---\n\n{text}\n")).commit(text);
    }
    repo
}

/// Takes an object away.
fn lose(repo: &TestRepo, name: &str) -> String {
    let id = repo.git(&["rev-parse", name]);
    fs::remove_file(repo.path().join(".git/objects").join(&id[..2]).join(&id[2..])).unwrap();
    id
}

#[test]
fn a_tree_that_is_missing_is_named_where_a_change_file_lacks_its_commit_for_it() {
    let repo = with_change_files();
    assert_eq!(
        repo.tidings(&["show", "--strict"]).stderr,
        "note: listing the change files that `.changeset/config.json` configures\n"
    );
    let tree = lose(&repo, "HEAD~1:.changeset");
    let outcome = repo.tidings(&["show"]);
    let expected = format!("it is unknown which commits added the change files: object `{tree}` is missing");
    assert!(outcome.stderr.contains(&expected) && outcome.stderr.contains("git fsck"), "{outcome:?}");
    assert!(outcome.success().contains("- Add sail\n"), "an entry without its commit is better than no section");
    repo.tidings(&["show", "--strict"]).failure(1);
}

#[test]
fn a_tree_that_is_broken_lists_no_less() {
    let repo = with_change_files();
    let blob = repo.git(&["rev-parse", "HEAD:.changeset/config.json"]);
    let mut tree = b"100644 a-one.md\0".to_vec();
    tree.extend(blob.as_bytes().chunks(2).map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap()));
    tree.extend(b"100644 b-two.md");
    let arguments = ["hash-object", "-t", "tree", "-w", "--stdin", "--literally"];
    let broken = String::from_utf8(repo.git_with_input(&arguments, &tree)).unwrap();
    let root = repo.git_with_input(&["mktree"], format!("040000 tree {}\t.changeset\n", broken.trim()).as_bytes());
    let root = String::from_utf8(root).unwrap();
    let commit = repo.git(&["commit-tree", "-p", "v1.0.0", "-m", "Break it", root.trim()]);
    let above = repo.git(&["commit-tree", "-p", &commit, "-m", "Mend it", "main^{tree}"]);
    repo.git(&["update-ref", "refs/heads/main", &above]);
    let outcome = repo.tidings(&["show"]);
    assert!(
        outcome.stderr.contains("it is unknown which commits added the change files: a tree is broken"),
        "{outcome:?}"
    );
    repo.write("tidings.yml", "paths: [.changeset/b-two.md]\nsource: titles\n");
    assert!(fails(&repo, &["show"]).contains("a tree is broken"));
}

#[test]
fn a_configuration_of_change_files_that_cannot_be_read_is_told() {
    let repo = with_change_files();
    repo.file(".changeset/config.json", "{\n").commit("Break it");
    let outcome = repo.tidings(&["show"]);
    let why = ".changeset/config.json:2:1: invalid JSON";
    let expected = format!("change files are not listed, as what may configure them cannot be read: {why}");
    assert!(outcome.stderr.contains(&expected), "{outcome:?}");
    assert!(fails(&repo, &["next"]).contains(why), "the version may depend on them");
}

#[test]
fn a_text_by_hand_that_cannot_be_read_is_told() {
    let repo = repo();
    repo.file("CHANGELOG.md", "# Log\n\n## Unreleased\n\n- **Breaking**: the mast\n").change("Add sail", "added");
    assert_eq!(repo.tidings(&["next"]).success(), "0.10.0\n");
    let blob = lose(&repo, "HEAD:CHANGELOG.md");
    let outcome = repo.tidings(&["next"]);
    assert!(outcome.stderr.contains("it is unknown whether the text below `Unreleased`"), "{outcome:?}");
    assert!(outcome.stderr.contains(&blob), "{outcome:?}");
}

#[test]
fn a_head_that_cannot_be_read_is_not_one_without_a_commit() {
    let repo = repo();
    repo.file("tidings.yml", "categories: { added: New }\n").change("Add sail", "added");
    let bare = repo.beside("bare.git");
    repo.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
    let tip = repo.git(&["rev-parse", "HEAD"]);
    let broken = "f".repeat(tip.len());
    let show = ["--repo", bare.to_str().unwrap(), "show", "--to", &tip, "--from", "v0.9.0"];
    assert!(repo.tidings(&show).success().contains("### New"));
    // The branch that nobody has begun has no configuration, as one that is damaged may have.
    fs::write(bare.join("HEAD"), "ref: refs/heads/other\n").unwrap();
    assert!(!repo.tidings(&show).success().contains("### New"));
    fs::write(bare.join("HEAD"), format!("{broken}\n")).unwrap();
    fails(&repo, &show);
}

#[test]
fn a_parent_that_is_missing_is_not_the_end_of_the_history() {
    let repo = TestRepo::new();
    repo.author();
    repo.change("Add crane", "added");
    repo.tag("v0.9.0");
    repo.change("Add mast", "added");
    repo.file("CHANGELOG.md", "# Log\n\n## 1.0.0 (2024-01-01)\n\n- Add mast\n").commit("Release 1.0.0");
    lose(&repo, "HEAD~1");
    for arguments in [&["release", "1.0.0", "--no-push"][..], &["release", "--no-push"]] {
        fails(&repo, arguments);
    }
}
