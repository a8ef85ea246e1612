//! Releases of the repository, and their files.

use serde_json::{Value, json};

use super::{super::packages::sha256, enter, place, refusal, write};
use crate::support::service::{
    State,
    access::{Access, Role},
    paging,
    response::Response,
    router::{Ask, Reply, Route},
};

/// A release.
#[derive(Clone, Debug, Default)]
pub struct Release {
    pub id: u64,
    pub tag: String,
    pub name: String,
    pub body: String,
    pub prerelease: bool,
    /// Visible only to those who may push, at a URL without the tag.
    pub draft: bool,
    pub assets: Vec<Asset>,
    /// The category of the discussion about it.
    pub discussion: Option<String>,
}

/// A file of a release.
#[derive(Clone, Debug)]
pub struct Asset {
    pub id: u64,
    pub name: String,
    /// `uploaded`, or `starter` for one whose upload broke off.
    pub state: &'static str,
    pub content: Vec<u8>,
}

impl Release {
    /// Replaces the tag in URLs.
    fn place(&self) -> String {
        if self.draft { format!("untagged-{}", self.id) } else { self.tag.clone() }
    }

    fn json(&self, ask: &Ask<'_>, uploads: &str) -> Value {
        let (place, api) = (self.place(), place(ask));
        json!({
            "id": self.id,
            "url": format!("{api}/releases/{}", self.id),
            "assets_url": format!("{api}/releases/{}/assets", self.id),
            "tag_name": self.tag,
            "name": self.name,
            "body": self.body,
            "draft": self.draft,
            "prerelease": self.prerelease,
            "html_url": format!("https://github.com/harbor/app/releases/tag/{place}"),
            "upload_url": format!("{uploads}/repos/harbor/app/releases/{}/assets{{?name,label}}", self.id),
            "assets": self.assets.iter().map(|asset| asset.json(&api, &place)).collect::<Vec<_>>(),
        })
    }

    fn change(&mut self, ask: &Ask<'_>) {
        // What is not named stays.
        for (text, name) in [(&mut self.tag, "tag_name"), (&mut self.name, "name"), (&mut self.body, "body")] {
            *text = ask.parameter(name).unwrap_or(std::mem::take(text));
        }
        for (flag, name) in [(&mut self.prerelease, "prerelease"), (&mut self.draft, "draft")] {
            *flag = ask.parameter(name).map_or(*flag, |_| ask.flag(name));
        }
        self.discussion = ask.parameter("discussion_category_name").or(self.discussion.take());
    }
}

impl Asset {
    fn json(&self, api: &str, place: &str) -> Value {
        json!({
            "id": self.id,
            "url": format!("{api}/releases/assets/{}", self.id),
            "name": self.name,
            "state": self.state,
            "size": self.content.len(),
            "digest": format!("sha256:{}", sha256(&self.content)),
            "browser_download_url": format!("https://github.com/harbor/app/releases/download/{place}/{}", self.name),
        })
    }
}

pub fn routes() -> Vec<Route> {
    let route = |method, template, handler| Route::new(method, template, Access::OwnRule, handler);
    vec![
        route("GET", "/github/repos/:owner/:repo/git/ref/tags/:tag", tag),
        route("GET", "/github/repos/:owner/:repo/releases/tags/:tag", get),
        route("GET", "/github/repos/:owner/:repo/releases", list),
        route("POST", "/github/repos/:owner/:repo/releases", create),
        route("PATCH", "/github/repos/:owner/:repo/releases/:release_id", update),
        route("DELETE", "/github/repos/:owner/:repo/releases/assets/:asset_id", delete_asset),
        route("POST", "/uploads/repos/:owner/:repo/releases/:release_id/assets", upload),
        route("GET", "/gitea/repos/:owner/:repo/tags/:tag", tag),
        route("GET", "/gitea/repos/:owner/:repo/releases/tags/:tag", |state, ask| get(state, ask).map(as_gitea)),
        route("GET", "/gitea/repos/:owner/:repo/releases", |state, ask| list(state, ask).map(as_gitea)),
        route("POST", "/gitea/repos/:owner/:repo/releases", |state, ask| create(state, ask).map(as_gitea)),
        route("PATCH", "/gitea/repos/:owner/:repo/releases/:release_id", |state, ask| update(state, ask).map(as_gitea)),
        route("DELETE", "/gitea/repos/:owner/:repo/releases/:release_id/assets/:asset_id", delete_asset),
        route("POST", "/gitea/repos/:owner/:repo/releases/:release_id/assets", upload),
        route("GET", "/attachments/:uuid", download),
    ]
}

/// Gitea sends no digests, and names each file for downloads.
fn as_gitea(response: Response) -> Response {
    let mut document: Value = serde_json::from_slice(&response.body).expect("releases are JSON");
    let releases = match &mut document {
        Value::Array(releases) => releases.as_mut_slice(),
        release => std::slice::from_mut(release),
    };
    for release in releases {
        for asset in release["assets"].as_array_mut().into_iter().flatten() {
            asset["uuid"] = format!("uuid-{}", asset["id"]).into();
            asset.as_object_mut().expect("a file is an object").remove("digest");
        }
    }
    Response { body: document.to_string().into_bytes(), ..response }
}

