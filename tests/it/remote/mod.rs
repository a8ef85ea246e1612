//! Repositories by URL: what comes over gives the same answers as a full clone, and is little.

mod addresses;
mod cache;
mod checkouts;
mod clones;
mod commands;
mod replay;
mod shallow;
mod trouble;
