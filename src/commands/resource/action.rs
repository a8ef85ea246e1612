//! One action of a resource: a row of its table.

use clap::{ArgMatches, Args as _, Command};
use serde_json::{Map, Value};

use super::param::{Param, nest_fields};
use crate::{
    api::{ApiRequest, Body, Fields, FilePart, Method, Path, Secret},
    commands::{
        ConfirmArgs, PageArgs, Server, Session, WriteArgs,
        layout::{Column, plain},
        session::Output,
    },
    model::Problem,
};

/// A text in a table.
type Text = &'static str;

/// An action on a resource: the command, the endpoint, and what is shown of the response.
pub(crate) struct Action {
    pub(crate) name: Text,
    help: Text,
    pub(super) method: Method,
    /// The path as documented; the part in brackets is omitted unless its value is given.
    path: Text,
    access: Text,
    params: Vec<Param>,
    json: bool,
    pub(crate) paged: bool,
    /// The message for an empty list.
    pub(super) none: Text,
    /// The question for confirmation; `{field}` is replaced by a value.
    pub(super) question: Option<Text>,
    required: RequiredFields,
    complete: fn(&ActionArgs<'_>, &mut RequestContent) -> anyhow::Result<()>,
    precondition: fn(&ActionArgs<'_>, &RequestContent) -> Text,
    legacy: Option<Legacy>,
    pub(super) show: Show,
    pub(super) run: Option<Run>,
    extend: fn(Command) -> Command,
}

/// Fields of which at least one must be given, the message if none is, and its hint.
type RequiredFields = (&'static [Text], Text, Text);
/// The path on older servers, and the field in which they accept the value of `label_id`.
type Legacy = (Text, fn(&str) -> Text);
/// The function that replaces the request and the output.
type Run = fn(&ActionArgs<'_>, &Server, &mut Session) -> anyhow::Result<()>;
type Print = fn(&ActionArgs<'_>, &Value, &mut Output) -> std::io::Result<()>;

pub(super) enum Show {
    Table(fn(&ActionArgs<'_>) -> &'static [Column]),
    /// The paths that may have the title, of which the first existing one is used, and the fields.
    Card(&'static [Text], &'static [Column]),
    /// The message for a change, and for one that was already in effect.
    Done(Text, Text),
    Text(Print),
    /// A text, byte for byte.
    Bytes(Text),
}

/// The content of a request besides the path.
#[derive(Default)]
pub(crate) struct RequestContent {
    pub(crate) fields: Map<String, Value>,
    pub(crate) secrets: Vec<Secret>,
    pub(crate) upload: Option<FilePart>,
}

impl RequestContent {
    /// Sets a field if there is a value for it.
    pub(crate) fn set(&mut self, field: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.fields.insert(field.to_owned(), value.into());
        }
    }

    pub(crate) fn is_given(&self, field: &str) -> bool {
        self.fields.contains_key(field)
    }
}

/// Defines the constructors of an action, by method.
macro_rules! constructors {
    ($($name:ident: $method:ident),*) => {$(
        pub(crate) fn $name(name: Text, help: Text, path: Text, access: Text) -> Self {
            Self::new(Method::$method, name, help, path, access)
        }
    )*};
}

/// Defines functions that set fields of an action.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $type:ty),*) => $field:ident: $value:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) fn $name(self, $($arg: $type),*) -> Self {
            Self { $field: $value, ..self }
        }
    )*};
}

/// # The rows of a table
impl Action {
    constructors!(get: Get, post: Post, put: Put, delete: Delete);

    fn new(method: Method, name: Text, help: Text, path: Text, access: Text) -> Self {
        Self {
            name,
            help,
            method,
            path,
            access,
            params: Vec::new(),
            json: false,
            paged: false,
            none: "",
            question: None,
            required: (&[], "", ""),
            complete: |_, _| Ok(()),
            precondition: |_, _| "",
            legacy: None,
            show: Show::Done("", ""),
            run: None,
            extend: |command| command,
        }
    }

