//! `tidings completions` and `tidings man`: every shell, and a page per command.

use std::fs;

use crate::support::TestRepo;

#[test]
fn every_shell_gets_completions_that_know_the_commands() {
    let repo = TestRepo::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = repo.tidings(&["completions", shell]).success();
        assert!(script.contains("explain") && script.contains("first-release"), "{shell}");
    }
    repo.tidings(&["completions", "tcsh"]).failure(2);
}

#[test]
fn every_command_has_a_page() {
    let repo = TestRepo::new();
    let page = repo.tidings(&["man", "repo", "tree"]).success();
    assert!(page.starts_with(".ie") && page.contains("tidings\\-repo\\-tree"), "{page}");
    assert!(repo.tidings(&["man", "shw"]).failure(2).contains("no command `shw`"));
    let folder = repo.beside("pages");
    repo.tidings(&["man", "--dir", folder.to_str().unwrap()]).success();
    for name in ["tidings.1", "tidings-show.1", "tidings-repo-tree.1"] {
        assert!(!fs::read_to_string(folder.join(name)).unwrap().is_empty(), "{name}");
    }
}
