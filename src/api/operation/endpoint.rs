//! Operations as values: what is sent, and the type of what comes back.

use serde::de::DeserializeOwned;

use super::{body::Body, fields::Fields, method::Method, path::Path, secret::Secret};

/// The part of a service that a request goes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ApiHost {
    /// Where everything is but for what is told otherwise.
    #[default]
    Api,
    /// Where GitHub takes files.
    Uploads,
}

/// An operation of the API: a value that knows how it is sent and what its answer is.
///
/// An answer without a body (204, 304) is read as `null`: `()` for an operation that answers nothing, `Option<T>` for
/// one that answers nothing where the thing was so already.
pub trait Endpoint {
    /// The type of the answer. Unknown fields are ignored here and kept in [`crate::api::ApiResponse::body`].
    type Output: DeserializeOwned + Default;

    /// How it is sent.
    const METHOD: Method;

    /// The part of the service it is sent to.
    const HOST: ApiHost = ApiHost::Api;

    /// Who may do this, in words that fit behind "this needs"; told when the service answers 403.
    const REQUIRED_ACCESS: &'static str = "";

    /// The path below the API's root.
    fn path(&self) -> Path;

    /// The query.
    fn query(&self) -> Fields {
        Fields::new()
    }

    /// The body.
    fn body(&self) -> Body {
        Body::None
    }

    /// What the service takes only under a condition that its refusals (400) leave untold; empty where there is none.
    fn precondition(&self) -> &'static str {
        ""
    }
}

/// An operation whose answer comes in pages.
pub trait Paged: Endpoint<Output = Vec<Self::Item>> {
    /// One element of the list.
    type Item: DeserializeOwned;
}

/// The answer of an operation that sends a file rather than JSON; see [`crate::api::Client::open`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
pub struct Bytes;

/// A request that forgot the type of its answer.
#[derive(Clone, Debug)]
pub struct ApiRequest {
    /// How it is sent.
    pub method: Method,
    /// See [`Endpoint::HOST`].
    pub site: ApiHost,
    /// The path below the API's root.
    pub path: Path,
    /// The query.
    pub query: Fields,
    /// The body.
    pub body: Body,
    /// See [`Endpoint::REQUIRED_ACCESS`].
    pub required_access: &'static str,
    /// Values of the body that are never shown: not by `--dry-run`, not in errors.
    pub secrets: Vec<Secret>,
    /// See [`Endpoint::precondition`].
    pub precondition: &'static str,
    /// The form in which older servers know this request, sent if the server has no such route.
    pub legacy: Option<Box<ApiRequest>>,
}

impl ApiRequest {
    /// A call without query and body.
    #[must_use]
    pub fn new(method: Method, path: Path) -> Self {
        Self {
            method,
            site: ApiHost::Api,
            path,
            query: Fields::new(),
            body: Body::None,
            required_access: "",
            secrets: Vec::new(),
            precondition: "",
            legacy: None,
        }
    }

    /// The call an endpoint stands for.
    pub fn of<E: Endpoint>(endpoint: &E) -> Self {
        let request = Self::new(E::METHOD, endpoint.path()).query(endpoint.query()).body(endpoint.body());
        Self { site: E::HOST, required_access: E::REQUIRED_ACCESS, precondition: endpoint.precondition(), ..request }
    }

    /// The same call with a query.
    #[must_use]
    pub fn query(self, query: Fields) -> Self {
        Self { query, ..self }
    }

    /// The same call with a body.
    #[must_use]
    pub fn body(self, body: Body) -> Self {
        Self { body, ..self }
    }

    /// The operation in a few words: `PUT /projects/7/labels/bug`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{} {}", self.method, self.path.as_str())
    }
}

/// An operation as the service documents it: `PUT`, `/projects/:id/labels/:label_id`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// How it is sent.
    pub method: Method,
    /// The path with `:name` for each value.
    pub path: String,
}

impl Operation {
    /// The operation an endpoint performs.
    #[must_use]
    pub fn of<E: Endpoint + Default>() -> Self {
        Self { method: E::METHOD, path: E::default().path().template().to_owned() }
    }
}
