//! `tidings release --request`: the request of a release is opened, renewed, edited by people, and merged.

use super::Released;
use crate::support::{Fault, Outcome, Service, service::ReleaseRequest, tidings};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    GitLab,
    GitHub,
    Gitea,
}

const KINDS: [Kind; 3] = [Kind::GitLab, Kind::GitHub, Kind::Gitea];
const BRANCH: &str = "tidings/release-main";

/// A repository whose remote is that of a project on a service.
struct Hosted {
    it: Released,
    service: Service,
    kind: Kind,
}

impl Hosted {
    fn new(kind: Kind) -> Self {
        let it = Released::new();
        let remote = it.repo.beside("remote.git");
        let service = Service::with_repository(&remote);
        if kind != Kind::GitLab {
            service.state().github.repository = Some(remote);
        }
        Self { it, service, kind }
    }

    #[track_caller]
    fn run_with(&self, token: Option<&str>, arguments: &[&str]) -> Outcome {
        let mut program = tidings(self.it.repo.path());
        let date = ["release", "--date", "2024-03-09", "--base-url", &self.service.url()];
        program.args(date).envs(token.map(|token| ("TIDINGS_TOKEN", token)));
        match self.kind {
            Kind::GitLab => program.args(["--project", "group/app"]),
            Kind::GitHub => program
                .args(["--project", "harbor/app"])
                .env("GITHUB_API_URL", format!("{}/api/v3", self.service.url()))
                .env("GITHUB_SERVER_URL", self.service.url()),
            Kind::Gitea => program
                .args(["--project", "harbor/app"])
                .envs([("GITHUB_ACTIONS", "true"), ("GITEA_ACTIONS", "true")])
                .env("GITHUB_API_URL", format!("{}/api/v1", self.service.url()))
                .env("GITHUB_SERVER_URL", self.service.url()),
        };
        program.args(arguments).output().unwrap().into()
    }

    #[track_caller]
    fn run(&self, arguments: &[&str]) -> Outcome {
        self.run_with(Some("developer-token"), arguments)
    }

    #[track_caller]
    fn request(&self) -> Outcome {
        self.run(&["--request", "-x"])
    }

    fn only(&self) -> ReleaseRequest {
        let all = self.service.state().requests.all.clone();
        assert_eq!(all.len(), 1, "{all:?}");
        all[0].clone()
    }

    /// Adds a change to the released branch.
    fn change(&self, title: &str) {
        self.it.repo.change(title, "added");
        self.it.repo.git(&["push", "-q", "origin", "main"]);
    }

    /// Edits a file on the branch of the request, as people do on the forge.
    fn edit(&self, path: &str, edit: impl Fn(&str) -> String) {
        let repo = &self.it.repo;
        repo.git(&["fetch", "-q", "origin", BRANCH]);
        repo.git(&["switch", "-q", "--detach", "FETCH_HEAD"]);
        repo.file(path, &*edit(&repo.read(path)));
        repo.git(&["commit", "-q", "-am", "Say it better", "--author", "Mona Reef <mona@harbor.example>"]);
        repo.git(&["push", "-q", "origin", &format!("HEAD:refs/heads/{BRANCH}")]);
        repo.git(&["switch", "-q", "main"]);
    }

    /// The changelog file on the branch of the request.
    fn changelog(&self) -> String {
        self.it.remote(&["show", &format!("{BRANCH}:CHANGELOG.md")])
    }

    /// Merges the request as the forge does it, and takes the result here.
    fn merge(&self, how: &str) {
        let (repo, title) = (&self.it.repo, self.only().title);
        repo.git(&["fetch", "-q", "origin", BRANCH]);
        let merged = |text: &str| repo.git(&["commit", "-q", "-m", text]);
        match how {
            "merge" => {
                let text = format!("Merge branch '{BRANCH}' into 'main'\n\n{title}\n\nSee merge request group/app!11");
                repo.git(&["merge", "-q", "--no-ff", "-m", &text, "FETCH_HEAD"]);
            }
            "squash" => {
                repo.git(&["merge", "-q", "--squash", "FETCH_HEAD"]);
                merged(&format!("{title} (#11)"));
            }
            "rebase" => {
                repo.git(&["cherry-pick", "--no-ff", "main..FETCH_HEAD"]);
            }
            _ => drop(repo.git(&["merge", "-q", "--ff-only", "FETCH_HEAD"])),
        }
        repo.git(&["push", "-q", "origin", "main"]);
        self.service.state().requests.all[0].state = "merged";
        self.it.remote(&["update-ref", "-d", &format!("refs/heads/{BRANCH}")]);
    }

