//! The settings file that is written: a comment per key, what is as by default commented out.

use std::fmt::{self, Write as _};

use super::{
    ConfigScaffold, TagScheme,
    history_stats::HistoryStats,
    keys::{self, Literal, Quoted},
};
use crate::{
    changelog::conventional::BREAKING,
    config::EntrySource,
    model::{VersionFile, VersionLocator, capitalized, printable},
};

impl ConfigScaffold {
    /// The text of the file.
    #[must_use]
    pub fn to_yaml(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        self.write_source(out)?;
        writeln!(out, "\n# Category: title. The order is that of the section.\ncategories:")?;
        for category in &self.categories {
            let title = self.settings.categories.get(category).cloned().unwrap_or_else(|| heading(category));
            writeln!(out, "  {}: {}", Quoted(category), Quoted(&title))?;
        }
        let mistakes: Vec<_> = self.habits.mistakes().map(|(value, count)| format!("{value} ({count})")).collect();
        if self.source.has_trailers() && !mistakes.is_empty() {
            writeln!(out, "# Seen, and probably mistakes: {}.", printable(&mistakes.join(", ")))?;
        }
        writeln!(out, "\n# The date of the header, for strftime.\n# date_format: \"%Y-%m-%d\"")?;
        self.write_tags(out)?;
        self.write_version_files(out)?;
        writeln!(out, "\n# What a category raises the next version by, over the default rule.")?;
        if !keys::write_bump(&self.settings, out)? {
            writeln!(out, "# bump:\n#   added: minor")?;
        }
        writeln!(out, "\n# A template: section, keep-a-changelog, compact, github-release, or a file.")?;
        match &self.template {
            Some(template) => writeln!(out, "template_file: {}", Quoted(template))?,
            None => writeln!(out, "# template_file: section")?,
        }
        writeln!(out, "\n# Commits that are never listed, by id, author or message in RE2 syntax.")?;
        if !keys::write_skip(&self.settings, out)? {
            writeln!(out, "# skip:\n#   authors: [renovate@example.com]\n#   messages: ['^chore\\(release\\)']")?;
        }
        writeln!(out, "\n# Where references in titles lead; $1 is the first group.")?;
        if !keys::write_links(&self.settings, out)? {
            writeln!(out, "# links:\n#   '#(\\d+)': {}", self.issues())?;
        }
        keys::write_others(&self.settings, out)?;
        if self.losses.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n# What the settings of the other tool say besides, and what to do instead:")?;
        self.losses.iter().try_for_each(|loss| writeln!(out, "# - {}", printable(loss)))
    }

    /// The address of an issue of the project.
    fn issues(&self) -> String {
        let url = self.project.as_ref().and_then(|project| project.issue_url("$1"));
        url.unwrap_or_else(|| "https://git.example.com/group/app/issues/$1".to_owned())
    }

    fn write_source(&self, out: &mut String) -> fmt::Result {
        writeln!(
            out,
            "# What lists a commit: trailers, conventional, both, merge-requests, titles, or auto for the first it finds."
        )?;
        let unknown = if self.source == EntrySource::Auto { "# " } else { "" };
        writeln!(out, "{unknown}source: {}", self.source.name())?;
        if self.source.has_types() {
            writeln!(out, "\n# Type to category, over the usual ones: {}.", HistoryStats::usual_types())?;
            let unknown =
                self.habits.unknown_types.iter().map(|(kind, count)| format!("{kind} ({count})")).collect::<Vec<_>>();
            if !unknown.is_empty() {
                writeln!(out, "# In use, and listed nowhere: {}.", printable(&unknown.join(", ")))?;
            }
            if self.settings.types.is_empty() {
                writeln!(out, "# types:\n#   docs: changed")?;
            }
        }
        keys::write_types(&self.settings, out)?;
        keys::write_rules(&self.settings, out)
    }

    fn write_tags(&self, out: &mut String) -> fmt::Result {
        if let Some(scheme) = &self.versioning {
            writeln!(out, "\n# How the next version is counted: by the date, as calver.org names its parts.")?;
            writeln!(out, "versioning: {scheme}")?;
        }
        match &self.tags {
            TagScheme::Default => {
                writeln!(out, "\n# What is before a version in tags, besides `v`.\n# tag_prefix: \"app/v\"")
            }
            TagScheme::Prefixed(prefix) => {
                writeln!(out, "\n# What is before a version in tags.\ntag_prefix: {}", Quoted(prefix))
            }
            TagScheme::Packages(packages) => {
                writeln!(out, "\n# Parts that are released by themselves: `tidings show --package NAME`.\npackages:")?;
                packages.iter().try_for_each(|(name, package)| {
                    let paths: Vec<_> = package.paths.iter().map(|path| Quoted(path).to_string()).collect();
                    let (name, prefix) = (Quoted(name), Quoted(&package.prefix));
                    writeln!(out, "  {name}:\n    paths: [{}]\n    tag_prefix: {prefix}", paths.join(", "))?;
                    if let Some(file) = &package.file {
                        writeln!(out, "    file: {}", Quoted(file))?;
                    }
                    self.write_files(&package.versions.files, "    ", out)
                })
            }
        }
    }

    fn write_version_files(&self, out: &mut String) -> fmt::Result {
        if self.tags.packages().is_some() && self.versions.files.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n# Where a release sets the version: a workspace, a key of TOML, JSON or YAML, or a regex.")?;
        match self.versions.files.as_slice() {
            [] => writeln!(out, "# version_files:\n#   - {{ path: pyproject.toml, key: project.version }}"),
            files => self.write_files(files, "", out),
        }
    }

    fn write_files(&self, files: &[VersionFile], indent: &str, out: &mut String) -> fmt::Result {
        if files.is_empty() {
            return Ok(());
        }
        let mark = if self.sets_versions { "" } else { "# " };
        writeln!(out, "{indent}{mark}version_files:")?;
        files.iter().try_for_each(|VersionFile { path, locator }| {
            let (name, text) = match locator {
                VersionLocator::Key(key) => ("key", key),
                VersionLocator::Regex(regex) => ("regex", regex),
                VersionLocator::Workspace { kind, members } => {
                    write!(out, "{indent}{mark}  - {{ workspace: {}", kind.name())?;
                    if path != kind.manifest() {
                        write!(out, ", path: {}", Quoted(path))?;
                    }
                    let members: Vec<_> = members.iter().map(|member| Quoted(member).to_string()).collect();
                    return match members.as_slice() {
                        [] => writeln!(out, " }}"),
                        members => writeln!(out, ", members: [{}] }}", members.join(", ")),
                    };
                }
            };
            writeln!(out, "{indent}{mark}  - {{ path: {}, {name}: {} }}", Quoted(path), Literal(text))
        })
    }
}

/// The title of a category.
fn heading(category: &str) -> String {
    if category == BREAKING { "Breaking changes".to_owned() } else { capitalized(category) }
}
