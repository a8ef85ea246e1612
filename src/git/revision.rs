//! Resolves revisions: a tag, a branch, an ID, `HEAD~2`, `v1.0^{}` (gitrevisions(7)).

use std::{error::Error, io};

use anyhow::{Context as _, Result, anyhow};
use gix::{ObjectId, object::Kind, refs::Category};

use super::{Repo, object, object_id, oid, remote, tags};
use crate::model::{Oid, Problem, closest, repository::no_commits};

/// Resolves `spec` to a commit. A tag is preferred to a branch of the same name, as in git.
///
/// # Errors
/// If the revision is unknown, ambiguous, or not a commit.
pub(crate) fn resolve(repo: &Repo, spec: &str) -> Result<Oid> {
    if let Some(server) = repo.server() {
        return server.resolve(repo, spec);
    }
    commit(repo, spec).or_else(|unknown| find_on_remote(repo, spec).ok_or(unknown))
}

/// Returns the first parent of a commit; `None` for a root commit, and where a shallow clone is cut off.
///
/// # Errors
/// If one of the two commits cannot be read.
pub(crate) fn first_parent(repo: &Repo, commit: Oid) -> Result<Option<Oid>> {
    match resolve(repo, &format!("{commit}^")) {
        Err(_) if repo.server().is_none() && parents(repo, commit)?.is_empty() => Ok(None),
        parent => parent.map(Some),
    }
}

fn parents(repo: &Repo, commit: Oid) -> Result<Vec<ObjectId>> {
    Ok(repo.own_commits().header_reader()?.read(&object_id(commit))?.parents.to_vec())
}

/// Resolves `HEAD`; `None` if its branch has no commit yet.
///
/// # Errors
/// If the commit cannot be read.
pub(crate) fn head(repo: &Repo) -> Result<Option<Oid>> {
    match resolve(repo, "HEAD") {
        Err(_) if object::is_empty(repo) => Ok(None),
        head => head.map(Some),
    }
}

/// Finds a commit that a clone lacks and its remote has. A name in `spec` means what it means in the clone.
fn find_on_remote(repo: &Repo, spec: &str) -> Option<Oid> {
    let origin = repo.origin()?;
    let (name, suffix) = spec.split_at(name_length(spec));
    let here = commit(repo, name).ok();
    let is_own = here.is_none() && name.starts_with("HEAD");
    let server = origin.server().filter(|_| !is_own)?;
    let resolve = |name: &str| server.resolve(origin, &format!("{name}{suffix}")).ok();
    match here {
        Some(commit) => resolve(&commit.to_string()),
        None => tracked_ref(name).and_then(|tracked| resolve(&tracked)).or_else(|| resolve(name)),
    }
}

/// Returns the ref of the remote that a remote-tracking branch of `origin` follows: `refs/heads/main` for `origin/main`,
/// `HEAD` for `origin`. A checkout of CI has few of these branches.
fn tracked_ref(name: &str) -> Option<String> {
    let short = name.strip_prefix("refs/").unwrap_or(name);
    match short.strip_prefix("remotes/").unwrap_or(short).strip_prefix("origin")? {
        "" | "/HEAD" => Some("HEAD".to_owned()),
        rest => rest.strip_prefix('/').map(|branch| format!("refs/heads/{branch}")),
    }
}

/// Returns the names of the local branches that can be read.
pub(crate) fn branches(repo: &Repo) -> Vec<String> {
    let Ok(listed) = repo.gix().references() else { return Vec::new() };
    let Ok(branches) = listed.local_branches() else { return Vec::new() };
    branches.filter_map(|branch| Some(branch.ok()?.name().shorten().to_string())).collect()
}

/// Returns the tip of the default branch, as far as the clone shows which it is: `origin/HEAD`, or the only one of `main`
/// and `master`, of the remote `origin` or else of the clone.
pub(crate) fn default_branch(repo: &Repo) -> Option<Oid> {
    if repo.server().is_some() {
        return None;
    }
    let tip = |branch: String| commit(repo, &branch).ok();
    let only_in = |place: &str| {
        let mut found = ["main", "master"].into_iter().filter_map(|name| tip(format!("{place}/{name}")));
        found.next().filter(|_| found.next().is_none())
    };
    let remote = "refs/remotes/origin";
    tip(format!("{remote}/HEAD")).or_else(|| only_in(remote)).or_else(|| only_in("refs/heads"))
}

