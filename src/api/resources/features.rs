//! Feature flags of the service itself. Administrators alone may see or set them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::api::{Body, Endpoint, FieldValue, Fields, Method, Path};

const ADMINISTRATORS: &str = "an administrator's token";

/// A feature flag that somebody has set.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Feature {
    /// The name.
    pub name: String,
    /// `on`, `off` or `conditional`.
    pub state: Option<String>,
    /// What it depends on; gates that let nobody through are left out.
    #[serde(default)]
    pub gates: Vec<Gate>,
    /// What the service knows about it; `None` for one that was made up.
    pub definition: Option<Definition>,
}

/// A gate: a feature is on for those whom one of its gates lets through.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Gate {
    /// `boolean`, `percentage_of_time`, `percentage_of_actors`, `actors` or `groups`.
    pub key: String,
    /// A boolean, a percentage, or a list of names.
    pub value: Value,
}

/// A feature flag as the service's source defines it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Definition {
    /// The name.
    pub name: String,
    /// Where it was introduced.
    pub introduced_by_url: Option<String>,
    /// Where its rollout is tracked.
    pub rollout_issue_url: Option<String>,
    /// The release that introduced it.
    pub milestone: Option<String>,
    /// Whether changes of it are logged.
    pub log_state_changes: Option<Value>,
    /// What kind of flag it is, such as `development` or `ops`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// The team that owns it.
    pub group: Option<String>,
    /// Whether it is on where nobody set it.
    pub default_enabled: Option<bool>,
}

/// What a feature is set to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FeatureValue {
    /// On.
    On,
    /// Off.
    #[default]
    Off,
    /// On for so many of a hundred.
    Percentage(u8),
}

impl FieldValue for FeatureValue {
    fn text(&self) -> Option<String> {
        Some(match self {
            Self::On => "true".to_owned(),
            Self::Off => "false".to_owned(),
            Self::Percentage(percentage) => percentage.to_string(),
        })
    }
}

/// `GET /features`
#[derive(Clone, Copy, Debug, Default)]
pub struct ListFeatures;

impl Endpoint for ListFeatures {
    type Output = Vec<Feature>;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = ADMINISTRATORS;

    fn path(&self) -> Path {
        Path::root("features")
    }
}

/// `GET /features/definitions`
#[derive(Clone, Copy, Debug, Default)]
pub struct ListDefinitions;

impl Endpoint for ListDefinitions {
    type Output = Vec<Definition>;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = ADMINISTRATORS;

    fn path(&self) -> Path {
        Path::root("features").lit("definitions")
    }
}

/// `POST /features/:name`
///
/// The targets take several names behind commas.
#[derive(Clone, Debug, Default)]
pub struct SetFeature {
    /// The name; a feature that is not there is created.
    pub name: String,
    /// What it is set to.
    pub value: FeatureValue,
    /// `percentage_of_time`, as by default, or `percentage_of_actors`.
    pub key: Option<String>,
    /// A feature group.
    pub feature_group: Option<String>,
    /// Users by name.
    pub user: Option<String>,
    /// Groups by path.
    pub group: Option<String>,
    /// Groups or users by the path of their namespace.
    pub namespace: Option<String>,
    /// Projects by path.
    pub project: Option<String>,
    /// Repositories by path.
    pub repository: Option<String>,
    /// Whether the service's checks, such as that there is a definition, are skipped.
    pub force: Option<bool>,
}

impl SetFeature {
    /// The targets that were given, with the names of their fields.
    #[must_use]
    pub fn targets(&self) -> Vec<(&'static str, &str)> {
        let all = [
            ("feature_group", &self.feature_group),
            ("user", &self.user),
            ("group", &self.group),
            ("namespace", &self.namespace),
            ("project", &self.project),
            ("repository", &self.repository),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?))).collect()
    }
}

impl Endpoint for SetFeature {
    type Output = Feature;
    const METHOD: Method = Method::Post;
    const REQUIRED_ACCESS: &'static str = ADMINISTRATORS;

    fn path(&self) -> Path {
        Path::root("features").arg("name", &self.name)
    }

    fn body(&self) -> Body {
        let gate = Fields::new().add("value", self.value).add("key", &self.key);
        let targeted = self.targets().into_iter().fold(gate, |fields, (name, value)| fields.add(name, value));
        Body::Form(targeted.add("force", self.force))
    }
}

/// `DELETE /features/:name`
#[derive(Clone, Debug, Default)]
pub struct DeleteFeature {
    /// The name; one that is not there is as good as deleted.
    pub name: String,
}

impl Endpoint for DeleteFeature {
    type Output = ();
    const METHOD: Method = Method::Delete;
    const REQUIRED_ACCESS: &'static str = ADMINISTRATORS;

    fn path(&self) -> Path {
        Path::root("features").arg("name", &self.name)
    }
}
