//! The context that all releases of a run share, read once.

use std::{
    cell::{OnceCell, RefCell},
    collections::HashMap,
    path::PathBuf,
};

use super::ReleaseRequest;
use crate::{
    git::{
        Repo,
        commit::{self, Branch},
        remote::{self, Upstream},
        tags::Tag,
    },
    model::{Oid, Problem, ProblemKind, Version, Warning},
    pipeline::{
        base::{last_release::last_release, tags::Tags},
        packages::{configured::ConfiguredPackages, dependents::PackageDependencies},
        scope::{Scope, request::RangeSpec},
    },
};

/// A repository with its configuration, its tags, the branch to release from, and the remote to push to.
#[derive(Debug)]
pub(crate) struct ReleaseContext<'a> {
    /// The whole repository, up to the tip of the branch.
    pub scope: Scope<'a>,
    pub(super) branch: String,
    /// The given changelog file.
    file: Option<PathBuf>,
    remote: OnceCell<Option<RemoteState>>,
    /// Why the remote cannot be asked, until that is reported.
    remote_failure: RefCell<Option<anyhow::Error>>,
    /// The requirements between packages.
    pub dependencies: PackageDependencies<'a>,
}

impl<'a> ReleaseContext<'a> {
    /// Loads the context; the remote is asked when it is first needed.
    pub(crate) fn load(repo: &'a Repo, request: &ReleaseRequest) -> anyhow::Result<Self> {
        let Branch { name, tip } = commit::branch(repo, request.branch.as_deref())?;
        // To publish a tag takes no branch: the job of a pushed tag has none checked out.
        let branch = match name {
            Some(name) => name,
            None if request.steps.commit => return Err(detached_head().into()),
            None => DETACHED.to_owned(),
        };
        let mut changelog = request.changelog.clone();
        changelog.config_source.package = None;
        changelog.range.to = tip.to_string();
        let mut scope = Scope::open(repo, changelog)?;
        if request.changelog.config_source.package.is_some() {
            scope = scope.with_tool_packages()?;
        }
        let dependencies = PackageDependencies::new(&scope);
        let (file, remote, remote_failure) = (request.file.clone(), OnceCell::new(), RefCell::default());
        Ok(Self { scope, branch, file, remote, remote_failure, dependencies })
    }

    /// Reads the history that the releases of all packages share, in one walk. Returns the packages too, those that others
    /// require first, and warnings of requirements that the order does not meet.
    pub(crate) fn with_packages(
        self,
        request: &ReleaseRequest,
    ) -> anyhow::Result<(Self, Vec<Scope<'a>>, Vec<Warning>)> {
        let ConfiguredPackages { whole, packages, mut dependencies, warnings } = self.scope.packages()?;
        dependencies.plan_circles(&request.bump);
        Ok((Self { scope: whole, dependencies, ..self }, packages, warnings))
    }

    /// Returns the scope of a package or of the whole repository.
    pub(super) fn scope_of(&self, package: Option<&str>) -> anyhow::Result<Scope<'a>> {
        let scope = package.map_or_else(|| Ok(self.scope.clone()), |name| self.scope.package(name));
        Ok(scope?.with_changelog_file(self.file.as_deref()))
    }

    /// Returns the changelog file of a package or of the whole repository.
    pub(super) fn file_of(&self, package: Option<&str>) -> anyhow::Result<PathBuf> {
        let file = match &self.file {
            Some(file) => file.clone(),
            None => self.scope_of(package)?.changelog_file()?.into(),
        };
        // One that leads nowhere stays as it is, and blocks the plan.
        Ok(commit::canonical(self.scope.repo, &file).unwrap_or(file))
    }

    /// Returns the package and the version of a tag; `None` if no configuration reads a version from its name.
    fn identify(&self, tag: &str) -> anyhow::Result<Option<(Option<&str>, Version)>> {
        let packages = self.scope.config().packages.keys().map(|name| Some(name.as_str()));
        for package in packages.chain([None]) {
            if let Some(version) = Tags::load(&self.scope_of(package)?)?.version(tag) {
                return Ok(Some((package, version)));
            }
        }
        Ok(None)
    }

    /// Returns the state of a request's remote; `None` if an earlier call reported that it cannot be asked.
    pub(super) fn remote(&self, request: &ReleaseRequest) -> anyhow::Result<Option<&RemoteState>> {
        let state = self.known_remote(request);
        self.remote_failure.take().map_or(Ok(state), Err)
    }

    /// Returns the state of a request's remote; if it cannot be asked, [`Self::remote`] reports why.
    fn known_remote(&self, request: &ReleaseRequest) -> Option<&RemoteState> {
        self.remote
            .get_or_init(|| {
                self.named_remote(request)
                    .and_then(|named| RemoteState::fetch(self.scope.repo, &self.branch, named))
                    .map_err(|error| drop(self.remote_failure.replace(Some(error))))
                    .ok()
            })
            .as_ref()
    }

    /// Returns the remote that the request names, else the one that the configuration does.
    fn named_remote<'r>(&'r self, request: &'r ReleaseRequest) -> anyhow::Result<Option<&'r str>> {
        if request.remote.is_some() {
            return Ok(request.remote.as_deref());
        }
        let configured = self.scope.config().release.remote.as_deref();
        configured.map_or(Ok(()), |remote| remote::check_of_repository(self.scope.repo, remote))?;
        Ok(configured)
    }

    /// Whether the remote has a tag of the repository.
    pub(super) fn is_pushed(&self, request: &ReleaseRequest, name: &str, tag: Tag) -> bool {
        self.known_remote(request).is_some_and(|remote| remote.has_tag(name, tag))
    }

    /// Returns the request that completes the last release of the branch, if there is one that the request may mean: a
    /// run that broke off after the push left a tag, and nothing for the next one to release.
    pub(crate) fn last_release(&self, request: &ReleaseRequest) -> anyhow::Result<Option<ReleaseRequest>> {
        let RangeSpec { from, first_release, .. } = &request.changelog.range;
        let is_open = request.version.is_none() && request.tag.is_none() && from.is_none();
        if !is_open || !request.steps.commit || request.bump.pre.is_some() {
            return Ok(None);
        }
        let scope = self.scope_of(request.changelog.config_source.package.as_deref())?;
        let tags = match Tags::load(&scope)?.narrow_to_family(&scope) {
            Err(_) if *first_release => return Ok(None),
            tags => tags?,
        };
        let Some(base) = last_release(scope.repo, &tags, scope.to)? else { return Ok(None) };
        let version = Some(base.version.parse()?);
        let mut last = ReleaseRequest { version, tag: Some(base.tag), replace: false, ..request.clone() };
        last.changelog.range.first_release = false;
        Ok(Some(last))
    }

    /// Whether the branch to release from is checked out in the work tree.
    pub(super) fn is_checked_out(&self) -> bool {
        let is_head = commit::branch(self.scope.repo, None)
            .is_ok_and(|head| head.name.unwrap_or_else(|| DETACHED.to_owned()) == self.branch);
        is_head && self.scope.repo.work_tree().is_some()
    }
}

