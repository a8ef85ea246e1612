//! `--commit-through-api`: the forge makes the commits of a release, and signs them.

use serde_json::json;

use super::hosted::{BRANCH, Hosted, Kind};
use crate::support::{TestRepo, git_in, service::Response};

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
