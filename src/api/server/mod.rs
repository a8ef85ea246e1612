//! Which service is asked, and who is asking: addresses, the family of the service, and the credential.

mod auth;
mod base_url;
mod forge;
mod url;

pub(super) use self::forge::forge_headers;
pub use self::{
    auth::Credential,
    base_url::BaseUrl,
    forge::{AuthScheme, default_auth_scheme, suggested_token_variables},
    url::Url,
};
