//! What the packages of a repository share, against each by itself.

mod monorepos;
mod section_inputs;
mod tag_choice;
mod tags;
