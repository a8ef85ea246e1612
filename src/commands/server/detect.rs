//! The server a repository is hosted on: named, or known from its remote `origin`.

use crate::{
    api::BaseUrl,
    commands::{args::ServerArgs, session::input::variable},
    model::{Forge, Problem, Project},
};

/// Hosts that everybody means by their name; another gets no token unless the user names it.
const KNOWN: [&str; 2] = ["https://gitlab.com", "https://github.com"];

/// The server that has a project: the one that is named, else that of the CI job, else a well-known host.
pub(super) fn base_url(options: &ServerArgs, project: &Project) -> Result<BaseUrl, Problem> {
    if let Some(named) = options.base_url.clone().or_else(|| variable("TIDINGS_BASE_URL")) {
        return read(&named);
    }
    let host = project.host();
    if let Some(api) = variable("GITHUB_API_URL").filter(|_| host.is_empty() || is_of_job(host)) {
        return BaseUrl::parse(&api, Forge::GitHub);
    }
    // `TIDINGS_TOKEN` may be meant for the server of the environment; without it a GitHub has a token of its own.
    let apart = is_github(host) && options.token_file.is_none() && variable("TIDINGS_TOKEN").is_none();
    let environment = ["GITLAB_HOST", "CI_API_V4_URL"].into_iter().find_map(variable).filter(|_| !apart);
    match environment.map(|address| BaseUrl::parse(&address, Forge::GitLab)).transpose()? {
        Some(base) if options.project.is_some() || is_at(project, &base) => Ok(base),
        Some(base) => Err(Problem::usage(format!("the repository is on `{host}`, and the environment names `{base}`"))
            .hint("choose one with `--base-url`")),
        None if KNOWN.contains(&host) => read(host),
        None => Err(unknown(project)),
    }
}

/// Whether a project is on a server, or is that of the job, whose runners may have another way to their server.
fn is_at(project: &Project, base: &BaseUrl) -> bool {
    let same =
        |host: &str| BaseUrl::parse(host, Forge::GitLab).is_ok_and(|there| there.url().host() == base.url().host());
    let is_of_job = || variable("CI_PROJECT_PATH").is_some_and(|path| path == project.path());
    project.host().is_empty() || same(project.host()) || is_of_job()
}

/// The path of a project on its server: as it is named, else that of `origin`, else that of the CI job.
pub(super) fn path(options: &ServerArgs, project: &Project, forge: Forge) -> Option<String> {
    let own = || Some(project.path().to_owned()).filter(|path| !path.is_empty());
    let job = || variable(forge.profile().ci.project);
    options.project.clone().or_else(own).or_else(job)
}

fn read(address: &str) -> Result<BaseUrl, Problem> {
    BaseUrl::parse(address, if is_github(address) { Forge::GitHub } else { Forge::GitLab })
}

/// Whether an address says so itself, by the name of its host or the path of its API, or the job that runs there does.
fn is_github(address: &str) -> bool {
    let by_name = |base: BaseUrl| {
        let host = base.url().host();
        Forge::from_host(host) == Forge::GitHub || Forge::GitHub.api().is_cloud(host)
    };
    BaseUrl::parse(address, Forge::GitHub).is_ok_and(by_name)
        || address.trim_end_matches('/').ends_with("/api/v3")
        || is_of_job(address)
}

/// Whether it is the GitHub that runs the job.
fn is_of_job(address: &str) -> bool {
    let Ok(base) = BaseUrl::parse(address, Forge::GitHub) else { return false };
    let is_it =
        |home: String| BaseUrl::parse(&home, Forge::GitHub).is_ok_and(|home| home.url().same_origin(base.url()));
    ["GITHUB_API_URL", "GITHUB_SERVER_URL"].into_iter().filter_map(variable).any(is_it)
}

fn unknown(project: &Project) -> Problem {
    let host = project.host();
    if !project.forge().has_api() {
        return Problem::usage(format!("`{host}` has neither GitLab's API nor GitHub's"));
    }
    let problem = Problem::usage("no server given");
    if host.is_empty() {
        return problem.hint("name it with --base-url, or set TIDINGS_BASE_URL: https://gitlab.example.com");
    }
    problem.hint(format!("to send the token to the host of `origin`, pass `--base-url {host}`"))
}
