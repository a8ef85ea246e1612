//! Kubernetes clusters attached to a project by certificate, which the service deprecates since release 14.5.

mod cluster;

use serde_json::{Value, json};

pub use self::cluster::{Cluster, Namespace, PlatformKubernetes, Project, ProjectIdentity, User};
use crate::api::{Body, Endpoint, Method, Paged, Path, Secret};

const MAINTAINERS: &str = "the role Maintainer and up";

fn clusters(project: &str) -> Path {
    Path::root("projects").arg("id", project).lit("clusters")
}

fn cluster(project: &str, id: u64) -> Path {
    clusters(project).arg("cluster_id", id.to_string())
}

/// What can be said about any cluster, added or created by the service. What is `None` is not sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClusterSettings {
    /// The base domain.
    pub domain: Option<String>,
    /// The id of the project that manages it.
    pub management_project_id: Option<u64>,
    /// Whether it is active, as it is by default.
    pub enabled: Option<bool>,
    /// Whether the service manages its namespaces and service accounts, as it does by default.
    pub managed: Option<bool>,
    /// Kubernetes namespace of the project.
    pub namespace: Option<String>,
    /// The environments that are deployed to it; `*`, all of them, by default.
    pub environment_scope: Option<String>,
}

impl ClusterSettings {
    fn body(&self, name: Option<&str>, mut platform: Vec<(&str, Value)>) -> Body {
        platform.push(("namespace", json!(self.namespace)));
        let fields = given([
            ("name", json!(name)),
            ("domain", json!(self.domain)),
            ("management_project_id", json!(self.management_project_id)),
            ("enabled", json!(self.enabled)),
            ("managed", json!(self.managed)),
            ("environment_scope", json!(self.environment_scope)),
            ("platform_kubernetes_attributes", given(platform)),
        ]);
        Body::Json(fields)
    }
}

/// The fields that are there; `null` for none at all.
fn given<'a>(fields: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
    match fields.map(|(name, value)| (name.to_owned(), value)).collect::<Value>() {
        Value::Object(fields) if fields.is_empty() => Value::Null,
        fields => fields,
    }
}

fn exposed(secret: &Secret) -> Value {
    json!(secret.expose())
}

/// A certificate, and its lines: in a message they may stand joined in another way.
fn certificate_secrets(certificate: &Secret) -> impl Iterator<Item = Secret> + '_ {
    let lines = certificate.expose().lines().map(str::trim).filter(|line| !line.starts_with('-'));
    std::iter::once(certificate.clone()).chain(lines.map(Secret::new))
}

fn secrets(token: Option<&Secret>, certificate: Option<&Secret>) -> Vec<Secret> {
    token.cloned().into_iter().chain(certificate.into_iter().flat_map(certificate_secrets)).collect()
}

/// `GET /projects/:id/clusters`
#[derive(Clone, Debug, Default)]
pub struct ListClusters {
    /// Id or path.
    pub project: String,
}

impl Endpoint for ListClusters {
    type Output = Vec<Cluster>;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = MAINTAINERS;

    fn path(&self) -> Path {
        clusters(&self.project)
    }
}

impl Paged for ListClusters {
    type Item = Cluster;
}

/// `GET /projects/:id/clusters/:cluster_id`
#[derive(Clone, Debug, Default)]
pub struct GetCluster {
    /// Id or path.
    pub project: String,
    /// The cluster.
    pub id: u64,
}

impl Endpoint for GetCluster {
    type Output = Cluster;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = MAINTAINERS;

    fn path(&self) -> Path {
        cluster(&self.project, self.id)
    }
}

/// `POST /projects/:id/clusters/user`: adds a cluster that exists.
#[derive(Clone, Debug, Default)]
pub struct AddCluster {
    /// Id or path.
    pub project: String,
    /// Its name.
    pub name: String,
    /// The URL of its Kubernetes API.
    pub api_url: String,
    /// The token for that API.
    pub token: Secret,
    /// The certificate that API is known by, PEM; needed where it signed it itself.
    pub ca_cert: Option<Secret>,
    /// `rbac`, which is the default, `abac` or `unknown_authorization`; it cannot be changed later.
    pub authorization_type: Option<String>,
    /// The rest.
    pub settings: ClusterSettings,
}

impl Endpoint for AddCluster {
    type Output = Cluster;
    const METHOD: Method = Method::Post;
    const REQUIRED_ACCESS: &'static str = MAINTAINERS;

    fn path(&self) -> Path {
        clusters(&self.project).lit("user")
    }

    fn body(&self) -> Body {
        let platform = vec![
            ("api_url", json!(self.api_url)),
            ("token", exposed(&self.token)),
            ("ca_cert", json!(self.ca_cert.as_ref().map(exposed))),
            ("authorization_type", json!(self.authorization_type)),
        ];
        self.settings.body(Some(&self.name), platform)
    }

    fn secrets(&self) -> Vec<Secret> {
        secrets(Some(&self.token), self.ca_cert.as_ref())
    }
}

/// `PUT /projects/:id/clusters/:cluster_id`
#[derive(Clone, Debug, Default)]
pub struct EditCluster {
    /// Id or path.
    pub project: String,
    /// The cluster.
    pub id: u64,
    /// Another name.
    pub name: Option<String>,
    /// Another URL of its Kubernetes API.
    pub api_url: Option<String>,
    /// Another token.
    pub token: Option<Secret>,
    /// Another certificate.
    pub ca_cert: Option<Secret>,
    /// The rest.
    pub settings: ClusterSettings,
}

impl EditCluster {
    /// Whether it would change nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.is_for_added_ones() && self.settings == ClusterSettings::default()
    }

    fn is_for_added_ones(&self) -> bool {
        self.name.is_some() || self.api_url.is_some() || self.token.is_some() || self.ca_cert.is_some()
    }
}

impl Endpoint for EditCluster {
    type Output = Cluster;
    const METHOD: Method = Method::Put;
    const REQUIRED_ACCESS: &'static str = MAINTAINERS;

    fn path(&self) -> Path {
        cluster(&self.project, self.id)
    }

    fn body(&self) -> Body {
        let platform = vec![
            ("api_url", json!(self.api_url)),
            ("token", json!(self.token.as_ref().map(exposed))),
            ("ca_cert", json!(self.ca_cert.as_ref().map(exposed))),
        ];
        self.settings.body(self.name.as_deref(), platform)
    }

    fn secrets(&self) -> Vec<Secret> {
        secrets(self.token.as_ref(), self.ca_cert.as_ref())
    }

    fn precondition(&self) -> &'static str {
        if self.is_for_added_ones() {
            "name, API URL, CA certificate and token can be changed only for a cluster that was added as an existing one"
        } else {
            ""
        }
    }
}

/// `DELETE /projects/:id/clusters/:cluster_id`: forgets a cluster; what runs in it is kept.
#[derive(Clone, Debug, Default)]
pub struct DeleteCluster {
    /// Id or path.
    pub project: String,
    /// The cluster.
    pub id: u64,
}

impl Endpoint for DeleteCluster {
    type Output = ();
    const METHOD: Method = Method::Delete;
    const REQUIRED_ACCESS: &'static str = MAINTAINERS;

    fn path(&self) -> Path {
        cluster(&self.project, self.id)
    }
}
