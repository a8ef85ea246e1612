//! The commands of a REST resource as a table. A row names a command, its endpoint, its arguments and what is shown of
//! the response; help, request and output are made from it.

mod action;
mod param;

use std::io::Write as _;

use clap::{ArgMatches, Command, FromArgMatches as _};
use serde_json::Value;

pub(crate) use self::action::Action;
use self::action::Show;
pub(super) use self::{
    action::{ActionArgs, RequestContent},
    param::{Param, parse_id},
};
use super::{
    ConfirmArgs, PageArgs, Server, Session, WriteArgs,
    layout::{print_card, print_table, text_at},
    session::confirm,
};
use crate::{
    api::{self, ApiRequest, ApiResponse, Error, Method, Paging},
    model::Warning,
};

/// The number of rows in a table, unless the user asks for more.
const ROWS: usize = 1000;

/// A resource of the REST API and its commands.
pub(crate) struct Resource {
    pub(crate) name: &'static str,
    /// The help: one sentence, and maybe more after an empty line.
    pub(crate) about: &'static str,
    pub(crate) examples: &'static str,
    /// Whether `:id` is the project.
    pub(crate) of_project: bool,
    /// A note that is printed by every command; empty if there is none.
    pub(crate) note: &'static str,
    pub(crate) actions: fn() -> Vec<Action>,
}

impl Resource {
    /// Returns the first sentence of the help.
    pub(crate) fn summary(&self) -> &'static str {
        self.about.split_once(".\n\n").map_or(self.about, |(first, _)| first)
    }

    /// Adds the help and the actions to its command.
    pub(crate) fn augment(&self, command: Command) -> Command {
        let described = command.about(self.summary()).after_help(self.examples);
        let has_more = self.about != self.summary();
        let described = if has_more { described.long_about(self.about) } else { described };
        described
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommands((self.actions)().iter().map(Action::command))
    }

    /// Returns the operations: the command, the method and the path of each.
    #[cfg(test)]
    pub(crate) fn operations(&self) -> Vec<(String, Method, String)> {
        let rows = |optional: bool| {
            let option = if optional { " --group" } else { "" };
            (self.actions)().into_iter().filter_map(move |action| {
                let command = format!("{} {}{option}", self.name, action.name);
                Some((command, action.method, action.documented_path(optional)?))
            })
        };
        rows(false).chain(rows(true)).collect()
    }

    /// Runs the action that the command line names.
    pub(crate) fn run(&self, matches: &ArgMatches, session: &mut Session) -> anyhow::Result<()> {
        let Some((name, matches)) = matches.subcommand() else { return Ok(()) };
        let server = Server::from_session(session)?;
        let project = if self.of_project { Some(server.project()?.to_owned()) } else { None };
        if !self.note.is_empty() {
            session.note(self.note);
        }
        let actions = (self.actions)();
        let Some(action) = actions.iter().find(|action| action.name == name) else { return Ok(()) };
        ActionArgs { action, matches, project }.run(&server, session)
    }
}

/// Sends a request, and refuses a response that is not a list or not an object.
pub(super) fn read(request: &ApiRequest, is_list: bool, server: &Server) -> api::Result<ApiResponse> {
    let response = server.send_request(request)?;
    match (is_list, &response.body) {
        (true, Value::Array(_)) | (false, Value::Object(_)) => Ok(response),
        (true, _) => Err(Error::unexpected_response(request, "it is not a list")),
        (false, _) => Err(Error::unexpected_response(request, "it is not an object")),
    }
}

impl ActionArgs<'_> {
    fn run(&self, server: &Server, session: &mut Session) -> anyhow::Result<()> {
        if let Some(run) = self.action.run {
            return run(self, server, session);
        }
        let request = self.request()?;
        let (action, matches) = (self.action, self.matches);
        let response = match (action.method, action.question) {
            (Method::Get, _) if action.paged => return self.list(request, server, session),
            (Method::Get, _) => {
                let is_list = !matches!(action.show, Show::Card(..) | Show::Bytes(_));
                Some(read(&request, is_list, server)?)
            }
            (_, None) => server.send_change(session, &request, WriteArgs::from_arg_matches(matches)?.dry_run)?,
            (_, Some(question)) => {
                let ConfirmArgs { write, yes } = ConfirmArgs::from_arg_matches(matches)?;
                if !yes && !write.dry_run {
                    confirm(&self.fill(question), &session.messages)?;
                }
                server.send_change(session, &request, write.dry_run)?
            }
        };
        let Some(ApiResponse { body, status, .. }) = response else { return Ok(()) };
        self.print(&body, status == 304, session)
    }

    /// Prints a list: all of it as JSON, page by page, or a table of up to 1000 rows unless the user asks for more.
    fn list(&self, request: ApiRequest, server: &Server, session: &mut Session) -> anyhow::Result<()> {
        let PageArgs { page, per_page, limit, all } = PageArgs::from_arg_matches(self.matches)?;
        let for_machines = session.json();
        let default = if all || page.is_some() || for_machines { usize::MAX } else { ROWS };
        let mut left = limit.map_or(default, |limit| limit as usize);
        let per_page = per_page.or(limit.map(|limit| limit.min(100)));
        let (mut rows, mut count, mut is_cut) = (Vec::new(), 0, false);
        let pages = server.client().pages(request, Paging { page, per_page });
        for page in if for_machines { pages } else { pages.kept() } {
            let mut page = page?;
            is_cut = page.rows.len() > left || page.has_next && page.rows.len() == left;
            page.rows.truncate(left);
            left -= page.rows.len();
            if for_machines {
                session.out.json_elements(count, Some(&page.rows))?;
                count += page.rows.len();
            } else {
                rows.extend(page.rows);
            }
            if left == 0 {
                break;
            }
        }
        server.finish_progress();
        if for_machines {
            session.out.json_elements(count, None)?;
            if count == 0 {
                session.note(self.action.none);
            }
        } else {
            self.print(&Value::Array(rows), false, session)?;
        }
        session.warn(
            &(is_cut && limit.is_none()).then(|| {
                Warning::new(format!("only the first {ROWS} rows are listed")).hint("use `--all` for the rest")
            }),
        )
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
            Show::Table(columns) => print_table(columns(self), rows, out)?,
            Show::Card(title, fields) => match title.iter().find_map(|path| text_at(body, path)) {
                Some(title) => print_card(&title, fields, body, out)?,
                None => session.note("the server confirmed the change without describing the result"),
            },
            Show::Done(done, already) => writeln!(out, "{}", self.fill(if not_modified { already } else { done }))?,
            Show::Text(print) => print(self, body, out)?,
            Show::Bytes(path) => {
                let mut out = out.bytes();
                out.write_all(text_at(body, path).unwrap_or_default().as_bytes())?;
                out.flush()?;
            }
        }
        Ok(())
    }
}
