//! Whether and when a failed request is sent again.
//!
//! A read is retried after a broken connection, 429, 502, 503 and 504; a write only if the server cannot have processed
//! it: after 429, or without a connection.

use std::{
    fmt,
    time::{Duration, SystemTime},
};

use chrono::DateTime;

use crate::api::{
    operation::Method,
    transport::{FailureStage, Headers, TransportError},
};

/// How long and how often a request is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RetryPolicy {
    /// The time for all attempts of a request; for uploads and downloads the longest time without progress.
    pub timeout: Duration,
    /// The number of attempts after the first.
    pub retries: u32,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(120), retries: 4 }
    }
}

/// The pause after the first failure; each further one is twice as long.
const PAUSE: Duration = Duration::from_millis(500);

/// The first pause after hitting a rate limit, if the server does not say when to retry.
const RATE_LIMIT_PAUSE: Duration = Duration::from_secs(10);

/// The longest pause that the server did not ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// When and why a request is sent again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Retry {
    pub(super) pause: Duration,
    pub(super) why: String,
}

/// Decides about a retry after a response. `jitter` is in 0..1 and spreads clients that failed at the same time.
pub(super) fn after_status(
    method: Method,
    status: u16,
    headers: &Headers,
    attempt: u32,
    now: SystemTime,
    jitter: f64,
) -> Option<Retry> {
    let (first, why) = match status {
        403 | 429 if is_rate_limited(status, headers) => (RATE_LIMIT_PAUSE, "the server limits requests".to_owned()),
        502..=504 if method.is_read() => (PAUSE, format!("the server responded with {status}")),
        _ => return None,
    };
    // If the server asks for a pause of zero, the attempts must still not follow each other at once.
    let requested = retry_after(headers, now).map(|pause| pause.max(backoff(PAUSE, attempt, jitter)));
    let pause = requested.unwrap_or_else(|| backoff(first, attempt, jitter));
    Some(Retry { pause, why })
}

/// Whether the response is about a rate limit: 429, or GitHub's 403 with the headers of one.
pub(super) fn is_rate_limited(status: u16, headers: &Headers) -> bool {
    status == 429
        || status == 403
            && headers
                .number("x-ratelimit-remaining")
                .is_some_and(|remaining| remaining == 0 || headers.get("retry-after").is_some())
}

/// Decides about a retry if there was no response.
pub(super) fn after_error(method: Method, error: &TransportError, attempt: u32, jitter: f64) -> Option<Retry> {
    let can_retry = match error.stage {
        FailureStage::Unsent => true,
        FailureStage::Broken => method.is_read(),
        FailureStage::TimedOut | FailureStage::Permanent => false,
    };
    can_retry.then(|| Retry { pause: backoff(PAUSE, attempt, jitter), why: error.message.clone() })
}

/// Returns the pause that the server asks for: `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3), else
/// `RateLimit-Reset` (GitHub: `X-RateLimit-Reset`) in seconds from now or since 1970, else GitLab's `RateLimit-ResetTime`.
pub(super) fn retry_after(headers: &Headers, now: SystemTime) -> Option<Duration> {
    let until = |moment: SystemTime| moment.duration_since(now).unwrap_or_default();
    let date = |text: &str| DateTime::parse_from_rfc2822(text.trim()).ok().map(|date| until(date.into()));
    if let Some(text) = headers.get("retry-after").map(str::trim) {
        return text.parse().ok().map(Duration::from_secs).or_else(|| date(text));
    }
    let reset =
        headers.number("ratelimit-reset").or_else(|| headers.number("x-ratelimit-reset")).map(Duration::from_secs);
    match reset {
        Some(seconds) if seconds < YEAR => Some(seconds),
        Some(since_1970) => SystemTime::UNIX_EPOCH.checked_add(since_1970).map(until),
        None => date(headers.get("ratelimit-resettime")?),
    }
}

/// The limit from which a number of seconds is not a pause but a moment since 1970.
const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);

/// Returns a pause that doubles with every attempt, shortened by up to half of it at random.
fn backoff(first: Duration, attempt: u32, jitter: f64) -> Duration {
    let whole = first.saturating_mul(2_u32.saturating_pow(attempt)).min(LONGEST_PAUSE);
    whole.mul_f64(0.5 + jitter.clamp(0.0, 1.0) / 2.0)
}

