//! What comes over from a server gives the same answers as a full clone, and is little.

mod cache;
mod extent;
mod extra_headers;
mod fetched;
mod local_clone;
mod ranges;
mod servers;
mod storage;
