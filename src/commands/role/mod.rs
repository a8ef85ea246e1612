//! `tidings role`: the member roles of a GitLab instance or of a group.

mod permission;
mod sync;

use clap::{ArgAction, Args as _};
use serde_json::Value;

pub use self::permission::{PERMISSIONS, Permission};
use self::permission::{check_level, check_permission, granted, level_name, levels, parse_level, permissions_help};
use super::{
    args::parse_id,
    layout::Cell,
    resource::{Action, Column, Draft, Given, Param, Resource, left, right, text, with},
    sync::SyncArgs,
};
use crate::model::Problem;

/// The custom member roles of the whole instance or of a top-level group.
#[derive(Debug)]
pub struct Role;

const EXAMPLES: &str = "\
Examples:
  tidings role list
  tidings role list --group group
  tidings role create Auditor --base-access-level guest --allow read_code
  tidings role delete 7 --group group
  tidings role sync roles.yml --dry-run                what a file would change";

const FILE: &str = "\
The file:
  - name: Auditor
    base_access_level: guest      # or the number of a level
    description: looks at code    # not changed if the key is missing
    allow: [read_code, read_vulnerability]

A role that differs is deleted and recreated, because GitLab cannot change one.";

const KEEPERS: &str = "an administrator's token, or for the roles of a group the token of an owner";
const ROLES: &str = "[/groups/:id]/member_roles";
const ROLE: &str = "[/groups/:id]/member_roles/:member_role_id";

const COLUMNS: [Column; 5] = [
    right("ID", "id"),
    left("NAME", "name"),
    with("BASE", base),
    left("DESCRIPTION", "description"),
    with("PERMISSIONS", permissions),
];

const FIELDS: [Column; 5] = [
    left("id", "id"),
    left("description", "description"),
    left("group", "group_id"),
    with("base", base),
    with("permissions", permissions),
];

impl Resource for Role {
    const NAME: &'static str = "role";
    const ABOUT: (&'static str, Option<&'static str>) =
        ("List, create and delete the member roles of a server or a group", None);
    const EXAMPLES: &'static str = EXAMPLES;

    fn actions() -> Vec<Action> {
        let sync = "Make the roles match a file: print the plan, then apply it";
        vec![list(), create(), delete(), {
            let extend = |command| SyncArgs::augment_args(command).after_help(FILE);
            Action::own("sync", sync, extend, sync::run).params([group(), allow_unknown()])
        }]
    }
}

fn list() -> Action {
    Action::get("list", "List roles with the permissions they grant", ROLES, KEEPERS)
        .params([group()])
        .table("no roles", |_| &COLUMNS)
        .precondition(|given, _| match given.field("id") {
            Some(_) => "a self-managed instance may have roles only of the whole instance: omit `--group`",
            None => "GitLab.com has only roles of groups: use `--group`",
        })
}

fn create() -> Action {
    let level = "Base access level of the role: guest, planner, reporter, developer, maintainer, owner, or a number";
    let allow = "Permission that the role grants; can be repeated. `--help` lists them";
    Action::post("create", "Create a role", ROLES, KEEPERS)
        .json()
        .params([
            Param::positional("name", "NAME", "Name of the role").filled(),
            group(),
            Param::option("base-access-level", "LEVEL", level).required().parse(|text| {
                parse_level(text).map(Value::from).ok_or_else(|| format!("it must be one of {}", levels()))
            }),
            Param::option("allow", "PERMISSION", allow)
                .local()
                .with(|arg| arg.action(ArgAction::Append).long_help(permissions_help())),
            allow_unknown(),
            Param::option("description", "TEXT", "Description of the role"),
        ])
        .complete(permit)
        .precondition(|given, _| if given.field("id").is_some() { TOP_LEVEL_ONLY } else { "" })
        .card(&["name"], &FIELDS)
}

const TOP_LEVEL_ONLY: &str = "create the roles of a group in its top-level group, if the server has roles of groups";

fn delete() -> Action {
    Action::delete("delete", "Delete a role that is assigned to no member", ROLE, KEEPERS)
        .params([Param::positional("member_role_id", "ID", "ID of the role").parse(parse_id), group()])
        .confirm("delete the role `{member_role_id}` of {owner}")
        .precondition(|_, _| "assign another role to its members first")
        .done("deleted the role `{member_role_id}`")
}

fn group() -> Param {
    let help = "Group of the roles, by ID or path [default: roles of the whole instance]";
    Param::option("group", "ID|PATH", help).filled().sends("id")
}

fn allow_unknown() -> Param {
    Param::flag("allow-unknown", "Accept unknown permissions and levels, which newer servers may have").local()
}

/// Checks level and permissions, and sets a field for each permission.
fn permit(given: &Given<'_>, draft: &mut Draft) -> anyhow::Result<()> {
    let known = |check: Result<(), Problem>| if given.flag("allow-unknown") { Ok(()) } else { check };
    let level = given.value("base-access-level");
    known(check_level(level.as_ref().and_then(Value::as_u64).unwrap_or_default()))?;
    // The level is sent after the description.
    draft.fields.retain(|(name, _)| name != "base_access_level");
    draft.set("base_access_level", level);
    for name in given.many("allow") {
        known(check_permission(&name))?;
        draft.set(&name, Some(true));
    }
    Ok(())
}

fn base(role: &Value) -> Option<Cell> {
    text(role, "base_access_level").map(|level| Cell::new(level.parse().map_or(level, level_name)))
}

fn permissions(role: &Value) -> Option<Cell> {
    Some(granted(role).collect::<Vec<_>>().join(", ")).filter(|names| !names.is_empty()).map(Cell::new)
}
