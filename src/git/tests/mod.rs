//! What is read from a repository is what git says: the git program is the oracle.

mod archive;
mod compare;
mod contributors;
mod decoding;
mod health;
mod lineage;
mod merge_base;
mod paths;
mod remotes;
mod repositories;
mod shared_history;
mod tags;
mod trailers;
mod tree;
mod walk;
