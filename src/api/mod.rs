//! The REST API of a GitLab or GitHub server: endpoints are values, the client sends them.
//!
//! ```no_run
//! use tidings::api::{BaseUrl, Client, Credential, AuthScheme, labels::ListLabels};
//!
//! let token = Credential::new("glpat-...", AuthScheme::PrivateToken, "the vault")?;
//! let client = Client::new(BaseUrl::parse("https://gitlab.example.com")?, token);
//! let labels = ListLabels { project: "group/app".into(), search: Some("bug".into()), ..Default::default() };
//! for page in client.pages(&labels, Default::default()) {
//!     for label in page?.items {
//!         println!("{}", label.name);
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The way of a request
//!
//! ```text
//! Endpoint -> ApiRequest -> exchange { attempt { redirect*, transport }, retry* } -> ApiResponse | Pages | Stream
//!                                                               \-> Error (status, the server's message, hint)
//! ```
//!
//! # The layers
//!
//! A module uses modules of lower layers, never one beside or above it.
//!
//! | layer | module | what it does |
//! |---|---|---|
//! | 5 | `resources` | what an endpoint acts on: labels, wikis, clusters and so on, a file or a directory each |
//! | 4 | `client` | sends an endpoint and reads its response, pages or stream, with retries and redirects |
//! | 3 | `transport` | one request over the wire, through a proxy if there is one; alone knows the HTTP crate |
//! | 2 | `server` | the server's address and the credential |
//! | 1 | `operation` | method, path, query, body, and the secrets in them |
//!
//! [`releases`] and [`people`] exist for GitHub too; `server` knows how the two differ on the wire.
//!
//! # Adding a resource
//!
//! A resource is one file in `resources`, one under `commands/`, one in the loopback server of the tests and one of
//! tests:
//!
//! 1. `api/resources/<resource>.rs`: the resource, every field but its key an `Option` (servers differ in what they
//!    send); then a struct for each operation, its first doc line the `METHOD path`, required parameters plain fields and
//!    the rest `Option`, with an [`Endpoint`] implementation: `Output`, `METHOD`, `REQUIRED_ACCESS` (the role), `path`,
//!    and if needed `query`, `body`, `secrets`, `legacy_request`. A paginated list is also [`Paged`]; a file has
//!    `Output = Bytes`.
//! 2. `commands/<noun>.rs`: `Args` with a subcommand for each operation, and `run`; `operations` names the command of
//!    each operation and is listed in `commands::operations`. No option has the name of a global one. Resources that a
//!    file may list implement `commands::sync::SyncResource`.
//! 3. `tests/it/support/service/<resource>.rs`: the state of the resource and its routes, added to `State` and `routes`.
//! 4. `tests/it/<noun>_command.rs`: the commands against that server.
//!
//! [`labels`] shows all of it.

mod client;
mod operation;
mod resources;
mod server;
mod transport;

pub use client::{
    ApiResponse, Client, ClientEvent, ClientObserver, Clock, Error, Page, Pages, Paging, Result, RetryPolicy, Stream,
    SystemClock,
};
pub use operation::{
    ApiHost, ApiRequest, Body, Bytes, Endpoint, FieldValue, Fields, FilePart, Method, Operation, Paged, Path, Preview,
    Secret,
};
pub use resources::{clusters, features, labels, member_roles, people, releases, repository, vulnerabilities, wikis};
pub use server::{AuthScheme, BaseUrl, Credential, Url, default_auth_scheme, suggested_token_variables};
pub use transport::{Headers, Proxies, RawHttp, RawHttpResponse};
