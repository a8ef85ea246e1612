//! What an operation says: its method, path, query and body, as values that anybody can look at before they are sent.

mod body;
mod endpoint;
pub(super) mod escape;
mod fields;
mod method;
mod path;
mod preview;
pub(super) mod secret;

pub use self::{
    body::{Body, FilePart},
    endpoint::{ApiHost, ApiRequest, Bytes, Endpoint, Operation, Paged},
    fields::{FieldValue, Fields},
    method::Method,
    path::Path,
    preview::Preview,
    secret::Secret,
};
