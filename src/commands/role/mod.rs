//! `tidings role`: the member roles of a GitLab instance or of a group.

mod permission;

use clap::{ArgAction, Args as _, FromArgMatches as _};
use serde_json::Value;

use self::permission::{
    check_level, check_permission, granted_permissions, is_level, is_permission, level_name, levels, parse_level,
    permission_hint, permissions_help,
};
use super::{
    Server, Session,
    layout::{Cell, Column, computed, left, right, text_at},
    resource::{Action, ActionArgs, Param, RequestContent, Resource, parse_id},
    sync::{Desired, Difference, LOST, SyncArgs, SyncContext, SyncResource, read_description, sync, unknown_key},
};
use crate::{
    config::{Field, ResourceItem},
    model::{Problem, problem_kind},
};

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
    computed("BASE", base),
    left("DESCRIPTION", "description"),
    computed("PERMISSIONS", permissions),
];

const FIELDS: [Column; 5] = [
    left("id", "id"),
    left("description", "description"),
    left("group", "group_id"),
    computed("base", base),
    computed("permissions", permissions),
];

/// The custom member roles of the whole instance or of a top-level group.
pub(crate) const RESOURCE: Resource = Resource {
    name: "role",
    about: "List, create and delete the member roles of a server or a group",
    examples: EXAMPLES,
    of_project: false,
    note: "",
    actions,
};

fn actions() -> Vec<Action> {
    let sync = "Make the roles match a file: print the plan, then apply it";
    vec![list(), create(), delete(), {
        let extend = |command| SyncArgs::augment_args(command).after_help(FILE);
        Action::custom("sync", sync, extend, run_sync).params([group(), allow_unknown()])
    }]
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
fn permit(given: &ActionArgs<'_>, draft: &mut RequestContent) -> anyhow::Result<()> {
    let known = |check: Result<(), Problem>| if given.flag("allow-unknown") { Ok(()) } else { check };
    let level = given.value("base-access-level");
    known(check_level(level.as_ref().and_then(Value::as_u64).unwrap_or_default()))?;
    // The level is sent after the description.
    draft.fields.shift_remove("base_access_level");
    draft.set("base_access_level", level);
    for name in given.values("allow") {
        known(check_permission(&name))?;
        draft.set(&name, Some(true));
    }
    Ok(())
}

fn base(role: &Value) -> Option<Cell> {
    text_at(role, "base_access_level").map(|level| Cell::new(level.parse().map_or(level, level_name)))
}

fn permissions(role: &Value) -> Option<Cell> {
    Some(granted_permissions(role).collect::<Vec<_>>().join(", ")).filter(|names| !names.is_empty()).map(Cell::new)
}

const KEYS: [&str; 4] = ["name", "base_access_level", "description", "allow"];

/// The other keys that `role list` prints, which a file cannot change.
const READ_ONLY: [&str; 2] = ["id", "group_id"];

fn run_sync(given: &ActionArgs<'_>, server: &Server, session: &mut Session) -> anyhow::Result<()> {
    let args = SyncArgs::from_arg_matches(given.matches)?;
    let context =
        SyncContext { server, given, noun: "role", recreates: true, list: list(), create: create(), delete: delete() };
    sync(&Roles { context, allow_unknown: given.flag("allow-unknown") }, &args, session)
}

/// The roles of a group or of the whole instance.
struct Roles<'a> {
    context: SyncContext<'a>,
    allow_unknown: bool,
}

