//! Remotes: their URLs and references, the branch that a push updates, and pushing. Git itself connects to them, with
//! the user's keys, helpers and hooks.

use std::{collections::HashMap, io::IsTerminal as _};

use anyhow::{Context as _, Result, anyhow};
use gix::{
    Remote,
    bstr::{BStr, ByteSlice as _},
    remote::Direction,
    url::Scheme,
};

use super::{Repo, fetch::RepoUrl, git_command::GitCommand, ssh_host::with_real_host};
use crate::model::{Oid, Problem, Project, public_address, secret_parts};

/// Returns the URL from which the remote `origin`, or a repository by URL itself, is fetched: after `url.*.insteadOf`,
/// and without what may be a secret.
#[must_use]
pub(crate) fn origin(repo: &Repo) -> Option<String> {
    match repo.server() {
        Some(server) => display_url(&repo.gix().remote_at(server.url()).ok()?),
        None => display_url(&repo.gix().try_find_remote("origin")?.ok()?),
    }
}

/// Returns the project that the remote `origin` is the address of; `None` for a local path.
pub(crate) fn project(repo: &Repo) -> Option<Project> {
    project_of(repo, "origin")
}

/// Returns the project that a remote, by its name or URL, is the address of. The address that was configured counts:
/// `url.*.insteadOf` says where git connects to, such as a mirror, and not where the pages are, unless it expands a
/// shorthand of the user.
pub(crate) fn project_of(repo: &Repo, remote: &str) -> Option<Project> {
    if repo.server().is_none()
        && let Some(project) = configured_project(repo, remote)
    {
        return Some(project);
    }
    let fetched = if remote == "origin" { origin(repo) } else { url(repo, remote) };
    fetched.and_then(|url| Project::from_remote(&real_address(repo, &url)))
}

/// Returns an address with the host that a name in the user's configuration of ssh stands for.
fn real_address(repo: &Repo, url: &str) -> String {
    if repo.is_isolated { url.to_owned() } else { with_real_host(url) }
}

/// Returns the project that the address of a remote names as it was configured.
fn configured_project(repo: &Repo, remote: &str) -> Option<Project> {
    let remote = repo.gix().try_find_remote_without_url_rewrite(remote)?.ok()?;
    let (url, written) = (display_url(&remote)?, remote.url(Direction::Fetch)?.scheme.clone());
    let project = Project::from_remote(&real_address(repo, &url))?;
    let is_web = matches!(written, Scheme::Http | Scheme::Https);
    (is_web || !project.assumes_forge()).then_some(project)
}

/// Returns the branches of `origin` that a fetch gets, if it does not get all, as in a clone with `--single-branch`.
pub(crate) fn only_branches(repo: &Repo) -> Option<Vec<String>> {
    let origin = repo.gix().try_find_remote("origin")?.ok()?;
    let sources = origin.refspecs(Direction::Fetch).iter().map(|spec| spec.to_ref().source().map(BStr::to_string));
    let branches = sources.map(|source| Some(source?.strip_prefix("refs/heads/")?.to_owned()));
    let branches = branches.collect::<Option<Vec<_>>>()?;
    let is_all = branches.is_empty() || branches.iter().any(|branch| branch.contains('*'));
    (!is_all).then_some(branches)
}

/// Returns the URL of the remote with this name or URL, in the form of [`origin`].
pub(crate) fn url(repo: &Repo, remote: &str) -> Option<String> {
    let named = repo.gix().try_find_remote(remote);
    display_url(&named.unwrap_or_else(|| repo.gix().remote_at(remote)).ok()?)
}

/// Returns the URL from which a clone's remote `origin` is fetched, with user and password; `None` if the repository
/// is itself read from a server, or the URL has a scheme from which nothing is fetched.
pub(crate) fn fetch_url(repo: &Repo) -> Option<RepoUrl> {
    let remote = repo.gix().try_find_remote("origin")?.ok().filter(|_| repo.server().is_none())?;
    let mut url = remote.url(Direction::Fetch)?.clone();
    let directory = std::path::absolute(repo.work_tree().unwrap_or(repo.git_dir())).ok()?;
    url.canonicalize(&directory).ok()?;
    let is_known = matches!(url.scheme, Scheme::Http | Scheme::Https | Scheme::Ssh | Scheme::Git | Scheme::File);
    is_known.then(|| url.into())
}

