//! Why no answer came.

/// A request without an answer.
#[derive(Clone, Debug)]
pub(in crate::api) struct TransportError {
    pub(in crate::api) stage: FailureStage,
    pub(in crate::api) message: String,
    pub(in crate::api) hint: Option<&'static str>,
}

/// How far a request came; it decides whether sending it again can do harm or good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::api) enum FailureStage {
    /// Nothing was sent, and it may work later.
    Unsent,
    /// Something was sent, and what the service did is unknown.
    Broken,
    /// The time is up.
    TimedOut,
    /// Trying again changes nothing.
    Permanent,
}

impl TransportError {
    pub(in crate::api) fn new(stage: FailureStage, message: impl Into<String>) -> Self {
        Self { stage, message: message.into(), hint: None }
    }

    pub(in crate::api) fn hint(self, hint: &'static str) -> Self {
        Self { hint: Some(hint), ..self }
    }

    /// The fault of a body that could not be read to its end.
    pub(in crate::api) fn reading(error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::UnexpectedEof => Self::new(FailureStage::Broken, "the answer was cut off"),
            std::io::ErrorKind::TimedOut => Self::new(FailureStage::TimedOut, "the answer stopped coming")
                .hint("give it longer with --timeout SECONDS"),
            _ => Self::new(FailureStage::Broken, format!("the answer cannot be read: {error}")),
        }
    }
}
