//! Features as people see them: who is let through.

use std::io::{self, Write};

use serde_json::Value;

use crate::{
    api::features::{Definition, Feature, Gate},
    commands::layout::{Align, Card, Table},
};

pub(super) fn table(features: &[Feature], out: &mut impl Write) -> io::Result<()> {
    let mut table = Table::new([("NAME", Align::Left), ("STATE", Align::Left), ("GATES", Align::Left)]);
    for feature in features {
        let gates = gates(feature);
        table.row([(&feature.name).into(), feature.state.as_ref().into(), (&gates).into()]);
    }
    table.write(out)
}

pub(super) fn definitions(definitions: &[Definition], out: &mut impl Write) -> io::Result<()> {
    let left = Align::Left;
    let headings = [("NAME", left), ("TYPE", left), ("DEFAULT", left), ("SINCE", left), ("GROUP", left)];
    let mut table = Table::new(headings);
    for definition in definitions {
        let default = definition.default_enabled.map(on_or_off);
        let group = definition.group.as_ref();
        let kind = definition.kind.as_ref().into();
        table.row([
            (&definition.name).into(),
            kind,
            default.into(),
            definition.milestone.as_ref().into(),
            group.into(),
        ]);
    }
    table.write(out)
}

pub(super) fn card(feature: &Feature, out: &mut impl Write) -> io::Result<()> {
    let gates = gates(feature);
    let definition = feature.definition.as_ref();
    Card::new(&feature.name)
        .field("state", feature.state.as_ref())
        .field("gates", Some(&gates).filter(|gates| !gates.is_empty()))
        .field("type", definition.and_then(|definition| definition.kind.as_ref()))
        .field("group", definition.and_then(|definition| definition.group.as_ref()))
        .field("default", definition.and_then(|definition| definition.default_enabled).map(on_or_off))
        .field("introduced by", definition.and_then(|definition| definition.introduced_by_url.as_ref()))
        .field("rollout", definition.and_then(|definition| definition.rollout_issue_url.as_ref()))
        .write(out)
}

fn on_or_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

/// Who is let through; a switch that is off says nothing beside other gates.
fn gates(feature: &Feature) -> String {
    let is_off = |gate: &&Gate| gate.key == "boolean" && gate.value == Value::Bool(false);
    let open: Vec<String> = feature.gates.iter().filter(|gate| !is_off(gate)).map(gate).collect();
    let gates = if open.is_empty() { feature.gates.iter().map(gate).collect() } else { open };
    gates.join(", ")
}

fn gate(gate: &Gate) -> String {
    match (gate.key.as_str(), &gate.value) {
        ("boolean", Value::Bool(on)) => on_or_off(*on).to_owned(),
        ("percentage_of_time", Value::Number(percentage)) => format!("{percentage}% of the time"),
        ("percentage_of_actors", Value::Number(percentage)) => format!("{percentage}% of actors"),
        (key, Value::Array(names)) => {
            let names = names.iter().map(|name| name.as_str().map_or_else(|| name.to_string(), str::to_owned));
            format!("{key}: {}", names.collect::<Vec<_>>().join(" "))
        }
        (key, value) => format!("{key}: {value}"),
    }
}
