//! A project that has moved.

use crate::support::Service;

#[test]
fn a_moved_project_is_found_with_the_token() {
    let service = Service::start();
    service.tidings(&["label", "get", "bug", "--project", "old/app"]).success();
    let targets: Vec<_> = service.requests().iter().map(|request| request.path.clone()).collect();
    assert_eq!(targets, ["/api/v4/projects/old%2Fapp/labels/bug", "/api/v4/projects/1/labels/bug"]);
    assert_eq!(service.last().header("private-token"), Some("developer-token"));
}
