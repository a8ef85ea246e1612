//! What `actions/checkout` and GitLab's runner fetch by default is enough for every command.

use super::clones::Harbor;
use crate::support::{Job, Outcome, Service, git_in, service::Response};

/// Makes a branch with two commits and the merge commit that GitHub makes of a pull request of it. Returns that.
fn pull_request(harbor: &Harbor) -> String {
    let repo = &harbor.repo;
    repo.git(&["checkout", "-q", "-b", "sail", "main~1"]);
    repo.change("Hoist the sail", "added");
    repo.change("Mend the sail", "fixd");
    repo.git(&["checkout", "-q", "--detach", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge sail into main", "sail"]);
    let merge = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["push", "-q", "origin", "sail", "HEAD:refs/pull/7/merge", "sail:refs/pull/7/head"]);
    repo.git(&["checkout", "-q", "main"]);
    merge
}

#[test]
fn a_pull_request_is_checked_at_any_depth() {
    let harbor = Harbor::new();
    let merge = pull_request(&harbor);
    let Some(server) = harbor.server().http() else { return };
    let url = server.url("http", "harbor.git");
    for depth in [1, 2, 50, 0] {
        let job = Job::github(&harbor.repo, &url, ("refs/pull/7/merge", &merge), depth).set("GITHUB_BASE_REF", "main");
        let stderr = job.run(&["check", "--require", "each", "-v", "--format", "github"]);
        assert_eq!(stderr.code, 3, "{depth}: {}", stderr.stderr);
        assert_eq!(stderr.stdout.lines().count(), 1, "{depth}: {}", stderr.stdout);
        assert!(stderr.stdout.contains("unknown-category") && stderr.stdout.contains("fixd"), "{}", stderr.stdout);
        assert!(stderr.stderr.contains("looked at 3 commits of origin/main.."), "{depth}: {}", stderr.stderr);
        let listed = job.run(&["show", "--from", "origin/main", "--host", "h", "--project-path", "a/b"]).success();
        assert!(listed.contains("Hoist the sail") && !listed.contains("Polish the lamp"), "{depth}: {listed}");
        // With a depth of 0 git itself has the branches, and no `origin/HEAD`.
        let names = ["remotes/origin/main", "refs/remotes/origin/main", "origin", "origin/HEAD"];
        for name in names.into_iter().take(if depth == 0 { 2 } else { 4 }) {
            let explained = job.run(&["explain", "--from", name]).success();
            assert!(explained.contains("\n3 commits: "), "{depth}: {explained}");
        }
        let unknown = job.run(&["explain", "--from", "origin/mast"]).failure(1);
        assert!(unknown.contains("unknown revision `origin/mast`"), "{unknown}");
    }
}

/// A GitHub whose repository `harbor/app` is that of the harbor.
fn github(harbor: &Harbor) -> Service {
    let service = Service::start();
    service.state().github.repository = Some(harbor.repo.beside("harbor.git"));
    service
}

/// Runs `tidings release` in a job of that GitHub.
#[track_caller]
fn release(job: &Job, service: &Service, arguments: &[&str]) -> Outcome {
    let own = ["release", "--date", "2024-03-09", "--retries", "0", "--project", "harbor/app"];
    let variables = [
        ("GITHUB_API_URL", format!("{}/api/v3", service.url())),
        ("GITHUB_SERVER_URL", service.url()),
        ("GITHUB_REPOSITORY", "harbor/app".to_owned()),
        ("GITHUB_TOKEN", "developer-token".to_owned()),
        ("TIDINGS_BASE_URL", service.url()),
    ];
    job.run_with(&[&own, arguments].concat(), &variables)
}

/// The usual depths: the default, and everything.
const DEPTHS: [u32; 2] = [1, 0];

#[test]
fn a_release_that_is_finished_is_left_alone_at_any_depth() {
    for depth in DEPTHS {
        let harbor = Harbor::new();
        let service = github(&harbor);
        let Some(server) = harbor.server().http() else { return };
        let url = server.url("http", "harbor.git");
        let begun = harbor.repo.git(&["rev-parse", "main"]);
        let job = Job::github(&harbor.repo, &url, ("refs/heads/main", &begun), depth).author();
        let done = release(&job, &service, &["-x"]);
        assert!(done.stdout.ends_with("committed, tagged, pushed, published\n"), "{done:?}");
        let released = job.git(&["rev-parse", "HEAD"]);

        let job = Job::github(&harbor.repo, &url, ("refs/heads/main", &released), depth).author();
        let before = job.git(&["for-each-ref"]);
        for arguments in [&["-x"][..], &[], &["1.1.0", "-x"], &["-x", "--no-commit"]] {
            let again = release(&job, &service, arguments);
            let expected = format!("1.1.0 is already released as v1.1.0: commit {} on main\n", &released[..8]);
            assert_eq!((again.code, again.stdout), (0, expected), "{depth} {arguments:?}: {}", again.stderr);
        }
        assert_eq!(job.git(&["for-each-ref"]), before, "the checkout stays as it is");
        // The job that made it, run again, has the commit before.
        let job = Job::github(&harbor.repo, &url, ("refs/heads/main", &begun), depth).author();
        let again = release(&job, &service, &["-x"]);
        assert_eq!(again.code, 5, "{depth}: {again:?}");
        assert_eq!(service.state().github.releases.len(), 1);
        // That of the pushed tag, as versions of `actions/checkout` fetch it: the commit, or the tag.
        let tag = harbor.repo.git(&["ls-remote", "origin", "v1.1.0"]);
        for object in [released.as_str(), tag.split('\t').next().unwrap()] {
            let job = Job::github(&harbor.repo, &url, ("refs/tags/v1.1.0", object), depth);
            for further in [&[][..], &["--no-push"]] {
                let arguments = [&["-x", "--from-tag", "v1.1.0", "--no-commit"], further].concat();
                let again = release(&job, &service, &arguments);
                assert!(again.stdout.starts_with("1.1.0 is already released as v1.1.0: "), "{depth}: {again:?}");
            }
        }
    }
}

/// The page of the release on GitHub.
const PAGE: &str = "https://github.com/harbor/app/releases/tag/v1.1.0";

#[test]
fn a_release_that_broke_off_is_completed_by_any_checkout_that_has_it() {
    for depth in DEPTHS {
        let harbor = Harbor::new();
        let service = github(&harbor);
        let Some(server) = harbor.server().http() else { return };
        let url = server.url("http", "harbor.git");
        let checkout = |commit: &str| Job::github(&harbor.repo, &url, ("refs/heads/main", commit), depth).author();
        let begun = harbor.repo.git(&["rev-parse", "main"]);
        service.script(|request| (request.method == "POST").then(|| Response::message(503, "later")));
        let broken = release(&checkout(&begun), &service, &["-x", "--format", "json"]);
        assert_eq!(broken.code, 1, "{broken:?}");
        let told: serde_json::Value = serde_json::from_str(&broken.stdout).unwrap();
        let states = ["commit", "tag", "push", "forge_release"].map(|step| told["steps"][step]["state"].clone());
        assert_eq!(states, ["done", "done", "done", "planned"]);
        let text = release(&checkout(&begun), &service, &["-x"]);
        assert_eq!((text.code, text.stdout.as_str()), (1, ""), "{text:?}");
        service.script(|_| None);
        let released = git_in(&harbor.repo.beside("harbor.git"), &["rev-parse", "main"], 0);
        assert_eq!(told["commit"], released.as_str());

        // The job again, with the commit before; the commit itself; and one with something after it.
        harbor.repo.git(&["pull", "-q"]);
        harbor.repo.commit("Sweep the quay");
        harbor.repo.git(&["push", "-q"]);
        let later = harbor.repo.git(&["rev-parse", "main"]);
        for commit in [&begun, &released, &later] {
            service.state().github.releases.clear();
            let job = checkout(commit);
            let done = release(&job, &service, &["-x"]);
            assert_eq!(done.stdout, "released 1.1.0 as v1.1.0: published\n", "{depth}: {}", done.stderr);
            assert!(done.stderr.contains(&format!("published {PAGE}\n")), "{}", done.stderr);
            let made = service.state().github.releases[0].clone();
            assert!(made.body.contains("Mend the hull") && !made.body.contains("Raise mast"), "{}", made.body);
            // What somebody wrote on the page since is theirs, unless it is the page of this very commit.
            service.state().github.releases[0].body = "Mine".to_owned();
            if commit != &released {
                assert_eq!(release(&job, &service, &["-x"]).code, 5);
                assert_eq!(service.state().github.releases[0].body, "Mine");
            }
            // Files that are missing.
            std::fs::write(job.path().join("app.zip"), "bytes").unwrap();
            let done = release(&job, &service, &["1.1.0", "-x", "--asset", "app.zip"]);
            assert_eq!(done.stdout, "released 1.1.0 as v1.1.0: published\n", "{depth}: {}", done.stderr);
            assert_eq!(service.state().github.releases[0].assets.len(), 1);
        }
        service.state().github.releases.clear();
        harbor.repo.change("Dredge the basin", "added");
        harbor.repo.git(&["push", "-q"]);
        let later = harbor.repo.git(&["rev-parse", "main"]);
        let next = release(&checkout(&later), &service, &["-x"]);
        assert!(next.stdout.starts_with("released 1.2.0 as v1.2.0: "), "{next:?}");
        assert!(next.stderr.contains("run `tidings release 1.1.0 -x` to complete it"), "{}", next.stderr);
    }
}

#[test]
fn packages_that_are_released_are_left_alone_and_completed() {
    let harbor = Harbor::new();
    let service = github(&harbor);
    let Some(server) = harbor.server().http() else { return };
    let url = server.url("http", "harbor.git");
    let repo = &harbor.repo;
    repo.file("tidings.yml", "packages:\n  hull: { paths: [hull.txt], file: HULL.md }\n  lamp:\n").commit("Split");
    repo.file("hull.txt", "Tarred\n").file("lamp/glass.txt", "Red\n").change("Paint all", "added");
    repo.git(&["push", "-q"]);
    let begun = repo.git(&["rev-parse", "main"]);
    let all = ["-x", "--all-packages", "--first-release"];
    let checkout = |commit: &str| Job::github(repo, &url, ("refs/heads/main", commit), 1).author();
    let done = release(&checkout(&begun), &service, &all);
    assert_eq!(done.stdout.lines().filter(|line| line.ends_with("pushed, published")).count(), 2, "{done:?}");
    let released = git_in(&repo.beside("harbor.git"), &["rev-parse", "main"], 0);
    let again = release(&checkout(&released), &service, &all);
    assert_eq!(again.stdout.lines().filter(|line| line.contains(" is already released as ")).count(), 2, "{again:?}");
    service.state().github.releases.retain(|release| release.tag.starts_with("hull"));
    for commit in [&begun, &released] {
        let done = release(&checkout(commit), &service, &all[..2]);
        assert!(done.stdout.contains("released 0.1.0 as lamp/v0.1.0: published\n"), "{done:?}");
        service.state().github.releases.pop();
    }
}

#[test]
fn the_checkouts_of_gitlab_are_enough() {
    let harbor = Harbor::new();
    let Some(server) = harbor.server().http() else { return };
    let url = server.url("http", "harbor.git");
    let begun = harbor.repo.git(&["rev-parse", "main"]);
    for depth in [1, 2, 20] {
        let job = Job::gitlab(&harbor.repo, &url, ("refs/heads/main", &begun), depth).author();
        let listed = job.run(&["show", "--from", "origin/main~2", "--host", "h", "--project-path", "a/b"]).success();
        assert!(listed.contains("Mend the hull") && !listed.contains("Oil the wick"), "{depth}: {listed}");
        let next = job.run(&["next"]).success();
        assert_eq!(next, "1.1.0\n");
    }
    let job = Job::gitlab(&harbor.repo, &url, ("refs/heads/main", &begun), 20).author();
    job.git(&["switch", "-q", "-C", "main"]);
    job.run(&["release", "-x", "--no-host-release"]).success();
    let released = job.git(&["rev-parse", "HEAD"]);
    for depth in [1, 20] {
        let job = Job::gitlab(&harbor.repo, &url, ("refs/heads/main", &released), depth).author();
        job.git(&["switch", "-q", "-C", "main"]);
        let again = job.run(&["release", "-x", "--no-host-release"]).success();
        assert!(again.starts_with("1.1.0 is already released as v1.1.0: "), "{again}");
        let job = Job::gitlab(&harbor.repo, &url, ("refs/tags/v1.1.0", &released), depth);
        let listed = job.run(&["show", "1.1.0", "--host", "h", "--project-path", "a/b"]).success();
        assert!(listed.contains("Mend the hull") && !listed.contains("Raise mast"), "{depth}: {listed}");
    }
}
