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
//! Releases and people are asked for on GitHub too ([`releases`], [`people`]): a [`Dialect`] says what sets the two
//! families apart on the wire, and the rest of the way is the same.
//!
//! # Adding an area
//!
//! An area of the service is one file here, one under `commands/`, one in the loopback service and one of tests:
//!
//! 1. `api/<area>.rs`: the resource, every field but its key an `Option` (services differ in what they send); then a
//!    struct for each operation, its first line the `METHOD path`, required parameters plain fields and the rest
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

mod answer;
mod auth;
mod base_url;
mod body;
mod client;
mod clock;
pub mod clusters;
mod dialect;
mod endpoint;
mod error;
mod escape;
mod event;
mod exchange;
mod fault;
pub mod features;
mod fields;
pub mod labels;
pub mod member_roles;
mod method;
mod paging;
mod path;
mod payload;
pub mod people;
mod plain;
mod preview;
mod proxy;
mod reason;
mod redirect;
pub mod releases;
mod reply;
pub mod repository;
mod retry;
mod secret;
mod stream;
mod transport;
mod url;
pub mod vulnerabilities;
pub mod wikis;

pub use answer::Answer;
pub use auth::{Credential, Scheme};
pub use base_url::BaseUrl;
pub use body::{Body, FilePart};
pub use client::Client;
pub use clock::{Clock, SystemClock};
pub use dialect::{Dialect, Site};
pub use endpoint::{Bytes, Call, Endpoint, Operation, Paged};
pub use error::{Error, Result};
pub use event::{Event, Observer};
pub use fields::{Field, Fields};
pub use method::Method;
pub use paging::{Page, Pages, Paging};
pub use path::Path;
pub use plain::{Plain, PlainReply};
pub use preview::Preview;
pub use proxy::Proxies;
pub use reply::Headers;
pub use retry::Patience;
pub use secret::Secret;
pub use stream::Stream;
pub use url::Url;
