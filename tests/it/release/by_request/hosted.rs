//! A repository whose remote is that of a project on a service of each kind.

use std::process::Command;

use crate::{
    release::Released,
    support::{Outcome, Service, remote::git_program, service::ReleaseRequest, tidings},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    GitLab,
    GitHub,
    Gitea,
}

pub const KINDS: [Kind; 3] = [Kind::GitLab, Kind::GitHub, Kind::Gitea];
pub const BRANCH: &str = "tidings/release-main";

/// A repository whose remote is that of a project on a service.
pub struct Hosted {
    pub released: Released,
    pub service: Service,
    kind: Kind,
}

impl Hosted {
    pub fn new(kind: Kind) -> Self {
        let released = Released::new();
        let remote = released.repo.beside("remote.git");
        let service = Service::with_repository(&remote);
        if kind != Kind::GitLab {
            service.state().github.repository = Some(remote);
        }
        Self { released, service, kind }
    }

    /// One whose remote is served by the service itself, over HTTP; `None`, with a message on stderr, if git cannot.
    pub fn over_http(kind: Kind) -> Option<Self> {
        git_program("git-http-backend")?;
        let host = Self::new(kind);
        let project = if kind == Kind::GitLab { "group/app" } else { "harbor/app" };
        let base = host.service.url().replace("://", "://oauth2:developer-token@");
        host.released.remote(&["config", "http.receivepack", "true"]);
        host.released.repo.git(&["remote", "set-url", "origin", &format!("{base}/{project}.git")]);
        Some(host)
    }

    /// Closes the request, as a person does on its page.
    pub fn close_request(&self) {
        let head = self.released.remote(&["rev-parse", BRANCH]);
        let mut state = self.service.state();
        let request = &mut state.requests.all[0];
        (request.state, request.last_head) = ("closed", head.trim().to_owned());
    }

    /// The command for the owner of a token, as a job of the forge runs it.
    pub fn program(&self, token: Option<&str>, arguments: &[&str]) -> Command {
        let mut program = tidings(self.released.repo.path());
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
        program.args(arguments);
        program
    }

    #[track_caller]
    pub fn run_with(&self, token: Option<&str>, arguments: &[&str]) -> Outcome {
        self.program(token, arguments).output().unwrap().into()
    }

    #[track_caller]
    pub fn run(&self, arguments: &[&str]) -> Outcome {
        self.run_with(Some("developer-token"), arguments)
    }

    /// Opens or renews the request.
    #[track_caller]
    pub fn request(&self) -> Outcome {
        self.run(&["--request", "-x"])
    }

    /// Returns the request, of which there is one.
    pub fn only(&self) -> ReleaseRequest {
        let all = self.service.state().requests.all.clone();
        assert_eq!(all.len(), 1, "{all:?}");
        all[0].clone()
    }

    /// Adds a change to the released branch.
    pub fn change(&self, title: &str) {
        self.released.repo.change(title, "added");
        self.released.repo.git(&["push", "-q", "origin", "main"]);
    }

    /// Makes two packages, each with a change since its release.
    pub fn add_packages(&self) {
        let repo = &self.released.repo;
        repo.file("tidings.yml", "packages:\n  crane: {paths: [crane]}\n  mast: {paths: [mast]}\n");
        repo.file("crane/x", "0\n").file("mast/x", "0\n").commit("Set up");
        repo.git(&["tag", "crane/v1.0.0"]);
        repo.git(&["tag", "mast/v1.0.0"]);
        repo.file("crane/x", "1\n").commit("Add hook\n\nChangelog: added");
        repo.file("mast/x", "1\n").commit("Mend sail\n\nChangelog: fixed");
        repo.git(&["push", "-q", "origin", "main", "--tags"]);
    }

    /// Takes the last change of the released branch back.
    pub fn take_back(&self) {
        self.released.repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
        self.released.repo.git(&["push", "-q", "--force", "origin", "main"]);
    }

    /// Edits a file on the branch of the request, as people do on the forge.
    pub fn edit(&self, path: &str, edit: impl Fn(&str) -> String) {
        let repo = &self.released.repo;
        repo.git(&["fetch", "-q", "origin", BRANCH]);
        repo.git(&["switch", "-q", "--detach", "FETCH_HEAD"]);
        repo.file(path, &*edit(&repo.read(path)));
        repo.git(&["commit", "-q", "-am", "Say it better", "--author", "Mona Reef <mona@harbor.example>"]);
        repo.git(&["push", "-q", "origin", &format!("HEAD:refs/heads/{BRANCH}")]);
        repo.git(&["switch", "-q", "main"]);
    }

    /// The changelog file on the branch of the request.
    pub fn changelog(&self) -> String {
        self.released.remote(&["show", &format!("{BRANCH}:CHANGELOG.md")])
    }

    /// Merges the request as the forge does it, and takes the result here.
    pub fn merge(&self, how: &str) {
        let (repo, title) = (&self.released.repo, self.only().title);
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
        self.released.remote(&["update-ref", "-d", &format!("refs/heads/{BRANCH}")]);
    }

    /// Returns the tags and the texts of the published releases.
    pub fn published(&self) -> Vec<(String, String)> {
        let state = self.service.state();
        match self.kind {
            Kind::GitLab => state.releases.all.iter().map(|one| (one.tag.clone(), one.description.clone())).collect(),
            Kind::GitHub | Kind::Gitea => {
                state.github.releases.iter().map(|one| (one.tag.clone(), one.body.clone())).collect()
            }
        }
    }
}
