//! The checkouts of CI jobs, with the refspecs that `actions/checkout` (v4 to v6) and GitLab's runner fetch.

use std::path::{Path, PathBuf};

use super::{
    repo::{TestRepo, git_in},
    run::{Outcome, tidings},
};

/// A job with a checkout of its own.
pub struct Job {
    directory: PathBuf,
    variables: Vec<(&'static str, String)>,
}

impl Job {
    /// Makes an empty checkout, as every job begins.
    fn new(repo: &TestRepo, url: &str, variables: &[(&'static str, &str)]) -> Self {
        let directory = repo.beside("job");
        let _ = std::fs::remove_dir_all(&directory);
        let variables = variables.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        let job = Self { directory, variables };
        repo.git(&["init", "-q", job.directory.to_str().unwrap()]);
        job.git(&["remote", "add", "origin", url]);
        job
    }

    /// Fetches and checks out a commit as `actions/checkout` does for a ref of GitHub. A depth of 0 is everything.
    pub fn github(repo: &TestRepo, url: &str, (reference, commit): (&str, &str), depth: u32) -> Self {
        let job = Self::new(repo, url, &[("CI", "true"), ("GITHUB_ACTIONS", "true"), ("GITHUB_REF", reference)]);
        let own = match reference.strip_prefix("refs/heads/") {
            Some(branch) => format!("refs/remotes/origin/{branch}"),
            None => reference.replace("refs/pull/", "refs/remotes/pull/"),
        };
        let refspec = format!("+{commit}:{own}");
        let options = ["-c", "protocol.version=2", "fetch", "--prune", "--no-recurse-submodules"];
        if depth == 0 {
            let all = ["origin", "+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"];
            job.git(&[&options[..], &all].concat());
            // It makes sure of the commit, which a branch may have left behind.
            if !own.starts_with("refs/remotes/origin/") || job.git(&["rev-parse", &own]) != commit {
                job.git(&[&options[..], &["--no-tags", "origin", &refspec]].concat());
            }
        } else {
            let depth = format!("--depth={depth}");
            job.git(&[&options[..], &["--no-tags", &depth, "origin", &refspec]].concat());
        }
        match reference.strip_prefix("refs/heads/") {
            Some(branch) => job.git(&["checkout", "-q", "--force", "-B", branch, &own]),
            None => job.git(&["checkout", "-q", "--force", &own]),
        };
        job
    }

    /// Fetches and checks out a commit as GitLab's runner does, with the refspecs that GitLab gives it. A depth of 0 is
    /// everything.
    pub fn gitlab(repo: &TestRepo, url: &str, (reference, commit): (&str, &str), depth: u32) -> Self {
        let job = Self::new(repo, url, &[("CI", "true"), ("GITLAB_CI", "true")]);
        let pipeline = format!("+{commit}:refs/pipelines/7");
        let own = match reference.strip_prefix("refs/heads/") {
            Some(branch) => Some(format!("+{reference}:refs/remotes/origin/{branch}")),
            None if reference.starts_with("refs/tags/") => Some(format!("+{reference}:{reference}")),
            // Of a merge request it fetches nothing but the ref of the pipeline.
            None => None,
        };
        let all = ["+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"];
        let refspecs = if depth == 0 { all.to_vec() } else { own.as_deref().into_iter().collect() };
        let limit = format!("--depth={depth}");
        let options = if depth == 0 { vec![] } else { vec![limit.as_str()] };
        job.git(&[&["fetch", "origin"], &options[..], &[&pipeline], &refspecs, &["--prune", "--quiet"]].concat());
        job.git(&["checkout", "-f", "-q", commit]);
        job
    }

    pub fn set(mut self, name: &'static str, value: &str) -> Self {
        self.variables.push((name, value.to_owned()));
        self
    }

    pub fn git(&self, arguments: &[&str]) -> String {
        git_in(&self.directory, arguments, TestRepo::EPOCH + 90_000)
    }

    /// Sets the name and address with which git and the program commit.
    pub fn author(self) -> Self {
        self.git(&["config", "user.name", "Ida"]);
        self.git(&["config", "user.email", "ida@harbor.example"]);
        self
    }

    /// The path of the checkout.
    pub fn path(&self) -> &Path {
        &self.directory
    }

    pub fn run(&self, arguments: &[&str]) -> Outcome {
        self.run_with(arguments, &[])
    }

    /// Runs the program with further variables.
    pub fn run_with(&self, arguments: &[&str], variables: &[(&'static str, String)]) -> Outcome {
        let mut run = tidings(&self.directory);
        run.args(arguments).envs(self.variables.iter().chain(variables).map(|(name, value)| (name, value)));
        run.output().unwrap().into()
    }
}