    /// Creates an action without an endpoint of its own.
    pub(crate) fn custom(name: Text, help: Text, extend: fn(Command) -> Command, run: Run) -> Self {
        Self { extend, ..Self::new(Method::Get, name, help, "", "") }.run(run)
    }

    /// Prints a list as a table, or `none` if it is empty.
    pub(crate) fn table(self, none: Text, columns: fn(&ActionArgs<'_>) -> &'static [Column]) -> Self {
        Self { show: Show::Table(columns), ..self }.none(none)
    }

    setters! {
        params(params: impl Into<Vec<Param>>) => params: params.into();
        /// Sends the fields as a JSON document rather than as a form.
        json() => json: true;
        paged() => paged: true;
        none(none: Text) => none: none;
        card(title: &'static [Text], fields: &'static [Column]) => show: Show::Card(title, fields);
        text(print: Print) => show: Show::Text(print);
        bytes(path: Text) => show: Show::Bytes(path);
        done(done: Text) => show: Show::Done(done, done);
        /// Prints one message for a change, and another if it was already in effect.
        done_or(done: Text, already: Text) => show: Show::Done(done, already);
        /// Asks for confirmation.
        confirm(question: Text) => question: Some(question);
        /// Refuses a request without any of these fields.
        requires(one_of: &'static [Text], message: Text, hint: Text) => required: (one_of, message, hint);
        /// Checks the arguments, and sets fields that depend on several of them.
        complete(complete: fn(&ActionArgs<'_>, &mut RequestContent) -> anyhow::Result<()>) => complete: complete;
        precondition(precondition: fn(&ActionArgs<'_>, &RequestContent) -> Text) => precondition: precondition;
        legacy(path: Text, key: fn(&str) -> Text) => legacy: Some((path, key));
        run(run: Run) => run: Some(run);
    }
}

/// # What follows from a row
impl Action {
    pub(super) fn command(&self) -> Command {
        let command = (self.extend)(Command::new(self.name)).args(self.params.iter().map(|param| param.arg.clone()));
        let command = match self.method {
            _ if self.path.is_empty() => command,
            Method::Get if self.paged => PageArgs::augment_args(command),
            Method::Get => command,
            _ if self.question.is_some() => ConfirmArgs::augment_args(command),
            _ => WriteArgs::augment_args(command),
        };
        // This comes last, because `augment_args` sets `about` to the doc comment of the arguments.
        command.about(self.help)
    }

    /// Returns the path as documented, with or without the part in brackets; `None` if it has no such form.
    #[cfg(test)]
    pub(super) fn documented_path(&self, optional: bool) -> Option<String> {
        let is_there = !self.path.is_empty() && (!optional || self.path.starts_with('['));
        is_there.then(|| self.template(optional))
    }

    fn template(&self, optional: bool) -> String {
        match self.path.strip_prefix('[').and_then(|path| path.split_once(']')) {
            Some((prefix, rest)) => {
                if optional {
                    format!("{prefix}{rest}")
                } else {
                    rest.to_owned()
                }
            }
            None => self.path.to_owned(),
        }
    }

    fn request(&self, path: &dyn Fn(&str) -> Option<String>, draft: RequestContent) -> ApiRequest {
        let RequestContent { fields, secrets, upload } = draft;
        let of_path = |template: &str| {
            let names = template.split('/').filter_map(|segment| segment.strip_prefix(':'));
            let values: Vec<String> = names.map(|name| path(name).unwrap_or_default()).collect();
            Path::new(template, &values.iter().map(String::as_str).collect::<Vec<_>>())
        };
        let request = ApiRequest::new(self.method, of_path(&self.template(path("id").is_some())));
        let legacy = self.legacy.map(|(template, key)| {
            let key = path("label_id").map(|label| (key(&label).to_owned(), Value::String(label)));
            let fields = key.into_iter().chain(fields.clone()).collect();
            Box::new(self.with_fields(ApiRequest::new(self.method, of_path(template)), fields, None))
        });
        ApiRequest { required_access: self.access, secrets, legacy, ..self.with_fields(request, fields, upload) }
    }

    fn with_fields(&self, request: ApiRequest, fields: Map<String, Value>, upload: Option<FilePart>) -> ApiRequest {
        if self.json {
            return request.body(Body::Json(nest_fields(fields)));
        }
        let is_empty = fields.is_empty();
        let fields = fields.iter().fold(Fields::new(), |all, (name, value)| {
            // `null` is an empty value in a form.
            all.add(name, &if value.is_null() { String::new() } else { plain(value) })
        });
        match (self.method, upload) {
            (Method::Get | Method::Delete, _) => request.query(fields),
            (_, Some(file)) => request.body(Body::Multipart { fields, file }),
            _ if is_empty => request,
            _ => request.body(Body::Form(fields)),
        }
    }
}

pub(crate) struct ActionArgs<'a> {
    pub(crate) action: &'a Action,
    pub(crate) matches: &'a ArgMatches,
    /// The project of `:id`, unless an argument sets it.
    pub(super) project: Option<String>,
}

impl ActionArgs<'_> {
    fn param(&self, id: &str) -> Option<&Param> {
        self.action.params.iter().find(|param| param.arg.get_id() == id)
    }

    pub(crate) fn value(&self, id: &str) -> Option<Value> {
        self.param(id)?.value(self.matches)
    }

    pub(crate) fn text(&self, id: &str) -> Option<String> {
        self.value(id).map(|value| plain(&value))
    }

    pub(crate) fn flag(&self, id: &str) -> bool {
        self.value(id).is_some()
    }

    /// Returns the values of an argument that can be repeated.
    pub(crate) fn values(&self, id: &str) -> Vec<String> {
        self.matches.get_many::<Value>(id).into_iter().flatten().map(plain).collect()
    }

    /// Returns the project or group of `id` in words, else "the server".
    pub(crate) fn owner(&self) -> String {
        self.field("id").map_or_else(|| "the server".to_owned(), |id| format!("`{id}`"))
    }

    /// Returns the value of a field from any source; the field `owner` is the project or group of the resource.
    pub(crate) fn field(&self, name: &str) -> Option<String> {
        if name == "owner" {
            return Some(self.owner());
        }
        let param = self.action.params.iter().find(|param| param.field == name);
        let given = param.and_then(|param| param.value(self.matches)).map(|value| plain(&value));
        given.or_else(|| self.project.clone().filter(|_| name == "id"))
    }

    /// Replaces `{field}` in a text by the values of fields.
    pub(crate) fn fill(&self, text: &str) -> String {
        let mut filled = String::new();
        for (index, part) in text.split(['{', '}']).enumerate() {
            filled += &if index % 2 == 0 { part.to_owned() } else { self.field(part).unwrap_or_default() };
        }
        filled
    }

    /// Returns the request of any action, with values for the path and a draft of the rest.
    pub(crate) fn request_for(
        &self,
        action: &Action,
        path: &dyn Fn(&str) -> Option<String>,
        draft: RequestContent,
    ) -> ApiRequest {
        let precondition = (action.precondition)(self, &draft);
        ApiRequest { precondition, ..action.request(path, draft) }
    }

    pub(crate) fn request(&self) -> anyhow::Result<ApiRequest> {
        let mut draft = RequestContent::default();
        for param in &self.action.params {
            if !param.field.is_empty()
                && !self.action.path.split(['/', ']']).any(|part| part.strip_prefix(':') == Some(&param.field))
            {
                draft.set(&param.field, param.value(self.matches));
            }
        }
        (self.action.complete)(self, &mut draft)?;
        let (one_of, message, hint) = self.action.required;
        if !one_of.is_empty() && !one_of.iter().any(|field| draft.is_given(field)) {
            return Err(Problem::usage(self.fill(message)).hint(hint).into());
        }
        Ok(self.request_for(self.action, &|name| self.field(name), draft))
    }
}
