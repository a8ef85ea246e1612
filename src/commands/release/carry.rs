//! Carrying a plan out: a step at a time, each told as soon as it is done.

use crate::{
    commands::Session,
    git::{Repo, upstream::Upstream},
    pipeline::release::Plan,
};

/// Does what is left to do.
pub(super) fn out(plan: &mut Plan, repo: &Repo, session: &Session) -> anyhow::Result<()> {
    if let Some(committed) = plan.commit(repo)? {
        if !committed.output.is_empty() {
            session.note(&committed.output);
        }
        session.note(&format!("committed {} on {}", committed.id.short(), plan.branch));
    }
    if plan.tag(repo)? {
        session.note(&format!("tagged {} as {}", plan.commit.short(), plan.tag));
    }
    if let Some(said) = plan.push(repo)? {
        if session.global.verbose > 0 {
            session.note(&said);
        }
        let remote = plan.push.upstream.as_ref().map(Upstream::shown).unwrap_or_default();
        session.note(&format!("pushed to {remote}"));
    }
    Ok(())
}
