//! The settings file that is written: a comment per key, what is as by default commented out.

use std::fmt::{self, Display, Formatter, Write as _};

use serde_json::Value;

use super::{ConfigScaffold, TagScheme, history_stats::HistoryStats};
use crate::{
    changelog::conventional::BREAKING,
    config::{Config, EntryRule, EntrySource, HeadingRule, Pattern, VersionFile, VersionLocator},
    model::{capitalized, printable},
};

impl ConfigScaffold {
    pub(crate) fn to_yaml(&self) -> String {
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
        if !write_bump(&self.settings, out)? {
            writeln!(out, "# bump:\n#   added: minor")?;
        }
        writeln!(out, "\n# A template: section, keep-a-changelog, compact, github-release, or a file.")?;
        match &self.template {
            Some(template) => writeln!(out, "template_file: {}", Quoted(template))?,
            None => writeln!(out, "# template_file: section")?,
        }
        writeln!(out, "\n# Commits that are never listed, by id, author or message in RE2 syntax.")?;
        if !write_skip(&self.settings, out)? {
            writeln!(out, "# skip:\n#   authors: [renovate@example.com]\n#   messages: ['^chore\\(release\\)']")?;
        }
        writeln!(out, "\n# Where references in titles lead; $1 is the first group.")?;
        if !write_links(&self.settings, out)? {
            writeln!(out, "# links:\n#   '#(\\d+)': {}", self.issues())?;
        }
        write_others(&self.settings, out)?;
        if self.losses.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n# What the settings of the other tool say besides, and what to do instead:")?;
        self.losses.iter().try_for_each(|loss| writeln!(out, "# - {}", printable(loss)))
    }

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
        write_types(&self.settings, out)?;
        write_rules(&self.settings, out)
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

fn heading(category: &str) -> String {
    if category == BREAKING { "Breaking changes".to_owned() } else { capitalized(category) }
}

fn write_types(config: &Config, out: &mut String) -> fmt::Result {
    write_mapping(
        "types",
        out,
        config.types.iter().map(|(name, category)| (name, category.as_deref().unwrap_or("none"))),
    )
}

fn write_rules(config: &Config, out: &mut String) -> fmt::Result {
    if !config.rules.is_empty() {
        writeln!(out, "\n# The first rule that fits lists a commit, or skips it, whatever its source.\nmatch:")?;
        config.rules.iter().try_for_each(|rule| writeln!(out, "  - {{ {} }}", Rule(rule)))?;
    }
    let Some(other) = &config.other else { return Ok(()) };
    writeln!(out, "# Whatever nothing else lists, except merges.\nother: {}", Quoted(other))
}

/// Writes `bump`; `false` if there is nothing to write.
fn write_bump(config: &Config, out: &mut String) -> Result<bool, fmt::Error> {
    write_mapping("bump", out, config.bump.iter().map(|(category, level)| (category, level.name())))?;
    Ok(!config.bump.is_empty())
}

/// Writes `skip`; `false` if there is nothing to write.
fn write_skip(config: &Config, out: &mut String) -> Result<bool, fmt::Error> {
    if config.skip.commits.is_empty() && config.skip.messages.is_empty() {
        return Ok(false);
    }
    writeln!(out, "skip:")?;
    write_list("  commits", out, config.skip.commits.iter().map(|commit| Quoted(commit).to_string()))?;
    write_list("  messages", out, config.skip.messages.iter().map(|message| Literal(message.text()).to_string()))?;
    Ok(true)
}

/// Writes `links`; `false` if there is nothing to write.
fn write_links(config: &Config, out: &mut String) -> Result<bool, fmt::Error> {
    if config.links.is_empty() {
        return Ok(false);
    }
    writeln!(out, "links:")?;
    config
        .links
        .iter()
        .try_for_each(|link| writeln!(out, "  {}: {}", Literal(link.pattern.text()), Quoted(&link.url)))?;
    Ok(true)
}

/// Writes what a first file does not have by itself: `file`, `paths`, `authors` and `hooks`.
fn write_others(config: &Config, out: &mut String) -> fmt::Result {
    if let Some(file) = &config.file {
        writeln!(out, "\n# The changelog file.\nfile: {}", Quoted(file))?;
    }
    if let HeadingRule::Text(heading) = &config.heading {
        writeln!(out, "\n# The heading of a new section: those of the file do not show a clear form.")?;
        writeln!(out, "heading: {}", Quoted(heading))?;
    }
    if !config.paths.is_empty() {
        writeln!(out, "\n# What a commit must change to be listed.")?;
        write_list("paths", out, config.paths.iter().map(|path| Quoted(path).to_string()))?;
    }
    if !config.authors.is_empty() {
        writeln!(out, "\n# E-mail address to name.")?;
        let authors = config.authors.iter().map(|(email, rule)| (email, rule.reference.as_deref().unwrap_or_default()));
        write_mapping("authors", out, authors)?;
    }
    if !config.hooks.before.is_empty() || !config.hooks.after.is_empty() {
        writeln!(out, "\n# Commands that a release runs.\nhooks:")?;
        write_list("  before", out, config.hooks.before.iter().map(|command| Quoted(command).to_string()))?;
        write_list("  after", out, config.hooks.after.iter().map(|command| Quoted(command).to_string()))?;
    }
    Ok(())
}

fn write_mapping<'a>(
    key: &str,
    out: &mut String,
    mut pairs: impl ExactSizeIterator<Item = (&'a String, &'a str)>,
) -> fmt::Result {
    if pairs.len() == 0 {
        return Ok(());
    }
    writeln!(out, "{key}:")?;
    pairs.try_for_each(|(name, value)| writeln!(out, "  {}: {}", Quoted(name), Quoted(value)))
}

