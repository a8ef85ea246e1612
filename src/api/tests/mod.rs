//! The client against the tests' server: where the token is sent, what is retried, what is reported.

mod limits;
mod listing;
mod redirects;
mod retries;
mod secrets;

use std::{
    sync::{Arc, Mutex},
    time::{Duration, SystemTime},
};

use crate::{
    api::{ApiRequest, BaseUrl, Body, Client, Clock, Credential, Fields, Method, Path},
    model::{AuthScheme, Forge},
    support::Service,
};

/// A clock that jumps instead of waiting, and remembers how far.
#[derive(Debug, Default)]
struct Jumping(Mutex<Vec<Duration>>);

impl Clock for Jumping {
    fn now(&self) -> SystemTime {
        SystemTime::now() + self.0.lock().unwrap().iter().sum::<Duration>()
    }

    fn sleep(&self, pause: Duration) {
        self.0.lock().unwrap().push(pause);
    }
}

impl Jumping {
    /// The pauses so far, in whole seconds.
    fn seconds(&self) -> Vec<u64> {
        self.0.lock().unwrap().iter().map(Duration::as_secs).collect()
    }
}

fn base(service: &Service) -> BaseUrl {
    BaseUrl::parse(&service.url(), Forge::GitLab).unwrap()
}

fn token(text: &str) -> Credential {
    Credential::new(text, AuthScheme::PrivateToken, "the test").unwrap()
}

/// A client of a developer that never waits.
fn client(service: &Service) -> (Client, Arc<Jumping>) {
    let clock = Arc::new(Jumping::default());
    (Client::new(base(service), token("developer-token")).clock(clock.clone()), clock)
}

/// The label `bug` of `group/app`.
fn bug() -> ApiRequest {
    ApiRequest::new(Method::Get, Path::new("/projects/:id/labels/:label_id", &["group/app", "bug"]))
}

/// A new label of a project.
fn create(project: &str) -> ApiRequest {
    let labels = Path::new("/projects/:id/labels", &[project]);
    let fields = Fields::new().add("name", "new").add("color", "red");
    ApiRequest::new(Method::Post, labels).body(Body::Form(fields))
}
