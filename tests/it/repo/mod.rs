//! `tidings repo` agrees with git, on generated repositories with everything that git can hold.

mod archive;
mod both;
mod remote;
mod text;
