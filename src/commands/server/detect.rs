//! The server that a repository is hosted on: named by the user, or found by the remote `origin`.

use crate::{
    api::BaseUrl,
    commands::{global_args::ServerArgs, session::variable},
    model::{Forge, JobServer, Problem, Project},
};

/// Returns the server that the options or the environment name; it is assumed to run GitLab.
pub(super) fn given_server(options: &ServerArgs) -> Result<BaseUrl, Problem> {
    let from_environment = || ["TIDINGS_BASE_URL", "GITLAB_HOST", "CI_API_V4_URL"].into_iter().find_map(variable);
    BaseUrl::parse(
        &options.base_url.clone().or_else(from_environment).ok_or_else(|| {
            Problem::usage("no server given")
                .hint("use `--base-url`, or set `TIDINGS_BASE_URL`, such as `https://gitlab.example.com`")
        })?,
        Forge::GitLab,
    )
}

/// Returns the server of a project: the named one, else that of the CI job, else a well-known host.
pub(super) fn server_of_project(options: &ServerArgs, project: &Project) -> Result<BaseUrl, Problem> {
    if let Some(named) = options.base_url.clone().or_else(|| variable("TIDINGS_BASE_URL")) {
        return read(&named, project);
    }
    let host = project.host();
    // The stated forge may be that of a job or of the environment, whose servers are named by their variables.
    let is_possible = |forge: &Forge| project.stated_forge().is_none_or(|stated| stated == *forge);
    if let Some(stated) = project.stated_forge().filter(|stated| !stated.has_api()) {
        return Err(unsupported(host, stated));
    }
    let job = other_forges()
        .filter(is_possible)
        .filter(|forge| host.is_empty() || is_of_job(host, *forge))
        .find_map(job_server);
    if let Some(base) = job {
        return Ok(base);
    }
    // `TIDINGS_TOKEN` may be meant for the server of the environment. Without it, a project on another forge has a
    // token of its own, and that server is ignored.
    let is_other = other_forges().any(|forge| forge == project.forge() || has_api_of(host, forge));
    let apart = is_other && options.token_file.is_none() && variable("TIDINGS_TOKEN").is_none();
    let environment = ["GITLAB_HOST", "CI_API_V4_URL"].into_iter().find_map(variable).filter(|_| !apart);
    match environment.map(|address| BaseUrl::parse(&address, Forge::GitLab)).transpose()? {
        Some(base) if options.project.is_some() || is_at(project, &base) => Ok(base),
        Some(base) => Err(Problem::usage(format!("the repository is on `{host}`, and the environment names `{base}`"))
            .hint("choose one with `--base-url`")),
        None if Forge::ALL.iter().any(|forge| forge.api().home == host) => read(host, project),
        None => Err(unknown_server(project)),
    }
}

/// Whether a project is on a server, or is the project of the CI job, whose runner may use another address.
fn is_at(project: &Project, base: &BaseUrl) -> bool {
    project.host().is_empty()
        || BaseUrl::parse(project.host(), Forge::GitLab).is_ok_and(|there| there.url().host() == base.url().host())
        || variable("CI_PROJECT_PATH").is_some_and(|path| path == project.path())
}

/// Returns the path of a project on its server: the given one, else that of `origin`, else that of the CI job.
pub(super) fn path(options: &ServerArgs, project: &Project, forge: Forge) -> Option<String> {
    options
        .project
        .clone()
        .or_else(|| Some(project.path().to_owned()).filter(|path| !path.is_empty()))
        .or_else(|| variable(forge.api().ci.project))
}

/// Returns the forges with an API of their own. A server that is not recognized as one of them has GitLab's.
fn other_forges() -> impl Iterator<Item = Forge> {
    Forge::ALL.into_iter().filter(|forge| forge.has_api() && *forge != Forge::default())
}

/// Parses the address of a server. Its forge is the one that is stated, else that of the CI job or of the project if
/// either is on that server, else it follows from the address.
fn read(address: &str, project: &Project) -> Result<BaseUrl, Problem> {
    let host = |address: &str| BaseUrl::parse(address, project.forge()).map(|base| base.url().host().to_owned()).ok();
    let own = || (host(address) == host(project.host())).then_some(project.forge());
    let job = || JobServer::from_environment(&variable).filter(|job| job.is_at(address)).map(|job| job.forge);
    let by_address = || other_forges().find(|forge| has_api_of(address, *forge)).or_else(|| Forge::named_by(address));
    let forge = project.stated_forge().or_else(job).or_else(by_address).or_else(own).unwrap_or_default();
    if forge.has_api() { BaseUrl::parse(address, forge) } else { Err(unsupported(address, forge)) }
}

/// Whether a server has the API of a forge: by the host or path of its address, or by the CI job that it runs.
fn has_api_of(address: &str, forge: Forge) -> bool {
    BaseUrl::parse(address, forge)
        .is_ok_and(|base| Forge::named_by(base.url().host()) == Some(forge) || is_api(address, &base))
        || is_of_job(address, forge)
}

/// Whether an address is that of the server's API, or the server has a separate host for its API.
fn is_api(address: &str, server: &BaseUrl) -> bool {
    let api = server.forge().api();
    address.trim_end_matches('/').ends_with(api.root) || api.is_cloud(server.url().host())
}

/// Whether an address is that of the server of this forge that runs the CI job.
fn is_of_job(address: &str, forge: Forge) -> bool {
    let parse = |address: &str| BaseUrl::parse(address, forge).ok();
    let (Some(base), Some(job)) = (parse(address), job_server(forge)) else { return false };
    let home = variable(forge.api().ci.server_url).and_then(|home| parse(&home));
    [Some(job), home].iter().flatten().any(|home| home.url().same_origin(base.url()))
}

/// Returns the server that runs the CI job, if it is of this forge: other runners also set GitHub's variables.
fn job_server(forge: Forge) -> Option<BaseUrl> {
    let address = variable(forge.api().ci.api_url)?;
    BaseUrl::parse(&address, forge).ok().filter(|base| is_api(&address, base))
}

fn unknown_server(project: &Project) -> Problem {
    let host = project.host();
    if !project.forge().has_api() {
        return unsupported(host, project.forge());
    }
    let problem = Problem::usage("no server given");
    if host.is_empty() {
        return problem.hint("use `--base-url`, or set `TIDINGS_BASE_URL`, such as `https://gitlab.example.com`");
    }
    problem.hint(format!("to send the token to the host of `origin`, pass `--base-url {host}`"))
}

/// Returns the problem of a forge whose API the program does not speak.
fn unsupported(host: &str, forge: Forge) -> Problem {
    let name = forge.profile().name;
    let problem = match host {
        "" => Problem::usage(format!("the API of {name} is not supported")),
        host => Problem::usage(format!("`{host}` runs {name}, whose API is not supported")),
    };
    problem.hint("leave out what needs the API: `--no-host-release` for `release`, no `--people`")
}
