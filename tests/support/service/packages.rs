//! The package registry: files of any kind, by package and version.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{
    State,
    access::{Access, Role},
    paging,
    response::Response,
    router::{Ask, Reply, Route},
};

/// A file that was uploaded; several may have one name.
#[derive(Clone, Debug)]
pub struct File {
    pub package: (String, String, String),
    pub name: String,
    pub content: Vec<u8>,
}

/// All files, the newest last.
#[derive(Debug, Default)]
pub struct Packages {
    pub files: Vec<File>,
}

impl Packages {
    /// The packages of a project, each with its index in the list as its ID.
    fn of(&self, project: &str) -> Vec<(String, String, String)> {
        let packages: indexmap::IndexSet<_> = self.files.iter().map(|file| file.package.clone()).collect();
        packages.into_iter().filter(|(owner, ..)| owner == project).collect()
    }
}

/// The digest of a file as in responses.
pub fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"))
}

pub fn routes() -> Vec<Route> {
    let route = |method, template, handler| Route::new(method, template, Access::UserOrJob, handler);
    vec![
        route("GET", "/projects/:id/packages", list),
        route("GET", "/projects/:id/packages/:package_id/package_files", list_files),
        route("PUT", "/projects/:id/packages/generic/:package_name/:package_version/:file_name", upload),
    ]
}

fn list(state: &mut State, ask: &Ask<'_>) -> Reply {
    let project = ask.project(state)?.path;
    let part = ask.parameter("package_name").unwrap_or_default();
    let packages = state.packages.of(&project).into_iter().enumerate();
    let rows: Vec<Value> = packages
        .filter(|(_, (_, name, _))| name.contains(&part))
        .map(|(id, (_, name, version))| json!({ "id": id, "name": name, "version": version }))
        .collect();
    paging::offset(ask, &rows)
}

fn list_files(state: &mut State, ask: &Ask<'_>) -> Reply {
    let project = ask.project(state)?.path;
    let package =
        ask.value("package_id").parse().ok().and_then(|id: usize| state.packages.of(&project).get(id).cloned());
    let package = package.ok_or_else(|| Response::not_found("Package"))?;
    let files = state.packages.files.iter().enumerate().filter(|(_, file)| file.package == package);
    let rows: Vec<Value> = files
        .map(|(id, file)| {
            let size = file.content.len();
            json!({ "id": id, "file_name": file.name, "size": size, "file_sha256": sha256(&file.content) })
        })
        .collect();
    paging::offset(ask, &rows)
}

fn upload(state: &mut State, ask: &Ask<'_>) -> Reply {
    let project = ask.project(state)?.path;
    ask.needs(Role::Developer)?;
    let [package, version, name] = ["package_name", "package_version", "file_name"].map(|part| ask.value(part));
    let legal = |letter: char| letter.is_ascii_alphanumeric() || "._-+".contains(letter);
    if ![package, version, name].iter().all(|part| part.chars().all(legal)) {
        return Err(Response::error(400, "file_name is invalid"));
    }
    let package = (project, package.to_owned(), version.to_owned());
    state.packages.files.push(File { package, name: name.to_owned(), content: ask.request.body.clone() });
    Ok(Response::message(201, "201 Created"))
}