/// A clock that tests replace, so that they need not wait.
pub(crate) trait Clock: fmt::Debug + Send + Sync {
    /// Returns the current time.
    fn now(&self) -> SystemTime;
    /// Waits for this long.
    fn sleep(&self, pause: Duration);
}

/// The system's clock.
#[derive(Debug)]
pub(super) struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn sleep(&self, pause: Duration) {
        std::thread::sleep(pause);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::from_secs(1_700_000_000);

    fn after(method: Method, status: u16, headers: &[(&str, &str)], attempt: u32) -> Option<Duration> {
        let headers = Headers(headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect());
        after_status(method, status, &headers, attempt, SystemTime::UNIX_EPOCH + NOW, 1.0).map(|retry| retry.pause)
    }

    #[test]
    fn the_clock_of_the_system_waits_at_least_as_long_as_it_is_asked_to() {
        let begun = std::time::Instant::now();
        SystemClock.sleep(Duration::from_millis(20));
        assert!(begun.elapsed() >= Duration::from_millis(20));
    }

    #[test]
    fn the_server_says_when_to_retry() {
        let seconds = |n| Some(Duration::from_secs(n));
        assert_eq!(after(Method::Get, 429, &[("Retry-After", "7")], 0), seconds(7));
        assert_eq!(after(Method::Post, 429, &[("retry-after", "Tue, 14 Nov 2023 22:13:50 GMT")], 0), seconds(30));
        assert_eq!(after(Method::Get, 503, &[("Retry-After", "Tue, 14 Nov 2023 22:00:00 GMT")], 0), Some(PAUSE));
        assert_eq!(after(Method::Get, 429, &[("Retry-After", "0")], 2), Some(PAUSE * 4));
        assert_eq!(after(Method::Get, 429, &[("RateLimit-Reset", "5")], 0), seconds(5));
        let moment = [("RateLimit-ResetTime", "Tue, 14 Nov 2023 22:13:22 GMT")];
        assert_eq!(after(Method::Get, 429, &moment, 0), seconds(2));
        assert_eq!(after(Method::Get, 429, &[("RateLimit-Reset", "1600000000")], 0), Some(PAUSE));
        assert_eq!(after(Method::Get, 429, &[("RateLimit-Reset", "1700000042")], 3), seconds(42));
        // From a year on it is a moment, and that of the first year is past.
        assert_eq!(after(Method::Get, 429, &[("RateLimit-Reset", "31536000")], 0), Some(PAUSE));
        assert_eq!(after(Method::Get, 429, &[("Retry-After", "soon")], 0), seconds(10));
        let spent = [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1700000005")];
        assert_eq!(after(Method::Post, 403, &spent, 0), seconds(5));
        assert_eq!(after(Method::Post, 403, &[("X-RateLimit-Remaining", "7")], 0), None);
    }

    #[test]
    fn pauses_double_up_to_a_minute() {
        let pauses = [0, 1, 2, 9].map(|attempt| after(Method::Get, 502, &[], attempt).unwrap().as_millis());
        assert_eq!(pauses, [500, 1000, 2000, 60_000]);
        assert_eq!(backoff(PAUSE, 0, 0.0), PAUSE / 2);
    }

    #[test]
    fn a_write_is_repeated_only_if_nothing_was_done() {
        assert_eq!(after(Method::Post, 503, &[("Retry-After", "1")], 0), None);
        assert_eq!(after(Method::Delete, 502, &[], 0), None);
        assert!(after(Method::Put, 429, &[], 0).is_some());
        let again = |method, stage| after_error(method, &TransportError::new(stage, "x"), 0, 0.5).is_some();
        assert!(again(Method::Post, FailureStage::Unsent));
        assert!(!again(Method::Post, FailureStage::Broken));
        assert!(again(Method::Get, FailureStage::Broken));
        assert!(!again(Method::Get, FailureStage::Permanent));
    }

    #[test]
    fn permanent_errors_are_not_retried() {
        for status in [400, 401, 403, 404, 409, 422, 500] {
            assert_eq!(after(Method::Get, status, &[("Retry-After", "1")], 0), None, "{status}");
        }
    }
}
