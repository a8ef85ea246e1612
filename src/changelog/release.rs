//! From what is listed to a release: each under the title of its category.

use indexmap::IndexMap;

use crate::model::{Category, Entry};

/// Puts entries under the titles of their categories, as the section has them.
#[must_use]
pub fn group_by_category(entries: Vec<Entry>, titles: &IndexMap<String, String>) -> Vec<Category> {
    let groups = group(entries, |entry| &entry.category, titles);
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
