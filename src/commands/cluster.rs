//! `tidings cluster`: the Kubernetes clusters of a project.

use std::path::Path;

use serde_json::Value;

use super::{
    layout::{Cell, Column, computed, left, right, text_at},
    resource::{Action, ActionArgs, Param, RequestContent, Resource, parse_id},
    session::{read_text, variable},
};
use crate::{
    api::{Secret, Url},
    model::Problem,
};

const EXAMPLES: &str = "\
Examples:
  tidings cluster list --project group/app
  tidings cluster add prod --api-url https://k8s.example --kube-token-file token
  tidings cluster edit 7 --enabled false --project group/app";

const MAINTAINERS: &str = "the role Maintainer and up";
const CLUSTERS: &str = "/projects/:id/clusters";
const CLUSTER: &str = "/projects/:id/clusters/:cluster_id";

/// The fields for the Kubernetes API of a cluster.
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

/// The fields of one cluster. The certificate itself is shown only by `--format json`.
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
    computed("CA certificate", |cluster| text_at(cluster, "platform_kubernetes.ca_cert").map(|_| Cell::new("yes"))),
    left("managed from", "management_project.path_with_namespace"),
    left("added by", "user.username"),
    left("added", "created_at"),
];

/// The Kubernetes clusters that are attached to a project by certificate.
pub(crate) const RESOURCE: Resource = Resource {
    name: "cluster",
    about: "List, add and change the Kubernetes clusters of a project on the server.\n\n\
             Token and CA certificate come from a file or the environment, because every user of the machine can see \
             command lines.",
    examples: EXAMPLES,
    of_project: true,
    note: "note: clusters attached by certificate are deprecated since GitLab 14.5",
    actions,
};

fn actions() -> Vec<Action> {
    let api_url = |help| Param::option("api-url", "URL", help).sends(API_URL).parse(parse_url);
    vec![
        Action::get("list", "List clusters", CLUSTERS, MAINTAINERS).paged().table("no clusters", |_| &COLUMNS),
        Action::get("get", "Show one cluster", CLUSTER, MAINTAINERS).params([id()]).card(&["name"], &FIELDS),
        Action::post("add", "Add an existing cluster", "/projects/:id/clusters/user", MAINTAINERS)
            .json()
            .params(with_settings([
                Param::positional("name", "NAME", "Name of the cluster").filled(),
                api_url("URL of the Kubernetes API").required(),
                Param::option("authorization-type", "TYPE", "Authorization type of the cluster [default: rbac]")
                    .sends(AUTHORIZATION_TYPE)
                    .one_of(["rbac", "abac", "unknown_authorization"]),
            ]))
            .complete(|args, draft| {
                secrets(args, draft)?;
                if draft.is_given(TOKEN) {
                    return Ok(());
                }
                Err(Problem::usage("no token for the Kubernetes API given")
                    .hint("use `--kube-token-file FILE` or `--kube-token-env NAME`")
                    .into())
            })
            .card(&["name"], &FIELDS),
        Action::put("edit", "Change a cluster", CLUSTER, MAINTAINERS)
            .json()
            .params(with_settings([
                id(),
                Param::option("name", "NAME", "New name of the cluster").filled(),
                api_url("New URL of the Kubernetes API"),
            ]))
            .complete(secrets)
            .requires(
                &SENT,
                "nothing to change about the cluster `{cluster_id}`",
                "run `tidings cluster edit --help` to see what can be changed",
            )
            .precondition(|_, draft| {
                let fixed = ["name", API_URL, CA_CERT, TOKEN].iter().any(|field| draft.is_given(field));
                if fixed { EXISTING_ONLY } else { "" }
            })
            .card(&["name"], &FIELDS),
        Action::delete("delete", "Remove a cluster from the project; what runs in it is kept", CLUSTER, MAINTAINERS)
            .params([id()])
            .confirm("remove the cluster `{cluster_id}` from {owner}")
            .done("removed the cluster `{cluster_id}`; what runs in it is kept"),
    ]
}

const EXISTING_ONLY: &str =
    "name, API URL, CA certificate and token can be changed only for a cluster that was added as an existing one";

fn id() -> Param {
    Param::positional("cluster_id", "ID", "ID of the cluster").parse(parse_id)
}

