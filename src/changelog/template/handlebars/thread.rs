//! A thread with room to recurse, that is waited for no longer than it may take.

use std::{sync::mpsc, thread, time::Instant};

use crate::{changelog::template::output::too_slow, model::Problem};

/// The name of the thread; what panics there is reported as an error.
pub const TEMPLATE_THREAD: &str = "template";

/// Room for the deepest template that [`super::guard`] lets through, on any system.
const STACK: usize = 64 << 20;

/// The result of `work`, done on a thread of its own before the deadline.
pub(super) fn run_with_deadline<T: Send + 'static>(
    deadline: Instant,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let run = move || {
        // Where nobody waits any more the result is not wanted.
        let _ = sender.send(work());
    };
    let started = thread::Builder::new().name(TEMPLATE_THREAD.to_owned()).stack_size(STACK).spawn(run);
    started.map_err(|error| Problem::new(format!("cannot start a thread: {error}")))?;
    let left = deadline.saturating_duration_since(Instant::now());
    receiver.recv_timeout(left).map_err(|gone| match gone {
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
