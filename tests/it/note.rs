//! `tidings note`, and notes of `refs/notes/changelog` in place of messages.

use crate::support::{TestRepo, remote::Server, tidings};

fn harbor() -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    repo.commit("Initial");
    repo.tag("v1.0.0");
    repo.change("Add crnae", "addded");
    repo
}

#[test]
fn a_note_stands_for_the_message_until_it_is_removed() {
    let repo = harbor();
    let head = repo.git(&["rev-parse", "HEAD"]);
    repo.write("corrected", "Add crane\n\nChangelog: added\n");
    let stderr = repo.tidings(&["note", "HEAD", "--file", "corrected"]).success();
    assert!(
        stderr.contains(&format!("noted the message of {}; share it with `git push origin", &head[..8])),
        "{stderr}"
    );
    let shown = || repo.tidings(&["show"]).success();
    assert!(shown().contains("### Added\n\n- Add crane "), "{}", shown());
    let text = repo.tidings(&["explain"]).success();
    assert!(text.contains(&format!("+ {} Add crane  (added: as noted)", &head[..8])), "{text}");
    let without = repo.tidings(&["show", "--no-notes"]).success();
    assert!(without.contains("### addded\n\n- Add crnae "), "{without}");
    assert_eq!(repo.tidings(&["check"]).success(), "");
    repo.tidings(&["note", "HEAD", "--remove"]).success();
    assert!(shown().contains("- Add crnae "), "{}", shown());
    assert!(repo.tidings(&["note", "HEAD", "--remove"]).failure(1).contains("has no note"));
    assert_eq!(repo.git(&["rev-parse", "HEAD"]), head);
}

#[cfg(unix)]
#[test]
fn the_editor_begins_with_the_message_and_then_with_the_note() {
    let repo = harbor();
    repo.git(&["config", "core.editor", "sed -i -e s/crnae/crane/ -e s/addded/added/ -e s/crane$/crane!/"]);
    repo.tidings(&["note", "HEAD"]).success();
    assert!(repo.tidings(&["show"]).success().contains("- Add crane! "));
    repo.tidings(&["note", "HEAD"]).success();
    assert_eq!(repo.git(&["notes", "--ref=changelog", "show"]), "Add crane!\n\nChangelog: added");
}

#[test]
fn a_note_that_is_no_text_costs_its_own_commit_a_warning() {
    let repo = harbor();
    repo.change("Mend mast", "fixed");
    for content in [&b"\xff\xfe"[..], b"x\0y\n"] {
        let head = repo.git(&["rev-parse", "HEAD"]);
        let blob = repo.git_with_input(&["hash-object", "-w", "--stdin"], content);
        repo.git(&["notes", "--ref=changelog", "add", "-f", "-C", String::from_utf8(blob).unwrap().trim()]);
        let shown = repo.tidings(&["show"]);
        assert!(shown.stderr.contains(&format!("warning: the note of commit `{head}` is not ")), "{}", shown.stderr);
        assert!(shown.stderr.contains(&format!("hint: run `tidings note {head}` to write it again")));
        let section = shown.success();
        assert!(section.contains("- Mend mast ") && section.contains("- Add crnae "), "{section}");
        assert_eq!(repo.tidings(&["show", "--no-notes"]).stderr.matches("warning").count(), 0);
        repo.tidings(&["show", "--strict"]).failure(1);
        assert_eq!(
            repo.tidings(&["show", "HEAD~1", "--from", "v1.0.0", "--to", "HEAD~1"]).stderr.matches("the note").count(),
            0
        );
    }
    repo.write("corrected", "Mend the mast\n\nChangelog: fixed\n");
    repo.tidings(&["note", "HEAD", "--file", "corrected"]).success();
    assert!(repo.tidings(&["show"]).success().contains("- Mend the mast "));
}

#[test]
fn text_that_a_section_could_not_use_is_refused_when_it_is_written() {
    let repo = harbor();
    for (content, stderr) in
        [(&b" \n"[..], "the message is empty"), (b"x\0y\n", "the message is not text"), (b"\xff\n", "UTF-8")]
    {
        repo.write("text", content);
        let refused = repo.tidings(&["note", "HEAD", "--file", "text"]);
        assert!(refused.code > 0 && refused.stderr.contains(stderr), "{}", refused.stderr);
    }
    assert_eq!(repo.git(&["for-each-ref", "refs/notes"]), "");
}

