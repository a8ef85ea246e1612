//! `tidings cluster`: the Kubernetes clusters of a project.

mod secret;
mod show;

use clap::{Args as ClapArgs, Subcommand, builder::NonEmptyStringValueParser};

use self::secret::SecretArgs;
use super::{ConfirmArgs, PageArgs, Server, Session, WriteArgs, server::parse_id};
use crate::{
    api::{
        Operation, Url,
        clusters::{AddCluster, ClusterSettings, DeleteCluster, EditCluster, GetCluster, ListClusters},
    },
    model::Problem,
};

/// List, add and change the Kubernetes clusters of a project on the server.
///
/// Token and CA certificate come from a file or the environment: arguments can be seen by everybody on the machine.
#[derive(ClapArgs, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

const EXAMPLES: &str = "\
Examples:
  tidings cluster list --project group/app
  tidings cluster add prod --api-url https://k8s.example --kube-token-file token
  tidings cluster edit 7 --enabled false --project group/app";

#[derive(Debug, Subcommand)]
enum Action {
    /// List clusters.
    List(PageArgs),
    /// Show one cluster.
    Get(Get),
    /// Add a cluster that exists.
    Add(Box<Add>),
    /// Change a cluster.
    Edit(Box<Edit>),
    /// Remove a cluster from the project; what runs in it is kept.
    Delete(Delete),
}

#[derive(ClapArgs, Debug)]
struct Get {
    /// The cluster's id.
    #[arg(value_parser = parse_id)]
    id: u64,
}

#[derive(ClapArgs, Debug)]
struct Add {
    /// Its name.
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    name: String,
    /// The URL of its Kubernetes API.
    #[arg(long, value_name = "URL", value_parser = parse_url)]
    api_url: String,
    /// Authorization type of the cluster [default: rbac].
    #[arg(long, value_name = "TYPE", value_parser = ["rbac", "abac", "unknown_authorization"])]
    authorization_type: Option<String>,
    #[command(flatten)]
    secrets: SecretArgs,
    #[command(flatten)]
    settings: SettingArgs,
    #[command(flatten)]
    write: WriteArgs,
}

#[derive(ClapArgs, Debug)]
struct Edit {
    /// The cluster's id.
    #[arg(value_parser = parse_id)]
    id: u64,
    /// Another name.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    name: Option<String>,
    /// Another URL of its Kubernetes API.
    #[arg(long, value_name = "URL", value_parser = parse_url)]
    api_url: Option<String>,
    #[command(flatten)]
    secrets: SecretArgs,
    #[command(flatten)]
    settings: SettingArgs,
    #[command(flatten)]
    write: WriteArgs,
}

#[derive(ClapArgs, Debug)]
struct SettingArgs {
    /// The base domain of what is deployed to it.
    #[arg(long, value_name = "DOMAIN")]
    domain: Option<String>,
    /// The id of the project that manages it.
    #[arg(long, value_name = "ID")]
    management_project_id: Option<u64>,
    /// Whether the cluster is enabled [default for a new cluster: true].
    #[arg(long, value_name = "BOOLEAN")]
    enabled: Option<bool>,
    /// Whether the server manages its namespaces and service accounts, as those of a new one.
    #[arg(long, value_name = "BOOLEAN")]
    managed: Option<bool>,
    /// Kubernetes namespace of the project.
    #[arg(long, value_name = "NAME", value_parser = parse_namespace)]
    namespace: Option<String>,
    /// The environments that are deployed to it, such as `review/*`; for a new one all.
    #[arg(long, value_name = "PATTERN")]
    environment_scope: Option<String>,
}

#[derive(ClapArgs, Debug)]
struct Delete {
    /// The cluster's id.
    #[arg(value_parser = parse_id)]
    id: u64,
    #[command(flatten)]
    destroy: ConfirmArgs,
}

impl SettingArgs {
    fn settings(&self) -> ClusterSettings {
        ClusterSettings {
            domain: self.domain.clone(),
            management_project_id: self.management_project_id,
            enabled: self.enabled,
            managed: self.managed,
            namespace: self.namespace.clone(),
            environment_scope: self.environment_scope.clone(),
        }
    }
}

