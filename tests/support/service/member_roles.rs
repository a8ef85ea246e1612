//! Member roles, of the whole service for its administrator and of groups for their owners.

use serde_json::{Value, json};

use super::{
    State,
    access::{Access, Role},
    response::Response,
    router::{Ask, Reply, Route},
};

/// What a role can grant here; the last is newer than the contract.
const PERMISSIONS: [&str; 21] = [
    "admin_cicd_variables",
    "admin_compliance_framework",
    "admin_group_member",
    "admin_merge_request",
    "admin_push_rules",
    "admin_terraform_state",
    "admin_vulnerability",
    "admin_web_hook",
    "archive_project",
    "manage_deploy_tokens",
    "manage_group_access_tokens",
    "manage_merge_request_settings",
    "manage_project_access_tokens",
    "manage_security_policy_link",
    "read_code",
    "read_runners",
    "read_dependency",
    "read_vulnerability",
    "remove_group",
    "remove_project",
    "admin_runners",
];

/// The custom roles.
#[derive(Debug, Default)]
pub struct MemberRoles {
    all: Vec<MemberRole>,
    /// Services of many tenants have no roles of the whole.
    pub of_groups_alone: bool,
}

/// A role of a group, or of the whole service.
#[derive(Clone, Debug)]
struct MemberRole {
    group: Option<String>,
    document: Value,
    in_use: bool,
}

pub fn routes() -> Vec<Route> {
    let route = |method, template, handler| Route::new(method, template, Access::User, handler);
    vec![
        route("GET", "/member_roles", list),
        route("POST", "/member_roles", create),
        route("DELETE", "/member_roles/:member_role_id", delete),
        route("GET", "/groups/:id/member_roles", list),
        route("POST", "/groups/:id/member_roles", create),
        route("DELETE", "/groups/:id/member_roles/:member_role_id", delete),
    ]
}

impl MemberRoles {
    /// `Auditor` (1) of the whole service, which members have; `Reader` (2) of `group`.
    pub fn sample() -> Self {
        let mut roles = Self::default();
        let auditor = json!({"name": "Auditor", "description": "looks at code", "base_access_level": 10});
        roles.add(None, &auditor);
        for permission in ["read_code", "read_runners"] {
            roles.all[0].document[permission] = true.into();
        }
        roles.add(
            Some("group"),
            &json!({"name": "Reader", "description": "reads code", "base_access_level": 10,
            "read_code": true}),
        );
        roles.all[0].in_use = true;
        roles
    }

    /// Adds a role with the fields that are given.
    pub fn add(&mut self, group: Option<&str>, given: &Value) -> &Value {
        let id = self.all.iter().filter_map(|role| role.document["id"].as_u64()).max().unwrap_or(0) + 1;
        let group_id = group.map(|_| 7);
        let mut document = json!({"id": id, "name": null, "description": null, "group_id": group_id});
        document["base_access_level"] = Value::Null;
        for permission in PERMISSIONS {
            document[permission] = false.into();
        }
        for (name, value) in given.as_object().expect("an object") {
            document[name] = value.clone();
        }
        self.all.push(MemberRole { group: group.map(str::to_owned), document, in_use: false });
        &self.all.last().expect("it was just added").document
    }

    /// The role of this name.
    pub fn find(&self, name: &str) -> Option<&Value> {
        self.all.iter().map(|role| &role.document).find(|document| document["name"] == name)
    }
}

/// The requested group, if the caller has access.
fn scope(state: &State, ask: &Ask<'_>) -> Result<Option<String>, Response> {
    if ask.value("id").is_empty() {
        ask.needs(Role::Admin)?;
        let refusal = Response::message(400, "400 Bad request");
        return if state.member_roles.of_groups_alone { Err(refusal) } else { Ok(None) };
    }
    let group = state.projects.group(ask.value("id"))?;
    ask.needs(Role::Owner)?;
    Ok(Some(group))
}

fn list(state: &mut State, ask: &Ask<'_>) -> Reply {
    let group = scope(state, ask)?;
    let roles = state.member_roles.all.iter().filter(|role| role.group == group);
    Ok(Response::json(200, &roles.map(|role| role.document.clone()).collect()))
}

fn create(state: &mut State, ask: &Ask<'_>) -> Reply {
    let group = scope(state, ask)?;
    if group.as_ref().is_some_and(|group| group.contains('/')) {
        return Err(Response::message(400, "Namespace must be top-level namespace"));
    }
    let level = ask.required("base_access_level")?;
    let level = level.parse::<u64>().ok().filter(|level| [10, 15, 20, 25, 30, 40, 50].contains(level));
    let level = level.ok_or_else(|| Response::error(400, "base_access_level does not have a valid value"))?;
    let mut given = json!({"name": ask.required("name")?, "base_access_level": level});
    if let Some(description) = ask.parameter("description") {
        given["description"] = description.into();
    }
    for permission in PERMISSIONS {
        given[permission] = ask.flag(permission).into();
    }
    Ok(Response::json(201, state.member_roles.add(group.as_deref(), &given)))
}

fn delete(state: &mut State, ask: &Ask<'_>) -> Reply {
    let group = scope(state, ask)?;
    let id = ask.value("member_role_id").parse().ok();
    let is_meant = |role: &MemberRole| role.group == group && role.document["id"].as_u64() == id;
    let at = state.member_roles.all.iter().position(is_meant).ok_or_else(|| Response::not_found("Member Role"))?;
    if state.member_roles.all[at].in_use {
        return Err(Response::message(400, "Role is assigned to one or more members"));
    }
    state.member_roles.all.remove(at);
    Ok(Response::empty(204))
}
