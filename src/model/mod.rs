//! Plain data: what flows through the pipeline, known to every floor and knowing none.

mod commit;
mod date;
mod entry;
mod float;
mod host;
mod level;
mod likeness;
mod oid;
mod printable;
mod problem;
mod range;
mod release;
pub mod repository;
pub mod section;
mod source;
mod trailer;
mod version;
pub mod version_order;
mod warning;

pub use commit::{Commit, Person, Time};
pub use date::{Date, DateError};
pub use entry::{Author, CommitLink, Entry, MergeRequest};
pub use float::float_text;
pub use host::{Flavour, Project};
pub use level::Level;
pub use likeness::closest;
pub use oid::{Oid, OidError};
pub use printable::printable;
pub use problem::{Kind, Problem, hints, kind};
pub use range::Range;
pub use release::{Category, Release};
pub use section::Section;
pub use source::{Position, Source, SourceText};
pub use trailer::Trailer;
pub use version::{Version, VersionError};
pub use warning::Warning;
