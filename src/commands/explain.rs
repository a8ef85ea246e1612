//! `tidings explain`: tells of every commit whether it is listed, and why.

use std::{collections::BTreeMap, io::Write as _};

use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};

use super::{ChangelogOptions, Session};
use crate::{
    changelog::{title::title, verdict::Verdict},
    model::Commit,
    pipeline::{self, History, Start},
};

const IN: Style = AnsiColor::Green.on_default();
const OUT: Style = Style::new().dimmed();

/// Tell which commits are in a section, which are out, and why.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The version of the section; without it: what is unreleased since the last stable tag.
    #[arg(value_name = "VERSION")]
    version: Option<String>,
    #[command(flatten)]
    options: ChangelogOptions,
}

const EXAMPLES: &str = "\
Examples:
  tidings explain                   of what is unreleased
  tidings explain 1.2.0             of a version
  tidings explain --package api     of a package of the settings
  tidings explain --format json     for machines";

/// Runs `tidings explain`.
///
/// # Errors
///
/// Where the repository, the settings or the range fails.
pub fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let request = args.options.request(args.version.as_deref())?;
    let history = pipeline::history(&session.repo()?, &request)?;
    session.warn(&history.warnings)?;
    if session.json() { session.out.json(&document(&history)) } else { print(&history, session) }
}

fn print(history: &History, session: &mut Session) -> anyhow::Result<()> {
    let out = &mut session.out;
    writeln!(out, "{}", opening(history))?;
    for (commit, verdict) in history.commits.iter().zip(&history.verdicts) {
        let (style, sign) = if verdict.is_listed() { (IN, '+') } else { (OUT, '-') };
        let (id, title) = (commit.id.short(), title(commit));
        writeln!(out, "{style}{sign} {id} {title}  ({}){style:#}", why(verdict, history))?;
    }
    Ok(writeln!(out, "{}", closing(&history.verdicts))?)
}

fn opening(history: &History) -> String {
    let to = history.to.short();
    match &history.start {
        Start::Base(base) => format!("base {} ({}), {}\nrange {0}..{to}", base.tag, base.commit.short(), base.reason),
        Start::Given { revision, commit } => format!("range {revision} ({})..{to}, as asked for", commit.short()),
        Start::Beginning => format!("range: the whole history up to {to}, as asked for"),
    }
}

fn why(verdict: &Verdict, history: &History) -> String {
    match verdict {
        Verdict::Listed(categories) => {
            let configured = &history.settings.config.categories;
            let titled = |category: &String| match configured.get(category) {
                Some(title) => format!("{category}: {title}"),
                None => category.clone(),
            };
            categories.iter().map(titled).collect::<Vec<_>>().join(", ")
        }
        Verdict::OtherPaths => "other paths".to_owned(),
        Verdict::NoTrailer => "no trailer".to_owned(),
        Verdict::RevertedBy(by) => format!("reverted by {}", by.short()),
    }
}

fn closing(verdicts: &[Verdict]) -> String {
    let counts = Counts::of(verdicts);
    let listed: Vec<String> = counts.categories.iter().map(|(category, count)| format!("{count} {category}")).collect();
    let listed = if listed.is_empty() { String::new() } else { format!(" ({})", listed.join(", ")) };
    let Counts { listed: total, reverted, no_trailer, other_paths, .. } = counts;
    let elsewhere = if other_paths > 0 { format!(", {other_paths} of other paths") } else { String::new() };
    let commits = if verdicts.len() == 1 { "1 commit".to_owned() } else { format!("{} commits", verdicts.len()) };
    format!("{commits}: {total} in{listed}, {reverted} reverted, {no_trailer} without a trailer{elsewhere}")
}

/// How many commits met which fate.
#[derive(Default)]
struct Counts<'a> {
    listed: usize,
    categories: BTreeMap<&'a str, usize>,
    reverted: usize,
    no_trailer: usize,
    other_paths: usize,
}

impl<'a> Counts<'a> {
    fn of(verdicts: &'a [Verdict]) -> Self {
        let mut counts = Self::default();
        for verdict in verdicts {
            match verdict {
                Verdict::Listed(categories) => {
                    counts.listed += 1;
                    for category in categories {
                        *counts.categories.entry(category).or_default() += 1;
                    }
                }
                Verdict::OtherPaths => counts.other_paths += 1,
                Verdict::RevertedBy(_) => counts.reverted += 1,
                Verdict::NoTrailer => counts.no_trailer += 1,
            }
        }
        counts
    }
}

fn document(history: &History) -> Value {
    let counts = Counts::of(&history.verdicts);
    let commits: Vec<Value> = history.commits.iter().zip(&history.verdicts).map(judged).collect();
    json!({
        "start": start(&history.start),
        "to": history.to,
        "commits": commits,
        "counts": {
            "commits": history.commits.len(),
            "listed": counts.listed,
            "categories": counts.categories,
            "reverted": counts.reverted,
            "no_trailer": counts.no_trailer,
            "other_paths": counts.other_paths,
        },
    })
}

fn start(start: &Start) -> Value {
    match start {
        Start::Base(base) => json!({ "base": { "tag": base.tag, "commit": base.commit, "reason": base.reason } }),
        Start::Given { revision, commit } => json!({ "given": { "revision": revision, "commit": commit } }),
        Start::Beginning => Value::Null,
    }
}

fn judged((commit, verdict): (&Commit, &Verdict)) -> Value {
    let (id, title) = (commit.id, title(commit));
    match verdict {
        Verdict::Listed(categories) => {
            let last = categories.last();
            json!({ "id": id, "title": title, "listed": true, "category": last, "categories": categories })
        }
        Verdict::OtherPaths => json!({ "id": id, "title": title, "listed": false, "reason": "other paths" }),
        Verdict::NoTrailer => json!({ "id": id, "title": title, "listed": false, "reason": "no trailer" }),
        Verdict::RevertedBy(by) => {
            json!({ "id": id, "title": title, "listed": false, "reason": "reverted", "reverted_by": by })
        }
    }
}
