//! The wire: one request out, through a proxy where there is one, and one answer or a fault in. Meaning is for others.

mod fault;
mod plain;
mod proxy;
mod reply;
mod wire;

pub(super) use self::{
    fault::{Fault, Stage},
    reply::Reply,
    wire::{Limit, Outgoing, Payload, Transport, phrase},
};
pub use self::{
    plain::{Plain, PlainReply},
    proxy::Proxies,
    reply::Headers,
};
