//! Tags: their names, their order and the commits that they lead to.

use crate::git::{self, Repo, revision, tags::NewTag};

use crate::support::TestRepo;

fn tagged() -> TestRepo {
    let repo = TestRepo::new();
    repo.file("lamp", "on").commit("Light the lamp");
    repo.tag("v1.0.0").annotated_tag("v1.1.0").tag("v10.0.0").tag("nested/v1");
    repo.git(&["pack-refs", "--all"]);
    repo.commit("Trim the wick");
    repo.tag("v2.0.0").tag("a").annotated_tag("inner");
    repo.git(&["tag", "-a", "-m", "outer", "outer", "inner"]);
    repo.git(&["tag", "tree", "HEAD^{tree}"]);
    repo.git(&["tag", "blob", "HEAD:lamp"]);
    repo.git(&["tag", "-f", "v1.0.0"]);
    repo
}

#[test]
fn are_listed_in_the_order_of_references() {
    let repo = tagged();
    repo.tag("nested-1").tag("nested/v2/x").tag("ä");
    repo.write(".git/refs/tags/v3.lock", "").git(&["symbolic-ref", "refs/tags/link", "refs/heads/main"]);
    repo.git(&["worktree", "add", "-q", "--detach", "../linked"]);
    let expected = repo.git(&["for-each-ref", "--format=%(refname:lstrip=2)", "refs/tags"]);
    for path in [repo.path(), &repo.beside("linked")] {
        let names = git::tags::names(&Repo::open_isolated(path).unwrap()).unwrap();
        assert_eq!(names.join("\n"), expected);
    }
    repo.git(&["pack-refs", "--all"]);
    let names = git::tags::names(&Repo::open_isolated(repo.path()).unwrap()).unwrap();
    assert_eq!(names.join("\n"), expected);
    assert!(git::tags::names(&Repo::open_isolated(TestRepo::new().path()).unwrap()).unwrap().is_empty());
}

#[test]
fn are_peeled_to_commits_or_nothing() {
    let repo = tagged();
    let opened = Repo::open_isolated(repo.path()).unwrap();
    let peel = |name| git::tags::peel(&opened, name).unwrap().map(|id| id.to_string());
    for name in ["v1.0.0", "v1.1.0", "nested/v1", "inner", "outer"] {
        assert_eq!(peel(name), Some(repo.git(&["rev-parse", &format!("refs/tags/{name}^{{commit}}")])), "{name}");
    }
    for name in ["tree", "blob", "missing", "v1"] {
        assert_eq!(peel(name), None, "{name}");
    }
}

#[test]
fn a_revision_is_the_commit_git_resolves() {
    let repo = tagged();
    repo.git(&["branch", "v1.1.0", "HEAD"]);
    let opened = Repo::open_isolated(repo.path()).unwrap();
    let short = &repo.git(&["rev-parse", "HEAD"])[..10];
    for spec in ["HEAD", "HEAD~1", "main", "v1.1.0", "v1.1.0^{}", "outer", "refs/heads/main", short, "@", "HEAD^0"] {
        let expected = repo.git(&["rev-parse", &format!("{spec}^{{commit}}")]);
        assert_eq!(revision::resolve(&opened, spec).unwrap().to_string(), expected, "{spec}");
    }
}

#[test]
fn what_is_no_commit_is_refused_with_a_reason() {
    let repo = tagged();
    let opened = Repo::open_isolated(repo.path()).unwrap();
    for (spec, reason) in [
        ("v9", "unknown revision `v9`"),
        ("tree", "`tree` is a tree, not a commit"),
        ("", "unknown revision ``"),
        ("HEAD~7", "unknown revision `HEAD~7`"),
        ("v1.0.0..HEAD", "unknown revision `v1.0.0..HEAD`"),
    ] {
        assert_eq!(revision::resolve(&opened, spec).unwrap_err().to_string(), reason);
    }
}

#[test]
fn a_tag_is_created_as_git_does_and_found_again() {
    let repo = tagged();
    repo.author();
    let opened = Repo::open_isolated(repo.path()).unwrap();
    let commit = revision::resolve(&opened, "HEAD~1").unwrap();
    let new = NewTag { name: "v3.0.0", commit, message: "# Lamps\n\n", sign: false };
    git::tags::create(&opened, &new).unwrap();
    assert_eq!(repo.git(&["cat-file", "-t", "v3.0.0"]), "tag");
    assert_eq!(repo.git(&["for-each-ref", "--format=%(contents)", "refs/tags/v3.0.0"]), "# Lamps");
    let found = git::tags::find(&opened, "v3.0.0").unwrap().unwrap();
    assert_eq!(found.object.to_string(), repo.git(&["rev-parse", "v3.0.0"]));
    assert_eq!(found.commit, Some(commit));
    let again = git::tags::create(&opened, &new).unwrap_err();
    assert_eq!(again.to_string(), "git did not create the tag `v3.0.0`");
    assert_eq!(git::tags::find(&opened, "tree").unwrap().unwrap().commit, None);
    assert_eq!(git::tags::find(&opened, "missing").unwrap(), None);
    assert!(git::tags::find(&opened, "a..b").is_err());
}

#[test]
fn a_tag_was_made_when_its_tagger_says_else_when_its_commit_was() {
    let repo = tagged();
    repo.annotated_tag("late");
    let opened = Repo::open_isolated(repo.path()).unwrap();
    let names = ["late", "v1.1.0", "v2.0.0", "outer"];
    let made = git::tags::moments(&opened, names).unwrap();
    for (name, made) in names.iter().zip(made) {
        let expected = repo.git(&["for-each-ref", "--format=%(creatordate:unix)", &format!("refs/tags/{name}")]);
        assert_eq!(made.map(|made| made.seconds.to_string()), Some(expected), "{name}");
        assert_eq!(git::tags::moment(&opened, name).unwrap(), made, "{name}");
    }
    assert_eq!(git::tags::moments(&opened, ["blob", "missing"]).unwrap(), [None, None]);
}

#[test]
fn a_tag_without_a_tagger_was_made_with_its_commit_whatever_its_message_is() {
    let repo = tagged();
    let commit = repo.git(&["rev-parse", "HEAD"]);
    let tag =
        format!("object {commit}\ntype commit\ntag unsigned\n\nLamps\n\ntagger Ada <ada@example.com> 86400 +0000\n");
    let id = repo.git_with_input(&["hash-object", "-t", "tag", "-w", "--stdin", "--literally"], tag.as_bytes());
    repo.git(&["update-ref", "refs/tags/unsigned", str::from_utf8(&id).unwrap().trim()]);
    let opened = Repo::open_isolated(repo.path()).unwrap();
    let made = git::tags::moment(&opened, "unsigned").unwrap().unwrap();
    assert_eq!(made.seconds.to_string(), repo.git(&["log", "-1", "--format=%ct"]));
}
