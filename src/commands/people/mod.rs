//! `--people`: authors and merge requests from the server.

mod cache;
mod folder;

use std::path::PathBuf;

use self::cache::{Cache, Cached};
use super::{Server, Session, session::Progress};
use crate::{
    api::{
        self, Dialect,
        people::{self, GitHubPeople, GitLabPeople, People, Told},
        releases::github::Repository,
    },
    git::Repo,
    model::{self, Findings, Inquiry, Project, Warning},
    pipeline::{Changelog, Directory, Material},
};

/// Makes the section of what is read, with the people of the server where they are asked for.
pub(super) fn changelog(
    (session, progress): (&Session, &Progress),
    repo: &Repo,
    people: bool,
    read: impl FnOnce() -> anyhow::Result<Material>,
) -> anyhow::Result<Changelog> {
    let material = progress.reading(repo, read)?;
    material.changelog(ServerDirectory(session).where_asked(people), repo)
}

/// The server that has the project.
pub(super) struct ServerDirectory<'s>(pub(super) &'s Session);

impl Directory for ServerDirectory<'_> {
    fn look_up(&self, project: &Project, inquiry: &Inquiry) -> anyhow::Result<(Findings, Vec<Warning>)> {
        let server = Server::of_project(self.0, project)?;
        let (client, path) = (server.client(), server.project()?);
        let told = match client.base().dialect() {
            Dialect::GitLab => self.ask(&GitLabPeople::new(client, path), &server, inquiry),
            Dialect::GitHub => {
                self.ask(&GitHubPeople { client, repository: Repository::parse(path)? }, &server, inquiry)
            }
        };
        server.rest();
        Ok((told.findings, told.failures.into_iter().map(warning).collect()))
    }
}

impl ServerDirectory<'_> {
    /// The directory, where people are asked for.
    pub(super) fn where_asked(&self, ask: bool) -> Option<&dyn Directory> {
        ask.then_some(self)
    }

    /// Asks, as far as the answers are not known from a while ago.
    fn ask(&self, people: &dyn People, server: &Server, inquiry: &Inquiry) -> Told {
        let cache = Cache::load(self.file(server), cache::now());
        let bar = Progress::of(self.0);
        let told = people::ask(&Cached { people, cache: &cache }, inquiry, &|done, all| {
            bar.rows("asking for people", done, Some(all));
        });
        bar.finish();
        if let Err(error) = cache.save() {
            self.0.note(&format!("what the server told of people is not kept: {error}"));
        }
        told
    }

    /// Where answers are kept: a file for each project of each server.
    fn file(&self, server: &Server) -> Option<PathBuf> {
        let folder = self.0.global.cache.clone().or_else(folder::of_user)?;
        let name = format!("{} {}", server.client().base(), server.project().unwrap_or_default());
        Some(folder.join("people").join(folder::file_name(&name)))
    }
}

/// What could not be found out, with the way out.
fn warning(error: api::Error) -> Warning {
    let error = anyhow::Error::from(error);
    let warning = Warning::new(format!("the section goes without what only the server knows: {error:#}"));
    match model::hints(&error).first() {
        Some(hint) => warning.hint(*hint),
        None => warning,
    }
}
