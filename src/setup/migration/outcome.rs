//! The result of a migration from another tool, and how its configuration is read.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use indexmap::{IndexMap, IndexSet};

use crate::{
    config::{
        CHANGELOG, Config, EntryRule, EntrySource, Field, LinkRule, Package, Pattern, VersionFile, VersionLocator,
        WorkspaceKind,
    },
    model::{BREAKING, BumpLevel},
    sources::conventional::TYPES,
};

/// A function that reads another file beside the configuration.
pub(crate) type ReadBeside<'a> = &'a dyn Fn(&str) -> anyhow::Result<Option<Vec<u8>>>;

/// Hints on what to do instead, each with its keys, separated by spaces.
pub(super) type Hints = [(&'static str, &'static str)];

pub(super) const HOOKS: &str = "hooks run before or after a release";
pub(super) const TITLES: &str = "titles are read by conventionalcommits.org, and `match` sorts others";
pub(super) const TEMPLATE: &str = "`template_file` names a template in Handlebars";
pub(super) const HEADER: &str = "what is above the sections of the changelog file stays as it is";
pub(super) const NO_COMMIT: &str = "use `tidings release --no-commit`";
pub(super) const FEATURES: &str =
    "below 1.0.0 features bump the minor version: set `bump: { added: patch }` until then";
pub(super) const PRE_RELEASE: &str = "use `tidings release --pre NAME`";

/// The sections of the preset `conventionalcommits`.
pub(super) const PRESET: [(&str, &str); 5] = [
    ("feat", "Features"),
    ("feature", "Features"),
    ("fix", "Bug Fixes"),
    ("perf", "Performance Improvements"),
    ("revert", "Reverts"),
];

/// The title of breaking changes in that preset.
pub(super) const PRESET_BREAKING: &str = "⚠ BREAKING CHANGES";

#[derive(Clone, Debug)]
pub(crate) struct Migration {
    /// The configuration that corresponds to that of the tool.
    pub config: Config,
    /// The tags that exist according to the tool's own list of versions.
    pub tags: Vec<String>,
    /// The changelog files of packages whose directories the configuration does not say, by name; that of the others has an
    /// empty name.
    pub files: IndexMap<String, String>,
    /// The keys without a counterpart, by the hint on what to do instead.
    pub(super) losses: IndexMap<String, IndexSet<String>>,
    /// The names of the categories by their titles.
    by_title: HashMap<String, String>,
    /// The last number that was added to a name of a category, since the name was there already.
    numbers: HashMap<String, usize>,
}

impl Default for Migration {
    fn default() -> Self {
        let config = Config { source: EntrySource::Conventional, ..Config::default() };
        Self {
            config,
            tags: Vec::new(),
            files: IndexMap::new(),
            losses: IndexMap::new(),
            by_title: HashMap::new(),
            numbers: HashMap::new(),
        }
    }
}

impl Migration {
    /// Describes the keys without a counterpart, with a sentence for each hint. A configuration may have any number of
    /// them; the first ones are enough to read.
    pub(crate) fn losses(&self) -> Vec<String> {
        const SHOWN: usize = 50;
        let sentences = self.losses.iter().take(SHOWN).map(|(instead, keys)| {
            let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
            format!("{}: {instead}", keys.join(", "))
        });
        let hidden = self.losses.len().saturating_sub(SHOWN);
        sentences.chain((hidden > 0).then(|| format!("and {hidden} more"))).collect()
    }

    /// Records that a key has no counterpart, unless its value is empty or off.
    pub(super) fn lose(&mut self, key: &str, field: &Field, instead: impl Into<String>) {
        if !field.is_off() {
            self.lose_always(key, field, instead);
        }
    }

    /// Records that a key has no counterpart, though it may only turn something off.
    pub(super) fn lose_always(&mut self, key: &str, field: &Field, instead: impl Into<String>) {
        self.losses.entry(instead.into()).or_default().insert(format!("`{key}` (line {})", field.line()));
    }

    /// Records that a key has no counterpart, with its hint from a table, if it has one there.
    pub(super) fn report_loss(&mut self, key: &str, field: &Field, hints: &Hints) {
        let hint = hints
            .iter()
            .find(|(_, keys)| keys.split(' ').any(|known| known == key))
            .map_or("not known here", |(hint, _)| hint);
        if !hint.is_empty() {
            self.lose(key, field, hint);
        }
    }

    /// Parses a pattern; records a loss if RE2 would refuse it.
    pub(super) fn pattern(&mut self, key: &str, field: &Field, text: &str) -> Option<Pattern> {
        let parsed = Pattern::parse(text);
        parsed.map_err(|why| self.lose(key, field, format!("the pattern is not one of RE2: {why}"))).ok()
    }

