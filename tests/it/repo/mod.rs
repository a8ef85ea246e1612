//! `tidings repo` agrees with git, on generated repositories with everything that git can hold.

mod archive;
mod both;
mod compare;
mod contributors;
mod generated;
mod health;
mod merge_base;
mod remote;
mod text;
mod tree;
