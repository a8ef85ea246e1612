//! Lists over many pages.

use super::client;
use crate::{
    api::{ApiRequest, Method, Paging, Path},
    support::Service,
};

fn with_labels(count: usize) -> Service {
    let service = Service::start();
    for number in 0..count {
        service.state().labels.add(&format!("l{number:04}"), "#00ff00");
    }
    service
}

#[test]
fn pages_are_fetched_as_they_are_asked_for() {
    let service = with_labels(245);
    let (client, _) = client(&service);
    let labels = ApiRequest::new(Method::Get, Path::new("/projects/:id/labels", &["group/app"]));
    let mut pages = client.pages(labels, Paging::default());
    let first = pages.next().unwrap().unwrap();
    assert_eq!((first.rows.len(), first.has_next), (100, true));
    assert_eq!(service.requests().len(), 1);
    assert_eq!(pages.map(|page| page.unwrap().rows.len()).collect::<Vec<_>>(), [100, 50]);
}
