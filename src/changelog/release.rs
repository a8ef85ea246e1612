//! From what is listed to a release: each under the title of its category.

use std::borrow::Cow;

use indexmap::IndexMap;

use super::conventional::{BREAKING, CHANGES};
use crate::{
    config::Config,
    model::{Category, Entry},
};

/// The titles of the usual categories in their order, unless GitLab's rule holds: there a value is its own title. Rules of
/// the configuration are not GitLab's.
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

/// Returns the titles of categories in the order of a section: those of the configuration, then the usual ones.
#[must_use]
pub fn category_titles(config: &Config) -> Cow<'_, IndexMap<String, String>> {
    if config.source.has_only_trailers() && (config.rules.is_empty() || config.is_gitlab_file) {
        return Cow::Borrowed(&config.categories);
    }
    // What breaks comes first, also before the categories of a configuration that does not name it.
    let (breaking, others) = TITLES.split_at(1);
    let usual = |titles: &[(&str, &str)]| {
        let missing = titles.iter().filter(|(category, _)| !config.categories.contains_key(*category));
        missing.map(|(category, title)| ((*category).to_owned(), (*title).to_owned())).collect::<Vec<_>>()
    };
    let configured = config.categories.iter().map(|(category, title)| (category.clone(), title.clone()));
    Cow::Owned(usual(breaking).into_iter().chain(configured).chain(usual(others)).collect())
}

/// Puts entries under the titles of their categories, as the section has them.
#[must_use]
pub fn group_by_category(entries: Vec<Entry>, config: &Config) -> Vec<Category> {
    let groups = group(entries, |entry| &entry.category, &category_titles(config));
    groups.into_iter().map(|(title, entries)| Category::new(title, entries)).collect()
}

/// Puts items under the titles of their categories.
///
/// `titles` maps the value of the category trailer, exactly as it is, to a title; other values are their own titles.
/// Titles of the map come first and in its order, the others by first appearance. Values with one title share it, and
/// a title without items is left out. Items keep their order.
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
            let places: Vec<_> = items.iter().map(|(place, _)| place.to_string()).collect();
            format!("{title}: {}", places.join(" "))
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
