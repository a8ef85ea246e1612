//! The content of a project's repository, as the git program shows it.

use std::io::Write as _;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::{
    State,
    access::{Access, Role},
    paging,
    response::{Delivery, Response},
    router::{Ask, Reply, Route},
};
use crate::support::{Oracle, Part};

/// The URL of the project's pages; the links in responses do not depend on the port.
pub const HOST: &str = "https://git.example.org";

/// The state of repositories.
#[derive(Debug, Default)]
pub struct Repositories {
    /// Whether a health report was made.
    pub has_report: bool,
    /// The section of the response for every version.
    pub notes: String,
    /// What was asked to be put into changelogs.
    pub added: Vec<Vec<(String, String)>>,
}

pub fn routes() -> Vec<Route> {
    let route = |template, handler| Route::new("GET", template, Access::Anybody, handler);
    vec![
        route("/projects/:id/repository/tree", tree),
        route("/projects/:id/repository/blobs/:sha", blob),
        route("/projects/:id/repository/blobs/:sha/raw", raw_blob),
        route("/projects/:id/repository/compare", compare),
        route("/projects/:id/repository/contributors", contributors),
        route("/projects/:id/repository/merge_base", merge_base),
        route("/projects/:id/repository/health", health),
        route("/projects/:id/repository/archive", |state, ask| archive(state, ask, "tar.gz")),
        route("/projects/:id/repository/archive.tar.gz", |state, ask| archive(state, ask, "tar.gz")),
        route("/projects/:id/repository/archive.tar.bz2", |state, ask| archive(state, ask, "tar.bz2")),
        route("/projects/:id/repository/archive.tar", |state, ask| archive(state, ask, "tar")),
        route("/projects/:id/repository/archive.zip", |state, ask| archive(state, ask, "zip")),
        Route::new("GET", "/projects/:id/repository/changelog", Access::UserOrJob, changelog),
        Route::new("POST", "/projects/:id/repository/changelog", Access::User, add_changelog),
    ]
}

/// What git says of the project that was asked for.
fn oracle(state: &State, ask: &Ask<'_>) -> Result<Oracle, Response> {
    let project = ask.project(state)?;
    let path = project.repository.ok_or_else(|| Response::not_found("Repository"))?;
    Ok(Oracle::new(&path, &format!("{HOST}/{}", project.path)))
}

/// The ref that was asked for, else the default branch.
fn reference(ask: &Ask<'_>) -> String {
    ask.parameter("ref").unwrap_or_else(|| "HEAD".to_owned())
}

fn tree(state: &mut State, ask: &Ask<'_>) -> Reply {
    let oracle = oracle(state, ask)?;
    let commit = oracle.resolve(&reference(ask)).ok_or_else(|| Response::not_found("Tree"))?;
    let path = ask.parameter("path").unwrap_or_default();
    let entries = oracle.tree(&commit, path.trim_matches('/'), ask.flag("recursive"));
    let entries = entries.ok_or_else(|| Response::not_found("invalid revision or path"))?;
    if ask.parameter("pagination").as_deref() == Some("keyset") {
        let token = |entry: &Value| STANDARD.encode(json!({"file_name": entry["path"]}).to_string());
        return paging::keyset(ask, &entries, token);
    }
    paging::offset(ask, &entries)
}

fn content(state: &State, ask: &Ask<'_>) -> Result<Vec<u8>, Response> {
    oracle(state, ask)?.blob(ask.value("sha")).ok_or_else(|| Response::not_found("Blob"))
}

fn blob(state: &mut State, ask: &Ask<'_>) -> Reply {
    let content = content(state, ask)?;
    let document = json!({
        "size": content.len(), "encoding": "base64", "content": STANDARD.encode(content), "sha": ask.value("sha"),
    });
    Ok(Response::json(200, &document))
}

fn raw_blob(state: &mut State, ask: &Ask<'_>) -> Reply {
    Ok(Response::new(200, "application/octet-stream", content(state, ask)?))
}

fn compare(state: &mut State, ask: &Ask<'_>) -> Reply {
    let (from, to) = (ask.required("from")?, ask.required("to")?);
    let answer = oracle(state, ask)?.compare(&from, &to, ask.flag("straight"), ask.flag("unidiff"));
    Ok(Response::json(200, &answer.ok_or_else(|| Response::not_found("Ref"))?))
}

