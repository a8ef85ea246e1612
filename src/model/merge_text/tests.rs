//! Messages that each forge makes of its templates.

use super::*;

fn request() -> ReviewedRequest {
    ReviewedRequest {
        number: 12,
        title: "Raise the crane".to_owned(),
        description: "Higher.\n\nChangelog: added".to_owned(),
        url: Some("https://git.example/harbor/app/12".to_owned()),
        source: "crane".to_owned(),
        target: "main".to_owned(),
        author: Some("Mona Reef".to_owned()),
        source_project_id: Some(7),
        ..ReviewedRequest::default()
    }
}

fn commits(messages: &[&str]) -> Vec<RequestCommit> {
    let author =
        |message: &str| if message.contains("Paint") { "Ove Pier <ove@harbor>" } else { "Mona Reef <mona@harbor>" };
    let commit = |message: &&str| RequestCommit { message: (*message).to_owned(), author: author(message).to_owned() };
    messages.iter().map(commit).collect()
}

fn fill(template: &MessageTemplate, request: &ReviewedRequest, messages: &[&str]) -> String {
    MergeText { request, commits: &commits(messages), project: "harbor/app" }.fill(template)
}

fn of_gitlab(template: &str, messages: &[&str]) -> String {
    fill(&MessageTemplate::GitLab(template.to_owned()), &request(), messages)
}