impl ReleaseRequest {
    /// Narrows the request to a package.
    pub(crate) fn of_package(mut self, name: Option<&str>) -> Self {
        self.changelog.config_source.package = name.map(str::to_owned);
        self
    }

    /// Narrows the request to the version of a tag, and to its package.
    pub(crate) fn for_tag(self, repo: &Repo, tag: &str) -> anyhow::Result<Self> {
        let context = ReleaseContext::load(repo, &self)?;
        let (package, version) = context.identify(tag)?.ok_or_else(|| {
            Problem::new(format!("nothing to release: `{tag}` is not the tag of a version"))
                .kind(ProblemKind::NothingToDo)
        })?;
        Ok(Self { version: Some(version), tag: Some(tag.to_owned()), ..self.of_package(package) })
    }
}

/// The remote that a branch is pushed to, and its branches and tags.
#[derive(Debug)]
pub(super) struct RemoteState {
    pub(super) upstream: Upstream,
    refs: HashMap<String, Oid>,
}

impl RemoteState {
    pub(super) fn fetch(repo: &Repo, branch: &str, given: Option<&str>) -> anyhow::Result<Self> {
        let upstream = remote::upstream(repo, branch, given)?;
        let refs = remote::ls_remote(repo, &upstream.remote)?;
        Ok(Self { upstream, refs })
    }

    pub(super) fn branch(&self) -> Option<Oid> {
        self.reference(&self.upstream.branch)
    }

    /// Returns what a reference points to, by its full name.
    pub(super) fn reference(&self, name: &str) -> Option<Oid> {
        self.refs.get(name).copied()
    }

    pub(super) fn tag(&self, name: &str) -> Option<Oid> {
        self.refs.get(&format!("refs/tags/{name}")).copied()
    }

    /// Whether the remote has a tag, or one of the same commit: `actions/checkout` makes annotated tags lightweight.
    pub(super) fn has_tag(&self, name: &str, tag: Tag) -> bool {
        let theirs = [self.tag(name), self.tag(&format!("{name}^{{}}"))];
        theirs.contains(&Some(tag.object)) || tag.commit.is_some() && theirs.contains(&tag.commit)
    }

    /// Returns the version tags that the remote has and the repository does not. Tags such as `v1` beside `v1.2.3`
    /// move, and are not versions.
    pub(super) fn missing_tags(&self, tags: &Tags) -> Vec<(Version, &str)> {
        let theirs = || {
            self.refs.keys().filter(|name| !name.ends_with("^{}")).filter_map(|name| name.strip_prefix("refs/tags/"))
        };
        let missing = theirs()
            .filter(|name| tags.names.binary_search_by(|ours| ours.as_str().cmp(name)).is_err())
            .filter_map(|name| Some((tags.version(name)?, name)));
        missing
            .filter(|(_, name)| {
                !theirs().any(|other| other.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
            })
            .collect()
    }
}

/// What stands for the branch if `HEAD` is detached; no branch can have this name.
pub(super) const DETACHED: &str = "HEAD";

pub(super) fn detached_head() -> Problem {
    let is_set = |variable: &str| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
    let branch = match () {
        () if is_set("GITLAB_CI") => "\"$CI_COMMIT_BRANCH\"",
        () if is_set("GITHUB_ACTIONS") => "\"$GITHUB_REF_NAME\"",
        () => "BRANCH",
    };
    Problem::new("cannot release from a detached `HEAD`").hint(format!(
        "run `git switch -C {branch}` to check out the branch at this commit, or choose one with `--branch`"
    ))
}
