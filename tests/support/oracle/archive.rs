//! `git archive`.

use super::Oracle;

/// What of a commit is archived.
#[derive(Clone, Debug, Default)]
pub struct Part<'a> {
    pub path: &'a str,
    pub exclude: Vec<&'a str>,
}

impl Oracle {
    /// An archive in git's format `tar` or `zip`, everything in the directory `name`; `None` if something is missing.
    pub fn archive(&self, commit: &str, part: &Part<'_>, name: &str, format: &str) -> Option<Vec<u8>> {
        let path = if part.path.is_empty() { "." } else { part.path };
        let excluded: Vec<String> = part.exclude.iter().map(|path| format!(":(exclude,literal){path}")).collect();
        let (format, prefix, path) =
            (format!("--format={format}"), format!("--prefix={name}/"), format!(":(literal){path}"));
        let arguments = ["archive", &format, &prefix, commit, "--", &path];
        self.try_git(&arguments.into_iter().chain(excluded.iter().map(String::as_str)).collect::<Vec<_>>())
    }
}
