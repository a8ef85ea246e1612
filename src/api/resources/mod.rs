//! The endpoints that the program itself depends on, a file or a directory for each resource. Those that only a command
//! of their own sends are rows of its table under `commands/`.

pub mod forges;
pub mod people;
pub mod releases;
pub mod repository;
