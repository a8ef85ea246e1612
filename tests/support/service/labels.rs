//! Labels: those of `group/app`, and one of its group.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::{
    State,
    access::{Access, Role},
    paging,
    response::Response,
    router::{Ask, Reply, Route},
};

/// The labels of every project.
#[derive(Debug, Default)]
pub struct Labels {
    all: Vec<Label>,
    /// Services before 12.4 took a label's name as a parameter instead of in the path.
    pub only_older_routes: bool,
}

/// A label.
#[derive(Clone, Debug)]
pub struct Label {
    pub id: u64,
    pub name: String,
    pub color: String,
    pub description: Option<String>,
    pub priority: Option<u64>,
    pub of_project: bool,
    pub locked: bool,
    pub subscribers: HashSet<Role>,
}

pub fn routes() -> Vec<Route> {
    let route = |method, template, handler| Route::new(method, template, Access::User, handler);
    vec![
        route("GET", "/projects/:id/labels", list),
        route("POST", "/projects/:id/labels", create),
        route("PUT", "/projects/:id/labels", edit),
        route("DELETE", "/projects/:id/labels", delete),
        route("PUT", "/projects/:id/labels/promote", promote),
        route("GET", "/projects/:id/labels/:label_id", get),
        route("PUT", "/projects/:id/labels/:label_id", edit),
        route("DELETE", "/projects/:id/labels/:label_id", delete),
        route("PUT", "/projects/:id/labels/:label_id/promote", promote),
        route("POST", "/projects/:id/labels/:label_id/subscribe", subscribe),
        route("POST", "/projects/:id/labels/:label_id/unsubscribe", unsubscribe),
    ]
}

impl Labels {
    /// `bug` (1), `a/b c` (2), `100%` (3), `locked` (4), and `shared` (5) of the group.
    pub fn sample() -> Self {
        let mut labels = Self::default();
        for name in ["bug", "a/b c", "100%", "locked", "shared"] {
            labels.add(name, "#d9534f");
        }
        labels.all[3].locked = true;
        labels.all[4].of_project = false;
        labels
    }

    /// Adds a label and gives its id.
    pub fn add(&mut self, name: &str, color: &str) -> u64 {
        let id = self.all.iter().map(|label| label.id).max().unwrap_or(0) + 1;
        self.all.push(Label {
            id,
            name: name.to_owned(),
            color: color.to_owned(),
            description: None,
            priority: None,
            of_project: true,
            locked: false,
            subscribers: HashSet::new(),
        });
        id
    }

    /// A label by id, else by title.
    pub fn find(&self, key: &str) -> Option<&Label> {
        let by_id = self.all.iter().find(|label| label.id.to_string() == key);
        by_id.or_else(|| self.all.iter().find(|label| label.name == key))
    }

    fn find_mut(&mut self, key: &str) -> Result<&mut Label, Response> {
        let id = self.find(key).map(|label| label.id);
        let found = self.all.iter_mut().find(|label| Some(label.id) == id);
        found.ok_or_else(|| Response::not_found("Label"))
    }
}

impl Label {
    fn json(&self, ask: &Ask<'_>, with_counts: bool) -> Value {
        let mut document = json!({
            "id": self.id, "name": self.name, "description": self.description, "description_html": self.description,
            "text_color": "#FFFFFF", "color": self.color,
            "subscribed": ask.role.is_some_and(|role| self.subscribers.contains(&role)),
            "priority": self.priority, "is_project_label": self.of_project, "archived": false,
        });
        if with_counts {
            document["open_issues_count"] = 1.into();
            document["closed_issues_count"] = 0.into();
            document["open_merge_requests_count"] = self.id.into();
        }
        document
    }

    /// As a label of a group: without what only a project's has.
    fn group_json(&self, ask: &Ask<'_>) -> Value {
        let mut document = self.json(ask, false);
        let fields = document.as_object_mut().expect("an object");
        fields.shift_remove("priority");
        fields.shift_remove("is_project_label");
        document
    }
}

/// The label of the path, or that of the older routes' parameters.
fn key(state: &State, ask: &Ask<'_>) -> Result<String, Response> {
    match ask.value("label_id") {
        "" => ask.parameter("label_id").map_or_else(|| ask.required("name"), Ok),
        _ if state.labels.only_older_routes => Err(Response::error(404, "404 Not Found")),
        key => Ok(key.to_owned()),
    }
}

