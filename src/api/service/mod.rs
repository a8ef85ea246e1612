//! Which service is asked, and who is asking: addresses, the family of the service, and the credential.

mod auth;
mod base_url;
mod dialect;
mod url;

pub use self::{
    auth::{Credential, Scheme},
    base_url::BaseUrl,
    dialect::Dialect,
    url::Url,
};
