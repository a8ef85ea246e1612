//! `tidings cluster`: the Kubernetes clusters of a project.

mod secret;

use serde_json::Value;

use super::{
    args::parse_id,
    layout::Cell,
    resource::{Action, Column, Draft, Given, Param, Resource, left, right, text, with},
};
use crate::{
    api::{Secret, Url},
    model::Problem,
};

/// The Kubernetes clusters that are attached to a project by certificate.
#[derive(Debug)]
pub struct Cluster;

const EXAMPLES: &str = "\
Examples:
  tidings cluster list --project group/app
  tidings cluster add prod --api-url https://k8s.example --kube-token-file token
  tidings cluster edit 7 --enabled false --project group/app";

const MAINTAINERS: &str = "the role Maintainer and up";
const CLUSTERS: &str = "/projects/:id/clusters";
const CLUSTER: &str = "/projects/:id/clusters/:cluster_id";

/// The fields of the Kubernetes API, within the field of this name.
const API_URL: &str = "platform_kubernetes_attributes[api_url]";
const TOKEN: &str = "platform_kubernetes_attributes[token]";
const CA_CERT: &str = "platform_kubernetes_attributes[ca_cert]";
const AUTHORIZATION_TYPE: &str = "platform_kubernetes_attributes[authorization_type]";
const NAMESPACE: &str = "platform_kubernetes_attributes[namespace]";

/// All fields, in the order in which they are sent.
const SENT: [&str; 11] = [
    "name",
    "domain",
    "management_project_id",
    "enabled",
    "managed",
    "environment_scope",
    API_URL,
    TOKEN,
    CA_CERT,
    AUTHORIZATION_TYPE,
    NAMESPACE,
];

const COLUMNS: [Column; 7] = [
    right("ID", "id"),
    left("NAME", "name"),
    left("ENABLED", "enabled"),
    left("MANAGED", "managed"),
    left("SCOPE", "environment_scope"),
    left("PROVIDER", "provider_type"),
    left("API", "platform_kubernetes.api_url"),
];

/// Certificates are left to `--format json`.
const FIELDS: [Column; 16] = [
    left("id", "id"),
    left("project", "project.path_with_namespace"),
    left("domain", "domain"),
    left("enabled", "enabled"),
    left("managed", "managed"),
    left("scope", "environment_scope"),
    left("provider", "provider_type"),
    left("platform", "platform_type"),
    left("of", "cluster_type"),
    left("API", "platform_kubernetes.api_url"),
    left("namespace", "platform_kubernetes.namespace"),
    left("authorization", "platform_kubernetes.authorization_type"),
    with("CA certificate", |cluster| text(cluster, "platform_kubernetes.ca_cert").map(|_| Cell::new("yes"))),
    left("managed from", "management_project.path_with_namespace"),
    left("added by", "user.username"),
    left("added", "created_at"),
];

impl Resource for Cluster {
    const NAME: &'static str = "cluster";
    const ABOUT: (&'static str, Option<&'static str>) = (
        "List, add and change the Kubernetes clusters of a project on the server",
        Some(
            "List, add and change the Kubernetes clusters of a project on the server.\n\n\
             Token and CA certificate come from a file or the environment: arguments can be seen by everybody on the \
             machine.",
        ),
    );
    const EXAMPLES: &'static str = EXAMPLES;
    const OF_PROJECT: bool = true;
    const NOTE: Option<&'static str> =
        Some("note: clusters attached by certificate are deprecated since release 14.5 of the server");

