//! `tidings` turns the trailers of a git history into a changelog.
//!
//! # The pipeline
//!
//! ```text
//! Repo -tags-> Tag -resolve-> Range -walk-> [Commit] -judge-> [Judged] -group-> Release -render-> Section -insert-> Document -commit-> Oid
//! ```
//!
//! Every arrow is a function from plain data to plain data. Input and output sit at the edges: [`git`] reads and writes
//! repositories, [`api`] speaks to a server, [`cli`] and [`commands`] read arguments and print. Between them only the
//! settings of [`pipeline`] are read from files, and `interrupt` keeps the temporary ones.
//!
//! # The floors
//!
//! A module uses those on floors below its own, never one beside or above it.
//!
//! | floor | modules | what it does |
//! |---|---|---|
//! | 6 | [`cli`] | parse, dispatch, report the failure, exit code |
//! | 5 | [`commands`] | arguments to a request, the request to output |
//! | 4 | [`pipeline`], [`repository`] | the story of a changelog; one trait over local and hosted repositories |
//! | 3 | [`git`], [`changelog`], [`api`] | three neighbours that do not know each other |
//! | 2 | [`config`], `interrupt` | the settings file; what an interrupt removes or waits for |
//! | 1 | [`model`], `cores` | plain data; work on all cores |
//!
//! # The words
//!
//! * **trailer**: a `Key: value` line in the last paragraph of a commit message, by git's own rules.
//! * **category**: the value of the `Changelog` trailer, and the heading it stands under.
//! * **range**: the commits reachable from its end and not from its start.
//! * **base**: the tag a section starts after: the highest stable version below the one asked for.
//! * **entry**: one commit that is listed; **release**: all entries of a version, by category.
//! * **section**: one release as Markdown; **document**: the changelog file, made of sections.

pub mod api;
pub mod changelog;
pub mod cli;
pub mod commands;
pub mod config;
mod cores;
pub mod git;
mod interrupt;
pub mod model;
pub mod pipeline;
pub mod repository;
