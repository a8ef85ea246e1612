//! The parts of the result of a merge, in their order; each has a number that stays the same while others are inserted.

use std::collections::HashMap;

use super::parts::Kind;

/// A part of the result.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) kind: Kind,
    pub(super) text: String,
    /// Its place in the text of people.
    pub(super) theirs: Option<usize>,
    /// Its place in the text that is generated now.
    pub(super) new: Option<usize>,
    /// Whether it is a heading that was generated once and is not now.
    pub(super) is_dropped: bool,
}

/// A linked list of items.
#[derive(Default)]
pub(super) struct MergeItems {
    items: Vec<Linked>,
    ends: Link,
    /// The numbers of items by their places in the text that is generated now.
    by_place: HashMap<usize, usize>,
}

struct Linked {
    item: Item,
    link: Link,
}

/// The neighbours of an item; of the list, its last and its first item.
#[derive(Clone, Copy, Default)]
struct Link {
    before: Option<usize>,
    after: Option<usize>,
}

impl MergeItems {
    pub(super) fn push(&mut self, item: Item) {
        self.insert_before(None, item);
    }

    pub(super) fn insert_after(&mut self, number: usize, item: Item) -> usize {
        self.insert_before(self.items[number].link.after, item)
    }

    /// Inserts an item before another, or at the end. Returns its number.
    pub(super) fn insert_before(&mut self, after: Option<usize>, item: Item) -> usize {
        let number = self.items.len();
        let before = self.link(after).before.replace(number);
        self.link(before).after = Some(number);
        if let Some(place) = item.new {
            self.by_place.entry(place).or_insert(number);
        }
        self.items.push(Linked { item, link: Link { before, after } });
        number
    }

    /// Returns the number of the item that is at a place of the text that is generated now.
    pub(super) fn position(&self, place: usize) -> Option<usize> {
        self.by_place.get(&place).copied()
    }

    /// Returns the number of the first heading after an item, or of all.
    pub(super) fn next_heading(&self, number: Option<usize>) -> Option<usize> {
        let next = |number: Option<usize>| number.map_or(self.ends, |number| self.items[number].link).after;
        std::iter::successors(next(number), |number| next(Some(*number)))
            .find(|number| self.items[*number].item.kind == Kind::Heading)
    }

    pub(super) fn into_vec(self) -> Vec<Item> {
        let mut next = self.ends.after;
        let mut items: Vec<_> = self.items.into_iter().map(Some).collect();
        let mut ordered = Vec::with_capacity(items.len());
        while let Some(Linked { item, link }) = next.and_then(|number| items[number].take()) {
            ordered.push(item);
            next = link.after;
        }
        ordered
    }

    fn link(&mut self, number: Option<usize>) -> &mut Link {
        match number {
            Some(number) => &mut self.items[number].link,
            None => &mut self.ends,
        }
    }
}