/// A file of a release, by the name that Gitea gives it.
fn download(state: &mut State, ask: &Ask<'_>) -> Reply {
    if ask.role.is_none() {
        return Err(missing());
    }
    let mut assets = state.github.releases.iter().flat_map(|release| &release.assets);
    let found = assets.find(|asset| format!("uuid-{}", asset.id) == ask.value("uuid")).ok_or_else(missing)?;
    Ok(Response::new(200, "application/octet-stream", found.content.clone()))
}

fn missing() -> Response {
    refusal(404, "Not Found")
}

fn uploads(state: &State, ask: &Ask<'_>) -> String {
    let own = || format!("http://{}/api/uploads", ask.request.header("host").unwrap_or_default());
    state.github.uploads.clone().unwrap_or_else(own)
}

fn tag(state: &mut State, ask: &Ask<'_>) -> Reply {
    enter(ask)?;
    let tag = ask.value("tag");
    if !state.github.has_tag(tag) {
        return Err(missing());
    }
    Ok(Response::json(200, &json!({ "ref": format!("refs/tags/{tag}"), "object": { "type": "tag" } })))
}

fn get(state: &mut State, ask: &Ask<'_>) -> Reply {
    enter(ask)?;
    let mut public = state.github.releases.iter().filter(|release| !release.draft);
    let release = public.find(|release| release.tag == ask.value("tag"));
    Ok(Response::json(200, &release.ok_or_else(missing)?.json(ask, &uploads(state, ask))))
}

/// The newest first, with a link to the next page and nothing else about pages.
fn list(state: &mut State, ask: &Ask<'_>) -> Reply {
    enter(ask)?;
    let (uploads, sees_drafts) = (uploads(state, ask), ask.role >= Some(Role::Developer));
    let seen = state.github.releases.iter().rev().filter(|release| sees_drafts || !release.draft);
    let rows: Vec<Value> = seen.map(|release| release.json(ask, &uploads)).collect();
    let mut page = paging::offset(ask, &rows)?;
    page.headers.retain(|(name, _)| !name.starts_with("X-"));
    Ok(page)
}

fn create(state: &mut State, ask: &Ask<'_>) -> Reply {
    write(ask)?;
    let tag = ask.required("tag_name")?;
    if state.github.releases.iter().any(|release| release.tag == tag && !release.draft) {
        let error = json!({ "resource": "Release", "code": "already_exists", "field": "tag_name" });
        return Err(Response::json(
            422,
            &json!({ "message": "Validation Failed", "errors": [error], "status": "422" }),
        ));
    }
    check_discussion(state, ask)?;
    let mut release = Release { id: state.github.next_id(), ..Release::default() };
    release.change(ask);
    state.github.bring_tag(&release);
    state.github.releases.push(release.clone());
    Ok(Response::json(201, &release.json(ask, &uploads(state, ask))))
}

fn update(state: &mut State, ask: &Ask<'_>) -> Reply {
    write(ask)?;
    check_discussion(state, ask)?;
    let uploads = uploads(state, ask);
    let release = release(state, ask)?;
    release.change(ask);
    let release = release.clone();
    state.github.bring_tag(&release);
    Ok(Response::json(200, &release.json(ask, &uploads)))
}

/// 404 where the category of the discussion is unknown.
fn check_discussion(state: &State, ask: &Ask<'_>) -> Result<(), Response> {
    let category = ask.parameter("discussion_category_name");
    let is_known = category.is_none_or(|category| state.github.discussion_categories.contains(&category));
    if is_known { Ok(()) } else { Err(missing()) }
}

fn release<'s>(state: &'s mut State, ask: &Ask<'_>) -> Result<&'s mut Release, Response> {
    let found = state.github.releases.iter_mut().find(|release| release.id.to_string() == ask.value("release_id"));
    found.ok_or_else(missing)
}

fn upload(state: &mut State, ask: &Ask<'_>) -> Reply {
    write(ask)?;
    let (name, id) = (ask.required("name")?, state.github.next_id());
    let release = release(state, ask)?;
    if release.assets.iter().any(|asset| asset.name == name) {
        let error = json!({ "resource": "ReleaseAsset", "code": "already_exists", "field": "name" });
        return Err(Response::json(422, &json!({ "message": "Validation Failed", "errors": [error] })));
    }
    let asset = Asset { id, name, state: "uploaded", content: ask.request.body.clone() };
    release.assets.push(asset.clone());
    Ok(Response::json(201, &asset.json(&place(ask), &release.place())))
}

fn delete_asset(state: &mut State, ask: &Ask<'_>) -> Reply {
    write(ask)?;
    let id = ask.value("asset_id");
    state.github.releases.iter_mut().for_each(|release| release.assets.retain(|asset| asset.id.to_string() != id));
    Ok(Response::empty(204))
}
