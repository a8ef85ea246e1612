//! `--commit-through-api`: the forge makes the commits of a release, and signs them.

use serde_json::json;

use super::hosted::{BRANCH, Hosted, Kind};
use crate::support::{Fault, TestRepo, git_in, service::Response};

const SIGNER: &str = "GitHub";

fn hosts() -> [Hosted; 2] {
    [Kind::GitHub, Kind::GitLab].map(Hosted::new)
}

/// The name of the committer of a revision on the remote, and the title.
fn committed(host: &Hosted, revision: &str) -> String {
    host.released.remote(&["log", "-1", "--format=%cn: %s", revision])
}

fn branches(host: &Hosted) -> String {
    host.released.remote(&["for-each-ref", "--format=%(refname:short)", "refs/heads"])
}

#[test]
fn the_forge_makes_the_commit_of_a_release() {
    for host in hosts() {
        let repo = &host.released.repo;
        repo.write("notes.txt", "Mine.\n");
        host.run(&["1.1.0", "-x", "--commit-through-api"]).success();
        assert_eq!(committed(&host, "main"), format!("{SIGNER}: Release 1.1.0"));
        host.released.assert_released();
        assert_eq!(branches(&host), "main");
        assert_eq!(repo.git(&["status", "--porcelain"]), "?? notes.txt", "files and index follow");
        assert!(host.run(&["1.1.0", "-x", "--commit-through-api"]).success().contains("already released"));
        // A branch that is not checked out follows, too.
        host.change("Add mast");
        repo.git(&["switch", "-q", "-c", "other"]);
        host.run(&["-x", "--branch", "main", "--commit-through-api"]).success();
        assert_eq!(committed(&host, "main"), format!("{SIGNER}: Release 1.2.0"));
        assert_eq!(repo.git(&["rev-parse", "main"]), host.released.remote(&["rev-parse", "main"]));
        assert_eq!(repo.git(&["reflog", "main", "-1", "--format=%gs"]), "commit: Release 1.2.0");
    }
}

#[test]
fn the_forge_makes_the_commits_of_a_request() {
    for host in hosts() {
        let repo = &host.released.repo;
        repo.file("tidings.yml", "commit_through_api: true\n").commit("Configure");
        repo.git(&["push", "-q", "origin", "main"]);
        host.request().success();
        assert_eq!(committed(&host, BRANCH), format!("{SIGNER}: Release 1.1.0"));
        let trailer = host.released.remote(&["log", "-1", "--format=%(trailers:key=Tidings-Release)", BRANCH]);
        assert_eq!(trailer.trim(), "Tidings-Release: 1.1.0");
        let head = host.released.remote(&["rev-parse", BRANCH]);
        assert!(host.request().success().contains(" is up to date"));
        assert_eq!(host.released.remote(&["rev-parse", BRANCH]), head);
        host.edit("CHANGELOG.md", |text| text.replace("Add crane", "Add the crane"));
        host.change("Add mast");
        assert!(host.request().success().starts_with("renewed "));
        let log = host.released.remote(&["log", "--format=%cn: %s", &format!("main..{BRANCH}")]);
        assert_eq!(log, format!("{SIGNER}: Keep the edits of the release\n{SIGNER}: Release 1.1.0"));
        let changelog = host.changelog();
        assert!(changelog.contains("Add the crane") && changelog.contains("Add mast"), "{changelog}");
        assert_eq!(branches(&host), format!("main\n{BRANCH}"));
        host.merge("ff");
        assert!(host.request().success().starts_with("released 1.1.0 as v1.1.0: tagged, pushed, published\n"));
    }
}

#[test]
fn nothing_is_written_where_the_forge_does_not_make_the_commit() {
    let host = Hosted::new(Kind::Gitea);
    let state = host.released.state();
    let stderr = host.run(&["1.1.0", "-x", "--commit-through-api"]).failure(1);
    assert!(stderr.contains("Gitea makes no commits that it signs"), "{stderr}");
    assert_eq!(host.released.state(), state);

    let host = Hosted::new(Kind::GitHub);
    let state = host.released.state();
    let stderr = host.run_with(None, &["1.1.0", "-x", "--no-host-release", "--commit-through-api"]).failure(1);
    assert!(stderr.contains("no token found for the commit on GitHub"), "{stderr}");
    assert_eq!(host.released.state(), state);
    let arguments = ["1.1.0", "-x", "--no-host-release", "--commit-through-api"];
    let stderr = host.run_with(Some("reporter-token"), &arguments).failure(1);
    assert!(stderr.contains("Resource not accessible by integration"), "{stderr}");
    assert_eq!(host.released.state(), state, "the branch of the commit is gone, too");
    host.run(&["1.1.0", "--commit-through-api", "--no-push"]).failure(2);
}

