//! A parsed template: a flat list of steps, so that however deep its blocks nest, nothing recurses.

use std::ops::Range;

/// One step. Jumps name the step to go on with.
#[derive(Debug)]
pub(super) enum Instruction {
    /// Print this piece of the template.
    Text(Range<usize>),
    /// Print a value.
    Print(Selector),
    /// Go on, or jump where the value does not hold.
    If { selector: Selector, otherwise: usize },
    /// Jump over the other branch.
    Jump(usize),
    /// Enter a loop, or jump behind it where there is nothing to loop over.
    Each { selector: Selector, end: usize, offset: usize },
    /// Go back to the start of the loop for its next item.
    Next,
}

/// A path from the current scope to a value.
#[derive(Debug, Default)]
pub(super) struct Selector(pub(super) Vec<Key>);

/// One part of a selector.
#[derive(Debug)]
pub(super) enum Key {
    /// `it`: the value itself.
    It,
    /// The key of an object.
    Name(String),
    /// The place in a list, from 0.
    Index(usize),
}
