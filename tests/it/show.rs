//! `tidings show`: the section of a version.

use crate::support::{Outcome, TestRepo, tidings};

const DATE: &[&str] = &["--date", "2024-03-09"];

/// A release, and three commits after it: one is listed, one has a likely misspelt category, one has no trailer.
pub fn harbor() -> TestRepo {
    let repo = TestRepo::new();
    repo.commit("Initial");
    repo.tag("v1.0.0");
    repo.change("Add crane", "added");
    repo.change("Fix mast", "fixd");
    repo.commit("Tidy up");
    repo
}

pub fn show(repo: &TestRepo, arguments: &[&str]) -> crate::support::Outcome {
    repo.tidings(&[&["show"], DATE, arguments].concat())
}

#[test]
fn a_section_lists_what_came_since_the_last_stable_tag() {
    let repo = harbor();
    let id = repo.git(&["rev-parse", "HEAD~2"]);
    let short = &id[..8];
    let notes = show(&repo, &["1.1.0"]).success();
    let added = format!("## 1.1.0 (2024-03-09)\n\n### Added\n\n- Add crane (`{short}`)\n\n### fixd\n");
    assert!(notes.starts_with(&added), "{notes}");
}

#[test]
fn without_a_version_it_is_what_is_unreleased() {
    let notes = show(&harbor(), &[]).success();
    assert!(notes.starts_with("## Unreleased\n\n### Added\n"), "{notes}");
}

#[test]
fn titles_are_escaped_unless_gitlab_would_write_them() {
    const RAW: &str = "- [a *<T>* \\](";
    const ESCAPED: &str = "- [a \\*\\<T>\\* \\\\](";
    let listed = |host: &str, path: &str, message: &str| {
        let repo = TestRepo::new();
        if !path.is_empty() {
            repo.write(path, "");
        }
        repo.commit(message);
        let options = ["--host", host, "--project-path", "a/b"];
        show(&repo, &[&["1.0.0"], &options[..]].concat()).success()
    };
    let (trailer, conventional) = ("a *<T>* \\\n\nChangelog: fixed\n", "fix: a *<T>* \\");
    let (gitlab, github) = ("https://gitlab.com", "https://github.com");
    for (host, path, message, expected) in [
        (gitlab, "", trailer, RAW),
        (gitlab, ".gitlab/changelog_config.yml", trailer, RAW),
        (github, ".gitlab/changelog_config.yml", trailer, RAW),
        (gitlab, "tidings.yml", trailer, ESCAPED),
        (gitlab, "", conventional, ESCAPED),
        (github, "", trailer, ESCAPED),
        (github, "", conventional, ESCAPED),
    ] {
        let text = listed(host, path, message);
        assert!(text.contains(expected), "{host} {path}: {text}");
    }
}

#[test]
fn an_escaped_title_without_a_link_begins_no_list_and_no_heading() {
    let repo = TestRepo::new();
    for title in ["# one", "- two", "3. three", "bump @vue/x & `<T>`"] {
        repo.commit(&format!("{title}\n\nChangelog: added\n"));
    }
    let shown = show(&repo, &[]).success();
    for entry in ["- \\# one (", "- \\- two (", "- 3\\. three (", "- bump `@vue/x` & `<T>` ("] {
        assert!(shown.contains(entry), "{entry}: {shown}");
    }
    let document = repo.tidings(&["show", "--format", "json"]).json();
    assert_eq!(document["entries"][3]["title"], "# one");
}

#[test]
fn without_a_remote_nothing_is_a_link() {
    let repo = TestRepo::new();
    repo.commit("Add crane\n\nSee merge request a/b!7\n\nChangelog: added\n");
    let id = &repo.git(&["rev-parse", "HEAD"])[..8];
    for template in ["section", "keep-a-changelog", "github-release", "compact"] {
        let text = repo.tidings(&["show", "--template", template]).success();
        assert!(text.contains("Add crane") && !text.contains("]("), "{template}: {text}");
        assert!(text.contains(&format!("`{id}`")) || text.contains("a/b!7"), "{template}: {text}");
    }
}

