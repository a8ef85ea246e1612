//! What the server knows of people and merge requests, for `--people` and for labels.

use std::{cell::RefCell, collections::HashMap, fmt, path::PathBuf, rc::Rc};

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::{
    Messages, Server, Session,
    global_args::GlobalArgs,
    lookup_cache::{Cache, Caches, DAY, HOUR},
    session::variable,
};
use crate::{
    api::{
        self,
        people::{self, People},
    },
    model::{ForgeUser, LookupRequest, LookupResult, MergedRequest, Project, UnresolvedAuthor, Warning, pluralize},
    pipeline::{ChangelogRequest, ForgeLookup},
};

/// Lookups on the server of a project.
struct ServerLookup {
    global: GlobalArgs,
    messages: Messages,
    caches: Rc<RefCell<Caches>>,
    /// Whether the command can do without labels, so that it is only a warning if the server does not answer.
    can_do_without: bool,
}

impl Session {
    /// Returns a request that may ask the server of its project.
    pub(super) fn with_lookups(&self, request: ChangelogRequest) -> ChangelogRequest {
        self.with_lookup(request, false)
    }

    /// Returns the same for a command that goes on if the server does not answer.
    pub(super) fn with_optional_lookups(&self, request: ChangelogRequest) -> ChangelogRequest {
        self.with_lookup(request, true)
    }

    fn with_lookup(&self, request: ChangelogRequest, can_do_without: bool) -> ChangelogRequest {
        let lookup = ServerLookup {
            global: self.global.clone(),
            messages: self.messages.clone(),
            caches: Rc::clone(&self.lookups),
            can_do_without,
        };
        ChangelogRequest { forge: Some(Rc::new(lookup)), ..request }
    }
}

impl fmt::Debug for ServerLookup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerLookup").finish_non_exhaustive()
    }
}

impl ForgeLookup for ServerLookup {
    fn look_up(&self, project: &Project, request: &LookupRequest) -> anyhow::Result<(LookupResult, Vec<Warning>)> {
        if self.global.offline {
            return Ok((LookupResult::default(), vec![Warning::new("`--people` looks nobody up with `--offline`")]));
        }
        let server = Server::for_project(&self.global, &self.messages, project)?;
        let (client, path) = (server.client(), server.project()?);
        let (found, failures) = self.look_up_on(&server, &*api::people_of(client, path)?, request);
        server.finish_progress();
        Ok((found, failures.into_iter().map(lookup_warning).collect()))
    }

    fn merge_requests(
        &self,
        project: &Project,
        numbers: &[u64],
    ) -> anyhow::Result<(HashMap<u64, MergedRequest>, Vec<Warning>)> {
        if self.global.offline {
            let requests = pluralize(numbers.len(), project.forge().profile().merge_request_noun);
            let warning = Warning::new(format!("the labels of {requests} are not known with `--offline`"));
            return Ok((HashMap::new(), vec![warning]));
        }
        match self.ask_for_merge_requests(project, numbers) {
            Ok(found) => Ok((found, Vec::new())),
            Err(error) if self.can_do_without => Ok((HashMap::new(), vec![labels_warning(&error)])),
            Err(error) => Err(error),
        }
    }
}

/// Returns the key of what the cache has of a merge request.
fn request_key(number: u64) -> String {
    format!("labels {number}")
}

