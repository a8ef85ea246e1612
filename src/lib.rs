//! `tidings` turns the history of a git repository into a changelog.
//!
//! Open a [`Repository`], ask it for the next version and its [`Section`], and insert that into a [`Document`]:
//!
//! ```no_run
//! use tidings::{Document, Options, Repository};
//!
//! let repository = Repository::open(".")?;
//! let Some(version) = repository.next_version(&Options::new())?.version else { return Ok(()) };
//! let section = repository.section(&Options::new().version(version))?;
//! let mut document = Document::parse(std::fs::read("CHANGELOG.md")?);
//! document.insert(&section)?;
//! std::fs::write("CHANGELOG.md", document.into_bytes())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The entries of a section are plain data ([`Release`]), which a [`Template`] renders. Every failure is an [`Error`]
//! with hints. The same pages exist for the program: `tidings --help`.
//!
//! # The pipeline
//!
//! ```text
//! Repo -tags-> BaseTag -resolve-> Range -walk-> [Commit] -classify-> [ClassifiedCommit] -group-> Release -render->
//! Section
//!      -insert-> Document -commit-> Oid
//! ```
//!
//! Every arrow is a function from plain data to plain data. Input and output are at the edges: `git` reads and writes
//! repositories, `api` talks to a server, `cli` and `commands` read arguments and print. Between them, only
//! `pipeline` reads files (the configuration), and `interrupt` keeps track of temporary ones.
//!
//! # The layers
//!
//! A module uses modules of lower layers, never one beside or above it.
//!
//! | layer | modules | what it does |
//! |---|---|---|
//! | 9 | `library` | what other programs use: this page |
//! | 8 | `cli` | parses the command line, dispatches, reports failures, sets the exit code |
//! | 7 | `commands` | turns arguments into a request and the result into output |
//! | 6 | `pipeline`, `repository` | makes sections and releases; one trait over local and hosted repositories |
//! | 5 | `check`, `setup` | findings in commits; a configuration for a repository |
//! | 4 | `sources` | commits to changes: what is listed, under which categories |
//! | 3 | `git`, `api` | the repository, the server |
//! | 3 | `versions`, `document`, `template`, `version_files` | tags to versions; the changelog file; release to Markdown; files that hold a version |
//! | 2 | `config`, `interrupt`, `bounded_read` | the configuration file; what an interrupt removes or waits for; reads of bounded size |
//! | 1 | `model`, `parallel` | plain data; work on all cores |
//!
//! # The words
//!
//! * **trailer**: a `Key: value` line in the last paragraph of a commit message, git-interpret-trailers(1).
//! * **category**: the value of the `Changelog` trailer, and its heading in a section.
//! * **classification**: whether a commit is listed, under which categories, or why it is not.
//! * **range**: the commits reachable from its end and not from its start.
//! * **base tag**: the tag a section starts after: the highest stable version below the requested one.
//! * **entry**: one listed commit; **release**: all entries of a version, by category.
//! * **section**: one version as Markdown; **document**: the parsed changelog file, made of sections.
//! * **forge**: the kind of software a host runs: GitLab, GitHub, Gitea, Bitbucket and others.

mod api;
mod bounded_read;
mod check;
mod cli;
mod commands;
mod config;
mod document;
mod git;
mod interrupt;
mod library;
mod model;
mod parallel;
mod pipeline;
#[cfg(any(test, fuzzing))]
pub mod properties;
mod repository;
mod setup;
mod sources;
#[cfg(test)]
#[expect(dead_code, unreachable_pub, unused_imports, reason = "the integration tests use the rest of it")]
#[macro_use]
#[path = "../tests/support/mod.rs"]
mod support;
mod template;
mod version_files;
mod versions;

pub use cli::main;
pub use library::*;
