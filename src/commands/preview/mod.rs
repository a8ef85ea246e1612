//! `tidings preview`: what the merge of a merge or pull request would add to the changelog.

mod request;
mod text;

use std::{fs::OpenOptions, io::Write as _};

use serde_json::{Value, json};

use super::{
    RangeArgs, Server, Session,
    check::policies,
    global_args::{described_values, one_of},
    session::variable,
};
use crate::{
    api::{self, reviews::ReviewApi},
    check::TrailerPolicy,
    git::{self, Repo},
    model::{
        Forge, JobServer, Oid, Problem, Project, Warning,
        merge_text::{MergeMethod, MergeSettings, ReviewedRequest},
    },
    pipeline::{
        LoadedConfig, Scope,
        preview::{MergePreview, PreviewedEntry, PreviewedVersion},
    },
};

/// Show what the merge of a merge or pull request would add to the changelog.
///
/// The request is merged for a moment, on no branch, as the forge would merge it: the entries that this adds, the next
/// version without it and with it, and what `check` finds, also in the message of a squash commit before there is one.
/// In a CI job the request is that of the job.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Number of the request [default: that of the CI job].
    #[arg(long, value_name = "NUMBER")]
    request: Option<u64>,
    /// How the request will be merged [default: as request and project say].
    #[arg(long, value_name = "METHOD", value_parser = described_values(METHODS))]
    merge_method: Option<MergeMethod>,
    /// Write the preview as a comment on the request, and renew it there on every run.
    #[arg(long)]
    comment: bool,
    /// Which commits must have the trailer.
    #[arg(long, default_value = "any", value_parser = policies())]
    require: TrailerPolicy,
    /// Forge that the host runs [default: `forge` in the configuration, else by the CI job or the name of the host].
    #[arg(long, value_name = "NAME", value_parser = one_of(Forge::words()))]
    forge: Option<Forge>,
    #[command(flatten)]
    options: RangeArgs,
}

const METHODS: [(&str, &str, MergeMethod); 3] = [
    ("merge", "A merge commit", MergeMethod::Merge),
    ("squash", "One commit with the changes of all", MergeMethod::Squash),
    ("rebase", "The commits as they are, on top of the target", MergeMethod::Rebase),
];

const EXAMPLES: &str = "\
Examples:
  tidings preview                       the request of the CI job
  tidings preview --comment             and as a comment on it
  tidings preview --request 12          a request by its number
  tidings preview --merge-method squash";

pub(crate) fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let repo = session.whole_repo()?;
    let project = project(&repo, args, session)?;
    let has_forge = project.forge().has_api() && !project.path().is_empty();
    let is_named = session.global.server.project.is_some() || session.global.server.base_url.is_some();
    let is_asked = !session.global.offline && (has_forge || is_named);
    let server = if is_asked { Some(Server::for_project(session, &project)?) } else { None };
    let api = server.as_ref().map(|server| anyhow::Ok(api::reviews_of(server.client(), server.project()?)?));
    let api = api.transpose()?;
    let request = request::find(args.request, api.as_deref())?;
    let settings = settings(&project, api.as_deref(), session)?;
    let settings = match project.forge() {
        Forge::Gitea => settings.with_files(|path| template_file(&repo, &request, path))?,
        _ => settings,
    };
    let method = method(args, &request, &settings, session);
    let read = || preview(args, &repo, &request, method, &settings);
    let preview = session.progress().while_reading(&repo, read)?;
    let text = text::write(&preview, &request, method);
    let comment = match (args.comment, api) {
        (true, Some(api)) => renew_comment(&*api, &request, &text, &preview, session)?,
        (true, None) => {
            return Err(Problem::usage("the forge of the repository is not known, so there is nothing to comment on")
                .hint("name the server with `--base-url` and the project with `--project`")
                .into());
        }
        (false, _) => None,
    };
    if let Some(server) = &server {
        server.finish_progress();
    }
    write_summary(&text)?;
    let document = document(&preview, &request, method, comment);
    session.answer(&document, |out| write!(out, "{}", text::without_marker(&text)))
}

/// Returns the project of `origin`, on the forge that the options, the configuration, the CI job or the host name.
fn project(repo: &Repo, args: &Args, session: &Session) -> anyhow::Result<Project> {
    let stated = args.forge.map_or_else(
        || Ok(LoadedConfig::load(repo, &args.options.config.source())?.config.forge),
        |forge| anyhow::Ok(Some(forge)),
    )?;
    let found = git::remote::project(repo).unwrap_or_default();
    let path = session.global.server.project.clone();
    let found = match path {
        Some(path) => Project::new(found.host(), &path),
        None => found,
    };
    Ok(found.with_forge(stated, JobServer::from_environment(&variable).as_ref()))
}

/// Asks how the project merges; what may not be read has the forge's default.
fn settings(project: &Project, api: Option<&dyn ReviewApi>, session: &Session) -> anyhow::Result<MergeSettings> {
    let default = MergeSettings::default_of(project.forge());
    let Some(api) = api else { return Ok(default) };
    match api.merge_settings() {
        Ok(settings) => Ok(settings),
        Err(error) => {
            let warning = Warning::new(format!("the merge settings of the project cannot be read: {}", error.reason()))
                .hint("name the method with `--merge-method`; messages are those of the forge's defaults");
            session.warn(&[warning])?;
            Ok(default)
        }
    }
}

