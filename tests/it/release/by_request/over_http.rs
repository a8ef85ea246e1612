//! The whole flow of a request with git over HTTP, as on a forge.

use super::hosted::{BRANCH, Hosted, KINDS};

/// Every kind of forge with every way to merge.
fn hosts() -> impl Iterator<Item = (Hosted, &'static str)> {
    let ways = ["merge", "squash", "rebase", "ff"];
    let pairs = KINDS.into_iter().flat_map(move |kind| ways.map(|how| (kind, how)));
    pairs.map_while(|(kind, how)| Some((Hosted::over_http(kind)?, how)))
}

#[test]
fn a_request_is_opened_renewed_edited_merged_and_published_once() {
    for (host, how) in hosts() {
        assert!(host.request().success().starts_with("opened "), "{how}");
        assert!(host.request().success().contains(" is up to date: Release 1.1.0\n"), "{how}");
        host.change("Add mast");
        assert!(host.request().success().starts_with("renewed "), "{how}");
        host.edit("CHANGELOG.md", |text| text.replace("Add crane", "Add the crane"));
        host.change("Add sail");
        assert!(host.request().success().starts_with("renewed "), "{how}");
        let changelog = host.changelog();
        assert!(changelog.contains("Add the crane") && changelog.contains("Add sail"), "{how}: {changelog}");
        host.merge(how);
        assert_eq!(host.request().success(), "released 1.1.0 as v1.1.0: tagged, pushed, published\n", "{how}");
        host.request().failure(5);
        let published = host.published();
        assert_eq!(published.len(), 1, "{how}");
        assert!(published[0].1.contains("Add the crane"), "{how}: {published:?}");
        let (tag, main) = (["rev-parse", "v1.1.0^{}"], ["rev-parse", "main"]);
        assert_eq!(host.released.remote(&tag), host.released.remote(&main), "{how}");
    }
}

#[test]
fn two_packages_share_a_request() {
    for (host, how) in hosts() {
        let repo = &host.released.repo;
        host.add_packages();
        let run = || host.run(&["--request", "--all-packages", "-x"]);
        assert!(run().success().contains("11: Release crane 1.1.0, mast 1.0.1\n"), "{how}");
        host.edit("crane/CHANGELOG.md", |text| text.replace("Add hook", "Add the hook"));
        repo.file("mast/x", "2\n").commit("Add boom\n\nChangelog: added");
        repo.git(&["push", "-q", "origin", "main"]);
        assert!(run().success().starts_with("renewed "), "{how}");
        host.merge(how);
        let released = "released 1.1.0 as crane/v1.1.0: tagged, pushed, published\n\
                        released 1.1.0 as mast/v1.1.0: tagged, pushed, published\n";
        assert_eq!(run().success(), released, "{how}");
        run().failure(5);
        assert!(host.published()[0].1.contains("Add the hook"), "{how}");
    }
}

#[test]
fn a_token_that_may_not_push_opens_no_request() {
    for host in KINDS.into_iter().map_while(Hosted::over_http) {
        let url = host.released.repo.git(&["remote", "get-url", "origin"]);
        host.released.repo.git(&["remote", "set-url", "origin", &url.replace("developer-token", "reporter-token")]);
        let stderr = host.request().failure(1);
        assert!(stderr.contains(&format!("the push of `{BRANCH}`")) && !stderr.contains("reporter-token"), "{stderr}");
        assert!(host.service.state().requests.all.is_empty());
        // With the right the next run goes on.
        host.released.repo.git(&["remote", "set-url", "origin", &url]);
        assert!(host.request().success().starts_with("opened "));
    }
}
