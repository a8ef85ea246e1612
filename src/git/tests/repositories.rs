//! Repositories of every kind: object formats, packs, alternates, work trees.

use std::{fs, path::Path};

use crate::{
    git::{self, Repo, WalkOptions, file, people::Mailmap, remote, revision},
    model::{Person, Range, hints},
    support::TestRepo,
};

fn titles(path: &Path) -> Vec<String> {
    let repo = Repo::discover(path).unwrap();
    let range = Range { from: None, to: revision::resolve(&repo, "HEAD").unwrap() };
    let walked = git::walk(&repo, range, &WalkOptions::default()).unwrap();
    walked.commits.iter().map(|commit| commit.subject().to_owned()).collect()
}

#[test]
fn found_from_a_subdirectory_and_from_a_linked_work_tree() {
    let repo = TestRepo::new();
    repo.file("lamp/wick", "dry").commit("Light the lamp");
    repo.git(&["worktree", "add", "-q", "-b", "other", "../linked"]);
    repo.git_beside("linked", &["commit", "-q", "--allow-empty", "-m", "Linked"]);
    assert_eq!(titles(&repo.path().join("lamp")), ["Light the lamp"]);
    assert_eq!(titles(&repo.beside("linked")), ["Linked", "Light the lamp"]);
    let linked = Repo::open_isolated(&repo.beside("linked")).unwrap();
    assert_eq!(linked.work_tree().unwrap().canonicalize().unwrap(), repo.beside("linked").canonicalize().unwrap());
    assert!(!linked.is_bare());
}

#[test]
fn bare_and_with_ids_of_sha_256() {
    for options in [&["--bare"][..], &["--object-format=sha256"], &["--bare", "--object-format=sha256"]] {
        let repo = TestRepo::with_options(options);
        let tree = String::from_utf8(repo.git_with_input(&["mktree"], b"")).unwrap();
        let commit = repo.git(&["commit-tree", "-m", "Light the lamp", tree.trim_end()]);
        repo.git(&["update-ref", "refs/heads/main", &commit]);
        repo.annotated_tag("v1.0.0");
        assert_eq!(titles(repo.path()), ["Light the lamp"], "{options:?}");
        let opened = Repo::open_isolated(repo.path()).unwrap();
        assert_eq!(git::tags::peel(&opened, "v1.0.0").unwrap().unwrap().to_string(), commit);
        assert_eq!(opened.is_bare(), options.contains(&"--bare"));
        assert_eq!(opened.object_format(), repo.git(&["rev-parse", "--show-object-format"]));
    }
}

#[test]
fn whose_references_are_a_reftable_are_refused_with_the_way_out() {
    let repo = TestRepo::with_options(&["--ref-format=reftable"]);
    let error = Repo::open_isolated(repo.path()).unwrap_err();
    assert!(error.to_string().contains("reftable"), "{error:#}");
    assert_eq!(hints(&error), ["run `git refs migrate --ref-format=files` to convert them to files"]);
}

#[test]
fn that_are_none_are_refused() {
    let repo = TestRepo::new();
    fs::create_dir(repo.beside("empty")).unwrap();
    let error = Repo::discover(&repo.beside("empty")).unwrap_err();
    assert!(error.to_string().starts_with("no git repository at "), "{error:#}");
    let error = Repo::open_isolated(&repo.beside("nowhere")).unwrap_err();
    assert!(error.to_string().starts_with("no git repository at "), "{error:#}");
}

#[test]
fn without_blobs_are_read_and_never_fetched_into() {
    let repo = TestRepo::new();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    for number in 0..3 {
        repo.file("lamp", format!("{number}")).commit(&format!("Commit {number}"));
    }
    let url = format!("file://{}", repo.path().display());
    repo.git(&["clone", "-q", "--bare", "--filter=tree:0", &url, repo.beside("partial").to_str().unwrap()]);
    let partial = repo.beside("partial");
    let before = repo.git_beside("partial", &["count-objects", "-v"]);
    assert_eq!(titles(&partial), ["Commit 2", "Commit 1", "Commit 0"]);
    let opened = Repo::open_isolated(&partial).unwrap();
    let head = revision::resolve(&opened, "HEAD").unwrap();
    let error = file::read_at_commit(&opened, head, "lamp").unwrap_err();
    assert!(error.to_string().starts_with("cannot read `lamp` at commit "), "{error:#}");
    assert_eq!(repo.git_beside("partial", &["count-objects", "-v"]), before);
}

