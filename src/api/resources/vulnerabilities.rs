//! Vulnerabilities that scanners found. The service counts these operations as unstable: every field may be missing.

use serde::{Deserialize, Serialize};

use crate::api::{Endpoint, Method, Path};

const READERS: &str = "a token of somebody who may see the project's vulnerability report";
const JUDGES: &str = "the right to change the state of vulnerabilities (permission `admin_vulnerability`)";

/// A vulnerability, as older and as newer services send it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Vulnerability {
    /// The id.
    pub id: u64,
    /// What it is.
    pub title: Option<String>,
    /// More about it.
    pub description: Option<String>,
    /// `detected`, `confirmed`, `resolved` or `dismissed`; of older services also `opened` and `closed`.
    pub state: Option<String>,
    /// `info`, `unknown`, `low`, `medium`, `high` or `critical`.
    pub severity: Option<String>,
    /// How sure the scanner is; older services alone.
    pub confidence: Option<String>,
    /// The kind of scanner, such as `sast`.
    pub report_type: Option<String>,
    /// Where it was found.
    pub project: Option<Project>,
    /// When it was first seen.
    pub created_at: Option<String>,
    /// When it last changed.
    pub updated_at: Option<String>,
    /// When it was closed; older services alone.
    pub closed_at: Option<String>,
    /// When it was confirmed; newer services alone, as the two below.
    pub confirmed_at: Option<String>,
    /// When it was resolved.
    pub resolved_at: Option<String>,
    /// When it was dismissed.
    pub dismissed_at: Option<String>,
}

/// The project of a vulnerability.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Project {
    /// The id.
    pub id: Option<u64>,
    /// The name.
    pub name: Option<String>,
    /// The full path, of newer services.
    pub path_with_namespace: Option<String>,
    /// The full path, of older services.
    pub full_path: Option<String>,
}

impl Project {
    /// The full path, by either of its names.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.path_with_namespace.as_deref().or(self.full_path.as_deref())
    }
}

fn vulnerability(id: u64) -> Path {
    Path::root("vulnerabilities").arg("id", id.to_string())
}

/// `GET /vulnerabilities/:id`
#[derive(Clone, Copy, Debug, Default)]
pub struct GetVulnerability {
    /// The id.
    pub id: u64,
}

impl Endpoint for GetVulnerability {
    type Output = Vulnerability;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = READERS;

    fn path(&self) -> Path {
        vulnerability(self.id)
    }
}

macro_rules! judgement {
    ($(#[doc = $doc:literal] $name:ident = $verb:literal)*) => {$(
        #[doc = $doc]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name {
            /// The id.
            pub id: u64,
        }

        impl Endpoint for $name {
            /// `None` where it was in that state already.
            type Output = Option<Vulnerability>;
            const METHOD: Method = Method::Post;
            const REQUIRED_ACCESS: &'static str = JUDGES;

            fn path(&self) -> Path {
                vulnerability(self.id).lit($verb)
            }
        }
    )*};
}

judgement! {
    /// `POST /vulnerabilities/:id/confirm`
    ConfirmVulnerability = "confirm"
    /// `POST /vulnerabilities/:id/resolve`
    ResolveVulnerability = "resolve"
    /// `POST /vulnerabilities/:id/dismiss`
    DismissVulnerability = "dismiss"
    /// `POST /vulnerabilities/:id/revert`
    RevertVulnerability = "revert"
}
