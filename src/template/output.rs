//! The output of a template: bounded in size and in time, so that no template can block the program.

use std::{
    io,
    time::{Duration, Instant},
};

use crate::model::Problem;

/// The maximum time for parsing and rendering a template together.
pub(super) const MAX_TIME: Duration = Duration::from_secs(2);
/// The maximum output of a template, in bytes: room for every entry of the largest range.
pub(super) const MAX_BYTES: usize = 32 << 20;
/// The number of steps between two looks at the clock.
const STEPS_PER_LOOK: u32 = 1024;

/// The text written so far, and its deadline.
#[derive(Debug)]
pub(super) struct BoundedOutput {
    bytes: Vec<u8>,
    steps: u32,
    deadline: Instant,
}

impl BoundedOutput {
    pub(super) fn with_deadline(deadline: Instant) -> Self {
        Self { bytes: Vec::new(), steps: 0, deadline }
    }

    pub(super) fn step(&mut self) -> Result<(), Problem> {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(STEPS_PER_LOOK) && Instant::now() > self.deadline {
            return Err(too_slow());
        }
        Ok(())
    }

    pub(super) fn push(&mut self, text: &str) -> Result<(), Problem> {
        if self.bytes.len() + text.len() > MAX_BYTES {
            return Err(too_large());
        }
        self.bytes.extend_from_slice(text.as_bytes());
        Ok(())
    }

    pub(super) fn into_text(self) -> String {
        String::from_utf8(self.bytes).expect("only texts and JSON are written, which are UTF-8")
    }
}

/// The interface for writers that do not know templates, such as that of JSON.
impl io::Write for BoundedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > MAX_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(super) fn too_slow() -> Problem {
    Problem::new(format!("the template takes more than {} seconds", MAX_TIME.as_secs()))
        .hint("look for loops inside of loops, or a template that is far larger than it needs to be")
}

pub(super) fn too_large() -> Problem {
    Problem::new(format!("the template writes more than {} MiB", MAX_BYTES >> 20))
        .hint("look for loops inside of loops, or for a value that is printed whole")
}
