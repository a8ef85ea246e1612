//! The order of the entries of a section, and what its headings are: categories, or the parts of the project.

use std::cmp::Reverse;

use indexmap::IndexMap;

use crate::{
    config::{Config, EntryOrder},
    model::{BREAKING, Category, Entry},
};

/// The heading of entries that are of no part of the project.
const OTHERS: &str = "General";

/// Arranges the entries as the configuration says; without its keys they stay as they are, the newest first.
pub(crate) fn arrange(mut categories: Vec<Category>, config: &Config) -> Vec<Category> {
    if config.groups_by_scope {
        categories = by_scope(categories);
    }
    for category in &mut categories {
        match config.entry_order {
            EntryOrder::Newest | EntryOrder::Category => {}
            EntryOrder::Oldest => category.entries.reverse(),
            EntryOrder::Scope => category.entries.sort_by_cached_key(scope_key),
            EntryOrder::Title => category.entries.sort_by_cached_key(|entry| entry.title.to_lowercase()),
        }
    }
    if config.entry_order == EntryOrder::Category {
        categories.sort_by_cached_key(|category| category.title.to_lowercase());
    }
    categories
}

/// Returns the key that entries of one scope share; entries without one come last.
fn scope_key(entry: &Entry) -> (bool, Option<String>) {
    (entry.scope.is_none(), entry.scope.as_ref().map(|scope| scope.to_lowercase()))
}

/// Groups entries under their scopes, in alphabetical order; those without one come last. What breaks comes first in
/// each group and is marked, since no heading says it.
fn by_scope(categories: Vec<Category>) -> Vec<Category> {
    let mut groups: IndexMap<(bool, Option<String>), (String, Vec<Entry>)> = IndexMap::new();
    for mut entry in categories.into_iter().flat_map(|category| category.entries) {
        let key = scope_key(&entry);
        let title = entry.scope.take().unwrap_or_else(|| OTHERS.to_owned());
        entry.breaking |= entry.category == BREAKING;
        groups.entry(key).or_insert_with(|| (title, Vec::new())).1.push(entry);
    }
    groups.sort_unstable_keys();
    let groups = groups.into_values().map(|(title, mut entries)| {
        entries.sort_by_key(|entry| Reverse(entry.breaking));
        Category::new(title, entries)
    });
    groups.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(config: &Config) -> Vec<String> {
        let entry = |category: &str, title: &str, scope: &str| Entry {
            title: title.to_owned(),
            category: category.to_owned(),
            scope: Some(scope.to_owned()).filter(|scope| !scope.is_empty()),
            ..Entry::default()
        };
        let added = vec![entry("added", "Tide", "mast"), entry("added", "anchor", ""), entry("added", "boom", "Deck")];
        let broken = vec![entry("breaking", "oars", "mast")];
        let categories = vec![Category::new("New".to_owned(), added), Category::new("Gone".to_owned(), broken)];
        let shown = |entry: &Entry| format!("{}{}", entry.title, if entry.breaking { "!" } else { "" });
        let arranged = arrange(categories, config);
        let titles = |category: &Category| category.entries.iter().map(shown).collect::<Vec<_>>().join(" ");
        arranged.iter().map(|category| format!("{}: {}", category.title, titles(category))).collect()
    }

    #[test]
    fn entries_have_the_order_of_the_configuration() {
        let sorted = |entry_order| section(&Config { entry_order, ..Config::default() });
        assert_eq!(sorted(EntryOrder::Newest), ["New: Tide anchor boom", "Gone: oars"]);
        assert_eq!(sorted(EntryOrder::Oldest), ["New: boom anchor Tide", "Gone: oars"]);
        assert_eq!(sorted(EntryOrder::Scope), ["New: boom Tide anchor", "Gone: oars"]);
        assert_eq!(sorted(EntryOrder::Title), ["New: anchor boom Tide", "Gone: oars"]);
        assert_eq!(sorted(EntryOrder::Category), ["Gone: oars", "New: Tide anchor boom"]);
    }

    #[test]
    fn headings_may_be_the_parts_of_the_project() {
        let config = Config { groups_by_scope: true, ..Config::default() };
        assert_eq!(section(&config), ["Deck: boom", "mast: oars! Tide", "General: anchor"]);
    }
}
