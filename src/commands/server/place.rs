//! The server a repository is hosted on: named, or known from its remote `origin`.

use super::{ServerOptions, variable};
use crate::{
    api::{BaseUrl, Dialect},
    model::{Flavour, Problem, Project},
};

/// Hosts that everybody means by their name; another gets no token unless the user names it.
const KNOWN: [&str; 2] = ["https://gitlab.com", "https://github.com"];

/// The server that has a project: the one that is named, else that of the CI job, else a well-known host.
pub(super) fn base_url(options: &ServerOptions, project: &Project) -> Result<BaseUrl, Problem> {
    if let Some(named) = options.base_url.clone().or_else(|| variable("TIDINGS_BASE_URL")) {
        return read(&named);
    }
    let host = project.host();
    if let Some(api) = variable("GITHUB_API_URL").filter(|_| host.is_empty() || is_of_job(host)) {
        return BaseUrl::github(&api);
    }
    let job = ["GITLAB_HOST", "CI_API_V4_URL"].into_iter().find_map(variable);
    match job.filter(|_| !is_github(host)) {
        Some(address) => BaseUrl::parse(&address),
        None if KNOWN.contains(&host) => read(host),
        None => Err(unknown(host)),
    }
}

/// The path of a project on its server: as it is named, else that of `origin`, else that of the CI job.
pub(super) fn path(options: &ServerOptions, project: &Project, dialect: Dialect) -> Option<String> {
    let own = || Some(project.path().to_owned()).filter(|path| !path.is_empty());
    let job = || variable(if dialect == Dialect::GitHub { "GITHUB_REPOSITORY" } else { "CI_PROJECT_PATH" });
    options.project.clone().or_else(own).or_else(job)
}

fn read(address: &str) -> Result<BaseUrl, Problem> {
    if is_github(address) { BaseUrl::github(address) } else { BaseUrl::parse(address) }
}

/// Whether an address says so itself, by the name of its host or the path of its API, or the job that runs there does.
fn is_github(address: &str) -> bool {
    let by_name = |base: BaseUrl| {
        let host = base.url().host();
        Flavour::of_host(host) == Flavour::GitHub || host.ends_with(".ghe.com")
    };
    BaseUrl::github(address).is_ok_and(by_name)
        || address.trim_end_matches('/').ends_with("/api/v3")
        || is_of_job(address)
}

/// Whether it is the GitHub that runs the job.
fn is_of_job(address: &str) -> bool {
    let Ok(base) = BaseUrl::github(address) else { return false };
    let is_it = |home: String| BaseUrl::github(&home).is_ok_and(|home| home.url().same_origin(base.url()));
    ["GITHUB_API_URL", "GITHUB_SERVER_URL"].into_iter().filter_map(variable).any(is_it)
}

fn unknown(host: &str) -> Problem {
    let problem = Problem::usage("no server given");
    if host.is_empty() {
        return problem.hint("name it with --base-url, or set TIDINGS_BASE_URL: https://gitlab.example.com");
    }
    problem.hint(format!("if the token may go where `origin` is, name it: --base-url {host}"))
}