/// Refuses a remote that a file of the repository names, unless it is one of git's configuration or on a server: a push
/// to a directory runs the hooks that are in it.
pub(crate) fn check_of_repository(repo: &Repo, remote: &str) -> Result<()> {
    let is_on_server = matches!(RepoUrl::parse(remote), Ok(Some(url)) if !url.is_local());
    if is_on_server || repo.gix().remote_names().iter().any(|name| name.as_bstr() == remote) {
        return Ok(());
    }
    let shown = public_address(remote);
    Err(Problem::new(format!(
        "the configuration names the remote `{shown}`, which is neither one of git's nor on a server"
    ))
    .hint(format!("run `git remote add NAME {shown}` and configure that name, or use `--remote {shown}`"))
    .into())
}

fn display_url(remote: &Remote) -> Option<String> {
    Some(public_address(&remote.url(Direction::Fetch)?.to_bstring().to_str_lossy()))
}

/// A branch on a remote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Upstream {
    /// The remote's name, or its URL.
    pub remote: String,
    /// The branch's full name there.
    pub branch: String,
}

impl Upstream {
    /// Returns the remote's name, or its URL without anything that may be secret.
    pub(crate) fn display_name(&self) -> String {
        public_address(&self.remote)
    }

    /// Returns the branch's name without `refs/heads/`.
    pub(crate) fn short(&self) -> &str {
        self.branch.strip_prefix("refs/heads/").unwrap_or(&self.branch)
    }
}

/// Finds the branch that a push of a local one updates: on the given remote, or that of `branch.<name>.pushRemote`,
/// `remote.pushDefault` and `branch.<name>.remote` (git-config(1)), else on `origin` or the only remote.
pub(crate) fn upstream(repo: &Repo, branch: &str, given: Option<&str>) -> Result<Upstream> {
    let short: &BStr = branch.into();
    let name = |direction| repo.gix().branch_remote_name(short, direction).map(|name| name.as_bstr().to_string());
    let remote = match given {
        Some(given) => given.to_owned(),
        None => name(Direction::Push).map_or_else(|| default_remote(repo), Ok)?,
    };
    let own = format!("refs/heads/{branch}");
    if name(Direction::Fetch).as_deref() != Some(&remote) {
        return Ok(Upstream { remote, branch: own });
    }
    let full = gix::refs::FullName::try_from(own.as_str()).with_context(|| format!("`{branch}` is not a branch"))?;
    let merged = repo.gix().branch_remote_ref_name(full.as_ref(), Direction::Fetch).and_then(Result::ok);
    Ok(Upstream { remote, branch: merged.map_or(own, |merged| merged.as_bstr().to_str_lossy().into_owned()) })
}

fn default_remote(repo: &Repo) -> Result<String> {
    let names: Vec<_> = repo.gix().remote_names().iter().map(ToString::to_string).collect();
    if let Some(name) = names.iter().find(|name| *name == "origin").or(names.first().filter(|_| names.len() == 1)) {
        return Ok(name.clone());
    }
    let problem = match names.as_slice() {
        [] => {
            Problem::new("the repository has no remote to push to").hint("run `git remote add origin URL` to add one")
        }
        several => Problem::new(format!("there are several remotes: {}", several.join(", ")))
            .hint("name one with `--remote`, or set `remote.pushDefault`"),
    };
    Err(problem.hint("use `--no-push` to skip the steps that need one").into())
}

