//! The service's REST API: operations are values, the client sends them.
//!
//! ```no_run
//! use tidings::api::{BaseUrl, Client, Credential, Scheme, labels::ListLabels};
//!
//! let token = Credential::new("glpat-...", Scheme::PrivateToken, "the vault")?;
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
//! # The way of a call
//!
//! ```text
//! Endpoint -> Call -> exchange { attempt { redirect*, transport }, retry* } -> Answer | Pages | Stream
//!                                                                          \-> Error (status, the service's words, hint)
//! ```
//!
//! # The rooms
//!
//! A room uses those on floors below its own, never one beside or above it.
//!
//! | floor | room | what it does |
//! |---|---|---|
//! | 5 | `areas` | what there is to ask for: labels, wikis, clusters and so on, a file or a folder each |
//! | 4 | `client` | an operation to its answer, pages or stream, through one exchange with its retries and redirects |
//! | 3 | `transport` | one request out over the wire, through a proxy, one answer in; alone knows the HTTP crate |
//! | 2 | `service` | which service is asked and who is asking: addresses and credentials |
//! | 1 | `operation` | what is said: method, path, query, body, and the secrets in them |
//!
//! Releases and people are asked for on GitHub too ([`releases`], [`people`]): a [`Dialect`] says what sets the two
//! families apart on the wire, and the rest of the way is the same.
//!
//! # Adding an area
//!
//! An area of the service is one file among the areas, one under `commands/`, one in the loopback service and one of
//! tests:
//!
//! 1. `api/areas/<area>.rs`: the resource, every field but its key an `Option` (services differ in what they send); then
//!    a struct for each operation, its first line the `METHOD path`, required parameters plain fields and the rest
//!    `Option`, with an [`Endpoint`] implementation: `Output`, `METHOD`, `NEEDS` (the role), `path`, and where there is
//!    one `query`, `body`, `secrets`, `older`. A list that comes in pages is also [`Paged`]; a file has `Output = Bytes`.
//! 2. `commands/<noun>.rs`: `Args` with a subcommand for each operation, and `run`; reads end in `Server::send`, `list`
//!    or `open`, writes in `Server::write` or `destroy`, which know `--dry-run` and `--yes`; `operations` names the
//!    command of each operation and is listed in `commands::operations`. No option has the name of a global one. Things
//!    that a file may list are a `commands::sync::Kind`.
//! 3. `tests/it/support/service/<area>.rs`: the state of the area and its routes, added to `State` and `routes`.
//! 4. `tests/it/<noun>_command.rs`: the commands against that service.
//!
//! [`labels`] shows all of it.

mod areas;
mod client;
mod operation;
mod service;
mod transport;

pub use areas::{clusters, features, labels, member_roles, people, releases, repository, vulnerabilities, wikis};
pub use client::{
    Answer, Client, Clock, Error, Event, Observer, Page, Pages, Paging, Patience, Result, Stream, SystemClock,
};
pub use operation::{
    Body, Bytes, Call, Endpoint, Field, Fields, FilePart, Method, Operation, Paged, Path, Preview, Secret, Site,
};
pub use service::{BaseUrl, Credential, Dialect, Scheme, Url};
pub use transport::{Headers, Plain, PlainReply, Proxies};