/// Reads a template of messages at the target of the request.
fn template_file(repo: &Repo, request: &ReviewedRequest, path: &str) -> anyhow::Result<Option<String>> {
    let found = git::file::read_at_commit(repo, target(repo, request)?, path)?;
    Ok(found.map(|text| String::from_utf8_lossy(&text).into_owned()))
}

fn target(repo: &Repo, request: &ReviewedRequest) -> anyhow::Result<Oid> {
    let remote = git::revision::resolve(repo, &format!("origin/{}", request.target));
    let found = remote.or_else(|_| git::revision::resolve(repo, &request.target));
    match &request.base {
        Some(base) => found.or_else(|_| git::revision::resolve(repo, base)),
        None => found,
    }
}

/// Chooses the method: the given one, else what the request says, else the one that the project proposes.
fn method(args: &Args, request: &ReviewedRequest, settings: &MergeSettings, session: &Session) -> MergeMethod {
    if let Some(method) = args.merge_method {
        return method;
    }
    let others = || settings.methods.iter().copied().find(|method| *method != MergeMethod::Squash);
    let first = settings.methods.first().copied().unwrap_or(MergeMethod::Merge);
    let method = match request.squashes {
        Some(true) => MergeMethod::Squash,
        Some(false) => others().unwrap_or(first),
        None => first,
    };
    if request.squashes.is_none() && settings.methods.len() > 1 {
        session.remark(&format!("taking it as merged by {}; `--merge-method` names another way", method.name()));
    }
    method
}

fn preview(
    args: &Args,
    repo: &Repo,
    request: &ReviewedRequest,
    method: MergeMethod,
    settings: &MergeSettings,
) -> anyhow::Result<MergePreview> {
    let mut changelog = args.options.request(None)?;
    changelog.range.to = target(repo, request)?.to_string();
    let head = args.options.to.as_deref().or(request.head.as_deref()).unwrap_or("HEAD");
    let head = git::revision::resolve(repo, head)?;
    MergePreview::make(&Scope::open(repo, changelog)?, head, request, method, settings, args.require)
}

/// Brings the comment of earlier runs up to date, or adds one if there is something to say. A forge that lets the job
/// read and not write, as it does for requests from forks, is no failure.
fn renew_comment(
    api: &dyn ReviewApi,
    request: &ReviewedRequest,
    text: &str,
    preview: &MergePreview,
    session: &Session,
) -> anyhow::Result<Option<&'static str>> {
    let renewed = (|| {
        let marker = text::marker(request);
        let own = api.comments(request.number)?.into_iter().find(|comment| comment.body.starts_with(&marker));
        Ok(match own {
            Some(own) if own.body.replace("\r\n", "\n").trim_end() == text.trim_end() => "unchanged",
            Some(own) => {
                match api.edit_comment(request.number, own.id, text) {
                    // The comment of another account cannot be edited.
                    Err(error) if matches!(error.status(), Some(403 | 404)) => {
                        api.add_comment(request.number, text)?;
                    }
                    edited => edited?,
                }
                "renewed"
            }
            None if preview.is_empty() => "none",
            None => {
                api.add_comment(request.number, text)?;
                "added"
            }
        })
    })();
    match renewed {
        Ok(state) => Ok(Some(state)),
        Err(error) if matches!(api::Error::status(&error), Some(401 | 403 | 404)) => {
            let warning = Warning::new(format!("no comment was written: {}", error.reason()))
                .hint("the preview is in the job's summary and log; a request from a fork gets no comment");
            session.warn(&[warning])?;
            Ok(Some("refused"))
        }
        Err(error) => Err(error.into()),
    }
}

/// Appends the preview to the summary of a job on GitHub, Gitea or Forgejo.
fn write_summary(text: &str) -> anyhow::Result<()> {
    let Some(path) = variable("GITHUB_STEP_SUMMARY") else { return Ok(()) };
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    Ok(write!(file, "{}", text::without_marker(text))?)
}

fn document(
    preview: &MergePreview,
    request: &ReviewedRequest,
    method: MergeMethod,
    comment: Option<&'static str>,
) -> Value {
    let entries = |entries: &[PreviewedEntry]| -> Vec<Value> {
        let entry = |entry: &PreviewedEntry| json!({ "package": entry.package, "category": entry.category, "title": entry.title });
        entries.iter().map(entry).collect()
    };
    let version = |version: &PreviewedVersion| json!({ "package": version.package, "before": version.before, "after": version.after });
    json!({
        "request": request.number,
        "url": request.url,
        "source": request.source,
        "target": request.target,
        "method": method.name(),
        "is_clean": preview.is_clean,
        "message": preview.message,
        "adds": entries(&preview.adds),
        "removes": entries(&preview.removes),
        "versions": preview.versions.iter().map(version).collect::<Vec<_>>(),
        "findings": preview.findings,
        "comment": comment,
    })
}
