//! Clones that lack something: shallow ones, and those without tags. What is missing is read from `origin`, and the
//! clone stays as it is.

use std::{fs, path::Path};

use crate::support::{
    Outcome, TestRepo, git_in,
    remote::{Running, Server},
    tidings,
};

/// A history on a server: a base tag, a branch that was merged after it, and changes since.
pub(super) struct Harbor {
    pub(super) repo: TestRepo,
}

impl Harbor {
    pub(super) fn new() -> Self {
        let repo = TestRepo::new();
        repo.author();
        repo.file("CHANGELOG.md", "# Log\n\n## 1.0.0 (2024-01-01)\n\nOne.\n").commit("Begin");
        repo.git(&["branch", "wick"]);
        for mast in 0..6 {
            repo.change(&format!("Raise mast {mast}"), "added");
        }
        repo.annotated_tag("v1.0.0");
        repo.git(&["checkout", "-q", "wick"]);
        repo.file("lamp/wick.txt", "Oiled\n").change("Oil the wick", "added");
        repo.git(&["checkout", "-q", "main"]);
        repo.git(&["merge", "-q", "--no-ff", "-m", "Merge wick", "wick"]);
        repo.file("hull.txt", "Tight\n").change("Mend the hull", "fixed");
        repo.file("lamp/glass.txt", "Clear\n").change("Polish the lamp", "changed");
        repo.git(&["init", "-q", "--bare", "-b", "main", "../harbor.git"]);
        repo.git(&["remote", "add", "origin", "../harbor.git"]);
        repo.git(&["push", "-q", "--set-upstream", "origin", "main", "--tags"]);
        git_in(&repo.beside("harbor.git"), &["config", "http.receivepack", "true"], TestRepo::EPOCH);
        Self { repo }
    }

    pub(super) fn server(&self) -> Server {
        Server::of_directory(self.repo.path().parent().unwrap())
    }

    /// Clones from a URL, and gives a run of the program in the clone.
    fn clone(&self, options: &[&str], url: &str) -> Clone<'_> {
        self.repo.git(&[&["clone", "-q"], options, &[url, self.repo.beside("clone").to_str().unwrap()]].concat());
        for (key, value) in [("user.name", "Ida"), ("user.email", "ida@harbor.example")] {
            self.repo.git_beside("clone", &["config", key, value]);
        }
        Clone { of: self }
    }

    fn file_url(&self) -> String {
        format!("file://{}", self.repo.beside("harbor.git").display())
    }
}

struct Clone<'a> {
    of: &'a Harbor,
}

impl Clone<'_> {
    fn run(&self, arguments: &[&str]) -> Outcome {
        tidings(&self.of.repo.beside("clone")).args(arguments).output().unwrap().into()
    }

    /// Runs a read-only command that answers as in the full repository, and leaves the clone as it is; gives what it says.
    #[track_caller]
    fn agrees(&self, arguments: &[&str]) -> String {
        let clone = self.of.repo.beside("clone");
        let before = files(&clone);
        let (here, there) = (self.run(arguments), self.of.repo.tidings(arguments));
        assert_eq!((&here.stdout, here.code), (&there.stdout, there.code), "{arguments:?}: {}", here.stderr);
        assert_eq!(here.code, 0, "{arguments:?}: {}", here.stderr);
        assert!(files(&clone) == before, "{arguments:?} changed the clone");
        here.stderr
    }
}

/// Every file below a directory with its content.
fn files(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push((path.display().to_string(), fs::read(&path).unwrap()));
        }
    }
    found.sort();
    found
}

const SHOW: [&str; 8] = ["show", "1.1.0", "--host", "h.example", "--project-path", "a/b", "--date", "2024-03-09"];

const COMMANDS: [&[&str]; 7] = [
    &["show", "--host", "h.example", "--project-path", "a/b", "--date", "2024-03-09"],
    &SHOW,
    &["next", "-v"],
    &["check"],
    &["explain"],
    &["base"],
    &["check", "v1.0.0..HEAD~1"],
];

