//! What is found in a repository comes in, a configuration goes out: for `init`, and from the files of other tools.

pub(crate) mod migration;
pub(crate) mod scaffold;
