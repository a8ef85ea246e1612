//! From commits to a document: entries, releases, templates, insertion.
