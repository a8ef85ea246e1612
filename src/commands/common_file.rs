//! Downloads the file that a configuration extends by its address: without a token, once for each digest.

use std::{cell::RefCell, collections::HashMap, fs, io::Read as _, path::Path, rc::Rc, time::Duration};

use anyhow::Context as _;

use super::{Session, people::directory_of_user, session::variable};
use crate::{
    api::{Proxies, RawHttp, Url, WireResponse},
    config::PinnedAddress,
    git::Download,
    model::{MAX_REDIRECTS, Problem, hints, redirect_location},
};

const TIMEOUT: Duration = Duration::from_secs(30);

/// The largest file that is read, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// Returns the function that gets such a file from the cache, else from its server. A repository that is itself read from
/// a server may be a stranger's, so it names no server of this machine.
pub(super) fn download(session: &Session, is_remote: bool) -> Download {
    let directory = session.global.cache.clone().or_else(directory_of_user).map(|cache| cache.join("common"));
    let (is_offline, timeout) = (session.global.offline, session.global.server.timeout);
    let timeout = timeout.map_or(TIMEOUT, Duration::from_secs);
    let answers: RefCell<HashMap<String, Result<Vec<u8>, Problem>>> = RefCell::default();
    let read = move |address: &str| -> anyhow::Result<Vec<u8>> {
        let pinned = PinnedAddress::parse(address).map_err(|(why, hint)| Problem::new(why).hint(hint))?;
        let file = directory.as_ref().map(|directory| directory.join(&pinned.sha256));
        if let Some(cached) = file.as_ref().and_then(|file| fs::read(file).ok()).filter(|bytes| pinned.is_of(bytes)) {
            return Ok(cached);
        }
        if is_offline {
            return Err(Problem::new("it is not in the cache").hint("run once without `--offline`").into());
        }
        if is_remote && !pinned.url.starts_with("https://") {
            return Err(Problem::new("a repository that is read by its URL may name only https").into());
        }
        let bytes = fetch(&RawHttp::new(Proxies::from_environment(&variable), timeout), &pinned.url)?;
        if pinned.is_of(&bytes) {
            // Without a cache the file is fetched again the next time.
            let _ = file.as_ref().map(|file| keep(file, &bytes));
        }
        Ok(bytes)
    };
    // A command reads the configuration several times; the server is asked once, even if it has no such file.
    Rc::new(move |address| {
        let known = answers.borrow().get(address).cloned();
        let answer = known.unwrap_or_else(|| {
            read(address).map_err(|error| Problem::new(format!("{error:#}")).with_hints(hints(&error)))
        });
        answers.borrow_mut().insert(address.to_owned(), answer.clone());
        Ok(answer?)
    })
}

/// Fetches a file, without credentials. A redirect to another server is an error, since only the first one was named.
fn fetch(http: &RawHttp, address: &str) -> anyhow::Result<Vec<u8>> {
    let mut url = Url::parse(address).map_err(Problem::new)?;
    let origin = url.origin();
    for _ in 0..=MAX_REDIRECTS {
        let response = http.send(&format!("{}{}", url.origin(), url.target()), &[], None, false)?;
        let Some(location) = redirect_location(response.status, response.headers.get("location")) else {
            return content(response, &origin);
        };
        url = url.join(location).map_err(Problem::new)?;
        if url.origin() != origin {
            let message = format!("`{origin}` redirects to `{}`, which is another server", url.origin());
            return Err(Problem::new(message).hint(format!("write `{url}`, if that is the file")).into());
        }
    }
    Err(Problem::new(format!("`{origin}` redirects more than {MAX_REDIRECTS} times")).into())
}

/// Returns the bytes of a response that is not a redirect.
fn content(response: WireResponse, origin: &str) -> anyhow::Result<Vec<u8>> {
    if response.status != 200 {
        return Err(Problem::new(format!("`{origin}` answered with status {}", response.status)).into());
    }
    let mut bytes = Vec::new();
    let mut body = response.body.take(MAX_BYTES as u64 + 1);
    body.read_to_end(&mut bytes).with_context(|| format!("cannot read the response of `{origin}`"))?;
    if bytes.len() > MAX_BYTES {
        return Err(Problem::new(format!("it is larger than {} MiB", MAX_BYTES >> 20)).into());
    }
    Ok(bytes)
}

fn keep(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let Some(directory) = file.parent() else { return Ok(()) };
    fs::create_dir_all(directory)?;
    let temporary = tempfile::NamedTempFile::new_in(directory)?;
    fs::write(temporary.path(), bytes)?;
    temporary.persist(file)?;
    Ok(())
}
