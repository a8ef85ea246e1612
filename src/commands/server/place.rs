//! The server a repository is hosted on: named, or known from its remote `origin`.

use super::{ServerOptions, variable};
use crate::{
    api::{BaseUrl, Dialect, Url},
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
    let is_github = is_github(host);
    if let Some(api) = variable("GITHUB_API_URL").filter(|_| host.is_empty() || is_github && host != KNOWN[1]) {
        return BaseUrl::github(&api);
    }
    let job = ["GITLAB_HOST", "CI_API_V4_URL"].into_iter().find_map(variable);
    match job.filter(|_| !is_github) {
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

/// Whether a host says so itself, by its name or the path of its API, or the job that runs on it does.
fn is_github(address: &str) -> bool {
    let Ok(base) = BaseUrl::github(address) else { return false };
    let is_home = |name| {
        variable(name)
            .and_then(|home| BaseUrl::github(&home).ok())
            .is_some_and(|home| home.url().same_origin(base.url()))
    };
    Flavour::of_host(base.url().host()) == Flavour::GitHub
        || base.url().host().ends_with(".ghe.com")
        || Url::parse(address).is_ok_and(|url| url.to_string().trim_end_matches('/').ends_with("/api/v3"))
        || ["GITHUB_API_URL", "GITHUB_SERVER_URL"].into_iter().any(is_home)
}

fn unknown(host: &str) -> Problem {
    let problem = Problem::usage("no server given");
    if host.is_empty() {
        return problem.hint("name it with --base-url, or set TIDINGS_BASE_URL: https://gitlab.example.com");
    }
    problem.hint(format!("if the token may go where `origin` is, name it: --base-url {host}"))
}
