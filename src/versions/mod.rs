//! Tags come in, versions go out: the pattern and the family of tags, and the version after the last one.

pub(crate) mod bump;
pub(crate) mod calendar;
pub(crate) mod revisions;
pub(crate) mod tag_families;
pub(crate) mod tag_names;
pub(crate) mod tag_pattern;
pub(crate) mod tag_shapes;
pub(crate) mod together;