#[test]
fn the_default_checkouts_are_enough() {
    for options in [&["--depth=1"][..], &["--depth=2", "--no-tags"], &["--no-tags"], &["--depth=4"]] {
        let harbor = Harbor::new();
        let Some(server) = harbor.server().http() else { return };
        for url in [server.url("http", "harbor.git"), harbor.file_url()] {
            let clone = harbor.clone(options, &url);
            for command in COMMANDS {
                let stderr = clone.agrees(command);
                let lines = stderr.lines().filter(|line| line.ends_with("; the clone stays as it is)")).count();
                assert!(lines <= 1, "{stderr}");
                let is_named = command[0] == "check" && command.len() > 1;
                assert!(lines == 1 || is_named, "{options:?} {command:?}: {stderr}");
                let lacks_tags = options == ["--no-tags"] && !is_named;
                assert!(!lacks_tags || stderr.contains("read the tags from `"), "{command:?}: {stderr}");
            }
            fs::remove_dir_all(harbor.repo.beside("clone")).unwrap();
        }
    }
}

#[test]
fn nothing_but_missing_commits_comes_over() {
    let harbor = Harbor::new();
    let Some(server) = harbor.server().http() else { return };
    let clone = harbor.clone(&["--depth=1"], &server.url("http", "harbor.git"));
    let asked = server.requests().len();
    let stderr = clone.agrees(&["next", "-v"]);
    let posts: Vec<_> =
        server.requests().split_off(asked).into_iter().filter(|request| request.method == "POST").collect();
    let what =
        "references, then commits, whether the base has those before them, and the newest ones, which show the source";
    assert_eq!(posts.len(), 4, "{what}");
    assert!(posts[1].says("filter tree:0") && posts[3].says("deepen 1000"), "{stderr}");
    let full = harbor.repo.beside("clone").join(".git/shallow");
    assert!(full.exists());
    fs::remove_dir_all(harbor.repo.beside("clone")).unwrap();
    let clone = harbor.clone(&["--no-tags"], &server.url("http", "harbor.git"));
    let asked = server.requests().len();
    clone.agrees(&["next", "-v"]);
    let posts = server.requests().split_off(asked).into_iter().filter(|request| request.says("command=fetch"));
    assert_eq!(posts.count(), 0, "a clone without tags lacks nothing but references");
    let asked = server.requests().len();
    for command in
        [&["check", "HEAD~2..HEAD"][..], &["show", "--first-release", "--host", "h", "--project-path", "a/b"]]
    {
        clone.run(command).success();
    }
    assert_eq!(server.requests().len(), asked, "what needs no tags asks nobody");
}

#[test]
fn a_complete_clone_asks_nobody() {
    let harbor = Harbor::new();
    let Some(server) = harbor.server().http() else { return };
    let clone = harbor.clone(&[], &server.url("http", "harbor.git"));
    let asked = server.requests().len();
    assert_eq!(clone.agrees(&SHOW), "");
    assert_eq!(server.requests().len(), asked);
}

/// `actions/checkout` of a tag fetches that tag alone.
#[test]
fn the_checkout_of_a_tag_has_no_other_tags() {
    let harbor = Harbor::new();
    harbor.repo.tag("v1.1.0").git(&["push", "-q", "--tags"]);
    let clone = harbor.clone(&["--no-tags"], &harbor.file_url());
    harbor.repo.git_beside("clone", &["fetch", "-q", "--no-tags", "origin", "tag", "v1.1.0"]);
    let mut job = tidings(&harbor.repo.beside("clone"));
    let base = Outcome::from(job.args(["base", "1.1.0"]).env("CI", "true").output().unwrap());
    assert_eq!(base.success(), "v1.0.0\n");
    assert!(clone.run(&["base", "1.1.0"]).failure(1).contains("no release tag"));
}

