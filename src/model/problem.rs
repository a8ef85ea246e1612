//! Failures and warnings with hints: what went wrong, and what the user can do about it.

use std::{
    fmt,
    io::{self, ErrorKind},
};

use super::printable_message;

/// The kind of a failure, which decides the exit code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProblemKind {
    /// The work failed: 1.
    #[default]
    Failed,
    /// The command line is wrong: 2.
    Usage,
    /// Some of many items failed, and the output says which: 1.
    PartialFailure,
    /// A check found something: 3.
    CheckFailed,
    /// The server denied access (401, 403): 4.
    AccessDenied,
    /// Nothing to do under `--fail-on-empty`: 5.
    NothingToDo,
}

/// An error message with its kind and hints, safe to show whatever values it quotes.
///
/// For another program it says why a text is no [`Date`](crate::Date). Inside, most errors are plain `anyhow` chains; one
/// is put into the chain if the user can do something about the failure, or if it has a kind of its own, and the command
/// line reads `problem_kind` and `hints` from the chain.
#[derive(Clone, Debug)]
pub struct Problem {
    kind: ProblemKind,
    message: String,
    details: Vec<String>,
    hints: Vec<String>,
}

impl Problem {
    /// Creates an ordinary failure: one line in lower case, no final period, backticks round values.
    pub(crate) fn new(text: impl AsRef<str>) -> Self {
        let message = printable_message(text.as_ref());
        Self { kind: ProblemKind::Failed, message, details: Vec::new(), hints: Vec::new() }
    }

    /// Creates a failure for a mistake on the command line.
    pub(crate) fn usage(text: impl AsRef<str>) -> Self {
        Self::new(text).kind(ProblemKind::Usage)
    }

    /// Sets the kind.
    pub(crate) fn kind(mut self, kind: ProblemKind) -> Self {
        self.kind = kind;
        self
    }

    /// Returns what the user can do, in the order in which the hints were added.
    pub(crate) fn hints(&self) -> &[String] {
        &self.hints
    }

    /// Adds a hint: what the user can do.
    pub(crate) fn hint(mut self, hint: impl AsRef<str>) -> Self {
        self.hints.push(printable_message(hint.as_ref()));
        self
    }

    /// Adds the hints of another problem or warning.
    pub(crate) fn with_hints(self, hints: impl IntoIterator<Item: AsRef<str>>) -> Self {
        hints.into_iter().fold(self, Self::hint)
    }

    /// Sets further lines of the message, such as an excerpt of the text it is about.
    pub(crate) fn details(self, lines: impl IntoIterator<Item = String>) -> Self {
        Self { details: lines.into_iter().map(|line| printable_message(&line)).collect(), ..self }
    }

    /// Makes a warning of the problem, without further lines.
    pub(crate) fn in_short(self, what: &str) -> Warning {
        Warning { hints: self.hints, ..Warning::new(format!("{what}: {}", self.message)) }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)?;
        self.details.iter().try_for_each(|line| write!(out, "\n{line}"))
    }
}

impl std::error::Error for Problem {}

/// Returns the kind of the outermost [`Problem`] of a chain, else [`ProblemKind::Failed`].
#[must_use]
pub(crate) fn problem_kind(error: &anyhow::Error) -> ProblemKind {
    problems(error).next().map_or(ProblemKind::Failed, |problem| problem.kind)
}

/// Returns the hints of every [`Problem`] of a chain, outermost first.
#[must_use]
pub(crate) fn hints(error: &anyhow::Error) -> Vec<&str> {
    problems(error).flat_map(|problem| problem.hints.iter().map(String::as_str)).collect()
}

/// Returns the problems of a chain: `downcast_ref` finds the outermost one, also if it was given as context; walking
/// the chain finds those that are causes.
fn problems(error: &anyhow::Error) -> impl Iterator<Item = &Problem> {
    let outermost: Option<&Problem> = error.downcast_ref();
    let causes = error.chain().filter_map(|cause| cause.downcast_ref::<Problem>());
    outermost
        .into_iter()
        .chain(causes.filter(move |problem| !outermost.is_some_and(|outermost| std::ptr::eq(outermost, *problem))))
}

/// A message that does not stop the command, and hints. Each is one line, safe to show. `--strict` makes it an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Warning {
    /// The message: lower case, no final period.
    pub message: String,
    /// What the user can do, in the order in which the hints were added.
    pub hints: Vec<String>,
}

impl Warning {
    /// Creates a warning without a hint.
    pub(crate) fn new(text: impl AsRef<str>) -> Self {
        Self { message: printable_message(text.as_ref()), hints: Vec::new() }
    }

    /// Creates a warning that something was left out because of an error, with the hints of the error.
    pub(crate) fn from_error(what: impl fmt::Display, error: &anyhow::Error) -> Self {
        hints(error).into_iter().fold(Self::new(format!("{what}: {error:#}")), Self::hint)
    }

    /// Adds a hint: what the user can do.
    pub(crate) fn hint(mut self, hint: impl AsRef<str>) -> Self {
        self.hints.push(printable_message(hint.as_ref()));
        self
    }
}

impl From<Problem> for Warning {
    fn from(problem: Problem) -> Self {
        Self { message: printable_message(&problem.to_string()), hints: problem.hints }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

/// Returns `None` if the file or directory was not found.
pub(crate) fn none_if_missing<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    none_if(found, |error| matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory))
}

/// Returns `None` for an error that means that there is nothing.
pub(crate) fn none_if<T, E>(found: Result<T, E>, is_missing: impl FnOnce(&E) -> bool) -> Result<Option<T>, E> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;

    use super::*;

    #[test]
    fn kind_and_hints_survive_added_context() {
        let error = anyhow::Error::from(Problem::usage("no such option").hint("try --help")).context("while parsing");
        assert_eq!(problem_kind(&error), ProblemKind::Usage);
        assert_eq!(hints(&error), ["try --help"]);
    }

    #[test]
    fn a_problem_can_be_the_context_of_another_error() {
        let failed: Result<(), _> = Err(std::io::Error::other("disk full"));
        let error = failed.context(Problem::new("cannot write").hint("make room")).unwrap_err();
        assert_eq!(hints(&error), ["make room"]);
        assert_eq!(problem_kind(&anyhow::anyhow!("plain")), ProblemKind::Failed);
    }

    #[test]
    fn a_warning_has_every_hint_of_its_error() {
        let failed: Result<(), _> = Err(Problem::new("no file").hint("make one"));
        let error = failed.context(Problem::new("cannot load").hint("name another")).unwrap_err();
        let warning = Warning::from_error("nothing is listed", &error);
        assert_eq!(warning.message, "nothing is listed: cannot load: no file");
        assert_eq!(warning.hints, ["name another", "make one"]);
        let warning = Warning::from(Problem::new("no file").details(["a line".into()]).hint("make one").hint("or two"));
        assert_eq!(warning.hints, ["make one", "or two"]);
    }

    #[test]
    fn context_and_cause_both_give_hints() {
        let failed: Result<(), _> = Err(Problem::new("no file").hint("make one"));
        let error = failed.context(Problem::usage("cannot load").hint("name another")).unwrap_err();
        assert_eq!(hints(&error), ["name another", "make one"]);
        assert_eq!(problem_kind(&error), ProblemKind::Usage);
    }
}