    fn published(&self) -> Vec<(String, String)> {
        let state = self.service.state();
        match self.kind {
            Kind::GitLab => state.releases.all.iter().map(|one| (one.tag.clone(), one.description.clone())).collect(),
            Kind::GitHub | Kind::Gitea => {
                state.github.releases.iter().map(|one| (one.tag.clone(), one.body.clone())).collect()
            }
        }
    }
}

#[test]
fn a_request_is_opened_once_and_renewed_by_what_is_pushed() {
    for kind in KINDS {
        let host = Hosted::new(kind);
        let opened = host.request().success();
        assert!(opened.starts_with("opened ") && opened.contains("11: Release 1.1.0\n"), "{opened}");
        let request = host.only();
        assert_eq!((request.source.as_str(), request.target.as_str()), (BRANCH, "main"));
        assert!(request.body.starts_with("### Added\n\n- "), "{}", request.body);
        assert!(request.body.contains("Merging this request releases 1.1.0."), "{}", request.body);
        let message = host.it.remote(&["log", "-1", "--format=%B", BRANCH]);
        assert_eq!(message.trim(), "Release 1.1.0\n\nTidings-Release: 1.1.0");
        assert_eq!(host.it.remote(&["rev-parse", &format!("{BRANCH}^")]), host.it.remote(&["rev-parse", "main"]));
        assert_eq!(host.it.repo.git(&["status", "--porcelain"]), "", "nothing changed here");
        let head = host.it.remote(&["rev-parse", BRANCH]);
        assert!(host.request().success().contains(" is up to date: Release 1.1.0\n"));
        assert_eq!(host.it.remote(&["rev-parse", BRANCH]), head);
        assert_eq!(host.service.state().requests.changes, 0);
        host.change("Add mast");
        assert!(host.request().success().starts_with("renewed "));
        assert!(host.only().body.starts_with("### Added\n\n- "), "{}", host.only().body);
        assert!(host.changelog().contains("Add mast"));
        assert_eq!(host.it.remote(&["rev-list", "--count", &format!("main..{BRANCH}")]).trim(), "1");
    }
}

#[test]
fn what_was_merged_in_any_way_is_tagged_and_published_once() {
    for (kind, how) in KINDS.into_iter().flat_map(|kind| ["merge", "squash", "rebase", "ff"].map(|how| (kind, how))) {
        let host = Hosted::new(kind);
        host.request().success();
        host.edit("CHANGELOG.md", |text| text.replace("Add crane", "Add the crane"));
        host.merge(how);
        let merged = host.it.repo.git(&["rev-parse", "main"]);
        host.change("Add mast");
        let done = host.request().success();
        assert!(done.starts_with("released 1.1.0 as v1.1.0: tagged, pushed, published\nopened "), "{how}: {done}");
        assert_eq!(host.it.remote(&["rev-parse", "v1.1.0^{}"]), merged, "{how}");
        let published = host.published();
        assert_eq!(published.len(), 1);
        assert!(published[0].1.contains("Add the crane") && !published[0].1.contains("mast"), "{how}: {published:?}");
        let all = host.service.state().requests.all.clone();
        assert_eq!((all.len(), all[1].title.as_str()), (2, "Release 1.2.0"), "{how}");
        assert!(all[1].body.contains("Add mast") && !all[1].body.contains("crane"), "{how}: {}", all[1].body);
        assert!(host.request().success().contains(" is up to date"), "{how}");
        assert_eq!(host.published().len(), 1);
    }
}

#[test]
fn an_ordinary_release_finishes_what_was_merged() {
    let host = Hosted::new(Kind::GitLab);
    host.request().success();
    host.merge("squash");
    let done = host.run(&["-x"]).success();
    assert_eq!(done, "released 1.1.0 as v1.1.0: tagged, pushed, published\n");
    host.run(&["--request", "-x"]).failure(5);
    assert!(host.run(&["1.1.0", "-x"]).success().contains("already released"));
}

