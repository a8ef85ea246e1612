//! Roles as people see them: what they grant, and nothing of what they do not.

use std::io::{self, Write};

use crate::{
    api::member_roles::MemberRole,
    commands::layout::{Align, Card, Table},
};

pub(super) fn table(roles: &[MemberRole], out: &mut impl Write) -> io::Result<()> {
    let (left, right) = (Align::Left, Align::Right);
    let headings = [("ID", right), ("NAME", left), ("BASE", left), ("DESCRIPTION", left), ("PERMISSIONS", left)];
    let mut table = Table::new(headings);
    for role in roles {
        let (name, description) = (role.name.as_ref().into(), role.description.as_ref().into());
        table.row([role.id.into(), name, role.base_access_level.into(), description, (&granted(role)).into()]);
    }
    table.write(out)
}

pub(super) fn card(role: &MemberRole, out: &mut impl Write) -> io::Result<()> {
    Card::new(role.name.as_deref().unwrap_or_default())
        .field("id", Some(role.id))
        .field("description", role.description.as_deref().filter(|text| !text.is_empty()))
        .field("group", role.group_id)
        .field("base", role.base_access_level.map(|level| level.to_string()).as_ref())
        .field("permissions", Some(&granted(role)).filter(|granted| !granted.is_empty()))
        .write(out)
}

fn granted(role: &MemberRole) -> String {
    role.granted().collect::<Vec<_>>().join(", ")
}
