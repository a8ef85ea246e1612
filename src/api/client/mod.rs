//! The client: an operation in, its response out.

mod builder;
mod error;
mod event;
mod exchange;
mod paging;
mod response;
mod send;

pub use self::{
    builder::Client,
    error::{Error, Refusal, Result},
    event::{ClientEvent, ClientObserver},
    exchange::{Clock, RetryPolicy, SystemClock},
    paging::{Page, Pages, Paging},
    response::{ApiResponse, Stream},
};
pub(super) use self::{error::optional, send::decode};
