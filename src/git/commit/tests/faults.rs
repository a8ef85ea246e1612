//! An index, a reflog or an encoding that is not as usual.

use super::*;

/// One more line of a file, in a commit on its branch.
fn line_commit(repo: &TestRepo, file: &str, line: &str) -> anyhow::Result<Option<CommitResult>> {
    let request = CommitRequest { branch: None, files: &[Path::new(file)], message: "Add a line\n", sign: false };
    commit::commit(&Repo::open_isolated(repo.path())?, &request, &mut |_, old| {
        let is_there = old.ends_with(line.as_bytes());
        Ok((!is_there).then(|| [old, line.as_bytes()].concat()).into())
    })
}

#[test]
fn an_index_that_cannot_be_looked_at_is_not_an_empty_one() {
    let repo = repo();
    let index = repo.path().join(".git/index");
    fs::rename(&index, repo.path().join(".git/kept")).unwrap();
    std::os::unix::fs::symlink("index", &index).unwrap();
    let error = line_commit(&repo, "NEWS.md", "line\n").unwrap_err();
    assert_eq!(error.to_string(), "cannot read the index");
    assert!(fs::symlink_metadata(&index).unwrap().is_symlink());
}

#[test]
fn reflog_lines_are_whole_and_only_of_what_happened() {
    let repo = repo();
    line_commit(&repo, FILE, "line\n").unwrap().unwrap();
    let tip = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["config", "core.logAllRefUpdates", "false"]);
    line_commit(&repo, FILE, "more\n").unwrap().unwrap();
    for log in ["HEAD", "refs/heads/main"] {
        let text = repo.read(&format!(".git/logs/{log}"));
        let ends = text.lines().rev().take(2).all(|line| line.ends_with("\tcommit: Add a line"));
        assert!(ends && text.contains(&format!(" {tip} Ida <ida@harbor.example> ")), "{text}");
    }
    fs::remove_dir_all(repo.path().join(".git/logs")).unwrap();
    line_commit(&repo, FILE, "last\n").unwrap().unwrap();
    assert!(!repo.path().join(".git/logs").exists());
    fs::write(repo.path().join(".git/logs"), "in the way").unwrap();
    repo.git(&["config", "core.logAllRefUpdates", "true"]);
    let made = line_commit(&repo, FILE, "end\n").unwrap().unwrap();
    assert!(made.output.starts_with("cannot write the reflog of `HEAD`: "), "{}", made.output);
    assert_eq!(made.id.to_string(), repo.git(&["rev-parse", "HEAD"]));
}

#[test]
fn other_encodings_are_refused_with_the_reason() {
    let repo = repo();
    let refused = |file: &str| line_commit(&repo, file, "line\n").unwrap_err().to_string();
    repo.write(".gitattributes", "LATIN.md working-tree-encoding=ISO-8859-1\nUTF.md working-tree-encoding=utf-8\n");
    assert_eq!(refused("LATIN.md"), "`LATIN.md` has the attribute `working-tree-encoding`, which is not supported");
    line_commit(&repo, "UTF.md", "line\n").unwrap().unwrap();
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    repo.file("WIDE.md", utf16("# C\n")).file("MARKED.md", [&[0xFF, 0xFE][..], &utf16("é\n")].concat()).commit("Wide");
    let utf16_of_others = "# C\n".encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>();
    repo.file("BIG.md", utf16_of_others).file("ZERO.md", b"\0lamp\0").commit("Wide");
    let here = Repo::open_isolated(repo.path()).unwrap();
    let refused_alone = |file: &str| commit::write(&here, Path::new(file), &mut add_line).unwrap_err().to_string();
    for file in ["WIDE.md", "MARKED.md", "BIG.md"] {
        let why = format!("`{file}` is UTF-16 text, which cannot be edited");
        assert_eq!((refused(file), refused_alone(file)), (why.clone(), why));
    }
    assert!(refused_alone("LATIN.md").starts_with("`LATIN.md` has the attribute `working-tree-encoding`"));
    line_commit(&repo, "ZERO.md", "line\n").unwrap().unwrap();
}