#[test]
fn after_the_merge_nothing_may_be_left_for_a_next_request() {
    let host = Hosted::new(Kind::GitHub);
    host.request().success();
    host.merge("rebase");
    assert_eq!(host.request().success(), "released 1.1.0 as v1.1.0: tagged, pushed, published\n");
    host.request().failure(5);
    assert_eq!(host.service.state().requests.all.len(), 1);
}

#[test]
fn edits_of_people_stay_and_new_entries_come_in() {
    for kind in KINDS {
        let host = Hosted::new(kind);
        host.change("Add mast");
        host.change("Add pier");
        host.request().success();
        host.edit("CHANGELOG.md", |text| {
            let text: String =
                text.lines().filter(|line| !line.contains("Add pier")).map(|line| line.to_owned() + "\n").collect();
            text.replace("Add crane (", "Add a crane to every pier (").replace("# Log\n", "# Log of changes\n")
        });
        {
            let mut state = host.service.state();
            let request = &mut state.requests.all[0];
            request.title = "Spring release 1.1.0".to_owned();
            request.body = format!("Please read.\n\n{}", request.body);
        }
        host.change("Add buoy");
        host.request().success();
        let text = host.changelog();
        assert!(text.starts_with("# Log of changes\n"), "{text}");
        assert!(text.contains("- Add a crane to every pier (") && text.contains("Add buoy"), "{text}");
        assert!(!text.contains("- Add crane") && !text.contains("Add pier"), "{text}");
        let request = host.only();
        assert_eq!(request.title, "Spring release 1.1.0");
        assert!(request.body.starts_with("Please read.\n\n### Added\n\n- "), "{}", request.body);
        assert!(request.body.contains("Add buoy") && request.body.contains("crane to every pier"), "{}", request.body);
        let commits = host.it.remote(&["log", "--format=%s", &format!("main..{BRANCH}")]);
        assert_eq!(commits.trim(), "Keep the edits of the release\nRelease 1.1.0");
        let message = host.it.remote(&["log", "-1", "--format=%B", BRANCH]);
        assert!(message.contains("Co-authored-by: Mona Reef <mona@harbor.example>\n"), "{message}");
        host.change("Add chain");
        host.request().success();
        let text = host.changelog();
        assert!(text.contains("Add chain") && !text.contains("Add pier") && text.contains("to every pier"), "{text}");
        assert!(host.request().success().contains(" is up to date"));
    }
}

#[test]
fn a_version_that_people_write_into_the_heading_is_released() {
    let host = Hosted::new(Kind::GitLab);
    host.it
        .repo
        .file("tidings.yml", "version_files: [{path: VERSION, regex: '^(.+)$'}]\n")
        .file("VERSION", "1.0.0\n")
        .commit("Keep a version");
    host.it.repo.git(&["push", "-q", "origin", "main"]);
    host.request().success();
    assert_eq!(host.it.remote(&["show", &format!("{BRANCH}:VERSION")]).trim(), "1.1.0");
    host.edit("CHANGELOG.md", |text| text.replace("## 1.1.0 (", "## 2.0.0 ("));
    for title in ["Add mast", "Add buoy"] {
        host.change(title);
        host.request().success();
        let text = host.changelog();
        assert!(text.contains("## 2.0.0 (2024-03-09)\n") && !text.contains("1.1.0") && text.contains(title), "{text}");
        assert_eq!(host.it.remote(&["show", &format!("{BRANCH}:VERSION")]).trim(), "2.0.0");
        assert_eq!(host.only().title, "Release 2.0.0");
    }
    host.merge("squash");
    let done = host.run(&["-x"]).success();
    assert_eq!(done, "released 2.0.0 as v2.0.0: tagged, pushed, published\n");
    host.request().failure(5);
}

