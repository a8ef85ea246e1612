//! Reports the events of the client on stderr.

use anstyle::{AnsiColor, Style};

use crate::{
    api::ClientEvent,
    commands::{Messages, Session, session::Progress},
};

const DIM: Style = Style::new().dimmed();
const WAIT: Style = AnsiColor::Yellow.on_default();

/// An observer of the client.
#[derive(Debug)]
pub(super) struct ProgressReporter {
    quiet: bool,
    verbose: bool,
    messages: Messages,
    progress: Progress,
}

impl ProgressReporter {
    pub(super) fn new(session: &Session) -> Self {
        Self {
            quiet: session.global.quiet,
            verbose: session.global.verbose > 0,
            messages: session.messages.clone(),
            progress: session.progress(),
        }
    }

    pub(super) fn on_event(&self, event: &ClientEvent<'_>) {
        match event {
            ClientEvent::Sending { method, url } => self.trace(&format!("> {method} {url}")),
            ClientEvent::Responded { status, elapsed } => {
                self.trace(&format!("< {status} after {} ms", elapsed.as_millis()));
            }
            ClientEvent::Redirected { to, trusted: true } => self.trace(&format!("  redirected to {to}")),
            ClientEvent::Redirected { to, trusted: false } => {
                self.trace(&format!("  redirected to {to}, without the token"));
            }
            ClientEvent::Waiting { pause, why } => {
                let seconds = pause.as_secs_f64();
                self.say(&format!("{WAIT}waiting{WAIT:#} {seconds:.1} s: {why}"));
            }
            ClientEvent::Unreadable { status, why } => {
                self.say(&format!("{WAIT}warning{WAIT:#}: the server confirmed the change ({status}), but {why}"));
            }
            ClientEvent::Received { bytes, total } => self.progress.bytes("receiving", *bytes, *total),
            ClientEvent::Sent { bytes, total } => self.progress.bytes("sending", *bytes, Some(*total)),
            ClientEvent::Listed { rows, total } => self.progress.items("listing", *rows, *total),
        }
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        self.progress.finish();
    }

    fn trace(&self, text: &str) {
        if self.verbose {
            self.say(&format!("{DIM}{text}{DIM:#}"));
        }
    }

    fn say(&self, text: &str) {
        if !self.quiet {
            self.progress.suspend(|| self.messages.say(text));
        }
    }
}
