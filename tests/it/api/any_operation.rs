//! `tidings api`: any operation.

use serde_json::json;

use crate::support::{Fault, Service};

#[test]
fn an_answer_is_laid_out_whole() {
    let service = Service::start();
    let label = service.tidings(&["api", "GET", "projects/:id/labels/bug"]).json();
    assert_eq!((&label["name"], &label["archived"]), (&json!("bug"), &json!(false)));
    assert_eq!(service.last().path, "/api/v4/projects/group%2Fapp/labels/bug");
}

#[test]
fn fields_go_where_the_method_wants_them() {
    let service = Service::start();
    service.tidings(&["api", "get", "/projects/1/labels?per_page=2", "-f", "search=b"]).success();
    assert_eq!(service.last().target, "/api/v4/projects/1/labels?per_page=2&search=b");
    let made = service.tidings(&["api", "POST", "projects/1/labels", "-f", "name=a=b", "-f", "color=red"]).json();
    assert_eq!(made["name"], "a=b");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), r##"{"name":"c","color":"#aabbcc","priority":null}"##).unwrap();
    let json = file.path().to_str().unwrap();
    assert_eq!(service.tidings(&["api", "POST", "projects/1/labels", "--json", json]).json()["color"], "#aabbcc");
    assert_eq!(service.last().header("content-type"), Some("application/json"));
}

#[test]
fn a_file_is_uploaded_as_a_form() {
    let service = Service::start();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a \"b\".txt");
    if std::fs::write(&path, "line\r\n--x\r\n").is_err() {
        return; // some systems have no such names
    }
    let file = format!("file=@{}", path.display());
    service.fail(Fault::Status(201, "application/json", "{}".to_owned()));
    service.tidings(&["api", "POST", "groups/7/wikis/attachments", "-F", &file, "-f", "branch=main"]).success();
    let request = service.last();
    let parameters = vec![("branch".to_owned(), "main".to_owned()), ("file".to_owned(), "line\r\n--x\r\n".to_owned())];
    assert_eq!(request.parameters(), parameters);
    assert!(String::from_utf8_lossy(&request.body).contains("filename=\"a %22b%22.txt\""));
}

#[test]
fn all_pages_make_one_document() {
    let service = Service::start();
    for number in 0..120 {
        service.state().labels.add(&format!("l{number}"), "#00ff00");
    }
    let rows = service.tidings(&["api", "GET", "projects/:id/labels", "--paginate"]).json();
    assert_eq!(rows.as_array().unwrap().len(), 125);
    assert_eq!(service.requests().len(), 2);
    let rows = service.tidings(&["api", "GET", "projects/:id/labels?per_page=50", "--paginate"]).json();
    assert_eq!(rows.as_array().unwrap().len(), 125);
    assert_eq!(service.requests().len(), 5);
}

#[test]
fn what_is_no_json_passes_as_it_is() {
    let service = Service::start();
    service.fail(Fault::Status(200, "text/plain", "one\ntwo".to_owned()));
    let text = service.tidings(&["api", "GET", "projects/1/repository/blobs/abc/raw"]).success();
    assert_eq!(text, "one\ntwo");
}

#[test]
fn the_head_is_shown_where_it_is_wanted() {
    let service = Service::start();
    let text = service.tidings(&["api", "GET", "projects/:id/labels", "--include"]).success();
    assert!(text.starts_with("HTTP 200\n") && text.contains("\nx-total: 5\n"), "{text}");
    let document = service.tidings(&["api", "GET", "projects/:id/labels", "-i", "--format", "json"]).json();
    assert_eq!((&document["status"], &document["headers"]["x-total"]), (&json!(200), &json!("5")));
    assert_eq!(document["body"].as_array().unwrap().len(), 5);
}

#[test]
fn a_dry_run_sends_nothing() {
    let service = Service::start();
    let text =
        service.tidings(&["api", "PUT", "projects/:id/labels/a%2Fb%20c", "-f", "color=red", "--dry-run"]).success();
    let url = format!("{}/api/v4/projects/group%2Fapp/labels/a%2Fb%20c", service.url());
    let head = "PRIVATE-TOKEN: [masked]\nContent-Type: application/x-www-form-urlencoded";
    assert_eq!(text, format!("PUT {url}\n{head}\n\ncolor: red\n"));
    assert!(service.requests().is_empty());
}

#[test]
fn mistakes_are_refused_before_anything_is_sent() {
    let service = Service::start();
    for (arguments, words) in [
        (&["api", "FETCH", "x"][..], "it must be GET, HEAD, POST"),
        (&["api", "GET", "https://other/x"], "not a path of the API"),
        (&["api", "GET", "projects/../x"], "not a path of the API"),
        (&["api", "GET", "x", "-f", "novalue"], "KEY=VALUE"),
        (&["api", "GET", "x", "-F", "file=@y"], "GET cannot have a body"),
        (&["api", "POST", "x", "--paginate"], "`--paginate` cannot be used with POST"),
    ] {
        let stderr = service.tidings(arguments).failure(2);
        assert!(stderr.contains(words), "{arguments:?}: {stderr}");
    }
    assert!(service.requests().is_empty());
}

#[test]
fn a_path_that_names_the_root_or_another_thing_than_a_project_is_understood_or_refused() {
    let service = Service::start();
    service.tidings(&["api", "GET", "/api/v4/projects/:id/labels/bug"]).success();
    assert_eq!(service.last().path, "/api/v4/projects/group%2Fapp/labels/bug");
    let stderr = service.tidings(&["api", "GET", "groups/:id/wikis"]).failure(2);
    assert!(stderr.contains("`:id` is the project"), "{stderr}");
    for project in ["https://host/group/app", "group%2Fapp", "group/app/", "/group/app"] {
        let mut command = crate::support::tidings(&std::env::temp_dir());
        command.args(["label", "list", "--base-url", &service.url(), "--project", project]);
        let stderr = crate::support::Outcome::from(command.output().unwrap()).failure(2);
        assert!(stderr.contains("did you mean `group/app`?"), "{project}: {stderr}");
    }
    assert_eq!(service.requests().len(), 1);
}

/// A server that sends JSON without an end.
#[test]
fn a_document_that_never_ends_is_bounded_by_the_timeout() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        use std::io::Write as _;
        let (mut stream, _) = listener.accept().unwrap();
        let head = "HTTP/1.1 200 -\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n[\r\n";
        let mut sent = stream.write_all(head.as_bytes());
        while sent.is_ok() {
            sent = stream.write_all(b"2\r\n0,\r\n");
        }
    });
    let mut command = crate::support::tidings(&std::env::temp_dir());
    command.args(["api", "GET", "x", "--timeout", "1", "--retries", "0", "--base-url", &url]);
    let stderr = crate::support::Outcome::from(command.output().unwrap()).failure(1);
    assert!(stderr.contains("did not end in time"), "{stderr}");
}

#[test]
fn requests_are_reported_with_verbose_alone() {
    let service = Service::start();
    let reported = |further: &[&str]| {
        let run = service.tidings(&[&["label", "get", "bug"], further].concat());
        assert_eq!(run.code, 0, "{run:?}");
        run.stderr
    };
    assert_eq!(reported(&[]), "");
    let verbose = reported(&["-v"]);
    assert!(verbose.contains("> GET ") && verbose.contains("< 200 after "), "{verbose}");
}
