//! `extends`: a configuration that builds on another file of the repository.

use std::io::{BufRead as _, Write as _};

use sha2::{Digest as _, Sha256};

use crate::{show::show, support::TestRepo};

#[test]
fn the_extended_file_is_read_where_the_configuration_is() {
    let repo = TestRepo::with_release();
    repo.file("common/tidings.yml", "categories: {added: New}\ndate_format: committed\n");
    repo.file("tidings.yml", "extends: common/tidings.yml\nsource: both\n");
    repo.commit("Add configuration");
    repo.write("common/tidings.yml", "categories: {added: Novelties}\ndate_format: edited\n");
    repo.git(&["clone", "-q", "--bare", ".", "../bare"]);
    let bare = repo.beside("bare");
    let bare = bare.to_str().expect("a UTF-8 path");
    for (options, date, title) in [
        (&["1.1.0"][..], "edited", "Novelties"),
        (&["1.1.0", "--config-ref", "HEAD"], "committed", "New"),
        (&["1.1.0", "--repo", bare], "committed", "New"),
    ] {
        let notes = show(&repo, options).success();
        assert!(notes.starts_with(&format!("## 1.1.0 ({date})\n\n### {title}")), "{notes}");
    }
}

#[test]
fn the_file_of_gitlab_may_be_extended() {
    let repo = TestRepo::with_release();
    repo.write(".gitlab/changelog_config.yml", "categories: {added: New}\n");
    repo.write("tidings.yml", "extends: .gitlab/changelog_config.yml\nsource: both\n");
    repo.commit("fix: Mend the mast");
    let notes = show(&repo, &["1.1.0"]).success();
    assert!(notes.contains("### New") && notes.contains("Mend the mast"), "{notes}");
}

#[test]
fn a_file_outside_of_the_repository_is_refused() {
    let repo = TestRepo::with_release();
    std::fs::write(repo.beside("secret.yml"), "date_format: secret\n").expect("the directory is writable");
    for path in ["../secret.yml", repo.beside("secret.yml").to_str().expect("a UTF-8 path")] {
        let path = serde_json::to_string(path).expect("a text");
        repo.write("tidings.yml", format!("extends: {path}\n"));
        let refusal = show(&repo, &["1.1.0"]).failure(1);
        assert!(refusal.contains("tidings.yml:1:10: `extends`"), "{refusal}");
    }
}

/// A server that answers each path as it is told, and keeps what it was asked.
struct Web {
    address: String,
    asked: std::sync::mpsc::Receiver<String>,
}

impl Web {
    fn start(answers: Vec<(&'static str, &'static str)>) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let (send, asked) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.expect("a connection");
                let mut request = String::new();
                let mut reader = std::io::BufReader::new(stream.try_clone().expect("a handle"));
                while !request.ends_with("\r\n\r\n") && reader.read_line(&mut request).expect("a request") > 0 {}
                let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
                let answer = answers.iter().find(|(known, _)| *known == path).map(|(_, answer)| *answer);
                let answer =
                    answer.unwrap_or("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
                let _ = stream.write_all(answer.as_bytes());
                let _ = send.send(request);
            }
        });
        Self { address, asked }
    }

    fn pin(&self, path: &str, content: &str) -> String {
        let digest = Sha256::digest(content.as_bytes());
        let digest: String = digest.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
        format!("extends: {}{path}#sha256={digest}\nsource: both\n", self.address)
    }
}

const COMMON: &str = "categories: {added: New}\n";

#[test]
fn a_pinned_file_on_the_web_is_fetched_once_and_without_a_token() {
    const ANSWER: &str = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\ncategories: {added: New}\n";
    const MOVED: &str = "HTTP/1.1 302 Found\r\nLocation: /c.yml\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    let web = Web::start(vec![("/c.yml", ANSWER), ("/old.yml", MOVED)]);
    let repo = TestRepo::with_release();
    repo.write("tidings.yml", web.pin("/old.yml", COMMON));
    let cache = repo.beside("cache");
    let cache = cache.to_str().expect("a UTF-8 path");
    let refusal = show(&repo, &["1.1.0", "--cache", cache, "--offline"]).failure(1);
    assert!(refusal.contains("tidings.yml:1:10: `extends` cannot be read: it is not in the cache"), "{refusal}");
    let token = repo.beside("token");
    std::fs::write(&token, "glpat-secret\n").expect("the directory is writable");
    let token = token.to_str().expect("a UTF-8 path");
    for further in [&["--token-file", token][..], &["--offline"]] {
        let options = [&["1.1.0", "--cache", cache], further].concat();
        let notes = show(&repo, &options).success();
        assert!(notes.contains("### New"), "{notes}");
    }
    let asked: Vec<String> = web.asked.try_iter().collect();
    assert_eq!(asked.len(), 2, "the redirect and the file, once");
    assert!(asked.iter().all(|request| !request.contains("glpat-secret")), "{asked:?}");
}

#[test]
fn what_others_could_change_unseen_is_refused() {
    const OTHER: &str = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\ncategories: {added: Other}\n";
    const ELSEWHERE: &str =
        "HTTP/1.1 302 Found\r\nLocation: http://localhost:1/c.yml\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    let large = format!("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n#{}", "x".repeat(1 << 20));
    let large: &'static str = large.leak();
    let web = Web::start(vec![("/other.yml", OTHER), ("/elsewhere.yml", ELSEWHERE), ("/large.yml", large)]);
    let repo = TestRepo::with_release();
    for (path, expected) in [
        ("/other.yml", "which has another digest"),
        ("/elsewhere.yml", "redirects to `http://localhost:1`, which is another server"),
        ("/none.yml", "answered with status 404"),
        ("/large.yml", "it is larger than 1 MiB"),
    ] {
        repo.write("tidings.yml", web.pin(path, COMMON));
        let refusal = show(&repo, &["1.1.0"]).failure(1);
        assert!(refusal.contains("tidings.yml:1:10: `extends`") && refusal.contains(expected), "{refusal}");
    }
}

#[test]
fn a_server_without_the_file_is_asked_once_in_a_run() {
    let web = Web::start(Vec::new());
    let repo = TestRepo::with_release();
    repo.write("tidings.yml", web.pin("/none.yml", COMMON));
    for arguments in [&["doctor"][..], &["release", "1.1.0", "--no-push"], &["add", "1.1.0", "--dry-run"]] {
        let outcome = repo.tidings(arguments);
        let said = format!("{}{}", outcome.stdout, outcome.stderr);
        assert!(said.contains("answered with status 404"), "{arguments:?}: {said}");
        assert_eq!(web.asked.try_iter().count(), 1, "{arguments:?}");
    }
}
