//! `tidings preview`: what the merge of a merge or pull request would add to the changelog.

mod request;
mod text;

use std::{fs::OpenOptions, io::Write as _};

use serde_json::{Value, json};

use super::{
    RangeArgs, Server, Session,
    check::policies,
    global_args::{described_values, one_of},
    marked_comment::MarkedComment,
    session::variable,
};
use crate::{
    api::{self, merge_requests::MergeRequestApi},
    check::TrailerPolicy,
    git::{self, Repo},
    model::{
        Forge, Oid, Problem, Thread, Warning,
        merge_text::{MergeMethod, MergeSettings, ReviewedRequest},
    },
    pipeline::{
        Scope,
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
    (MergeMethod::Merge.name(), "A merge commit", MergeMethod::Merge),
    (MergeMethod::Squash.name(), "One commit with the changes of all", MergeMethod::Squash),
    (MergeMethod::Rebase.name(), "The commits as they are, on top of the target", MergeMethod::Rebase),
];

const EXAMPLES: &str = "\
Examples:
  tidings preview                       the request of the CI job
  tidings preview --comment             and as a comment on it
  tidings preview --request 12          a request by its number
  tidings preview --merge-method squash";

pub(crate) fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let repo = session.whole_repo()?;
    let mut changelog = session.with_lookups(args.options.request(None)?);
    changelog.config_source.forge = args.forge;
    let scope = Scope::open(&repo, changelog)?;
    let server = server(session, &scope)?;
    let api = server.as_ref().map(|server| anyhow::Ok(api::merge_requests_of(server.client(), server.project()?)?));
    let api = api.transpose()?;
    let request = request::find(args.request, api.as_deref(), session)?;
    let target = target(&repo, &request)?;
    let forge = server.as_ref().map_or(scope.project().forge(), |server| server.client().base().forge());
    fetch_head(&repo, &request, forge, session)?;
    let settings = settings(forge, api.as_deref(), session)?.with_files(forge, |path| {
        let text = git::file::read_at_commit(&repo, target, path)?;
        anyhow::Ok(text.map(|text| String::from_utf8_lossy(&text).into_owned()))
    })?;
    let method = method(args, &request, &settings, session);
    let head = match (&args.options.to, &request.head) {
        (None, Some(head)) => git::revision::resolve(&repo, head)?,
        _ => scope.to,
    };
    let scope = scope.ending_at(target);
    let preview = session
        .progress()
        .while_reading(&repo, || MergePreview::make(scope, head, &request, method, &settings, args.require))?;
    let text = text::write(&preview, method);
    let comment = match (args.comment, api) {
        (true, Some(api)) => Some(renew_comment(&*api, &request, &text, &preview, session)?),
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
    session.answer(&document, |out| write!(out, "{text}"))
}

/// Returns the server of the project, if its forge is known and may be asked.
fn server(session: &Session, scope: &Scope) -> anyhow::Result<Option<Server>> {
    let (project, options) = (scope.project(), &session.global.server);
    let has_forge = project.forge().has_api() && !project.path().is_empty();
    let is_known = has_forge || options.project.is_some() || options.base_url.is_some();
    let is_asked = is_known && !session.global.offline;
    is_asked.then(|| Server::for_project(&session.global, &session.messages, project)).transpose()
}

/// Asks how the project merges; what may not be read has the forge's default.
fn settings(forge: Forge, api: Option<&dyn MergeRequestApi>, session: &Session) -> anyhow::Result<MergeSettings> {
    let default = MergeSettings::default_of(forge);
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

/// Finds the tip of the target branch: on `origin`, else here, else the commit that the CI job names.
fn target(repo: &Repo, request: &ReviewedRequest) -> anyhow::Result<Oid> {
    let remote = git::revision::resolve(repo, &format!("origin/{}", request.target));
    let found = remote.or_else(|_| git::revision::resolve(repo, &request.target));
    match &request.base {
        Some(base) => found.or_else(|_| git::revision::resolve(repo, base)),
        None => found,
    }
}

/// Fetches the commits of a request that a whole clone lacks, such as those of a fork. What a shallow one lacks is read when
/// it is needed.
fn fetch_head(repo: &Repo, request: &ReviewedRequest, forge: Forge, session: &Session) -> anyhow::Result<()> {
    let head = request.head.as_ref().and_then(|head| head.parse::<Oid>().ok());
    let is_missing = head.is_some_and(|head| !repo.has_object(head));
    if !is_missing || repo.is_shallow() || session.global.offline || git::remote::url(repo, "origin").is_none() {
        return Ok(());
    }
    git::remote::fetch_branch(repo, "origin", &format!("{}/{}/head", forge.api().request_refs, request.number))
}

/// Chooses the method: the given one, else what the request says, else the one that the project proposes.
fn method(args: &Args, request: &ReviewedRequest, settings: &MergeSettings, session: &Session) -> MergeMethod {
    if let Some(method) = args.merge_method {
        return method;
    }
    let first = settings.methods.first().copied().unwrap_or(MergeMethod::Merge);
    let method = match request.squashes {
        Some(true) => MergeMethod::Squash,
        Some(false) => settings.methods.iter().copied().find(|method| *method != MergeMethod::Squash).unwrap_or(first),
        None => first,
    };
    if request.squashes.is_none() && settings.methods.len() > 1 {
        session.remark(&format!("taking it as merged by {}; `--merge-method` names another way", method.name()));
    }
    method
}

/// Brings the comment of earlier runs up to date, or adds one if there is something to say. If the forge lets the job read
/// and not write, as it does for requests from forks, that is a warning.
fn renew_comment(
    api: &dyn MergeRequestApi,
    request: &ReviewedRequest,
    text: &str,
    preview: &MergePreview,
    session: &Session,
) -> anyhow::Result<&'static str> {
    let comment = MarkedComment::new("preview", &request.target, text);
    match write_comment(api, request.number, &comment, preview.is_empty()) {
        Err(error) if matches!(error.status(), Some(401 | 403 | 404)) => {
            let warning = Warning::new(format!("no comment was written: {}", error.reason()))
                .hint("the preview is in the job's summary and log; a request from a fork gets no comment");
            session.warn(&[warning])?;
            Ok("refused")
        }
        written => Ok(written?),
    }
}

/// Writes the comment; `is_empty` says that there is nothing to add one for.
fn write_comment(
    api: &dyn MergeRequestApi,
    number: u64,
    comment: &MarkedComment,
    is_empty: bool,
) -> api::Result<&'static str> {
    let thread = Thread::Request(number);
    let known = comment.find(api, thread)?;
    if known.is_empty() && is_empty {
        return Ok("none");
    }
    if known.iter().any(|one| one.body.replace("\r\n", "\n").trim_end() == comment.text().trim_end()) {
        return Ok("unchanged");
    }
    for one in &known {
        match api.edit_comment(number, one.id, comment.text()) {
            // The comment of another account cannot be edited.
            Err(error) if matches!(error.status(), Some(403 | 404)) => {}
            edited => return edited.map(|()| "renewed"),
        }
    }
    api.comment(thread, comment.text()).map(|()| if known.is_empty() { "added" } else { "renewed" })
}

/// Appends the preview to the summary of a job on GitHub, Gitea or Forgejo.
fn write_summary(text: &str) -> anyhow::Result<()> {
    let Some(path) = variable("GITHUB_STEP_SUMMARY") else { return Ok(()) };
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    Ok(write!(file, "{text}")?)
}

fn document(
    preview: &MergePreview,
    request: &ReviewedRequest,
    method: MergeMethod,
    comment: Option<&'static str>,
) -> Value {
    let entries = |entries: &[PreviewedEntry]| -> Vec<Value> {
        entries
            .iter()
            .map(|entry| {
                let PreviewedEntry { package, category, heading, title } = entry;
                json!({ "package": package, "category": category, "heading": heading, "title": title })
            })
            .collect()
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
