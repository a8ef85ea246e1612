//! Plain data that flows through the pipeline. Every layer uses it, and it uses none.

mod address;
mod commit;
mod date;
mod forge;
mod forge_commit;
mod forge_release;
mod job_server;
pub(crate) mod merge_text;
mod oid;
mod printable;
mod problem;
mod project;
mod range;
mod release;
pub mod repository;
mod source;
mod strftime;
mod tagged_commit;
mod text;
mod thread;
mod version;
mod wording;

pub(crate) use address::{is_token_parameter, mask_credentials, mask_query, public_address, secret_end};
pub use commit::{Commit, Person, Trailer, Trailers};
pub(crate) use commit::{CommitRef, Time};
pub use date::Date;
pub use forge::{AuthScheme, Forge};
pub(crate) use forge::{CiVariables, ForgeProfile, SquashSubject};
pub(crate) use forge_commit::{ForgeCommit, ForgeEdit};
pub use forge_release::{Asset, ForgeRelease, LatestMark};
pub use job_server::JobServer;
pub use oid::Oid;
pub(crate) use oid::OidMap;
pub(crate) use printable::{clean_between_styles, message, printable, printable_json, printable_lines, shell_quoted};
pub use problem::{Problem, ProblemKind, hints, kind};
pub(crate) use problem::{Warning, none_if_missing};
pub use project::Project;
pub use range::Range;
pub(crate) use range::{Parent, Parents};
pub use release::{
    Author, Category, CommitLink, Entry, MergeRequest, Reference, Release, ReleaseContributor, ReleaseDetails, Section,
    Statistics,
};
pub(crate) use release::{ForgeUser, LookupRequest, LookupResult, MergedRequest, UnresolvedAuthor, is_stripped};
pub(crate) use source::{Position, Source};
pub(crate) use strftime::strftime;
pub(crate) use tagged_commit::TaggedCommit;
pub use text::SharedText;
pub(crate) use text::TextArena;
pub(crate) use thread::Thread;
pub(crate) use version::compare_versions;
pub use version::{BumpLevel, Version};
pub(crate) use wording::{
    capitalize, closest, float_text, is_code_fence, is_digits, is_misspelt, is_near, name_in, name_some, pluralize,
};
