//! What the README and the pages of `docs` show is there, and can be typed as it is.

mod changelog;
mod commands;
mod json;
mod links;
mod picture;
mod promises;
mod recipes;
mod transcripts;
