//! The outcome of a run: what became of the request, or would, as JSON and as text.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::{
    api::merge_requests::{MergeRequest, RequestText},
    model::{Forge, Problem, ProblemKind},
    pipeline::{self, release::RequestDraft},
};

/// What becomes of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    /// It would be opened.
    ToOpen,
    /// It would be renewed.
    ToRenew,
    /// It would be closed.
    ToClose,
    Opened,
    Renewed,
    Unchanged,
    /// Nothing is left to release, and it was closed.
    Closed,
    /// People closed it, and it stays closed.
    LeftClosed,
    /// Its edits do not go with what is new.
    Conflict,
    /// There is nothing to release, and no request.
    Nothing,
}

/// What was done, or would be.
pub(super) struct Outcome {
    pub(super) state: State,
    pub(super) forge: Forge,
    pub(super) draft: Option<RequestDraft>,
    pub(super) request: Option<MergeRequest>,
    pub(super) text: Option<RequestText>,
    pub(super) versions: Vec<(Option<String>, String)>,
    pub(super) diff: Vec<u8>,
}

impl Outcome {
    pub(super) fn document(&self, released: &[Value]) -> Value {
        let draft = self.draft.as_ref();
        let versions = self.versions.iter().map(|(name, version)| json!({ "package": name, "version": version }));
        json!({
            "state": self.state,
            "number": self.request.as_ref().map(|request| request.number),
            "url": self.request.as_ref().and_then(|request| request.url.as_ref()),
            "branch": draft.map(|draft| draft.upstream.short()),
            "target": draft.map(|draft| &draft.target),
            "commit": draft.and_then(|draft| draft.head),
            "has_edits": draft.is_some_and(|draft| draft.has_edits),
            "conflicts": draft.map(|draft| draft.conflicts.clone()).unwrap_or_default(),
            "releases": versions.collect::<Vec<_>>(),
            "title": self.text.as_ref().map(|text| &text.title),
            "description": self.text.as_ref().map(|text| &text.description),
            "diff": String::from_utf8_lossy(&self.diff),
            "released": released,
        })
    }

    /// Returns the request by its number, such as `!12`.
    fn name(&self) -> String {
        let sign = self.forge.profile().merge_request_sign;
        self.request.as_ref().map(|request| format!("{sign}{}", request.number)).unwrap_or_default()
    }

    pub(super) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let noun = self.forge.profile().merge_request_noun;
        let title = self.text.as_ref().map(|text| text.title.as_str()).unwrap_or_default();
        let place = self.request.as_ref().and_then(|request| request.url.clone()).unwrap_or_else(|| self.name());
        match self.state {
            State::Opened => writeln!(out, "opened {noun} {}: {title}\n{place}", self.name()),
            State::Renewed => writeln!(out, "renewed {noun} {}: {title}\n{place}", self.name()),
            State::Unchanged => writeln!(out, "{noun} {} is up to date: {title}\n{place}", self.name()),
            State::Closed => writeln!(out, "closed {noun} {}, since nothing is left to release", self.name()),
            State::ToClose => writeln!(out, "{noun} {} is closed, since nothing is left to release", self.name()),
            State::LeftClosed => {
                writeln!(out, "{noun} {} was closed and is left alone until the version changes", self.name())
            }
            State::ToOpen | State::ToRenew => self.print_plan(out),
            State::Conflict | State::Nothing => Ok(()),
        }
    }

    fn print_plan(&self, out: &mut impl Write) -> io::Result<()> {
        let Some((draft, text)) = self.draft.as_ref().zip(self.text.as_ref()) else { return Ok(()) };
        let noun = self.forge.profile().merge_request_noun;
        let indented = |out: &mut dyn Write, text: &str| {
            text.lines().try_for_each(|line| writeln!(out, "{}", format!("    {line}").trim_end()))
        };
        let (branch, target) = (draft.upstream.short(), &draft.target);
        writeln!(out, "{noun} of {branch} into {target}: {}", text.title)?;
        let done = if draft.is_new { "to be pushed" } else { "up to date" };
        let edits = if draft.has_edits { ", with the edits that are there" } else { "" };
        writeln!(out, "\nbranch: {done}{edits}")?;
        indented(out, &String::from_utf8_lossy(&self.diff))?;
        let number = self.name();
        let what = if number.is_empty() { "to be opened".to_owned() } else { format!("{number}, to be renewed") };
        writeln!(out, "\n{noun}: {what}")?;
        indented(out, &text.description)
    }

    pub(super) fn failure(&self, is_done: bool) -> Option<anyhow::Error> {
        match self.state {
            State::Nothing | State::Closed | State::ToClose => {
                (!is_done).then(|| pipeline::nothing_to_release(pipeline::RUN_NEXT).into())
            }
            State::Conflict => {
                let draft = self.draft.as_ref()?;
                let problem = Problem::new(format!(
                    "what was edited on `{}` does not go with what is new",
                    draft.upstream.short()
                ))
                .kind(ProblemKind::CheckFailed)
                .details(draft.conflicts.iter().map(|conflict| format!("  {conflict}")));
                let hint = "take the edit back on that branch, or write there what is generated now";
                Some(problem.hint(hint).into())
            }
            _ => None,
        }
    }
}
