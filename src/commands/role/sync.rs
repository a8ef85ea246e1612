//! `tidings role sync`: makes the roles of an instance or of a group match a file.

use clap::FromArgMatches as _;
use serde_json::Value;

use super::permission::{granted, is_level, is_permission, level_name, levels, other_permission, parse_level};
use crate::{
    commands::{
        Server, Session,
        resource::{Action, Given},
        sync::{Desired, Difference, LOST, SyncArgs, SyncContext, SyncResource, description, sync, unknown_key},
    },
    config::{Field, ResourceItem},
    model::{Problem, kind},
};

const KEYS: [&str; 4] = ["name", "base_access_level", "description", "allow"];

/// The other keys that `role list` prints, which a file cannot change.
const READ_ONLY: [&str; 2] = ["id", "group_id"];

/// Runs `tidings role sync`.
pub(super) fn run(given: &Given<'_>, server: &Server, session: &mut Session) -> anyhow::Result<()> {
    let args = SyncArgs::from_arg_matches(given.matches)?;
    sync(&Roles { context: SyncContext { server, given }, allow_unknown: given.flag("allow-unknown") }, &args, session)
}

/// The roles of a group or of the whole instance.
struct Roles<'a> {
    context: SyncContext<'a>,
    allow_unknown: bool,
}

impl SyncResource for Roles<'_> {
    fn noun(&self) -> &'static str {
        "role"
    }

    fn must_recreate(&self) -> bool {
        true
    }

    fn context(&self) -> SyncContext<'_> {
        self.context
    }

    fn actions(&self) -> [fn() -> Action; 3] {
        [super::list, super::create, super::delete]
    }

    fn read(&self, item: &ResourceItem<'_>) -> anyhow::Result<Desired> {
        let mut role = Desired::new();
        role.insert("name".to_owned(), item.required("name")?.filled()?.into());
        role.extend(description(item)?.map(|text| ("description".to_owned(), text.into())));
        role.insert("base_access_level".to_owned(), self.level(item.required("base_access_level")?)?.into());
        role.extend(self.permissions(item)?.into_iter().map(|permission| (permission, true.into())));
        Ok(role)
    }

    fn list(&self) -> anyhow::Result<Vec<Value>> {
        match self.context.send(&super::list(), None, Desired::new())? {
            Value::Array(roles) => Ok(roles),
            _ => Ok(Vec::new()),
        }
    }

    fn differences(&self, desired: &Desired, actual: Option<&Value>) -> Vec<Difference> {
        let desired = Value::Object(desired.clone());
        let level = |role: &Value| role["base_access_level"].as_u64().map(level_name);
        let sorted = |role: &Value| {
            let mut names: Vec<String> = granted(role).map(str::to_owned).collect();
            names.sort_unstable();
            names
        };
        let described = |role: Option<&Value>| role.and_then(|role| role["description"].as_str().map(str::to_owned));
        let level = Difference::between("base_access_level", actual.and_then(level), level(&desired));
        let described = Difference::of_description(described(Some(&desired)), described(actual));
        let allow = Difference::between("allow", actual.map(sorted).unwrap_or_default(), sorted(&desired));
        [level, described, allow].into_iter().flatten().collect()
    }

    /// Recreates a role, because GitLab cannot change one. A role that is assigned to members cannot be deleted, so it
    /// stays. If the new role cannot be created, the old one is created again.
    fn update(&self, desired: &Desired, actual: &Value) -> anyhow::Result<Value> {
        self.delete(actual)?;
        let mut role = desired.clone();
        if !role.contains_key("description") && !actual["description"].is_null() {
            role.insert("description".to_owned(), actual["description"].clone());
        }
        let error = match self.create(&role) {
            Ok(created) => return Ok(created),
            Err(error) => error,
        };
        // The server may have created it, although the connection broke.
        if let Ok(created) = self.find(desired) {
            return Ok(created);
        }
        let restored = self.create(&fields_of(actual));
        let problem = match restored {
            Ok(_) => Problem::new("the role could not be replaced, and was created again as it was"),
            Err(_) => Problem::new(LOST).hint("fix the cause, and create it again with `tidings role create`"),
        };
        let kind = kind(&error);
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
                "allow" => permissions.extend(self.listed(field)?),
                key if KEYS.contains(&key) || READ_ONLY.contains(&key) => {}
                key => match field.flag() {
                    Ok(false) => {}
                    Ok(true) if self.knows(key) => permissions.push(key.to_owned()),
                    Ok(true) => return Err(field.unknown().hint(other_permission(key)).into()),
                    Err(_) if item.get("id").is_some() => {}
                    Err(_) => return Err(unknown_key(field, &KEYS).into()),
                },
            }
        }
        permissions.sort_unstable();
        permissions.dedup();
        Ok(permissions)
    }

    fn listed(&self, field: &Field<'_>) -> anyhow::Result<Vec<String>> {
        let names = field.elements()?.into_iter().map(|element| {
            let name = element.filled()?;
            let problem =
                || element.refusal(&format!("has the unknown permission `{name}`")).hint(other_permission(&name));
            if self.knows(&name) { Ok(name) } else { Err(problem().into()) }
        });
        names.collect()
    }

    /// Returns the role of the desired name, as it is now on the server.
    fn find(&self, desired: &Desired) -> anyhow::Result<Value> {
        let found = self.list()?.into_iter().find(|role| desired.get("name") == Some(&role["name"]));
        found.ok_or_else(|| Problem::new("role not found").into())
    }

    fn knows(&self, permission: &str) -> bool {
        self.allow_unknown || is_permission(permission)
    }
}

/// Returns the fields to create a role again.
fn fields_of(role: &Value) -> Desired {
    let own = ["name", "description", "base_access_level"].map(|name| (name.to_owned(), role[name].clone()));
    let granted = granted(role).map(|name| (name.to_owned(), true.into()));
    own.into_iter().filter(|(_, value)| !value.is_null()).chain(granted).collect()
}
