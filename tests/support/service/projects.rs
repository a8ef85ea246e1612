//! Projects and groups: what is there, who sees it, what has moved.

use std::path::{Path, PathBuf};

use super::{access::Role, request::Request, response::Response};
use crate::support::git_in;

/// A project.
#[derive(Clone, Debug)]
pub struct Project {
    pub id: u64,
    pub path: String,
    pub public: bool,
    /// The repository that its responses come from.
    pub repository: Option<PathBuf>,
}

/// All projects and groups.
#[derive(Debug)]
pub struct Projects {
    all: Vec<Project>,
    /// Old paths, and the id of the project that had them.
    moved: Vec<(String, u64)>,
    groups: Vec<(u64, String)>,
}

impl Projects {
    /// `group/app` (1, public), `group/sub/app` (2, public), `secret/app` (3); `old/app` became 1; the group `group` (7).
    pub fn sample() -> Self {
        let project = |id, path: &str, public| Project { id, path: path.to_owned(), public, repository: None };
        Self {
            all: vec![
                project(1, "group/app", true),
                project(2, "group/sub/app", true),
                project(3, "secret/app", false),
            ],
            moved: vec![("old/app".to_owned(), 1)],
            groups: vec![(7, "group".to_owned()), (8, "group/sub".to_owned())],
        }
    }

    /// Adds a public project.
    #[cfg(unix)] // as the recorded people, who alone need one
    pub fn add(&mut self, path: &str) {
        let id = self.all.len() as u64 + 1;
        self.all.push(Project { id, path: path.to_owned(), public: true, repository: None });
    }

    /// Whether a project has a tag.
    pub fn has_tag(&self, path: &str, tag: &str) -> bool {
        let project = self.all.iter().find(|project| project.path == path);
        project.and_then(|project| project.repository.as_deref()).is_none_or(|repository| has_tag(repository, tag))
    }

    pub fn repository(&self, path: &str) -> Option<&PathBuf> {
        self.all.iter().find(|project| project.path == path)?.repository.as_ref()
    }

    pub fn set_repository(&mut self, path: &str, repository: &Path) {
        let project = self.all.iter_mut().find(|project| project.path == path).expect("a sample project");
        project.repository = Some(repository.to_owned());
    }

    /// A project by id or path; a private one is there for members alone.
    pub fn find(&self, id: &str, role: Option<Role>, request: &Request) -> Result<Project, Response> {
        let found = self.all.iter().find(|project| project.path == id || project.id.to_string() == id);
        if let Some(project) = found.filter(|project| project.public || role.is_some()) {
            return Ok(project.clone());
        }
        let moved = self.moved.iter().find(|(path, _)| path == id);
        Err(moved.map_or_else(|| Response::not_found("Project"), |(path, id)| moved_to(path, *id, request)))
    }

    /// The path of a group, by id or path.
    pub fn group(&self, id: &str) -> Result<String, Response> {
        let found = self.groups.iter().find(|(number, path)| path == id || number.to_string() == id);
        found.map(|(_, path)| path.clone()).ok_or_else(|| Response::not_found("Group"))
    }
}

/// Whether a repository has a tag.
pub fn has_tag(repository: &Path, tag: &str) -> bool {
    !git_in(repository, &["tag", "--list", tag], 0).trim().is_empty()
}

fn moved_to(path: &str, id: u64, request: &Request) -> Response {
    if request.method != "GET" {
        return Response::message(405, "Non GET methods are not allowed for moved projects");
    }
    let host = request.header("host").unwrap_or_default();
    let target = request.target.replacen(&path.replace('/', "%2F"), &id.to_string(), 1);
    Response::text(301, "This resource has been moved permanently").header("Location", format!("http://{host}{target}"))
}
