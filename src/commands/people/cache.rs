//! What a server told of people, kept for a while. There is no token in it, nor anything that was not asked for.

use std::{
    fs, io,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    api::{self, people::People},
    commands::session::input::variable,
    model::{ForgeUser, UnresolvedAuthor},
};

const HOUR: u64 = 3600;
const DAY: u64 = 24 * HOUR;

/// Answers by question, with the second since 1970 until which each holds.
#[derive(Debug)]
pub(super) struct Cache {
    file: Option<PathBuf>,
    now: u64,
    answers: Mutex<IndexMap<String, CachedAnswer>>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
struct CachedAnswer {
    until: u64,
    answer: Value,
}

impl Cache {
    /// What a file has that still holds; one that cannot be read is an empty one.
    pub(super) fn load(file: Option<PathBuf>, now: u64) -> Self {
        let text = file.as_ref().and_then(|file| fs::read(file).ok()).unwrap_or_default();
        let mut answers: IndexMap<String, CachedAnswer> = serde_json::from_slice(&text).unwrap_or_default();
        answers.retain(|_, kept| kept.until > now);
        Self { file, now, answers: Mutex::new(answers) }
    }

    /// Writes the file whole or not at all, for its owner alone.
    pub(super) fn save(&self) -> io::Result<()> {
        let Some((file, folder)) = self.file.as_ref().and_then(|file| Some((file, file.parent()?))) else {
            return Ok(());
        };
        fs::create_dir_all(folder)?;
        let mut whole = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer(&mut whole, &*self.answers())?;
        whole.persist(file)?;
        Ok(())
    }

    /// The answer that is kept, else the one that is given now.
    fn answer<A: DeserializeOwned + Serialize>(
        &self,
        question: String,
        ask: impl FnOnce() -> api::Result<Option<A>>,
        holds: u64,
    ) -> api::Result<Option<A>> {
        let kept = self.answers().get(&question).map(|kept| kept.answer.clone());
        if let Some(answer) = kept.and_then(|answer| serde_json::from_value(answer).ok()) {
            return Ok(answer);
        }
        let answer = ask()?;
        // Who is not known today may sign up, and what is not merged be merged.
        let until = self.now + if answer.is_some() { holds } else { HOUR };
        let kept = CachedAnswer { until, answer: serde_json::to_value(&answer).unwrap_or_default() };
        self.answers().insert(question, kept);
        Ok(answer)
    }

    fn answers(&self) -> MutexGuard<'_, IndexMap<String, CachedAnswer>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// People who are asked only where nothing is kept.
pub(super) struct CachedPeople<'a> {
    pub(super) people: &'a dyn People,
    pub(super) cache: &'a Cache,
}

impl People for CachedPeople<'_> {
    fn user(&self, unknown: &UnresolvedAuthor, groups: &[String]) -> api::Result<Option<ForgeUser>> {
        let name = unknown.username.as_ref().unwrap_or(&unknown.email);
        let question = format!("person {name} {}", groups.join(" "));
        self.cache.answer(question, || self.people.user(unknown, groups), DAY)
    }

    fn merge_request(&self, commit: &str) -> api::Result<Option<u64>> {
        self.cache.answer(format!("request {commit}"), || self.people.merge_request(commit), 30 * DAY)
    }
}

/// The user's folder for this program: as the XDG base directory specification has it, and as macOS and Windows do.
pub(super) fn directory_of_user() -> Option<PathBuf> {
    let folder = variable("XDG_CACHE_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    Some(folder.or_else(of_system)?.join("tidings"))
}

fn of_system() -> Option<PathBuf> {
    let home = || variable("HOME").map(PathBuf::from);
    if cfg!(windows) {
        variable("LOCALAPPDATA").map(PathBuf::from)
    } else if cfg!(target_os = "macos") {
        Some(home()?.join("Library/Caches"))
    } else {
        Some(home()?.join(".cache"))
    }
}

/// A name every file system takes.
pub(super) fn file_name(text: &str) -> String {
    let plain = |letter: char| {
        if letter.is_ascii_alphanumeric() { letter.to_string() } else { format!("-{:x}", u32::from(letter)) }
    };
    format!("{}.json", text.chars().map(plain).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(cache: &Cache, answer: Option<u64>) -> Option<u64> {
        cache.answer("request x".to_owned(), || Ok(answer), DAY).unwrap()
    }

    #[test]
    fn an_answer_holds_for_its_time_and_no_answer_for_an_hour() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("people/x.json");
        let at = |now| Cache::load(Some(file.clone()), now);
        let cache = at(0);
        assert_eq!(ask(&cache, None), None);
        assert_eq!(ask(&cache, Some(7)), None, "it was asked a moment ago");
        cache.save().unwrap();
        let cache = at(HOUR);
        assert_eq!(ask(&cache, Some(7)), Some(7));
        cache.save().unwrap();
        assert_eq!(ask(&at(HOUR + DAY - 1), None), Some(7));
        assert_eq!(ask(&at(HOUR + DAY), Some(8)), Some(8));
        fs::write(&file, "{ broken").unwrap();
        assert_eq!(ask(&at(HOUR), Some(9)), Some(9));
    }

    #[test]
    fn different_texts_have_different_names() {
        let name = file_name("https://h a/b");
        assert_eq!(name, "https-3a-2f-2fh-20a-2fb.json");
        assert_ne!(file_name("a-b"), file_name("a/b"));
    }
}
