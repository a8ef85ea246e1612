//! Wiki pages of groups, with every text they ever had.

use serde_json::{Value, json};

use super::{
    State,
    access::{Access, Role},
    response::Response,
    router::{Ask, Reply, Route},
};

/// The wikis of all groups.
#[derive(Debug, Default)]
pub struct Wikis {
    pages: Vec<Page>,
    /// The name and content of each uploaded file.
    pub uploads: Vec<(String, String)>,
}

#[derive(Clone, Debug)]
struct Page {
    group: String,
    slug: String,
    title: String,
    format: String,
    /// The texts, the oldest first; the SHA of each is [`sha`] of its index.
    versions: Vec<String>,
}

/// The commit of the text at this index.
fn sha(place: usize) -> String {
    format!("{place:040x}")
}

pub fn routes() -> Vec<Route> {
    let route = |method, template, handler| Route::new(method, template, Access::User, handler);
    vec![
        route("GET", "/groups/:id/wikis", list),
        route("POST", "/groups/:id/wikis", create),
        route("POST", "/groups/:id/wikis/attachments", upload),
        route("GET", "/groups/:id/wikis/:slug", get),
        route("PUT", "/groups/:id/wikis/:slug", edit),
        route("DELETE", "/groups/:id/wikis/:slug", delete),
    ]
}

impl Wikis {
    /// `home`, and `docs/set-up` of two versions, both of `group`.
    pub fn sample() -> Self {
        let page = |slug: &str, title: &str, versions: &[&str]| Page {
            group: "group".to_owned(),
            slug: slug.to_owned(),
            title: title.to_owned(),
            format: "markdown".to_owned(),
            versions: versions.iter().map(|&text| text.to_owned()).collect(),
        };
        let pages = vec![page("docs/set-up", "set up", &["old\n", "*new*\n"]), page("home", "home", &["Hello"])];
        Self { pages, uploads: Vec::new() }
    }

    fn find(&mut self, group: &str, slug: &str) -> Result<&mut Page, Response> {
        let found = self.pages.iter_mut().find(|page| page.group == group && page.slug == slug);
        found.ok_or_else(|| Response::not_found("Wiki Page"))
    }
}

impl Page {
    fn json(&self, content: Option<&str>) -> Value {
        let mut document =
            json!({"format": self.format, "slug": self.slug, "title": self.title, "wiki_page_meta_id": 1});
        if let Some(content) = content {
            document["content"] = content.into();
            document["encoding"] = "UTF-8".into();
            document["front_matter"] = json!({});
        }
        document
    }

    fn text(&self) -> &str {
        self.versions.last().map_or("", String::as_str)
    }

    fn change(&mut self, ask: &Ask<'_>) -> Result<(), Response> {
        if let Some(format) = ask.parameter("format") {
            if !["markdown", "rdoc", "asciidoc", "org"].contains(&format.as_str()) {
                return Err(Response::error(400, "format does not have a valid value"));
            }
            self.format = format;
        }
        self.versions.extend(ask.parameter("content"));
        Ok(())
    }
}

fn slug(title: &str) -> String {
    title.replace(' ', "-").trim_matches('/').to_owned()
}

fn list(state: &mut State, ask: &Ask<'_>) -> Reply {
    let group = state.projects.group(ask.value("id"))?;
    let pages = state.wikis.pages.iter().filter(|page| page.group == group);
    let rows: Vec<Value> = pages.map(|page| page.json(ask.flag("with_content").then(|| page.text()))).collect();
    Ok(Response::json(200, &rows.into()))
}

fn get(state: &mut State, ask: &Ask<'_>) -> Reply {
    let group = state.projects.group(ask.value("id"))?;
    let page = state.wikis.find(&group, ask.value("slug"))?;
    let text = match ask.parameter("version") {
        None => page.text().to_owned(),
        Some(version) => {
            let place = (0..page.versions.len()).find(|place| sha(*place).ends_with(&version));
            place.map(|place| page.versions[place].clone()).ok_or_else(|| Response::not_found("Wiki Page"))?
        }
    };
    let text = if ask.flag("render_html") { format!("<p>{}</p>", text.trim_end()) } else { text };
    Ok(Response::json(200, &page.json(Some(&text))))
}

fn create(state: &mut State, ask: &Ask<'_>) -> Reply {
    let group = state.projects.group(ask.value("id"))?;
    ask.needs(Role::Developer)?;
    let (title, _) = (ask.required("title")?, ask.required("content")?);
    let slug = slug(&title);
    if state.wikis.find(&group, &slug).is_ok() {
        return Err(Response::invalid("base", "a page with that title already exists"));
    }
    let mut page = Page { group, slug, title, format: "markdown".to_owned(), versions: Vec::new() };
    page.change(ask)?;
    let document = page.json(Some(page.text()));
    state.wikis.pages.push(page);
    Ok(Response::json(201, &document))
}

fn edit(state: &mut State, ask: &Ask<'_>) -> Reply {
    let group = state.projects.group(ask.value("id"))?;
    ask.needs(Role::Developer)?;
    if ["content", "title"].iter().all(|name| ask.parameter(name).is_none()) {
        return Err(Response::error(400, "content, title are missing, at least one parameter must be provided"));
    }
    let page = state.wikis.find(&group, ask.value("slug"))?;
    page.change(ask)?;
    if let Some(title) = ask.parameter("title") {
        page.slug = slug(&title);
        page.title = title;
    }
    Ok(Response::json(200, &page.json(Some(page.text()))))
}

fn delete(state: &mut State, ask: &Ask<'_>) -> Reply {
    let group = state.projects.group(ask.value("id"))?;
    ask.needs(Role::Maintainer)?;
    state.wikis.find(&group, ask.value("slug"))?;
    state.wikis.pages.retain(|page| page.group != group || page.slug != ask.value("slug"));
    Ok(Response::empty(204))
}

fn upload(state: &mut State, ask: &Ask<'_>) -> Reply {
    state.projects.group(ask.value("id"))?;
    ask.needs(Role::Developer)?;
    let content = ask.required("file")?;
    let body = String::from_utf8_lossy(&ask.request.body);
    let name = body.split_once("filename=\"").and_then(|(_, rest)| rest.split('"').next()).unwrap_or_default();
    let name = name.replace(' ', "_");
    let path = format!("uploads/{}/{name}", "0".repeat(32));
    let branch = ask.parameter("branch").unwrap_or_else(|| "main".to_owned());
    let link = json!({"url": path, "markdown": format!("![{name}]({path})")});
    state.wikis.uploads.push((name.clone(), content));
    Ok(Response::json(201, &json!({"file_name": name, "file_path": path, "branch": branch, "link": link})))
}
