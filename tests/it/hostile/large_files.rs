//! A changelog file beyond the limit of files that are read: every command refuses it alike, and the limit can be set.

use super::run_briefly;
use crate::support::TestRepo;

#[test]
fn every_command_has_the_same_limit_for_a_changelog() {
    let repo = TestRepo::new();
    repo.author();
    let line = format!("{}\n\n", "x".repeat(1 << 16));
    repo.write("CHANGELOG.md", format!("# Changelog\n\n## 1.0.0 (2024-03-09)\n\n{}", line.repeat(17)));
    repo.git(&["add", "."]);
    repo.commit("Begin");
    repo.tag("v1.0.0");
    repo.change("Add crane", "added");
    let release = ["release", "--no-push", "--no-host-release"];
    for arguments in [&["notes", "1.0.0"][..], &["add", "1.1.0"], &["add", "1.1.0", "--no-commit"], &release] {
        let outcome = run_briefly(repo.path(), &[arguments, &["--max-file", "1"]].concat());
        assert!(outcome.code != 0, "{arguments:?}");
        assert!(outcome.stderr.contains("`CHANGELOG.md` is larger than 1 MiB"), "{arguments:?}: {}", outcome.stderr);
        assert!(outcome.stderr.contains("hint: raise the limit with `--max-file MIB`"), "{arguments:?}");
    }
    let raised = ["--max-file", "2"];
    assert!(run_briefly(repo.path(), &[&["notes", "1.0.0"], &raised[..]].concat()).success().len() > 1 << 20);
    run_briefly(repo.path(), &[&["add", "1.1.0"], &raised[..]].concat()).success();
    assert!(run_briefly(repo.path(), &["notes", "1.1.0"]).success().contains("Add crane"), "the default is larger");
    let plan = run_briefly(repo.path(), &[&release[..], &raised].concat()).success();
    assert!(plan.contains("commit: already done"), "{plan}");
}
