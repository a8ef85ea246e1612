//! The report of a failure that ends the program: its message, its hints and its exit code.

use std::{
    backtrace::{Backtrace, BacktraceStatus},
    env,
    io::{self, Write},
    panic, thread,
};

use anstyle::{AnsiColor, Style};
use clap::error::{ContextKind, ContextValue};

use super::other_tools;
use crate::{
    commands::ClosedOutput,
    model::{self, Problem, ProblemKind, clean_between_styles, is_near, printable_message},
    template::TEMPLATE_THREAD,
};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();

/// The hint for a defect of the program.
pub(super) const REPORT_IT: &str = "report this with the command, and with the repository if it can be shared";

/// Reports a panic, which is a defect of the program, in a line that is safe to show.
pub(super) fn report_panics() {
    panic::set_hook(Box::new(|panic| {
        // A panic of a template is reported as the error of that template.
        if thread::current().name() == Some(TEMPLATE_THREAD) {
            return;
        }
        let mut out = anstream::stderr().lock();
        let text = printable_message(&panic.to_string());
        // If stderr is closed, the panic cannot be reported.
        let _ = writeln!(out, "{ERROR}error{ERROR:#}: internal error: {text}\n{HINT}hint{HINT:#}: {REPORT_IT}");
        let trace = Backtrace::capture();
        if trace.status() == BacktraceStatus::Captured {
            let _ = writeln!(out, "{trace}");
        }
    }));
}

/// Writes `error: what failed`, the chain of causes and the hints to stderr, and returns the exit code.
///
/// A closed pipe is not a failure: the reader of the output has stopped on purpose.
pub(super) fn report(error: &anyhow::Error) -> u8 {
    if is_broken_pipe(error) {
        return 0;
    }
    // If stderr is closed, the failure cannot be reported.
    let _ = print(error, &mut anstream::stderr().lock());
    exit_code(model::problem_kind(error))
}

/// Writes the help to stdout, or the error of a command line to stderr, and returns the exit code.
pub(super) fn report_usage(mut error: clap::Error) -> u8 {
    drop_far_suggestions(&mut error);
    other_tools::translate(&mut error);
    name_variable(&mut error);
    // An error means that the stream is closed.
    let _ = if error.use_stderr() {
        let text = error.render().ansi().to_string();
        let mut out = anstream::stderr().lock();
        text.lines().try_for_each(|line| writeln!(out, "{}", clean_between_styles(line, printable_message)))
    } else {
        error.print()
    };
    u8::try_from(error.exit_code()).unwrap_or(2)
}

/// Names the variable that an invalid value comes from.
fn name_variable(error: &mut clap::Error) {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.as_str(),
        _ => "",
    };
    let option = text(ContextKind::InvalidArg).split(' ').next().unwrap_or_default();
    let name = option.replace("--", "TIDINGS_").replace('-', "_").to_ascii_uppercase();
    if env::var(&name).is_ok_and(|value| value == text(ContextKind::InvalidValue)) {
        let tip = format!("the value is that of the variable `{name}`");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
}

/// Removes suggestions that share only a few letters with a mistyped word, such as `--date` for `--latest`.
fn drop_far_suggestions(error: &mut clap::Error) {
    let kinds = [
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        (ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand),
    ];
    for (given, suggested) in kinds {
        let Some(ContextValue::String(word)) = error.get(given).cloned() else { continue };
        let mut names = match error.remove(suggested) {
            Some(ContextValue::String(name)) => vec![name],
            Some(ContextValue::Strings(names)) => names,
            _ => continue,
        };
        names.retain(|name| is_near(word.trim_start_matches('-'), name.trim_start_matches('-')));
        if !names.is_empty() {
            error.insert(suggested, ContextValue::Strings(names));
        }
    }
}

/// Returns the exit code of a kind of failure.
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
    // Only the further lines of a `Problem` are meant as lines of the message.
    let (first, details) = match error.downcast_ref::<Problem>() {
        Some(_) => text.split_once('\n').unwrap_or((&text, "")),
        None => (text.trim_end(), ""),
    };
    writeln!(out, "{ERROR}error{ERROR:#}: {}", printable_message(first))?;
    details.lines().try_for_each(|line| writeln!(out, "{}", printable_message(line)))?;
    for cause in error.chain().skip(1) {
        cause.to_string().trim_end().lines().try_for_each(|line| writeln!(out, "  {}", printable_message(line)))?;
    }
    for hint in model::hints(error) {
        writeln!(out, "{HINT}hint{HINT:#}: {hint}")?;
    }
    Ok(())
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.filter_map(io::Error::get_ref).filter_map(|cause| cause.downcast_ref()).any(|ClosedOutput| true)
}