impl ServerLookup {
    /// Returns the merge requests that have these numbers, as far as they exist; asks for what the cache does not have.
    fn ask_for_merge_requests(
        &self,
        project: &Project,
        numbers: &[u64],
    ) -> anyhow::Result<HashMap<u64, MergedRequest>> {
        let server = Server::for_project(&self.global, &self.messages, project)?;
        let cache = self.cache(&server);
        // The number of something else is known to be that of no merge request.
        let known = numbers.iter().filter_map(|number| Some((*number, cache.find(&request_key(*number))?)));
        let mut found: HashMap<u64, Option<MergedRequest>> = known.collect();
        let unknown: Vec<u64> = numbers.iter().copied().filter(|number| !found.contains_key(number)).collect();
        let only_present = |found: HashMap<u64, Option<MergedRequest>>| {
            found.into_iter().filter_map(|(number, request)| Some((number, request?))).collect()
        };
        if unknown.is_empty() {
            return Ok(only_present(found));
        }
        let (client, path) = (server.client(), server.project()?);
        let progress = self.messages.progress();
        let requests = api::people_of(client, path)?.merge_requests(&unknown, &|done, total| {
            progress.items("reading merge requests", done, Some(total));
        });
        server.finish_progress();
        found.extend(requests?.into_iter().map(|request| (request.number, Some(request))));
        for number in unknown {
            let request = found.entry(number).or_default();
            cache.insert(request_key(number), request, HOUR);
        }
        Ok(only_present(found))
    }

    /// Looks up what the cache does not have.
    fn look_up_on(
        &self,
        server: &Server,
        people: &dyn People,
        request: &LookupRequest,
    ) -> (LookupResult, Vec<api::Error>) {
        let cache = self.cache(server);
        let progress = self.messages.progress();
        let outcome = people::look_up(&CachedPeople { people, cache: &cache }, request, &|done, total| {
            progress.items("looking up people", done, Some(total));
        });
        progress.finish();
        outcome
    }

    fn cache(&self, server: &Server) -> Rc<Cache> {
        self.caches.borrow_mut().of(self.file(server))
    }

    /// Returns the cache file, which is another one for each project of each server.
    fn file(&self, server: &Server) -> Option<PathBuf> {
        let directory = self.global.cache.clone().or_else(directory_of_user)?;
        let name = format!("{} {}", server.client().base(), server.project().unwrap_or_default());
        Some(directory.join("people").join(format!("{}.json", utf8_percent_encode(&name, NON_ALPHANUMERIC))))
    }
}

fn lookup_warning(error: api::Error) -> Warning {
    let what = "authors and merge or pull requests could not be looked up; the section is incomplete";
    Warning::from_error(what, &error.into())
}

fn labels_warning(error: &anyhow::Error) -> Warning {
    Warning::from_error("without the labels of its requests, which could not be read", error)
}

/// Users and merge requests of a project, looked up through the cache.
struct CachedPeople<'a> {
    people: &'a dyn People,
    cache: &'a Cache,
}

impl People for CachedPeople<'_> {
    fn user(&self, author: &UnresolvedAuthor, groups: &[String]) -> api::Result<Option<ForgeUser>> {
        let name = author.username.as_ref().unwrap_or(&author.email);
        let key = format!("person {name} {}", groups.join(" "));
        self.cache.get(key, DAY, || self.people.user(author, groups))
    }

    fn merge_request(&self, commit: &str) -> api::Result<Option<u64>> {
        self.cache.get(format!("request {commit}"), 30 * DAY, || self.people.merge_request(commit))
    }

    fn merge_requests(&self, numbers: &[u64], progress: people::Progress) -> api::Result<Vec<MergedRequest>> {
        self.people.merge_requests(numbers, progress)
    }
}

/// Returns the user's cache directory for the program: by the XDG base directory specification, on macOS or on Windows.
pub(super) fn directory_of_user() -> Option<PathBuf> {
    let directory = variable("XDG_CACHE_HOME").map(PathBuf::from).filter(|directory| directory.is_absolute());
    Some(directory.or_else(system_cache)?.join("tidings"))
}

fn system_cache() -> Option<PathBuf> {
    let home = || variable("HOME").map(PathBuf::from);
    if cfg!(windows) {
        variable("LOCALAPPDATA").map(PathBuf::from)
    } else if cfg!(target_os = "macos") {
        Some(home()?.join("Library/Caches"))
    } else {
        Some(home()?.join(".cache"))
    }
}
