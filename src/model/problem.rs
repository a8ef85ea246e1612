//! A failure that knows its kind and the way out.
//!
//! Most errors are plain `anyhow` chains. Where the code knows what the user can do about it, or that the failure is
//! no ordinary one, it puts a [`Problem`] into the chain; the outermost floor reads [`kind`] and [`hints`] off it.

use std::fmt;

use super::message;

/// What a failure means to the caller: each kind is an exit code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProblemKind {
    /// The work failed: 1.
    #[default]
    Failed,
    /// The command line is wrong: 2.
    Usage,
    /// Some of many failed, and the answer tells which: 1.
    PartialFailure,
    /// A check found something: 3.
    CheckFailed,
    /// The server refused (401, 403): 4.
    AccessDenied,
    /// Nothing to do under `--fail-on-empty`: 5.
    NothingToDo,
}

/// An error message with its kind and hints, safe to show whatever values it quotes.
#[derive(Debug)]
pub struct Problem {
    kind: ProblemKind,
    message: String,
    details: Vec<String>,
    hints: Vec<String>,
}

impl Problem {
    /// An ordinary failure: lower case, no final period, backticks round values, one line.
    pub fn new(text: impl AsRef<str>) -> Self {
        let message = message(text.as_ref());
        Self { kind: ProblemKind::Failed, message, details: Vec::new(), hints: Vec::new() }
    }

    /// A mistake on the command line.
    pub fn usage(text: impl AsRef<str>) -> Self {
        Self::new(text).kind(ProblemKind::Usage)
    }

    /// The same failure of another kind.
    #[must_use]
    pub fn kind(mut self, kind: ProblemKind) -> Self {
        self.kind = kind;
        self
    }

    /// What to do now.
    #[must_use]
    pub fn hints(&self) -> &[String] {
        &self.hints
    }

    /// Adds what to do now; hints are printed in the order they were added.
    #[must_use]
    pub fn hint(mut self, hint: impl AsRef<str>) -> Self {
        self.hints.push(message(hint.as_ref()));
        self
    }

    /// The same failure with more lines than one, such as those of the text it is about.
    #[must_use]
    pub fn details(self, lines: impl IntoIterator<Item = String>) -> Self {
        Self { details: lines.into_iter().map(|line| message(&line)).collect(), ..self }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)?;
        self.details.iter().try_for_each(|line| write!(out, "\n{line}"))
    }
}

impl std::error::Error for Problem {}

/// The kind of the outermost [`Problem`] of a chain, else [`ProblemKind::Failed`].
#[must_use]
pub fn kind(error: &anyhow::Error) -> ProblemKind {
    problems(error).next().map_or(ProblemKind::Failed, |problem| problem.kind)
}

/// The hints of every [`Problem`] of a chain, outermost first.
#[must_use]
pub fn hints(error: &anyhow::Error) -> Vec<&str> {
    problems(error).flat_map(|problem| problem.hints.iter().map(String::as_str)).collect()
}

/// A `Problem` given as anyhow context is found by `downcast_ref`, those that are causes by walking the chain.
fn problems(error: &anyhow::Error) -> impl Iterator<Item = &Problem> {
    let outermost: Option<&Problem> = error.downcast_ref();
    let causes = error.chain().filter_map(|cause| cause.downcast_ref::<Problem>());
    let is_outermost = move |problem: &&Problem| outermost.is_some_and(|outermost| std::ptr::eq(outermost, *problem));
    outermost.into_iter().chain(causes.filter(move |problem| !is_outermost(problem)))
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;

    use super::*;

    #[test]
    fn kind_and_hints_survive_added_context() {
        let error = anyhow::Error::from(Problem::usage("no such option").hint("try --help")).context("while parsing");
        assert_eq!(kind(&error), ProblemKind::Usage);
        assert_eq!(hints(&error), ["try --help"]);
    }

    #[test]
    fn a_problem_may_be_the_context_of_another_error() {
        let failed: Result<(), _> = Err(std::io::Error::other("disk full"));
        let error = failed.context(Problem::new("cannot write").hint("make room")).unwrap_err();
        assert_eq!(hints(&error), ["make room"]);
        assert_eq!(kind(&anyhow::anyhow!("plain")), ProblemKind::Failed);
    }

    #[test]
    fn hints_of_context_and_cause_are_both_given() {
        let failed: Result<(), _> = Err(Problem::new("no file").hint("make one"));
        let error = failed.context(Problem::usage("cannot load").hint("name another")).unwrap_err();
        assert_eq!(hints(&error), ["name another", "make one"]);
        assert_eq!(kind(&error), ProblemKind::Usage);
    }
}
