//! The permissions and access levels of roles.

use serde_json::Value;

use crate::model::{Problem, closest};

/// The documented permissions, by the name of the field in the API, with the actions that each allows in words that follow
/// "can". Newer servers may have more.
pub(crate) const PERMISSIONS: [(&str, &str); 20] = [
    ("admin_cicd_variables", "create, read, change and delete CI/CD variables"),
    ("admin_compliance_framework", "administer compliance frameworks"),
    ("admin_group_member", "add and remove members of a group and assign them roles"),
    ("admin_merge_request", "approve merge requests"),
    ("admin_push_rules", "set the push rules of groups and projects"),
    ("admin_terraform_state", "administer the Terraform state of projects"),
    ("admin_vulnerability", "change vulnerabilities, their state and issues included"),
    ("admin_web_hook", "administer web hooks"),
    ("archive_project", "archive projects"),
    ("manage_deploy_tokens", "manage deploy tokens"),
    ("manage_group_access_tokens", "manage access tokens of groups"),
    ("manage_merge_request_settings", "change the settings of merge requests"),
    ("manage_project_access_tokens", "manage access tokens of projects"),
    ("manage_security_policy_link", "link projects with security policies"),
    ("read_code", "read the code of projects"),
    ("read_runners", "see the runners of projects"),
    ("read_dependency", "see what projects depend on"),
    ("read_vulnerability", "see the vulnerabilities of projects"),
    ("remove_group", "delete and restore groups"),
    ("remove_project", "delete projects"),
];

/// The access levels that a role can be based on.
const LEVELS: [(&str, u64); 6] =
    [("guest", 10), ("planner", 15), ("reporter", 20), ("developer", 30), ("maintainer", 40), ("owner", 50)];

/// Parses the name of a level, or any number.
pub(super) fn parse_level(text: &str) -> Option<u64> {
    let named = LEVELS.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, level)| level);
    named.or_else(|| text.parse().ok())
}

/// Returns the name of a level, or its number if it has no name.
pub(super) fn level_name(level: u64) -> String {
    let named = LEVELS.into_iter().find(|(_, known)| *known == level);
    named.map_or_else(|| level.to_string(), |(name, _)| name.to_owned())
}

pub(super) fn is_level(level: u64) -> bool {
    LEVELS.iter().any(|(_, known)| *known == level)
}

/// Returns every level with name and number, in words.
pub(super) fn levels() -> String {
    LEVELS.map(|(name, level)| format!("{name} ({level})")).join(", ")
}

pub(super) fn check_level(level: u64) -> Result<(), Problem> {
    if is_level(level) {
        return Ok(());
    }
    let problem = Problem::usage(format!("unknown access level `{level}`"));
    Err(problem.hint(format!("use one of {}, or `--allow-unknown` for another number", levels())))
}

pub(super) fn check_permission(name: &str) -> Result<(), Problem> {
    if is_permission(name) {
        return Ok(());
    }
    Err(Problem::usage(format!("unknown permission `{name}`")).hint(permission_hint(name)))
}

pub(super) fn is_permission(name: &str) -> bool {
    PERMISSIONS.iter().any(|(known, _)| *known == name)
}

/// Returns the hint for an unknown permission.
pub(super) fn permission_hint(name: &str) -> String {
    match closest(name, PERMISSIONS.map(|(known, _)| known)) {
        Some(near) => format!("did you mean `{near}`? use `--allow-unknown` to accept `{name}`"),
        None => "run `tidings role create --help` to list them, or use `--allow-unknown` for newer servers".to_owned(),
    }
}

/// Returns the permissions that a role grants, in the server's order, unknown ones included.
pub(super) fn granted_permissions(role: &Value) -> impl Iterator<Item = &str> {
    let fields = role.as_object().into_iter().flatten();
    fields.filter(|(_, granted)| **granted == true).map(|(name, _)| name.as_str())
}

pub(super) fn permissions_help() -> String {
    let lines = PERMISSIONS.map(|(name, allows)| format!("\n  {name:<30} {allows}"));
    format!("Permission that the role grants; can be repeated:\n{}", lines.concat())
}