impl SyncResource for Roles<'_> {
    fn context(&self) -> &SyncContext<'_> {
        &self.context
    }

    fn read(&self, item: &ResourceItem<'_>) -> anyhow::Result<Desired> {
        let mut role = Desired::new();
        role.insert("name".to_owned(), item.required_field("name")?.filled()?.into());
        role.extend(read_description(item)?.map(|text| ("description".to_owned(), text.into())));
        role.insert("base_access_level".to_owned(), self.level(item.required_field("base_access_level")?)?.into());
        role.extend(self.permissions(item)?.into_iter().map(|permission| (permission, true.into())));
        Ok(role)
    }

    fn differences(&self, desired: &Desired, actual: Option<&Value>) -> Vec<Difference> {
        let desired = Value::Object(desired.clone());
        let level = |role: &Value| role["base_access_level"].as_u64().map(level_name);
        let sorted = |role: &Value| {
            let mut names: Vec<String> = granted_permissions(role).map(str::to_owned).collect();
            names.sort_unstable();
            names
        };
        let described = |role: Option<&Value>| role.and_then(|role| role["description"].as_str().map(str::to_owned));
        let level = Difference::between("base_access_level", actual.and_then(level), level(&desired));
        let described = Difference::between_descriptions(described(Some(&desired)), described(actual));
        let allow = Difference::between("allow", actual.map(sorted).unwrap_or_default(), sorted(&desired));
        [level, described, allow].into_iter().flatten().collect()
    }

    /// Recreates a role, because GitLab cannot change one. A role that is assigned to members cannot be deleted, and
    /// stays as it is. If the new role cannot be created, the old one is created again.
    fn update(&self, desired: &Desired, actual: &Value) -> anyhow::Result<Value> {
        self.context.delete(actual)?;
        let mut role = desired.clone();
        if !role.contains_key("description") && !actual["description"].is_null() {
            role.insert("description".to_owned(), actual["description"].clone());
        }
        let error = match self.context.create(&role) {
            Ok(created) => return Ok(created),
            Err(error) => error,
        };
        // The server may have created the role even if the connection broke.
        if let Ok(created) = self.find(desired) {
            return Ok(created);
        }
        let restored = self.context.create(&fields_of(actual));
        let problem = match restored {
            Ok(_) => Problem::new("the role could not be replaced, and was created again as it was"),
            Err(_) => Problem::new(LOST).hint("fix the cause, and create it again with `tidings role create`"),
        };
        let kind = problem_kind(&error);
        Err(error.context(problem.kind(kind)))
    }
}

impl Roles<'_> {
    fn level(&self, field: &Field<'_>) -> anyhow::Result<u64> {
        let text = field.title()?.unwrap_or_default();
        let level = parse_level(&text).filter(|level| self.allow_unknown || is_level(*level));
        Ok(level.ok_or_else(|| field.refusal(&format!("must be one of {}, not `{text}`", levels())))?)
    }

    /// Returns the permissions that `allow` lists, and those that are separate keys, as `role list` prints them.
    fn permissions(&self, item: &ResourceItem<'_>) -> anyhow::Result<Vec<String>> {
        let mut permissions = Vec::new();
        for field in item.fields() {
            match field.key() {
                "allow" => permissions.extend(self.parse_permissions(field)?),
                key if KEYS.contains(&key) || READ_ONLY.contains(&key) => {}
                key => match field.flag() {
                    Ok(false) => {}
                    Ok(true) if self.knows(key) => permissions.push(key.to_owned()),
                    Ok(true) => return Err(field.unknown_key().hint(permission_hint(key)).into()),
                    Err(_) if item.get("id").is_some() => {}
                    Err(_) => return Err(unknown_key(field, &KEYS).into()),
                },
            }
        }
        permissions.sort_unstable();
        permissions.dedup();
        Ok(permissions)
    }

    fn parse_permissions(&self, field: &Field<'_>) -> anyhow::Result<Vec<String>> {
        let names = field.elements()?.into_iter().map(|element| {
            let name = element.filled()?;
            if self.knows(&name) {
                Ok(name)
            } else {
                Err(element
                    .refusal(&format!("has the unknown permission `{name}`"))
                    .hint(permission_hint(&name))
                    .into())
            }
        });
        names.collect()
    }

    /// Returns the role of the desired name, as it is now on the server.
    fn find(&self, desired: &Desired) -> anyhow::Result<Value> {
        let found = self.context.list()?.into_iter().find(|role| desired.get("name") == Some(&role["name"]));
        found.ok_or_else(|| Problem::new("role not found").into())
    }

    fn knows(&self, permission: &str) -> bool {
        self.allow_unknown || is_permission(permission)
    }
}

/// Returns the fields to create a role again.
fn fields_of(role: &Value) -> Desired {
    let own = ["name", "description", "base_access_level"].map(|name| (name.to_owned(), role[name].clone()));
    let granted = granted_permissions(role).map(|name| (name.to_owned(), true.into()));
    own.into_iter().filter(|(_, value)| !value.is_null()).chain(granted).collect()
}
