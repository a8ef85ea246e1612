//! `tidings release`, with a bare repository as the remote.

mod blockers;
pub mod by_request;
mod defaults;
mod flow;
mod forges;
mod github;
mod hooks;
mod host;
mod integrity;
mod merged;
mod packages;
mod resume;
mod undo;
mod unreleased;
mod version_files;
mod workspaces;

use crate::support::{Outcome, TestRepo, git_in};

/// A released version, a change since, and a remote that has all of it.
pub struct Released {
    pub repo: TestRepo,
}

impl Released {
    pub fn new() -> Self {
        let repo = TestRepo::new();
        repo.author();
        repo.file("CHANGELOG.md", "# Log\n\n## 1.0.0 (2024-01-01)\n\nOne.\n").commit("Begin");
        repo.annotated_tag("v1.0.0");
        repo.change("Add crane", "added");
        repo.git(&["init", "-q", "--bare", "-b", "main", "../remote.git"]);
        repo.git(&["remote", "add", "origin", "../remote.git"]);
        repo.git(&["push", "-q", "--set-upstream", "origin", "main", "v1.0.0"]);
        Self { repo }
    }

    /// Runs the command with a date.
    #[track_caller]
    pub fn release(&self, arguments: &[&str]) -> Outcome {
        self.repo.tidings(&[&["release", "--date", "2024-03-09"], arguments].concat())
    }

    /// Runs git in the remote.
    #[track_caller]
    pub fn remote(&self, arguments: &[&str]) -> String {
        git_in(&self.repo.beside("remote.git"), arguments, TestRepo::EPOCH)
    }

    /// Everything a run could change: references here and there, files and index.
    #[track_caller]
    pub fn state(&self) -> Vec<String> {
        let refs = ["for-each-ref", "--format=%(refname) %(objectname)"];
        vec![
            self.repo.git(&refs),
            self.remote(&refs),
            self.repo.git(&["status", "--porcelain=v2", "--untracked-files=all"]),
            self.repo.read("CHANGELOG.md"),
        ]
    }

    /// A hook of the remote: a shell script.
    #[track_caller]
    pub fn remote_hook(&self, name: &str, script: &str) {
        let hooks = self.repo.beside("remote.git").join("hooks");
        std::fs::create_dir_all(&hooks).unwrap();
        std::fs::write(hooks.join(name), format!("#!/bin/sh\n{script}\n")).unwrap();
        #[cfg(unix)]
        std::fs::set_permissions(hooks.join(name), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }

    /// Checks that 1.1.0 is released, here and on the remote, by one commit and one tag.
    #[track_caller]
    pub fn assert_released(&self) {
        let subjects = self.repo.git(&["log", "--format=%s", "v1.0.0..main"]);
        assert_eq!(subjects, "Release 1.1.0\nAdd crane");
        assert_eq!(self.repo.git(&["show", "--format=", "--name-only", "main"]), "CHANGELOG.md");
        for reference in ["refs/heads/main", "refs/tags/v1.1.0"] {
            assert_eq!(self.remote(&["rev-parse", reference]), self.repo.git(&["rev-parse", reference]));
        }
        assert_eq!(self.repo.git(&["rev-parse", "v1.1.0^{}"]), self.repo.git(&["rev-parse", "main"]));
        assert_eq!(self.repo.git(&["cat-file", "-t", "v1.1.0"]), "tag");
        let message = self.repo.git(&["for-each-ref", "--format=%(contents)", "refs/tags/v1.1.0"]);
        // What a server on loopback runs is unknown, so it is written to as to GitLab.
        let title = if message.contains("](http://127.") { "### added (1 change)" } else { "### Added" };
        assert!(message.starts_with(&format!("1.1.0 (2024-03-09)\n\n{title}\n\n- ")), "{message}");
        self.remote(&["fsck", "--strict", "--no-dangling"]);
    }
}

/// The message of a finished release.
pub const FINISHED: &str = "1.1.0 is already released as v1.1.0: commit ";
