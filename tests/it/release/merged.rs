//! A release whose commit came to the branch by a merge, and whose tag is still missing.

use super::{FINISHED, Released};

/// Makes the commit of the release on a branch of its own, merges it with `merge`, and adds another change.
fn merged(merge: &[&[&str]]) -> Released {
    let fixture = Released::new();
    fixture.repo.git(&["switch", "-q", "-c", "next"]);
    fixture.release(&["-x", "--no-tag", "--no-push"]).success();
    fixture.repo.git(&["switch", "-q", "main"]);
    for arguments in merge {
        fixture.repo.git(arguments);
    }
    fixture.repo.change("Add mast", "added");
    fixture.repo.git(&["push", "-q", "origin", "main"]);
    fixture
}

/// Checks that the commit of the release is tagged, that the later change is not in it, and that it is next.
#[track_caller]
fn assert_tagged(fixture: &Released, commit: &str) {
    let run = fixture.release(&["-x"]);
    let remark = format!("`main` has 1.1.0 without a tag: {} is released, and not what came after it", &commit[..8]);
    assert!(run.stderr.contains(&remark), "{}", run.stderr);
    assert_eq!(run.success(), "released 1.1.0 as v1.1.0: tagged, pushed\n");
    assert_eq!(fixture.remote(&["rev-parse", "v1.1.0^{}"]), commit);
    let tag = fixture.remote(&["cat-file", "-p", "v1.1.0"]);
    assert!(tag.contains("Add crane") && !tag.contains("Add mast"), "{tag}");
    let next = fixture.release(&[]).success();
    assert!(next.starts_with("release 1.2.0 of main as v1.2.0\n"), "{next}");
    assert!(next.contains("Add mast") && !next.contains("+- [Add crane"), "{next}");
}

#[test]
fn a_merge_commit_is_tagged() {
    let fixture = merged(&[&["merge", "-q", "--no-ff", "-m", "Merge branch 'next' into 'main'", "next"]]);
    assert_tagged(&fixture, &fixture.repo.git(&["rev-parse", "main^"]));
}

#[test]
fn a_squashed_commit_is_tagged() {
    let fixture = merged(&[&["merge", "-q", "--squash", "next"], &["commit", "-q", "-m", "Release 1.1.0 (#7)"]]);
    assert_tagged(&fixture, &fixture.repo.git(&["rev-parse", "main^"]));
}

#[test]
fn a_commit_that_came_by_fast_forward_is_tagged() {
    let fixture = merged(&[&["merge", "-q", "--ff-only", "next"]]);
    assert_tagged(&fixture, &fixture.repo.git(&["rev-parse", "main^"]));
}

#[test]
fn a_section_that_was_made_again_is_released_by_that_commit() {
    for message in ["Add changelog for version {version}", "Renew changelog for version {version}"] {
        let fixture = Released::new();
        let add = ["add", "1.1.0", "--date", "2024-03-09", "--message", message];
        fixture.repo.tidings(&add).success();
        fixture.repo.change("Add pier", "added");
        fixture.repo.tidings(&[&add[..], &["--replace"]].concat()).success();
        fixture.repo.change("Add mast", "added");
        fixture.repo.git(&["push", "-q", "origin", "main"]);
        fixture.release(&["-x"]).success();
        assert_eq!(fixture.remote(&["rev-parse", "v1.1.0^{}"]), fixture.repo.git(&["rev-parse", "main^"]), "{message}");
        let tag = fixture.remote(&["cat-file", "-p", "v1.1.0"]);
        assert!(tag.contains("Add pier") && !tag.contains("Add mast"), "{tag}");
    }
}

#[test]
fn edits_that_follow_the_commit_of_the_release_belong_to_it() {
    let fixture = Released::new();
    fixture.release(&["-x", "--no-tag", "--no-push"]).success();
    let edited = fixture.repo.read("CHANGELOG.md").replace("Add crane", "Add crane of the north pier");
    fixture.repo.file("CHANGELOG.md", &*edited).commit("Say it better");
    fixture.repo.change("Add mast", "added");
    fixture.repo.git(&["push", "-q", "origin", "main"]);
    fixture.release(&["-x"]).success();
    assert_eq!(fixture.remote(&["rev-parse", "v1.1.0^{}"]), fixture.repo.git(&["rev-parse", "main^"]));
    assert!(fixture.remote(&["cat-file", "-p", "v1.1.0"]).contains("Add crane of the north pier"));
}

#[test]
fn a_section_among_other_changes_is_released_with_the_tip() {
    let fixture = Released::new();
    let log = fixture.repo.read("CHANGELOG.md").replace("# Log\n", "# Log\n\n## 1.1.0 (2024-03-01)\n\n- By hand.\n");
    fixture.repo.file("CHANGELOG.md", &*log).file("src/crane.rs", "fn lift() {}\n").commit("Write the crane");
    fixture.repo.commit("Tidy up");
    fixture.release(&["-x"]).success();
    assert_eq!(fixture.remote(&["rev-parse", "v1.1.0^{}"]), fixture.repo.git(&["rev-parse", "main"]));
    assert!(fixture.release(&["1.1.0"]).success().starts_with(FINISHED));
}

#[test]
fn sections_that_nobody_tagged_are_not_taken_for_a_release() {
    let fixture = Released::new();
    let old = "# Log\n\n## 1.3.0 (2024-02-02)\n\nC.\n\n## 1.2.0 (2024-02-01)\n\nB.\n\n## 1.0.0 (2024-01-01)\n\nOne.\n";
    fixture.repo.file("CHANGELOG.md", old).commit("Keep what was never tagged");
    fixture.repo.change("Add mast", "added");
    let plan = fixture.release(&[]).success();
    assert!(plan.starts_with("release 1.1.0 of main"), "{plan}");
}

#[test]
fn with_replace_the_section_is_made_again() {
    let fixture = merged(&[&["merge", "-q", "--ff-only", "next"]]);
    fixture.release(&["-x", "--replace"]).success();
    assert!(fixture.remote(&["cat-file", "-p", "v1.1.0"]).contains("### Added"));
}
