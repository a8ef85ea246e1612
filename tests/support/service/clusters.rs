//! Clusters of projects.

use serde_json::{Value, json};

use super::{
    State,
    access::{Access, Role},
    paging,
    response::Response,
    router::{Ask, Reply, Route},
};

/// The clusters of `group/app`.
#[derive(Debug, Default)]
pub struct Clusters {
    all: Vec<Cluster>,
}

/// A cluster, and the token that is in no response.
#[derive(Clone, Debug)]
pub struct Cluster {
    document: Value,
    pub token: String,
}

pub fn routes() -> Vec<Route> {
    let route = |method, template, handler| Route::new(method, template, Access::User, handler);
    vec![
        route("GET", "/projects/:id/clusters", list),
        route("POST", "/projects/:id/clusters/user", add),
        route("GET", "/projects/:id/clusters/:cluster_id", get),
        route("PUT", "/projects/:id/clusters/:cluster_id", edit),
        route("DELETE", "/projects/:id/clusters/:cluster_id", delete),
    ]
}

impl Clusters {
    /// `own` (1), which was added, and `cloud` (2), which GitLab created.
    pub fn sample() -> Self {
        let mut clusters = Self::default();
        clusters.add("own", "user");
        clusters.add("cloud", "gcp");
        clusters
    }

    fn add(&mut self, name: &str, provider: &str) -> &mut Cluster {
        let id = self.all.iter().filter_map(|cluster| cluster.document["id"].as_u64()).max().unwrap_or(0) + 1;
        let document = json!({
            "id": id, "name": name, "created_at": "2026-01-02T20:18:12.563Z", "domain": null, "enabled": true,
            "managed": true, "provider_type": provider, "platform_type": "kubernetes", "environment_scope": "*",
            "cluster_type": "project_type", "namespace_per_environment": true, "provider_gcp": null,
            "user": {"id": 1, "name": "Ada", "username": "ada", "state": "active", "avatar_url": null, "web_url": null},
            "platform_kubernetes": {"api_url": "https://k8s.example.com", "namespace": "app",
                "authorization_type": "rbac", "ca_cert": "-----BEGIN CERTIFICATE-----\nQUJD\n"},
            "management_project": null,
        });
        self.all.push(Cluster { document, token: "old".to_owned() });
        self.all.last_mut().expect("it was just added")
    }

    /// The cluster of this id.
    pub fn find(&mut self, id: &str) -> Result<&mut Cluster, Response> {
        let found = self.all.iter_mut().find(|cluster| cluster.document["id"].as_u64() == id.parse().ok());
        found.ok_or_else(|| Response::message(404, "404 Not found"))
    }
}

impl Cluster {
    fn with_project(&self) -> Value {
        let mut document = self.document.clone();
        document["project"] = json!({"id": 1, "path": "app", "path_with_namespace": "group/app", "topics": [],
            "namespace": {"id": 7, "full_path": "group", "parent_id": null}});
        document
    }

    fn change(&mut self, ask: &Ask<'_>) {
        for name in ["name", "domain", "environment_scope"] {
            if let Some(value) = ask.parameter(name) {
                self.document[name] = value.into();
            }
        }
        for name in ["enabled", "managed"] {
            if ask.parameter(name).is_some() {
                self.document[name] = ask.flag(name).into();
            }
        }
        for name in ["api_url", "namespace", "authorization_type", "ca_cert"] {
            if let Some(value) = platform(ask, name) {
                self.document["platform_kubernetes"][name] = value.into();
            }
        }
        if let Some(id) = ask.parameter("management_project_id").and_then(|id| id.parse::<u64>().ok()) {
            self.document["management_project"] = json!({"id": id, "path_with_namespace": "group/manager"});
        }
        if let Some(token) = platform(ask, "token") {
            self.token = token;
        }
    }
}

fn platform(ask: &Ask<'_>, name: &str) -> Option<String> {
    ask.parameter(&format!("platform_kubernetes_attributes[{name}]"))
}

fn list(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    ask.needs(Role::Maintainer)?;
    let rows: Vec<Value> = state.clusters.all.iter().map(|cluster| cluster.document.clone()).collect();
    paging::offset(ask, &rows)
}

fn get(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    ask.needs(Role::Maintainer)?;
    let cluster = state.clusters.find(ask.value("cluster_id"))?;
    Ok(Response::json(200, &cluster.with_project()))
}

fn add(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    ask.needs(Role::Maintainer)?;
    let name = ask.required("name")?;
    let url = platform(ask, "api_url").ok_or_else(|| Response::missing("platform_kubernetes_attributes[api_url]"))?;
    let token = platform(ask, "token").ok_or_else(|| Response::missing("platform_kubernetes_attributes[token]"))?;
    if url.contains("blocked") {
        // A server that repeats the request in its error, which it should not do.
        let certificate = platform(ask, "ca_cert").unwrap_or_default();
        return Err(Response::invalid("platform_kubernetes.api_url", &format!("blocks {token} of {certificate}")));
    }
    let cluster = state.clusters.add(&name, "user");
    cluster.change(ask);
    Ok(Response::json(201, &cluster.with_project()))
}

fn edit(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    ask.needs(Role::Maintainer)?;
    let cluster = state.clusters.find(ask.value("cluster_id"))?;
    let touched = ["api_url", "ca_cert", "token"].iter().any(|name| platform(ask, name).is_some());
    if (touched || ask.parameter("name").is_some()) && cluster.document["provider_type"] != "user" {
        return Err(Response::invalid("platform_kubernetes.base", "Cannot modify managed Kubernetes cluster"));
    }
    cluster.change(ask);
    Ok(Response::json(200, &cluster.with_project()))
}

fn delete(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    ask.needs(Role::Maintainer)?;
    let id = state.clusters.find(ask.value("cluster_id"))?.document["id"].clone();
    state.clusters.all.retain(|cluster| cluster.document["id"] != id);
    Ok(Response::empty(204))
}
