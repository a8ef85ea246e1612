//! The story of a changelog, from a request to a section.
