//! What the settings of another tool come to, and how they are read.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::{
    config::{CHANGELOG, Config, EntryRule, EntrySource, Field, LinkRule, Package, Pattern},
    model::{VersionFile, VersionLocator, WorkspaceKind},
};

/// What to do instead of keys, which have spaces between them.
pub(super) type Hints = [(&'static str, &'static str)];

/// What another tool's settings say.
#[derive(Clone, Debug)]
pub struct Migration {
    /// The same as our configuration.
    pub config: Config,
    /// The tags that must exist by the tool's own account.
    pub tags: Vec<String>,
    /// What to do instead, and the keys that have no counterpart.
    pub(super) losses: IndexMap<String, Vec<String>>,
}

impl Default for Migration {
    fn default() -> Self {
        let config = Config { source: EntrySource::Conventional, ..Config::default() };
        Self { config, tags: Vec::new(), losses: IndexMap::new() }
    }
}

impl Migration {
    /// What has no counterpart, a sentence each.
    #[must_use]
    pub fn losses(&self) -> Vec<String> {
        self.losses.iter().map(|(instead, keys)| format!("{}: {instead}", keys.join(", "))).collect()
    }

    /// Notes that a key has no counterpart, unless it says nothing.
    pub(super) fn lose(&mut self, key: &str, field: &Field, instead: impl Into<String>) {
        if !field.is_off() {
            let (named, keys) =
                (format!("`{key}` (line {})", field.line()), self.losses.entry(instead.into()).or_default());
            if !keys.contains(&named) {
                keys.push(named);
            }
        }
    }

    /// The same for a key that a table of hints knows, or nobody does.
    pub(super) fn leave(&mut self, key: &str, field: &Field, hints: &Hints) {
        let is_about = |(_, keys): &&(&str, &str)| keys.split(' ').any(|known| known == key);
        let hint = hints.iter().find(is_about).map_or("not known here", |(hint, _)| hint);
        if !hint.is_empty() {
            self.lose(key, field, hint);
        }
    }

    /// A pattern, unless RE2 would refuse it.
    pub(super) fn pattern(&mut self, key: &str, field: &Field, text: &str) -> Option<Pattern> {
        let parsed = Pattern::parse(text);
        parsed.map_err(|why| self.lose(key, field, format!("the pattern is not one of RE2: {why}"))).ok()
    }

    /// Lists, or skips, commits with such a title.
    pub(super) fn rule(&mut self, title: Pattern, category: Option<String>) {
        let skip = category.is_none();
        self.config.rules.push(EntryRule { title: Some(title), category, skip, ..EntryRule::default() });
    }

    /// Links references to an address.
    pub(super) fn link(&mut self, key: &str, field: &Field, (pattern, url): (&str, String)) {
        if let Some(pattern) = self.pattern(key, field, pattern) {
            match LinkRule::new(pattern, url) {
                Ok(link) => self.config.links.push(link),
                Err(why) => self.lose(key, field, format!("the address {why}")),
            }
        }
    }

    /// The prefix of tags, unless it is a usual one.
    pub(super) fn tag_prefix(&mut self, prefix: &str) {
        self.config.tag_prefix = Some(prefix).filter(|prefix| !["", "v"].contains(prefix)).map(str::to_owned);
    }

    /// Adds a package in a directory, with more paths.
    pub(super) fn package(
        &mut self,
        name: &str,
        (directory, more): (&str, Vec<String>),
        prefix: String,
    ) -> &mut Package {
        let package = Package {
            paths: std::iter::once(directory.to_owned()).chain(more).collect(),
            tag_prefix: prefix,
            file: beside(directory, CHANGELOG),
            version_files: Vec::new(),
        };
        Arc::make_mut(&mut self.config.packages).entry(name.to_owned()).insert_entry(package).into_mut()
    }

    /// Takes over a command that runs before or after a release; `placeholders` become variables of ours.
    pub(super) fn hook(
        &mut self,
        key: &str,
        field: &Field,
        is_before: bool,
        placeholders: &[(&str, &str)],
    ) -> anyhow::Result<()> {
        for element in field.elements()? {
            let Some(text) = element.text()? else { continue };
            let text = placeholders.iter().fold(text, |text, (theirs, ours)| text.replace(theirs, ours));
            if text.contains("git push") || text.contains("git tag") {
                self.lose(key, field, "`tidings release` tags and pushes");
            } else if text.contains("{{") || text.contains("${") {
                self.lose(key, field, "the command takes a value that hooks do not get: see `hooks`");
            } else if is_before {
                self.config.hooks.before.push(text);
                self.lose(key, field, "what `hooks.before` changes is not committed: `version_files` sets versions");
            } else {
                self.config.hooks.after.push(text);
            }
        }
        Ok(())
    }
}

/// The field that keys separated by dots lead to.
pub(super) fn find<'a>(fields: &[Field<'a>], path: &str) -> Option<Field<'a>> {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    let found = *fields.iter().find(|field| field.key() == first)?;
    if rest.is_empty() { Some(found) } else { find(&found.fields().ok()?, rest) }
}

/// A switch, or its default.
pub(super) fn is_set(fields: &[Field], path: &str, default: bool) -> anyhow::Result<bool> {
    find(fields, path).map_or(Ok(default), |field| field.flag())
}

/// The text of a key, if it is there.
pub(super) fn text_of(fields: &[Field], path: &str) -> anyhow::Result<Option<String>> {
    find(fields, path).map_or(Ok(None), |field| field.text())
}

/// A path in a directory, which is empty or `.` for the top; one that begins with `/` is at the top already.
pub(super) fn beside(directory: &str, path: &str) -> String {
    match (path.strip_prefix('/'), directory.trim_end_matches('/')) {
        (Some(top), _) => top.to_owned(),
        (None, "" | ".") => path.trim_start_matches("./").to_owned(),
        (None, directory) => format!("{directory}/{}", path.trim_start_matches("./")),
    }
}

pub(super) fn version_file(path: String, key: &str) -> VersionFile {
    VersionFile { path, locator: VersionLocator::Key(key.to_owned()) }
}

pub(super) fn version_pattern(path: String, regex: &str) -> VersionFile {
    VersionFile { path, locator: VersionLocator::Regex(regex.to_owned()) }
}

pub(super) fn workspace(path: String, kind: WorkspaceKind) -> VersionFile {
    VersionFile { path, locator: VersionLocator::Workspace { kind, members: Vec::new() } }
}
