//! What a check found, as lines, JSON, annotations of GitHub or a code quality report of GitLab.

use std::{
    collections::HashMap,
    io::{self, Write},
};

use serde_json::{Value, json};

use crate::{
    changelog::{check::Finding, classified_commit::ClassifiedCommit, title::title},
    commands::{Format, Session},
    model::{Oid, printable},
};

/// The findings, and the commits they are about.
pub(super) struct Report {
    pub(super) commits: Vec<ClassifiedCommit>,
    pub(super) findings: Vec<Finding>,
}

impl Report {
    /// Writes the answer in the format that was asked for.
    pub(super) fn write(&self, session: &mut Session) -> anyhow::Result<()> {
        match session.global.format {
            Format::Text => Ok(self.lines(&mut session.out)?),
            Format::Json => session.out.json(&self.document()),
            Format::Github => Ok(self.annotations(&mut session.out)?),
            Format::Gitlab => session.out.json(&self.code_quality()),
        }
    }

    /// The findings, each with the title of its commit after what it says.
    fn described(&self) -> impl Iterator<Item = (&Finding, String)> {
        let commits = self.commits.iter().filter_map(|judged| judged.commit.as_deref());
        let titles: HashMap<Oid, String> = commits.map(|commit| (commit.id, title(commit))).collect();
        self.findings.iter().map(move |finding| {
            let title = finding.commit.and_then(|id| titles.get(&id));
            let title = title.map(|title| format!("  ({title})")).unwrap_or_default();
            (finding, format!("{}; {}{title}", finding.message, finding.hint))
        })
    }

    fn lines(&self, out: &mut impl Write) -> io::Result<()> {
        self.described().try_for_each(|(finding, text)| {
            writeln!(out, "{}", printable(&format!("{}{}: {text}", place(finding), finding.rule)))
        })
    }

    fn document(&self) -> Value {
        json!({ "commits": self.commits.len(), "findings": self.findings })
    }

    /// Workflow commands of a GitHub runner; without a file they are on the page of the run.
    fn annotations(&self, out: &mut impl Write) -> io::Result<()> {
        self.described().try_for_each(|(finding, text)| {
            writeln!(out, "::error title=tidings {}::{}", finding.rule, escaped(&format!("{}{text}", place(finding))))
        })
    }

    /// GitLab wants a file per finding; a commit takes its place.
    fn code_quality(&self) -> Value {
        let finding = |finding: &Finding| {
            let commit = finding.commit.map_or_else(|| "range".to_owned(), |id| id.to_string());
            let line = finding.line.unwrap_or(1);
            json!({
                "description": format!("{}; {}", finding.message, finding.hint),
                "check_name": finding.rule,
                "fingerprint": format!("{commit}:{}:{line}:{}", finding.rule, finding.message),
                "severity": "major",
                "location": { "path": format!("commit/{commit}"), "lines": { "begin": line } },
            })
        };
        self.findings.iter().map(finding).collect()
    }
}

/// `SHORT_ID:LINE ` as far as there are both.
fn place(finding: &Finding) -> String {
    match (finding.commit, finding.line) {
        (Some(id), Some(line)) => format!("{}:{line} ", id.short()),
        (Some(id), None) => format!("{} ", id.short()),
        (None, Some(line)) => format!("line {line} "),
        (None, None) => String::new(),
    }
}

/// The data of a workflow command: it ends at a line break, and `%` begins an escape.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}