fn write_list(key: &str, out: &mut String, items: impl ExactSizeIterator<Item = String>) -> fmt::Result {
    match items.len() {
        0 => Ok(()),
        _ => writeln!(out, "{key}: [{}]", items.collect::<Vec<_>>().join(", ")),
    }
}

struct Rule<'a>(&'a EntryRule);

impl Display for Rule<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let EntryRule { title, body, author, trailer, category, scope, skip } = self.0;
        let patterns = [("title", title), ("body", body), ("author", author), ("trailer", trailer)];
        let texts = [("category", category), ("scope", scope)];
        let pattern =
            |(name, pattern): (&str, &Option<Pattern>)| Some(format!("{name}: {}", Literal(pattern.as_ref()?.text())));
        let text = |(name, text): (&str, &Option<String>)| Some(format!("{name}: {}", Quoted(text.as_ref()?)));
        let skip = skip.then(|| "skip: true".to_owned());
        let parts = patterns.into_iter().filter_map(pattern).chain(texts.into_iter().filter_map(text)).chain(skip);
        out.write_str(&parts.collect::<Vec<_>>().join(", "))
    }
}

/// A text as YAML takes it: a JSON string is one, apart from what YAML 1.1 takes for line breaks or does not allow.
struct Quoted<'a>(pub(super) &'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let is_special = |letter: char| matches!(letter, '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}');
        for part in Value::from(self.0).to_string().split_inclusive(is_special) {
            match part.char_indices().next_back().filter(|(_, last)| is_special(*last)) {
                Some((end, last)) => write!(out, "{}\\u{:04x}", &part[..end], u32::from(last))?,
                None => out.write_str(part)?,
            }
        }
        Ok(())
    }
}

/// A text as YAML takes it where most letters mean themselves.
pub(super) struct Literal<'a>(pub(super) &'a str);

impl Display for Literal<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        // A line break in single quotes would be a space.
        if self.0.contains(char::is_control) {
            return Quoted(self.0).fmt(out);
        }
        write!(out, "'{}'", self.0.replace('\'', "''"))
    }
}