#[test]
fn edits_that_do_not_go_with_what_is_new_are_told_and_nothing_is_pushed() {
    let host = Hosted::new(Kind::GitLab);
    host.request().success();
    host.edit("CHANGELOG.md", |text| text.replace("One.", "The first release."));
    let head = host.it.remote(&["rev-parse", BRANCH]);
    let log = host.it.repo.read("CHANGELOG.md").replace("One.", "It began.");
    host.it.repo.file("CHANGELOG.md", &*log).commit("Write it anew");
    host.change("Add mast");
    let said = host.request().failure(3);
    assert!(said.contains("what was edited on `tidings/release-main` does not go with what is new"), "{said}");
    assert!(said.contains("`CHANGELOG.md`"), "{said}");
    assert_eq!(host.it.remote(&["rev-parse", BRANCH]), head);
    assert!(host.only().body.contains("**This request is not renewed:**"), "{}", host.only().body);
    host.request().failure(3);
    assert_eq!(host.service.state().requests.changes, 1, "it is told once");
    host.edit("CHANGELOG.md", |text| text.replace("The first release.", "One."));
    host.request().success();
    assert!(!host.only().body.contains("not renewed") && host.only().body.contains("Add mast"));
}

#[test]
fn a_plan_says_what_would_be_done_and_does_nothing() {
    let host = Hosted::new(Kind::GitHub);
    let before = host.it.state();
    let plan = host.run_with(None, &["--request"]).success();
    assert!(
        plan.starts_with("pull request of tidings/release-main into main: Release 1.1.0\n\nbranch: to be pushed\n"),
        "{plan}"
    );
    assert!(plan.contains("    +## 1.1.0 (2024-03-09)\n") && plan.contains("\npull request: to be opened\n"), "{plan}");
    assert_eq!((host.it.state(), host.service.requests().len()), (before, 0));
    let document = host.run(&["--request", "--format", "json"]).json();
    assert_eq!((&document["state"], &document["title"]), (&"to_open".into(), &"Release 1.1.0".into()));
    assert!(host.run_with(None, &["--request", "-x"]).failure(1).contains("no token found for the "));
}

#[test]
fn when_nothing_is_left_to_release_the_request_is_closed() {
    for kind in KINDS {
        let host = Hosted::new(kind);
        host.request().success();
        host.it.repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
        host.it.repo.git(&["push", "-q", "--force", "origin", "main"]);
        let closed = host.request();
        assert_eq!(closed.code, 5, "{}", closed.stderr);
        let request = host.only();
        assert_eq!((request.state, request.comments.len()), ("closed", 1));
        assert_eq!(host.it.remote(&["for-each-ref", "refs/heads/tidings"]), "");
        host.request().failure(5);
        host.change("Add mast");
        host.request().success();
        assert_eq!(host.service.state().requests.all.len(), 2, "a new request for what is new");
    }
}

#[test]
fn a_request_that_people_closed_is_left_alone_until_the_version_changes() {
    for kind in KINDS {
        let host = Hosted::new(kind);
        host.request().success();
        let head = host.it.remote(&["rev-parse", BRANCH]);
        {
            let mut state = host.service.state();
            (state.requests.all[0].state, state.requests.all[0].last_head) = ("closed", head.trim().to_owned());
        }
        host.change("Add mast");
        let said = host.request().success();
        assert!(said.contains("was closed and is left alone until the version changes"), "{said}");
        assert_eq!(host.it.remote(&["rev-parse", BRANCH]), head);
    }
}

#[test]
fn a_branch_that_no_run_made_is_not_touched() {
    let host = Hosted::new(Kind::GitLab);
    host.it.repo.git(&["switch", "-q", "-c", "other"]);
    host.it.repo.commit("Theirs");
    host.it.repo.git(&["push", "-q", "origin", &format!("other:{BRANCH}")]);
    host.it.repo.git(&["switch", "-q", "main"]);
    let said = host.request().failure(1);
    assert!(
        said.contains("no commit of the branch `tidings/release-main` on the remote was made for a release"),
        "{said}"
    );
    assert!(said.contains("--request-branch"), "{said}");
    host.run(&["--request", "-x", "--request-branch", "next"]).success();
    assert_eq!(host.only().source, "next");
}

