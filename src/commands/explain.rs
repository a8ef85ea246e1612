//! `tidings explain`: shows for every commit whether it is listed, and why.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    io::Write as _,
};

use anstyle::{AnsiColor, Style};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::{
    RangeArgs, Session, completions,
    explained_files::ExplainedFile,
    history_report::{self, ClassificationCounts},
};
use crate::{
    check::{Finding, Rules, TrailerPolicy, unread_revert},
    config::{Config, EntrySource},
    model::{BREAKING, Commit, Oid, pluralize, printable, printable_lines},
    pipeline::{BaseTag, History, RangeStart, Scope},
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
    let scope = session.or_bare_package(Scope::open(&repo, request)?)?;
    let read = || History::read(scope.end_at_tag()?, Retention::Reasons)?.with_releases();
    let history = session.progress().while_reading(&repo, read)?.with_trailer_warnings();
    history_report::print(&history, session)?;
    let config = rule_config(history.config());
    let explained = explain(&history, Reasons::new(&history, &config))?;
    if session.json() { print_json(&history, explained, session) } else { print(&history, explained, session) }
}

/// Explains each commit. Their texts are read as they are needed, since there may be a million.
fn explain<'h>(
    history: &'h History,
    reasons: Reasons<'h>,
) -> anyhow::Result<impl Iterator<Item = anyhow::Result<Explained<'h>>>> {
    let whole = history.whole(history.commits().iter())?;
    Ok(whole.map(move |whole| whole.map(|(classified, commit)| reasons.explain(classified, &commit))))
}

fn print<'h>(
    history: &History,
    explained: impl Iterator<Item = anyhow::Result<Explained<'h>>>,
    session: &mut Session,
) -> anyhow::Result<()> {
    let out = &mut session.out;
    writeln!(out, "{}", printable_lines(&render_range(history)))?;
    for file in ExplainedFile::of(history) {
        let (style, sign) = if file.is_listed() { (IN, '+') } else { (OUT, '-') };
        writeln!(out, "{style}{}{style:#}", printable(&format!("{sign} {file}")))?;
    }
    for explained in explained {
        let explained = explained?;
        let Explained { classified, title, .. } = &explained;
        let (style, sign) = if classified.classification.is_listed() { (IN, '+') } else { (OUT, '-') };
        let line = format!("{sign} {} {title}  ({})", classified.id.short(), explained.line());
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

/// What `--format json` prints; the commits are made as they are written.
#[derive(Serialize)]
struct Document<'h> {
    base: Option<&'h BaseTag>,
    change_files: Vec<Value>,
    commits: Streamed<'h>,
    counts: Value,
    from: Option<Oid>,
    to: Oid,
}

/// Values that are made as they are written.
struct Streamed<'i>(RefCell<&'i mut dyn Iterator<Item = Value>>);

impl Serialize for Streamed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&mut **self.0.borrow_mut())
    }
}

fn print_json<'h>(
    history: &History,
    explained: impl Iterator<Item = anyhow::Result<Explained<'h>>>,
    session: &mut Session,
) -> anyhow::Result<()> {
    let mut failure = Ok(());
    let mut commits = explained.map_while(|explained| match explained {
        Ok(explained) => Some(explained.document()),
        Err(error) => {
            failure = Err(error);
            None
        }
    });
    let document = Document {
        base: history.start.base(),
        change_files: ExplainedFile::of(history).map(|file| file.document()).collect(),
        commits: Streamed(RefCell::new(&mut commits)),
        counts: ClassificationCounts::from_commits(history.commits()).document(),
        from: history.start.commit(),
        to: history.scope.to,
    };
    session.out.json(&document)?;
    failure
}

/// A commit of the range, and why it is listed or not.
struct Explained<'h> {
    classified: &'h ClassifiedCommit,
    title: String,
    /// Why it is listed under its categories, or not at all.
    reason: String,
    /// What is easily missed in it, and what was meant but does not count.
    remarks: Vec<String>,
    findings: Vec<Finding>,
}

