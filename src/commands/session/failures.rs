//! What went wrong where several things were tried one after the other.

use super::Session;
use crate::model::{Problem, hints, kind};

/// Failures, each with the thing it befell.
#[derive(Debug, Default)]
pub(in crate::commands) struct Failures(Vec<(String, anyhow::Error)>);

impl Failures {
    pub(in crate::commands) fn push(&mut self, thing: String, error: anyhow::Error) {
        self.0.push((thing, error));
    }

    /// Tells of every failure, and fails as the first of them did, with what to do about any.
    pub(in crate::commands) fn end(
        &self,
        session: &Session,
        message: impl FnOnce(usize) -> String,
    ) -> anyhow::Result<()> {
        let Some((_, first)) = self.0.first() else { return Ok(()) };
        let mut advice: Vec<&str> = Vec::new();
        for (thing, error) in &self.0 {
            session.messages.say(&format!("{thing}: {error:#}"));
            for hint in hints(error) {
                if !advice.contains(&hint) {
                    advice.push(hint);
                }
            }
        }
        let problem = Problem::new(message(self.0.len())).kind(kind(first));
        Err(advice.into_iter().fold(problem, Problem::hint).into())
    }
}
