//! How answers look to people: tables of many things, cards of one.

mod card;
mod table;

pub(super) use self::{
    card::Card,
    table::{Align, Cell, Table},
};

/// What a yes-no question is answered with.
pub(super) fn yes_or_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}