/// Appends the arguments that `add` and `edit` share.
fn with_settings<const N: usize>(own: [Param; N]) -> Vec<Param> {
    let managed =
        "Whether GitLab manages the namespaces and service accounts of the cluster [default for a new cluster: true]";
    let scope = "Environments that are deployed to the cluster, such as `review/*` [default for a new cluster: all]";
    let settings = [
        Param::option("domain", "DOMAIN", "Base domain of what is deployed to the cluster"),
        Param::option("management-project-id", "ID", "ID of the project that manages the cluster").number(),
        Param::option("enabled", "BOOLEAN", "Whether the cluster is enabled [default for a new cluster: true]")
            .boolean(),
        Param::option("managed", "BOOLEAN", managed).boolean(),
        Param::option("namespace", "NAME", "Kubernetes namespace of the project")
            .sends(NAMESPACE)
            .parse(parse_namespace),
        Param::option("environment-scope", "PATTERN", scope),
    ];
    own.into_iter().chain(secret_params()).chain(settings).collect()
}

fn secrets(args: &ActionArgs<'_>, draft: &mut RequestContent) -> anyhow::Result<()> {
    let (token, certificate) = (kube_token(args)?, ca_certificate(args)?);
    draft.set(TOKEN, token.as_deref());
    draft.set(CA_CERT, certificate.as_deref());
    draft.secrets.extend(token.iter().map(Secret::new));
    // The certificate and each of its lines are masked, because a message may join the lines in another way.
    let lines = certificate.iter().flat_map(|text| text.lines()).map(str::trim).filter(|line| !line.starts_with('-'));
    draft.secrets.extend(lines.chain(certificate.as_deref()).map(Secret::new));
    draft.fields = SENT.iter().filter_map(|field| draft.fields.remove_entry(*field)).collect();
    Ok(())
}

fn parse_url(text: &str) -> Result<Value, String> {
    Url::parse(text).map(|_| text.into()).map_err(|why| format!("{why}; it must be an http or https URL"))
}

/// Parses the name of a namespace, which must be a label (RFC 1123).
fn parse_namespace(text: &str) -> Result<Value, &'static str> {
    let letters = text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
    let is_label = letters && !text.is_empty() && text.len() <= 63 && !text.starts_with('-') && !text.ends_with('-');
    // An empty name removes the namespace of a cluster.
    (is_label || text.is_empty())
        .then(|| text.into())
        .ok_or("it must be at most 63 of a-z, 0-9 and `-`, with no `-` at the ends")
}

/// Returns the options that name the sources of the secrets. The secrets are not arguments, because every user of the
/// machine can see arguments.
fn secret_params() -> [Param; 4] {
    let token = "Read the token for the Kubernetes API from FILE; `-` is stdin";
    let certificate = "Read the CA certificate of the Kubernetes API (PEM) from FILE; `-` is stdin";
    let from_env =
        |long, help, file: &'static str| Param::option(long, "NAME", help).local().with(|arg| arg.conflicts_with(file));
    [
        Param::option("kube-token-file", "FILE", token).local(),
        from_env("kube-token-env", "Read the token from this environment variable", "kube-token-file"),
        Param::option("ca-cert-file", "FILE", certificate).local(),
        from_env("ca-cert-env", "Read the CA certificate from this environment variable", "ca-cert-file"),
    ]
}

fn kube_token(args: &ActionArgs<'_>) -> anyhow::Result<Option<String>> {
    let Some((text, option)) = read_secret(args, "kube-token-file", "kube-token-env")? else { return Ok(None) };
    let token = text.trim();
    if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        let problem = Problem::usage(format!("the value from `--{option}` is not a token"));
        return Err(problem.hint("use one word of ASCII characters").into());
    }
    Ok(Some(token.to_owned()))
}

fn ca_certificate(args: &ActionArgs<'_>) -> anyhow::Result<Option<String>> {
    let Some((text, option)) = read_secret(args, "ca-cert-file", "ca-cert-env")? else { return Ok(None) };
    if !text.contains("-----BEGIN CERTIFICATE-----") || text.contains("PRIVATE KEY") {
        let problem = Problem::usage(format!("the value from `--{option}` is not a certificate"));
        return Err(problem.hint("use PEM: it begins with `-----BEGIN CERTIFICATE-----`, and contains no key").into());
    }
    Ok(Some(text))
}

/// Reads a secret; returns it with the option that named its source.
fn read_secret(
    args: &ActionArgs<'_>,
    file: &'static str,
    env: &'static str,
) -> anyhow::Result<Option<(String, &'static str)>> {
    if let Some(path) = args.text(file) {
        return Ok(Some((read_text(Path::new(&path))?, file)));
    }
    let Some(name) = args.text(env) else { return Ok(None) };
    // The message does not quote the name, because the user may have typed the secret itself.
    let missing = || {
        Problem::usage(format!("the environment variable named with `--{env}` is not set"))
            .hint("use the name of a variable, not its value")
    };
    Ok(Some((variable(&name).ok_or_else(missing)?, env)))
}
