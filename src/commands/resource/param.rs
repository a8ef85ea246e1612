//! The arguments of an action: the help for each, and the field of the request that it sets.

use clap::{
    Arg, ArgAction, ArgMatches,
    builder::{
        BoolValueParser, NonEmptyStringValueParser, PossibleValuesParser, RangedU64ValueParser, StringValueParser,
        TypedValueParser,
    },
};
use serde_json::{Map, Value};

/// An argument of a command and the field of the request that it sets.
pub(crate) struct Param {
    pub(super) arg: Arg,
    /// The name in path, query or body; `a[b]` is the field `b` of `a`. Empty if the argument is not sent as it is.
    pub(super) field: String,
    /// What a flag sends; `None` for an argument with a value.
    flag: Option<bool>,
}

impl Param {
    fn new(id: &'static str, help: &'static str) -> Self {
        Self { arg: Arg::new(id).help(help), field: id.replace('-', "_"), flag: None }
    }

    /// Creates a required argument with the name of the field.
    pub(crate) fn positional(field: &'static str, value: &'static str, help: &'static str) -> Self {
        let Self { arg, field, flag } = Self::new(field, help);
        Self { arg: arg.value_name(value).required(true).value_parser(text()), field, flag }
    }

    /// Creates an option with a value.
    pub(crate) fn option(long: &'static str, value: &'static str, help: &'static str) -> Self {
        let Self { arg, field, flag } = Self::new(long, help);
        Self { arg: arg.long(long).value_name(value).value_parser(text()), field, flag }
    }

    /// Creates a switch that sends `true`.
    pub(crate) fn flag(long: &'static str, help: &'static str) -> Self {
        let Self { arg, field, .. } = Self::new(long, help);
        Self { arg: arg.long(long).action(ArgAction::SetTrue), field, flag: Some(true) }
    }

    /// Makes the argument set a field with another name.
    pub(crate) fn sends(self, field: &str) -> Self {
        Self { field: field.to_owned(), ..self }
    }

    /// Makes the switch send `false` in a field with another name.
    pub(crate) fn sends_false(self, field: &str) -> Self {
        Self { field: field.to_owned(), flag: Some(false), ..self }
    }

    /// Makes the argument send no field, because the action reads it.
    pub(crate) fn local(self) -> Self {
        self.sends("")
    }

    pub(crate) fn with(self, more: impl FnOnce(Arg) -> Arg) -> Self {
        Self { arg: more(self.arg), ..self }
    }

    pub(crate) fn parse<E>(self, parse: fn(&str) -> Result<Value, E>) -> Self
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>> + 'static,
    {
        self.with(|arg| arg.value_parser(parse))
    }

    pub(crate) fn required(self) -> Self {
        self.with(|arg| arg.required(true))
    }

    pub(crate) fn one_of<const N: usize>(self, values: [&'static str; N]) -> Self {
        self.with(|arg| arg.value_parser(PossibleValuesParser::new(values).map(Value::String)))
    }

    pub(crate) fn filled(self) -> Self {
        self.with(|arg| arg.value_parser(NonEmptyStringValueParser::new().map(Value::String)))
    }

    pub(crate) fn number(self) -> Self {
        self.with(|arg| arg.value_parser(RangedU64ValueParser::<u64>::new().map(Value::from)))
    }

    pub(crate) fn boolean(self) -> Self {
        self.with(|arg| arg.value_parser(BoolValueParser::new().map(Value::Bool)))
    }

    /// Returns the value of the argument; `None` if it was not given.
    pub(super) fn value(&self, matches: &ArgMatches) -> Option<Value> {
        let id = self.arg.get_id().as_str();
        match self.flag {
            Some(sent) => matches.get_flag(id).then_some(Value::Bool(sent)),
            None => matches.get_one::<Value>(id).cloned(),
        }
    }
}

fn text() -> impl TypedValueParser<Value = Value> {
    StringValueParser::new().map(Value::String)
}

/// Returns the fields as a JSON object; `a[b]` is the field `b` of the object `a`.
pub(super) fn nest_fields(fields: Map<String, Value>) -> Value {
    let mut object = Map::new();
    for (name, value) in fields {
        match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
            None => drop(object.insert(name, value)),
            Some((owner, name)) => {
                object.entry(owner).or_insert_with(|| Map::new().into())[name] = value;
            }
        }
    }
    object.into()
}

/// Parses the ID of a resource.
pub(crate) fn parse_id(text: &str) -> Result<Value, &'static str> {
    text.parse::<u64>().ok().filter(|id| *id > 0).map(Value::from).ok_or("an ID is a number from 1")
}
