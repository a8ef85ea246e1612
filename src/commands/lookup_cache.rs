//! The cache of lookups on servers. It holds no token, and nothing that was not looked up.

use std::{
    collections::HashMap,
    fs, io,
    path::PathBuf,
    rc::Rc,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::api;

pub(super) const HOUR: u64 = 3600;
pub(super) const DAY: u64 = 24 * HOUR;

/// The caches of a run by their files: each is read for the first lookup and written at the end.
#[derive(Default)]
pub(super) struct Caches(HashMap<Option<PathBuf>, Rc<Cache>>);

impl Caches {
    /// Returns the cache in a file; one without a file ends with the run.
    pub(super) fn of(&mut self, file: Option<PathBuf>) -> Rc<Cache> {
        Rc::clone(self.0.entry(file.clone()).or_insert_with(|| Rc::new(Cache::load(file, now()))))
    }

    /// Writes those that have something new.
    pub(super) fn save(&self) -> io::Result<()> {
        self.0.values().try_for_each(|cache| cache.save())
    }
}

/// The results by lookup. Each is valid until a time in seconds since 1970.
pub(super) struct Cache {
    file: Option<PathBuf>,
    now: u64,
    results: Mutex<IndexMap<String, CachedResult>>,
    is_changed: AtomicBool,
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
        Self { file, now, results: Mutex::new(results), is_changed: AtomicBool::new(false) }
    }

    /// Writes the file atomically, readable only by its owner, if a result was added.
    fn save(&self) -> io::Result<()> {
        let place = self.file.as_ref().and_then(|file| Some((file, file.parent()?)));
        let Some((file, directory)) = place.filter(|_| self.is_changed.swap(false, Ordering::Relaxed)) else {
            return Ok(());
        };
        fs::create_dir_all(directory)?;
        let mut temporary = tempfile::NamedTempFile::new_in(directory)?;
        serde_json::to_writer(&mut temporary, &*self.results())?;
        temporary.persist(file)?;
        Ok(())
    }

    /// Returns the cached result, else that of `look_up`, which stays valid for this number of seconds.
    pub(super) fn get<T: DeserializeOwned + Serialize>(
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
    pub(super) fn find<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let cached = self.results().get(key).map(|cached| cached.result.clone());
        cached.and_then(|result| serde_json::from_value(result).ok())
    }

    /// Adds a result, which stays valid for this number of seconds.
    pub(super) fn insert(&self, key: String, result: &impl Serialize, seconds: u64) {
        let result = serde_json::to_value(result).unwrap_or_default();
        self.results().insert(key, CachedResult { until: self.now + seconds, result });
        self.is_changed.store(true, Ordering::Relaxed);
    }

    fn results(&self) -> MutexGuard<'_, IndexMap<String, CachedResult>> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
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
