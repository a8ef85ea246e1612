//! Plain data: what flows through the pipeline, known to every floor and knowing none.

mod commit;
mod date;
mod entry;
mod float;
mod forge;
mod forge_release;
mod level;
mod lookup;
mod oid;
mod parents;
mod plural;
mod present;
mod printable;
mod problem;
mod project;
mod range;
mod release;
pub mod repository;
pub mod section;
mod source;
mod step;
mod suggestion;
mod text;
mod trailer;
mod trailers;
mod version;
mod version_file;
pub mod version_order;
mod warning;

pub use commit::{Commit, CommitMessage, CommitRef, Person, Time};
pub use date::{Date, DateError};
pub use entry::{Author, CommitLink, Entry, MergeRequest, Reference};
pub use float::float_text;
pub use forge::{ApiProfile, AuthScheme, CiVariables, Forge, ForgeProfile, LinkShapes, SquashSubject, TokenVariable};
pub use forge_release::{Asset, ForgeRelease};
pub use level::BumpLevel;
pub use lookup::{ForgeUser, LookupRequest, LookupResult, UnresolvedAuthor};
pub use oid::{Oid, OidError, OidHasher, OidMap};
pub use parents::{Parent, Parents};
pub use plural::pluralize;
pub use present::none_if_missing;
pub use printable::{
    between_styles, is_token_parameter, mask_credentials, mask_query, message, printable, printable_json,
    printable_lines, shell_quoted,
};
pub use problem::{Problem, ProblemKind, hints, kind};
pub use project::Project;
pub use range::Range;
pub use release::{Category, Release};
pub use section::Section;
pub use source::{Position, Source, SourceText};
pub use step::StepState;
pub use suggestion::{closest, is_misspelt};
pub use text::{SharedText, TextArena};
pub use trailer::Trailer;
pub use trailers::Trailers;
pub use version::Version;
pub use version_file::{VersionFile, VersionLocator, WorkspaceKind};
pub use warning::Warning;
