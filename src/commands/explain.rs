//! `tidings explain`: shows for every commit whether it is listed, and why.

use std::{collections::HashMap, io::Write as _};

use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};

use super::{
    RangeArgs, Session, completions,
    explained_files::ExplainedFile,
    history_report::{self, ClassificationCounts},
};
use crate::{
    check::{Finding, Rules, TrailerPolicy},
    config::{Config, EntrySource},
    model::{BREAKING, Oid, pluralize, printable, printable_lines},
    pipeline::{History, RangeStart, Scope},
    sources::{
        classified_commit::{Classification, ClassifiedCommit},
        classifier::Retention,
        conventional::{ConventionalCommit, breaking_line},
        entry_title::title,
    },
};

const IN: Style = AnsiColor::Green.on_default();
const OUT: Style = Style::new().dimmed();

/// Explain for each commit of a range whether it is listed, and why.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Version of the section [default: the changes since the last stable tag].
    #[arg(value_name = "VERSION", add = completions::tags())]
    version: Option<String>,
    #[command(flatten)]
    options: RangeArgs,
}

const EXAMPLES: &str = "\
Examples:
  tidings explain                   the unreleased commits
  tidings explain 1.2.0             the commits of a version
  tidings explain --package api     the commits of a package
  tidings explain --format json     the commits as JSON";

pub(crate) fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let request = session.with_lookups(args.options.request(args.version.as_deref())?);
    let repo = session.whole_repo()?;
    let read = || History::read(Scope::open(&repo, request)?.end_at_tag()?, Retention::All)?.with_releases();
    let history = session.progress().while_reading(&repo, read)?.with_trailer_warnings();
    history_report::print(&history, session)?;
    let findings = CommitFindings::new(&history, &history.scope.request.trailer);
    if session.json() { session.out.json(&document(&history, &findings)) } else { print(&history, &findings, session) }
}

fn print(history: &History, findings: &CommitFindings, session: &mut Session) -> anyhow::Result<()> {
    let out = &mut session.out;
    writeln!(out, "{}", printable_lines(&render_range(history)))?;
    for file in ExplainedFile::of(history) {
        let (style, sign) = if file.is_listed() { (IN, '+') } else { (OUT, '-') };
        writeln!(out, "{style}{}{style:#}", printable(&format!("{sign} {file}")))?;
    }
    for classified in history.commits() {
        let (style, sign) = if classified.classification.is_listed() { (IN, '+') } else { (OUT, '-') };
        let (id, title) = (classified.id.short(), render_title(classified));
        let line = format!("{sign} {id} {title}  ({})", findings.reason(classified));
        writeln!(out, "{style}{}{style:#}", printable(&line))?;
    }
    Ok(writeln!(out, "{}", printable(&render_summary(history)))?)
}

fn render_range(history: &History) -> String {
    let to = history.scope.to.short();
    match &history.start {
        RangeStart::Base(base) => {
            format!("base {} ({}), {}\nrange {0}..{to}", base.tag, base.commit.short(), base.reason)
        }
        RangeStart::Revision { revision, commit } => {
            format!("range {revision} ({})..{to}, as asked for", commit.short())
        }
        RangeStart::Root if history.is_first => format!("range: the whole history up to {to}"),
        RangeStart::Root => format!("range: the whole history up to {to}, as asked for"),
    }
}

fn render_summary(history: &History) -> String {
    let counts = ClassificationCounts::from_commits(history.commits());
    let listed: Vec<String> = counts.categories.iter().map(|(category, count)| format!("{count} {category}")).collect();
    let listed = if listed.is_empty() { String::new() } else { format!(" ({})", listed.join(", ")) };
    let commits = pluralize(history.commits().len(), "commit");
    if history.config().source == EntrySource::Files {
        return format!("{} in change files, {commits}", pluralize(history.listed_len(), "change"));
    }
    let out = counts.describe_unlisted(history.config().source).join(", ");
    format!("{commits}: {} in{listed}, {out}", counts.listed)
}

fn document(history: &History, findings: &CommitFindings) -> Value {
    let commits: Vec<Value> =
        history.commits().iter().map(|classified| self::commit_json(classified, findings)).collect();
    let files = ExplainedFile::of(history).map(|file| file.document());
    json!({
        "base": history.start.base(),
        "from": history.start.commit(),
        "to": history.scope.to,
        "change_files": files.collect::<Vec<_>>(),
        "commits": commits,
        "counts": ClassificationCounts::from_commits(history.commits()).document(),
    })
}

fn render_title(classified: &ClassifiedCommit) -> String {
    classified.commit.as_deref().map(title).unwrap_or_default()
}

