//! The commands. Each turns arguments into a request, and the result into output. Only commands print.

pub(crate) mod add;
pub(crate) mod api;
pub(crate) mod base;
pub(crate) mod batch;
pub(crate) mod change;
pub(crate) mod check;
pub(crate) mod cluster;
pub(crate) mod completions;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod feature;
pub(crate) mod init;
pub(crate) mod label;
pub(crate) mod man;
mod marked_comment;
pub(crate) mod next;
pub(crate) mod note;
pub(crate) mod notes;
pub(crate) mod overview;
pub(crate) mod preview;
pub(crate) mod release;
pub(crate) mod render;
pub(crate) mod repo;
pub(crate) mod role;
pub(crate) mod show;
mod static_completions;
pub(crate) mod vulnerability;
pub(crate) mod wiki;

// The modules that several commands share.
mod changelog_args;
mod common_file;
mod explained_files;
mod global_args;
mod history_report;
mod hosted;
mod layout;
mod lookup_cache;
mod open_repo;
mod people;
mod resource;
mod server;
mod session;
mod sync;

pub(crate) use changelog_args::{BumpArgs, ChangelogArgs, ConfigArgs, RangeArgs};
pub(crate) use global_args::{Format, GlobalArgs};
pub(crate) use resource::Resource;
pub(crate) use server::{ConfirmArgs, PageArgs, Server, WriteArgs};
pub(crate) use session::{ClosedOutput, Messages, Session};

#[cfg(test)]
use crate::api::{ApiRequest, Method};

/// The resources that have commands.
pub(crate) static RESOURCES: [Resource; 6] =
    [label::RESOURCE, wiki::RESOURCE, feature::RESOURCE, role::RESOURCE, cluster::RESOURCE, vulnerability::RESOURCE];

/// Returns every operation of GitLab's API that has a command: the command, the method and the path as documented.
#[cfg(test)]
pub(crate) fn operations() -> Vec<(String, Method, String)> {
    let of_repo = repo::operations::requests()
        .map(|(command, ApiRequest { method, path, .. })| (command.to_owned(), method, path.template().to_owned()));
    RESOURCES.iter().flat_map(Resource::operations).chain(of_repo).collect()
}