fn list(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    let search = ask.parameter("search").unwrap_or_default().to_lowercase();
    let ancestors = ask.parameter("include_ancestor_groups").as_deref() != Some("false");
    let mut labels: Vec<&Label> = state.labels.all.iter().collect();
    labels.retain(|label| label.name.to_lowercase().contains(&search) && (ancestors || label.of_project));
    labels.sort_by(|one, other| one.name.cmp(&other.name));
    let rows: Vec<Value> = labels.iter().map(|label| label.json(ask, ask.flag("with_counts"))).collect();
    paging::offset(ask, &rows)
}

fn get(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    let label = state.labels.find(ask.value("label_id")).ok_or_else(|| Response::not_found("Label"))?;
    Ok(Response::json(200, &label.json(ask, false)))
}

fn create(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    ask.needs(Role::Planner)?;
    let (name, color) = (ask.required("name")?, ask.required("color")?);
    if state.labels.all.iter().any(|label| label.name == name) {
        return Err(Response::message(409, "Label already exists"));
    }
    let color = check_color(&color)?;
    let id = state.labels.add(&name, &color);
    let label = state.labels.find_mut(&id.to_string())?;
    change(label, ask)?;
    Ok(Response::json(201, &label.json(ask, false)))
}

fn edit(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    ask.needs(Role::Planner)?;
    let key = key(state, ask)?;
    let updatable = ["new_name", "color", "description", "priority", "archived"];
    if updatable.iter().all(|name| ask.parameter(name).is_none()) {
        let names = updatable.join(", ");
        return Err(Response::error(400, &format!("{names} are missing, at least one parameter must be provided")));
    }
    let label = state.labels.find_mut(&key)?;
    change(label, ask)?;
    if let Some(name) = ask.parameter("new_name") {
        label.name = name;
    }
    Ok(Response::json(200, &label.json(ask, false)))
}

fn change(label: &mut Label, ask: &Ask<'_>) -> Result<(), Response> {
    if let Some(color) = ask.parameter("color") {
        label.color = check_color(&color)?;
    }
    if let Some(description) = ask.parameter("description") {
        label.description = Some(description);
    }
    if let Some(priority) = ask.parameter("priority") {
        label.priority = priority.parse().ok();
    }
    Ok(())
}

fn delete(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    ask.needs(Role::Planner)?;
    let key = key(state, ask)?;
    let (id, locked) = state.labels.find_mut(&key).map(|label| (label.id, label.locked))?;
    if locked {
        return Err(Response::message(400, "Label is locked and was not removed"));
    }
    state.labels.all.retain(|label| label.id != id);
    Ok(Response::empty(204))
}

fn promote(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    ask.needs(Role::Planner)?;
    let key = key(state, ask)?;
    let label = state.labels.find_mut(&key)?;
    if !label.of_project {
        return Err(Response::message(400, "Failed to promote project label to group label"));
    }
    label.of_project = false;
    Ok(Response::json(200, &label.group_json(ask)))
}

fn subscribe(state: &mut State, ask: &Ask<'_>) -> Reply {
    subscription(state, ask, HashSet::insert)
}

fn unsubscribe(state: &mut State, ask: &Ask<'_>) -> Reply {
    subscription(state, ask, |subscribers, role| subscribers.remove(&role))
}

fn subscription(state: &mut State, ask: &Ask<'_>, change: fn(&mut HashSet<Role>, Role) -> bool) -> Reply {
    ask.project(state)?;
    let label = state.labels.find_mut(ask.value("label_id"))?;
    let role = ask.role.expect("the route is for users");
    if !change(&mut label.subscribers, role) {
        return Ok(Response::empty(304));
    }
    Ok(Response::json(201, &label.json(ask, false)))
}

/// The service stores names of colours as digits; one will do here.
fn check_color(color: &str) -> Result<String, Response> {
    match color {
        "red" => Ok("#ff0000".to_owned()),
        _ if color.starts_with('#') && color.len() == 7 => Ok(color.to_owned()),
        _ => Err(Response::invalid("color", "must be a valid color code")),
    }
}
