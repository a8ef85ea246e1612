//! What is read from a repository is what git says: the git program is the oracle.

mod decoding;
mod paths;
mod repositories;
mod tags;
mod trailers;
mod walk;