#[test]
fn a_commit_with_other_files_goes_nowhere() {
    let host = Hosted::new(Kind::GitLab);
    let state = host.released.state();
    // A rule of the server changes each commit that it makes.
    let remote = host.released.repo.beside("remote.git");
    host.service.script(move |request| {
        let is_commit = request.method == "POST" && request.path.ends_with("/repository/commits");
        let branch = is_commit.then(|| request.parameter("branch"))??;
        let commit = ["commit-tree", "-p", &branch, "-m", "Empty", "v1.0.0^{tree}"];
        let made = git_in(&remote, &commit, TestRepo::EPOCH);
        git_in(&remote, &["update-ref", &format!("refs/heads/{branch}"), &made], TestRepo::EPOCH);
        Some(Response::json(201, &json!({ "id": made })))
    });
    let stderr = host.run(&["1.1.0", "-x", "--commit-through-api"]).failure(1);
    assert!(stderr.contains("is not what was planned"), "{stderr}");
    assert_eq!(host.released.state(), state);
}

#[test]
fn what_no_forge_can_be_asked_for_is_refused() {
    let modes = [
        ("a program", "100755", "new"),
        ("a new mode", "100755", "tidings.yml"),
        ("a link", "120000", "new"),
        ("a submodule", "160000", "new"),
    ];
    for (host, (what, mode, path)) in
        [Kind::GitHub, Kind::GitLab].into_iter().flat_map(|kind| modes.map(|mode| (Hosted::new(kind), mode)))
    {
        let repo = &host.released.repo;
        repo.file("tidings.yml", "commit_through_api: true\n").commit("Configure");
        repo.git(&["push", "-q", "origin", "main"]);
        host.request().success();
        // Somebody edits the branch.
        repo.git(&["fetch", "-q", "origin", BRANCH]);
        repo.git(&["switch", "-q", "--detach", "FETCH_HEAD"]);
        let content = if mode == "160000" { "HEAD" } else { "HEAD:tidings.yml" };
        let content = repo.git(&["rev-parse", content]);
        repo.git(&["update-index", "--add", "--cacheinfo", &format!("{mode},{content},{path}")]);
        repo.git(&["commit", "-q", "-m", "Edit"]);
        repo.git(&["push", "-q", "origin", &format!("HEAD:refs/heads/{BRANCH}")]);
        repo.git(&["switch", "-q", "--force", "main"]);
        host.change("Add mast");
        let state = host.released.state();
        let stderr = host.request().failure(1);
        assert!(
            stderr.contains(&format!("the forge cannot be asked to change `{path}` as planned")),
            "{what}: {stderr}"
        );
        assert!(stderr.contains("leave out `--commit-through-api`"), "{what}: {stderr}");
        assert_eq!(host.released.state(), state, "{what}");
    }
}

#[test]
fn a_file_with_a_filter_is_refused() {
    for host in hosts() {
        let repo = &host.released.repo;
        repo.file(".gitattributes", "CHANGELOG.md filter=upper\n").commit("Filter");
        repo.git(&["config", "filter.upper.clean", "cat"]);
        repo.git(&["push", "-q", "origin", "main"]);
        let state = host.released.state();
        let stderr = host.run(&["1.1.0", "-x", "--commit-through-api"]).failure(1);
        assert!(stderr.contains("`CHANGELOG.md` has a filter"), "{stderr}");
        assert!(stderr.contains("without `--request` and `--commit-through-api`"), "{stderr}");
        assert_eq!(host.released.state(), state);
    }
}

#[test]
fn a_run_that_is_killed_leaves_no_branch_to_the_next_one() {
    for (host, arguments) in hosts().into_iter().zip([["1.1.0", "-x"], ["--request", "-x"]]) {
        host.released.repo.file("tidings.yml", "commit_through_api: true\n").commit("Configure");
        host.released.repo.git(&["push", "-q", "origin", "main"]);
        let is_commit = |path: &str| path.ends_with("/graphql") || path.ends_with("/repository/commits");
        let reaches = || host.service.requests().iter().any(|request| is_commit(&request.path));
        host.service.script(move |request| {
            (request.method == "POST" && is_commit(&request.path)).then(|| Fault::Withheld.apply(|| unreachable!()))
        });
        let mut killed = host.program(Some("developer-token"), &arguments).spawn().unwrap();
        while !reaches() {
            assert_eq!(killed.try_wait().unwrap(), None, "it waits for the answer");
            std::thread::yield_now();
        }
        killed.kill().unwrap();
        killed.wait().unwrap();
        assert_eq!(branches(&host), "main\ntidings/commit-main");
        host.service.script(|_| None);
        host.run(&arguments).success();
        assert!(!branches(&host).contains("tidings/commit-"), "{}", branches(&host));
    }
}
