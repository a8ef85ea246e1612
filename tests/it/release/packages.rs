//! Packages of one repository, released by themselves or one after the other.

use super::Released;

const SETTINGS: &str =
    "packages:\n  api: { version_files: { path: api/package.json, key: version } }\n  web:\n  docs:\n";

/// Two packages with something new, and one without.
fn harbor() -> Released {
    let fixture = Released::new();
    fixture.repo.file(".gitlab/changelog_config.yml", SETTINGS).file("api/package.json", "{\"version\": \"1.2.0\"}\n");
    fixture.repo.file("web/a", "1").file("docs/a", "1").commit("Begin packages");
    fixture.repo.tag("api/v1.2.0").tag("web/v0.3.0").tag("docs/v1.0.0");
    fixture.repo.file("api/a", "2").change("Add crane", "added");
    fixture.repo.file("web/a", "2").change("Fix mast", "fixed");
    fixture.repo.git(&["push", "-q", "--tags", "origin", "main"]);
    fixture
}

#[test]
fn one_package_is_released_by_itself() {
    let fixture = harbor();
    let stderr = fixture.release(&["--package", "api", "-x"]).success();
    assert_eq!(stderr, "released 1.3.0 as api/v1.3.0: committed, tagged, pushed\n");
    let files = fixture.remote(&["show", "--format=%s", "--name-only", "main"]);
    assert_eq!(files, "Release api 1.3.0\n\napi/CHANGELOG.md\napi/package.json");
    assert_eq!(fixture.repo.read("api/package.json"), "{\"version\": \"1.3.0\"}\n");
    assert!(fixture.release(&["--package", "api"]).success().starts_with("1.3.0 is already released as api/v1.3.0"));
    assert!(
        fixture
            .release(&["--package", "docs"])
            .failure(5)
            .contains("nothing to release: no unreleased change bumps the version")
    );
}

#[test]
fn all_packages_are_released_that_have_something_new() {
    let fixture = harbor();
    let plan = fixture.release(&["--all-packages"]).success();
    assert!(plan.starts_with("release 1.3.0 of main as api/v1.3.0\n"), "{plan}");
    assert!(plan.contains("\n\nrelease 0.3.1 of main as web/v0.3.1\n"), "{plan}");
    let last = "\n\ntogether: one commit `Release api 1.3.0, web 0.3.1`, and one push of the branch and all tags\n";
    assert!(plan.ends_with(last), "{plan}");
    let run = fixture.release(&["--all-packages", "-x", "--format", "json"]).json();
    assert_eq!(
        (&run[0]["tag"], &run[1]["tag"], run.as_array().unwrap().len()),
        (&"api/v1.3.0".into(), &"web/v0.3.1".into(), 2)
    );
    assert_eq!(run[0]["steps"]["commit"]["message"], "Release api 1.3.0, web 0.3.1");
    assert_eq!(
        fixture.remote(&["log", "-2", "--format=%s %D", "main"]),
        "Release api 1.3.0, web 0.3.1 HEAD -> main, tag: web/v0.3.1, tag: api/v1.3.0\nFix mast "
    );
    let files = fixture.remote(&["show", "--format=", "--name-only", "main"]);
    assert_eq!(files, "api/CHANGELOG.md\napi/package.json\nweb/CHANGELOG.md");
    let done = fixture.release(&["--all-packages", "-x"]).success();
    assert!(
        done.starts_with("1.3.0 is already released as api/v1.3.0: commit ") && done.lines().count() == 2,
        "{done}"
    );
    fixture.repo.commit("Tidy up");
    assert!(
        fixture
            .release(&["--all-packages"])
            .failure(5)
            .contains("nothing to release: no unreleased change bumps the version")
    );
}

#[test]
fn each_package_may_have_a_commit_and_a_push_of_its_own() {
    let fixture = harbor();
    fixture.remote_hook("update", "test \"$1\" != refs/tags/web/v0.3.1 || exit 1");
    let stderr = fixture.release(&["--all-packages", "--separate", "-x"]).failure(1);
    assert!(stderr.contains("error: cannot release the package `web`\n  the push to `origin` failed"), "{stderr}");
    fixture.remote_hook("update", "exit 0");
    let stderr = fixture.release(&["--all-packages", "--separate", "-x"]).success();
    assert_eq!(stderr, "released 0.3.1 as web/v0.3.1: pushed\n");
    assert_eq!(
        fixture.remote(&["log", "-2", "--format=%s %D", "main"]),
        "Release web 0.3.1 HEAD -> main, tag: web/v0.3.1\nRelease api 1.3.0 tag: api/v1.3.0"
    );
    fixture.release(&["--separate"]).failure(2);
}

