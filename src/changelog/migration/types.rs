//! Types of Conventional Commits with titles, as most tools list them.

use super::outcome::{Migration, find, text_of};
use crate::{
    changelog::conventional::{BREAKING, TYPES},
    config::Field,
    model::BumpLevel,
};

/// The sections of the preset `conventionalcommits`.
const PRESET: [(&str, &str); 5] = [
    ("feat", "Features"),
    ("feature", "Features"),
    ("fix", "Bug Fixes"),
    ("perf", "Performance Improvements"),
    ("revert", "Reverts"),
];

/// What breaks, as that preset calls it.
pub(super) const PRESET_BREAKING: &str = "⚠ BREAKING CHANGES";

impl Migration {
    /// The title of what breaks, above all others or below them.
    pub(super) fn breaking(&mut self, title: &str, is_first: bool) {
        let index = if is_first { 0 } else { self.config.categories.len() };
        self.config.categories.shift_insert(index, BREAKING.to_owned(), title.to_owned());
    }

    /// The sections of a list, else those of the preset `conventionalcommits`.
    pub(super) fn sections_or_preset(&mut self, key: &str, sections: Option<&Field>) -> anyhow::Result<()> {
        self.breaking(PRESET_BREAKING, true);
        let Some(sections) = sections else {
            for (name, title) in PRESET {
                self.list_type(name, Some(title));
            }
            return Ok(());
        };
        self.sections(key, sections)
    }

    /// The sections of the preset `angular`, which are sorted by their titles.
    pub(super) fn angular(&mut self) {
        let [fix, feat, perf, revert] = [PRESET[2], PRESET[0], PRESET[3], PRESET[4]];
        for (name, title) in [fix, feat, perf, revert] {
            self.list_type(name, Some(title));
        }
        self.breaking("BREAKING CHANGES", false);
    }

    /// Lists commits of types under titles, in this order, or hides them.
    pub(super) fn list_types(&mut self, types: &[(String, Option<String>)]) {
        for (name, title) in types {
            if let Some(title) = title {
                // A title that several types share is the category of the best known of them.
                let mut sharing = types.iter().filter(|(_, other)| other.as_ref() == Some(title));
                let usual = sharing.find_map(|(name, _)| usual_category(&name.to_lowercase()));
                self.category(title, usual.unwrap_or(name));
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

    /// The category with a title, else a new one of this name.
    pub(super) fn category(&mut self, title: &str, name: &str) -> String {
        let categories = &mut self.config.categories;
        if let Some((key, _)) = categories.iter().find(|(_, known)| *known == title) {
            return key.clone();
        }
        let numbered = (2..).map(|number| format!("{name} {number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let key = names.find(|name| !categories.contains_key(name)).unwrap_or_default();
        categories.insert(key.clone(), title.to_owned());
        key
    }

    /// Hides the types that are listed without configuration and were not named.
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
            let is_hidden = find(&fields, "hidden").is_some_and(|hidden| hidden.is_on());
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
            if let Some(pattern) = self.pattern(key, field, &pattern) {
                self.rule(pattern, category);
            }
        }
        let named: Vec<String> = listed.into_iter().map(|(name, _)| name).collect();
        self.hide_others(&named);
        Ok(())
    }

    /// What commits of a type bump; `false` if they are not listed, or share a category that bumps something else.
    pub(super) fn bump_type(&mut self, commit_type: &str, level: BumpLevel) -> bool {
        let own = self.config.types.get(commit_type).map(Option::as_deref);
        let Some(category) = own.unwrap_or_else(|| usual_category(commit_type)).map(str::to_owned) else {
            return level == BumpLevel::None;
        };
        let usual = if category == "added" { BumpLevel::Minor } else { BumpLevel::Patch };
        if let Some(known) = self.config.bump.get(&category) {
            return *known == level;
        }
        if level != usual {
            self.config.bump.insert(category, level);
        }
        true
    }

    /// Says that the types which are listed, but for these, bump nothing.
    pub(super) fn bump_only(&mut self, types: &[&str]) {
        let listed = TYPES.iter().map(|(name, _)| (*name).to_owned()).chain(self.config.types.keys().cloned());
        let listed: Vec<String> = listed.filter(|name| !types.contains(&name.as_str())).collect();
        let kept: Vec<String> = types.iter().filter_map(|name| self.category_of(name)).collect();
        for name in listed {
            if self.category_of(&name).is_some_and(|category| !kept.contains(&category)) {
                self.bump_type(&name, BumpLevel::None);
            }
        }
    }

    /// The category that lists a type.
    pub(super) fn category_of(&self, commit_type: &str) -> Option<String> {
        let own = self.config.types.get(commit_type).map(Option::as_deref);
        own.unwrap_or_else(|| usual_category(commit_type)).map(str::to_owned)
    }
}

/// The category of a type without configuration.
fn usual_category(commit_type: &str) -> Option<&'static str> {
    TYPES.iter().find(|(name, _)| *name == commit_type).and_then(|(_, category)| *category)
}

fn is_usual(commit_type: &str) -> bool {
    TYPES.iter().any(|(name, _)| *name == commit_type)
}