/// A runner that keeps its checkout has the tags of earlier jobs.
#[test]
fn a_job_reads_the_tags_that_its_complete_clone_lacks() {
    let harbor = Harbor::new();
    let clone = harbor.clone(&[], &harbor.file_url());
    harbor.repo.tag("v1.1.0").git(&["push", "-q", "--tags"]);
    let in_job = |arguments: &[&str]| {
        let mut job = tidings(&harbor.repo.beside("clone"));
        Outcome::from(job.args(arguments).env("CI", "true").output().unwrap())
    };
    assert_eq!(clone.run(&["base"]).success(), "v1.0.0\n");
    assert_eq!(in_job(&["base"]).success(), "v1.1.0\n");
    assert_eq!(in_job(&["base", "--offline"]).success(), "v1.0.0\n");
    harbor.repo.git_beside("clone", &["commit", "-q", "--allow-empty", "-m", "Sail\n\nChangelog: added"]);
    harbor.repo.git_beside("clone", &["tag", "v1.2.0"]);
    assert_eq!(in_job(&["base"]).success(), "v1.2.0\n", "its own tags count too");
}

#[test]
fn offline_refuses_with_the_cure() {
    let harbor = Harbor::new();
    let clone = harbor.clone(&["--depth=1"], &harbor.file_url());
    for command in ["show", "next", "explain", "check", "base"] {
        let stderr = clone.run(&[command, "--offline"]).failure(1);
        assert!(stderr.contains("git fetch --unshallow --tags"), "{command}: {stderr}");
    }
    fs::rename(harbor.repo.beside("harbor.git"), harbor.repo.beside("gone.git")).unwrap();
    let stderr = clone.run(&["show"]).failure(1);
    assert!(stderr.contains("cannot read from `origin` what this clone lacks: "), "{stderr}");
    assert!(stderr.contains("git fetch --unshallow --tags"), "{stderr}");
}

#[test]
fn a_release_from_a_shallow_clone_has_the_right_version() {
    for options in [&["--depth=1"][..], &["--depth=2", "--no-tags"]] {
        let harbor = Harbor::new();
        let Some(server) = harbor.server().http() else { return };
        let clone = harbor.clone(options, &server.url("http", "harbor.git"));
        let plan = clone.run(&["release", "--no-host-release"]).success();
        assert!(plan.contains("1.1.0"), "{plan}");
        let done = clone.run(&["release", "-x", "--date", "2024-03-09", "--no-host-release"]);
        assert_eq!(done.code, 0, "{}", done.stderr);
        let remote = |arguments: &[&str]| git_in(&harbor.repo.beside("harbor.git"), arguments, TestRepo::EPOCH);
        assert_eq!(remote(&["tag"]), "v1.0.0\nv1.1.0");
        let section = remote(&["show", "v1.1.0:CHANGELOG.md"]);
        for title in ["Oil the wick", "Mend the hull", "Polish the lamp"] {
            assert!(section.contains(title), "{section}");
        }
        assert!(!section.contains("Raise mast"), "{section}");
        remote(&["fsck", "--strict"]);
        clone.run(&["release", "1.1.0", "-x", "--no-host-release"]).success();
    }
}

#[test]
fn commits_that_only_the_clone_has_count_as_well() {
    let harbor = Harbor::new();
    for options in [&["--depth=1"][..], &["--no-tags"]] {
        let clone = harbor.clone(options, &harbor.file_url());
        for title in ["Paint the rail", "Scrub the deck"] {
            let message = format!("{title}\n\nChangelog: added\n");
            for directory in [harbor.repo.beside("clone"), harbor.repo.path().to_owned()] {
                git_in(&directory, &["commit", "-q", "--allow-empty", "-m", &message], TestRepo::EPOCH + 60_000);
            }
        }
        for command in COMMANDS {
            clone.agrees(command);
        }
        fs::remove_dir_all(harbor.repo.beside("clone")).unwrap();
        harbor.repo.git(&["reset", "-q", "--hard", "HEAD~2"]);
    }
}

#[test]
fn directories_are_fetched_if_paths_need_them() {
    let harbor = Harbor::new();
    harbor.repo.file(".gitlab/changelog_config.yml", "paths: [lamp/]\n").commit("Configure");
    harbor.repo.git(&["push", "-q"]);
    git_in(&harbor.repo.beside("harbor.git"), &["config", "uploadpack.allowFilter", "true"], TestRepo::EPOCH);
    let clone = harbor.clone(&["--depth=1"], &harbor.file_url());
    clone.agrees(&["show"]);
    let shown = clone.run(&["show"]).success();
    assert!(shown.contains("Polish the lamp") && !shown.contains("Mend the hull"), "{shown}");
}