#[test]
fn what_broke_off_is_completed_by_the_next_run() {
    for kind in KINDS {
        let host = Hosted::new(kind);
        let refused = host.run_with(Some("reporter-token"), &["--request", "-x"]);
        assert_eq!(refused.code, 4, "{}", refused.stderr);
        assert_eq!(host.service.state().requests.all.len(), 0);
        host.request().success();
        host.change("Add mast");
        // Every request of a run fails once.
        for number in 0..12 {
            host.it.repo.change(&format!("Change {number}"), "added");
            host.it.repo.git(&["push", "-q", "origin", "main"]);
            for _ in 0..number {
                host.service.fail(Fault::Nothing);
            }
            host.service.fail(Fault::Status(500, "application/json", "{\"message\":\"500\"}".to_owned()));
            host.service.fail(Fault::Dropped);
            let _ = host.request();
            host.service.forget_faults();
            host.request().success();
            assert!(host.only().body.contains(&format!("Change {number}")), "{number}");
            assert_eq!(host.it.remote(&["rev-list", "--count", &format!("main..{BRANCH}")]).trim(), "1");
        }
    }
}

#[test]
fn commits_that_are_not_pushed_block_the_request() {
    let host = Hosted::new(Kind::GitLab);
    host.it.repo.change("Add mast", "added");
    let said = host.request().failure(1);
    assert!(said.contains("`main` is not the same as `main` on `origin`"), "{said}");
    assert!(said.contains("run `git push origin main` first"), "{said}");
}

#[test]
fn the_commit_of_a_request_deletes_the_change_files_that_it_lists() {
    let hosted = Hosted::new(Kind::GitLab);
    let repo = &hosted.it.repo;
    repo.file(".gitlab/changelog_config.yml", "source: files\n").file(".changeset/config.json", "{}\n");
    repo.file(".changeset/a.md", "---\napp: minor\n---\n\nAdd sail\n").commit("Write it down");
    repo.git(&["push", "-q", "origin", "main"]);
    hosted.request().success();
    repo.git(&["fetch", "-q", "origin"]);
    let names = repo.git(&["show", "--format=", "--name-status", &format!("origin/{BRANCH}")]);
    assert!(names.contains("D\t.changeset/a.md") && names.contains("CHANGELOG.md"), "{names}");
    // What people write in the request stays, and what is new comes in.
    repo.file(".changeset/b.md", "---\napp: patch\n---\n\nMend mast\n").commit("Write more down");
    repo.git(&["push", "-q", "origin", "main"]);
    hosted.request().success();
    repo.git(&["fetch", "-q", "origin"]);
    let names = repo.git(&["diff", "--name-status", "main", &format!("origin/{BRANCH}")]);
    assert!(names.contains("D\t.changeset/a.md") && names.contains("D\t.changeset/b.md"), "{names}");
}

#[test]
fn a_release_on_gitea_has_its_files_and_is_there_once() {
    let host = Hosted::new(Kind::Gitea);
    let file = host.it.repo.beside("crane.txt");
    std::fs::write(&file, "tall").unwrap();
    let arguments = ["1.1.0", "-x", "--asset", file.to_str().unwrap()];
    assert!(host.run(&arguments).success().starts_with("released 1.1.0 as v1.1.0: "));
    let first = host.service.state().github.releases.clone();
    let assets: Vec<_> = first[0].assets.iter().map(|asset| (asset.name.as_str(), asset.content.as_slice())).collect();
    assert_eq!((first.len(), first[0].draft, assets), (1, false, vec![("crane.txt", &b"tall"[..])]));
    assert!(host.run(&arguments).success().contains("already released"));
    assert_eq!(host.service.state().github.releases[0].assets.len(), 1);
    host.request().failure(5);
    let targets: Vec<String> = host.service.requests().iter().map(|request| request.target.clone()).collect();
    assert!(targets.iter().any(|target| target.contains("limit=50")), "{targets:?}");
    assert!(!targets.iter().any(|target| target.contains("per_page=")), "Gitea does not know it: {targets:?}");
}

#[test]
fn a_draft_is_left_for_people_to_publish() {
    for kind in [Kind::GitHub, Kind::Gitea] {
        let host = Hosted::new(kind);
        let draft = ["1.1.0", "-x", "--draft", "--latest", "never"];
        assert!(host.run(&draft).success().starts_with("released 1.1.0 as v1.1.0: "));
        assert!(host.service.state().github.releases[0].draft, "{kind:?}");
        assert!(host.run(&draft).success().contains("already released"));
        // Without the option the draft is published.
        assert!(host.run(&["1.1.0", "-x"]).success().contains("published"));
        let releases = host.service.state().github.releases.clone();
        assert_eq!((releases.len(), releases[0].draft), (1, false), "{kind:?}");
        assert!(host.run(&draft).success().contains("already released"), "a published release stays published");
    }
    let host = Hosted::new(Kind::GitLab);
    let before = host.it.repo.git(&["for-each-ref"]);
    let stderr = host.run(&["1.1.0", "-x", "--draft"]).failure(1);
    assert!(stderr.contains("GitLab has no drafts of releases"), "{stderr}");
    assert_eq!(host.it.repo.git(&["for-each-ref"]), before, "nothing was written");
}