#[test]
fn each_variable_of_gitlab_is_filled_in() {
    let messages = ["Raise it\n\nCloses #3", "Paint it\n\nRed.\n\nChangelog: added\n"];
    for (template, expected) in [
        ("%{title}", "Raise the crane"),
        ("%{title}\n\n%{description}", "Raise the crane\n\nHigher.\n\nChangelog: added"),
        ("%{first_commit}", "Raise it\n\nCloses #3"),
        ("%{first_multiline_commit}", "Raise it\n\nCloses #3"),
        ("%{title}\n\n%{first_multiline_commit_description}", "Raise the crane\n\nCloses #3"),
        // The newest commit comes first.
        ("%{all_commits}", "* Paint it\n\nRed.\n\nChangelog: added\n\n* Raise it\n\nCloses #3"),
        ("%{reference} %{local_reference} %{source_project_id}", "harbor/app!12 !12 7"),
        ("%{source_branch} %{target_branch} %{url}", "crane main https://git.example/harbor/app/12"),
        ("%{issues}", "Closes #3"),
        ("%{co_authored_by}", "Co-authored-by: Ove Pier <ove@harbor>"),
        ("%{merge_request_author}", "Mona Reef <mona@harbor>"),
        ("Merged-by: %{merged_by}", "Merged-by: NAME <ADDRESS>"),
        ("%{title}\n%{approved_by}%{reviewed_by}", "Raise the crane"),
        ("100 %{ %{unknown} %{title", "100 %{ %{unknown} %{title"),
    ] {
        assert_eq!(of_gitlab(template, &messages), expected, "{template}");
    }
    let long = "x".repeat(101 * 1024);
    let all = of_gitlab("%{all_commits}", &[&format!("Raise it\n\n{long}")]);
    assert_eq!(all, "* Raise it\n\n-- Skipped commit body exceeding 100KiB in size.");
    let of_many: Vec<String> = (0..120).map(|number| format!("Commit {number}")).collect();
    let all = of_gitlab("%{all_commits}", &of_many.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(all.starts_with("* Commit 119\n") && all.ends_with("* Commit 20"), "{all}");
}

#[test]
fn a_template_that_repeats_a_long_description_does_not_take_all_memory() {
    let long = ReviewedRequest { description: "x".repeat(3 << 20), ..request() };
    for (template, is_kept) in [
        (MessageTemplate::GitLab("%{title}\n\n%{description}\n%{description}".to_owned()), true),
        (MessageTemplate::Gitea("a\n${PullRequestDescription}\n${PullRequestDescription}".to_owned()), false),
    ] {
        let filled = fill(&template, &long, &[]);
        assert!(filled.len() < 4 << 20, "{}", filled.len());
        assert_eq!(filled.ends_with("%{description}"), is_kept);
    }
    let closing = (0..50_000).map(|issue| format!("#{issue}")).collect::<Vec<_>>().join(", ");
    let closing = ReviewedRequest { description: format!("Closes {closing}"), ..request() };
    assert!(fill(&MessageTemplate::GitLab("%{issues}".to_owned()), &closing, &[]).ends_with(", and #49999"));
}

#[test]
fn a_line_with_an_empty_variable_goes_as_on_gitlab() {
    for (template, expected) in [
        ("%{title}\n\n%{issues}\n\nSee %{local_reference}", "Raise the crane\n\nSee !12"),
        ("%{title}\n\n%{description}\n\n%{approved_by}", "Raise the crane\n\nHigher.\n\nChangelog: added"),
        // The empty line before it stays where what follows it is a trailer.
        ("%{title}\n\n%{issues}\nChangelog: fixed", "Raise the crane\n\nChangelog: fixed"),
        ("%{title}\n%{issues}\n%{reviewed_by}\nEnd", "Raise the crane\nEnd"),
        ("%{title}\n\nCloses: %{issues}", "Raise the crane\n\nCloses:"),
    ] {
        assert_eq!(of_gitlab(template, &["Raise it"]), expected, "{template}");
    }
}

#[test]
fn the_issues_that_a_request_closes_are_found() {
    for (description, expected) in [
        ("Closes #1.", "Closes #1"),
        ("It fixes #1 and #2, and mentions #9.", "Closes #1 and #2"),
        ("Resolves: #3, #1 and issue #2\n\nSee #4", "Closes #3, #1, and #2"),
        ("Closing https://git.example/harbor/app/-/issues/5", "Closes #5"),
        ("Encloses #1; see #2", ""),
    ] {
        let request = ReviewedRequest { description: description.to_owned(), ..request() };
        assert_eq!(fill(&MessageTemplate::GitLab("%{issues}".to_owned()), &request, &[]), expected, "{description}");
    }
}

#[test]
fn the_template_files_of_gitea_have_its_variables() {
    let read = |path: &str| -> Result<Option<String>, std::fmt::Error> {
        let text =
            "${PullRequestTitle} (${PullRequestReference})\n${PullRequestDescription}\n\n${ReviewedOn}\n${ReviewedBy}";
        Ok((path == ".gitea/default_merge_message/SQUASH_TEMPLATE.md").then(|| text.to_owned()))
    };
    let settings = MergeSettings::default_of(Forge::Gitea).with_files(Forge::Gitea, read).unwrap();
    // The first line is the title, whatever follows it.
    let expected =
        "Raise the crane (#12)\n\nHigher.\n\nChangelog: added\n\nReviewed-on: https://git.example/harbor/app/12";
    assert_eq!(fill(&settings.squash_template, &request(), &[]), expected);
    let merged = fill(&settings.merge_template, &request(), &[]);
    assert!(merged.starts_with("Merge pull request 'Raise the crane' (#12) from crane into main\n\n"), "{merged}");
    let fork = ReviewedRequest { source_project: Some("ove/ship".to_owned()), ..request() };
    let merged = fill(&settings.merge_template, &fork, &[]);
    assert!(merged.contains(" from ove/ship:crane into main\n"), "{merged}");
    for (template, expected) in [
        ("${BaseRepoOwnerName} ${BaseRepoName} ${BaseBranch}", "harbor app main"),
        ("${HeadRepoOwnerName} ${HeadRepoName} ${HeadBranch}", "ove ship crane"),
        ("$PullRequestPosterName, $PullRequestIndex", "Mona Reef, 12"),
        ("${ClosingIssues}", "close #3"),
        ("100 $ ${Unknown}.", "100 $ ."),
    ] {
        assert_eq!(fill(&MessageTemplate::Gitea(template.to_owned()), &fork, &["Fixes #3"]), expected, "{template}");
    }
}

#[test]
fn the_files_of_forgejo_come_before_those_of_gitea() {
    let read = |path: &str| -> Result<Option<String>, std::fmt::Error> { Ok(Some(path.to_owned())) };
    let settings = MergeSettings::default_of(Forge::Gitea).with_files(Forge::Gitea, read).unwrap();
    let expected = ".forgejo/default_merge_message/SQUASH_TEMPLATE.md";
    assert_eq!(fill(&settings.squash_template, &request(), &[]), expected);
}

#[test]
fn github_takes_the_only_commit_or_the_title_and_a_list() {
    let settings = MergeSettings::default_of(Forge::GitHub);
    let message = |messages: &[&str]| fill(&settings.squash_template, &request(), messages);
    assert_eq!(message(&["Paint it\n\nChangelog: added\n"]), "Paint it (#12)\n\nChangelog: added");
    assert_eq!(message(&["Raise it", "Raise it more"]), "Raise the crane (#12)\n\n* Raise it\n\n* Raise it more");
    // The trailer of the last commit is lost if somebody else wrote a commit.
    let several = "Raise the crane (#12)\n\n* Raise it\n\n* Paint it\n\nChangelog: added\n\n---------\n\n\
                   Co-authored-by: Ove Pier <ove@harbor>";
    assert_eq!(message(&["Raise it", "Paint it\n\nChangelog: added"]), several);
    let named = message(&["Raise it", "Raise it more\n\nCo-authored-by: Ada Quay <ada@harbor>"]);
    assert!(named.ends_with("\n\n---------\n\nCo-authored-by: Ada Quay <ada@harbor>"), "{named}");
    let merged = fill(&settings.merge_template, &request(), &[]);
    assert_eq!(merged, "Merge pull request #12 from harbor/crane\n\nRaise the crane");
}
