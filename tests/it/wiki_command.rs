//! `tidings wiki` against the tests' server.

use std::{fs, process::Stdio};

use serde_json::json;

use crate::support::Service;

#[test]
fn pages_are_listed_and_read() {
    let service = Service::start();
    let table = service.tidings(&["wiki", "list", "--group", "group"]).success();
    assert_eq!(table, "SLUG         FORMAT    TITLE\ndocs/set-up  markdown  set up\nhome         markdown  home\n");
    let contents = service.tidings(&["wiki", "list", "--group", "7", "--with-content"]).success();
    assert_eq!(contents, "docs/set-up\n*new*\n\nhome\nHello\n");
    let pages = service.tidings(&["wiki", "list", "--group", "group", "--format", "json"]).json();
    assert_eq!((&pages[0]["wiki_page_meta_id"], pages[0].get("content")), (&json!(1), None), "unknown fields pass");
}

#[test]
fn the_content_comes_as_it_is() {
    let service = Service::start();
    let get = |more: &[&str]| service.tidings(&[&["wiki", "get", "docs/set-up", "--group", "group"], more].concat());
    assert_eq!(get(&[]).success(), "*new*\n");
    assert_eq!(service.last().path, "/api/v4/groups/group/wikis/docs%2Fset-up");
    assert_eq!(get(&["--render-html"]).success(), "<p>*new*</p>");
    assert_eq!(get(&["--version", &"0".repeat(40)]).success(), "old\n");
    assert_eq!(get(&["--format", "json"]).json()["content"], json!("*new*\n"));
    assert_eq!(service.tidings(&["wiki", "get", "home", "--group", "group"]).success(), "Hello");
    let stderr = service.tidings(&["wiki", "get", "away", "--group", "group"]).failure(1);
    assert!(stderr.contains("Wiki Page Not Found"), "{stderr}");
}

#[test]
fn a_page_lives_moves_and_dies() {
    let service = Service::start();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("page.org");
    fs::write(&file, "* größe & 100%\r\n").unwrap();
    let create = ["wiki", "create", "docs/How to", file.to_str().unwrap(), "--group", "group", "--markup", "org"];
    assert_eq!(service.tidings(&create).success(), "docs/How to\nslug    docs/How-to\nformat  org\n");
    let stderr = service.tidings(&create).failure(1);
    assert!(stderr.contains("a page with that title already exists"), "{stderr}");
    let read = |slug: &str| service.tidings(&["wiki", "get", slug, "--group", "group"]);
    assert_eq!(read("docs/How-to").success(), "* größe & 100%\r\n");
    let edit = ["wiki", "edit", "docs/How-to", "--group", "group", "--title", "Guide", "--format", "json"];
    let page = service.tidings(&edit).json();
    assert_eq!((&page["slug"], &page["content"]), (&json!("Guide"), &json!("* größe & 100%\r\n")));
    assert_eq!(service.last().body_parameters(), [("title".to_owned(), "Guide".to_owned())], "only what was given");
    let delete = ["wiki", "delete", "Guide", "--group", "group", "--yes"];
    assert_eq!(service.tidings_as("maintainer-token", &delete).success(), "deleted the wiki page `Guide`\n");
    read("Guide").failure(1);
}

#[test]
fn content_comes_from_stdin_too() {
    use std::io::Write as _;
    let service = Service::start();
    let mut command = service.program("developer-token");
    command.args(["wiki", "edit", "home", "--file", "-", "--group", "group"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"piped\n").unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    assert_eq!(service.tidings(&["wiki", "get", "home", "--group", "group"]).success(), "piped\n");
}

#[test]
fn a_file_is_uploaded_and_its_link_printed() {
    let service = Service::start();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("a picture.png");
    let content = "x".repeat(300_000);
    fs::write(&file, &content).unwrap();
    let upload = ["wiki", "upload", file.to_str().unwrap(), "--group", "group", "--branch", "next"];
    let link = format!("![a_picture.png](uploads/{}/a_picture.png)", "0".repeat(32));
    assert_eq!(service.tidings(&upload).success(), format!("{link}\n"));
    let response = service.tidings(&[&upload[..], &["--format", "json"]].concat()).json();
    assert_eq!((&response["branch"], &response["link"]["markdown"]), (&json!("next"), &json!(link)));
    assert!(service.state().wikis.uploads[0] == ("a_picture.png".to_owned(), content));
    let stderr = service.tidings_as("reporter-token", &upload).failure(4);
    assert!(stderr.contains("the role Planner, or Developer and up"), "{stderr}");
}

#[test]
fn nothing_is_sent_by_mistake() {
    let service = Service::start();
    let directory = tempfile::tempdir().unwrap();
    let binary = directory.path().join("binary");
    fs::write(&binary, [0xff, 0xfe, 0]).unwrap();
    let (binary, directory) = (binary.to_str().unwrap(), directory.path().to_str().unwrap());
    for (code, arguments, words) in [
        (2, &["wiki", "list"][..], "--group"),
        (2, &["wiki", "get", "", "--group", "g"], "`slug` must not be empty"),
        (2, &["wiki", "get", "x", "--group", "g", "--version", "main"], "7 to 64 hexadecimal digits"),
        (2, &["wiki", "create", "x", binary, "--group", "g"], "is not UTF-8 text"),
        (2, &["wiki", "create", "x", binary, "--group", "g", "--markup", "md"], "markdown, rdoc, asciidoc or org"),
        (1, &["wiki", "create", "x", "missing.md", "--group", "g"], "cannot read `missing.md`"),
        (2, &["wiki", "edit", "x", "--group", "g", "--markup", "org"], "use `--title` or `--file`"),
        (2, &["wiki", "delete", "x", "--group", "g"], "--yes"),
        (2, &["wiki", "upload", directory, "--group", "g"], "is not a file"),
        (1, &["wiki", "upload", "missing.png", "--group", "g"], "cannot upload `missing.png`"),
    ] {
        let stderr = service.tidings(arguments).failure(code);
        assert!(stderr.contains(words), "{arguments:?}: {stderr}");
    }
    let dry = service.tidings(&["wiki", "upload", binary, "--group", "g", "--dry-run", "--format", "json"]).json();
    assert!(dry["url"].as_str().unwrap().ends_with("/groups/g/wikis/attachments"), "{dry}");
    assert!(service.requests().is_empty());
}
