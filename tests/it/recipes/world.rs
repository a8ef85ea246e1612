//! What every recipe is run in: a project with a release, changes since, a request, and a forge.

use std::{fs, path::PathBuf};

use crate::support::{
    Service, TestRepo, git_in,
    remote::{Running, Server},
};

/// A project on a forge. Its remote is at `harbor/app.git` of the git server.
pub struct World {
    pub repo: TestRepo,
    pub service: Service,
    pub server: Running,
}

impl World {
    /// `None` if git has no HTTP server here. `packages` are directories that are released by themselves.
    pub fn new(packages: &[&str]) -> Option<Self> {
        let repo = TestRepo::new();
        repo.author();
        repo.file("CHANGELOG.md", "# Changelog\n\n## 1.0.0 (2024-01-01)\n\n- Begin\n");
        repo.file("Makefile", "dist:\n\tmkdir -p dist\n\techo 1 >dist/app.tar.gz\n\techo 1 >dist/app.zip\n");
        for package in packages {
            repo.file(&format!("{package}/lamp"), "1");
        }
        if !packages.is_empty() {
            let listed = packages.join(":\n  ");
            repo.file("tidings.yml", format!("source: trailers\npackages:\n  {listed}:\n"));
        }
        repo.commit("Begin");
        repo.tag("v1.0.0");
        for package in packages {
            repo.tag(&format!("{package}/v1.0.0"));
            repo.file(&format!("{package}/lamp"), "2");
        }
        repo.change("Light the lamps", "added");
        repo.change("Mend the crane", "fixed");
        repo.git(&["init", "-q", "--bare", "-b", "main", "../harbor/app.git"]);
        let bare = repo.beside("harbor/app.git");
        git_in(&bare, &["config", "http.receivepack", "true"], TestRepo::EPOCH);
        repo.git(&["remote", "add", "origin", bare.to_str().unwrap()]);
        repo.git(&["push", "-q", "-u", "origin", "main", "--tags"]);
        // A request of one good commit, as a forge keeps it, with the merge that it makes of it.
        repo.git(&["switch", "-q", "-c", "sail"]);
        repo.change("Hoist the sail", "added");
        repo.git(&["switch", "-q", "--detach", "main"]);
        repo.git(&["merge", "-q", "--no-ff", "-m", "Merge sail into main", "sail"]);
        for requests in ["pull", "merge-requests"] {
            let (merge, head) = (format!("HEAD:refs/{requests}/7/merge"), format!("sail:refs/{requests}/7/head"));
            repo.git(&["push", "-q", "origin", &merge, &head]);
        }
        repo.git(&["switch", "-q", "main"]);
        let server = Server::of_directory(repo.path().parent().unwrap()).http()?;
        let service = Service::with_repository(&bare);
        service.state().github.repository = Some(bare);
        Some(Self { repo, service, server })
    }

    pub fn bare(&self) -> PathBuf {
        self.repo.beside("harbor/app.git")
    }

    pub fn url(&self) -> String {
        self.server.url("http", "harbor/app.git")
    }

    /// The address of the forge: that of its git server.
    pub fn home(&self) -> String {
        self.url().strip_suffix("/harbor/app.git").expect("it ends like that").to_owned()
    }

    /// What a ref of the remote names.
    pub fn resolve(&self, reference: &str) -> String {
        git_in(&self.bare(), &["rev-parse", &format!("{reference}^{{commit}}")], TestRepo::EPOCH)
    }

    /// Pushes a tag of the tip of the branch, as a person does.
    pub fn tag(&self, name: &str) {
        self.repo.annotated_tag(name);
        self.repo.git(&["push", "-q", "origin", name]);
    }

    /// A directory that is empty.
    pub fn directory(&self, name: &str) -> PathBuf {
        let path = self.repo.beside(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).unwrap();
        path
    }

    /// How many releases there are on the forge, and requests of one.
    pub fn published(&self) -> (usize, usize) {
        let state = self.service.state();
        let on_github = state.github.releases.iter().filter(|release| !release.draft).count();
        (on_github + state.releases.all.len(), state.requests.all.len())
    }

    /// Merges the request of a release, as a person does on its page.
    pub fn merge_release(&self) {
        self.repo.git(&["fetch", "-q", "origin", "main"]);
        self.repo.git(&["fetch", "-q", "origin", "tidings/release-main"]);
        self.repo.git(&["reset", "-q", "--hard", "origin/main"]);
        self.repo.git(&["merge", "-q", "--no-ff", "-m", "Merge the release", "FETCH_HEAD"]);
        self.repo.git(&["push", "-q", "origin", "main"]);
        self.service.state().requests.all[0].state = "merged";
    }
}
