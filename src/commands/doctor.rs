//! `tidings doctor`: reports what the program finds here, to help with a problem.

use std::{collections::BTreeMap, io::Write as _, path::Path};

use clap::{Args as _, Command, FromArgMatches as _};
use serde_json::{Map, Value, json};

use super::{ConfigArgs, Session, layout::plain, release::Args as ReleaseArgs, session::variable};
use crate::{
    config::{self, Config},
    document::Document,
    git::{self, Repo},
    model::{Date, Forge, JobServer, ProblemKind, Project, hints, problem_kind},
    pipeline::{
        self, ChangelogRequest, LoadedConfig, Scope, change_files_at,
        release::{ReleaseContext, ReleaseInputs, ReleasePlan},
    },
};

/// Report what the program finds here: repository, configuration, tags, release.
///
/// It changes nothing. For tokens it reports only which variables are set. It contacts only `origin`, and only if the
/// clone is shallow or has no tags (never with `--offline`).
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
}

const EXAMPLES: &str = "\
Examples:
  tidings doctor                  read it, or add it to a bug report
  tidings doctor --format json    the report as JSON
  tidings doctor --package api    the report on a package";

const FAMILIES: usize = 10;

pub(crate) fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let repo = session.local_repo()?;
    let mut report = Report::default();
    report.add("program", program());
    let source = args.config.source();
    let loaded = LoadedConfig::load(&repo, &source);
    let stated = loaded.as_ref().ok().and_then(|loaded| loaded.config.forge);
    report.add("repository", repository(&repo, stated));
    let is_empty = git::revision::resolve(&repo, "HEAD").is_err();
    let has_packages = loaded.as_ref().is_ok_and(|loaded| !loaded.config.packages.is_empty());
    match loaded {
        Ok(loaded) => {
            report.problems.extend(loaded.warnings.iter().map(ToString::to_string));
            // A repository may have no commit.
            let head = git::revision::resolve(&repo, "HEAD").ok();
            let warnings = head.map(|head| pipeline::workspace_warnings(&repo, &loaded.config, head));
            report.problems.extend(warnings.iter().flatten().map(ToString::to_string));
            report.add("configuration", describe_config(&repo, &loaded.config));
            let file = loaded.changelog_file(&repo);
            report.try_add("changelog_file", file.and_then(|file| changelog_file(&repo, &file)));
        }
        Err(error) => report.problem(&error),
    }
    report.try_add("change_files", change_files(&repo));
    let request = ChangelogRequest { config_source: source, ..ChangelogRequest::unreleased() };
    let base = Scope::open(&repo, request)
        .and_then(Scope::or_package_by_name)
        .and_then(|scope| pipeline::base(&scope))
        .map(|base| json!(base));
    report.try_add("tags", git::tags::names(&repo).map(|names| tags(&names)));
    let is_of_each = has_packages && args.config.package.is_none() && base.is_err() && !is_empty;
    let reason = json!({ "reason": "each package has one of its own: choose a package with `--package`" });
    report.try_add("last_release", if is_of_each { Ok(reason.clone()) } else { base });
    report.add("tokens", json!({ "variables": token_variables() }));
    let next = if is_of_each { Ok(reason) } else { next_release(&repo, args, session) };
    report.try_add("next_release", next);
    report.write(session)
}

/// Returns the variables that are set to a token, or to the file of one.
fn token_variables() -> Vec<&'static str> {
    Forge::token_variables().into_iter().filter(|name| variable(name).is_some()).collect()
}

/// Returns the version of the program, and how it was built.
fn program() -> Value {
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "commit": option_env!("TIDINGS_COMMIT").filter(|commit| !commit.is_empty()),
        "target": target(),
        "profile": if cfg!(debug_assertions) { "debug" } else { "release" },
        "object_formats": git::object_formats().collect::<Vec<_>>(),
        "tls": "rustls",
        "allocator": if cfg!(target_env = "musl") { "mimalloc" } else { "system" },
        "static": cfg!(target_feature = "crt-static"),
    })
}

