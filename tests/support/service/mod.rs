//! The service, on this machine: one stateful server for all tests that need one.
//!
//! It keeps the contract of the real one: who may do what, pages, refusals in every form, and misbehaviour on demand
//! ([`Fault`]). Every request is recorded, and checked against what GitLab's OpenAPI
//! description says of the operation.
//!
//! An area is a file with its state and its `routes`, listed in [`State`] and in [`routes`].

mod access;
mod clusters;
mod commits;
mod contract;
mod fault;
mod features;
mod git;
mod github;
mod http;
mod labels;
mod member_roles;
mod packages;
mod paging;
mod people;
mod projects;
mod releases;
mod repository;
mod request;
mod requests;
mod response;
mod reviews;
mod router;
mod serve;
mod vulnerabilities;
mod wikis;

use std::{
    io::{self, BufReader},
    net::{SocketAddr, TcpListener, TcpStream},
    path::Path,
    process::Command,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use self::fault::Faults;
pub use self::{
    fault::Fault,
    github::{Asset, Pull, Release},
    people::MergeRequest,
    request::Request,
    requests::ReleaseRequest,
    response::Response,
    router::Route,
};
use super::run::{Outcome, tidings};

/// The state of the server, with a field for each resource.
#[derive(Debug)]
pub struct State {
    pub projects: projects::Projects,
    pub labels: labels::Labels,
    pub features: features::Features,
    pub vulnerabilities: vulnerabilities::Vulnerabilities,
    pub repositories: repository::Repositories,
    pub wikis: wikis::Wikis,
    pub clusters: clusters::Clusters,
    pub member_roles: member_roles::MemberRoles,
    pub releases: releases::Releases,
    pub packages: packages::Packages,
    pub github: github::GitHub,
    pub people: people::People,
    pub requests: requests::Requests,
}

impl State {
    /// A few projects and labels to begin with.
    fn sample() -> Self {
        Self {
            projects: projects::Projects::sample(),
            labels: labels::Labels::sample(),
            features: features::Features::sample(),
            vulnerabilities: vulnerabilities::Vulnerabilities::sample(),
            repositories: repository::Repositories::default(),
            wikis: wikis::Wikis::sample(),
            clusters: clusters::Clusters::sample(),
            member_roles: member_roles::MemberRoles::sample(),
            releases: releases::Releases::default(),
            packages: packages::Packages::default(),
            github: github::GitHub::default(),
            people: people::People::default(),
            requests: requests::Requests::default(),
        }
    }
}

/// The routes of every area; the first that matches is taken.
fn routes() -> Vec<Route> {
    [
        labels::routes(),
        features::routes(),
        vulnerabilities::routes(),
        repository::routes(),
        wikis::routes(),
        clusters::routes(),
        member_roles::routes(),
        releases::routes(),
        packages::routes(),
        github::routes(),
        people::routes(),
        requests::routes(),
        reviews::routes(),
        commits::routes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A running service, stopped when it is dropped.
#[derive(Debug)]
pub struct Service {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    routes: Vec<Route>,
    faults: Mutex<Faults>,
    requests: Mutex<Vec<Request>>,
    script: Mutex<Option<Script>>,
    breaches: Mutex<Vec<String>>,
    stopped: AtomicBool,
}

/// What responds before the routes.
struct Script(Box<Respond>);

type Respond = dyn Fn(&Request) -> Option<Response> + Send;

impl std::fmt::Debug for Script {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Script")
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Service {
    /// Starts one with sample data on a free port.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port on this machine");
        let address = listener.local_addr().expect("a bound socket has an address");
        let shared = Arc::new(Shared {
            state: Mutex::new(State::sample()),
            routes: routes(),
            faults: Mutex::default(),
            requests: Mutex::default(),
            script: Mutex::default(),
            breaches: Mutex::default(),
            stopped: AtomicBool::new(false),
        });
        let serving = Arc::clone(&shared);
        thread::spawn(move || serving.accept(&listener));
        Self { address, shared }
    }

    /// One whose project `group/app` has this repository.
    pub fn with_repository(path: &Path) -> Self {
        let service = Self::start();
        service.state().projects.set_repository("group/app", path);
        service
    }

    /// Its address, without `/api/v4`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What it remembers, to look at or to prepare.
    pub fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.shared.state)
    }

    /// Makes the next request that has none yet fail this way.
    pub fn fail(&self, fault: Fault) -> &Self {
        lock(&self.shared.faults).push(fault);
        self
    }

    /// Removes the faults that were not used.
    pub fn forget_faults(&self) {
        *lock(&self.shared.faults) = Faults::default();
    }

    /// Answers the requests for which a function returns a response.
    pub fn script(&self, respond: impl Fn(&Request) -> Option<Response> + Send + 'static) {
        *lock(&self.shared.script) = Some(Script(Box::new(respond)));
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.shared.requests).clone()
    }

    /// The last request.
    #[track_caller]
    pub fn last(&self) -> Request {
        self.requests().pop().expect("there was a request")
    }

    /// The program, speaking to this service for the owner of a token, about `group/app`.
    pub fn program(&self, token: &str) -> Command {
        let mut command = tidings(&std::env::temp_dir());
        command.env("TIDINGS_BASE_URL", self.url()).env("TIDINGS_TOKEN", token).args(["--project", "group/app"]);
        command
    }

    /// Runs the program with the token of a developer.
    #[track_caller]
    pub fn tidings(&self, arguments: &[&str]) -> Outcome {
        self.tidings_as("developer-token", arguments)
    }

    /// Runs the program for the owner of a token; see [`access`].
    #[track_caller]
    pub fn tidings_as(&self, token: &str, arguments: &[&str]) -> Outcome {
        self.program(token).args(arguments).output().expect("the program runs").into()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for a connection.
        drop(TcpStream::connect(self.address));
        let breaches = std::mem::take(&mut *lock(&self.shared.breaches));
        assert!(breaches.is_empty() || thread::panicking(), "against the service's contract: {breaches:#?}");
    }
}

