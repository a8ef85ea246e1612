//! Trees that no archive is made of.

use crate::support::TestRepo;

#[test]
fn a_tree_with_a_name_that_leaves_the_directory_is_refused() {
    let repo = TestRepo::new();
    repo.file("a", "x").commit("One");
    let blob = repo.git(&["rev-parse", "HEAD:a"]);
    for name in ["..", "."] {
        let mut tree = format!("100644 {name}\0").into_bytes();
        tree.extend(
            blob.as_bytes().chunks(2).map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap()),
        );
        let arguments = ["hash-object", "-w", "-t", "tree", "--literally", "--stdin"];
        let tree = String::from_utf8(repo.git_with_input(&arguments, &tree)).unwrap().trim().to_owned();
        let commit = repo.git(&["commit-tree", "-m", "Evil", &tree]);
        let archive = repo.tidings(&["repo", "archive", "--sha", &commit, "-o", "a.tar"]).failure(1);
        assert!(archive.starts_with(&format!("error: the tree has an entry named `{name}`")), "{archive}");
    }
}

#[test]
fn a_tree_with_more_entries_than_anybody_has_is_refused() {
    let repo = TestRepo::new();
    let mut names = vec![("100644", "blob", repo.file("a", "x").git(&["hash-object", "-w", "a"]))];
    let mut tree = String::new();
    for _ in 0..8 {
        let (mode, kind, id) = names.pop().unwrap();
        let lines = (0..10).map(|name| format!("{mode} {kind} {id}\t{name}")).collect::<Vec<_>>().join("\n");
        tree = String::from_utf8(repo.git_with_input(&["mktree"], lines.as_bytes())).unwrap().trim().to_owned();
        names.push(("040000", "tree", tree.clone()));
    }
    let commit = repo.git(&["commit-tree", "-m", "Ten million files", &tree]);
    let archive = repo.tidings(&["repo", "archive", "--sha", &commit, "-o", "a.tar"]).failure(1);
    assert_eq!(archive, "error: the tree has more than 2000000 entries\n");
}
