//! One page of a list.

use crate::support::Service;

#[test]
fn one_page_is_one_request() {
    let service = Service::start();
    for number in 0..45 {
        service.state().labels.add(&format!("l{number:04}"), "#00ff00");
    }
    let page = service.tidings(&["label", "list", "--page", "3", "--per-page", "20", "--format", "json"]).json();
    assert_eq!(page.as_array().unwrap().len(), 10);
    assert_eq!(service.requests().len(), 1);
    assert_eq!(service.last().target, "/api/v4/projects/group%2Fapp/labels?page=3&per_page=20");
    service.tidings(&["label", "list", "--per-page", "101"]).failure(2);
}