#[test]
fn the_host_of_links_comes_from_the_remote_or_the_options() {
    let repo = harbor();
    repo.git(&["remote", "add", "origin", "git@github.com:harbor/pilot.git"]);
    assert!(show(&repo, &["1.1.0"]).success().contains("](https://github.com/harbor/pilot/commit/"));
    let options = ["1.1.0", "--host", "https://git.example.org", "--project-path", "a/b"];
    assert!(show(&repo, &options).success().contains("](https://git.example.org/a/b/-/commit/"));
}

#[test]
fn the_date_comes_from_the_option_then_the_environment() {
    let repo = harbor();
    let show = |seconds: &str| {
        let mut command = crate::support::tidings(repo.path());
        let output = command.args(["show", "1.1.0"]).env("SOURCE_DATE_EPOCH", seconds).output();
        crate::support::Outcome::from(output.expect("the program runs"))
    };
    assert!(show("86400").success().starts_with("## 1.1.0 (1970-01-02)\n"));
    assert!(show("").success().starts_with("## 1.1.0 (20"));
    assert!(show("soon").failure(2).starts_with("error: `SOURCE_DATE_EPOCH` is `soon`, which is not a time\n"));
    let stderr = repo.tidings(&["show", "1.1.0", "--date", "yesterday"]).failure(2);
    assert!(stderr.contains("`yesterday` is not a date") && stderr.contains("hint: "), "{stderr}");
}

#[test]
fn json_has_the_range_and_every_entry() {
    let repo = harbor();
    let document = show(&repo, &["v1.1.0", "--format", "json"]).json();
    assert_eq!(document["version"], "1.1.0");
    assert_eq!(document["base"]["tag"], "v1.0.0");
    assert_eq!(document["from"], repo.git(&["rev-parse", "v1.0.0"]));
    assert_eq!(document["to"], repo.git(&["rev-parse", "HEAD"]));
    assert_eq!(document["commit_count"], 3);
    assert_eq!(document["entries"][0]["title"], "Add crane");
    assert_eq!(document["entries"][0]["author"]["email"], "ida@harbor.example");
    assert_eq!(document["entries"][0]["commit"]["trailers"]["Changelog"], "added");
    assert_eq!(document["notes"], show(&repo, &["1.1.0"]).success());
}

#[test]
fn before_the_first_tag_everything_is_unreleased() {
    let repo = TestRepo::new();
    repo.change("Add crane", "added");
    let outcome = show(&repo, &[]);
    assert!(outcome.stderr.contains("no stable release found"), "{}", outcome.stderr);
    assert_eq!(outcome.success(), show(&repo, &["--first-release"]).success());
    assert!(show(&repo, &["1.0.0"]).success().starts_with("## 1.0.0 "));
    assert!(!show(&repo, &["--first-release"]).stderr.contains("no stable release"));
}

#[test]
fn before_the_first_stable_tag_every_command_takes_the_whole_history() {
    let repo = TestRepo::new();
    repo.author();
    repo.change("Add crane", "added");
    repo.tag("v1.0.0-rc.1");
    repo.change("Mend crane", "fixed");
    let run = |command: &str| repo.tidings(&command.split(' ').collect::<Vec<_>>());
    let is_whole = |command: &str| {
        let outcome = run(command);
        assert!(outcome.stdout.contains("Add crane") && outcome.stdout.contains("Mend crane"), "{command}");
        outcome.stderr
    };
    let commands = [
        "show",
        "show 1.0.0",
        "show --next",
        "show --all",
        "explain",
        "explain 1.0.0",
        "add 1.0.0 -n",
        "add --next -n",
        "release 1.0.0 --no-push",
        "release 1.0.0-rc.2 --no-push",
        "release --no-push",
        "show 1.0.0-rc.1 --to main",
    ];
    for command in commands {
        let messages = is_whole(command);
        assert!(!messages.contains("no tag is a stable version"), "{command}: {messages}");
        assert!(
            command.starts_with("release") || messages.contains("no stable release found"),
            "{command}: {messages}"
        );
    }
    run("check").success();
    assert_eq!(run("next").success(), "1.0.0\n", "a pre-release leads there");
    assert_eq!(run("next --pre rc").success(), "1.0.0-rc.2\n");
    assert_eq!(run("next --initial 2.0.0").success(), "2.0.0\n");
    assert!(run("base").failure(1).contains("no tag is a stable version"));
    assert!(run("add --all").failure(5).contains("run `tidings add --next` to add"));
    repo.tag("nightly");
    for command in commands {
        is_whole(command);
    }
}

