//! The hooks for pre-commit: each entry is a command line that takes the file of a message last.

use crate::support::TestRepo;

const HOOKS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/.pre-commit-hooks.yaml"));

#[test]
fn the_hooks_check_the_message_that_git_writes() {
    let repo = TestRepo::new();
    repo.commit("Initial");
    let entries: Vec<_> = HOOKS.lines().filter_map(|line| line.trim_start().strip_prefix("entry: ")).collect();
    assert_eq!(entries.len(), HOOKS.matches("stages: [commit-msg]").count());
    assert_eq!(entries.len(), 2);
    for entry in entries {
        let words: Vec<_> = entry.split(' ').chain(["message"]).collect();
        repo.write("message", "Add crane\n\nChangelog: added\n");
        repo.tidings(&words[1..]).success();
        repo.write("message", "Add crane\n\nchangelog: added\n");
        let found = repo.tidings(&words[1..]).failure(3);
        assert!(found.contains("the check found 1 problem"), "{found}");
    }
}
