//! `tidings preview`: what the merge of a request adds, and the comment that says so.

use std::{fs, path::Path};

use crate::support::{
    Fault, Outcome, Service, TestRepo,
    service::{ReleaseRequest, Response},
    tidings,
};

/// A repository with a request from `crane` to `main`, which `origin` has.
struct Reviewed {
    repo: TestRepo,
    service: Service,
    forge: &'static str,
}

impl Reviewed {
    fn new(forge: &'static str, message: &str) -> Self {
        let repo = TestRepo::new();
        repo.author();
        repo.commit("feat: begin");
        repo.tag("v1.0.0");
        repo.commit("fix: mend the mast");
        repo.git(&["switch", "-qc", "crane"]);
        repo.file("crane.txt", "tall\n").commit(message);
        repo.git(&["switch", "-q", "main"]);
        let service = Service::with_repository(repo.path());
        let (source, target) = ("crane".to_owned(), "main".to_owned());
        let title = "Raise the crane".to_owned();
        let request =
            ReleaseRequest { number: 12, source, target, title, state: "opened", ..ReleaseRequest::default() };
        service.state().requests.all.push(request);
        if forge != "gitlab" {
            service.state().github.repository = Some(repo.path().to_owned());
        }
        Self { repo, service, forge }
    }

    fn run_as(&self, token: &str, arguments: &[&str]) -> Outcome {
        self.run_in(self.repo.path(), token, arguments)
    }

    fn run_in(&self, directory: &Path, token: &str, arguments: &[&str]) -> Outcome {
        let mut program = tidings(directory);
        program.args(["preview", "--base-url", &self.service.url()]).env("TIDINGS_TOKEN", token);
        program.args(["--forge", self.forge]);
        if self.forge == "gitlab" {
            program.args(["--project", "group/app"]);
        } else {
            let root = if self.forge == "gitea" { "v1" } else { "v3" };
            program
                .args(["--project", "harbor/app"])
                .env("GITHUB_API_URL", format!("{}/api/{root}", self.service.url()))
                .env("GITHUB_SERVER_URL", self.service.url());
        }
        program.args(arguments).output().unwrap().into()
    }

    fn run(&self, arguments: &[&str]) -> Outcome {
        self.run_as("developer-token", arguments)
    }

    /// Lets the project say how it merges.
    fn settings(&self, settings: &serde_json::Value) {
        self.service.state().requests.settings.clone_from(settings.as_object().unwrap());
    }

    fn comments(&self) -> Vec<String> {
        self.service.state().requests.all[0].comments.clone()
    }
}

const BY_NUMBER: [&str; 2] = ["--request", "12"];

