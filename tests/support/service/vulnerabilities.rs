//! Vulnerabilities, in the payloads of newer and of older services.

use serde_json::{Value, json};

use super::{
    State,
    access::{Access, Role},
    response::Response,
    router::{Ask, Reply, Route},
};

/// The vulnerabilities 1, 2 and 3, all detected at first.
#[derive(Debug)]
pub struct Vulnerabilities {
    states: Vec<&'static str>,
    /// Older services sent other fields.
    pub older_payload: bool,
}

pub fn routes() -> Vec<Route> {
    let route = |method, template, handler| Route::new(method, template, Access::User, handler);
    vec![
        route("GET", "/vulnerabilities/:id", get),
        route("POST", "/vulnerabilities/:id/confirm", |state, ask| classify(state, ask, "confirmed")),
        route("POST", "/vulnerabilities/:id/resolve", |state, ask| classify(state, ask, "resolved")),
        route("POST", "/vulnerabilities/:id/dismiss", |state, ask| classify(state, ask, "dismissed")),
        route("POST", "/vulnerabilities/:id/revert", |state, ask| classify(state, ask, "detected")),
    ]
}

impl Vulnerabilities {
    pub fn sample() -> Self {
        Self { states: vec!["detected"; 3], older_payload: false }
    }

    pub fn state(&self, id: usize) -> &'static str {
        self.states[id - 1]
    }

    fn json(&self, index: usize) -> Value {
        let mut document = json!({
            "id": index + 1, "title": "Predictable random numbers", "description": null, "state": self.states[index],
            "severity": "medium", "report_type": "sast", "author_id": 1,
            "created_at": "2024-01-02T03:04:05.678Z", "updated_at": "2024-01-02T03:04:05.678Z",
        });
        if self.older_payload {
            document["confidence"] = "high".into();
            document["project"] = json!({"id": 1, "name": "app", "full_path": "group/app", "full_name": "Group / app"});
            document["closed_at"] = Value::Null;
        } else {
            document["project"] = json!({"id": 1, "name": "app", "path_with_namespace": "group/app"});
            document["finding"] = json!({"location": {"file": "a.c"}});
        }
        document
    }
}

/// Looks first, and then checks whether the caller may look.
fn find(state: &State, ask: &Ask<'_>) -> Result<usize, Response> {
    let id: usize = ask.value("id").parse().unwrap_or(0);
    let known = (1..=state.vulnerabilities.states.len()).contains(&id);
    if !known {
        return Err(Response::message(404, "404 Not found"));
    }
    ask.needs(Role::Reporter)?;
    Ok(id - 1)
}

fn get(state: &mut State, ask: &Ask<'_>) -> Reply {
    let index = find(state, ask)?;
    Ok(Response::json(200, &state.vulnerabilities.json(index)))
}

fn classify(state: &mut State, ask: &Ask<'_>, to: &'static str) -> Reply {
    let index = find(state, ask)?;
    if state.vulnerabilities.states[index] == to {
        return Ok(Response::empty(304));
    }
    ask.needs(Role::Maintainer)?;
    state.vulnerabilities.states[index] = to;
    Ok(Response::json(201, &state.vulnerabilities.json(index)))
}
