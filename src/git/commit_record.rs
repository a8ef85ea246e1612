//! A commit in the format of GitLab's REST API.

use anyhow::Result;
use indexmap::IndexMap;

use super::{FetchedCommits, Repo, decode::RawCommit, object};
use crate::model::{Oid, Project, Trailer, repository::CommitRecord};

/// Loads the fields that GitLab shows of a commit; the link leads to a page of `project`.
pub(crate) fn load(repo: &Repo, id: Oid, project: &Project) -> Result<CommitRecord> {
    read(&repo.with_commit(id)?, id, project)
}

/// Reads the same of a commit that is here.
pub(super) fn read(commits: &FetchedCommits, id: Oid, project: &Project) -> Result<CommitRecord> {
    let object = object::commit(commits, id)?;
    let raw = RawCommit::parse(&object.data);
    let commit = raw.commit(&object.id).0.to_shared();
    let committer = raw.committer().unwrap_or_default();
    let date = commit.committed.to_iso8601();
    Ok(CommitRecord {
        id: id.to_string(),
        short_id: id.short(),
        created_at: date.clone(),
        parent_ids: raw.parents().map(|parent| parent.to_string()).collect(),
        title: title(commit.subject(), &commit.message),
        author_name: commit.author.name.to_string(),
        author_email: commit.author.email.to_string(),
        authored_date: raw.author_time().unwrap_or_default().to_iso8601(),
        committer_name: committer.name.to_string(),
        committer_email: committer.email.to_string(),
        committed_date: date,
        trailers: commit.trailers.iter().cloned().collect(),
        extended_trailers: values_by_key(&commit.trailers),
        message: commit.message.to_string(),
        web_url: project.commit(id).web_url,
    })
}

/// Returns the title, or GitLab's text for a commit without a message.
fn title(subject: &str, message: &str) -> String {
    if message.trim().is_empty() { "No commit message".to_owned() } else { subject.to_owned() }
}

fn values_by_key(trailers: &[Trailer]) -> IndexMap<String, Vec<String>> {
    let mut values: IndexMap<String, Vec<String>> = IndexMap::new();
    for trailer in trailers {
        values.entry(trailer.key.to_string()).or_default().push(trailer.value.to_string());
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_without_a_message_has_a_text_instead() {
        assert_eq!(title("", " \n"), "No commit message");
        assert_eq!(title("", "\nbody"), "");
    }
}
