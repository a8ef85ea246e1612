//! `tidings role`: the member roles of the server or of a group.

mod allow;
mod show;
mod sync;

use clap::{Args as ClapArgs, Subcommand, builder::NonEmptyStringValueParser};

use self::{allow::AllowArgs, sync::Roles};
use super::{
    ConfirmArgs, Server, Session, WriteArgs,
    server::parse_id,
    sync::{SyncArgs, run as sync},
};
use crate::api::{
    Operation,
    member_roles::{AccessLevel, CreateMemberRole, DeleteMemberRole, ListMemberRoles},
};

/// List, create and delete member roles, of the whole server as its administrator or of a group as its owner.
#[derive(ClapArgs, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

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
    description: looks at code    # left as it is where the key is missing
    allow: [read_code, read_vulnerability]

A role that differs is deleted and made anew, because no server changes one.";

#[derive(Debug, Subcommand)]
enum Action {
    /// List roles with the permissions they grant.
    List(Scope),
    /// Create a role.
    Create(Create),
    /// Delete a role that is assigned to no member.
    Delete(Delete),
    /// Make the roles those of a file: shows the plan, then carries it out.
    #[command(after_help = FILE)]
    Sync(Sync),
}

#[derive(ClapArgs, Clone, Debug)]
struct Scope {
    /// Group of the roles, by ID or path [default: roles of the whole instance].
    #[arg(long, value_name = "ID|PATH", value_parser = NonEmptyStringValueParser::new())]
    group: Option<String>,
}

#[derive(ClapArgs, Debug)]
struct Create {
    /// The name.
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    name: String,
    #[command(flatten)]
    scope: Scope,
    /// Base access level of the role: guest, planner, reporter, developer, maintainer, owner, or a number.
    #[arg(long, value_name = "LEVEL", value_parser = parse_level)]
    base_access_level: AccessLevel,
    #[command(flatten)]
    allow: AllowArgs,
    /// Description of the label.
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    #[command(flatten)]
    write: WriteArgs,
}

#[derive(ClapArgs, Debug)]
struct Delete {
    /// The role's id.
    #[arg(value_parser = parse_id)]
    id: u64,
    #[command(flatten)]
    scope: Scope,
    #[command(flatten)]
    destroy: ConfirmArgs,
}

#[derive(ClapArgs, Debug)]
struct Sync {
    #[command(flatten)]
    file: SyncArgs,
    #[command(flatten)]
    scope: Scope,
    /// Take permissions and levels that newer servers may know.
    #[arg(long)]
    allow_unknown: bool,
}

/// The operations of this area, with the command for each.
#[must_use]
pub fn operations() -> Vec<(&'static str, Operation)> {
    let group = Some("id".to_owned());
    vec![
        ("role list", Operation::of::<ListMemberRoles>()),
        ("role create", Operation::of::<CreateMemberRole>()),
        ("role delete", Operation::of::<DeleteMemberRole>()),
        ("role list --group", Operation::by(&ListMemberRoles { group: group.clone() })),
        ("role create --group", Operation::by(&CreateMemberRole { group: group.clone(), ..Default::default() })),
        ("role delete --group", Operation::by(&DeleteMemberRole { group, ..Default::default() })),
    ]
}

/// Runs `tidings role`.
///
/// # Errors
///
/// Where an argument is wrong, or the server refuses or cannot be reached.
pub fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let server = Server::of(session)?;
    match &args.action {
        Action::List(args) => list(&server, session, args),
        Action::Create(args) => create(&server, session, args),
        Action::Delete(args) => delete(&server, session, args),
        Action::Sync(args) => {
            let (group, allow_unknown) = (args.scope.group.clone(), args.allow_unknown);
            sync(&Roles { server: &server, group, allow_unknown }, &args.file, session)
        }
    }
}

fn list(server: &Server, session: &mut Session, scope: &Scope) -> anyhow::Result<()> {
    let roles = server.send(&ListMemberRoles { group: scope.group.clone() })?;
    if roles.value.is_empty() {
        session.note("no roles");
    }
    session.answer(&roles.raw, |out| show::table(&roles.value, out))
}

fn create(server: &Server, session: &mut Session, args: &Create) -> anyhow::Result<()> {
    args.allow.check_level("--base-access-level", args.base_access_level)?;
    let endpoint = CreateMemberRole {
        group: args.scope.group.clone(),
        name: args.name.clone(),
        description: args.description.clone(),
        base_access_level: args.base_access_level,
        permissions: args.allow.permissions()?,
    };
    let Some(role) = server.send_change(session, &endpoint, args.write)? else { return Ok(()) };
    session.answer(&role.raw, |out| show::card(&role.value, out))
}

fn delete(server: &Server, session: &mut Session, args: &Delete) -> anyhow::Result<()> {
    let action = format!("delete the role `{}` of {}", args.id, place(args.scope.group.as_deref()));
    let endpoint = DeleteMemberRole { group: args.scope.group.clone(), id: args.id };
    let Some(answer) = server.confirm_and_send(session, &endpoint, args.destroy, &action)? else { return Ok(()) };
    session.done(&answer.raw, &format!("deleted the role `{}`", args.id))
}

/// Whose roles are meant.
fn place(group: Option<&str>) -> String {
    group.map_or_else(|| "the server".to_owned(), |group| format!("`{group}`"))
}

fn parse_level(text: &str) -> Result<AccessLevel, String> {
    AccessLevel::parse(text).ok_or_else(|| format!("it must be one of {}", allow::levels()))
}
