//! Packages of one repository: each has paths, tags and a changelog file of its own.

use super::{CHANGELOG, Config};
use crate::model::{Problem, VersionFile, closest};

/// A part of a repository that is released by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// What its commits change, as in [`Config::paths`].
    pub paths: Vec<String>,
    /// What stands before the version in its tags.
    pub tag_prefix: String,
    /// Its changelog file.
    pub file: String,
    /// The files that its releases set the version in.
    pub version_files: Vec<VersionFile>,
}

impl Package {
    /// The package of a name: the folder of that name, tags such as `NAME/v1.2.0`, and the changelog in that folder.
    pub(super) fn named(name: &str) -> Self {
        let file = format!("{name}/{CHANGELOG}");
        Self { paths: vec![name.to_owned()], tag_prefix: format!("{name}/v"), file, version_files: Vec::new() }
    }

    /// The changelog in the first folder of the paths: what stands before a pattern in one that includes.
    pub(super) fn usual_file(&self) -> Option<String> {
        let included = self.paths.iter().find(|path| !path.starts_with([':', '!']))?;
        let folders: Vec<_> = included.split('/').take_while(|folder| !folder.contains(['*', '?', '['])).collect();
        let folder = folders.join("/");
        let folder = folder.trim_end_matches('/');
        (!folder.is_empty()).then(|| format!("{folder}/{CHANGELOG}"))
    }
}

impl Config {
    /// The settings of one package: those of the repository, with its paths, tags and file.
    ///
    /// # Errors
    ///
    /// Where there is no such package.
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

    /// The package that a tag is of, by what it begins with; `None` where these settings are narrowed already.
    #[must_use]
    pub fn package_of(&self, tag: &str) -> Option<&str> {
        let mut of = self.packages.iter().filter(|(_, package)| tag.starts_with(&package.tag_prefix));
        of.next().filter(|_| self.tag_prefix.is_none()).map(|(name, _)| name.as_str())
    }

    fn unknown(&self, name: &str) -> Problem {
        let problem = Problem::usage(format!("the settings have no package `{name}`"));
        let known: Vec<&str> = self.packages.keys().map(String::as_str).collect();
        match closest(name, known.iter().copied()) {
            Some(near) => problem.hint(format!("did you mean `{near}`?")),
            None if known.is_empty() => problem.hint("`packages:` maps the name of each to its paths, tags and file"),
            None => problem.hint(format!("known are `{}`", known.join("`, `"))),
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
    fn an_unknown_package_is_told_with_the_likely_one() {
        let hint = |config: Config, name: &str| {
            let error = anyhow::Error::from(config.package(name).unwrap_err());
            crate::model::hints(&error).join("")
        };
        assert_eq!(hint(settings(), "apis"), "did you mean `api`?");
        assert_eq!(hint(settings(), "docs"), "known are `api`, `web`");
        assert!(hint(Config::default(), "api").contains("`packages:`"));
    }
}
