//! What is answered about a repository is what git answers, on generated repositories with everything git can hold.

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