#[test]
fn a_mistake_in_a_category_is_a_warning_and_under_strict_an_error() {
    let repo = harbor();
    repo.write(".service/changelog_config.yml", "categories:\n  added: New\n  fixed: Mended\n");
    let outcome = show(&repo, &["1.1.0"]);
    assert!(
        outcome.stderr.contains("`fixd`") && outcome.stderr.contains("did you mean `fixed`?"),
        "{}",
        outcome.stderr
    );
    assert!(outcome.success().contains("### New (1 change)"));
    assert!(show(&repo, &["1.1.0", "--strict"]).failure(1).starts_with("error: "));
    assert_eq!(show(&repo, &["1.1.0", "-q"]).stderr, "");
}

#[test]
fn settings_are_read_where_they_are_asked_for() {
    let repo = harbor();
    repo.file(".gitlab/changelog_config.yml", "date_format: committed\n");
    repo.commit("Add settings");
    repo.write(".gitlab/changelog_config.yml", "date_format: edited\n").write("other.yml", "date_format: other\n");
    for (options, date) in [
        (&["1.1.0"][..], "edited"),
        (&["1.1.0", "--config-ref", "HEAD"], "committed"),
        (&["1.1.0", "--config-file", "other.yml"], "other"),
    ] {
        let notes = show(&repo, options).success();
        assert!(notes.starts_with(&format!("## 1.1.0 ({date})\n")), "{notes}");
    }
    repo.git(&["clone", "-q", "--bare", ".", "../bare"]);
    let bare = repo.beside("bare");
    let notes = show(&repo, &["1.1.0", "--repo", bare.to_str().expect("a UTF-8 path")]).success();
    assert!(notes.starts_with("## 1.1.0 (committed)\n"), "{notes}");
    assert!(show(&repo, &["1.1.0", "--config-file", "missing.yml"]).failure(1).contains("`missing.yml`"));
}

#[test]
fn the_settings_and_the_command_line_choose_the_template() {
    let repo = harbor();
    repo.write("notes.hbs", "{{#each categories}}{{version}}{{@root.previous_version}}{{/each}}");
    repo.write(".gitlab/changelog_config.yml", "template_file: templates/names.tpl\ntemplate: ignored\n");
    repo.write("templates/names.tpl", "{% each categories %}[{{ title }}]{% end %}");
    let body = |options: &[&str]| {
        let notes = show(&repo, &[&["1.1.0"], options].concat()).success();
        notes.lines().nth(2).unwrap_or_default().to_owned()
    };
    assert_eq!(body(&[]), "[fixd][added]");
    assert!(body(&["--template", "compact"]).starts_with("- **fixd**: Fix mast ("));
    assert!(body(&["--template", "section"]).starts_with("### fixd"));
    let mistake = show(&repo, &["1.1.0", "--template", "notes.hbs"]).failure(1);
    assert!(mistake.starts_with("error: notes.hbs:1:21: `version` is not defined\n"), "{mistake}");
    let missing = show(&repo, &["1.1.0", "--template", "kept"]).failure(1);
    assert!(missing.contains("cannot load the template `kept`") && missing.contains("keep-a-changelog"), "{missing}");
}

#[test]
fn settings_of_a_repository_name_files_of_it_alone() {
    let repo = harbor();
    let outside = repo.beside("elsewhere.tpl");
    std::fs::write(&outside, "elsewhere").unwrap();
    let settings = format!("template_file: {}\n", serde_json::to_string(&outside).unwrap());
    for settings in [settings.as_str(), "template_file: ../elsewhere.tpl\n"] {
        repo.write(".gitlab/changelog_config.yml", settings);
        let refused = show(&repo, &["1.1.0"]).failure(1);
        assert!(refused.contains("elsewhere.tpl` is outside of the repository\nhint: "), "{refused}");
        let chosen = show(&repo, &["1.1.0", "--template", outside.to_str().unwrap()]).success();
        assert!(chosen.ends_with(")\n\nelsewhere\n"), "{chosen}");
    }
}

