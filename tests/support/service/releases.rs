//! Releases of projects, and the links they show.

use serde_json::{Value, json};

use super::{
    State,
    access::{Access, Role},
    repository::HOST,
    response::Response,
    router::{Ask, Reply, Route},
};

/// A release.
#[derive(Clone, Debug)]
pub struct Release {
    pub project: String,
    pub tag: String,
    pub name: String,
    pub description: String,
    /// Id, name and address.
    pub links: Vec<(u64, String, String)>,
}

/// All releases.
#[derive(Debug, Default)]
pub struct Releases {
    pub all: Vec<Release>,
    last_link: u64,
}

impl Releases {
    fn find(&mut self, project: &str, tag: &str) -> Option<&mut Release> {
        self.all.iter_mut().find(|release| (release.project.as_str(), release.tag.as_str()) == (project, tag))
    }
}

impl Release {
    fn json(&self) -> Value {
        let links = self.links.iter().map(|(id, name, url)| link_json(*id, name, url));
        json!({
            "tag_name": self.tag,
            "name": self.name,
            "description": self.description,
            "upcoming_release": false,
            "assets": { "count": 4 + self.links.len(), "sources": [], "links": links.collect::<Vec<_>>() },
            "_links": { "self": format!("{HOST}/{}/-/releases/{}", self.project, self.tag) },
        })
    }
}

fn link_json(id: u64, name: &str, url: &str) -> Value {
    json!({ "id": id, "name": name, "url": url, "direct_asset_url": url, "link_type": "other" })
}

pub fn routes() -> Vec<Route> {
    let route = |method, template, handler| Route::new(method, template, Access::UserOrJob, handler);
    vec![
        route("GET", "/projects/:id/releases/:tag_name", get),
        route("POST", "/projects/:id/releases", create),
        route("PUT", "/projects/:id/releases/:tag_name", update),
        route("POST", "/projects/:id/releases/:tag_name/assets/links", create_link),
        route("PUT", "/projects/:id/releases/:tag_name/assets/links/:link_id", update_link),
    ]
}

fn get(state: &mut State, ask: &Ask<'_>) -> Reply {
    let project = ask.project(state)?.path;
    ask.needs(Role::Guest)?;
    let missing = || Response::message(404, "404 Not Found");
    Ok(Response::json(200, &state.releases.find(&project, ask.value("tag_name")).ok_or_else(missing)?.json()))
}

fn create(state: &mut State, ask: &Ask<'_>) -> Reply {
    let project = ask.project(state)?.path;
    ask.needs(Role::Developer)?;
    let tag = ask.required("tag_name")?;
    if state.releases.find(&project, &tag).is_some() {
        return Err(Response::message(409, "Release already exists"));
    }
    if !state.projects.has_tag(&project, &tag) {
        return Err(Response::message(422, "Ref is not specified"));
    }
    let text = |name: &str| ask.parameter(name).unwrap_or_default();
    let (name, description) = (text("name"), text("description"));
    let release = Release { project, tag, name, description, links: Vec::new() };
    state.releases.all.push(release.clone());
    Ok(Response::json(201, &release.json()))
}

fn update(state: &mut State, ask: &Ask<'_>) -> Reply {
    let release = release(state, ask)?;
    for (name, value) in [("name", &mut release.name), ("description", &mut release.description)] {
        if let Some(new) = ask.parameter(name) {
            *value = new;
        }
    }
    Ok(Response::json(200, &release.json()))
}

/// The release, if the caller may change it.
fn release<'s>(state: &'s mut State, ask: &Ask<'_>) -> Result<&'s mut Release, Response> {
    let project = ask.project(state)?.path;
    ask.needs(Role::Developer)?;
    state.releases.find(&project, ask.value("tag_name")).ok_or_else(|| Response::message(404, "404 Not Found"))
}

fn create_link(state: &mut State, ask: &Ask<'_>) -> Reply {
    let (name, url) = (ask.required("name")?, ask.required("url")?);
    let id = state.releases.last_link + 1;
    let release = release(state, ask)?;
    if release.links.iter().any(|(_, present, address)| *present == name || *address == url) {
        return Err(Response::invalid("name", "has already been taken"));
    }
    release.links.push((id, name.clone(), url.clone()));
    state.releases.last_link = id;
    Ok(Response::json(201, &link_json(id, &name, &url)))
}

fn update_link(state: &mut State, ask: &Ask<'_>) -> Reply {
    let (name, url) = (ask.required("name")?, ask.required("url")?);
    let release = release(state, ask)?;
    let link = release.links.iter_mut().find(|(id, ..)| id.to_string() == ask.value("link_id"));
    let link = link.ok_or_else(|| Response::message(404, "404 Not found"))?;
    (link.1, link.2) = (name, url);
    Ok(Response::json(200, &link_json(link.0, &link.1, &link.2)))
}