#[test]
fn the_mark_of_the_latest_release_is_that_of_the_configuration_or_the_option() {
    let host = Hosted::new(Kind::GitHub);
    let mark = |arguments: &[&str]| {
        let plan = host.run(&[&["1.1.0", "--format", "json"], arguments].concat()).json();
        plan["steps"]["forge_release"]["requests"][0]["body"].clone()
    };
    assert_eq!(mark(&[])["make_latest"], "legacy");
    assert_eq!(mark(&["--latest", "never"])["make_latest"], "false");
    assert_eq!(mark(&["--draft"])["make_latest"], serde_json::Value::Null, "a draft has none");
    assert_eq!(mark(&["--prerelease"])["prerelease"], true);
    host.it.repo.write("tidings.yml", "latest: always\ndraft: false\n");
    assert_eq!(mark(&[])["make_latest"], "true");
}

#[test]
fn all_packages_share_one_request_and_are_each_released_once() {
    for (kind, how) in KINDS.into_iter().flat_map(|kind| ["merge", "squash", "rebase", "ff"].map(|how| (kind, how))) {
        let host = Hosted::new(kind);
        let repo = &host.it.repo;
        repo.file("tidings.yml", "packages:\n  crane: {paths: [crane]}\n  mast: {paths: [mast]}\n")
            .file("crane/x", "0\n")
            .file("mast/x", "0\n")
            .commit("Set up");
        repo.git(&["tag", "crane/v1.0.0"]);
        repo.git(&["tag", "mast/v1.0.0"]);
        repo.file("crane/x", "1\n").commit("Add hook\n\nChangelog: added");
        repo.file("mast/x", "1\n").commit("Mend sail\n\nChangelog: fixed");
        repo.git(&["push", "-q", "origin", "main", "--tags"]);
        let run = || host.run(&["--request", "--all-packages", "-x"]);
        assert!(run().success().contains("11: Release crane 1.1.0, mast 1.0.1\n"), "{kind:?}");
        assert!(run().success().contains(" is up to date: "), "{kind:?}");
        assert_eq!(host.service.state().requests.changes, 0, "{kind:?}");
        host.edit("crane/CHANGELOG.md", |text| text.replace("Add hook", "Add the hook"));
        repo.file("mast/x", "2\n").commit("Add boom\n\nChangelog: added");
        repo.git(&["push", "-q", "origin", "main"]);
        assert!(run().success().starts_with("renewed "), "{kind:?}");
        assert_eq!(host.only().title, "Release crane 1.1.0, mast 1.1.0");
        host.merge(how);
        let merged = repo.git(&["rev-parse", "main"]);
        let released = "released 1.1.0 as crane/v1.1.0: tagged, pushed, published\n\
                        released 1.1.0 as mast/v1.1.0: tagged, pushed, published\n";
        assert_eq!(run().success(), released, "{kind:?} {how}");
        run().failure(5);
        for tag in ["crane/v1.1.0", "mast/v1.1.0"] {
            assert_eq!(host.it.remote(&["rev-parse", &format!("{tag}^{{}}")]), merged, "{kind:?} {how} {tag}");
        }
        let published = host.published();
        let tags: Vec<_> = published.iter().map(|(tag, _)| tag.as_str()).collect();
        assert_eq!(tags, ["crane/v1.1.0", "mast/v1.1.0"], "{kind:?} {how}");
        assert!(published[0].1.contains("Add the hook") && !published[0].1.contains("boom"), "{published:?}");
        assert!(published[1].1.contains("Add boom") && published[1].1.contains("Mend sail"), "{published:?}");
        assert_eq!(host.service.state().requests.all.len(), 1, "{kind:?} {how}");
    }
}
