//! The areas of the service, a file or a folder each: their resources, and an operation for each thing to do with them.

pub mod clusters;
pub mod features;
pub mod labels;
pub mod member_roles;
pub mod people;
pub mod releases;
pub mod repository;
pub mod vulnerabilities;
pub mod wikis;
