//! From a request to the function that answers it.

use super::{
    State,
    access::{self, Access, Role},
    projects::Project,
    request::Request,
    response::Response,
};

/// A response, or an error response; a handler ends early with `?`.
pub type Reply = Result<Response, Response>;

/// A route: its method, its path below `/api/v4` with `:name` for a value, who may call it, and its handler.
#[derive(Clone, Debug)]
pub struct Route {
    method: &'static str,
    template: &'static str,
    access: Access,
    handler: fn(&mut State, &Ask<'_>) -> Reply,
}

impl Route {
    pub fn new(
        method: &'static str,
        template: &'static str,
        access: Access,
        handler: fn(&mut State, &Ask<'_>) -> Reply,
    ) -> Self {
        Self { method, template, access, handler }
    }

    /// The values of the path, where it is this route's.
    fn matches(&self, segments: &[String]) -> Option<Vec<(&'static str, String)>> {
        let template: Vec<&'static str> = self.template.trim_start_matches('/').split('/').collect();
        if template.len() != segments.len() {
            return None;
        }
        let mut values = Vec::new();
        for (part, segment) in template.into_iter().zip(segments) {
            match part.strip_prefix(':') {
                Some(name) => values.push((name, segment.clone())),
                None if part == segment => {}
                None => return None,
            }
        }
        Some(values)
    }
}

/// A request that found its route.
#[derive(Debug)]
pub struct Ask<'a> {
    pub request: &'a Request,
    /// The role of the caller, `None` for a stranger.
    pub role: Option<Role>,
    values: Vec<(&'static str, String)>,
}

impl Ask<'_> {
    /// A value of the path.
    pub fn value(&self, name: &str) -> &str {
        self.values.iter().find(|(present, _)| *present == name).map_or("", |(_, value)| value)
    }

    /// A parameter of query or body.
    pub fn parameter(&self, name: &str) -> Option<String> {
        self.request.parameter(name)
    }

    /// A parameter without which it does not work.
    pub fn required(&self, name: &str) -> Result<String, Response> {
        self.parameter(name).ok_or_else(|| Response::missing(name))
    }

    /// Whether a parameter is true.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.parameter(name).as_deref(), Some("true" | "1"))
    }

    /// The project of `:id`, if the caller may see it; 301 for one that moved.
    pub fn project(&self, state: &State) -> Result<Project, Response> {
        state.projects.find(self.value("id"), self.role, self.request)
    }

    /// Refuses callers with less than this role.
    pub fn needs(&self, role: Role) -> Result<(), Response> {
        if self.role >= Some(role) { Ok(()) } else { Err(Response::message(403, "403 Forbidden")) }
    }
}

/// Answers a request.
pub fn answer(routes: &[Route], state: &mut State, request: &Request) -> Response {
    let Some(segments) = request.segments() else { return Response::error(404, "404 Not Found") };
    let mut matching = routes.iter().filter_map(|route| Some((route, route.matches(&segments)?))).peekable();
    if matching.peek().is_none() {
        return Response::error(404, "404 Not Found");
    }
    let method = if request.method == "HEAD" { "GET" } else { &request.method };
    let Some((route, values)) = matching.find(|(route, _)| route.method == method) else {
        return Response::error(405, "405 Not Allowed");
    };
    let asked = access::admit(request, route.access).map(|role| Ask { request, role, values });
    asked.and_then(|ask| (route.handler)(state, &ask)).unwrap_or_else(|refusal| refusal)
}
