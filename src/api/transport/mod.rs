//! The wire: one request out, through a proxy where there is one, and one answer or a fault in. Meaning is for others.

mod error;
mod proxy;
mod raw_http;
mod wire;
mod wire_response;

pub(super) use self::{
    error::{FailureStage, TransportError},
    wire::{Payload, Timeout, Transport, WireRequest, reason_phrase},
    wire_response::WireResponse,
};
pub use self::{
    proxy::Proxies,
    raw_http::{RawHttp, RawHttpResponse},
    wire_response::Headers,
};
