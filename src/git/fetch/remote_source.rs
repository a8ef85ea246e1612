//! What a repository asks of its server.

use std::rc::Rc;

use anyhow::{Context as _, Result};
use gix::ObjectId;

use super::{
    lazy_remote::{LazyRemote, Published},
    options::FetchPhase,
    request::{FetchRequest, ObjectFilter},
};
use crate::{
    git::{RemoteSource, Repo, object_id, oid, revision},
    model::{Oid, Problem, Range},
};

impl RemoteSource for LazyRemote {
    fn url(&self) -> gix::Url {
        self.url.gix().clone()
    }

    fn bytes(&self) -> u64 {
        self.server.borrow().bytes()
    }

    fn tag(&self, name: &str) -> Option<Oid> {
        self.references.borrow().tag(name).map(|commit| oid(&commit))
    }

    fn resolve(&self, history: &Repo, spec: &str) -> Result<Oid> {
        let (name, suffix) = spec.split_at(spec.find(['~', '^']).unwrap_or(spec.len()));
        let name = if ["", "@"].contains(&name) { "HEAD" } else { name };
        let revision = match ObjectId::from_hex(name.as_bytes()) {
            Ok(id) => self.check_commit(id).map(|()| id)?,
            Err(_) => match self.named(name)? {
                Some(id) => id,
                None if is_abbreviated(name) => return self.search(history, name, spec),
                None => return Err(self.unknown(name).into()),
            },
        };
        if ["", "^{}", "^{commit}", "^0"].contains(&suffix) {
            return Ok(oid(&revision));
        }
        let named = format!("{revision}{suffix}");
        let context = || self.unknown(spec);
        if let Some(steps) = steps_back(suffix) {
            return revision::commit(&self.newest(&[revision], steps + 1)?, &named).with_context(context);
        }
        self.fetch_ancestors(history.gix(), revision)?;
        revision::commit(history, &named).with_context(context)
    }

    /// The server has nothing to send for an ancestor to whom has the other commit.
    fn is_ancestor(&self, ancestor: Oid, of: Oid) -> Result<bool> {
        let Published { tips, own } = self.published(object_id(ancestor))?;
        let haves = self.published(object_id(of))?.tips;
        let wanted = FetchRequest { ids: &tips, haves: &haves, ..FetchRequest::default() };
        Ok(own.is_empty() && self.fetch_files(FetchPhase::Commits, wanted)?.objects == 0)
    }

    fn fetch_range(&self, history: &gix::Repository, range: Range) -> Result<Option<Rc<Repo>>> {
        self.fetch_commits(history, range)
    }

    fn fetch_histories(&self, history: &gix::Repository, commits: &[ObjectId]) -> Result<()> {
        LazyRemote::fetch_histories(self, history, commits)
    }

    fn excerpt(&self, hidden: ObjectId, tips: &[ObjectId]) -> Result<Repo> {
        self.fetch_beside(hidden, tips)
    }

    fn newest(&self, tips: &[ObjectId], generations: u32) -> Result<Repo> {
        self.fetch_excerpt(FetchRequest { ids: tips, generations, ..FetchRequest::default() })
    }

    /// Servers that do not send single objects send all trees of the commit, and all its files if the path is one.
    fn with_file(&self, commit: Oid, path: &str) -> Result<&gix::Repository> {
        let (commit, files) = (object_id(commit), self.files.gix());
        let mut tree = self.fetch_root(commit)?;
        for part in path.split('/') {
            let entries = files.find_tree(tree)?;
            let Some(entry) = entries.find_entry(part) else { break };
            // Submodules are commits of another repository.
            if !entry.mode().is_commit() {
                self.fetch_object_of(commit, entry.object_id())?;
            }
            if !entry.mode().is_tree() {
                break;
            }
            tree = entry.object_id();
        }
        Ok(files)
    }

    fn with_trees(&self, mut commits: Vec<ObjectId>) -> Result<&Repo> {
        commits.sort_unstable();
        commits.dedup();
        if commits.len() > 1 && !self.server.borrow().can_send_any_object() {
            let problem = Problem::new(format!("`{}` cannot send the trees of single commits", self.url));
            return Err(problem.hint("clone it, and run the command in the clone").into());
        }
        self.fetch_snapshots(&commits, ObjectFilter::NoBlobs)
    }

    fn with_blobs(&self, commit: Oid) -> Result<&Repo> {
        self.fetch_snapshots(&[object_id(commit)], ObjectFilter::Unfiltered)
    }

    fn with_blob(&self, history: &Repo, name: &str) -> Result<(&Repo, String)> {
        if let Some((revision, path)) = name.split_once(':') {
            let commit = self.resolve(history, revision)?;
            self.with_file(commit, path)?;
            return Ok((&self.files, format!("{commit}:{path}")));
        }
        if let Ok(id) = ObjectId::from_hex(name.as_bytes()) {
            self.fetch_object(id)?;
        }
        Ok((&self.files, name.to_owned()))
    }
}

impl LazyRemote {
    /// The commit that a reference points at, after asking the server for it.
    fn named(&self, name: &str) -> Result<Option<ObjectId>> {
        let known = self.references.borrow().find(name);
        match known {
            Some(id) => Ok(Some(id)),
            None => self.references.borrow_mut().request(name, &mut self.server.borrow_mut()),
        }
    }

    /// Looks for an abbreviated ID in the history of HEAD.
    fn search(&self, history: &Repo, name: &str, spec: &str) -> Result<Oid> {
        let head = self.named("HEAD")?.ok_or_else(|| self.unknown(name))?;
        self.fetch_ancestors(history.gix(), head)?;
        revision::commit(history, spec).with_context(|| self.unknown(name))
    }
}

/// The number of generations that a suffix leads back, if it is made of `^`, `^2` and `~3` alone.
fn steps_back(suffix: &str) -> Option<u32> {
    let mut steps: u32 = 0;
    for (place, sign) in suffix.match_indices(['^', '~']) {
        let rest = &suffix[place + 1..];
        let number = rest.split(['^', '~']).next().unwrap_or_default();
        let number: u32 = if number.is_empty() { 1 } else { number.parse().ok()? };
        steps = steps.checked_add(if sign == "^" { 1 } else { number })?;
    }
    Some(steps)
}

fn is_abbreviated(name: &str) -> bool {
    name.len() >= 4 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}
