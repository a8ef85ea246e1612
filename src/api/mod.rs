//! The REST API of a GitLab or GitHub server: requests are values, the client sends them.
//!
//! # From a request to its response
//!
//! ```text
//! ApiRequest -> exchange { attempt { redirect*, transport }, retry* } -> ApiResponse | Pages | Stream
//!                                                  \-> Error (status, the server's message, hint)
//! ```
//!
//! # The layers
//!
//! A module uses modules of lower layers, never one beside or above it.
//!
//! | layer | module | what it does |
//! |---|---|---|
//! | 5 | `resources` | what the program itself asks for: releases, people, repositories |
//! | 4 | `client` | sends a request and reads its response, pages or stream, with retries and redirects |
//! | 3 | `transport` | one request over the wire, through a proxy if there is one; alone knows the HTTP crate |
//! | 2 | `server` | the server's address and the credential |
//! | 1 | `operation`, `url` | method, path, query, body, and the secrets in them; the URL of a server |
//!
//! Releases and people are traits with an implementation for each forge, which `releases_of` and `people_of` choose. How
//! the APIs differ on the wire is data (`ApiProfile`, and `Dialect` for those that differ from GitHub's in a few paths).

mod client;
mod operation;
mod resources;
mod server;
mod transport;
mod url;

pub(crate) use client::{
    ApiResponse, Client, ClientEvent, ClientObserver, Error, Paging, Refusal, Result, RetryPolicy,
};
pub(crate) use operation::{ApiHost, ApiRequest, Body, Fields, FilePart, Method, Path, Preview, Secret};
pub(crate) use resources::{
    commits, commits_of, merge_requests, merge_requests_of, people, people_of, releases, releases_of, repository,
};
pub(crate) use server::{BaseUrl, Credential};
pub(crate) use transport::{Headers, Proxies, RawHttp, WireResponse};
pub(crate) use url::Url;

#[cfg(test)]
use client::Clock;

#[cfg(test)]
mod tests;
