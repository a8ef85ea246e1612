//! Misbehaviour on demand.

use std::{collections::VecDeque, time::SystemTime};

use serde_json::{Value, json};

use super::response::{Delivery, Response};

/// A way for a request to fail.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The correct response: a later request fails.
    Nothing,
    /// 429 for the whole server, as text, with the seconds after which to retry.
    Throttled(u64),
    /// 429 for one operation, as JSON, with the seconds after which to retry.
    Limited(u64),
    /// 429 of one operation that does not say when to come back.
    LimitedSilently,
    /// GitHub's 403 of one who asked too often, and may ask again at once.
    Spent,
    /// 502 from a proxy before the server, as a page.
    BadGateway,
    /// 503 with `Retry-After`.
    Busy(u64),
    /// A status with a body of this kind.
    Status(u16, &'static str, String),
    /// A redirect to an address.
    Redirect(u16, String),
    /// The response, cut off in the middle.
    Truncated,
    /// No response, and an open connection.
    Withheld,
    /// No response, and a closed connection.
    Dropped,
    /// So many million zeros as JSON, well compressed.
    Bomb(usize),
}

/// The faults to come.
pub type Faults = FaultQueue;

/// First asked for, first served.
#[derive(Debug, Default)]
pub struct FaultQueue(VecDeque<Fault>);

impl FaultQueue {
    pub fn push(&mut self, fault: Fault) {
        self.0.push_back(fault);
    }

    pub fn extend(&mut self, faults: impl Iterator<Item = Fault>) {
        self.0.extend(faults);
    }

    pub fn next(&mut self) -> Option<Fault> {
        self.0.pop_front()
    }
}

impl Fault {
    pub const NAMES: [&'static str; 8] =
        ["throttled", "limited", "limited-silently", "bad-gateway", "busy", "truncated", "withheld", "dropped"];

    /// A fault by the name it has in a terminal.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "throttled" => Self::Throttled(3),
            "limited" => Self::Limited(60),
            "limited-silently" => Self::LimitedSilently,
            "bad-gateway" => Self::BadGateway,
            "busy" => Self::Busy(3),
            "truncated" => Self::Truncated,
            "withheld" => Self::Withheld,
            "dropped" => Self::Dropped,
            _ => return None,
        })
    }

    /// The response with the fault; `answer` returns the correct one.
    pub fn apply(self, answer: impl FnOnce() -> Response) -> Response {
        let many = "This endpoint has been requested too many times. Try again later.";
        match self {
            Self::Nothing => answer(),
            Self::Throttled(seconds) => throttled(seconds),
            Self::Limited(seconds) => Response::message(429, json!({"error": many})).header("Retry-After", seconds),
            Self::LimitedSilently => Response::message(429, json!({"error": many})),
            Self::Spent => {
                let response = Response::message(403, "API rate limit exceeded for user ID 1.");
                response.header("X-RateLimit-Remaining", 0).header("X-RateLimit-Reset", 0)
            }
            Self::BadGateway => {
                Response::new(502, "text/html", "<html><head><title>502: not responding</title></head></html>")
            }
            Self::Busy(seconds) => Response::message(503, "503 Service Unavailable").header("Retry-After", seconds),
            Self::Status(status, kind, body) => Response::new(status, kind, body),
            Self::Redirect(status, to) => Response::text(status, "moved").header("Location", to),
            Self::Truncated => answer().delivered(Delivery::Truncated),
            Self::Withheld => Response::empty(200).delivered(Delivery::Withheld),
            Self::Dropped => Response::empty(200).delivered(Delivery::Dropped),
            Self::Bomb(millions) => Response::json(200, &Value::String("0".repeat(millions * 1_000_000))),
        }
    }
}

fn throttled(seconds: u64) -> Response {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970").as_secs();
    Response::text(429, "Retry later\n")
        .header("RateLimit-Name", "throttle_authenticated_api")
        .header("RateLimit-Limit", 60)
        .header("RateLimit-Observed", 61)
        .header("RateLimit-Remaining", 0)
        .header("RateLimit-Reset", now + seconds)
        .header("Retry-After", seconds)
}