#[test]
fn notes_of_many_runs_at_once_are_all_there() {
    let repo = harbor();
    let commits: Vec<String> = (0..24).map(|number| repo.change(&format!("Change {number}"), "added")).collect();
    repo.write("corrected", "Noted\n\nChangelog: fixed\n");
    at_once(&repo, commits.iter().map(|commit| ["note", commit, "--file=corrected"]));
    let listed = repo.git(&["notes", "--ref=changelog", "list"]);
    assert_eq!(listed.lines().count(), commits.len(), "{listed}");
    assert!(repo.tidings(&["show"]).success().contains("### Fixed"));
    at_once(&repo, commits[1..].iter().map(|commit| ["note", commit, "--remove"]));
    assert_eq!(repo.git(&["notes", "--ref=changelog", "list"]).lines().count(), 1);
    repo.git(&["fsck", "--strict"]);
}

/// Starts all runs before it waits for the first.
fn at_once<'a>(repo: &TestRepo, runs: impl Iterator<Item = [&'a str; 3]>) {
    let started: Vec<_> = runs
        .map(|arguments| tidings(repo.path()).args(arguments).stdout(std::process::Stdio::null()).spawn().unwrap())
        .collect();
    for mut run in started {
        assert!(run.wait().unwrap().success());
    }
}

/// Sets the notes to a tree.
fn set_notes(repo: &TestRepo, tree: &str) {
    let commit = repo.git(&["commit-tree", "-m", "Notes", tree]);
    repo.git(&["update-ref", "refs/notes/changelog", &commit]);
}

fn make_tree(repo: &TestRepo, entries: &str) -> String {
    String::from_utf8(repo.git_with_input(&["mktree"], entries.as_bytes())).unwrap().trim().to_owned()
}

#[test]
fn trees_of_notes_of_any_shape_cost_no_more_than_the_notes_of_the_range() {
    let repo = harbor();
    let head = repo.git(&["rev-parse", "HEAD"]);
    let blob = repo.git_with_input(&["hash-object", "-w", "--stdin"], b"Add crane\n\nChangelog: added\n");
    let blob = String::from_utf8(blob).unwrap().trim().to_owned();
    // Each directory has itself in every place: git looks at two digits at a time, and others may be written.
    for width in [1, 2] {
        let names: Vec<String> =
            (0..16_usize.pow(width)).map(|n| format!("{n:0width$x}", width = width as usize)).collect();
        let fill = |kind: &str, id: &str| {
            names.iter().fold(String::new(), |all, name| all + &format!("{kind} {id}\t{name}\n"))
        };
        let mut tree = make_tree(&repo, &fill("100644 blob", &blob));
        for _ in 0..(40 / width - 1) {
            tree = make_tree(&repo, &fill("040000 tree", &tree));
        }
        set_notes(&repo, &tree);
        let expected = if width == 2 { "- Add crane " } else { "- Add crnae " };
        assert!(repo.tidings(&["show"]).success().contains(expected), "as in git: {}", git_note(&repo, &head));
        assert_eq!(git_note(&repo, &head).is_empty(), width == 1);
        repo.tidings(&["doctor"]).success();
        repo.tidings(&["next"]).success();
    }
}

/// The note of a commit as git finds it.
fn git_note(repo: &TestRepo, commit: &str) -> String {
    repo.git(&["log", "-1", "--format=%N", "--notes=changelog", commit])
}

#[test]
fn names_that_begin_alike_cost_no_more_than_others() {
    let repo = harbor();
    let blob = String::from_utf8(repo.git_with_input(&["hash-object", "-w", "--stdin"], b"x\n")).unwrap();
    let entry = |number: u32| format!("100644 blob {}\t{:0<32}{number:08x}\n", blob.trim(), "ab");
    let begun = std::time::Instant::now();
    let tree = make_tree(&repo, &(0..40_000).map(entry).collect::<String>());
    set_notes(&repo, &tree);
    repo.tidings(&["show"]).success();
    assert!(begun.elapsed() < std::time::Duration::from_secs(20));
}

#[test]
fn a_note_is_written_where_git_finds_it() {
    let repo = harbor();
    let head = repo.git(&["rev-parse", "HEAD"]);
    let blob = String::from_utf8(repo.git_with_input(&["hash-object", "-w", "--stdin"], b"x\n")).unwrap();
    let other = make_tree(&repo, &format!("100644 blob {}\t{}\n", blob.trim(), "0".repeat(38)));
    for entries in [
        String::new(),
        format!("040000 tree {other}\t{}\n", &head[..2]),
        (0..300).fold(String::new(), |all, n| all + &format!("100644 blob {}\t{n:040x}\n", blob.trim())),
        format!("100644 blob {}\t{head}\n", blob.trim()),
    ] {
        set_notes(&repo, &make_tree(&repo, &entries));
        repo.write("corrected", "Add crane\n\nChangelog: added\n");
        repo.tidings(&["note", "HEAD", "--file", "corrected"]).success();
        assert_eq!(git_note(&repo, &head).trim_end(), "Add crane\n\nChangelog: added", "{entries}");
        assert!(repo.tidings(&["show"]).success().contains("- Add crane "));
        repo.git(&["fsck", "--strict"]);
        repo.tidings(&["note", "HEAD", "--remove"]).success();
        assert_eq!(git_note(&repo, &head), "");
        assert!(repo.tidings(&["show"]).success().contains("- Add crnae "));
    }
}

