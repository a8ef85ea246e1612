//! The temporary files of gix, its locks among them.

use anyhow::Result;

use crate::interrupt::Cleanup;

/// Has an interrupt remove them while the answer lives.
pub(in crate::git) fn cleanup() -> Result<Cleanup> {
    let remove = || {
        gix::tempfile::registry::cleanup_tempfiles();
        true
    };
    Ok(Cleanup::of(|| Ok(((), remove)))?.1)
}
