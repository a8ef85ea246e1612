//! The categories of a section: their titles, their order, and the grouping of entries.

use std::borrow::Cow;

use indexmap::{IndexMap, IndexSet};

use crate::{
    config::{CHANGES, Config},
    model::{BREAKING, Category, Entry},
};

/// The titles of the usual categories in their order, unless GitLab's rule applies, by which a value is its own title.
/// A configuration with rules does not follow GitLab's.
const TITLES: [(&str, &str); 10] = [
    (BREAKING, "Breaking changes"),
    ("added", "Added"),
    ("fixed", "Fixed"),
    ("performance", "Performance"),
    ("changed", "Changed"),
    ("deprecated", "Deprecated"),
    ("removed", "Removed"),
    ("security", "Security"),
    (CHANGES, "Changes"),
    ("other", "Other"),
];

/// Returns the titles of categories in the order of a section: those of the configuration, else of the changelog file,
/// then the usual ones, and last what else labels stand for; as GitLab has them, only those of the configuration.
pub(crate) fn category_titles<'c>(
    config: &'c Config,
    is_as_on_gitlab: bool,
    of_file: &[(String, String)],
) -> Cow<'c, IndexMap<String, String>> {
    if is_as_on_gitlab && config.source.has_only_trailers() && (config.rules.is_empty() || config.is_gitlab_file) {
        return Cow::Borrowed(&config.categories);
    }
    if config.categories.is_empty() && !of_file.is_empty() {
        let usual = TITLES.iter().map(|(category, title)| ((*category).to_owned(), (*title).to_owned()));
        let (breaking, others): (Vec<_>, Vec<_>) = usual
            .filter(|(category, _)| !of_file.iter().any(|(known, _)| known == category))
            .partition(|(category, _)| category == BREAKING);
        let titles = breaking.into_iter().chain(of_file.iter().cloned()).chain(others).collect();
        return Cow::Owned(with_labels(titles, config));
    }
    // Breaking changes come first, even before the categories of a configuration that does not name them.
    let (breaking, others) = TITLES.split_at(1);
    let usual = |titles: &[(&str, &str)]| {
        let missing = titles.iter().filter(|(category, _)| !config.categories.contains_key(*category));
        missing.map(|(category, title)| ((*category).to_owned(), (*title).to_owned())).collect::<Vec<_>>()
    };
    let configured = config.categories.iter().map(|(category, title)| (category.clone(), title.clone()));
    let titles = usual(breaking).into_iter().chain(configured).chain(usual(others)).collect();
    Cow::Owned(with_labels(titles, config))
}

/// Puts the categories of their own that labels stand for last, in the order of the configuration.
fn with_labels(titles: IndexMap<String, String>, config: &Config) -> IndexMap<String, String> {
    let own: IndexSet<&str> = config
        .labels
        .category_names()
        .filter(|name| {
            !TITLES.iter().any(|(category, _)| category == name)
                && !config.categories.iter().any(|(category, title)| category == name || title == name)
        })
        .collect();
    // A usual category may have the title of one of them, by the changelog file.
    let (same, mut titles): (IndexMap<_, _>, IndexMap<_, _>) =
        titles.into_iter().partition(|(_, title)| own.contains(title.as_str()));
    for name in own {
        titles.extend(same.iter().filter(|(_, title)| *title == name).map(|(key, title)| (key.clone(), title.clone())));
        titles.insert(name.to_owned(), name.to_owned());
    }
    titles
}

/// Groups entries under the titles of their categories, in the order of a section.
pub(crate) fn group_by_category(entries: Vec<Entry>, config: &Config) -> Vec<Category> {
    let groups = group(entries, |entry| &entry.category, &category_titles(config, true, &[]));
    groups.into_iter().map(|(title, entries)| Category::new(title, entries)).collect()
}

/// Groups items under the titles of their categories.
///
/// `titles` maps the value of the category trailer, exactly as it is, to a title; other values are their own titles.
/// Titles of the map come first and in its order, the others by first appearance. Values with the same title share a
/// group, and a title without items is dropped. Items keep their order.
pub(super) fn group<T>(
    items: Vec<T>,
    category: impl Fn(&T) -> &str,
    titles: &IndexMap<String, String>,
) -> Vec<(String, Vec<T>)> {
    let mut groups: IndexMap<String, Vec<T>> = titles.values().map(|title| (title.clone(), Vec::new())).collect();
    for item in items {
        let value = category(&item);
        let title = titles.get(value).map_or(value, String::as_str);
        match groups.get_mut(title) {
            Some(group) => group.push(item),
            None => drop(groups.insert(title.to_owned(), vec![item])),
        }
    }
    groups.into_iter().filter(|(_, items)| !items.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grouped(values: &[&str], titles: &[(&str, &str)]) -> Vec<String> {
        let items: Vec<_> = values.iter().enumerate().collect();
        let titles = titles.iter().map(|(value, title)| ((*value).to_owned(), (*title).to_owned())).collect();
        let show = |(title, items): (String, Vec<(usize, &&str)>)| {
            let indexes: Vec<_> = items.iter().map(|(index, _)| index.to_string()).collect();
            format!("{title}: {}", indexes.join(" "))
        };
        group(items, |(_, value)| value, &titles).into_iter().map(show).collect()
    }

    #[test]
    fn configured_titles_come_first_then_the_others_by_appearance() {
        let titles = [("fixed", "Repairs"), ("unused", "Unused"), ("added", "New")];
        assert_eq!(
            grouped(&["zeta", "added", "alpha", "fixed", "zeta", "added"], &titles),
            ["Repairs: 3", "New: 1 5", "zeta: 0 4", "alpha: 2"]
        );
    }

    #[test]
    fn values_with_one_title_share_it() {
        assert_eq!(grouped(&["fixed", "other", "bug"], &[("fixed", "other"), ("bug", "other")]), ["other: 0 1 2"]);
        assert_eq!(grouped(&["Added", "added", ""], &[("added", "New")]), ["New: 1", "Added: 0", ": 2"]);
        assert_eq!(grouped(&[], &[("added", "New")]), [""; 0]);
    }
}
