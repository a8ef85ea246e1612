//! What comes over from a server gives the same answers as a full clone, and is little.

mod cache;
mod ranges;
mod servers;
