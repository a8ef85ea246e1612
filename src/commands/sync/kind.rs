//! What the mechanism must know of a kind of things.

use serde_json::Value;

use super::Difference;
use crate::{commands::Session, config::Item};

/// Things of a kind, in one place of a server.
pub(in crate::commands) trait Kind {
    /// A thing as the file wants it.
    type Wanted;
    /// A thing as the server has it.
    type Present;
    /// What one is called.
    const NOUN: &'static str;
    /// Whether the server cannot change one, so that it is deleted and made anew.
    const REMADE: bool;

    /// Whose they are, for the question before a loss.
    fn place(&self) -> String;
    fn read(&self, item: &Item<'_>) -> anyhow::Result<Self::Wanted>;
    fn list(&self, session: &Session) -> anyhow::Result<Vec<Self::Present>>;
    fn wanted_name(wanted: &Self::Wanted) -> &str;
    fn present_name(present: &Self::Present) -> &str;
    /// Why one is left as it is, whatever the file says.
    fn kept(present: &Self::Present) -> Option<&'static str>;
    /// What the file says of a thing and the server does not; all of it where there is none yet.
    fn differences(wanted: &Self::Wanted, present: Option<&Self::Present>) -> Vec<Difference>;
    fn create(&self, wanted: &Self::Wanted) -> anyhow::Result<Value>;
    fn change(&self, wanted: &Self::Wanted, present: &Self::Present) -> anyhow::Result<Value>;
    fn delete(&self, present: &Self::Present) -> anyhow::Result<Value>;
}
