//! `tidings role sync`: the roles of a server or of a group as a file wants them.

use anyhow::Context as _;
use serde_json::Value;

use super::{
    allow::{is_permission, levels, other_permission},
    place,
};
use crate::{
    api::member_roles::{AccessLevel, CreateMemberRole, DeleteMemberRole, ListMemberRoles, MemberRole},
    commands::{
        Server, Session,
        sync::{Difference, SyncResource, description, unknown},
    },
    config::{Field, ResourceItem},
};

const KEYS: [&str; 4] = ["name", "base_access_level", "description", "allow"];

/// What `role list` prints besides, which no file can change.
const ANSWERED: [&str; 2] = ["id", "group_id"];

/// The roles of a group, or those of the whole server.
pub(super) struct Roles<'a> {
    pub(super) server: &'a Server,
    pub(super) group: Option<String>,
    pub(super) allow_unknown: bool,
}

impl SyncResource for Roles<'_> {
    type Desired = CreateMemberRole;
    type Actual = MemberRole;
    const NOUN: &'static str = "role";
    const MUST_RECREATE: bool = true;

    fn owner(&self) -> String {
        place(self.group.as_deref())
    }

    fn read(&self, item: &ResourceItem<'_>) -> anyhow::Result<CreateMemberRole> {
        Ok(CreateMemberRole {
            group: self.group.clone(),
            name: item.required("name")?.filled()?,
            description: description(item)?,
            base_access_level: self.level(item.required("base_access_level")?)?,
            permissions: self.permissions(item)?,
        })
    }

    fn list(&self, _: &Session) -> anyhow::Result<Vec<MemberRole>> {
        Ok(self.server.send(&ListMemberRoles { group: self.group.clone() })?.value)
    }

    fn wanted_name(wanted: &CreateMemberRole) -> &str {
        &wanted.name
    }

    fn present_name(present: &MemberRole) -> &str {
        present.name.as_deref().unwrap_or_default()
    }

    fn keep_reason(_: &MemberRole) -> Option<&'static str> {
        None
    }

    fn differences(wanted: &CreateMemberRole, present: Option<&MemberRole>) -> Vec<Difference> {
        let level = present.and_then(|role| role.base_access_level).map(|level| level.to_string());
        let level = Difference::between("base_access_level", level, wanted.base_access_level.to_string());
        let description = present.and_then(|role| role.description.as_deref());
        let description = Difference::of_description(wanted.description.as_deref(), description);
        let granted = sorted(present.into_iter().flat_map(MemberRole::granted));
        let allow = Difference::between("allow", granted, sorted(wanted.permissions.iter().map(String::as_str)));
        [level, description, allow].into_iter().flatten().collect()
    }

    fn create(&self, wanted: &CreateMemberRole) -> anyhow::Result<Value> {
        Ok(self.server.send(wanted)?.raw)
    }

    /// No service changes a role. One that members have stays as it is, because it cannot be deleted.
    fn update(&self, wanted: &CreateMemberRole, present: &MemberRole) -> anyhow::Result<Value> {
        self.delete(present)?;
        let description = wanted.description.clone().or_else(|| present.description.clone());
        let anew = CreateMemberRole { description, ..wanted.clone() };
        self.create(&anew).context("the role was deleted, but could not be made anew")
    }

    fn delete(&self, present: &MemberRole) -> anyhow::Result<Value> {
        Ok(self.server.send(&DeleteMemberRole { group: self.group.clone(), id: present.id })?.raw)
    }
}

impl Roles<'_> {
    fn level(&self, field: &Field<'_>) -> anyhow::Result<AccessLevel> {
        let text = field.title()?.unwrap_or_default();
        let level = AccessLevel::parse(&text).filter(|level| self.allow_unknown || level.name().is_some());
        Ok(level.ok_or_else(|| field.refusal(&format!("must be one of {}, not `{text}`", levels())))?)
    }

    /// Those that `allow` lists, and those that are keys of their own, as `role list` prints them.
    fn permissions(&self, item: &ResourceItem<'_>) -> anyhow::Result<Vec<String>> {
        let mut permissions = Vec::new();
        for field in item.fields() {
            match field.key() {
                "allow" => permissions.extend(self.listed(field)?),
                key if KEYS.contains(&key) || ANSWERED.contains(&key) => {}
                key => match field.flag() {
                    Ok(false) => {}
                    Ok(true) if self.knows(key) => permissions.push(key.to_owned()),
                    Ok(true) => return Err(field.unknown().hint(other_permission(key)).into()),
                    Err(_) => return Err(unknown(field, &KEYS).into()),
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
            let problem = || element.refusal(&format!("names no permission: `{name}`")).hint(other_permission(&name));
            if self.knows(&name) { Ok(name) } else { Err(problem().into()) }
        });
        names.collect()
    }

    fn knows(&self, permission: &str) -> bool {
        self.allow_unknown || is_permission(permission)
    }
}

fn sorted<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names
}
