//! From entries to a release: each under the title of its category.

use indexmap::IndexMap;

use crate::model::{Category, Entry};

/// Puts entries under their titles.
///
/// `titles` maps the value of the category trailer, exactly as it is, to a title; other values are their own titles.
/// Titles of the map come first and in its order, the others by first appearance. Values with one title share it, and
/// a title without entries is left out. Entries keep their order.
#[must_use]
pub fn group(entries: Vec<Entry>, titles: &IndexMap<String, String>) -> Vec<Category> {
    let mut groups: IndexMap<String, Vec<Entry>> = titles.values().map(|title| (title.clone(), Vec::new())).collect();
    for entry in entries {
        let title = titles.get(&entry.category).unwrap_or(&entry.category);
        match groups.get_mut(title) {
            Some(group) => group.push(entry),
            None => drop(groups.insert(title.clone(), vec![entry])),
        }
    }
    let listed = groups.into_iter().filter(|(_, entries)| !entries.is_empty());
    listed.map(|(title, entries)| Category::new(title, entries)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grouped(values: &[&str], titles: &[(&str, &str)]) -> Vec<String> {
        let entry = |(index, value): (usize, &&str)| Entry {
            title: index.to_string(),
            category: (*value).to_owned(),
            ..Entry::default()
        };
        let titles = titles.iter().map(|(value, title)| ((*value).to_owned(), (*title).to_owned())).collect();
        let categories = group(values.iter().enumerate().map(entry).collect(), &titles);
        let show = |category: Category| {
            let entries: Vec<_> = category.entries.iter().map(|entry| entry.title.as_str()).collect();
            format!("{}: {}", category.title, entries.join(" "))
        };
        categories.into_iter().map(show).collect()
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
