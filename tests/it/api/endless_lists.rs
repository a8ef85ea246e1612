//! Lists that are long, endless or oddly paged: a list is whole, or it is an error.

use serde_json::json;

use crate::support::{Service, service::Response};

fn rows(names: impl IntoIterator<Item = u64>) -> Response {
    let rows: Vec<_> =
        names.into_iter().map(|id| json!({"id": id, "name": format!("l{id}"), "color": "#ff0000"})).collect();
    Response::json(200, &rows.into())
}

fn page(parameter: Option<String>) -> u64 {
    parameter.and_then(|page| page.parse().ok()).unwrap_or(1)
}

#[test]
fn a_list_for_machines_is_whole_and_can_be_given_back() {
    let service = Service::start();
    for number in 0..1250 {
        service.state().labels.add(&format!("l{number:04}"), "#00ff00");
    }
    let all = service.tidings(&["label", "list", "--format", "json", "-q"]);
    let mut file = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut file, all.stdout.as_bytes()).unwrap();
    assert_eq!(all.json().as_array().unwrap().len(), 1255);
    let path = file.path().to_str().unwrap();
    let plan = service.tidings(&["label", "sync", path, "--prune", "--dry-run"]).success();
    assert!(plan.ends_with("\n1255 to leave\n"), "{plan}");
}

#[test]
fn a_list_that_is_cut_short_says_so() {
    let service = Service::start();
    for number in 0..1250 {
        service.state().labels.add(&format!("l{number:04}"), "#00ff00");
    }
    let text = service.tidings(&["label", "list"]);
    assert!(text.stderr.contains("first 1000") && text.stderr.contains("--all"), "{}", text.stderr);
    assert_eq!(text.success().lines().count(), 1001);
    service.tidings(&["label", "list", "--strict"]).failure(1);
    let few = service.tidings(&["label", "list", "--limit", "7", "--format", "json", "--strict"]);
    assert_eq!(few.json().as_array().unwrap().len(), 7);
    assert_eq!(service.tidings(&["label", "list", "--limit", "7"]).success().lines().count(), 8);
}

#[test]
fn an_empty_page_ends_a_list() {
    let service = Service::start();
    service.script(|request| {
        let page = page(request.parameter("page"));
        let rows = if page < 3 { rows([page]) } else { rows([]) };
        Some(rows.header("X-Next-Page", page + 1))
    });
    let listed = service.tidings(&["label", "list", "--format", "json"]).json();
    assert_eq!((listed.as_array().unwrap().len(), service.requests().len()), (2, 3));
}

#[test]
fn a_page_that_came_before_is_an_error() {
    let service = Service::start();
    service.script(|request| Some(rows([1, 2]).header("X-Next-Page", page(request.parameter("page")) + 1)));
    for command in [&["label", "list", "--all"][..], &["api", "GET", "projects/:id/labels", "--paginate"]] {
        let stderr = service.tidings(command).failure(1);
        assert!(stderr.contains("the same page"), "{stderr}");
    }
    assert!(service.requests().len() < 6);
    let circle = Service::start();
    circle.script(|request| {
        let token = if request.parameter("page_token").as_deref() == Some("a") { "b" } else { "a" };
        let link = format!("<http://h{}?page_token={token}>; rel=\"next\"", request.path);
        let id = circle_id(token);
        Some(
            Response::json(200, &json!([{"id": id, "name": token, "type": "blob", "path": token, "mode": "100644"}]))
                .header("Link", link),
        )
    });
    let stderr = circle.tidings(&["repo", "tree"]).failure(1);
    assert!(stderr.contains("the same page"), "{stderr}");
}

fn circle_id(token: &str) -> String {
    token.repeat(40)
}

#[test]
fn odd_paging_headers_are_errors() {
    for next in ["abc", "-1", "99999999999999999999", "1", "0"] {
        let service = Service::start();
        service.script(move |_| Some(rows([1]).header("X-Next-Page", next)));
        let stderr = service.tidings(&["label", "list"]).failure(1);
        assert!(stderr.contains("next page"), "{next}: {stderr}");
    }
    for target in [
        "http://h/api/v4/projects/1/repository/branches?page_token=x",
        "file:///etc/passwd?page_token=x",
        "http://h/api/v4/projects/1/repository/tree?per_page=100&pagination=keyset",
    ] {
        let service = Service::start();
        service.script(move |_| {
            let entry = json!([{"id": "1", "name": "a", "type": "blob", "path": "a", "mode": "100644"}]);
            Some(Response::json(200, &entry).header("Link", format!("<{target}>; rel=\"next\"")))
        });
        let stderr = service.tidings(&["repo", "tree"]).failure(1);
        assert!(stderr.contains("next page") || stderr.contains("the same page"), "{target}: {stderr}");
    }
}
