//! The repository behind the service over HTTP, as a forge serves it: `/group/app.git` and `/harbor/app.git`.

use std::path::Path;

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::{access::Role, request::Request, response::Response};
use crate::support::remote::{self, Server};

/// Answers a request of git; `None` for any other. To push takes a token, as the password of any user.
pub fn answer(request: &Request, repository: &Path) -> Option<Response> {
    let (_, below) = request.path.split_once(".git/").filter(|(project, _)| !project.starts_with("/api/"))?;
    if request.target.contains("git-receive-pack") && role(request) < Some(Role::Developer) {
        return Some(Response::text(401, "denied\n").header("WWW-Authenticate", "Basic realm=\"harbor\""));
    }
    let directory = repository.parent().expect("a repository is in a directory");
    let name = repository.file_name().unwrap_or_default().to_string_lossy();
    let headers = request.headers.iter().map(|(name, value)| (name.to_ascii_lowercase(), value.clone()));
    let backend = remote::git_program("git-http-backend").expect("a test of git over HTTP looks for it first");
    let (head, body) = Server::of_directory(directory).run(
        &backend,
        &remote::Request {
            method: request.method.clone(),
            path: format!("/{name}/{below}"),
            query: request.target.split_once('?').map(|(_, query)| query.to_owned()).unwrap_or_default(),
            headers: headers.collect(),
            body: request.body.clone(),
        },
    );
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok()).expect("an answer has a status");
    let fields = lines.filter_map(|line| line.split_once(": "));
    Some(
        fields
            .fold(Response { body, ..Response::empty(status) }, |response, (name, value)| response.header(name, value)),
    )
}

fn role(request: &Request) -> Option<Role> {
    let basic = request.header("authorization")?.strip_prefix("Basic ")?;
    let account = String::from_utf8(STANDARD.decode(basic).ok()?).ok()?;
    Role::of(account.split_once(':')?.1)
}