#[test]
fn all_packages_are_pushed_or_none() {
    let fixture = harbor();
    let before = fixture.remote(&["for-each-ref"]);
    fixture.remote_hook("update", "test \"$1\" != refs/tags/web/v0.3.1 || exit 1");
    let stderr = fixture.release(&["--all-packages", "-x"]).failure(1);
    assert!(stderr.contains("error: the push to `origin` failed; nothing was changed there\n"), "{stderr}");
    assert_eq!(fixture.remote(&["for-each-ref"]), before);
    fixture.remote_hook("update", "exit 0");
    let stderr = fixture.release(&["--all-packages", "-x"]).success();
    assert_eq!(stderr, "released 1.3.0 as api/v1.3.0: pushed\nreleased 0.3.1 as web/v0.3.1: pushed\n");
}

#[test]
fn what_a_run_left_out_is_completed_by_the_next() {
    let fixture = harbor();
    fixture.release(&["--all-packages", "-x", "--no-push"]).success();
    fixture.repo.git(&["tag", "-d", "web/v0.3.1"]);
    let commit = fixture.repo.git(&["rev-parse", "HEAD"]);
    let stderr = fixture.release(&["--all-packages", "-x"]).success();
    assert_eq!(stderr, "released 1.3.0 as api/v1.3.0: pushed\nreleased 0.3.1 as web/v0.3.1: tagged, pushed\n");
    for reference in ["main", "api/v1.3.0^{}", "web/v0.3.1^{}"] {
        assert_eq!(fixture.remote(&["rev-parse", reference]), commit);
    }
}

#[test]
fn a_package_that_is_committed_already_is_pushed_with_the_others() {
    let fixture = harbor();
    fixture.release(&["--package", "web", "-x", "--no-push"]).success();
    let web = fixture.repo.git(&["rev-parse", "HEAD"]);
    fixture.release(&["--all-packages", "-x"]).success();
    assert_eq!(fixture.remote(&["rev-parse", "main^", "web/v0.3.1^{}"]), format!("{web}\n{web}"));
    assert_eq!(fixture.remote(&["rev-parse", "main"]), fixture.remote(&["rev-parse", "api/v1.3.0^{}"]));
}

#[test]
fn many_packages_are_named_below_the_title_of_their_commit() {
    let fixture = Released::new();
    let names: Vec<_> = (10..20).map(|number| format!("package-{number}")).collect();
    fixture.repo.file(".gitlab/changelog_config.yml", format!("packages: {{{}: }}\n", names.join(": , ")));
    for name in &names {
        fixture.repo.file(&format!("{name}/a"), "1");
    }
    fixture.repo.change("Begin", "added");
    fixture.release(&["--all-packages", "-x"]).success();
    let message = fixture.remote(&["log", "-1", "--format=%B", "main"]);
    assert!(message.starts_with("Release 10 packages\n\n- package-10 0.1.0\n- package-11 0.1.0\n"), "{message}");
    let fixture = harbor();
    fixture.release(&["--all-packages", "-x", "--message", "Ship it"]).success();
    assert_eq!(fixture.remote(&["log", "-1", "--format=%s", "main"]), "Ship it");
    let fixture = harbor();
    fixture.release(&["--all-packages", "-x", "--message", "chore: release {version}"]).success();
    assert_eq!(fixture.remote(&["log", "-1", "--format=%s", "main"]), "chore: release api 1.3.0, web 0.3.1");
}

#[test]
fn two_packages_cannot_have_the_same_section() {
    let fixture = harbor();
    fixture.repo.file(
        ".gitlab/changelog_config.yml",
        "packages:\n  api: { file: NEWS.md, tag_prefix: api-x }\n  web: { file: NEWS.md, tag_prefix: web-x }\n",
    );
    fixture.repo.commit("Share a file");
    let stderr = fixture.release(&["--all-packages", "--initial", "1.0.0"]).failure(3);
    assert!(stderr.contains("`api` and `web` both have a section of 1.0.0 in `NEWS.md`"), "{stderr}");
}

#[test]
fn what_stands_in_the_way_of_one_stops_all() {
    let fixture = harbor();
    fixture.repo.write("web/CHANGELOG.md", "mine\n");
    let before = fixture.state();
    let stderr = fixture.release(&["--all-packages", "-x"]).failure(1);
    assert!(
        stderr.starts_with("error: cannot release the package `web`\n  0.3.1 cannot be released yet\n"),
        "{stderr}"
    );
    assert_eq!(fixture.state(), before);
    fixture.release(&["--all-packages"]).failure(3);
}

