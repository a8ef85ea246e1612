//! Calls of a server: where the token is sent, what is retried, what is reported.

mod any_operation;
mod auth;
mod contract;
mod encryption;
mod endless_lists;
mod errors;
mod listing;
mod odd_responses;
mod proxies;
mod redirects;
mod retries;
mod secrets;
