//! The permissions and access levels of roles.

use serde_json::Value;

use crate::model::{Problem, closest};

/// A permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permission {
    /// The name, which is the field in the API.
    pub name: &'static str,
    /// The actions it allows, in words that follow "can".
    pub allows: &'static str,
}

const fn permission(name: &'static str, allows: &'static str) -> Permission {
    Permission { name, allows }
}

/// The documented permissions; newer servers may have more.
pub const PERMISSIONS: [Permission; 20] = [
    permission("admin_cicd_variables", "create, read, change and delete CI/CD variables"),
    permission("admin_compliance_framework", "administer compliance frameworks"),
    permission("admin_group_member", "add and remove members of a group and assign them roles"),
    permission("admin_merge_request", "approve merge requests"),
    permission("admin_push_rules", "set the push rules of groups and projects"),
    permission("admin_terraform_state", "administer the Terraform state of projects"),
    permission("admin_vulnerability", "change vulnerabilities, their state and issues included"),
    permission("admin_web_hook", "administer web hooks"),
    permission("archive_project", "archive projects"),
    permission("manage_deploy_tokens", "manage deploy tokens"),
    permission("manage_group_access_tokens", "manage access tokens of groups"),
    permission("manage_merge_request_settings", "change the settings of merge requests"),
    permission("manage_project_access_tokens", "manage access tokens of projects"),
    permission("manage_security_policy_link", "link projects with security policies"),
    permission("read_code", "read the code of projects"),
    permission("read_runners", "see the runners of projects"),
    permission("read_dependency", "see what projects depend on"),
    permission("read_vulnerability", "see the vulnerabilities of projects"),
    permission("remove_group", "delete and restore groups"),
    permission("remove_project", "delete projects"),
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
    Err(Problem::usage(format!("unknown permission `{name}`")).hint(other_permission(name)))
}

pub(super) fn is_permission(name: &str) -> bool {
    PERMISSIONS.iter().any(|permission| permission.name == name)
}

/// Returns the hint for an unknown permission.
pub(super) fn other_permission(name: &str) -> String {
    match closest(name, PERMISSIONS.iter().map(|permission| permission.name)) {
        Some(near) => format!("did you mean `{near}`? use `--allow-unknown` to accept `{name}`"),
        None => "run `tidings role create --help` to list them, or use `--allow-unknown` for newer servers".to_owned(),
    }
}

/// Returns the permissions that a role grants, in the server's order, unknown ones included.
pub(super) fn granted(role: &Value) -> impl Iterator<Item = &str> {
    let fields = role.as_object().into_iter().flatten();
    fields.filter(|(_, granted)| **granted == true).map(|(name, _)| name.as_str())
}

pub(super) fn permissions_help() -> String {
    let lines = PERMISSIONS.iter().map(|permission| format!("\n  {:<30} {}", permission.name, permission.allows));
    format!("Permission that the role grants; can be repeated:\n{}", lines.collect::<String>())
}
