//! The commands of a REST resource as a table. A row names a command, its endpoint, its arguments and what is shown of
//! the response; help, request and output follow from it.

mod action;
mod param;

use std::{io::Write as _, marker::PhantomData};

use clap::{ArgMatches, Args, Command, FromArgMatches, error::ErrorKind};
use serde_json::Value;

pub(crate) use self::action::Action;
use self::action::Show;
pub(super) use self::{
    action::{Draft, Given},
    param::{Param, parse_id},
};
use super::{
    ConfirmArgs, PageArgs, Server, Session, WriteArgs,
    layout::{card, table, text},
};
use crate::api::{ApiRequest, ApiResponse, Error, Method, Operation};

/// A resource of the REST API and its commands.
pub(crate) trait Resource {
    const NAME: &'static str;
    /// The help: one sentence, and maybe a longer text.
    const ABOUT: (&'static str, Option<&'static str>);
    const EXAMPLES: &'static str;
    /// Whether `:id` is the project.
    const OF_PROJECT: bool = false;
    /// A note that is printed by every command.
    const NOTE: Option<&'static str> = None;
    fn actions() -> Vec<Action>;
}

pub(crate) struct ResourceArgs<R> {
    action: String,
    matches: ArgMatches,
    resource: PhantomData<fn() -> R>,
}

impl<R: Resource> ResourceArgs<R> {
    pub(crate) fn run(&self, session: &mut Session) -> anyhow::Result<()> {
        let server = Server::of(session)?;
        let project = if R::OF_PROJECT { Some(server.project()?.to_owned()) } else { None };
        if let Some(note) = R::NOTE {
            session.note(note);
        }
        let actions = R::actions();
        let action = actions.iter().find(|action| action.name == self.action);
        let Some(action) = action else { return Ok(()) };
        Given { action, matches: &self.matches, project }.run(&server, session)
    }
}

impl Given<'_> {
    fn run(&self, server: &Server, session: &mut Session) -> anyhow::Result<()> {
        if let Some(run) = self.action.run {
            return run(self, server, session);
        }
        let request = self.request()?;
        let (action, matches) = (self.action, self.matches);
        let response = match (action.method, action.question) {
            (Method::Get, _) if action.paged => return self.list(request, server, session),
            (Method::Get, _) => {
                let response = server.send_request(&request)?;
                let is_list = !matches!(action.show, Show::Card(..) | Show::Bytes(_));
                if is_list && !response.body.is_array() || !is_list && !response.body.is_object() {
                    let kind = if is_list { "a list" } else { "an object" };
                    return Err(Error::unexpected(&request, &format!("it is not {kind}")).into());
                }
                Some(response)
            }
            (_, None) => server.send_change(session, &request, WriteArgs::from_arg_matches(matches)?)?,
            (_, Some(question)) => {
                let args = ConfirmArgs::from_arg_matches(matches)?;
                server.confirm_and_send(session, &request, args, &self.fill(question))?
            }
        };
        let Some(ApiResponse { body, status, .. }) = response else { return Ok(()) };
        self.print(&body, status == 304, session)
    }

    /// Prints a list: as JSON page by page, as a table when it is complete.
    fn list(&self, request: ApiRequest, server: &Server, session: &mut Session) -> anyhow::Result<()> {
        let args = PageArgs::from_arg_matches(self.matches)?;
        let (mut rows, mut count, for_machines) = (Vec::new(), 0, session.json());
        let cut = server.list(request, args, for_machines, |page| {
            if !for_machines {
                rows.extend(page);
                return Ok(());
            }
            session.out.json_elements(count, Some(&page))?;
            count += page.len();
            Ok(())
        })?;
        if for_machines {
            session.out.json_elements(count, None)?;
            if count == 0 {
                session.note(self.action.none);
            }
        } else {
            self.print(&Value::Array(rows), false, session)?;
        }
        session.warn(&cut)
    }

    fn print(&self, body: &Value, not_modified: bool, session: &mut Session) -> anyhow::Result<()> {
        let rows = body.as_array().map(Vec::as_slice).unwrap_or_default();
        if rows.is_empty() && !self.action.none.is_empty() {
            session.note(self.action.none);
        }
        if session.json() {
            return session.out.json(body);
        }
        let out = &mut session.out;
        match &self.action.show {
            Show::Table(columns) => table(columns(self), rows, out)?,
            Show::Card(title, fields) => match title.iter().find_map(|path| text(body, path)) {
                Some(title) => card(&title, fields, body, out)?,
                None => session.note("the server confirmed the change without describing the result"),
            },
            Show::Done(done, already) => writeln!(out, "{}", self.fill(if not_modified { already } else { done }))?,
            Show::Text(print) => print(self, body, out)?,
            Show::Bytes(path) => {
                let mut out = out.bytes();
                out.write_all(text(body, path).unwrap_or_default().as_bytes())?;
                out.flush()?;
            }
        }
        Ok(())
    }
}

/// The operations of a resource, with the command for each.
pub(super) fn operations<R: Resource>() -> Vec<(String, Operation)> {
    let rows = |optional: bool| {
        let actions = R::actions().into_iter();
        let option = if optional { " --group" } else { "" };
        actions.filter_map(move |action| {
            Some((format!("{} {}{option}", R::NAME, action.name), action.operation(optional)?))
        })
    };
    rows(false).chain(rows(true)).collect()
}

impl<R: Resource> Args for ResourceArgs<R> {
    fn augment_args(command: Command) -> Command {
        let command = command.about(R::ABOUT.0).after_help(R::EXAMPLES);
        let command = R::ABOUT.1.into_iter().fold(command, Command::long_about);
        let command = command.subcommand_required(true).arg_required_else_help(true);
        command.subcommands(R::actions().iter().map(Action::command))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<R> FromArgMatches for ResourceArgs<R> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(ErrorKind::MissingSubcommand);
        let (action, matches) = matches.subcommand().ok_or_else(missing)?;
        Ok(Self { action: action.to_owned(), matches: matches.clone(), resource: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