fn commit_json(classified: &ClassifiedCommit, findings: &CommitFindings) -> Value {
    let classification = &classified.classification;
    let mut document =
        json!({ "id": classified.id, "title": render_title(classified), "listed": classification.is_listed() });
    let found = findings.of_commit(classified);
    if !found.is_empty() {
        document["findings"] = json!(found);
    }
    let remarks = findings.remarks(classified);
    if !remarks.is_empty() {
        document["remarks"] = json!(remarks);
    }
    if let Some(last) = classification.categories().last() {
        document["category"] = json!(last);
        document["categories"] = json!(classification.categories());
        return document;
    }
    if let Classification::FoldedInto(id) = classification {
        document["folded_into"] = json!(id);
    }
    // The reverting commit has a key of its own.
    let reverter = classification.reverted_by();
    document["reason"] = reverter.map_or_else(|| findings.reason(classified), |_| "reverted".to_owned()).into();
    if let Some(by) = reverter {
        document["reverted_by"] = json!(by);
    }
    document
}

/// The findings of `tidings check` about the messages of a history, except those about titles.
struct CommitFindings<'h> {
    config: &'h Config,
    of_commits: HashMap<Oid, Vec<Finding>>,
}

impl<'h> CommitFindings<'h> {
    fn new(history: &'h History, trailer: &str) -> Self {
        let config = history.config();
        // If every title is listed, a misspelt trailer may be the reason, so trailers and types are checked as well.
        let looked_for = Config { source: config.source.or_both(), ..Config::clone(config) };
        let found = Rules::new(&looked_for, trailer, TrailerPolicy::None, Some(0)).check(history.commits());
        let mut of_commits: HashMap<Oid, Vec<Finding>> = HashMap::new();
        for finding in found.into_iter().filter(|finding| finding.rule != "title") {
            if let Some(id) = finding.commit {
                of_commits.entry(id).or_default().push(finding);
            }
        }
        Self { config, of_commits }
    }

    fn of_commit(&self, commit: &ClassifiedCommit) -> &[Finding] {
        self.of_commits.get(&commit.id).map_or(&[], Vec::as_slice)
    }

    /// Returns remarks on what is easily missed in a commit, and on what was meant but does not count.
    fn remarks(&self, commit: &ClassifiedCommit) -> Vec<String> {
        let noted = commit.mentions().is_noted.then(|| "as noted".to_owned());
        let remarks = [
            listed_messages(commit),
            breaking_reason(commit, self.config),
            commit
                .mentions()
                .unread_revert
                .map(|by| format!("{} reverts it in a form that GitLab does not read", by.short())),
            commit.mentions().release_remark.clone(),
            noted,
        ];
        remarks.into_iter().flatten().collect()
    }

    /// Returns why a commit is listed under its categories or not at all, and the findings about it.
    fn reason(&self, commit: &ClassifiedCommit) -> String {
        let mut reasons = vec![match (&commit.classification, unknown_type(commit, self.config.source)) {
            (Classification::NoCategory, Some(kind)) => format!("type `{kind}` is unknown"),
            (classification, _) => reason(classification, self.config),
        }];
        reasons.extend(self.remarks(commit));
        reasons.extend(self.of_commit(commit).iter().map(|finding| format!("{}; {}", finding.message, finding.hint)));
        reasons.join(": ")
    }
}

/// Returns the type of a title, if types name the categories and trailers do not.
fn unknown_type(commit: &ClassifiedCommit, source: EntrySource) -> Option<String> {
    (source == EntrySource::Conventional)
        .then(|| Some(ConventionalCommit::from_commit(commit.commit.as_deref()?)?.commit_type))
        .flatten()
}

/// Returns why a commit is listed under its categories, or not at all.
fn reason(classification: &Classification, config: &Config) -> String {
    match classification {
        Classification::Listed(categories) => categories
            .iter()
            .map(|category| match config.categories.get(category) {
                Some(title) => format!("{category}: {title}"),
                None => category.clone(),
            })
            .collect::<Vec<_>>()
            .join(", "),
        Classification::NoCategory => format!("no {}", config.source.profile().short_property),
        Classification::UnlistedType(kind) => format!("type `{kind}` is not listed"),
        Classification::Revert => "reverts another commit of the range".to_owned(),
        Classification::RevertedBy(by) => format!("reverted by {}", by.short()),
        Classification::FoldedInto(id) => format!("mends {}, which is not released either", id.short()),
        Classification::OutsidePaths => "other paths".to_owned(),
        Classification::Skipped(reason) => format!("skipped: {reason}"),
    }
}

/// Returns the titles that the message of a commit lists, if they are others than its own.
fn listed_messages(commit: &ClassifiedCommit) -> Option<String> {
    let titles = commit.messages().filter_map(|message| message.lines().next());
    let others = titles.filter(|title| commit.commit.as_deref().is_some_and(|commit| commit.subject() != *title));
    let others: Vec<String> = others.map(|title| format!("`{title}`")).collect();
    (!others.is_empty()).then(|| format!("lists {}", others.join(", ")))
}

/// Returns the line of the message that makes a listed commit a breaking change, if its title does not.
fn breaking_reason(commit: &ClassifiedCommit, config: &Config) -> Option<String> {
    let is_breaking = commit.classification.categories().iter().any(|category| category == BREAKING);
    let inner = commit.messages().find_map(breaking_line);
    let line = inner.or_else(|| breaking_line(&commit.commit.as_deref()?.message));
    let line = line.filter(|_| is_breaking && config.source.has_types())?;
    Some(format!("because of `{line}`"))
}