#[test]
fn lines_of_history_are_those_of_the_full_repository() {
    let harbor = Harbor::new();
    let repo = &harbor.repo;
    repo.git(&["checkout", "-q", "-b", "1-0-stable", "v1.0.0"]);
    repo.change("Caulk the hull", "fixed");
    repo.tag("v1.0.1").change("Caulk it again", "fixed");
    repo.git(&["checkout", "-q", "main"]);
    repo.tag("v2.0.0").change("Launch", "added");
    repo.tag("v2.1.0").change("Sail", "added");
    repo.git(&["push", "-q", "--all"]);
    repo.git(&["push", "-q", "--tags"]);
    for branch in ["main", "1-0-stable"] {
        repo.git(&["checkout", "-q", branch]);
        for options in [&["--depth=1"][..], &["--no-tags", "--single-branch"], &["--single-branch"]] {
            let clone = harbor.clone(&[options, &["-b", branch]].concat(), &harbor.file_url());
            for command in [&["next", "-v"][..], &["base", "-v"], &["show"], &["explain"]] {
                clone.agrees(command);
            }
            fs::remove_dir_all(repo.beside("clone")).unwrap();
        }
    }
}

#[test]
fn a_clone_of_one_branch_knows_the_releases_of_the_others() {
    let harbor = Harbor::new();
    harbor.repo.git(&["checkout", "-q", "-b", "1-1-stable"]);
    harbor.repo.change("Tar the hull", "fixed");
    harbor.repo.tag("v1.1.0").git(&["checkout", "-q", "main"]);
    harbor.repo.change("Stow the ropes", "added");
    harbor.repo.git(&["push", "-q", "origin", "main", "1-1-stable", "--tags"]);
    let clone = harbor.clone(&["--single-branch"], &harbor.file_url());
    assert_eq!(git_in(&harbor.repo.beside("clone"), &["tag"], 0), "v1.0.0");
    for command in [&["base", "1.1.1"][..], &["show", "1.1.1"], &["next"]] {
        let stderr = clone.agrees(command);
        assert!(stderr.contains("from `file:"), "{command:?}: {stderr}");
    }
    assert_eq!(clone.run(&["base", "1.1.1"]).success(), "v1.1.0\n");
}

/// A clone that keeps its credentials as `actions/checkout` does: in a file that its configuration includes.
fn with_header(harbor: &Harbor, server: &Running, header: &str) {
    let (clone, file) = (harbor.repo.beside("clone"), harbor.repo.beside("credentials.config"));
    let url = server.url("http", "harbor.git");
    let host = url.trim_end_matches("harbor.git").to_owned();
    fs::write(&file, format!("[http \"{host}\"]\n\textraheader = {header}\n")).unwrap();
    let git = |arguments: &[&str]| git_in(&clone, arguments, TestRepo::EPOCH);
    git(&["remote", "set-url", "origin", &url]);
    let directory = clone.canonicalize().unwrap().join(".git").display().to_string();
    git(&["config", &format!("includeIf.gitdir:{directory}.path"), file.to_str().unwrap()]);
}

