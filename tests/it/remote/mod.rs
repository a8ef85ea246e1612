//! Repositories by URL: what comes over gives the same answers as a full clone, and is little.

mod addresses;
mod cache;
mod checkouts;
mod clones;
mod commands;
mod ranges;
mod replay;
mod servers;
mod shallow;
mod trouble;