/// Returns the name of the branch that a revision is, also one of a remote, or that is checked out if it is `HEAD`; `None`
/// on a server.
pub(crate) fn branch_name(repo: &Repo, spec: &str) -> Option<String> {
    if repo.server().is_some() {
        return None;
    }
    let name = if spec == "HEAD" {
        repo.gix().head_name().ok()??
    } else {
        repo.gix().try_find_reference(spec).ok()??.name().to_owned()
    };
    let is_branch = matches!(name.category(), Some(Category::LocalBranch | Category::RemoteBranch));
    is_branch.then(|| name.shorten().to_string())
}

/// Resolves a revision, or `HEAD` if there is none.
pub(super) fn resolve_or_head(repo: &Repo, reference: Option<&str>) -> Result<Oid> {
    match reference {
        Some(reference) => resolve(repo, reference),
        None if object::is_empty(repo) => Err(no_commits().into()),
        None => resolve(repo, "HEAD"),
    }
}

/// Returns the commit that `spec` names in a repository on this machine.
pub(super) fn commit(repo: &Repo, spec: &str) -> Result<Oid> {
    let peeled =
        object::peel_tags(repo.own_objects(), object(repo, spec)?).with_context(|| format!("cannot read `{spec}`"))?;
    match peeled.kind {
        Kind::Commit => Ok(oid(&peeled.id)),
        other => Err(Problem::new(format!("`{spec}` is a {other}, not a commit")).into()),
    }
}

/// Returns the object that `spec` names in a repository on this machine.
///
/// gix resolves the name before the suffixes. They are followed here, because a malformed object has to be an error,
/// and because grafts and shallow clones change parents, as in git.
pub(super) fn object(repo: &Repo, spec: &str) -> Result<ObjectId> {
    let (name, suffix) = spec.split_at(name_length(spec));
    let parsed = if name.is_empty() { spec } else { name };
    let id = repo
        .own_objects()
        .gix()
        .rev_parse_single(parsed)
        .map_err(|error| unknown_revision(repo, spec, error.into()))?
        .detach();
    if name.is_empty() {
        return Ok(id);
    }
    navigate(repo, id, suffix)?.ok_or_else(|| unknown_revision(repo, spec, anyhow!("no such object")))
}

/// Returns the length of a revision before its first `^`, `~` or `:`; those in the braces of `@{...}` do not count.
fn name_length(spec: &str) -> usize {
    let mut is_in_braces = false;
    let end = spec.bytes().position(|byte| {
        is_in_braces = (is_in_braces || byte == b'{') && byte != b'}';
        !is_in_braces && matches!(byte, b'^' | b'~' | b':')
    });
    end.unwrap_or(spec.len())
}

/// Follows the suffixes of a revision; `None` if there is no such object.
fn navigate(repo: &Repo, mut id: ObjectId, mut suffix: &str) -> Result<Option<ObjectId>> {
    while !suffix.is_empty() {
        let Some((found, rest)) = follow(repo, id, suffix)? else { return Ok(None) };
        (id, suffix) = (found, rest);
    }
    Ok(Some(id))
}

/// Follows the first suffix of a revision. Returns the object and the rest; `None` if there is no such object.
fn follow<'a>(repo: &Repo, id: ObjectId, text: &'a str) -> Result<Option<(ObjectId, &'a str)>> {
    let peel = |kind| object::peel_to(repo.own_objects(), id, kind);
    let parse = |spec: String| repo.own_objects().gix().rev_parse_single(spec.as_str()).ok().map(gix::Id::detach);
    if let Some(path) = text.strip_prefix(':') {
        let found = peel(Kind::Tree)?.and_then(|tree| parse(format!("{tree}:{path}")));
        return Ok(found.map(|found| (found, "")));
    }
    if let Some(inner) = text.strip_prefix("^{") {
        let Some((inner, rest)) = inner.split_once('}') else { return Ok(None) };
        let found = match (inner, inner.strip_prefix('/')) {
            ("", _) => Some(object::peel_tags(repo.own_objects(), id)?.id),
            ("object", _) => Some(object::find(repo.own_objects(), id)?.id),
            (_, Some(text)) => peel(Kind::Commit)?.and_then(|commit| parse(format!("{commit}^{{/{text}}}"))),
            (kind, None) => Kind::from_bytes(kind.as_bytes()).map_or(Ok(None), peel)?,
        };
        return Ok(found.map(|found| (found, rest)));
    }
    let Some(after) = text.strip_prefix(['^', '~']) else { return Ok(None) };
    let rest = after.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let number = &after[..after.len() - rest.len()];
    let Ok(number) = (if number.is_empty() { Ok(1) } else { number.parse::<usize>() }) else { return Ok(None) };
    let Some(commit) = peel(Kind::Commit)? else { return Ok(None) };
    let found = match number.checked_sub(1) {
        Some(index) if text.starts_with('^') => {
            repo.own_commits().header_reader()?.read(&commit)?.parents.get(index).copied()
        }
        _ => ancestor(repo, commit, number)?,
    };
    Ok(found.map(|found| (found, rest)))
}

