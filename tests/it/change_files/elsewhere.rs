//! Change files of repositories that are only partly here: by URL, and in shallow clones.

use super::{changeset, harbor, release, shown};
use crate::support::{TestRepo, remote::Server};

/// A release that consumed a file, and two files that wait, of which one came by a merge.
fn released() -> TestRepo {
    let repo = harbor();
    changeset(&repo, "crane", "harbor: minor", "Add crane");
    repo.commit("Add crane (#3)");
    release(&repo, "crane");
    changeset(&repo, "mast", "harbor: patch", "Mend mast");
    repo.commit("Mend mast (#7)");
    repo.git(&["checkout", "-q", "-b", "sail"]);
    changeset(&repo, "sail", "harbor: minor", "Add sail");
    repo.commit("Add sail");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge pull request #12 from ida/sail\n\nAdd sail", "sail"]);
    repo
}

#[test]
fn by_url_and_in_a_shallow_clone_it_is_the_same() {
    let repo = released();
    let Some(server) = Server::of_directory(repo.path().parent().unwrap()).http() else { return };
    let url = server.url("http", "repo/.git");
    let mut places = vec![url.clone()];
    for (name, option) in [("shallow", "--depth=1"), ("two", "--depth=2")] {
        let clone = repo.beside(name).display().to_string();
        repo.git(&["clone", "-q", option, &url, &clone]);
        places.push(clone);
    }
    let origin = ["--host", "https://github.com", "--project-path", "harbor/pilot"];
    for options in [&[][..], &["1.1.0"], &["--all"]] {
        let show = |more: &[&str]| repo.tidings(&[&["show"], options, &origin, more].concat()).success();
        let expected = show(&[]);
        for place in &places {
            assert_eq!(show(&["--repo", place]), expected, "{options:?} {place}");
        }
    }
    let expected = shown(&repo, &origin);
    assert!(expected[0].starts_with("minor|Add sail|harbor/pilot#12|"), "{expected:?}");
    assert!(expected[1].starts_with("patch|Mend mast|harbor/pilot#7|"), "{expected:?}");
    for place in &places {
        assert_eq!(shown(&repo, &[&origin[..], &["--repo", place]].concat()), expected, "{place}");
        assert_eq!(repo.tidings(&["next", "--repo", place]).success(), "1.2.0\n", "{place}");
    }
}

#[cfg(unix)]
#[test]
fn links_among_the_files_lead_to_the_same_texts() {
    let repo = released();
    let link = |name: &str, target: &str| {
        std::os::unix::fs::symlink(target, repo.path().join(".changeset").join(name)).unwrap();
    };
    link("bow.md", "sail.md");
    link("keel.md", "nowhere.md");
    link("rudder.md", "../package.json");
    link("stern.md", "..");
    repo.git(&["add", "."]);
    repo.commit("Name it twice");
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", repo.path().display());
    repo.git(&["clone", "-q", "--depth=1", &url, "../shallow"]);
    let show = ["show", "--host", "h.example", "--project-path", "harbor/pilot"];
    let expected = repo.tidings(&show);
    assert_eq!(expected.stdout.matches("- Add sail").count(), 2, "{}", expected.stdout);
    for place in [url.as_str(), "../shallow"] {
        let shown = repo.tidings(&[&show[..], &["--repo", place]].concat());
        assert_eq!((shown.stdout, shown.code), (expected.stdout.clone(), expected.code), "{place}: {}", shown.stderr);
    }
}

#[test]
fn a_shallow_clone_that_cannot_ask_has_the_texts_without_the_commits() {
    let repo = released();
    repo.git(&["clone", "-q", "--depth=1", &format!("file://{}", repo.path().display()), "../shallow"]);
    let entries = shown(&repo, &["--repo", "../shallow", "--offline", "--first-release", "--allow-shallow"]);
    assert_eq!(entries, ["minor|Add sail|-|", "patch|Mend mast|-|"]);
}