#[test]
fn many_notes_in_directories_are_found_also_in_a_bare_repository() {
    let repo = harbor();
    repo.write("corrected", "Mend mast\n\nChangelog: fixed\n");
    for title in ["A", "B", "C"] {
        repo.commit(title);
        repo.tidings(&["note", "HEAD", "--file", "corrected"]).success();
    }
    // As git lays notes out once there are many.
    let tree = repo.git(&["ls-tree", "refs/notes/changelog"]);
    let entry = |line: &str| {
        let (head, name) = line.split_once('\t').unwrap();
        let inner = repo.git_with_input(&["mktree"], format!("{head}\t{}\n", &name[2..]).as_bytes());
        let inner = String::from_utf8(inner).unwrap();
        format!("040000 tree {}\t{}\n", inner.trim(), &name[..2])
    };
    let input: String = tree.lines().map(entry).collect();
    let outer = String::from_utf8(repo.git_with_input(&["mktree"], input.as_bytes())).unwrap();
    let commit = repo.git(&["commit-tree", "-m", "Fan out", outer.trim()]);
    repo.git(&["update-ref", "refs/notes/changelog", &commit]);
    let bare = repo.beside("bare.git");
    repo.git(&["clone", "-q", "--mirror", ".", bare.to_str().unwrap()]);
    let output = tidings(&bare).arg("show").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("### Fixed"), "{text}");
}

#[test]
fn notes_are_read_by_url_and_in_a_shallow_clone() {
    let repo = harbor();
    repo.write("corrected", "Add crane\n\nChangelog: added\n");
    repo.tidings(&["note", "HEAD", "--file", "corrected"]).success();
    let Some(server) = Server::of_directory(repo.path().parent().unwrap()).http() else { return };
    let url = server.url("http", "repo/.git");
    let show = |from: &str, arguments: &[&str]| {
        let document = repo.tidings(&[&["show", "--format", "json", "--repo", from], arguments].concat()).json();
        let entry = &document["entries"][0];
        format!("{}: {}", entry["category"].as_str().unwrap(), entry["title"].as_str().unwrap())
    };
    assert_eq!(show(&url, &[]), "added: Add crane");
    assert_eq!(show(&url, &["--no-notes"]), "addded: Add crnae");
    let clone = repo.beside("shallow");
    let clone = clone.to_str().unwrap();
    repo.git(&["clone", "-q", "--depth", "1", &url, clone]);
    assert_eq!(show(clone, &[]), "addded: Add crnae", "a clone has no notes until they are fetched");
    repo.git_beside("shallow", &["fetch", "-q", "origin", "refs/notes/changelog:refs/notes/changelog"]);
    assert_eq!(show(clone, &[]), "added: Add crane");
    assert_eq!(repo.git_beside("shallow", &["rev-list", "--count", "HEAD"]), "1", "the clone stays as it is");
}

#[test]
fn a_release_with_a_note_that_is_not_text_says_so() {
    let repo = harbor();
    let head = repo.git(&["rev-parse", "HEAD"]);
    let blob = String::from_utf8(repo.git_with_input(&["hash-object", "-w", "--stdin"], b"Add\0crane")).unwrap();
    repo.git(&["notes", "--ref=changelog", "add", "-C", blob.trim()]);
    let refs = || repo.git(&["for-each-ref"]) + &repo.git(&["status", "--porcelain"]);
    let before = refs();
    for command in [&["release", "-x", "--no-push", "--no-host-release"][..], &["add", "1.1.0"]] {
        let strict = repo.tidings(&[command, &["--strict"]].concat()).failure(1);
        assert!(strict.contains(&format!("the note of commit `{head}` is not text")), "{strict}");
        assert_eq!(refs(), before);
    }
    let outcome = repo.tidings(&["add", "1.1.0"]);
    assert!(outcome.stderr.contains(&format!("the note of commit `{head}` is not text")), "{}", outcome.stderr);
    outcome.success();
}
