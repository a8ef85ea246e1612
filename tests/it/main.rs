//! Every integration test, in one binary: a file per command, and git itself as the oracle.

#![allow(unreachable_pub, reason = "a test binary exports nothing")]

#[macro_use]
mod support;

mod architecture;
