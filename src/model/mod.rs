//! Plain data that flows through the pipeline. Every layer uses it, and it uses none.

mod address;
mod commit;
mod date;
mod forge;
mod forge_commit;
mod forge_release;
mod hex;
mod job_server;
pub(crate) mod merge_text;
mod oid;
mod printable;
mod problem;
mod project;
mod range;
mod redirect;
mod release;
pub(crate) mod repository;
mod source;
mod strftime;
mod tagged_commit;
mod text;
mod thread;
mod version;
mod wording;

pub(crate) use address::{is_loopback, is_token_parameter, mask_credentials, mask_query, public_address, secret_parts};
pub(crate) use commit::{Commit, CommitRef, Person, Time};
pub use commit::{Trailer, Trailers};
pub use date::Date;
pub(crate) use forge::{AuthScheme, CiVariables, Forge, ForgeProfile, SquashSubject};
pub(crate) use forge_commit::{ForgeCommit, ForgeEdit};
pub(crate) use forge_release::{Asset, ForgeRelease, LatestMark};
pub(crate) use hex::hex;
pub(crate) use job_server::JobServer;
pub(crate) use oid::{Oid, OidMap};
pub(crate) use printable::{
    beginning, clean_between_styles, no_commands, printable, printable_json, printable_lines, printable_message,
    shell_quoted,
};
pub use problem::{Problem, ProblemKind};
pub(crate) use problem::{Warning, hints, none_if, none_if_missing, problem_kind};
pub(crate) use project::Project;
pub(crate) use range::{Parent, Parents, Range};
pub(crate) use redirect::{MAX_REDIRECTS, redirect_location};
pub use release::{
    Author, Category, CommitLink, Entry, MergeRequest, Reference, Release, ReleaseContributor, ReleaseDetails,
    Statistics,
};
pub(crate) use release::{
    BREAKING, CountedCategory, ForgeUser, LookupRequest, LookupResult, MergedRequest, Section, SectionNotes,
    UnresolvedAuthor, is_stripped,
};
pub(crate) use source::{Position, Source};
pub(crate) use strftime::strftime;
pub(crate) use tagged_commit::TaggedCommit;
pub use text::SharedText;
pub(crate) use text::TextArena;
pub(crate) use thread::Thread;
pub use version::BumpLevel;
pub(crate) use version::{Version, compare_versions, without_build};
pub(crate) use wording::{
    capitalize, closest, float_text, is_code_fence, is_digits, is_misspelt, is_near, name_in, name_some, pluralize,
};
