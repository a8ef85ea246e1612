//! The packages of a repository: those that are configured, those that a tool with change files knows, and what depends
//! on what.

pub(super) mod configured;
pub(super) mod dependents;
pub(super) mod tool_packages;
pub(super) mod workspace_warnings;