impl Shared {
    fn accept(self: &Arc<Self>, listener: &TcpListener) {
        for stream in listener.incoming().map_while(Result::ok) {
            if self.stopped.load(Ordering::SeqCst) {
                return;
            }
            let shared = Arc::clone(self);
            // A connection that breaks is the client's to complain about.
            thread::spawn(move || drop(shared.converse(&stream)));
        }
    }

    fn converse(&self, stream: &TcpStream) -> io::Result<()> {
        let mut reader = BufReader::new(stream);
        let mut writer = stream;
        while let Some(request) = http::read(&mut reader)? {
            let response = self.answer(&request);
            if http::write(&mut writer, &request, response)? == http::After::Close {
                return stream.shutdown(std::net::Shutdown::Both);
            }
        }
        Ok(())
    }

    fn answer(&self, request: &Request) -> Response {
        if let Some(response) = self.control(request) {
            return response;
        }
        let repository = requests::repository(&lock(&self.state)).cloned();
        if let Some(response) = repository.and_then(|repository| git::answer(request, &repository)) {
            return response;
        }
        lock(&self.requests).push(request.clone());
        let fault = lock(&self.faults).next();
        let answer = || router::answer(&self.routes, &mut lock(&self.state), request);
        if let Some(fault) = fault {
            return fault.apply(answer);
        }
        if let Some(response) = lock(&self.script).as_ref().and_then(|script| script.0(request)) {
            return response;
        }
        let response = answer();
        self.check(request, &response);
        response
    }

    /// `POST /faults/NAME?times=N` asks for misbehaviour from a terminal.
    fn control(&self, request: &Request) -> Option<Response> {
        let name = request.path.strip_prefix("/faults/")?;
        let Some(fault) = Fault::named(name) else {
            return Some(Response::text(404, &format!("faults: {}\n", Fault::NAMES.join(" "))));
        };
        let times = request.parameter("times").and_then(|times| times.parse().ok()).unwrap_or(1);
        lock(&self.faults).extend(std::iter::repeat_n(fault, times));
        Some(Response::text(200, "fault armed\n"))
    }

    fn check(&self, request: &Request, response: &Response) {
        // What is refused may well be wrong: that is what the test is about.
        if response.status < 400 {
            contract::log(request);
            lock(&self.breaches).extend(contract::breaches(request));
        }
    }
}