    pub(super) fn link(&mut self, key: &str, field: &Field, pattern: &str, url: String) {
        if let Some(pattern) = self.pattern(key, field, pattern) {
            match LinkRule::new(pattern, url) {
                Ok(link) => self.config.links.push(link),
                Err(why) => self.lose(key, field, format!("the address {why}")),
            }
        }
    }

    /// Sets the prefix of tags, unless it is a usual one.
    pub(super) fn tag_prefix(&mut self, prefix: &str) {
        self.config.tag_prefix = Some(prefix).filter(|prefix| !["", "v"].contains(prefix)).map(str::to_owned);
    }

    /// Adds a package in a directory, with more paths.
    pub(super) fn package(&mut self, name: &str, directory: &str, more: Vec<String>, prefix: String) -> &mut Package {
        let package = Package {
            paths: std::iter::once(directory.to_owned()).chain(more).collect(),
            tag_prefix: prefix,
            file: path_in(directory, CHANGELOG),
            versioning: None,
            version_files: Vec::new(),
        };
        Arc::make_mut(&mut self.config.packages).entry(name.to_owned()).insert_entry(package).into_mut()
    }

    /// Takes over a command that runs before or after a release; `placeholders` are replaced by variables of `tidings`.
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

    /// Sets the title of breaking changes, above or below all others.
    pub(super) fn set_breaking_title(&mut self, title: &str, is_first: bool) {
        let index = if is_first { 0 } else { self.config.categories.len() };
        self.config.categories.shift_insert(index, BREAKING.to_owned(), title.to_owned());
        self.by_title.retain(|_, name| name != BREAKING);
        let known = self.by_title.entry(title.to_owned()).or_insert_with(|| BREAKING.to_owned());
        if is_first {
            BREAKING.clone_into(known);
        }
    }

    /// Takes over the sections of a list, else those of a preset.
    pub(super) fn sections_or_preset(
        &mut self,
        key: &str,
        sections: Option<&Field>,
        preset: &[(&str, &str)],
    ) -> anyhow::Result<()> {
        self.set_breaking_title(PRESET_BREAKING, true);
        let Some(sections) = sections else {
            for (name, title) in preset {
                self.list_type(name, Some(title));
            }
            return Ok(());
        };
        self.sections(key, sections)
    }

    /// Takes over the sections of the preset `angular`, which are sorted by their titles.
    pub(super) fn angular(&mut self) {
        let [fix, feat, perf, revert] = [PRESET[2], PRESET[0], PRESET[3], PRESET[4]];
        for (name, title) in [fix, feat, perf, revert] {
            self.list_type(name, Some(title));
        }
        self.set_breaking_title("BREAKING CHANGES", false);
    }

    /// Lists commits of types under titles, in this order, or hides them.
    pub(super) fn list_types(&mut self, types: &[(String, Option<String>)]) {
        // A title that several types share becomes the category of the first usual type among them.
        let mut usual: HashMap<&str, &str> = HashMap::new();
        for (name, title) in types {
            if let (Some(title), Some(category)) = (title, usual_category(&name.to_lowercase())) {
                usual.entry(title).or_insert(category);
            }
        }
        for (name, title) in types {
            if let Some(title) = title {
                self.category(title, usual.get(title.as_str()).unwrap_or(&name.as_str()));
            }
            self.list_type(name, title.as_deref());
        }
    }

    /// Lists commits of a type under a title, or hides them. Types with one title share its category.
    pub(super) fn list_type(&mut self, commit_type: &str, title: Option<&str>) {
        let commit_type = commit_type.to_lowercase();
        let usual = usual_category(&commit_type);
        let Some(title) = title else {
            if usual.is_some() || !is_usual(&commit_type) {
                self.config.types.insert(commit_type, None);
            }
            return;
        };
        let key = self.category(title, usual.unwrap_or(&commit_type));
        if usual != Some(&key) {
            self.config.types.insert(commit_type, Some(key));
        }
    }

    /// Returns the category with a title, else a new one of this name.
    pub(super) fn category(&mut self, title: &str, name: &str) -> String {
        if let Some(key) = self.by_title.get(title) {
            return key.clone();
        }
        let categories = &mut self.config.categories;
        let mut key = name.to_owned();
        if categories.contains_key(name) {
            let number = self.numbers.entry(name.to_owned()).or_insert(1);
            while categories.contains_key(&key) {
                *number += 1;
                key = format!("{name} {number}");
            }
        }
        categories.insert(key.clone(), title.to_owned());
        self.by_title.insert(title.to_owned(), key.clone());
        key
    }

