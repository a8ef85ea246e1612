//! How answers look to people: tables of many things, cards of one.

mod card;
mod table;

pub(super) use self::{
    card::Card,
    table::{Align, Cell, Table},
};
