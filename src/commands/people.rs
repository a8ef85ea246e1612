//! What the server knows of people and merge requests, for `--people` and for labels, and the cache of lookups. The
//! cache holds no token, and nothing that was not looked up.

use std::{
    collections::HashMap,
    fmt, fs, io,
    path::PathBuf,
    rc::Rc,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use indexmap::IndexMap;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{Messages, Server, Session, global_args::GlobalArgs, session::variable};
use crate::{
    api::{
        self,
        people::{self, People},
    },
    model::{
        self, ForgeUser, LookupRequest, LookupResult, MergedRequest, Project, UnresolvedAuthor, Warning, pluralize,
    },
    pipeline::{ChangelogRequest, ForgeLookup},
};

/// Lookups on the server of a project.
struct ServerLookup {
    global: GlobalArgs,
    messages: Messages,
}

impl Session {
    /// Returns a request that may ask the server of its project.
    pub(super) fn with_lookups(&self, request: ChangelogRequest) -> ChangelogRequest {
        let lookup = ServerLookup { global: self.global.clone(), messages: self.messages.clone() };
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
        let server = Server::for_project(&self.global, &self.messages, project)?;
        let cache = Cache::load(self.file(&server), now());
        let known = numbers.iter().filter_map(|number| Some((*number, cache.find(&request_key(*number))?)));
        let mut found: HashMap<u64, MergedRequest> = known.collect();
        let unknown: Vec<u64> = numbers.iter().copied().filter(|number| !found.contains_key(number)).collect();
        if unknown.is_empty() {
            return Ok((found, Vec::new()));
        }
        let (client, path) = (server.client(), server.project()?);
        let progress = self.messages.progress();
        let requests = api::people_of(client, path)?.merge_requests(&unknown, &|done, total| {
            progress.items("reading merge requests", done, Some(total));
        });
        server.finish_progress();
        for request in requests? {
            cache.insert(request_key(request.number), &request, HOUR);
            found.insert(request.number, request);
        }
        self.save(&cache);
        Ok((found, Vec::new()))
    }
}

/// Returns the key of what the cache has of a merge request.
fn request_key(number: u64) -> String {
    format!("labels {number}")
}

impl ServerLookup {
    /// Looks up what the cache does not have.
    fn look_up_on(
        &self,
        server: &Server,
        people: &dyn People,
        request: &LookupRequest,
    ) -> (LookupResult, Vec<api::Error>) {
        let cache = Cache::load(self.file(server), now());
        let progress = self.messages.progress();
        let outcome = people::look_up(&CachedPeople { people, cache: &cache }, request, &|done, total| {
            progress.items("looking up people", done, Some(total));
        });
        progress.finish();
        self.save(&cache);
        outcome
    }

    fn save(&self, cache: &Cache) {
        if let Err(error) = cache.save() {
            self.messages.note(&format!("cannot write the cache of lookups: {error}"));
        }
    }

    /// Returns the cache file, which is another one for each project of each server.
    fn file(&self, server: &Server) -> Option<PathBuf> {
        let directory = self.global.cache.clone().or_else(directory_of_user)?;
        let name = format!("{} {}", server.client().base(), server.project().unwrap_or_default());
        Some(directory.join("people").join(format!("{}.json", utf8_percent_encode(&name, NON_ALPHANUMERIC))))
    }
}

fn lookup_warning(error: api::Error) -> Warning {
    let error = anyhow::Error::from(error);
    let warning = Warning::new(format!(
        "authors and merge or pull requests could not be looked up; the section is incomplete: {error:#}"
    ));
    match model::hints(&error).first() {
        Some(hint) => warning.hint(*hint),
        None => warning,
    }
}

const HOUR: u64 = 3600;
const DAY: u64 = 24 * HOUR;

/// The results by lookup. Each is valid until a time in seconds since 1970.
struct Cache {
    file: Option<PathBuf>,
    now: u64,
    results: Mutex<IndexMap<String, CachedResult>>,
}

#[derive(Clone, Deserialize, Serialize)]
struct CachedResult {
    until: u64,
    #[serde(rename = "answer")]
    result: Value,
}

impl Cache {
    /// Loads the results that are still valid; a file that cannot be read counts as empty.
    fn load(file: Option<PathBuf>, now: u64) -> Self {
        let text = file.as_ref().and_then(|file| fs::read(file).ok()).unwrap_or_default();
        let mut results: IndexMap<String, CachedResult> = serde_json::from_slice(&text).unwrap_or_default();
        results.retain(|_, cached| cached.until > now);
        Self { file, now, results: Mutex::new(results) }
    }

    /// Writes the file atomically, readable only by its owner.
    fn save(&self) -> io::Result<()> {
        let Some((file, directory)) = self.file.as_ref().and_then(|file| Some((file, file.parent()?))) else {
            return Ok(());
        };
        fs::create_dir_all(directory)?;
        let mut temporary = tempfile::NamedTempFile::new_in(directory)?;
        serde_json::to_writer(&mut temporary, &*self.results())?;
        temporary.persist(file)?;
        Ok(())
    }

    /// Returns the cached result, else that of `look_up`, which stays valid for this number of seconds.
    fn get<T: DeserializeOwned + Serialize>(
        &self,
        key: String,
        seconds: u64,
        look_up: impl FnOnce() -> api::Result<Option<T>>,
    ) -> api::Result<Option<T>> {
        if let Some(result) = self.find(&key) {
            return Ok(result);
        }
        let result = look_up()?;
        // A result of nothing is kept for a shorter time: a user may sign up soon, and a merge request may be merged.
        self.insert(key, &result, if result.is_some() { seconds } else { HOUR });
        Ok(result)
    }

    /// Returns the cached result.
    fn find<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let cached = self.results().get(key).map(|cached| cached.result.clone());
        cached.and_then(|result| serde_json::from_value(result).ok())
    }

    /// Adds a result, which stays valid for this number of seconds.
    fn insert(&self, key: String, result: &impl Serialize, seconds: u64) {
        let result = serde_json::to_value(result).unwrap_or_default();
        self.results().insert(key, CachedResult { until: self.now + seconds, result });
    }

    fn results(&self) -> MutexGuard<'_, IndexMap<String, CachedResult>> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
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
fn directory_of_user() -> Option<PathBuf> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn get(cache: &Cache, result: Option<u64>) -> Option<u64> {
        cache.get("request x".to_owned(), DAY, || Ok(result)).unwrap()
    }

    #[test]
    fn a_result_is_valid_for_its_time_and_none_for_an_hour() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("people/x.json");
        let at = |now| Cache::load(Some(file.clone()), now);
        let cache = at(0);
        assert_eq!(get(&cache, None), None);
        assert_eq!(get(&cache, Some(7)), None, "it is cached");
        cache.save().unwrap();
        let cache = at(HOUR);
        assert_eq!(get(&cache, Some(7)), Some(7));
        cache.save().unwrap();
        assert_eq!(get(&at(HOUR + DAY - 1), None), Some(7));
        assert_eq!(get(&at(HOUR + DAY), Some(8)), Some(8));
        fs::write(&file, "{ broken").unwrap();
        assert_eq!(get(&at(HOUR), Some(9)), Some(9));
    }
}
