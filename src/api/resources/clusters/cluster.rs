//! A cluster, as the service tells of it.

use serde::{Deserialize, Serialize};

/// A Kubernetes cluster attached to a project. Its token is never told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Cluster {
    /// The id.
    pub id: u64,
    /// Its name.
    pub name: Option<String>,
    /// The base domain of what is deployed to it.
    pub domain: Option<String>,
    /// When it was added, ISO 8601.
    pub created_at: Option<String>,
    /// Whether the service manages its namespaces and service accounts.
    pub managed: Option<bool>,
    /// Whether it is active.
    pub enabled: Option<bool>,
    /// `user` for one that existed before it was added, else who created it: `gcp`, `aws`.
    pub provider_type: Option<String>,
    /// `kubernetes`.
    pub platform_type: Option<String>,
    /// The environments that are deployed to it, `*` for all.
    pub environment_scope: Option<String>,
    /// Whom it is for: `project_type`, `group_type`, `instance_type`.
    pub cluster_type: Option<String>,
    /// Whether each environment has a namespace of its own.
    pub namespace_per_environment: Option<bool>,
    /// Who added it.
    pub user: Option<User>,
    /// How it is reached.
    pub platform_kubernetes: Option<PlatformKubernetes>,
    /// The project that manages it.
    pub management_project: Option<ProjectIdentity>,
    /// The project it is attached to; not in lists.
    pub project: Option<Project>,
}

/// Somebody with an account.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct User {
    /// The id.
    pub id: u64,
    /// The full name.
    pub name: Option<String>,
    /// The name behind `@`.
    pub username: Option<String>,
    /// `active`, `blocked` and the like.
    pub state: Option<String>,
    /// The picture.
    pub avatar_url: Option<String>,
    /// The page.
    pub web_url: Option<String>,
}

/// How a cluster's Kubernetes is reached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct PlatformKubernetes {
    /// The URL of its API.
    pub api_url: Option<String>,
    /// Kubernetes namespace of the project.
    pub namespace: Option<String>,
    /// `rbac`, `abac` or `unknown_authorization`.
    pub authorization_type: Option<String>,
    /// The certificate its API is known by, PEM.
    pub ca_cert: Option<String>,
}

/// What tells a project from others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct ProjectIdentity {
    /// The id.
    pub id: u64,
    /// Description of the label.
    pub description: Option<String>,
    /// The name.
    pub name: Option<String>,
    /// The names of its groups and its own.
    pub name_with_namespace: Option<String>,
    /// The last part of its path.
    pub path: Option<String>,
    /// The full path.
    pub path_with_namespace: Option<String>,
    /// When it was created, ISO 8601.
    pub created_at: Option<String>,
}

/// The project a cluster is attached to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Project {
    /// Which it is.
    #[serde(flatten)]
    pub identity: ProjectIdentity,
    /// The branch that is checked out by default.
    pub default_branch: Option<String>,
    /// The older name of the topics.
    pub tag_list: Option<Vec<String>>,
    /// What it is about.
    pub topics: Option<Vec<String>>,
    /// Where SSH clones from.
    pub ssh_url_to_repo: Option<String>,
    /// Where HTTP clones from.
    pub http_url_to_repo: Option<String>,
    /// The page.
    pub web_url: Option<String>,
    /// The page of its README.
    pub readme_url: Option<String>,
    /// The picture.
    pub avatar_url: Option<String>,
    /// How many like it.
    pub star_count: Option<u64>,
    /// How many copies of it there are.
    pub forks_count: Option<u64>,
    /// When something last happened, ISO 8601.
    pub last_activity_at: Option<String>,
    /// The group or person it belongs to.
    pub namespace: Option<Namespace>,
}

/// A group or person that projects belong to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Namespace {
    /// The id.
    pub id: u64,
    /// The name.
    pub name: Option<String>,
    /// The last part of its path.
    pub path: Option<String>,
    /// `group` or `user`.
    pub kind: Option<String>,
    /// The full path.
    pub full_path: Option<String>,
    /// The group above.
    pub parent_id: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_written_in_the_order_of_the_service() {
        let text = r#"{"id":1,"description":null,"name":"app","created_at":"2026-01-02","default_branch":"main"}"#;
        let project: Project = serde_json::from_str(text).unwrap();
        assert_eq!((project.identity.id, project.default_branch.as_deref()), (1, Some("main")));
        let written = serde_json::to_value(project).unwrap();
        let keys: Vec<_> = written.as_object().unwrap().keys().take(8).map(String::as_str).collect();
        let expected = "id description name name_with_namespace path path_with_namespace created_at default_branch";
        assert_eq!(keys.join(" "), expected);
    }
}
