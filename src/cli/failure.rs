//! The outermost report of a failure: its message, its hints and its exit code.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use crate::model::{self, Problem, ProblemKind, between_styles, message};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();

/// Writes `error: what failed`, the chain of causes and the hints to stderr, and gives the exit code.
///
/// A closed pipe is no failure: whoever read our output has seen enough.
pub(super) fn report(error: &anyhow::Error) -> u8 {
    if is_broken_pipe(error) {
        return 0;
    }
    // Where stderr is gone there is nobody left to tell.
    let _ = print(error, &mut anstream::stderr().lock());
    exit_code(model::kind(error))
}

/// Writes the help to stdout, or to stderr what is wrong with a command line, and gives the exit code.
pub(super) fn report_usage(error: &clap::Error) -> u8 {
    // A stream that is closed needs neither.
    let _ = if error.use_stderr() {
        let text = error.render().ansi().to_string();
        let mut out = anstream::stderr().lock();
        text.lines().try_for_each(|line| writeln!(out, "{}", between_styles(line, message)))
    } else {
        error.print()
    };
    u8::try_from(error.exit_code()).unwrap_or(2)
}

/// The exit code of a kind of failure.
pub(super) fn exit_code(kind: ProblemKind) -> u8 {
    match kind {
        ProblemKind::Failed | ProblemKind::PartialFailure => 1,
        ProblemKind::Usage => 2,
        ProblemKind::CheckFailed => 3,
        ProblemKind::AccessDenied => 4,
        ProblemKind::NothingToDo => 5,
    }
}

fn print(error: &anyhow::Error, out: &mut impl Write) -> io::Result<()> {
    let text = error.to_string();
    // Only a problem has more lines than one that are meant as such.
    let (first, details) = match error.downcast_ref::<Problem>() {
        Some(_) => text.split_once('\n').unwrap_or((&text, "")),
        None => (text.trim_end(), ""),
    };
    writeln!(out, "{ERROR}error{ERROR:#}: {}", message(first))?;
    details.lines().try_for_each(|line| writeln!(out, "{}", message(line)))?;
    for cause in error.chain().skip(1) {
        cause.to_string().trim_end().lines().try_for_each(|line| writeln!(out, "  {}", message(line)))?;
    }
    for hint in model::hints(error) {
        writeln!(out, "{HINT}hint{HINT:#}: {hint}")?;
    }
    Ok(())
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
