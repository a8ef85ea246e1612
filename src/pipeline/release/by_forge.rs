//! Commits that the forge makes in place of this program, so that they are verified.
//!
//! Each is made here first, and no branch points to it. The forge makes the same one on a branch of its own, from which it
//! is fetched. Only if its files are those that were planned, anything else moves: branch and tag are pushed as always.

use crate::{
    api::commits::CommitApi,
    git::{
        Repo,
        commit::{self, CommitRequest, CommitResult, EditFn},
        commit_record, merge,
        merge_base::is_ancestor,
        remote, revision,
    },
    model::{ForgeCommit, ForgeEdit, Oid, Problem, Project},
};

/// A forge that makes commits, and the remote that it serves.
pub(crate) struct ForgeCommitter<'a> {
    pub repo: &'a Repo,
    pub remote: &'a str,
    pub api: &'a dyn CommitApi,
}

/// A commit that was made here.
struct LocalCommit {
    id: Oid,
    message: String,
    edits: Vec<ForgeEdit>,
}

impl ForgeCommitter<'_> {
    /// Commits files as [`commit::commit`] does; the branch here follows.
    pub(super) fn commit(&self, request: &CommitRequest, edit: &mut EditFn) -> anyhow::Result<Option<CommitResult>> {
        let base = commit::branch(self.repo, request.branch)?;
        // The forge signs it.
        let request = CommitRequest { sign: false, ..*request };
        let Some(local) = commit::build(self.repo, &request, edit)? else { return Ok(None) };
        let id = self.remake(local, &[base.tip], base.name.as_deref().unwrap_or("HEAD"))?;
        commit::follow(self.repo, &request, id)?;
        Ok(Some(CommitResult { id, branch: base.name, changes: Vec::new(), output: String::new() }))
    }

    /// Lets the forge make the commits that lead to `head` from what is `known` to the remote or will be pushed with
    /// them. Returns the ID of the last. The branch they are made on is named after the one they are for, so that a run
    /// that was killed leaves nothing that the next one would not reuse and delete.
    pub(crate) fn remake(&self, head: Oid, known: &[Oid], target: &str) -> anyhow::Result<Oid> {
        let (mut commits, mut base) = (Vec::new(), head);
        while !self.is_in(base, known)? {
            commits.push(LocalCommit::read(self.repo, base)?);
            base = revision::resolve(self.repo, &format!("{base}^"))?;
        }
        commits.reverse();
        if commits.is_empty() {
            return Ok(head);
        }
        let branch = format!("tidings/commit-{target}");
        let made = self.make(&branch, base, commits);
        let deleted = remote::push(self.repo, self.remote, &[format!(":refs/heads/{branch}")]);
        let made = made?;
        deleted.map(|_| made)
    }

    fn is_in(&self, commit: Oid, known: &[Oid]) -> anyhow::Result<bool> {
        for tip in known {
            if is_ancestor(self.repo, commit, *tip)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Makes the commits on a new branch.
    fn make(&self, branch: &str, base: Oid, commits: Vec<LocalCommit>) -> anyhow::Result<Oid> {
        let full = format!("refs/heads/{branch}");
        remote::push(self.repo, self.remote, &[format!("+{base}:{full}")])?;
        let mut parent = base;
        for LocalCommit { id, message, edits } in commits {
            let made = self.api.commit(&ForgeCommit { branch: branch.to_owned(), parent, message, edits })?;
            remote::fetch_branch(self.repo, self.remote, &full)?;
            let is_on_top = revision::first_parent(self.repo, made)? == Some(parent);
            if !is_on_top || merge::tree_of(self.repo, made)? != merge::tree_of(self.repo, id)? {
                return Err(Problem::new(format!("the forge made {}, which is not what was planned", made.short()))
                    .hint("leave out `--commit-through-api`, so that the commit is made here")
                    .into());
            }
            parent = made;
        }
        Ok(parent)
    }
}

impl LocalCommit {
    fn read(repo: &Repo, id: Oid) -> anyhow::Result<Self> {
        let message = commit_record::load(repo, id, &Project::default())?.message;
        Ok(Self { id, message, edits: commit::edits_of(repo, id)? })
    }
}
