//! Time, so that waiting can be tested without waiting.

use std::{
    fmt,
    time::{Duration, SystemTime},
};

/// Tells the time and lets it pass.
pub trait Clock: fmt::Debug + Send + Sync {
    /// The time now.
    fn now(&self) -> SystemTime;
    /// Comes back after a while.
    fn sleep(&self, pause: Duration);
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn sleep(&self, pause: Duration) {
        std::thread::sleep(pause);
    }
}
