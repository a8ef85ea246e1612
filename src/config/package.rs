//! Packages of one repository, each with its own paths, tags and changelog file.

use super::{CHANGELOG, Config};
use crate::model::{Problem, VersionFile, closest};

/// A part of a repository that is released separately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// The paths that its commits change, as in [`Config::paths`].
    pub paths: Vec<String>,
    /// The prefix of its version tags.
    pub tag_prefix: String,
    /// Its changelog file.
    pub file: String,
    /// The files that its releases set the version in.
    pub version_files: Vec<VersionFile>,
}

impl Package {
    /// The default package of a name: the directory of that name, tags such as `NAME/v1.2.0`, and the changelog file in that
    /// directory.
    pub(super) fn named(name: &str) -> Self {
        let file = format!("{name}/{CHANGELOG}");
        Self { paths: vec![name.to_owned()], tag_prefix: format!("{name}/v"), file, version_files: Vec::new() }
    }

    /// The changelog file in the first directory of the paths: the part before a wildcard of a path that is not excluded.
    pub(super) fn default_file(&self) -> Option<String> {
        let included = self.paths.iter().find(|path| !path.starts_with([':', '!']))?;
        let parts: Vec<_> = included.split('/').take_while(|part| !part.contains(['*', '?', '['])).collect();
        let directory = parts.join("/");
        let directory = directory.trim_end_matches('/');
        (!directory.is_empty()).then(|| format!("{directory}/{CHANGELOG}"))
    }
}

impl Config {
    /// The configuration of a package: that of the repository, with the paths, tags and files of the package.
    ///
    /// # Errors
    /// If the package is not configured.
    pub fn package(&self, name: &str) -> Result<Self, Problem> {
        let package = self.packages.get(name).ok_or_else(|| self.unknown(name))?;
        let Package { paths, tag_prefix, file, version_files } = package.clone();
        Ok(Self {
            paths,
            tag_prefix: Some(tag_prefix),
            tag_regex: None,
            file: Some(file),
            version_files,
            ..self.clone()
        })
    }

    /// The package of a tag, by its prefix; `None` if this is the configuration of a package already.
    #[must_use]
    pub fn package_of(&self, tag: &str) -> Option<&str> {
        let of = self.packages.iter().filter(|(_, package)| tag.starts_with(&package.tag_prefix));
        // What is released as the repository itself has the shortest prefix, if any.
        let most = of.max_by_key(|(_, package)| package.tag_prefix.len());
        most.filter(|_| self.tag_prefix.is_none()).map(|(name, _)| name.as_str())
    }

    fn unknown(&self, name: &str) -> Problem {
        let problem = Problem::usage(format!("package `{name}` is not configured"));
        let known: Vec<&str> = self.packages.keys().map(String::as_str).collect();
        match closest(name, known.iter().copied()) {
            Some(near) => problem.hint(format!("did you mean `{near}`?")),
            None if known.is_empty() => problem.hint("add it to `packages:` in the configuration"),
            None => problem.hint(format!("use one of `{}`", known.join("`, `"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn settings() -> Config {
        let packages = ["api", "web"].map(|name| (name.to_owned(), Package::named(name)));
        Config { tag_regex: Some("x".to_owned()), packages: Arc::new(packages.into()), ..Config::default() }
    }

    #[test]
    fn a_package_narrows_paths_tags_and_file() {
        let api = settings().package("api").unwrap();
        assert_eq!((api.paths.concat(), api.file.as_deref()), ("api".to_owned(), Some("api/CHANGELOG.md")));
        assert_eq!((api.tag_prefix.as_deref(), api.tag_regex.as_deref()), (Some("api/v"), None));
    }

    #[test]
    fn the_hint_for_an_unknown_package_is_a_similar_one() {
        let hint = |config: Config, name: &str| {
            let error = anyhow::Error::from(config.package(name).unwrap_err());
            crate::model::hints(&error).join("")
        };
        assert_eq!(hint(settings(), "apis"), "did you mean `api`?");
        assert_eq!(hint(settings(), "docs"), "use one of `api`, `web`");
        assert!(hint(Config::default(), "api").contains("`packages:`"));
    }
}
