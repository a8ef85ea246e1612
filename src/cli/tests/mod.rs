//! The tree of commands, against the pages, the action and the component that name its parts.

mod action;
mod component;
mod manual;
mod operations;
mod pages;

use super::*;

#[test]
fn a_panic_is_a_failure_of_its_item_alone() {
    let outcome = unless_it_panics(|| panic!("as it must not"));
    assert_eq!((outcome.code, outcome.error.unwrap().causes.len()), (1, 0));
    assert_eq!(unless_it_panics(ItemOutcome::default).code, 0);
}