/// Returns the platform of the program, as Rust and the released archives name it.
fn target() -> String {
    use std::env::consts::{ARCH, OS};
    let environments = [
        (cfg!(target_env = "gnu"), "-gnu"),
        (cfg!(target_env = "musl"), "-musl"),
        (cfg!(target_env = "msvc"), "-msvc"),
    ];
    let environment = environments.iter().find(|(is_this, _)| *is_this).map_or("", |(_, name)| name);
    match OS {
        "macos" => format!("{ARCH}-apple-darwin"),
        "windows" => format!("{ARCH}-pc-windows{environment}"),
        other => format!("{ARCH}-unknown-{other}{environment}"),
    }
}

/// Returns the version of the program, and how it was built, as lines of text.
pub(crate) fn program_lines() -> String {
    lines("tidings", &program())
}

fn repository(repo: &Repo, stated: Option<Forge>) -> Value {
    let head = git::revision::resolve(repo, "HEAD").ok();
    let origin = git::remote::origin(repo);
    let job = JobServer::from_environment(&variable);
    let project = git::remote::project(repo).map(|project| project.with_forge(stated, job.as_ref()));
    json!({
        "work_tree": repo.work_tree().map(|path| path.canonicalize().unwrap_or_else(|_| path.to_owned()).display().to_string()),
        "git_directory": repo.git_dir().display().to_string(),
        "shallow": repo.is_shallow(),
        "object_format": repo.object_format(),
        "head": head,
        "branches": git::revision::branches(repo).len(),
        "origin": origin,
        "forge": project.as_ref().map(|project| format!("{:?}", project.forge())),
        "project": project.as_ref().map(Project::path),
    })
}

fn describe_config(repo: &Repo, config: &Config) -> Value {
    let is_there = |path: &&&str| git::file::in_work_tree(repo, path).is_ok_and(|found| found.is_some());
    json!({
        "file": config::PATHS.iter().find(is_there),
        "source": config.source.name(),
        "template": config.template_file,
        "tag_prefix": config.tag_prefix,
        "tag_regex": config.tag_regex,
        "packages": config.packages.keys().collect::<Vec<_>>(),
    })
}

fn changelog_file(repo: &Repo, file: &str) -> anyhow::Result<Value> {
    let content = git::file::in_work_tree(repo, file)?;
    let style = content.as_ref().and_then(|content| Document::parse(content.clone()).entry_style());
    let style = style.map(|style| style.describe());
    let refusal = content.as_ref().and_then(|content| Document::parse(content.clone()).refusal(Path::new(file)));
    Ok(json!({
        "path": file,
        "exists": content.is_some(),
        "problem": refusal.map(|refusal| refusal.to_string()),
        "style_of_entries": style,
    }))
}

/// Returns the change files at `HEAD`, and which of them cannot be read.
fn change_files(repo: &Repo) -> anyhow::Result<Value> {
    const SHOWN: usize = 10;
    // A repository may have no commit.
    let Ok(head) = git::revision::resolve(repo, "HEAD") else { return Ok(json!({})) };
    let Some(found) = change_files_at(repo, head)? else { return Ok(json!({})) };
    let broken = found.broken.iter().map(ToString::to_string).collect::<Vec<_>>();
    let rest = found.waiting.len().saturating_sub(SHOWN);
    let mut waiting: Vec<String> = found.waiting.iter().take(SHOWN).cloned().collect();
    waiting.extend((rest > 0).then(|| format!("and {rest} more")));
    Ok(json!({
        "configured_in": found.files.configured_in,
        "directories": found.files.directories,
        "waiting": waiting,
        "broken": broken,
    }))
}