#[test]
fn a_preview_has_what_the_merge_adds_and_the_next_version() {
    let reviewed = Reviewed::new("gitlab", "feat: raise the crane");
    let before = reviewed.repo.git(&["for-each-ref"]);
    let outcome = reviewed.run(&[&BY_NUMBER[..], &["--merge-method", "merge"]].concat());
    let expected = "Merging this adds to the changelog:\n\n**Added**\n\n- raise the crane\n\nNext version: **`1.1.0`** instead of `1.0.1`\n";
    assert_eq!(outcome.success(), expected);
    let document = reviewed.run(&[&BY_NUMBER[..], &["--merge-method", "rebase", "--format", "json"]].concat()).json();
    assert_eq!(document["adds"][0]["title"], "raise the crane");
    assert_eq!(
        (&document["versions"][0]["before"], &document["versions"][0]["after"]),
        (&"1.0.1".into(), &"1.1.0".into())
    );
    assert_eq!(reviewed.repo.git(&["for-each-ref"]), before, "no branch or tag moved");
    assert_eq!(reviewed.repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_squash_that_loses_the_entry_is_reported_before_it_happens() {
    let reviewed = Reviewed::new("gitlab", "feat: raise the crane");
    let squash = [&BY_NUMBER[..], &["--merge-method", "squash"]].concat();
    let text = reviewed.run(&squash).success();
    assert!(text.starts_with("This request adds nothing to the changelog.\n"), "{text}");
    assert!(
        text.contains("the message of the squash commit lists nothing, and 1 commit of the request would"),
        "{text}"
    );
    assert!(text.contains("\nThe squash commit would say:\n\n    Raise the crane\n"), "{text}");
    // On GitHub a single commit keeps its message.
    let reviewed = Reviewed::new("github", "feat: raise the crane");
    let document = reviewed.run(&[&squash[..], &["--format", "json"]].concat()).json();
    assert_eq!(document["message"], "feat: raise the crane (#12)");
    assert_eq!(document["adds"].as_array().unwrap().len(), 1, "{document}");
    assert_eq!(document["findings"].as_array().unwrap().len(), 0, "{document}");
}

#[test]
fn the_message_of_a_squash_is_made_as_the_forge_makes_it() {
    let of_github = |title, message| serde_json::json!({ "squash_merge_commit_title": title, "squash_merge_commit_message": message });
    let template = "${PullRequestTitle} (${PullRequestReference})\n\n${PullRequestDescription}\n";
    for (forge, settings, expected) in [
        (
            "gitlab",
            serde_json::json!({ "squash_commit_template": "%{title}\n\n%{description}" }),
            "Raise the crane\n\nHigh.\n\nChangelog: added",
        ),
        ("gitlab", serde_json::json!({ "squash_commit_template": "" }), "Raise the crane"),
        ("github", of_github("PR_TITLE", "PR_BODY"), "Raise the crane (#12)\n\nHigh.\n\nChangelog: added"),
        ("github", of_github("COMMIT_OR_PR_TITLE", "BLANK"), "Put it up (#12)"),
        ("github", of_github("PR_TITLE", "COMMIT_MESSAGES"), "Raise the crane (#12)\n\nChangelog: changed"),
        ("gitea", serde_json::json!({}), "Raise the crane (#12)\n\nHigh.\n\nChangelog: added"),
    ] {
        let reviewed = Reviewed::new(forge, "Put it up\n\nChangelog: changed");
        reviewed.repo.file(".gitea/default_merge_message/SQUASH_TEMPLATE.md", template);
        reviewed.repo.file("tidings.yml", "source: trailers\n").commit("Merge as we like");
        reviewed.settings(&settings);
        reviewed.service.state().requests.all[0].body = "High.\n\nChangelog: added".to_owned();
        let document =
            reviewed.run(&[&BY_NUMBER[..], &["--merge-method", "squash", "--format", "json"]].concat()).json();
        assert_eq!(document["message"], expected, "{forge}");
        let category = expected.split_once("Changelog: ").map(|(_, category)| category);
        let found = document["adds"][0]["category"].as_str().map(str::to_lowercase);
        assert_eq!(found.as_deref(), category, "{forge}: {document}");
    }
}

#[test]
fn a_preview_is_one_comment_that_is_renewed() {
    for forge in ["gitlab", "github", "gitea"] {
        let reviewed = Reviewed::new(forge, "feat: raise the crane");
        let comment = |token| {
            let arguments = [&BY_NUMBER[..], &["--merge-method", "merge", "--comment", "--format", "json"]].concat();
            reviewed.run_as(token, &arguments).json()["comment"].clone()
        };
        assert_eq!(comment("developer-token"), "added", "{forge}");
        let first = reviewed.comments();
        assert!(first[0].starts_with("<!-- tidings:preview main -->\nMerging this adds"), "{first:?}");
        assert_eq!(comment("developer-token"), "unchanged");
        reviewed.repo.git(&["switch", "-q", "crane"]);
        reviewed.repo.commit("feat!: drop the rope");
        assert_eq!(comment("developer-token"), "renewed");
        let renewed = reviewed.comments();
        assert_eq!(renewed.len(), 1, "{renewed:?}");
        assert!(renewed[0].contains("drop the rope") && renewed[0].contains("**`2.0.0`**"), "{renewed:?}");
    }
}

#[test]
fn the_comment_of_a_stranger_is_not_taken_for_the_own_one() {
    for (forge, method, path) in [("gitlab", "PUT", "/notes/1"), ("github", "PATCH", "/issues/comments/12000")] {
        let reviewed = Reviewed::new(forge, "feat: raise the crane");
        let strangers = "<!-- tidings:preview main -->\nNothing to see here.".to_owned();
        reviewed.service.state().requests.all[0].comments.push(strangers.clone());
        reviewed.service.script(move |request| {
            let is_theirs = request.method == method && request.path.ends_with(path);
            is_theirs.then(|| Response::json(403, &serde_json::json!({ "message": "Forbidden" })))
        });
        let comment = || {
            let arguments = [&BY_NUMBER[..], &["--merge-method", "merge", "--comment", "--format", "json"]].concat();
            reviewed.run(&arguments).success();
        };
        comment();
        for title in ["feat: drop the rope", "feat: paint the mast"] {
            reviewed.repo.git(&["switch", "-q", "crane"]);
            reviewed.repo.commit(title);
            comment();
        }
        let comments = reviewed.comments();
        assert_eq!((comments.len(), &comments[0]), (2, &strangers), "{forge}: {comments:?}");
        assert!(comments[1].contains("paint the mast"), "{forge}: {comments:?}");
    }
}

#[test]
fn what_a_stranger_writes_is_no_command_of_the_forge_or_of_the_runner() {
    let description = "```\n/approve\n\n````\n::error::x\r::add-mask::y\n##[set-output name=tag]z\n@everyone\n\r/close\r@all\u{1b}[2K\u{202e}";
    let reviewed = Reviewed::new("gitlab", "feat: raise\u{1b}[31m <b>@ida</b>\u{202e} crane");
    let config = "source: conventional\npackages:\n  \"`@all` /close\": {paths: [crane.txt]}\n";
    reviewed.repo.write(".tidings.yml", config);
    reviewed.settings(&serde_json::json!({ "squash_commit_template": "%{title}\n\n%{description}" }));
    reviewed.service.state().requests.all[0].body = description.to_owned();
    let squash = [&BY_NUMBER[..], &["--merge-method", "squash", "--comment"]].concat();
    let by_commit = reviewed.run(&BY_NUMBER).success();
    assert!(by_commit.contains("- raise\u{fffd}\\[31m \\<b>`@ida`\\</b>\u{fffd} crane"), "{by_commit}");
    let text = reviewed.run(&squash).success();
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
    let comment = &reviewed.comments()[0];
    assert!(
        comment.contains("\n    Raise the crane\n\n    ```\n    /approve\n\n    ````\n    ::error::x"),
        "{comment}"
    );
    assert!(!comment.split(['\n', '\r']).any(|line| line.starts_with(['/', '`', '@'])), "{comment:?}");
    assert!(text.contains("    ::error::x"), "a pipe gets what the comment has: {text:?}");
    // In a job, stdout is the log.
    let mut job = tidings(reviewed.repo.path());
    job.args(["preview", "--base-url", &reviewed.service.url(), "--forge", "gitlab", "--project", "group/app"]);
    job.args(&squash[..4]).env("TIDINGS_TOKEN", "developer-token").env("GITHUB_ACTIONS", "true");
    let log = Outcome::from(job.output().unwrap()).success();
    assert!(
        log.contains("    : :error::x\n    : :add-mask::y\n    # #[set-output name=tag]z\n    @everyone"),
        "{log:?}"
    );
}

#[test]
fn a_template_that_repeats_a_long_description_makes_no_long_comment() {
    for forge in ["gitlab", "github"] {
        let reviewed = Reviewed::new(forge, "feat: raise the crane");
        reviewed.settings(&serde_json::json!({
            "squash_commit_template": format!("%{{title}}\n\n{}", "%{description}\n".repeat(9_000)),
            "squash_merge_commit_title": "PR_TITLE",
            "squash_merge_commit_message": "PR_BODY",
        }));
        reviewed.service.state().requests.all[0].body = format!("{}\n", "many words ".repeat(2_000)).repeat(40);
        reviewed.run(&[&BY_NUMBER[..], &["--merge-method", "squash", "--comment"]].concat()).success();
        let comment = &reviewed.comments()[0];
        assert!(comment.len() < 65_000, "{forge}: {}", comment.len());
        assert!(comment.contains("\n    Raise the crane"), "{forge}: {comment}");
    }
}

#[test]
fn a_preview_is_written_once_whatever_fails() {
    let refused = Fault::Status(403, "application/json", "{\"message\": \"Forbidden\"}".to_owned());
    let failed = Fault::Status(500, "application/json", "{\"message\": \"Failed\"}".to_owned());
    // The answer after the deed is lost, the server fails, a right is missing, and a rate limit holds for an hour.
    let faults = [Fault::Truncated, failed, refused, Fault::Limited(3600)];
    for (forge, fault) in
        ["gitlab", "github", "gitea"].into_iter().flat_map(|forge| faults.clone().map(|fault| (forge, fault)))
    {
        let reviewed = Reviewed::new(forge, "feat: raise the crane");
        // Each run gets one exchange further than the one before.
        for position in 0..6 {
            for _ in 0..position {
                reviewed.service.fail(Fault::Nothing);
            }
            reviewed.service.fail(fault.clone());
            let _ =
                reviewed.run(&[&BY_NUMBER[..], &["--merge-method", "merge", "--comment", "--retries", "0"]].concat());
            reviewed.service.forget_faults();
        }
        let comments = reviewed.comments();
        assert_eq!(comments.len(), 1, "{forge}, {fault:?}: {comments:?}");
        assert!(comments[0].contains("raise the crane"), "{forge}, {fault:?}: {comments:?}");
    }
}

#[test]
fn a_description_that_gitlab_cuts_is_read_from_the_server() {
    let reviewed = Reviewed::new("gitlab", "Raise the crane");
    reviewed.repo.write(".tidings.yml", "source: trailers\n");
    let description = format!("{}\n\nChangelog: added", "High. ".repeat(500));
    reviewed.service.state().requests.all[0].body.clone_from(&description);
    let head = reviewed.repo.git(&["rev-parse", "crane"]);
    let preview = |token: &str, is_cut: &str| -> Outcome {
        let mut program = tidings(reviewed.repo.path());
        program.args(["preview", "--base-url", &reviewed.service.url(), "--project", "group/app"]);
        program.env("TIDINGS_TOKEN", token).env("CI_MERGE_REQUEST_IID", "12").env("CI_COMMIT_SHA", &head);
        program.env("CI_MERGE_REQUEST_TITLE", "Raise the crane").env("CI_MERGE_REQUEST_SQUASH_ON_MERGE", "true");
        program
            .env("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main")
            .env("CI_MERGE_REQUEST_DESCRIPTION", &description[..2700]);
        program.env("CI_MERGE_REQUEST_DESCRIPTION_IS_TRUNCATED", is_cut).output().unwrap().into()
    };
    reviewed.settings(&serde_json::json!({ "squash_commit_template": "%{title}\n\n%{description}" }));
    let whole = preview("developer-token", "true").success();
    assert!(whole.starts_with("Merging this adds to the changelog:\n\n**Added**\n\n- Raise the crane\n"), "{whole}");
    let cut = preview("developer-token", "false").success();
    assert!(cut.starts_with("This request adds nothing"), "{cut}");
    let outcome = preview("wrong-token", "true");
    assert!(outcome.stderr.contains("the job has not all of the request's description: "), "{}", outcome.stderr);
    assert_eq!(outcome.code, 0);
}

#[test]
fn the_commits_of_a_request_from_a_fork_are_fetched() {
    for (forge, reference) in [("gitlab", "refs/merge-requests/12/head"), ("github", "refs/pull/12/head")] {
        let reviewed = Reviewed::new(forge, "feat: raise the crane");
        reviewed.repo.git(&["update-ref", reference, "crane"]);
        let clone = reviewed.repo.beside("clone");
        let url = format!("file://{}", reviewed.repo.path().display());
        reviewed.repo.git(&["clone", "-q", "--single-branch", "--branch", "main", &url, clone.to_str().unwrap()]);
        let arguments = [&BY_NUMBER[..], &["--merge-method", "merge"]].concat();
        let refused = reviewed.run_in(&clone, "developer-token", &[&arguments[..], &["--offline"]].concat());
        assert_ne!(refused.code, 0, "{forge}: {refused:?}");
        let text = reviewed.run_in(&clone, "developer-token", &arguments).success();
        assert!(text.contains("- raise the crane\n"), "{forge}: {text}");
    }
}

#[test]
fn a_job_that_may_not_comment_has_the_summary() {
    let reviewed = Reviewed::new("github", "feat: raise the crane");
    let summary = reviewed.repo.beside("summary.md");
    let event = reviewed.repo.beside("event.json");
    let head = reviewed.repo.git(&["rev-parse", "crane"]);
    let request = serde_json::json!({ "pull_request": {
        "number": 12, "title": "Raise the crane", "body": null,
        "head": { "ref": "crane", "sha": head }, "base": { "ref": "main", "sha": "" },
    }});
    fs::write(&event, request.to_string()).unwrap();
    let mut program = tidings(reviewed.repo.path());
    program
        .args(["preview", "--comment", "--project", "harbor/app", "--base-url", &reviewed.service.url()])
        .env("TIDINGS_TOKEN", "guest-token")
        .env("GITHUB_API_URL", format!("{}/api/v3", reviewed.service.url()))
        .env("GITHUB_SERVER_URL", reviewed.service.url())
        .env("GITHUB_EVENT_PATH", &event)
        .env("GITHUB_STEP_SUMMARY", &summary);
    let outcome: Outcome = program.output().unwrap().into();
    assert!(outcome.stderr.contains("no comment was written"), "{}", outcome.stderr);
    assert!(outcome.success().contains("raise the crane"));
    assert!(fs::read_to_string(summary).unwrap().contains("raise the crane"));
    assert!(reviewed.comments().is_empty());
}

#[test]
fn a_request_that_conflicts_or_adds_nothing_says_so() {
    let reviewed = Reviewed::new("gitlab", "chore: paint the crane");
    let merge = [&BY_NUMBER[..], &["--merge-method", "merge", "--comment"]].concat();
    let text = reviewed.run(&merge).success();
    assert!(text.starts_with("This request adds nothing to the changelog.\n"), "{text}");
    assert!(text.contains("as without it"), "{text}");
    reviewed.repo.file("crane.txt", "short\n").commit("fix: shorten the crane");
    let text = reviewed.run(&merge).success();
    assert!(text.contains("does not merge without a conflict"), "{text}");
}

#[test]
fn a_preview_without_a_request_says_how_to_name_one() {
    let repo = TestRepo::new();
    repo.commit("Begin");
    let stderr = repo.tidings(&["preview"]).failure(2);
    assert!(stderr.contains("no merge or pull request found") && stderr.contains("--request 12"), "{stderr}");
    let reviewed = Reviewed::new("gitlab", "feat: raise the crane");
    let stderr = reviewed.run(&["--request", "13"]).failure(1);
    assert!(stderr.contains("404"), "{stderr}");
}

#[test]
fn each_package_has_its_entries_and_its_version() {
    let reviewed = Reviewed::new("gitlab", "feat: raise the crane");
    let config = "source: conventional\npackages:\n  crane: {paths: [crane.txt]}\n  mast: {paths: [mast.txt]}\n";
    reviewed.repo.write(".tidings.yml", config);
    let arguments = [&BY_NUMBER[..], &["--merge-method", "merge", "--format", "json"]].concat();
    let document = reviewed.run(&arguments).json();
    let entry = serde_json::json!([{ "package": "crane", "category": "added", "heading": "Added", "title": "raise the crane" }]);
    assert_eq!(document["adds"], entry);
    let after: Vec<_> =
        document["versions"].as_array().unwrap().iter().map(|version| version["after"].clone()).collect();
    assert_eq!(after, [serde_json::json!("0.1.0"), serde_json::Value::Null], "{document}");
}

#[test]
fn a_shallow_clone_of_any_depth_has_the_preview_of_the_whole_repository() {
    let repo = TestRepo::new();
    repo.author();
    let lines = |first: &str, last: &str| format!("{first}\n{}{last}\n", "rope\n".repeat(9));
    repo.file("crane.txt", lines("short", "thin")).file("mast.txt", "tall\n").commit("feat: begin");
    repo.tag("v1.0.0");
    repo.commit("fix: mend the mast");
    repo.git(&["switch", "-qc", "crane"]);
    repo.commit("fix: oil it");
    repo.file("crane.txt", lines("tall", "thin")).commit("feat: raise the crane");
    repo.git(&["switch", "-q", "main"]);
    repo.file("crane.txt", lines("short", "thick")).commit("fix: thicken the rope");
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let (url, event) = (format!("file://{}", repo.path().display()), repo.beside("event.json"));
    let request = serde_json::json!({ "pull_request": {
        "number": 12, "title": "Raise the crane", "body": null,
        "head": { "ref": "crane", "sha": repo.git(&["rev-parse", "crane"]) },
        "base": { "ref": "main", "sha": repo.git(&["rev-parse", "main"]) },
    }});
    fs::write(&event, request.to_string()).unwrap();
    let preview = |place: &std::path::Path, method: &str, more: &[&str]| -> Outcome {
        let mut program = tidings(place);
        program.args(["preview", "--forge", "github", "--merge-method", method]).args(more);
        program.env("GITHUB_EVENT_PATH", &event).output().unwrap().into()
    };
    for config in ["source: conventional\n", "source: conventional\npackages: {crane: {paths: [crane.txt]}}\n"] {
        fs::write(repo.path().join("tidings.yml"), config).unwrap();
        for method in ["merge", "squash"] {
            let expected = preview(repo.path(), method, &[]).success();
            assert!(expected.contains("raise the crane") && !expected.contains("conflict"), "{expected}");
            for depth in ["1", "2", "3", "4"] {
                let clone = repo.beside(&format!("clone-{depth}"));
                let _ = fs::remove_dir_all(&clone);
                repo.git(&["clone", "-q", "--depth", depth, "--branch", "crane", &url, clone.to_str().unwrap()]);
                fs::write(clone.join("tidings.yml"), config).unwrap();
                let refused = preview(&clone, method, &["--offline"]).failure(1);
                assert!(refused.contains("shallow") && refused.contains("--unshallow"), "{depth}: {refused}");
                assert_eq!(preview(&clone, method, &[]).success(), expected, "depth {depth}, {method}, {config}");
            }
        }
    }
}
