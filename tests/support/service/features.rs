//! Feature flags, for administrators.

use serde_json::{Value, json};

use super::{
    State,
    access::{Access, Role},
    response::Response,
    router::{Ask, Reply, Route},
};

const TARGETS: [&str; 6] = ["feature_group", "user", "group", "namespace", "project", "repository"];

/// The features that were set.
#[derive(Debug, Default)]
pub struct Features(Vec<Feature>);

/// A feature with every gate it can have.
#[derive(Clone, Debug, Default)]
pub struct Feature {
    pub name: String,
    pub on: bool,
    pub of_time: u64,
    pub of_actors: u64,
    pub actors: Vec<String>,
    pub groups: Vec<String>,
}

pub fn routes() -> Vec<Route> {
    let route = |method, template, handler| Route::new(method, template, Access::User, handler);
    vec![
        route("GET", "/features", list),
        route("GET", "/features/definitions", definitions),
        route("POST", "/features/:name", set),
        route("DELETE", "/features/:name", delete),
    ]
}

impl Features {
    /// `fast_lane`, off.
    pub fn sample() -> Self {
        Self(vec![Feature { name: "fast_lane".to_owned(), ..Feature::default() }])
    }

    pub fn find(&self, name: &str) -> Option<&Feature> {
        self.0.iter().find(|feature| feature.name == name)
    }

    fn find_or_create(&mut self, name: &str) -> &mut Feature {
        let at = self.0.iter().position(|feature| feature.name == name).unwrap_or(self.0.len());
        if at == self.0.len() {
            self.0.push(Feature { name: name.to_owned(), ..Feature::default() });
        }
        &mut self.0[at]
    }
}

impl Feature {
    fn json(&self) -> Value {
        let mut gates = vec![json!({"key": "boolean", "value": self.on})];
        for (key, percentage) in [("percentage_of_time", self.of_time), ("percentage_of_actors", self.of_actors)] {
            gates.extend((percentage > 0).then(|| json!({"key": key, "value": percentage})));
        }
        for (key, names) in [("actors", &self.actors), ("groups", &self.groups)] {
            gates.extend((!names.is_empty()).then(|| json!({"key": key, "value": names})));
        }
        let state = match (self.on, gates.len()) {
            (true, _) => "on",
            (false, 1) => "off",
            _ => "conditional",
        };
        let definition = (self.name == "fast_lane").then(definition);
        json!({"name": self.name, "state": state, "gates": gates, "definition": definition})
    }

    fn target(&mut self, kind: &str, name: &str, on: bool) {
        let (names, name) = match kind {
            "feature_group" => (&mut self.groups, name.to_owned()),
            _ => (&mut self.actors, format!("{kind}:{name}")),
        };
        names.retain(|present| *present != name);
        names.extend(on.then_some(name));
    }
}

fn definition() -> Value {
    json!({
        "name": "fast_lane", "introduced_by_url": "https://service.example/changes/1", "rollout_issue_url": null,
        "milestone": "15.2", "log_state_changes": null, "type": "development", "group": "group::source",
        "default_enabled": false,
    })
}

fn list(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.needs(Role::Admin)?;
    Ok(Response::json(200, &state.features.0.iter().map(Feature::json).collect()))
}

fn definitions(_: &mut State, ask: &Ask<'_>) -> Reply {
    ask.needs(Role::Admin)?;
    Ok(Response::json(200, &json!([definition()])))
}

fn set(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.needs(Role::Admin)?;
    let (name, value) = (ask.value("name"), ask.required("value")?);
    let targets: Vec<_> = TARGETS.iter().filter_map(|kind| Some((*kind, ask.parameter(kind)?))).collect();
    if let (Some(_), Some((kind, _))) = (ask.parameter("key"), targets.first()) {
        return Err(Response::error(400, &format!("key, {kind} are mutually exclusive")));
    }
    if state.features.find(name).is_none() && name.starts_with("undefined") && !ask.flag("force") {
        let message = format!("400 Bad request - The feature flag `{name}` has no definition");
        return Err(Response::message(400, message));
    }
    for (kind, names) in &targets {
        check_target(&value, name, kind, names)?;
    }
    let feature = state.features.find_or_create(name);
    change(feature, &value, &ask.parameter("key").unwrap_or_default(), &targets);
    Ok(Response::json(201, &feature.json()))
}

fn check_target(value: &str, name: &str, kind: &str, names: &str) -> Result<(), Response> {
    if !matches!(value, "true" | "false") {
        let message = format!("400 Bad request - Cannot set '{name}' to \"{value}\" for {kind}");
        return Err(Response::message(400, message));
    }
    let unknown = names.split(',').find(|name| name.contains("nobody"));
    unknown.map_or(Ok(()), |name| Err(Response::message(400, format!("400 Bad request - {name} is not found!"))))
}

fn change(feature: &mut Feature, value: &str, key: &str, targets: &[(&'static str, String)]) {
    let on = value == "true";
    for (kind, names) in targets {
        names.split(',').for_each(|name| feature.target(kind, name, on));
    }
    match value.parse() {
        _ if !targets.is_empty() => {}
        Ok(percentage) if key == "percentage_of_actors" => feature.of_actors = percentage,
        Ok(percentage) => feature.of_time = percentage,
        Err(_) if on => feature.on = true,
        Err(_) => *feature = Feature { name: feature.name.clone(), ..Feature::default() },
    }
}

fn delete(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.needs(Role::Admin)?;
    state.features.0.retain(|feature| feature.name != ask.value("name"));
    Ok(Response::empty(204))
}