#[test]
fn a_tag_names_its_package_and_version() {
    let fixture = harbor();
    fixture.repo.tag("api/v1.3.0").tag("nightly-2024.01.02").tag("1.2.3.4.5");
    let plan = fixture.release(&["--from-tag", "api/v1.3.0", "--no-commit", "--format", "json"]).json();
    assert_eq!((&plan["version"], &plan["package"]), (&"1.3.0".into(), &"api".into()));
    assert_eq!((&plan["tag"], &plan["previous_tag"]), (&"api/v1.3.0".into(), &"api/v1.2.0".into()));
    assert!(plan["notes"].as_str().unwrap().contains("Add crane"), "{plan}");
    for other in ["nightly-2024.01.02", "1.2.3.4.5", "ship/v1.0.0"] {
        let refused = fixture.release(&["--from-tag", other, "--no-commit"]).failure(5);
        assert!(refused.contains(&format!("`{other}` is not the tag of a version")), "{refused}");
    }
}

#[test]
fn the_job_of_a_tag_has_no_branch_and_its_tag_may_have_lost_the_annotation() {
    let fixture = Released::new();
    fixture.repo.annotated_tag("v1.1.0").git(&["push", "-q", "origin", "v1.1.0"]);
    fixture.repo.git(&["checkout", "-q", "--detach"]);
    fixture.repo.git(&["update-ref", "refs/tags/v1.1.0", "HEAD"]);
    let commit = fixture.repo.git(&["rev-parse", "--short=8", "HEAD"]);
    let stderr = fixture.release(&["--from-tag", "v1.1.0", "--no-commit", "--no-push", "-x"]).success();
    assert_eq!(stderr, format!("1.1.0 is already released as v1.1.0: commit {commit} on HEAD\n"));
    fixture.repo.commit("Aside");
    let stderr = fixture.release(&["1.2.0", "--no-commit"]).failure(3);
    assert!(stderr.contains("\n  cannot release from a detached `HEAD`\n"), "{stderr}");
}

#[test]
fn a_first_tag_has_the_whole_history() {
    for (settings, tag) in [
        ("", "v0.1.0"),
        ("tag_prefix: app/\n", "app/v0.1.0"),
        ("tag_regex: '^release-(?P<major>\\d+)\\.(?P<minor>\\d+)\\.(?P<patch>\\d+)$'\n", "release-0.1.0"),
    ] {
        let fixture = Released::new();
        fixture.repo.git(&["tag", "-d", "v1.0.0"]);
        fixture.repo.file(".gitlab/changelog_config.yml", settings).change("Add crane", "added");
        fixture.repo.tag(tag);
        let plan = fixture.release(&["--from-tag", tag, "--no-commit", "--no-push", "--format", "json"]).json();
        assert_eq!((&plan["version"], &plan["package"]), (&"0.1.0".into(), &serde_json::Value::Null));
        assert!(plan["notes"].as_str().unwrap().contains("Add crane"), "{plan}");
    }
}

#[test]
fn packages_that_share_a_walk_are_planned_as_each_by_itself() {
    let fixture = harbor();
    let all = fixture.release(&["--all-packages", "--level", "patch", "--format", "json"]);
    assert_eq!(all.stderr.matches("nothing is listed for the package `docs`").count(), 1, "{}", all.stderr);
    let all = all.json();
    for (index, package) in ["api", "web", "docs"].into_iter().enumerate() {
        let one = fixture.release(&["--package", package, "--level", "patch", "--format", "json"]).json();
        for key in ["package", "version", "tag", "previous_tag", "notes"] {
            assert_eq!(all[index][key], one[key], "{package} {key}");
        }
    }
}

#[test]
fn the_diffs_of_all_packages_add_up_to_the_commit() {
    let fixture = harbor();
    let settings = "packages:\n  api: { version_files: { path: versions.json, key: api } }\n  \
                    web: { version_files: { path: versions.json, key: web } }\n";
    fixture.repo.file(".gitlab/changelog_config.yml", settings);
    fixture.repo.file("versions.json", "{\n  \"api\": \"1.2.0\",\n  \"web\": \"0.3.0\"\n}\n").commit("Gather versions");
    let plan = fixture.release(&["--all-packages", "--format", "json"]).json();
    let diff = |index: usize| plan[index]["steps"]["commit"]["diff"].as_str().unwrap().to_owned();
    assert!(diff(0).contains("+  \"api\": \"1.3.0\",\n   \"web\": \"0.3.0\""), "{plan}");
    assert!(diff(1).contains("   \"api\": \"1.3.0\",\n-  \"web\": \"0.3.0\""), "{plan}");
    fixture.release(&["--all-packages", "-x"]).success();
    assert_eq!(fixture.repo.read("versions.json"), "{\n  \"api\": \"1.3.0\",\n  \"web\": \"0.3.1\"\n}\n");
}

#[test]
fn without_packages_all_of_them_cannot_be_released() {
    let fixture = Released::new();
    let stderr = fixture.release(&["--all-packages"]).failure(2);
    assert!(stderr.contains("error: the configuration has no packages\n"), "{stderr}");
}
