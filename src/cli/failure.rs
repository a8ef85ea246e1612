//! The outermost report of a failure: its message, its hints and its exit code.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use crate::model::{self, ProblemKind};

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
    writeln!(out, "{ERROR}error{ERROR:#}: {}", error.to_string().trim_end())?;
    for cause in error.chain().skip(1) {
        writeln!(out, "  {}", cause.to_string().trim_end().replace('\n', "\n  "))?;
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
