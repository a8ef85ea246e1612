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
    let mut counts: IndexMap<&str, usize> = titles.values().map(|title| (title.as_str(), 0)).collect();
    let mut count = |entry| {
        let group = counts.entry(title(entry, titles));
        let place = group.index();
        *group.or_default() += 1;
        place
    };
    let places: Vec<usize> = entries.iter().map(&mut count).collect();
    // Entries are large: each group has its whole room at once.
    let room = |(title, count): (&str, usize)| (title.to_owned(), Vec::with_capacity(count));
    let mut groups: Vec<_> = counts.into_iter().map(room).collect();
    for (entry, place) in entries.into_iter().zip(places) {
        groups[place].1.push(entry);
    }
    let listed = groups.into_iter().filter(|(_, entries)| !entries.is_empty());
    listed.map(|(title, entries)| Category::new(title, entries)).collect()
}

fn title<'a>(entry: &'a Entry, titles: &'a IndexMap<String, String>) -> &'a str {
    titles.get(&entry.category).unwrap_or(&entry.category)
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
