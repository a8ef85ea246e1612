//! One HTTP request, maybe through a proxy, and its response or error. What they mean is not decided here.

mod proxy;
mod raw_http;
mod response;
mod tls;
mod wire;

pub use self::{
    proxy::Proxies,
    raw_http::{RawHttp, RawHttpResponse},
    response::Headers,
};
pub(super) use self::{
    response::{FailureStage, TransportError, WireResponse},
    wire::{Payload, Timeout, Transport, WireRequest, reason_phrase},
};
