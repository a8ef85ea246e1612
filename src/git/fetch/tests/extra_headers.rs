//! Which headers of git's configuration go to which server.

use gix::sec::Trust;

use crate::{
    git::{
        Repo,
        fetch::{RepoUrl, extra_headers::ExtraHeaders},
    },
    support::TestRepo,
};

#[test]
fn a_header_without_a_url_is_for_the_server_of_the_repository_alone() {
    let repo = TestRepo::new();
    let set = |key: &str, value: &str| repo.git(&["config", "--add", key, value]);
    for (key, value) in [
        ("http.extraHeader", "Authorization: Basic s3cret"),
        ("http.extraHeader", "no header"),
        ("http.https://other.example/.extraHeader", "  X-Lamp :  on: always "),
        ("http.https://empty.example/.extraHeader", "A: 1"),
        ("http.https://empty.example/.extraHeader", ""),
        ("http.https://:/.extraHeader", "B: 2"),
        ("http.proxy", "C: 3"),
    ] {
        set(key, value);
    }
    let settings = Repo::open_isolated(repo.path()).unwrap().gix().clone();
    let url = RepoUrl::parse("https://git.example:8443/ida/app").unwrap().unwrap();
    let headers = ExtraHeaders::load(&settings, &url);
    for (url, expected, is_authorized) in [
        ("https://git.example:8443/ida/app/info/refs", Some(("Authorization", "Basic s3cret")), true),
        ("https://git.example:8443/other", Some(("Authorization", "Basic s3cret")), true),
        ("https://git.example/ida/app", None, false),
        ("http://git.example:8443/ida/app", None, false),
        ("https://evil.example:8443/ida/app", None, false),
        ("https://other.example/x", Some(("X-Lamp", "on: always")), false),
        ("https://empty.example/x", None, false),
    ] {
        let found = headers.headers_for(url);
        let found: Vec<_> = found.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{url}");
        assert_eq!(headers.authorizes(url), is_authorized, "{url}");
    }
}

#[test]
fn a_header_of_a_repository_of_another_user_goes_nowhere() {
    let repo = TestRepo::new();
    repo.git(&["config", "http.extraHeader", "Authorization: Basic s3cret"]);
    repo.git(&["config", "http.https://git.example/.extraHeader", "X-Lamp: on"]);
    let url = RepoUrl::parse("https://git.example/ida/app").unwrap().unwrap();
    let of = |trust| {
        let settings = gix::open::Options::isolated().with(trust).open(repo.path()).unwrap().to_thread_local();
        ExtraHeaders::load(&settings, &url).headers_for("https://git.example/ida/app").len()
    };
    assert_eq!((of(Trust::Full), of(Trust::Reduced)), (2, 0));
}
