//! Member roles that somebody made: a base access level and permissions on top of it, for the whole service or a group.

mod access_level;
mod permission;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use self::{
    access_level::AccessLevel,
    permission::{PERMISSIONS, Permission},
};
use crate::api::{Body, Endpoint, Method, Path};

const KEEPERS: &str = "an administrator's token, for the roles of a group that of one of its owners";

/// A member role.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct MemberRole {
    /// The id.
    pub id: u64,
    /// The name.
    pub name: Option<String>,
    /// Description of the label.
    pub description: Option<String>,
    /// The group it belongs to; `None` for one of the whole service.
    pub group_id: Option<u64>,
    /// What its members may do anyway.
    pub base_access_level: Option<AccessLevel>,
    /// Everything else: a boolean for each permission the service knows.
    #[serde(flatten)]
    pub permissions: Map<String, Value>,
}

impl MemberRole {
    /// The permissions it grants, in the service's order, those that are not in [`PERMISSIONS`] included.
    pub fn granted(&self) -> impl Iterator<Item = &str> {
        self.permissions.iter().filter(|(_, granted)| **granted == Value::Bool(true)).map(|(name, _)| name.as_str())
    }
}

/// The roles of a group, which must be one at the root, or those of the whole service.
fn roles(group: Option<&String>) -> Path {
    match group {
        Some(group) => Path::root("groups").arg("id", group).lit("member_roles"),
        None => Path::root("member_roles"),
    }
}

/// `GET /member_roles`, `GET /groups/:id/member_roles`
#[derive(Clone, Debug, Default)]
pub struct ListMemberRoles {
    /// The group by id or path; `None` for the whole service.
    pub group: Option<String>,
}

impl Endpoint for ListMemberRoles {
    type Output = Vec<MemberRole>;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = KEEPERS;

    fn path(&self) -> Path {
        roles(self.group.as_ref())
    }

    fn precondition(&self) -> &'static str {
        match self.group {
            Some(_) => "services that are self-managed may have roles of the whole service alone: leave --group out",
            None => "services of many tenants have roles of groups alone: name one with --group",
        }
    }
}

/// `POST /member_roles`, `POST /groups/:id/member_roles`
#[derive(Clone, Debug, Default)]
pub struct CreateMemberRole {
    /// The group by id or path; `None` for the whole service.
    pub group: Option<String>,
    /// The name.
    pub name: String,
    /// Description of the label.
    pub description: Option<String>,
    /// What its members may do anyway.
    pub base_access_level: AccessLevel,
    /// The permissions it grants.
    pub permissions: Vec<String>,
}

impl Endpoint for CreateMemberRole {
    type Output = MemberRole;
    const METHOD: Method = Method::Post;
    const REQUIRED_ACCESS: &'static str = KEEPERS;

    fn path(&self) -> Path {
        roles(self.group.as_ref())
    }

    fn body(&self) -> Body {
        let mut fields = Map::new();
        fields.insert("name".to_owned(), self.name.as_str().into());
        fields.extend(self.description.as_deref().map(|text| ("description".to_owned(), text.into())));
        fields.insert("base_access_level".to_owned(), self.base_access_level.0.into());
        fields.extend(self.permissions.iter().map(|permission| (permission.clone(), true.into())));
        Body::Json(Value::Object(fields))
    }

    fn precondition(&self) -> &'static str {
        if self.group.is_some() {
            "roles of a group are made in a group at the root, where the service has them"
        } else {
            ""
        }
    }
}

/// `DELETE /member_roles/:member_role_id`, `DELETE /groups/:id/member_roles/:member_role_id`
#[derive(Clone, Debug, Default)]
pub struct DeleteMemberRole {
    /// The group by id or path; `None` for the whole service.
    pub group: Option<String>,
    /// The role.
    pub id: u64,
}

impl Endpoint for DeleteMemberRole {
    type Output = ();
    const METHOD: Method = Method::Delete;
    const REQUIRED_ACCESS: &'static str = KEEPERS;

    fn path(&self) -> Path {
        roles(self.group.as_ref()).arg("member_role_id", self.id.to_string())
    }

    fn precondition(&self) -> &'static str {
        "a role is deleted once no member has it"
    }
}
