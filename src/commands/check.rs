//! `tidings check`: checks the commit messages of merge requests, and single messages in the commit-msg hook.

use std::{
    collections::{HashMap, HashSet},
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::builder::TypedValueParser;
use serde_json::{Value, json};

use super::{
    Format, RangeArgs, Session, completions,
    global_args::described_values,
    history_report,
    session::{read_input, variable},
};
use crate::{
    check::{Finding, Message, Rules, TrailerPolicy},
    config::Config,
    git,
    model::{Oid, Problem, ProblemKind, Range, pluralize, printable},
    pipeline::{self, BaseTag, History, LoadedConfig, RangeStart, Scope, entry_source},
    sources::entry_title::title,
};

/// Check the trailers, categories and titles of commit messages.
///
/// The trailer is present and in the last paragraph, its category is known, the title is well-formed.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The commits to check, as `FROM..TO` or `FROM` [default: in CI the commits of the merge or pull request, else the
    /// unreleased commits].
    #[arg(value_name = "RANGE", add = completions::revisions(), conflicts_with_all = ["from", "first_release", "message"])]
    range: Option<String>,
    /// Which commits must have the trailer.
    #[arg(long, default_value = "any", value_parser = policies())]
    require: TrailerPolicy,
    /// Maximum length of a title in characters, without a trailing ` (#123)`; 0 means no limit [default: `max_title` in
    /// the configuration, else 72].
    #[arg(long, value_name = "N")]
    max_title: Option<usize>,
    /// Check the message in FILE, as a commit-msg hook does; `-` is stdin.
    #[arg(long, value_name = "FILE")]
    message: Option<PathBuf>,
    #[command(flatten)]
    options: RangeArgs,
}

const EXAMPLES: &str = "\
Examples:
  tidings check                   the merge request's commits, or the unreleased
  tidings check origin/main..     what a branch adds
  tidings check --require each    every commit except merges and reverted ones
  tidings check --require change-file
  tidings check --format github   annotations (gitlab: a code quality report)
  tidings check --message .git/COMMIT_EDITMSG
  git log -1 --format=%B | tidings check --message -

Exits with code 3 if it reports findings.";

pub(super) fn policies() -> impl TypedValueParser<Value = TrailerPolicy> {
    let each = "Every commit, except merges, commits reverted in the range, and the reverts themselves";
    described_values([
        ("any", "At least one commit of the range", TrailerPolicy::Any),
        ("each", each, TrailerPolicy::Each),
        ("change-file", "No commit, but the range adds a change file", TrailerPolicy::ChangeFile),
        ("none", "No commit", TrailerPolicy::None),
    ])
}

pub(crate) fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let report = match &args.message {
        Some(file) => message(file, args, session)?,
        None => range(args, session)?,
    };
    report.write(session)?;
    if report.findings.is_empty() {
        return Ok(());
    }
    let problems = pluralize(report.findings.len(), "problem");
    Err(Problem::new(format!("the check found {problems}")).kind(ProblemKind::CheckFailed).into())
}

fn range(args: &Args, session: &Session) -> anyhow::Result<Report> {
    let mut request = args.options.request(None)?;
    if let Some((from, to)) = args.range.as_deref().map(parse_range).transpose()? {
        request.range.from = Some(from);
        request.range.to = to.unwrap_or(request.range.to);
    } else if request.range.from.is_none() && !request.range.first_release {
        request.range.from = merge_request_base();
        if let (Some(tip), None) = (variable("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"), &args.options.to) {
            // A pipeline for merged results runs on a merge commit, which also has newer commits of the target.
            request.range.to = tip;
        }
    }
    let repo = session.whole_repo()?;
    let history = session.progress().while_reading(&repo, || History::read_for_check(Scope::open(&repo, request)?))?;
    history_report::print(&history, session)?;
    if repo.transferred_bytes().is_none() {
        session.warn(&pipeline::workspace_warnings(&repo, history.config(), history.scope.to))?;
    }
    if session.global.verbose > 0 {
        session.note(&looked_at(&history));
    }
    let rules = Rules::new(history.config(), history.config().trailer(), args.require, args.max_title);
    let mut findings = rules.check(history.commits(), history.whole(history.commits().iter())?)?;
    let broken = history.changes.iter().flat_map(|files| &files.broken);
    findings.extend(broken.map(Finding::of_change_file));
    let ends = Range { from: history.start.commit(), to: history.scope.to };
    if args.require == TrailerPolicy::ChangeFile && !pipeline::adds_change_file(&repo, ends)? {
        findings.push(Finding::without_change_file());
    }
    let concerned: HashSet<Oid> = findings.iter().filter_map(|finding| finding.commit).collect();
    let concerned = history.commits().iter().filter(|classified| concerned.contains(&classified.id));
    let titles = history.whole(concerned)?.map(|whole| whole.map(|(_, commit)| (commit.id, title(&commit))));
    Ok(Report { commit_count: history.commits().len(), titles: titles.collect::<anyhow::Result<_>>()?, findings })
}

/// Returns in words which commits are checked: in CI the user did not name them.
fn looked_at(history: &History) -> String {
    let range = match &history.start {
        RangeStart::Base(BaseTag { tag: from, .. }) | RangeStart::Revision { revision: from, .. } => {
            format!("{from}..")
        }
        RangeStart::Root => String::new(),
    };
    format!("looked at {} of {range}{}", pluralize(history.commits().len(), "commit"), history.scope.to.short())
}

