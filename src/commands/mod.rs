//! The commands, a file each: arguments to a request, the request to output. Nothing else prints.

mod options;
mod output;
mod session;
pub mod show;

pub use options::{Color, Format, Global};
pub use session::Session;
