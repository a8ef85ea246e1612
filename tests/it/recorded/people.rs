//! Recorded answers of GitLab, with the people it named.

#![cfg(unix)]

use tempfile::TempDir;

use super::{cases, json, repositories};
use crate::support::{Outcome, Service};

#[test]
fn people_are_named_as_the_service_names_them() {
    for (name, case) in cases("service-") {
        let (input, expected) = (json(&case.join("input.json")), json(&case.join("expected.json")));
        let Some(notes) = expected["notes"].as_str().filter(|_| !repositories::is_refused_on_purpose(&name)) else {
            continue;
        };
        let (place, kept) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let repository = place.path().join("repo");
        repositories::build(&case, &repository);
        let service = Service::start();
        service.state().projects.add("harbor/pilot");
        for (email, user) in input["users"].as_object().expect("users by address") {
            let (name, people) = (user["username"].as_str().unwrap(), &mut service.state().people);
            if user["contributor"] == true {
                people.contributor(name, email, "harbor/pilot");
            } else {
                let user = people.sign_up(name, email);
                people.join(user, "harbor/pilot");
            }
        }
        let mut command = repositories::show(&repository, &input);
        command.env("TIDINGS_BASE_URL", service.url()).env("TIDINGS_TOKEN", "developer-token");
        command.arg("--people").arg("--cache").arg(kept.path());
        let shown: Outcome = command.output().expect("the program runs").into();
        assert_eq!(shown.success(), notes, "{name}");
    }
}
