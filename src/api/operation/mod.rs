//! Requests as values, which can be inspected before they are sent.

mod body;
mod endpoint;
mod fields;
mod path;
pub(super) mod secret;

pub(super) use self::path::decode;
pub use self::{
    body::{Body, FilePart},
    endpoint::{ApiHost, ApiRequest, Bytes, Endpoint, Method, Operation, Preview},
    fields::{FieldValue, Fields},
    path::Path,
    secret::Secret,
};