/// Parses `FROM..TO` (gitrevisions(7)). An empty side is `HEAD`; text without dots is the start of the range.
fn parse_range(range: &str) -> anyhow::Result<(String, Option<String>)> {
    if range.contains("...") {
        return Err(Problem::usage(format!("`{range}` is not a range that can be checked"))
            .hint("write `FROM..TO`, with two dots: the commits that TO has and FROM does not")
            .into());
    }
    let (from, to) = range.split_once("..").unwrap_or((range, ""));
    let from = if from.is_empty() { "HEAD" } else { from };
    Ok((from.to_owned(), (!to.is_empty()).then(|| to.to_owned())))
}

/// Returns the revision that the merge or pull request of the CI job branches off from.
fn merge_request_base() -> Option<String> {
    variable("CI_MERGE_REQUEST_DIFF_BASE_SHA").or_else(|| Some(format!("origin/{}", variable("GITHUB_BASE_REF")?)))
}

fn message(file: &Path, args: &Args, session: &Session) -> anyhow::Result<Report> {
    let repo = session.repo()?;
    let request = args.options.request(None)?;
    let loaded = LoadedConfig::load(&repo, &request.config_source)?;
    session.warn(&loaded.warnings)?;
    // git runs hooks with this editor if it opens none; what is piped, such as the text of a request, has no comments.
    let is_edited = file.as_os_str() != "-" && variable("GIT_EDITOR").as_deref() != Some(":");
    let text = git::hooks::kept_message(&repo, &String::from_utf8_lossy(&read_input(file)?), is_edited);
    let trailers = git::trailers::parse(text.as_bytes());
    // The hook gets no parents. git begins the message of a merge with this word, and people rarely rewrite it.
    let is_merge = text.starts_with("Merge ");
    let source = entry_source::guess_for_messages(&loaded, &repo, &request);
    let config = Config { source, ..Config::clone(&loaded.config) };
    let rules = Rules::new(&config, config.trailer(), args.require, args.max_title);
    let findings = rules.message(Message { text: &text, trailers: &trailers, is_merge }, !is_merge);
    Ok(Report { commit_count: 0, titles: HashMap::new(), findings })
}

struct Report {
    /// How many commits were checked.
    commit_count: usize,
    /// The titles of the commits that the findings are about.
    titles: HashMap<Oid, String>,
    findings: Vec<Finding>,
}

impl Report {
    fn write(&self, session: &mut Session) -> anyhow::Result<()> {
        match session.global.format {
            Format::Text => Ok(self.lines(&mut session.out)?),
            Format::Json => session.out.json(&self.document()),
            Format::Github => Ok(self.annotations(&mut session.out.bytes())?),
            Format::Gitlab => session.out.json(&self.code_quality()),
        }
    }

    /// Returns the findings, each with its message, its hint and the title of its commit.
    fn descriptions(&self) -> impl Iterator<Item = (&Finding, String)> {
        self.findings.iter().map(|finding| {
            let title = finding.commit.and_then(|id| self.titles.get(&id));
            let title = title.map(|title| format!("  ({title})")).unwrap_or_default();
            (finding, format!("{}; {}{title}", finding.message, finding.hint))
        })
    }

    fn lines(&self, out: &mut impl Write) -> io::Result<()> {
        self.descriptions().try_for_each(|(finding, text)| {
            writeln!(out, "{}", printable(&format!("{}{}: {text}", position(finding), finding.rule)))
        })
    }

    fn document(&self) -> Value {
        json!({ "commit_count": self.commit_count, "findings": self.findings })
    }

    /// Writes workflow commands for a GitHub runner; without a file, their annotations are on the page of the run.
    fn annotations(&self, out: &mut impl Write) -> io::Result<()> {
        self.descriptions().try_for_each(|(finding, text)| {
            writeln!(out, "::error title=tidings {}::{}", finding.rule, escape(&format!("{}{text}", position(finding))))
        })
    }

    /// Returns a code quality report. GitLab requires a file for each finding, so a path with the ID of the commit is
    /// used.
    fn code_quality(&self) -> Value {
        self.findings
            .iter()
            .map(|finding| {
                let commit = finding.commit.map_or_else(|| "range".to_owned(), |id| id.to_string());
                let line = finding.line.unwrap_or(1);
                json!({
                    "description": format!("{}; {}", finding.message, finding.hint),
                    "check_name": finding.rule,
                    "fingerprint": format!("{commit}:{}:{line}:{}", finding.rule, finding.message),
                    "severity": "major",
                    "location": { "path": format!("commit/{commit}"), "lines": { "begin": line } },
                })
            })
            .collect()
    }
}

/// Returns `SHORT_ID:LINE `, as far as the finding has a commit and a line.
fn position(finding: &Finding) -> String {
    match (finding.commit, finding.line) {
        (Some(id), Some(line)) => format!("{}:{line} ", id.short()),
        (Some(id), None) => format!("{} ", id.short()),
        (None, Some(line)) => format!("line {line} "),
        (None, None) => String::new(),
    }
}

/// Escapes the data of a workflow command: it ends at a line break, and `%` begins an escape.
fn escape(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}
