//! A step of a release: whether it is still to be done.

use serde::Serialize;

/// How far a step is, according to the repository, the remote or the forge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StepState {
    /// It will be done.
    Planned,
    /// It will be done once its blockers are gone.
    Blocked,
    /// This run did it.
    Done,
    /// It was done before.
    AlreadyDone,
    /// It was not asked for.
    Skipped,
}

impl StepState {
    /// The state of a step that was asked for.
    #[must_use]
    pub fn of(already_done: bool) -> Self {
        if already_done { Self::AlreadyDone } else { Self::Planned }
    }

    /// Whether there is something to do, sooner or later.
    #[must_use]
    pub fn is_planned(self) -> bool {
        matches!(self, Self::Planned | Self::Blocked)
    }
}
