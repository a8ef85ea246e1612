//! Plain data that flows through the pipeline. Every layer uses it, and it uses none.

mod commit;
mod date;
mod forge;
mod forge_release;
mod history_people;
mod lookup;
mod oid;
mod printable;
mod problem;
mod project;
mod range;
mod release;
pub mod repository;
mod source;
mod text;
mod version;
pub mod version_order;
mod wording;

pub use commit::{Commit, CommitMessage, CommitRef, Person, Time, Trailer, Trailers};
pub use date::{Date, DateError};
pub use forge::{ApiProfile, AuthScheme, CiVariables, Forge, ForgeProfile, LinkShapes, SquashSubject, TokenVariable};
pub use forge_release::{Asset, ForgeRelease};
pub use history_people::HistoryPeople;
pub use lookup::{ForgeUser, LookupRequest, LookupResult, UnresolvedAuthor};
pub use oid::{Oid, OidError, OidHasher, OidMap};
pub use printable::{
    between_styles, is_token_parameter, mask_credentials, mask_query, message, printable, printable_json,
    printable_lines, shell_quoted,
};
pub use problem::{Problem, ProblemKind, Warning, hints, kind, none_if_missing};
pub use project::Project;
pub use range::{Parent, Parents, Range};
pub use release::{
    Author, Category, CommitLink, Entry, MergeRequest, Reference, Release, ReleaseContributor, ReleaseDetails, Section,
    Statistics, is_stripped,
};
pub use source::{Position, Source, SourceText};
pub use text::{SharedText, TextArena};
pub use version::{BumpLevel, Version};
pub use wording::{capitalized, closest, float_text, is_digits, is_misspelt, is_near, pluralize};
