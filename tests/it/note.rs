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
    let said = repo.tidings(&["note", "HEAD", "--file", "corrected"]).success();
    assert!(said.contains(&format!("noted the message of {}; share it with `git push origin", &head[..8])), "{said}");
    let shown = || repo.tidings(&["show"]).success();
    assert!(shown().contains("### added (1 change)\n\n- Add crane "), "{}", shown());
    let text = repo.tidings(&["explain"]).success();
    assert!(text.contains(&format!("+ {} Add crane  (added: as noted)", &head[..8])), "{text}");
    let without = repo.tidings(&["show", "--no-notes"]).success();
    assert!(without.contains("### addded (1 change)\n\n- Add crnae "), "{without}");
    assert_eq!(repo.tidings(&["check"]).success(), "");
    repo.tidings(&["note", "HEAD", "--remove"]).success();
    assert!(shown().contains("- Add crnae "), "{}", shown());
    assert!(repo.tidings(&["note", "HEAD", "--remove"]).failure(1).contains("git did not remove the note"));
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
fn a_note_that_is_no_text_is_refused_with_its_commit() {
    let repo = harbor();
    let head = repo.git(&["rev-parse", "HEAD"]);
    let blob = repo.git_with_input(&["hash-object", "-w", "--stdin"], b"\xff\xfe");
    let blob = String::from_utf8(blob).unwrap();
    repo.git(&["notes", "--ref=changelog", "add", "-C", blob.trim()]);
    let refused = repo.tidings(&["show"]).failure(1);
    assert!(refused.contains(&format!("the note of commit `{head}` is not UTF-8 text")), "{refused}");
    repo.tidings(&["show", "--no-notes"]).success();
    repo.write("empty", " \n");
    assert!(repo.tidings(&["note", "HEAD", "--file", "empty"]).failure(2).contains("the message is empty"));
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
    assert!(text.contains("### fixed (3 changes)"), "{text}");
}

#[test]
fn notes_are_read_by_url_and_in_a_shallow_clone() {
    let repo = harbor();
    repo.write("corrected", "Add crane\n\nChangelog: added\n");
    repo.tidings(&["note", "HEAD", "--file", "corrected"]).success();
    let Some(server) = Server::from_session(repo.path().parent().unwrap()).http() else { return };
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
fn a_release_with_a_note_that_is_not_text_writes_nothing() {
    let repo = harbor();
    let head = repo.git(&["rev-parse", "HEAD"]);
    let blob = String::from_utf8(repo.git_with_input(&["hash-object", "-w", "--stdin"], b"Add\0crane")).unwrap();
    repo.git(&["notes", "--ref=changelog", "add", "-C", blob.trim()]);
    let refs = || repo.git(&["for-each-ref"]) + &repo.git(&["status", "--porcelain"]);
    let before = refs();
    for command in [&["release", "-x", "--no-push", "--no-host-release"][..], &["add", "1.1.0"]] {
        let refused = repo.tidings(command).failure(1);
        assert!(refused.contains(&format!("the note of commit `{head}` is not text")), "{refused}");
        assert_eq!(refs(), before);
    }
}
