//! The commands, a file each: arguments to a request, the request to output. Nothing else prints.

pub mod add;
pub mod api;
pub mod base;
pub mod batch;
mod card;
mod changelog_options;
pub mod check;
pub mod cluster;
pub mod completions;
mod confirm;
mod date;
pub mod explain;
mod failures;
pub mod feature;
mod hosted;
pub mod init;
mod input;
pub mod label;
pub mod man;
mod messages;
pub mod next;
pub mod notes;
mod options;
mod output;
mod people;
mod progress;
mod range_options;
pub mod release;
mod remote;
pub mod render;
pub mod repo;
pub mod role;
pub mod server;
mod session;
mod settings_options;
pub mod show;
mod sync;
mod table;
pub mod vulnerability;
pub mod wiki;
mod wish;

pub use changelog_options::ChangelogOptions;
pub use messages::Messages;
pub use options::{Color, Format, Global};
pub use range_options::RangeOptions;
pub use server::{DestroyArgs, PageArgs, Server, WriteArgs};
pub use session::Session;
pub use settings_options::SettingsOptions;
pub use wish::WishArgs;

use crate::api::Operation;

/// Every operation of the service that has a command, in the order of the service's areas.
#[must_use]
pub fn operations() -> Vec<(&'static str, Operation)> {
    [
        role::operations(),
        cluster::operations(),
        repo::operations(),
        wiki::operations(),
        feature::operations(),
        label::operations(),
        vulnerability::operations(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
