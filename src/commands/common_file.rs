//! Downloads the file that a configuration extends by its address: without a token, once for each digest.

use std::{fs, io::Read as _, path::Path, time::Duration};

use anyhow::Context as _;

use super::{Session, people::directory_of_user, session::variable};
use crate::{
    api::{Proxies, RawHttp, Url},
    config::PinnedAddress,
    git::Download,
    model::Problem,
};

const TIMEOUT: Duration = Duration::from_secs(30);

/// The largest file that is read, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// The most redirects that are followed, all on the same server.
const MAX_REDIRECTS: usize = 5;

/// Returns the function that gets such a file from the cache, else from its server. A repository that is itself read from
/// a server may be a stranger's, so it names no server of this machine.
pub(super) fn download(session: &Session, is_remote: bool) -> Download {
    let directory = session.global.cache.clone().or_else(directory_of_user).map(|cache| cache.join("common"));
    let (is_offline, timeout) = (session.global.offline, session.global.server.timeout);
    let timeout = timeout.map_or(TIMEOUT, Duration::from_secs);
    std::rc::Rc::new(move |address| {
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
    })
}

/// Fetches a file, without credentials. A redirect to another server is an error, since only the first one was named.
fn fetch(http: &RawHttp, address: &str) -> anyhow::Result<Vec<u8>> {
    let mut url = Url::parse(address).map_err(Problem::new)?;
    let origin = url.origin();
    for _ in 0..=MAX_REDIRECTS {
        let response = http.send(&format!("{}{}", url.origin(), url.target()), &[], None, false)?;
        match response.status {
            200 => {
                let mut bytes = Vec::new();
                let mut body = response.body.take(MAX_BYTES as u64 + 1);
                body.read_to_end(&mut bytes).with_context(|| format!("cannot read the response of `{origin}`"))?;
                if bytes.len() > MAX_BYTES {
                    return Err(Problem::new(format!("it is larger than {} MiB", MAX_BYTES >> 20)).into());
                }
                return Ok(bytes);
            }
            301 | 302 | 303 | 307 | 308 => {
                let location = response.headers.get("location").unwrap_or_default();
                url = url.join(location).map_err(Problem::new)?;
                if url.origin() != origin {
                    let message = format!("`{origin}` redirects to `{}`, which is another server", url.origin());
                    return Err(Problem::new(message).hint(format!("write `{url}`, if that is the file")).into());
                }
            }
            status => return Err(Problem::new(format!("`{origin}` answered with status {status}")).into()),
        }
    }
    Err(Problem::new(format!("`{origin}` redirects more than {MAX_REDIRECTS} times")).into())
}

fn keep(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let Some(directory) = file.parent() else { return Ok(()) };
    fs::create_dir_all(directory)?;
    let temporary = tempfile::NamedTempFile::new_in(directory)?;
    fs::write(temporary.path(), bytes)?;
    temporary.persist(file)?;
    Ok(())
}
