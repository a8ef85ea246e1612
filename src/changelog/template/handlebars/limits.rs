//! The limits of a Handlebars template, of which the library has none.
//!
//! Its parser and renderer recurse, and the time for parsing grows with the square of the size. So the source is measured
//! before it is parsed, and the work is done on a thread with a large stack and a deadline.

use std::{sync::mpsc, thread, time::Instant};

use crate::{
    changelog::template::output::too_slow,
    model::{Position, Problem, SourceText},
};

/// The maximum size of a source, in bytes.
pub(super) const MAX_BYTES: usize = 16 * 1024;
/// How often each of these may be in a source, which limits how deeply they nest.
const MAX_TIMES: [(&str, usize); 4] = [("{{", 1024), ("(", 512), ("[", 512), ("{", 2300)];
/// How many backslashes may be in a row.
const MAX_BACKSLASHES: usize = 16;

/// Refuses a source that exceeds a limit, or has tags that are not supported.
pub(super) fn measure(source: &SourceText) -> Result<(), Problem> {
    let text = &source.text;
    let refuse = |message: String| Err(Problem::new(format!("{}: {message}", source.name)));
    if text.len() > MAX_BYTES {
        return refuse(format!("a Handlebars template may have {MAX_BYTES} bytes, this one has {}", text.len()));
    }
    for (piece, most) in MAX_TIMES {
        let times = text.matches(piece).count();
        if times > most {
            return refuse(format!("a Handlebars template may have {most} times `{piece}`, this one has {times}"));
        }
    }
    if text.contains(&"\\".repeat(MAX_BACKSLASHES + 1)) {
        return refuse(format!("more than {MAX_BACKSLASHES} backslashes in a row"));
    }
    match text.match_indices("{{").find(|(offset, _)| is_partial(&text[offset + 2..])) {
        Some((offset, _)) => {
            let message = "partials (`{{> name}}`) and decorators (`{{* name}}`) are not supported";
            Err(source.borrow().problem(Position::of(text, offset), message))
        }
        None => Ok(()),
    }
}

/// Whether a tag includes another template, which could recurse without end.
fn is_partial(tag: &str) -> bool {
    let lead = |letter: char| letter.is_whitespace() || letter == '~';
    tag.trim_start_matches(lead).trim_start_matches('#').trim_start().starts_with(['>', '*'])
}

/// The name of the thread; a panic in it is reported as an error.
pub(crate) const TEMPLATE_THREAD: &str = "template";

/// The stack size for the deepest template that [`measure`] accepts, on any system.
const STACK: usize = 64 << 20;

/// Runs `work` on a thread, and returns its result if it is done before the deadline.
pub(super) fn run_with_deadline<T: Send + 'static>(
    deadline: Instant,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let run = move || {
        // It fails if the deadline has passed and nobody waits for the result.
        let _ = sender.send(work());
    };
    let started = thread::Builder::new().name(TEMPLATE_THREAD.to_owned()).stack_size(STACK).spawn(run);
    started.map_err(|error| Problem::new(format!("cannot start a thread: {error}")))?;
    let remaining = deadline.saturating_duration_since(Instant::now());
    receiver.recv_timeout(remaining).map_err(|error| match error {
        mpsc::RecvTimeoutError::Timeout => too_slow(),
        mpsc::RecvTimeoutError::Disconnected => Problem::new("the template makes the Handlebars library panic"),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        let deadline = Instant::now() + Duration::from_secs(60);
        let error = run_with_deadline(deadline, || panic!("as the library must not")).map(|(): ()| ()).unwrap_err();
        assert_eq!(error.to_string(), "the template makes the Handlebars library panic");
    }
}