    /// Hides the types that are listed by default and were not named.
    pub(super) fn hide_others(&mut self, named: &[String]) {
        for (name, category) in TYPES {
            if category.is_some() && !named.iter().any(|known| known == name) {
                self.list_type(name, None);
            }
        }
    }

    /// Takes over `[{type, section, hidden, scope}]`.
    fn sections(&mut self, key: &str, field: &Field) -> anyhow::Result<()> {
        let mut listed: Vec<(String, Option<String>)> = Vec::new();
        let mut scoped = Vec::new();
        for element in field.elements()? {
            let fields = element.fields()?;
            let (name, title) = (text_of(&fields, "type")?, text_of(&fields, "section")?);
            let is_hidden = find_field(&fields, "hidden").is_some_and(|hidden| hidden.is_on());
            let is_hidden = is_hidden || text_of(&fields, "effect")?.as_deref() == Some("hidden");
            let title = title.filter(|title| !is_hidden && !title.is_empty());
            let Some(name) = name.map(|name| name.to_lowercase()) else {
                return Err(element.refusal("needs a `type` for each section").into());
            };
            match text_of(&fields, "scope")? {
                None => listed.push((name, title)),
                Some(scope) => scoped.push((name, scope, title)),
            }
        }
        self.list_types(&listed);
        for (name, scope, title) in scoped {
            let pattern = format!(r"^{}\({}\)!?: ", regex::escape(&name), regex::escape(&scope));
            let category = title.map(|title| self.category(&title, &format!("{name} {scope}")));
            let (title, skip) = (self.pattern(key, field, &pattern), category.is_none());
            self.config.rules.extend(title.map(|title| EntryRule {
                title: Some(title),
                category,
                skip,
                ..EntryRule::default()
            }));
        }
        let named: Vec<String> = listed.into_iter().map(|(name, _)| name).collect();
        self.hide_others(&named);
        Ok(())
    }

    /// Sets the bump level of a type; `false` if it is not listed, or shares a category with another level.
    pub(super) fn bump_type(&mut self, commit_type: &str, level: BumpLevel) -> bool {
        let Some(category) = self.category_of(commit_type) else { return level == BumpLevel::None };
        let usual = if category == "added" { BumpLevel::Minor } else { BumpLevel::Patch };
        if let Some(known) = self.config.bump.get(&category) {
            return *known == level;
        }
        if level != usual {
            self.config.bump.insert(category, level);
        }
        true
    }

    /// Sets that listed types other than these bump nothing.
    pub(super) fn bump_only(&mut self, types: &[&str]) {
        let listed = TYPES.iter().map(|(name, _)| (*name).to_owned()).chain(self.config.types.keys().cloned());
        let named: HashSet<&str> = types.iter().copied().collect();
        let listed: Vec<String> = listed.filter(|name| !named.contains(name.as_str())).collect();
        let kept: HashSet<String> = types.iter().filter_map(|name| self.category_of(name)).collect();
        for name in listed {
            if self.category_of(&name).is_some_and(|category| !kept.contains(&category)) {
                self.bump_type(&name, BumpLevel::None);
            }
        }
    }

    pub(super) fn category_of(&self, commit_type: &str) -> Option<String> {
        let own = self.config.types.get(commit_type).map(Option::as_deref);
        own.unwrap_or_else(|| usual_category(commit_type)).map(str::to_owned)
    }
}

/// Finds the field that keys separated by dots lead to.
pub(super) fn find_field<'a>(fields: &[Field<'a>], path: &str) -> Option<Field<'a>> {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    let found = *fields.iter().find(|field| field.key() == first)?;
    if rest.is_empty() { Some(found) } else { find_field(&found.fields().ok()?, rest) }
}

pub(super) fn is_set(fields: &[Field], path: &str, default: bool) -> anyhow::Result<bool> {
    find_field(fields, path).map_or(Ok(default), |field| field.flag())
}

pub(super) fn text_of(fields: &[Field], path: &str) -> anyhow::Result<Option<String>> {
    find_field(fields, path).map_or(Ok(None), |field| field.text())
}

/// Joins a directory, which is empty or `.` for the top, and a path; one that begins with `/` is from the top.
pub(super) fn path_in(directory: &str, path: &str) -> String {
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

/// Returns the default category of a type.
fn usual_category(commit_type: &str) -> Option<&'static str> {
    TYPES.iter().find(|(name, _)| *name == commit_type).and_then(|(_, category)| *category)
}

fn is_usual(commit_type: &str) -> bool {
    TYPES.iter().any(|(name, _)| *name == commit_type)
}
