//! `--people`: authors and merge requests from the server.

mod cache;

use std::path::PathBuf;

use self::cache::{Cache, CachedPeople};
use super::{Server, Session};
use crate::{
    api::{
        self,
        people::{self, LookupOutcome, People},
    },
    model::{self, LookupRequest, LookupResult, Project, Warning},
    pipeline::ForgeLookup,
};

/// Lookups on the server of a project.
pub(super) struct ServerLookup<'s>(pub(super) &'s Session);

impl ForgeLookup for ServerLookup<'_> {
    fn look_up(&self, project: &Project, request: &LookupRequest) -> anyhow::Result<(LookupResult, Vec<Warning>)> {
        let server = Server::of_project(self.0, project)?;
        let (client, path) = (server.client(), server.project()?);
        let outcome = self.look_up_on(&server, &*api::people_of(client, path)?, request);
        server.finish_progress();
        Ok((outcome.result, outcome.failures.into_iter().map(warning).collect()))
    }
}

impl ServerLookup<'_> {
    /// The lookup, if it is requested.
    pub(super) fn if_requested(&self, requested: bool) -> Option<&dyn ForgeLookup> {
        requested.then_some(self)
    }

    /// Looks up what is not in the cache.
    fn look_up_on(&self, server: &Server, people: &dyn People, request: &LookupRequest) -> LookupOutcome {
        let cache = Cache::load(self.file(server), cache::now());
        let bar = self.0.progress();
        let outcome = people::look_up(&CachedPeople { people, cache: &cache }, request, &|done, total| {
            bar.items("looking up people", done, Some(total));
        });
        bar.finish();
        if let Err(error) = cache.save() {
            self.0.note(&format!("cannot write the cache of lookups: {error}"));
        }
        outcome
    }

    /// The cache file, one for each project of each server.
    fn file(&self, server: &Server) -> Option<PathBuf> {
        let directory = self.0.global.cache.clone().or_else(cache::directory_of_user)?;
        let name = format!("{} {}", server.client().base(), server.project().unwrap_or_default());
        Some(directory.join("people").join(cache::file_name(&name)))
    }
}

/// Returns the warning for a lookup that failed.
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
