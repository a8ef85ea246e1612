//! The commands: each turns arguments into a request, and the result into output. Nothing else prints.

pub mod add;
pub mod api;
pub mod base;
pub mod batch;
pub mod check;
pub mod cluster;
pub mod completions;
pub mod doctor;
pub mod explain;
pub mod feature;
pub mod init;
pub mod label;
pub mod man;
pub mod next;
pub mod note;
pub mod notes;
pub mod release;
pub mod render;
pub mod repo;
pub mod role;
pub mod show;
pub mod vulnerability;
pub mod wiki;

// What several commands share.
mod changelog_args;
mod global_args;
mod history_report;
mod hosted;
mod layout;
mod open_repo;
mod people;
mod resource;
pub mod server;
mod session;
mod sync;

pub use changelog_args::{BumpArgs, ChangelogArgs, ConfigArgs, RangeArgs};
pub use global_args::{AuthArg, Color, Format, GlobalArgs, ServerArgs};
pub use resource::{Action, Resource, ResourceArgs};
pub use server::{ConfirmArgs, PageArgs, Server, WriteArgs};
pub use session::{Messages, Session};

use crate::api::Operation;

/// Every operation of GitLab's API that has a command.
#[must_use]
pub fn operations() -> Vec<(String, Operation)> {
    [
        resource::operations::<role::Role>(),
        resource::operations::<cluster::Cluster>(),
        repo::operations().into_iter().map(|(command, operation)| (command.to_owned(), operation)).collect(),
        resource::operations::<wiki::Wiki>(),
        resource::operations::<feature::Feature>(),
        resource::operations::<label::Label>(),
        resource::operations::<vulnerability::Vulnerability>(),
    ]
    .concat()
}
