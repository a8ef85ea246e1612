//! `--people`: authors and merge requests from the server.

mod cache;

use std::path::PathBuf;

use self::cache::{Cache, CachedPeople};
use super::{Server, Session, session::Progress};
use crate::{
    api::{
        self, forges,
        people::{self, LookupOutcome, People},
    },
    git::Repo,
    model::{self, LookupRequest, LookupResult, Project, Warning},
    pipeline::{Changelog, ForgeLookup, SectionInputs},
};

/// Makes the section of what is read, with the people of the server where they are asked for.
pub(super) fn changelog(
    (session, progress): (&Session, &Progress),
    repo: &Repo,
    people: bool,
    read: impl FnOnce() -> anyhow::Result<SectionInputs>,
) -> anyhow::Result<Changelog> {
    let material = progress.while_reading(repo, read)?;
    material.changelog(ServerLookup(session).if_requested(people), repo)
}

/// Makes the sections of all releases, with the people of the server where they are asked for.
pub(super) fn releases(
    (session, progress, people): (&Session, &Progress, bool),
    repo: &Repo,
    read: impl FnOnce() -> anyhow::Result<Vec<SectionInputs>>,
) -> anyhow::Result<Vec<Changelog>> {
    let all = progress.while_reading(repo, read)?;
    let lookup = ServerLookup(session);
    all.into_iter().map(|inputs| inputs.changelog(lookup.if_requested(people), repo)).collect()
}

/// The server that has the project.
pub(super) struct ServerLookup<'s>(pub(super) &'s Session);

impl ForgeLookup for ServerLookup<'_> {
    fn look_up(&self, project: &Project, inquiry: &LookupRequest) -> anyhow::Result<(LookupResult, Vec<Warning>)> {
        let server = Server::of_project(self.0, project)?;
        let (client, path) = (server.client(), server.project()?);
        let told = self.ask(&*forges::forge_api(client).people(client, path)?, &server, inquiry);
        server.finish_progress();
        Ok((told.findings, told.failures.into_iter().map(warning).collect()))
    }
}

impl ServerLookup<'_> {
    /// The directory, where people are asked for.
    pub(super) fn if_requested(&self, ask: bool) -> Option<&dyn ForgeLookup> {
        ask.then_some(self)
    }

    /// Asks, as far as the answers are not known from a while ago.
    fn ask(&self, people: &dyn People, server: &Server, inquiry: &LookupRequest) -> LookupOutcome {
        let cache = Cache::load(self.file(server), cache::now());
        let bar = self.0.progress();
        let told = people::look_up(&CachedPeople { people, cache: &cache }, inquiry, &|done, all| {
            bar.items("asking for people", done, Some(all));
        });
        bar.finish();
        if let Err(error) = cache.save() {
            self.0.note(&format!("what the server told of people is not kept: {error}"));
        }
        told
    }

    /// Where answers are kept: a file for each project of each server.
    fn file(&self, server: &Server) -> Option<PathBuf> {
        let folder = self.0.global.cache.clone().or_else(cache::directory_of_user)?;
        let name = format!("{} {}", server.client().base(), server.project().unwrap_or_default());
        Some(folder.join("people").join(cache::file_name(&name)))
    }
}

/// What could not be found out, with the way out.
fn warning(error: api::Error) -> Warning {
    let error = anyhow::Error::from(error);
    let warning = Warning::new(format!(
        "authors and merge or pull requests could not be looked up; the section is incomplete: {error:#}"
    ));
    match model::hints(&error).first() {
        Some(hint) => warning.hint(*hint),
        None => warning,
    }
}
