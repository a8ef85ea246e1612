//! Where a branch is pushed to: `branch.<name>.pushRemote`, `remote.pushDefault` and `branch.<name>.remote` in
//! git-config(1), else `origin` or the only remote there is.

use anyhow::{Context as _, Result};
use gix::{
    bstr::{BStr, ByteSlice as _},
    remote::Direction,
};

use super::Repo;
use crate::model::{Problem, mask_credentials};

/// A branch on a remote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upstream {
    /// The remote's name, or its URL.
    pub remote: String,
    /// The branch's full name there.
    pub branch: String,
}

impl Upstream {
    /// The remote's name as people may see it.
    #[must_use]
    pub fn shown(&self) -> String {
        mask_credentials(&self.remote)
    }

    /// The branch's name without `refs/heads/`.
    #[must_use]
    pub fn short(&self) -> &str {
        self.branch.strip_prefix("refs/heads/").unwrap_or(&self.branch)
    }
}

/// Where a local branch goes on the given remote, or on the one the settings name.
///
/// # Errors
/// Where there is no remote, or several and the settings name none.
pub fn find(repo: &Repo, branch: &str, given: Option<&str>) -> Result<Upstream> {
    let short: &BStr = branch.into();
    let name = |direction| repo.gix().branch_remote_name(short, direction).map(|name| name.as_bstr().to_string());
    let remote = match given {
        Some(given) => given.to_owned(),
        None => name(Direction::Push).map_or_else(|| default(repo), Ok)?,
    };
    let own = format!("refs/heads/{branch}");
    if name(Direction::Fetch).as_deref() != Some(&remote) {
        return Ok(Upstream { remote, branch: own });
    }
    let full = gix::refs::FullName::try_from(own.as_str()).with_context(|| format!("`{branch}` is no branch"))?;
    let merged = repo.gix().branch_remote_ref_name(full.as_ref(), Direction::Fetch).and_then(Result::ok);
    Ok(Upstream { remote, branch: merged.map_or(own, |merged| merged.as_bstr().to_str_lossy().into_owned()) })
}

fn default(repo: &Repo) -> Result<String> {
    let names: Vec<_> = repo.gix().remote_names().iter().map(ToString::to_string).collect();
    if let Some(name) = names.iter().find(|name| *name == "origin").or(names.first().filter(|_| names.len() == 1)) {
        return Ok(name.clone());
    }
    let problem = match names.as_slice() {
        [] => Problem::new("there is no remote to push to").hint("`git remote add origin URL` adds one"),
        several => Problem::new(format!("there are several remotes: {}", several.join(", ")))
            .hint("name one with `--remote`, or set `remote.pushDefault`"),
    };
    Err(problem.hint("`--no-push` leaves out what needs one").into())
}
