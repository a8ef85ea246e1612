//! A release by merge request: its commit goes to a branch of its own, from which a request to the released branch is
//! opened and renewed, until people merge it.
//!
//! The branch has one or two commits on top of the released branch: what was generated, and, if people edited that, what
//! became of it. The first one is the base of the next three-way merge, so that no state is kept anywhere else.

mod branch;
mod draft;
mod edits;
mod mark;
mod text;

pub(crate) use self::{
    branch::ReleaseBranch,
    draft::{RequestDraft, delete, push},
    text::{notice, without_notice},
};
