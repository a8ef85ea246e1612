//! What the mechanism must know of a kind of things.

use serde_json::Value;

use super::Difference;
use crate::{commands::Session, config::ResourceItem};

/// Things of a kind, in one place of a server.
pub(in crate::commands) trait SyncResource {
    /// A thing as the file wants it.
    type Desired;
    /// A thing as the server has it.
    type Actual;
    /// What one is called.
    const NOUN: &'static str;
    /// Whether the server cannot change one, so that it is deleted and made anew.
    const MUST_RECREATE: bool;

    /// Whose they are, for the question before a loss.
    fn owner(&self) -> String;
    fn read(&self, item: &ResourceItem<'_>) -> anyhow::Result<Self::Desired>;
    fn list(&self, session: &Session) -> anyhow::Result<Vec<Self::Actual>>;
    fn wanted_name(wanted: &Self::Desired) -> &str;
    fn present_name(present: &Self::Actual) -> &str;
    /// Why one is left as it is, whatever the file says.
    fn keep_reason(present: &Self::Actual) -> Option<&'static str>;
    /// What the file says of a thing and the server does not; all of it where there is none yet.
    fn differences(wanted: &Self::Desired, present: Option<&Self::Actual>) -> Vec<Difference>;
    fn create(&self, wanted: &Self::Desired) -> anyhow::Result<Value>;
    fn update(&self, wanted: &Self::Desired, present: &Self::Actual) -> anyhow::Result<Value>;
    fn delete(&self, present: &Self::Actual) -> anyhow::Result<Value>;
}
