//! One run of the program: the global options, where its answer goes, and what it tells people meanwhile.

pub(super) mod input;
mod messages;
mod output;
mod progress;
mod shown_text;

use std::{
    io::{self, Write as _},
    sync::{Arc, Mutex, PoisonError},
};

use anstyle::{AnsiColor, Style};
use anyhow::Context as _;
use serde::Serialize;

pub use self::messages::Messages;
pub(super) use self::output::Output;
pub(super) use self::{
    messages::{Failures, confirm},
    progress::Progress,
};
use super::args::{Color, Format, GlobalArgs};
use crate::model::{Problem, Warning};

const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();

/// What every command is handed.
#[derive(Debug)]
pub struct Session {
    /// The global options.
    pub global: GlobalArgs,
    /// The sink of the answer.
    pub out: Output,
    /// Where people are told things meanwhile.
    pub messages: Messages,
    /// What was odd about the fetch of a remote repository.
    pub(super) fetch_warnings: Arc<Mutex<Vec<Warning>>>,
    /// What was read because a clone lacks it.
    pub(super) completion: Arc<Mutex<Option<String>>>,
}

impl Session {
    /// Settles folder, colours and sink.
    ///
    /// # Errors
    ///
    /// Where `-C` names no folder, or `--output` a place that cannot be written.
    pub fn start(global: GlobalArgs) -> anyhow::Result<Self> {
        if let Some(directory) = &global.directory {
            std::env::set_current_dir(directory).with_context(|| format!("cannot enter `{}`", directory.display()))?;
        }
        choose_color(global.color);
        let out = global.file().map_or_else(|| Ok(Output::stdout()), Output::file)?;
        Ok(Self { global, out, messages: Messages::Stderr, fetch_warnings: Arc::default(), completion: Arc::default() })
    }

    /// A run beside others: it shares this process's folder and colours, and keeps its answer and what it tells people.
    ///
    /// # Errors
    ///
    /// Where `-C` asks for another folder, or `--output` names a place that cannot be written.
    pub fn captured(global: GlobalArgs) -> anyhow::Result<Self> {
        if global.directory.is_some() {
            return Err(Problem::usage("`-C` is for the whole run").hint("name the repository with `repo`").into());
        }
        let out = global.file().map_or_else(|| Ok(Output::kept()), Output::file)?;
        Ok(Self {
            global,
            out,
            messages: Messages::Captured(Arc::default()),
            fetch_warnings: Arc::default(),
            completion: Arc::default(),
        })
    }

    /// A bar for this run.
    pub(super) fn progress(&self) -> Progress {
        Progress::new(&self.global, &self.messages)
    }

    /// Puts the answer into its place.
    ///
    /// # Errors
    ///
    /// Where the sink cannot be written.
    pub fn finish(self) -> anyhow::Result<()> {
        self.out.finish()
    }

    /// Whether the answer shall be JSON.
    #[must_use]
    pub fn json(&self) -> bool {
        self.global.format == Format::Json
    }

    /// Writes the answer: as JSON `document`, as text what `text` makes of it.
    ///
    /// # Errors
    ///
    /// Where the sink cannot be written.
    pub fn answer(
        &mut self,
        document: &impl Serialize,
        text: impl FnOnce(&mut Output) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        if self.json() { self.out.json(document) } else { Ok(text(&mut self.out)?) }
    }

    /// Writes that something was done, in a line of text or as the JSON the server answered.
    ///
    /// # Errors
    ///
    /// Where the sink cannot be written.
    pub fn done(&mut self, document: &impl Serialize, text: &str) -> anyhow::Result<()> {
        self.answer(document, |out| writeln!(out, "{text}"))
    }

    /// Prints a line on stderr, unless `--quiet` is given.
    pub fn note(&self, text: &str) {
        if !self.global.quiet {
            self.messages.say(text);
        }
    }

    /// Prints what begins to whoever would see a bar; what may ask a question has none, which would be in its way.
    pub(super) fn announce(&self, what: &str) {
        if self.progress().is_shown() {
            self.note(what);
        }
    }

    /// Prints what git, a hook or a server has to say, line by line.
    pub fn relay(&self, text: &str) {
        text.lines().for_each(|line| self.note(line));
    }

    /// Prints what was odd about the fetch of a remote repository, and what came over for an incomplete clone.
    ///
    /// # Errors
    ///
    /// The failure of the command, else under `--strict` the first of the warnings.
    pub fn conclude(&self, done: anyhow::Result<()>) -> anyhow::Result<()> {
        if let Some(completion) = &*self.completion.lock().unwrap_or_else(PoisonError::into_inner) {
            self.note(completion);
        }
        let warned = self.warn(&*self.fetch_warnings.lock().unwrap_or_else(PoisonError::into_inner));
        done.and(warned)
    }

    /// Prints warnings on stderr.
    ///
    /// # Errors
    ///
    /// Under `--strict`, the first of them.
    pub fn warn<'a>(&self, warnings: impl IntoIterator<Item = &'a Warning>) -> anyhow::Result<()> {
        for warning in warnings {
            if self.global.strict {
                let problem = Problem::new(warning.message.as_str());
                return Err(warning.hint.iter().fold(problem, Problem::hint).into());
            }
            self.note(&format!("{WARNING}warning{WARNING:#}: {warning}"));
            if let Some(hint) = &warning.hint {
                self.note(&format!("{HINT}hint{HINT:#}: {hint}"));
            }
        }
        Ok(())
    }
}

fn choose_color(color: Color) {
    let choice = match color {
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}