fn contributors(state: &mut State, ask: &Ask<'_>) -> Reply {
    let oracle = oracle(state, ask)?;
    let commit = oracle.resolve(&reference(ask)).ok_or_else(|| Response::message(404, "404 Not Found"))?;
    let order = ask.parameter("order_by").unwrap_or_else(|| "commits".to_owned());
    let descending = ask.parameter("sort").as_deref() == Some("desc");
    paging::offset(ask, &oracle.contributors(&commit, &order, descending))
}

fn merge_base(state: &mut State, ask: &Ask<'_>) -> Reply {
    let oracle = oracle(state, ask)?;
    let refs: Vec<String> =
        ask.request.query.iter().filter(|(name, _)| name == "refs[]").map(|one| one.1.clone()).collect();
    if refs.len() < 2 {
        return Err(Response::message(400, "Provide at least 2 refs"));
    }
    let unknown: Vec<&str> = refs.iter().filter(|name| oracle.resolve(name).is_none()).map(String::as_str).collect();
    if !unknown.is_empty() {
        let noun = if unknown.len() == 1 { "ref" } else { "refs" };
        return Err(Response::message(400, format!("Could not find {noun}: {}", unknown.join(", "))));
    }
    let base = oracle.merge_base(&refs.iter().map(String::as_str).collect::<Vec<_>>());
    Ok(Response::json(200, &oracle.commit(&base.ok_or_else(|| Response::not_found("Merge Base"))?)))
}

fn health(state: &mut State, ask: &Ask<'_>) -> Reply {
    let oracle = oracle(state, ask)?;
    ask.needs(Role::Developer)?;
    state.repositories.has_report |= ask.flag("generate");
    if !state.repositories.has_report {
        return Err(Response::message(404, "404 Not Found"));
    }
    Ok(Response::json(200, &oracle.health()))
}

fn archive(state: &mut State, ask: &Ask<'_>, suffix: &str) -> Reply {
    let missing = || Response::not_found("File");
    let oracle = oracle(state, ask)?;
    let reference = ask.parameter("sha").unwrap_or_else(|| oracle.default_branch());
    let commit = oracle.resolve(&reference).ok_or_else(missing)?;
    let path = ask.parameter("path").unwrap_or_default();
    let exclude = ask.parameter("exclude_paths").unwrap_or_default();
    let part = Part { path: &path, exclude: exclude.split(',').filter(|path| !path.is_empty()).collect() };
    if !part.exclude.iter().all(|path| oracle.has(&commit, path)) {
        return Err(missing());
    }
    let project = ask.project(state)?.path;
    let mut name = format!("{}-{}-{commit}", project.rsplit('/').next().unwrap(), reference.replace('/', "-"));
    if !path.is_empty() {
        name = format!("{name}-{}", path.trim_matches('/').replace('/', "-"));
    }
    let git = if suffix == "zip" { "zip" } else { "tar" };
    let bytes = oracle.archive(&commit, &part, &name, git).ok_or_else(missing)?;
    let kind = if suffix == "zip" { "application/zip" } else { "application/octet-stream" };
    Ok(Response::new(200, kind, packed(suffix, bytes))
        .header("Content-Disposition", format!("attachment; filename=\"{name}.{suffix}\""))
        .delivered(Delivery::Chunked))
}

fn packed(suffix: &str, bytes: Vec<u8>) -> Vec<u8> {
    match suffix {
        "tar.gz" => {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            gzip.write_all(&bytes).unwrap();
            gzip.finish().unwrap()
        }
        "tar.bz2" => {
            let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
            bzip2.write_all(&bytes).unwrap();
            bzip2.finish().unwrap()
        }
        _ => bytes,
    }
}

fn changelog(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    check_version(ask)?;
    Ok(Response::json(200, &json!({ "notes": state.repositories.notes })))
}

fn add_changelog(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    check_version(ask)?;
    if ask.role < Some(Role::Developer) {
        let words = "403 Forbidden - You are not allowed to commit a changelog on this branch";
        return Err(Response::message(403, words));
    }
    state.repositories.added.push(ask.request.parameters());
    Ok(Response::json(200, &json!(200)))
}

fn check_version(ask: &Ask<'_>) -> Result<(), Response> {
    let version = ask.required("version")?;
    if !version.contains('.') {
        return Err(Response::error(400, "version is invalid"));
    }
    if version == "0.0.1" && ask.parameter("from").is_none() {
        let why = "The commit start range is unspecified, and no previous tag could be found to use instead";
        return Err(Response::message(422, format!("Failed to generate the changelog: {why}")));
    }
    Ok(())
}