fn ancestor(repo: &Repo, mut id: ObjectId, number: usize) -> Result<Option<ObjectId>> {
    let mut headers = repo.own_commits().header_reader()?;
    for _ in 0..number {
        let Some(parent) = headers.read(&id)?.parents.first().copied() else { return Ok(None) };
        id = parent;
    }
    Ok(Some(id))
}

fn unknown_revision(repo: &Repo, spec: &str, cause: anyhow::Error) -> anyhow::Error {
    if spec.starts_with("HEAD") && object::is_empty(repo) {
        return no_commits().into();
    }
    if format!("{cause:#}").to_lowercase().contains("ambiguous") {
        let problem = Problem::new(format!("`{spec}` is ambiguous: several objects have this prefix"));
        return problem.hint("use more digits of the ID").into();
    }
    let problem = Problem::new(format!("unknown revision `{spec}`"));
    let hinted = match similar(repo, &spec[..name_length(spec)]) {
        _ if repo.is_incomplete() => problem.hint(repo.unshallow_hint()),
        Some(name) => problem.hint(format!("did you mean `{name}`?")),
        None => problem.hint(fetch_hint(repo)),
    };
    if is_unreadable(&cause) { cause.context(hinted) } else { hinted.into() }
}

/// Returns the hint for getting what a complete clone may lack.
fn fetch_hint(repo: &Repo) -> String {
    let Some(branches) = remote::only_branches(repo) else {
        return "run `git fetch --tags` to get new commits and tags".to_owned();
    };
    let branches = branches.iter().map(|branch| format!("`{branch}`")).collect::<Vec<_>>().join(", ");
    format!(
        "this clone follows only {branches} of `origin`; run `git fetch origin '+refs/heads/*:refs/remotes/origin/*'` to \
         get its other branches"
    )
}

/// Finds the tag or branch that an unknown name was probably meant to be: but for a `v` the same, else the most
/// similar.
fn similar(repo: &Repo, name: &str) -> Option<String> {
    if name.is_empty() || repo.own_objects().gix().rev_parse_single(name).is_ok() {
        return None;
    }
    let names: Vec<String> = tags::own_names(repo).unwrap_or_default().into_iter().chain(branches(repo)).collect();
    let bare = |name: &str| name.strip_prefix('v').unwrap_or(name).to_owned();
    let exact = names.iter().find(|known| bare(known) == bare(name));
    exact.map(String::as_str).or_else(|| closest(name, names.iter().map(String::as_str))).map(str::to_owned)
}

/// Whether something could not be read. A file that does not exist only means that the revision is unknown.
fn is_unreadable(cause: &anyhow::Error) -> bool {
    let failure = |cause: &(dyn Error + 'static)| cause.downcast_ref::<io::Error>().map(io::Error::kind);
    cause.chain().filter_map(failure).any(|kind| kind != io::ErrorKind::NotFound)
}

/// Returns how many generations a suffix goes back; `None` unless it is made of `^`, `^2`, `~3` and the like.
pub(super) fn steps_back(suffix: &str) -> Option<u32> {
    let mut steps: u32 = 0;
    for (index, sign) in suffix.match_indices(['^', '~']) {
        let rest = &suffix[index + 1..];
        let number = rest.split(['^', '~']).next().unwrap_or_default();
        let number: u32 = if number.is_empty() { 1 } else { number.parse().ok()? };
        steps = steps.checked_add(if sign == "^" { 1 } else { number })?;
    }
    Some(steps)
}

/// Whether a name may be the first digits of an object ID.
pub(super) fn is_abbreviated(name: &str) -> bool {
    name.len() >= 4 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}
