//! Comments on the requests and issues that the notes of a release name: that it is released, and where.

use std::collections::BTreeSet;

use super::{planner::ReleaseRun, publish::Publisher};
use crate::{
    api::merge_requests::MergeRequestApi,
    commands::{Session, marked_comment::MarkedComment},
    model::{Thread, Warning, pluralize},
    pipeline::release::{PublishPlan, ReleaseReport, StepState},
};

/// Comments on what each published release names. A thread that has the comment already gets no second one, and what
/// cannot be commented on is a warning: the release is there.
pub(super) fn tell(releases: &[ReleaseRun], reports: &[ReleaseReport], session: &Session) -> anyhow::Result<()> {
    for (ReleaseRun { plan, publisher, .. }, report) in releases.iter().zip(reports) {
        let is_published = matches!(report.states.publish, StepState::Done | StepState::AlreadyDone);
        let planned = publisher.as_ref().zip(plan.publish.as_ref()).filter(|_| is_published);
        let asked = planned.filter(|(_, planned)| !planned.told.is_empty());
        let Some((publisher, PublishPlan { release, told, .. })) = asked else { continue };
        if release.draft {
            session.note(&format!("no comments are written while the release of {} is a draft", plan.version));
            continue;
        }
        let url = report.published.as_ref().and_then(|published| published.url.as_deref());
        let named = plan.package.as_ref().map_or_else(String::new, |package| format!("{package} "));
        let name = format!("{named}{}", plan.version);
        let linked = url.map_or_else(|| name.clone(), |url| format!("[{name}]({url})"));
        let comment = MarkedComment::new("released", &plan.tag, &format!("Released in {linked}."));
        let written = publisher.with_requests(|api| write(&comment, api, told, publisher, session))?;
        if written > 0 {
            session.note(&format!("{name} is announced in {}", pluralize(written, "comment")));
        }
    }
    Ok(())
}

/// Writes the comment on each thread that does not have it, and returns how many there were.
fn write(
    comment: &MarkedComment,
    api: &dyn MergeRequestApi,
    threads: &BTreeSet<Thread>,
    publisher: &Publisher,
    session: &Session,
) -> anyhow::Result<usize> {
    let mut written = 0;
    for thread in threads {
        let added = comment.find(api, *thread).and_then(|known| {
            if !known.is_empty() {
                return Ok(false);
            }
            if written > 0 {
                publisher.pause_between_writes();
            }
            api.comment(*thread, comment.text()).map(|()| true)
        });
        match added {
            Ok(is_new) => written += usize::from(is_new),
            // A title may name the number of something else.
            Err(error) if matches!(error.status(), Some(404 | 410)) => {}
            Err(error) => {
                let warning = Warning::new(format!("no comment was written on {thread}: {}", error.reason()))
                    .hint("run the same command again with the version to write those that are missing");
                session.warn(&[warning])?;
                // Without rights for one there are none for the others.
                if matches!(error.status(), Some(401 | 403)) {
                    break;
                }
            }
        }
    }
    Ok(written)
}