/// The operations of this area, with the command for each.
#[must_use]
pub fn operations() -> Vec<(&'static str, Operation)> {
    vec![
        ("cluster list", Operation::of::<ListClusters>()),
        ("cluster get", Operation::of::<GetCluster>()),
        ("cluster add", Operation::of::<AddCluster>()),
        ("cluster edit", Operation::of::<EditCluster>()),
        ("cluster delete", Operation::of::<DeleteCluster>()),
    ]
}

/// Runs `tidings cluster`.
///
/// # Errors
///
/// Where an argument is wrong, a file cannot be read, or the server refuses or cannot be reached.
pub fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let server = Server::of(session)?;
    let project = server.project()?.to_owned();
    session.note("note: clusters attached by certificate are deprecated since release 14.5 of the server");
    match &args.action {
        Action::List(args) => list(&server, session, project, *args),
        Action::Get(args) => get(&server, session, project, args),
        Action::Add(args) => add(&server, session, project, args),
        Action::Edit(args) => edit(&server, session, project, args),
        Action::Delete(args) => delete(&server, session, project, args),
    }
}

fn list(server: &Server, session: &mut Session, project: String, args: PageArgs) -> anyhow::Result<()> {
    let clusters = server.list(session, &ListClusters { project }, args)?;
    if clusters.items.is_empty() {
        session.note("no clusters");
    }
    session.answer(&clusters.raw, |out| show::table(&clusters.items, out))
}

fn get(server: &Server, session: &mut Session, project: String, args: &Get) -> anyhow::Result<()> {
    let cluster = server.send(&GetCluster { project, id: args.id })?;
    session.answer(&cluster.raw, |out| show::card(&cluster.value, out))
}

fn add(server: &Server, session: &mut Session, project: String, args: &Add) -> anyhow::Result<()> {
    let no_token = || {
        Problem::usage("no token for the Kubernetes API given")
            .hint("name a file with --kube-token-file, or a variable of the environment with --kube-token-env")
    };
    let endpoint = AddCluster {
        project,
        name: args.name.clone(),
        api_url: args.api_url.clone(),
        token: args.secrets.token()?.ok_or_else(no_token)?,
        ca_cert: args.secrets.certificate()?,
        authorization_type: args.authorization_type.clone(),
        settings: args.settings.settings(),
    };
    let Some(cluster) = server.send_change(session, &endpoint, args.write)? else { return Ok(()) };
    session.answer(&cluster.raw, |out| show::card(&cluster.value, out))
}

fn edit(server: &Server, session: &mut Session, project: String, args: &Edit) -> anyhow::Result<()> {
    let endpoint = EditCluster {
        project,
        id: args.id,
        name: args.name.clone(),
        api_url: args.api_url.clone(),
        token: args.secrets.token()?,
        ca_cert: args.secrets.certificate()?,
        settings: args.settings.settings(),
    };
    if endpoint.is_empty() {
        let problem = Problem::usage(format!("nothing to change about the cluster `{}`", args.id));
        return Err(problem.hint("`tidings cluster edit --help` lists what can be changed").into());
    }
    let Some(cluster) = server.send_change(session, &endpoint, args.write)? else { return Ok(()) };
    session.answer(&cluster.raw, |out| show::card(&cluster.value, out))
}

fn delete(server: &Server, session: &mut Session, project: String, args: &Delete) -> anyhow::Result<()> {
    let action = format!("remove the cluster `{}` from `{project}`", args.id);
    let Some(answer) =
        server.confirm_and_send(session, &DeleteCluster { project, id: args.id }, args.destroy, &action)?
    else {
        return Ok(());
    };
    session.done(&answer.raw, &format!("removed the cluster `{}`; what runs in it is kept", args.id))
}

fn parse_url(text: &str) -> Result<String, String> {
    Url::parse(text).map(|_| text.to_owned()).map_err(|why| format!("{why}; it must be an http or https URL"))
}

/// The name of a namespace is a label (RFC 1123).
fn parse_namespace(text: &str) -> Result<String, &'static str> {
    let letters = text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
    let is_label = letters && !text.is_empty() && text.len() <= 63 && !text.starts_with('-') && !text.ends_with('-');
    is_label.then(|| text.to_owned()).ok_or("it must be up to 63 of a-z, 0-9 and `-`, which is at no end")
}