impl Explained<'_> {
    /// Returns all that is said of the commit, on one line.
    fn line(&self) -> String {
        let findings = self.findings.iter().map(|finding| format!("{}; {}", finding.message, finding.hint));
        let all = [self.reason.clone()].into_iter().chain(self.remarks.iter().cloned()).chain(findings);
        all.collect::<Vec<_>>().join(": ")
    }

    fn document(&self) -> Value {
        let classification = &self.classified.classification;
        let mut document =
            json!({ "id": self.classified.id, "title": self.title, "listed": classification.is_listed() });
        if !self.findings.is_empty() {
            document["findings"] = json!(self.findings);
        }
        if !self.remarks.is_empty() {
            document["remarks"] = json!(self.remarks);
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
        document["reason"] = reverter.map_or_else(|| self.line(), |_| "reverted".to_owned()).into();
        if let Some(by) = reverter {
            document["reverted_by"] = json!(by);
        }
        document
    }
}

/// What explains the commits of a history: its configuration, and the findings of `tidings check` about the messages,
/// except those about titles.
struct Reasons<'h> {
    config: &'h Config,
    rules: Rules<'h>,
    reverts: HashSet<Oid>,
    /// The findings about reverts that are not read, by the commit that reverts.
    unread_reverts: HashMap<Oid, Vec<Finding>>,
}

/// Returns the configuration that messages are checked under: if every title is listed, a misspelt trailer may be the
/// reason, so trailers and types are checked as well.
fn rule_config(config: &Config) -> Config {
    Config { source: config.source.or_both(), ..Config::clone(config) }
}

impl<'h> Reasons<'h> {
    fn new(history: &'h History, looked_for: &'h Config) -> Self {
        let rules = Rules::new(looked_for, looked_for.trailer(), TrailerPolicy::None, Some(0));
        let commits = history.commits();
        let mut unread_reverts: HashMap<Oid, Vec<Finding>> = HashMap::new();
        for finding in commits.iter().filter_map(unread_revert) {
            unread_reverts.entry(finding.commit.unwrap_or(history.scope.to)).or_default().push(finding);
        }
        let reverts = commits.iter().filter_map(|classified| classified.classification.reverted_by()).collect();
        Self { config: history.config(), rules, reverts, unread_reverts }
    }

    fn explain<'c>(&self, classified: &'c ClassifiedCommit, commit: &Commit) -> Explained<'c> {
        let found = self.rules.commit(classified, commit, &self.reverts).filter(|finding| finding.rule != "title");
        let unread = self.unread_reverts.get(&classified.id).into_iter().flatten().cloned();
        Explained {
            classified,
            title: title(commit),
            reason: self.reason(classified, commit),
            remarks: self.remarks(classified, commit),
            findings: found.chain(unread).collect(),
        }
    }

    fn remarks(&self, classified: &ClassifiedCommit, commit: &Commit) -> Vec<String> {
        let mentions = classified.mentions();
        let remarks = [
            listed_messages(classified, commit),
            breaking_reason(classified, commit, self.config),
            mentions.unread_revert.map(|by| format!("{} reverts it in a form that GitLab does not read", by.short())),
            mentions.release_remark.clone(),
            mentions.is_noted.then(|| "as noted".to_owned()),
        ];
        remarks.into_iter().flatten().collect()
    }

    fn reason(&self, classified: &ClassifiedCommit, commit: &Commit) -> String {
        match (&classified.classification, unknown_type(commit, self.config.source)) {
            (Classification::NoCategory, Some(kind)) => format!("type `{kind}` is unknown"),
            (classification, _) => reason(classification, self.config),
        }
    }
}

/// Returns the type of a title, if types name the categories and trailers do not.
fn unknown_type(commit: &Commit, source: EntrySource) -> Option<String> {
    let typed = (source == EntrySource::Conventional).then(|| ConventionalCommit::from_commit(commit)).flatten();
    typed.map(|typed| typed.commit_type)
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
fn listed_messages(classified: &ClassifiedCommit, commit: &Commit) -> Option<String> {
    let titles = classified.messages().filter_map(|message| message.lines().next());
    let others: Vec<String> =
        titles.filter(|title| commit.subject() != *title).map(|title| format!("`{title}`")).collect();
    (!others.is_empty()).then(|| format!("lists {}", others.join(", ")))
}

/// Returns the line of the message that makes a listed commit a breaking change, if its title does not.
fn breaking_reason(classified: &ClassifiedCommit, commit: &Commit, config: &Config) -> Option<String> {
    let is_breaking = classified.classification.categories().iter().any(|category| category == BREAKING);
    let inner = classified.messages().find_map(breaking_line);
    let line = inner.or_else(|| breaking_line(&commit.message));
    let line = line.filter(|_| is_breaking && config.source.has_types())?;
    Some(format!("because of `{line}`"))
}