#[test]
fn credentials_are_those_that_git_would_use() {
    let harbor = Harbor::new();
    let locked = Server { account: Some("aWRhOnNlY3JldA=="), ..harbor.server() };
    let Some(server) = locked.http() else { return };
    let clone = harbor.clone(&["--depth=1"], &harbor.file_url());
    let url = server.url("http", "harbor.git");
    let git = |arguments: &[&str]| git_in(&harbor.repo.beside("clone"), arguments, TestRepo::EPOCH);

    with_header(&harbor, &server, "AUTHORIZATION: Basic aWRhOnNlY3JldA==");
    let stderr = clone.agrees(&["next", "-vv"]);
    assert!(stderr.contains(&format!("`{url}`")) && !stderr.contains("aWRhOnNlY3JldA"), "{stderr}");

    with_header(&harbor, &server, "AUTHORIZATION: Basic d3Jvbmc=");
    let refused = clone.run(&["next"]).failure(1);
    assert!(refused.contains("refused the `http.extraHeader` of git's configuration"), "{refused}");
    assert!(!refused.contains("d3Jvbmc"), "{refused}");

    git(&["config", "--remove-section", &format!("includeIf.gitdir:{}", git(&["rev-parse", "--absolute-git-dir"]))]);
    git(&["remote", "set-url", "origin", &url.replace("//", "//ida:secret@")]);
    let stderr = clone.agrees(&["next", "-vv"]);
    assert!(stderr.contains(&format!("`{url}`")) && !stderr.contains("secret"), "{stderr}");

    git(&["remote", "set-url", "origin", &url]);
    assert!(clone.run(&["next"]).failure(1).contains("requires credentials"));
    let helper = "!f() { test \"$1\" = get && echo username=ida && echo password=secret; }; f";
    git(&["config", "credential.helper", helper]);
    clone.agrees(&["next"]);
    git(&["config", "--unset", "credential.helper"]);

    // The token of a job, for the host that the job runs on.
    let job = |host: &str| {
        let mut run = tidings(&harbor.repo.beside("clone"));
        run.arg("next").env("CI_API_V4_URL", host).env("CI_JOB_TOKEN", "s3cr3t");
        Outcome::from(run.output().unwrap())
    };
    let asked = server.requests().len();
    job("https://elsewhere.example/api/v4").failure(1);
    job(&server.url("http", "api/v4")).failure(1);
    let sent: Vec<_> = server.requests().split_off(asked);
    let sent: Vec<_> = sent.iter().filter_map(|request| request.header("authorization")).collect();
    assert_eq!(sent, ["Basic Z2l0bGFiLWNpLXRva2VuOnMzY3IzdA=="]);
}

#[test]
fn credentials_go_to_no_other_host() {
    let harbor = Harbor::new();
    let (Some(other), clone) = (harbor.server().http(), harbor.clone(&["--depth=1"], &harbor.file_url())) else {
        return;
    };
    let elsewhere = other.url("http", "harbor.git").replace("127.0.0.1", "localhost");
    let redirecting =
        Server { redirect: Some(elsewhere.trim_end_matches("/harbor.git").to_owned()), ..harbor.server() };
    let server = redirecting.http().unwrap();
    with_header(&harbor, &server, "AUTHORIZATION: Basic aWRhOnNlY3JldA==");
    git_in(&harbor.repo.beside("clone"), &["config", "http.extraHeader", "X-Secret: 1"], TestRepo::EPOCH);
    clone.run(&["next"]).success();
    assert!(server.requests().iter().all(|request| request.header("authorization").is_some()));
    assert!(server.requests().iter().all(|request| request.header("x-secret").is_some()));
    assert!(other.requests().len() > 1);
    assert!(other.requests().iter().all(|request| request.header("authorization").is_none()));
    assert!(other.requests().iter().all(|request| request.header("x-secret").is_none()));
}

/// No name below `.invalid` exists (RFC 2606, section 2): whoever asks for one would fail in another way.
#[test]
fn credentials_are_refused_before_they_travel_in_clear_text() {
    let harbor = Harbor::new();
    let clone = harbor.clone(&["--depth=1"], &harbor.file_url());
    let git = |arguments: &[&str]| git_in(&harbor.repo.beside("clone"), arguments, TestRepo::EPOCH);
    let refused = |address: &str| {
        git(&["remote", "set-url", "origin", address]);
        let stderr = clone.run(&["next"]).failure(1);
        let message = "`http://harbor.invalid/app.git` requires credentials, which would be sent unencrypted";
        assert!(stderr.contains(message) && !stderr.contains("s3cret"), "{stderr}");
    };
    refused("http://ida:s3cret@harbor.invalid/app.git");
    git(&["config", "http.extraHeader", "AUTHORIZATION: Basic s3cret"]);
    refused("http://harbor.invalid/app.git");
}