#[test]
fn repeated_trailers_make_one_entry_or_one_each() {
    let repo = harbor();
    repo.commit("Do two things\n\nChangelog: fixed\nChangelog: added\n");
    repo.tag("v1.1.0").commit("Both\n\nChangelog: fixed\nChangelog: added\n");
    let listed = |settings: &str| {
        repo.write(".gitlab/changelog_config.yml", settings);
        show(&repo, &["1.2.0"]).success().matches("- Both (").count()
    };
    assert_eq!((listed(""), listed("repeated_trailers: all")), (1, 2));
}

#[test]
fn grafts_hold_for_what_a_merge_brought_in() {
    let repo = harbor();
    repo.git(&["checkout", "-q", "-b", "side", "v1.0.0"]);
    let side = repo.change("Add sail", "added");
    repo.git(&["checkout", "-q", "main"]);
    let main = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge it\n\nSee merge request !7", "side"]);
    let merge = repo.git(&["rev-parse", "HEAD"]);
    let brought_in = || {
        let document = show(&repo, &["1.1.0", "--format", "json"]).json();
        let entries = document["entries"].as_array().unwrap().clone();
        let brought_in = entries.into_iter().filter(|entry| entry["merge_request"]["reference"] == "!7");
        brought_in.map(|entry| entry["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(brought_in(), ["Add sail"]);
    repo.write(".git/info/grafts", format!("{merge} {side} {main}\n"));
    assert_eq!(brought_in(), ["Add crane", "Fix mast"]);
}

#[test]
fn an_empty_section_may_be_a_failure_of_its_own() {
    let repo = harbor();
    repo.tag("v1.1.0");
    let empty = show(&repo, &["1.2.0"]);
    assert_eq!(empty.stderr, "no commits since v1.1.0\n");
    assert_eq!(empty.success(), "## 1.2.0 (2024-03-09)\n\nNo changes.\n");
    assert_eq!(show(&repo, &["1.2.0", "--fail-on-empty"]).code, 5);
    let first = repo.commit("docs: Draw the sail");
    repo.commit(&format!("ci: Hurry\n\nThis reverts commit {first}.\n"));
    repo.commit("Tidy up");
    let empty = show(&repo, &["--source", "conventional"]);
    let expected = "none of 3 commits since v1.1.0 is listed: 1 reverted, 1 without a known type, 1 of other types\n";
    assert_eq!(empty.stderr, expected);
}

#[test]
fn wrong_usage_says_what_is_right() {
    let repo = harbor();
    for (line, suggested) in [
        (&["shwo"][..], Some("'show'")),
        (&["relase"], Some("'release'")),
        (&["show", "--form", "v1"], Some("'--from'")),
        (&["list"], None),
        (&["show", "--latest"], None),
        (&["init", "--source"], None),
    ] {
        let stderr = repo.tidings(line).failure(2);
        let tip = stderr.lines().find_map(|line| line.split_once("exists: ")).map(|(_, name)| name);
        assert_eq!(tip, suggested, "{stderr}");
    }
    assert!(repo.tidings(&["add"]).failure(2).contains("hint: name one, such as `tidings add 1.2.0`, or use `--next`"));
    assert!(show(&repo, &["1.0"]).failure(2).contains("`1.0` is not a valid version"));
    assert!(show(&repo, &["1.1.0", "--from", "nope"]).failure(1).contains("`nope`"));
    let stderr = show(&repo, &["1.1.0", "--max-commits", "2"]).failure(1);
    assert!(stderr.contains("more than 2 commits") && stderr.contains("--max-commits"), "{stderr}");
    for name in ["", "Changelog:", "Change Log"] {
        let refused = show(&repo, &["1.1.0", "--trailer", name]).failure(2);
        assert!(refused.contains("use letters, digits and hyphens, the name before the colon"), "{name}");
    }
}

#[test]
fn what_is_not_there_is_said_in_one_line() {
    let repo = TestRepo::new();
    let refused = repo.tidings(&["show", "--first-release"]).failure(1);
    assert!(refused.lines().count() <= 2 && refused.contains("no commits"), "{refused}");
    repo.change("Light the lamp", "added");
    let refused = repo.tidings(&["show", "--from", "nowhere"]).failure(1);
    assert!(refused.starts_with("error: unknown revision `nowhere`\nhint: "), "{refused}");
}

#[test]
fn an_empty_repository_is_told_to_be_empty() {
    let repo = TestRepo::new();
    for arguments in [&["show"][..], &["show", "1.0.0"], &["explain"], &["base"], &["show", "--first-release"]] {
        let error = repo.tidings(arguments).failure(1);
        let expected = "error: the repository has no commits yet\nhint: create the first one with `git commit`\n";
        assert!(error.starts_with(expected), "{arguments:?}: {error}");
    }
}

#[test]
fn a_name_like_that_of_a_tag_or_branch_is_suggested() {
    let repo = TestRepo::new();
    repo.commit("Begin");
    repo.tag("v0.9.0").tag("v1.0.0").tag("11.0.0").git(&["branch", "release-1.0"]);
    let hint = |spec: &str| repo.tidings(&["show", "--from", spec]).failure(1).lines().nth(1).unwrap().to_owned();
    assert_eq!(hint("1.0.0~1"), "hint: did you mean `v1.0.0`?");
    assert_eq!(hint("v11.0.0"), "hint: did you mean `11.0.0`?");
    assert_eq!(hint("relaese-1.0"), "hint: did you mean `release-1.0`?");
    for spec in ["HEAD~7", "v1.0.0^2", "nowhere", ""] {
        assert_eq!(hint(spec), "hint: run `git fetch --tags` to get new commits and tags", "{spec}");
    }
}

#[test]
fn a_clone_of_one_branch_is_told_how_to_get_the_others() {
    let repo = TestRepo::new();
    repo.commit("Begin");
    repo.tag("v1.0.0");
    repo.git(&["checkout", "-q", "-b", "wick"]);
    let commit = repo.change("Oil the wick", "fixed");
    repo.git(&["checkout", "-q", "main"]);
    let url = format!("file://{}", repo.path().display());
    repo.git(&["clone", "-q", "--single-branch", &url, "../clone"]);
    let show = |end: &str| tidings(&repo.beside("clone")).args(["show", "--offline", "--to", end]).output().unwrap();
    let command = "git fetch origin '+refs/heads/*:refs/remotes/origin/*'";
    for end in ["origin/wick", &commit] {
        let refused = Outcome::from(show(end)).failure(1);
        let hint =
            format!("hint: this clone follows only `main` of `origin`; run `{command}` to get its other branches\n");
        assert!(refused.ends_with(&hint), "{refused}");
    }
    repo.git_beside("clone", &["fetch", "-q", "origin", "+refs/heads/*:refs/remotes/origin/*"]);
    for end in ["origin/wick", &commit] {
        assert!(Outcome::from(show(end)).success().contains("- Oil the wick"));
    }
}

#[test]
fn a_section_that_is_rendered_again_has_its_headings() {
    let repo = TestRepo::new();
    repo.git(&["remote", "add", "origin", "https://github.com/harbor/app.git"]);
    repo.change("Add crane", "added");
    let shown = repo.tidings(&["show", "1.0.0"]).success();
    assert!(shown.contains("### Added"), "{shown}");
    let context = repo.tidings(&["show", "1.0.0", "--format", "json"]).success();
    repo.write("context.json", &context);
    let again = repo.tidings(&["render", "--context", "context.json"]).success();
    assert!(again.contains("### Added"), "{again}");
    repo.write("c.yml", "categories: { added: New }\n");
    let by_config = repo.tidings(&["render", "--context", "context.json", "--config-file", "c.yml"]).success();
    assert!(by_config.contains("### New"), "{by_config}");
}
