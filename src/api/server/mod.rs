//! The server: its address, and the credential for it.

mod auth;
mod base_url;
mod url;

pub use self::{auth::Credential, base_url::BaseUrl, url::Url};