/// Lists the branches and tags of a remote by their full names, with the objects that they point at; `TAG^{}` is the
/// commit of an annotated tag.
pub(crate) fn ls_remote(repo: &Repo, remote: &str) -> Result<HashMap<String, Oid>> {
    let git = git_for_remote(repo, remote).args(["ls-remote", "--heads", "--tags", "--", remote]);
    let unreachable = || {
        Problem::new(format!("cannot reach the remote `{}`", public_address(remote)))
            .hint("check its URL with `git remote -v`, and the connection with `git ls-remote`")
    };
    git.run("").with_context(unreachable)?.stdout.lines().map(parse_reference).collect()
}

fn parse_reference(line: &str) -> Result<(String, Oid)> {
    let listed = line.split_once('\t').and_then(|(id, name)| Some((name.to_owned(), id.parse().ok()?)));
    listed.ok_or_else(|| anyhow!("`{line}` is not a line of `git ls-remote`"))
}

/// Pushes references, all of them or none (git-push(1)). Returns the output of git, its hooks and the remote.
pub(crate) fn push(repo: &Repo, remote: &str, refspecs: &[String]) -> Result<String> {
    let git = git_for_remote(repo, remote).args(["push", "--atomic", "--", remote]).args(refspecs);
    Ok(git
        .run("")
        .with_context(|| {
            Problem::new(format!("the push to `{}` failed; nothing was changed there", public_address(remote)))
                .hint("the local commit and tag are kept: fix the cause and run the same command again")
        })?
        .all())
}

/// Fetches a branch of a remote, by its full name, into the objects of the repository; no branch changes.
pub(crate) fn fetch_branch(repo: &Repo, remote: &str, branch: &str) -> Result<()> {
    let git = git_for_remote(repo, remote).args(["fetch", "--quiet", "--no-tags", "--", remote, branch]);
    git.run("")
        .with_context(|| Problem::new(format!("cannot fetch `{branch}` from `{}`", public_address(remote))))
        .map(drop)
}

/// Lets a branch of a remote, by its full name, point to a commit, or deletes it. Refused unless the branch is where it
/// was expected, or absent if `expected` is `None`.
pub(crate) fn push_with_lease(
    repo: &Repo,
    remote: &str,
    branch: &str,
    commit: Option<Oid>,
    expected: Option<Oid>,
) -> Result<String> {
    let name = |id: Option<Oid>| id.map(|id| id.to_string()).unwrap_or_default();
    let lease = format!("--force-with-lease={branch}:{}", name(expected));
    let refspec = format!("{}:{branch}", name(commit));
    let git = git_for_remote(repo, remote).args(["push", &lease, "--", remote, &refspec]);
    let refused = || {
        let short = branch.strip_prefix("refs/heads/").unwrap_or(branch);
        Problem::new(format!("the push of `{short}` to `{}` failed; nothing was changed there", public_address(remote)))
            .hint("if somebody else pushed to it at the same time, run the same command again")
            .hint("check that the token may push branches, and that no rule protects this one from force pushes")
    };
    Ok(git.run("").with_context(refused)?.all())
}

/// Returns a git command with the user's keys and helpers. It asks for credentials only if there is a terminal. Git
/// repeats the query of a URL in its messages, from which it is removed.
fn git_for_remote(repo: &Repo, remote: &str) -> GitCommand {
    let named = repo.gix().try_find_remote(remote).and_then(Result::ok);
    let of_config = [Direction::Fetch, Direction::Push]
        .map(|direction| named.as_ref().and_then(|named| named.url(direction)).map(|url| url.to_bstring().to_string()));
    let addresses = of_config.iter().flatten().map(String::as_str).chain([remote]);
    let git = addresses.flat_map(secret_parts).fold(GitCommand::new(repo), GitCommand::hide);
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if std::io::stdin().is_terminal() && !is_set("CI") {
        return git;
    }
    let git = git.env("GIT_TERMINAL_PROMPT", "0").env("GCM_INTERACTIVE", "never");
    let is_configured = repo.gix().config_snapshot().string("core.sshCommand").is_some();
    if is_configured || is_set("GIT_SSH_COMMAND") || is_set("GIT_SSH") {
        return git;
    }
    git.env("GIT_SSH_COMMAND", "ssh -o BatchMode=yes")
}