/// Returns the number of tags by the text before their first digit, the most frequent first.
fn tags(names: &[String]) -> Value {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in names {
        let end = name.find(|letter: char| letter.is_ascii_digit()).unwrap_or(name.len());
        *counts.entry(&name[..end]).or_default() += 1;
    }
    let mut sorted: Vec<_> = counts.into_iter().collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let families = sorted.iter().take(FAMILIES).map(|(prefix, count)| json!({ "prefix": prefix, "count": count }));
    json!({ "count": names.len(), "families": families.collect::<Vec<_>>() })
}

/// Returns what `tidings release --no-push` would do, and what blocks it.
fn next_release(repo: &Repo, args: &Args, session: &Session) -> anyhow::Result<Value> {
    let command = ReleaseArgs::augment_args(Command::new("release"));
    let matches = command.try_get_matches_from(["release", "--no-push", "--date", &Date::now().to_string()])?;
    let mut request = ReleaseArgs::from_arg_matches(&matches)?.request(session)?;
    request.changelog.config_source = args.config.source();
    request.changelog.forge = None;
    let context = ReleaseContext::load(repo, &request)?;
    let inputs = match ReleaseInputs::read(&context, &request) {
        Err(error) if problem_kind(&error) == ProblemKind::NothingToDo => {
            return Ok(json!({ "reason": error.to_string() }));
        }
        inputs => inputs?,
    };
    let plan = ReleasePlan::new(inputs, &context, &request, &[])?;
    let blockers: Vec<String> = plan.blockers.iter().map(|blocker| format!("{blocker:#}")).collect();
    Ok(json!({
        "version": plan.version.to_string(),
        "tag": plan.tag,
        "previous_tag": plan.previous_tag,
        "branch": plan.branch,
        "files": plan.changes.iter().map(|change| change.file.as_str()).collect::<Vec<_>>(),
        "blockers": blockers,
    }))
}

/// The sections of the report, and the problems met while they were made.
#[derive(Default)]
struct Report {
    sections: Map<String, Value>,
    problems: Vec<String>,
}

impl Report {
    fn add(&mut self, name: &str, section: Value) {
        self.sections.insert(name.to_owned(), section);
    }

    fn try_add(&mut self, name: &str, section: anyhow::Result<Value>) {
        match section {
            Ok(section) => self.add(name, section),
            Err(error) => self.problem(&error.context(name.replace('_', " "))),
        }
    }

    fn problem(&mut self, error: &anyhow::Error) {
        self.problems.push(format!("{error:#}"));
        self.problems.extend(hints(error).into_iter().map(|hint| format!("hint: {hint}")));
    }

    fn write(mut self, session: &mut Session) -> anyhow::Result<()> {
        self.sections.insert("problems".to_owned(), json!(self.problems));
        let sections = self.sections;
        session.answer(&sections, |out| {
            sections.iter().try_for_each(|(name, value)| write!(out, "{}", lines(name, value)))
        })
    }
}

/// Returns a section as lines: its name, then `key: value` for the values that are known.
fn lines(name: &str, section: &Value) -> String {
    let items: Vec<(String, &Value)> = match section {
        Value::Object(fields) => fields.iter().map(|(key, value)| (words(key) + ": ", value)).collect(),
        other => vec![(String::new(), other)],
    };
    let mut lines = vec![words(name)];
    for (key, value) in items {
        match value {
            Value::Null => {}
            Value::Array(values) if values.is_empty() => lines.push(format!("  {key}none")),
            Value::Array(values) => lines.extend(values.iter().map(|value| format!("  {key}{}", item(value)))),
            value => lines.push(format!("  {key}{}", plain(value))),
        }
    }
    lines.join("\n") + "\n"
}

/// Returns an item of a list: an object as its keys with their values, in the order of the document.
fn item(value: &Value) -> String {
    let Value::Object(fields) = value else { return plain(value) };
    let fields = fields.iter().map(|(key, value)| match value {
        Value::String(text) => format!("{} `{text}`", words(key)),
        value => format!("{} {}", words(key), plain(value)),
    });
    fields.collect::<Vec<_>>().join(", ")
}

fn words(key: &str) -> String {
    key.replace('_', " ")
}
