//! One run of the program: the global options, its input, its output and its messages.

mod messages;
mod output;

use std::{
    borrow::Cow,
    cell::RefCell,
    fs,
    io::{self, Write as _},
    mem,
    path::Path,
    rc::Rc,
};

use anstyle::{AnsiColor, Style};
use anyhow::Context as _;
use serde::Serialize;

pub(crate) use self::{messages::Messages, output::ClosedOutput};
pub(super) use self::{
    messages::{Failures, Progress, confirm},
    output::Output,
};
use super::{
    global_args::{Format, GlobalArgs},
    lookup_cache::Caches,
};
use crate::{
    bounded_read,
    git::HistoryCache,
    model::{Problem, Warning},
    pipeline::Scope,
};

const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();

/// The state that every command uses.
pub(crate) struct Session {
    pub(crate) global: GlobalArgs,
    pub(crate) out: Output,
    pub(crate) messages: Messages,
    pub(super) fetched: Rc<RefCell<FetchReport>>,
    /// The cache of the repository's history, if runs in the same repository share one.
    pub(super) history: Option<HistoryCache>,
    pub(super) lookups: Rc<RefCell<Caches>>,
}

/// The messages about a fetch that are printed at the end of a run.
#[derive(Default)]
pub(super) struct FetchReport {
    pub(super) warnings: Vec<Warning>,
    /// The sentence about objects that were fetched because the clone lacks them.
    pub(super) completion: Option<String>,
}

impl Session {
    /// Starts a run: sets the directory, colours and output.
    pub(crate) fn start(global: GlobalArgs) -> anyhow::Result<Self> {
        if let Some(directory) = &global.directory {
            std::env::set_current_dir(directory).with_context(|| format!("cannot enter `{}`", directory.display()))?;
        }
        global.color.write_global();
        bounded_read::set_maximum(global.max_file.unwrap_or_default());
        let out = global.file().map_or_else(|| Ok(Output::stdout()), Output::file)?;
        let messages = Messages::new(&global, false);
        Ok(Self { global, out, messages, fetched: Rc::default(), history: None, lookups: Rc::default() })
    }

    /// Starts a run parallel to others. It shares directory and colours with them, and captures output and messages.
    /// `history` is shared by the runs in one repository.
    pub(crate) fn with_captured_output(global: GlobalArgs, history: Option<HistoryCache>) -> anyhow::Result<Self> {
        if global.directory.is_some() {
            return Err(Problem::usage("`-C` is for the whole run").hint("name the repository with `repo`").into());
        }
        bounded_read::set_maximum(global.max_file.unwrap_or_default());
        let out = global.file().map_or_else(|| Ok(Output::captured()), Output::file)?;
        let messages = Messages::new(&global, true);
        Ok(Self { global, out, messages, fetched: Rc::default(), history, lookups: Rc::default() })
    }

    /// Leaves a large value to the end of the process, which frees all memory at once, in a fraction of the time
    /// (`benches/shortcuts`). A run parallel to others drops it.
    pub(super) fn free_at_exit<T>(&self, value: T) {
        if !self.messages.is_captured() {
            mem::forget(value);
        }
    }

    pub(super) fn progress(&self) -> &Progress {
        self.messages.progress()
    }

    pub(crate) fn finish(self) -> anyhow::Result<()> {
        self.out.finish()
    }

    pub(crate) fn json(&self) -> bool {
        self.global.format == Format::Json
    }

    /// Prints the result: `document` as JSON, or else `text`.
    pub(crate) fn answer(
        &mut self,
        document: &impl Serialize,
        text: impl FnOnce(&mut Output) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        if self.json() { self.out.json(document) } else { Ok(text(&mut self.out)?) }
    }

    /// Prints that something was done: `document` as JSON, or else a line of text.
    pub(crate) fn print_done(&mut self, document: &impl Serialize, text: &str) -> anyhow::Result<()> {
        self.answer(document, |out| writeln!(out, "{text}"))
    }

    /// Prints a line on stderr, unless `--quiet` is given.
    pub(crate) fn note(&self, text: &str) {
        self.messages.note(text);
    }

    /// Prints a remark on what was read, unless `--quiet` is given.
    pub(crate) fn remark(&self, text: &str) {
        self.messages.remark(text);
    }

    /// Narrows a scope to the package with the bare tags of a repository, if no package was named, and says so.
    pub(crate) fn or_bare_package<'r>(&self, scope: Scope<'r>) -> anyhow::Result<Scope<'r>> {
        let is_named = scope.package_name().is_some();
        let scope = scope.or_bare_package()?;
        if let Some(package) = scope.package_name().filter(|_| !is_named) {
            self.remark(&format!(
                "the repository's own tags are of the package `{package}`, so this is about that one"
            ));
        }
        Ok(scope)
    }

    /// Prints the messages of git, a hook or a server, line by line.
    pub(crate) fn relay(&self, text: &str) {
        text.lines().for_each(|line| self.note(line));
    }

    /// Prints the warnings from the fetch of a remote repository, and what was fetched for an incomplete clone. Keeps
    /// what was looked up for later runs.
    pub(crate) fn conclude(&self, done: anyhow::Result<()>) -> anyhow::Result<()> {
        if let Err(error) = self.lookups.borrow().save() {
            self.note(&format!("cannot write the cache of lookups: {error}"));
        }
        let FetchReport { warnings, completion } = &*self.fetched.borrow();
        if let Some(text) = completion {
            self.note(text);
        }
        let warned = self.warn(warnings);
        done.and(warned)
    }

    pub(crate) fn warn<'a>(&self, warnings: impl IntoIterator<Item = &'a Warning>) -> anyhow::Result<()> {
        for warning in warnings {
            if self.global.strict {
                return Err(Problem::new(warning.message.as_str()).with_hints(&warning.hints).into());
            }
            self.note(&format!("{WARNING}warning{WARNING:#}: {warning}"));
            for hint in &warning.hints {
                self.note(&format!("{HINT}hint{HINT:#}: {hint}"));
            }
        }
        Ok(())
    }
}

/// Returns the name of a file for errors; `-` is stdin.
pub(crate) fn input_name(path: &Path) -> Cow<'_, str> {
    if path == Path::new("-") { "stdin".into() } else { path.to_string_lossy() }
}

pub(crate) fn read_input(path: &Path) -> anyhow::Result<Vec<u8>> {
    let name = input_name(path);
    if path == Path::new("-") {
        return bounded_read::read(io::stdin().lock(), &name);
    }
    bounded_read::read(fs::File::open(path).with_context(|| format!("cannot read `{name}`"))?, &name)
}

/// Reads a file that must be UTF-8 text, without the byte order mark with which programs of Windows begin it.
pub(crate) fn read_text(path: &Path) -> anyhow::Result<String> {
    let text = String::from_utf8(read_input(path)?)
        .map_err(|_| Problem::new(format!("`{}` is not UTF-8 text", input_name(path))))?;
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}

/// Reads an environment variable; `None` if it is empty, because CI systems set variables without a value.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}