    fn actions() -> Vec<Action> {
        let api_url = |help| Param::option("api-url", "URL", help).sends(API_URL).parse(parse_url);
        vec![
            Action::get("list", "List clusters", CLUSTERS, MAINTAINERS).paged().table("no clusters", |_| &COLUMNS),
            Action::get("get", "Show one cluster", CLUSTER, MAINTAINERS).params([id()]).card(&["name"], &FIELDS),
            Action::post("add", "Add a cluster that exists", "/projects/:id/clusters/user", MAINTAINERS)
                .json()
                .params(with_settings([
                    Param::positional("name", "NAME", "Its name").filled(),
                    api_url("The URL of its Kubernetes API").required(),
                    Param::option("authorization-type", "TYPE", "Authorization type of the cluster [default: rbac]")
                        .sends(AUTHORIZATION_TYPE)
                        .one_of(["rbac", "abac", "unknown_authorization"]),
                ]))
                .complete(|given, draft| {
                    secrets(given, draft)?;
                    let hint = "name a file with --kube-token-file, or a variable of the environment with \
                        --kube-token-env";
                    let problem = || Problem::usage("no token for the Kubernetes API given").hint(hint);
                    if draft.has(TOKEN) { Ok(()) } else { Err(problem().into()) }
                })
                .card(&["name"], &FIELDS),
            Action::put("edit", "Change a cluster", CLUSTER, MAINTAINERS)
                .json()
                .params(with_settings([
                    id(),
                    Param::option("name", "NAME", "Another name").filled(),
                    api_url("Another URL of its Kubernetes API"),
                ]))
                .complete(secrets)
                .requires(
                    &SENT,
                    "nothing to change about the cluster `{cluster_id}`",
                    "`tidings cluster edit --help` lists what can be changed",
                )
                .precondition(|_, draft| {
                    let fixed = ["name", API_URL, CA_CERT, TOKEN].iter().any(|field| draft.has(field));
                    if fixed { EXISTING_ONLY } else { "" }
                })
                .card(&["name"], &FIELDS),
            Action::delete(
                "delete",
                "Remove a cluster from the project; what runs in it is kept",
                CLUSTER,
                MAINTAINERS,
            )
            .params([id()])
            .confirm("remove the cluster `{cluster_id}` from {owner}")
            .done("removed the cluster `{cluster_id}`; what runs in it is kept"),
        ]
    }
}

const EXISTING_ONLY: &str =
    "name, API URL, CA certificate and token can be changed only for a cluster that was added as an existing one";

fn id() -> Param {
    Param::positional("cluster_id", "ID", "The cluster's id").parse(parse_id)
}

/// Arguments of its own, and then those that every change of a cluster takes.
fn with_settings<const N: usize>(own: [Param; N]) -> Vec<Param> {
    let managed = "Whether the server manages its namespaces and service accounts, as those of a new one";
    let scope = "The environments that are deployed to it, such as `review/*`; for a new one all";
    let settings = [
        Param::option("domain", "DOMAIN", "The base domain of what is deployed to it"),
        Param::option("management-project-id", "ID", "The id of the project that manages it").number(),
        Param::option("enabled", "BOOLEAN", "Whether the cluster is enabled [default for a new cluster: true]")
            .boolean(),
        Param::option("managed", "BOOLEAN", managed).boolean(),
        Param::option("namespace", "NAME", "Kubernetes namespace of the project")
            .sends(NAMESPACE)
            .parse(parse_namespace),
        Param::option("environment-scope", "PATTERN", scope),
    ];
    own.into_iter().chain(secret::params()).chain(settings).collect()
}

fn secrets(given: &Given<'_>, draft: &mut Draft) -> anyhow::Result<()> {
    let (token, certificate) = (secret::token(given)?, secret::certificate(given)?);
    draft.set(TOKEN, token.as_deref());
    draft.set(CA_CERT, certificate.as_deref());
    draft.secrets.extend(token.iter().map(Secret::new));
    // A certificate, and its lines: in a message they may stand joined in another way.
    let lines = certificate.iter().flat_map(|text| text.lines()).map(str::trim).filter(|line| !line.starts_with('-'));
    draft.secrets.extend(lines.chain(certificate.as_deref()).map(Secret::new));
    draft.fields.sort_by_key(|(name, _)| SENT.iter().position(|field| field == name));
    Ok(())
}

fn parse_url(text: &str) -> Result<Value, String> {
    Url::parse(text).map(|_| text.into()).map_err(|why| format!("{why}; it must be an http or https URL"))
}

/// The name of a namespace is a label (RFC 1123).
fn parse_namespace(text: &str) -> Result<Value, &'static str> {
    let letters = text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
    let is_label = letters && !text.is_empty() && text.len() <= 63 && !text.starts_with('-') && !text.ends_with('-');
    // An empty one clears the namespace of a cluster that has one.
    (is_label || text.is_empty())
        .then(|| text.into())
        .ok_or("it must be up to 63 of a-z, 0-9 and `-`, which is at no end")
}