#[test]
fn cut_off_inside_the_range_are_refused_unless_allowed() {
    let repo = TestRepo::new();
    for number in 0..8 {
        repo.commit(&format!("Commit {number}"));
        repo.tag(&format!("v{number}"));
    }
    let url = format!("file://{}", repo.path().display());
    repo.git(&["clone", "-q", "--bare", "--depth=4", &url, repo.beside("shallow").to_str().unwrap()]);
    let shallow = Repo::open_isolated(&repo.beside("shallow")).unwrap();
    let walk = |from: Option<&str>, allow_shallow| {
        let id = |spec| revision::resolve(&shallow, spec).unwrap();
        let range = Range { from: from.map(id), to: id("HEAD") };
        git::walk(&shallow, range, &WalkOptions { allow_shallow, ..WalkOptions::default() })
    };
    let error = walk(None, false).unwrap_err();
    assert!(error.to_string().contains("ends inside the range"), "{error:#}");
    assert!(hints(&error).iter().any(|hint| hint.contains("--allow-shallow")));
    let allowed = walk(None, true).unwrap();
    assert_eq!((allowed.commits.len(), allowed.warnings.len()), (4, 1));
    for (from, commits) in [("v4", 3), ("v6", 1), ("v7", 0)] {
        let reaching = walk(Some(from), false).unwrap();
        assert_eq!((reaching.commits.len(), reaching.warnings.len()), (commits, 0), "{from}");
    }
    let error = revision::resolve(&shallow, "v1").unwrap_err();
    assert!(!hints(&error).is_empty());
}

#[test]
fn give_files_as_they_were() {
    let repo = TestRepo::new();
    repo.file("docs/CHANGELOG.md", "one\n").commit("One");
    repo.file("docs/CHANGELOG.md", b"two\r\n\xff").commit("Two");
    let opened = Repo::open_isolated(repo.path()).unwrap();
    let at = |spec, path| file::read_at_commit(&opened, revision::resolve(&opened, spec).unwrap(), path).unwrap();
    assert_eq!(at("HEAD~1", "docs/CHANGELOG.md"), Some(b"one\n".to_vec()));
    assert_eq!(at("HEAD", "docs/CHANGELOG.md"), Some(b"two\r\n\xff".to_vec()));
    assert_eq!(at("HEAD", "docs/missing"), None);
    assert_eq!(at("HEAD", "docs"), None);
}

#[test]
fn know_people_by_their_mailmap() {
    let map = "Ida Keeper <ida@harbor.example> <ida@old.example>\n<jo@harbor.example> Jo <jo@home.example>\nKim K <kim@harbor.example>\n";
    let repo = TestRepo::new();
    repo.file(".mailmap", map).commit("Light the lamp");
    let people = [
        ("i", "ida@old.example"),
        ("Jo", "jo@home.example"),
        ("Joe", "jo@home.example"),
        ("kim", "kim@harbor.example"),
        ("Nobody", "none@harbor.example"),
    ];
    repo.git(&["clone", "-q", "--bare", ".", repo.beside("bare").to_str().unwrap()]);
    for path in [repo.path().to_owned(), repo.beside("bare")] {
        let mailmap = Mailmap::load(&Repo::open_isolated(&path).unwrap());
        for (name, email) in people {
            let found = mailmap.resolve(&Person { name: name.into(), email: email.into() });
            let expected = crate::support::git_in(&path, &["check-mailmap", &format!("{name} <{email}>")], 0);
            assert_eq!(format!("{} <{}>", found.name, found.email), expected);
        }
    }
}

#[test]
fn tell_where_they_came_from_without_telling_secrets() {
    for (url, expected) in [
        (
            "https://gitlab-ci-token:secret@git.harbor.example/group/lamp.git",
            "https://git.harbor.example/group/lamp.git",
        ),
        ("git@git.harbor.example:group/lamp.git", "git@git.harbor.example:group/lamp.git"),
        ("ssh://git@git.harbor.example:2222/group/lamp.git", "ssh://git@git.harbor.example:2222/group/lamp.git"),
        ("short:group/lamp", "https://git.harbor.example/group/lamp"),
    ] {
        let repo = TestRepo::new();
        repo.git(&["config", "url.https://git.harbor.example/.insteadOf", "short:"]);
        repo.git(&["remote", "add", "origin", url]);
        assert_eq!(remote::origin(&Repo::open_isolated(repo.path()).unwrap()).as_deref(), Some(expected));
    }
    assert_eq!(remote::origin(&Repo::open_isolated(TestRepo::new().path()).unwrap()), None);
}
