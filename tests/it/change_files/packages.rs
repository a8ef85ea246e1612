//! The packages that a tool with change files releases, without a configuration of our own.

use super::changeset;
use crate::support::TestRepo;

/// A workspace of three packages: web requires api, and tools is not released.
fn workspace(config: &str) -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    repo.file(".changeset/config.json", config);
    repo.file("package.json", "{\"private\": true, \"workspaces\": [\"packages/*\"]}\n");
    repo.file("pnpm-workspace.yaml", "packages: ['packages/*', 'fixtures/*']\n");
    repo.file("packages/api/package.json", "{\"name\": \"@harbor/api\", \"version\": \"1.4.0\"}\n");
    let web = "{\"name\": \"@harbor/web\", \"version\": \"0.2.0\", \"dependencies\": {\"@harbor/api\": \"^1.0.0\"}}\n";
    repo.file("packages/web/package.json", web);
    repo.file("packages/tools/package.json", "{\"name\": \"tools\", \"version\": \"1.0.0\"}\n");
    let fixture =
        "{\"name\": \"fixture\", \"version\": \"1.0.0\", \"dependencies\": {\"@harbor/api\": \"workspace:*\"}}\n";
    repo.file("fixtures/one/package.json", fixture);
    repo.commit("Begin");
    repo
}

#[test]
fn packages_without_tags_have_the_versions_of_their_manifests() {
    let repo = workspace("{\"ignore\": [\"!(@harbor/*)\"]}");
    assert_eq!(repo.tidings(&["next"]).code, 5);
    changeset(&repo, "sail", "\"@harbor/api\": minor", "Add sail");
    repo.commit("Add sail (#7)");
    assert_eq!(repo.tidings(&["next"]).success(), "api 1.5.0\n");
    assert_eq!(repo.tidings(&["next", "--all-packages"]).success(), "api 1.5.0\n");
    assert_eq!(repo.tidings(&["next", "--package", "api"]).success(), "1.5.0\n");
    let told = repo.tidings(&["next", "--package", "api", "-v"]);
    assert!(told.stderr.contains("minor since 1.4.0 of the manifest: 1 `minor`"), "{}", told.stderr);
    // web requires ^1.0.0, which 2.0.0 is not.
    changeset(&repo, "crane", "\"@harbor/api\": major", "Add crane");
    repo.commit("Add crane (#8)");
    assert_eq!(repo.tidings(&["next"]).success(), "api 2.0.0\nweb 0.2.1\n");
    let plan = repo.tidings(&["release", "--all-packages", "--no-push", "--no-host-release"]).success();
    assert!(plan.contains("tag: @harbor/api@2.0.0") && plan.contains("tag: @harbor/web@0.2.1"), "{plan}");
    let refused = repo.tidings(&["next", "--package", "sails"]).failure(2);
    assert!(refused.contains("package `sails` is not configured"), "{refused}");
}

#[test]
fn tags_say_how_packages_are_named_and_the_manifest_what_comes_next() {
    let repo = workspace("{}");
    repo.tag("@harbor/api@1.4.0").tag("@harbor/web@0.2.0").tag("tools@1.0.0");
    changeset(&repo, "sail", "\"@harbor/web\": minor\n\"tools\": patch", "Add sail");
    repo.commit("Add sail (#7)");
    assert_eq!(repo.tidings(&["next"]).success(), "tools 1.0.1\nweb 0.3.0\n");
    let overview = repo.tidings(&[]).success();
    assert!(overview.contains("next:       tools 1.0.1, web 0.3.0\n"), "{overview}");
    repo.tidings(&["init", "--yes"]).success();
    assert_eq!(repo.tidings(&["next", "--all-packages"]).success(), "tools 1.0.1\nweb 0.3.0\n");
}

#[test]
fn a_package_that_is_ignored_now_is_not_released_whatever_tags_it_has() {
    let repo = workspace("{\"ignore\": [\"tools\"]}");
    repo.tag("@harbor/api@1.4.0").tag("@harbor/web@0.2.0").tag("tools@1.0.0");
    changeset(&repo, "sail", "\"tools\": minor", "Add sail");
    changeset(&repo, "crane", "\"@harbor/web\": patch", "Mend crane");
    repo.commit("Add sail (#7)");
    assert_eq!(repo.tidings(&["next", "--all-packages"]).success(), "web 0.2.1\n");
    repo.tidings(&["release", "--all-packages", "--no-push", "--no-host-release", "-x"]).success();
    assert_eq!(
        repo.git(&["ls-tree", "--name-only", "HEAD", ".changeset/"]),
        ".changeset/config.json\n.changeset/sail.md"
    );
}

/// web was tagged as 0.2.1 by mistake: its manifest and its changelog never had that version.
#[test]
fn a_package_that_cannot_be_counted_does_not_stop_the_others() {
    let repo = workspace("{}");
    repo.tag("@harbor/api@1.4.0").tag("@harbor/web@0.2.0").tag("tools@1.0.0");
    repo.commit("Go on");
    repo.tag("@harbor/web@0.2.1");
    changeset(&repo, "sail", "\"@harbor/web\": patch\n\"tools\": patch", "Add sail");
    repo.commit("Add sail (#7)");
    let run = repo.tidings(&["next", "--all-packages"]);
    assert_eq!((run.code, &*run.stdout), (1, "tools 1.0.1\n"), "{}", run.stderr);
    let why = "package `web`\n  the version after 0.2.0, which the manifest has, is 0.2.1, but the tag `@harbor/web@0.2.1` exists \
               already\nhint: if 0.2.1 was released, write it into the manifest; if not, delete the tag\n";
    assert!(run.stderr.contains(why), "{}", run.stderr);
    let run = repo.tidings(&["next", "--all-packages", "--format", "json"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("\"1.0.1\""), "{}", run.stdout);
    repo.tag("tools@1.0.1");
    let run = repo.tidings(&["next", "--all-packages"]);
    assert_eq!((run.code, &*run.stdout), (1, ""), "{}", run.stderr);
    assert!(run.stderr.contains("error: 2 packages have no next version; the first of them\n"), "{}", run.stderr);
    let plan = repo.tidings(&["release", "--all-packages", "--no-push", "--no-host-release"]).failure(1);
    assert!(plan.contains("which the manifest has, is "), "nothing is released then: {plan}");
}

#[test]
fn tags_with_the_whole_name_come_before_older_ones_with_the_last_part_of_it() {
    let repo = workspace("{}");
    repo.tag("web@0.1.0").tag("api@1.3.0").commit("Go on");
    repo.tag("@harbor/web@0.2.0").tag("@harbor/api@1.4.0");
    changeset(&repo, "sail", "\"@harbor/web\": minor", "Add sail");
    repo.commit("Add sail (#7)");
    assert_eq!(repo.tidings(&["base", "--package", "web"]).success(), "@harbor/web@0.2.0\n");
    assert_eq!(repo.tidings(&["next", "--package", "web"]).success(), "0.3.0\n");
}

#[test]
fn tags_with_the_last_part_of_a_scoped_name_are_those_of_the_package() {
    let repo = workspace("{}");
    repo.tag("web@0.2.0");
    changeset(&repo, "sail", "\"@harbor/web\": minor", "Add sail");
    repo.commit("Add sail (#7)");
    let told = repo.tidings(&["init", "--yes"]);
    assert!(told.stderr.contains("these packages are released by themselves: api, tools, web\n"), "{}", told.stderr);
    assert!(repo.read("tidings.yml").contains("    tag_prefix: \"web@\"\n"), "{}", repo.read("tidings.yml"));
    assert_eq!(repo.tidings(&["base", "--package", "web"]).success(), "web@0.2.0\n");
}

#[test]
fn bare_tags_are_those_of_the_package_that_has_their_version() {
    let repo = workspace("{}");
    repo.tag("v1.3.0");
    repo.commit("Version Packages");
    repo.tag("v1.4.0");
    changeset(&repo, "sail", "\"@harbor/api\": minor", "Add sail");
    repo.commit("Add sail (#7)");
    repo.tidings(&["init", "--yes"]).success();
    assert!(repo.read("tidings.yml").contains("    tag_prefix: \"v\"\n"), "{}", repo.read("tidings.yml"));
    assert_eq!(repo.tidings(&["base", "--package", "api"]).success(), "v1.4.0\n");
    assert_eq!(repo.tidings(&["next", "--package", "api"]).success(), "1.5.0\n");
    let plan = repo.tidings(&["release", "--package", "api", "--no-push", "--no-host-release"]).success();
    assert!(plan.contains("tag: v1.5.0"), "{plan}");
}

#[test]
fn pre_mode_counts_pre_releases_from_the_manifest() {
    let repo = workspace("{}");
    repo.file(".changeset/pre.json", "{\"mode\": \"pre\", \"tag\": \"next\"}\n");
    changeset(&repo, "sail", "\"@harbor/api\": minor", "Add sail");
    repo.commit("Add sail");
    assert_eq!(repo.tidings(&["next"]).success(), "api 1.5.0-next.0\nweb 0.2.1-next.0\n");
    repo.git(&["mv", ".changeset/sail.md", "pre.md"]);
    repo.file(".changeset/pre/sail.md", repo.read("pre.md")).git(&["rm", "-qf", "pre.md"]);
    repo.file("packages/api/package.json", "{\"name\": \"@harbor/api\", \"version\": \"1.5.0-next.0\"}\n");
    repo.commit("Version Packages (next)");
    assert_eq!(repo.tidings(&["next"]).code, 5);
    changeset(&repo, "crane", "\"@harbor/api\": patch", "Mend sail");
    repo.commit("Mend sail");
    assert!(repo.tidings(&["next"]).success().starts_with("api 1.5.0-next.1\n"));
    let shown = |options: &[&str]| repo.tidings(&[&["show", "--package", "api"], options].concat()).success();
    for options in [&[][..], &["--pre-releases"], &["1.5.0-next.1", "--pre-releases"]] {
        assert!(shown(options).contains("Mend sail") && !shown(options).contains("Add sail"), "{}", shown(options));
    }
    assert!(shown(&["1.5.0", "--pre-releases"]).contains("Add sail"));
    repo.file(".changeset/pre.json", "{\"mode\": \"exit\", \"tag\": \"next\"}\n").commit("Leave pre mode");
    assert!(repo.tidings(&["next"]).success().starts_with("api 1.5.0\n"));
}

#[test]
fn a_pre_release_lists_what_it_had_first() {
    for is_list in [true, false] {
        let repo = workspace("{}");
        repo.tag("@harbor/api@1.4.0");
        let ids = |ids: &str| if is_list { format!(", \"changesets\": [{ids}]") } else { String::new() };
        let state = |had: &str| format!("{{\"mode\": \"pre\", \"tag\": \"next\"{}}}\n", ids(had));
        let release = |name: &str, text: &str, ids: &str, version: &str| {
            changeset(&repo, name, "\"@harbor/api\": minor", text);
            repo.commit(text);
            if !is_list {
                repo.git(&["rm", "-q", &format!(".changeset/{name}.md")]);
                repo.file(
                    &format!(".changeset/pre/{name}.md"),
                    format!("---\n\"@harbor/api\": minor\n---\n\n{text}\n"),
                );
            }
            repo.file(".changeset/pre.json", state(ids)).file("packages/api/CHANGELOG.md", format!("## {version}\n"));
            repo.commit("Version Packages (next)");
            repo.tag(&format!("@harbor/api@{version}"));
        };
        release("sail", "Add sail", "\"sail\"", "1.5.0-next.0");
        release("mast", "Add mast", "\"sail\", \"mast\"", "1.5.0-next.1");
        let shown = |options: &[&str]| {
            let text = repo.tidings(&[&["show", "--package", "api", "1.5.0-next.1"], options].concat()).success();
            [text.contains("Add sail"), text.contains("Add mast")]
        };
        assert_eq!(shown(&["--pre-releases"]), [false, true], "{is_list}");
        assert_eq!(shown(&[]), [true, true], "{is_list}");
    }
}

/// A repository of covector: hull is a crate that requires boom, and deck, a package of npm, is released with hull.
fn fleet() -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    let config = r#"{
        "packages": {
            "deck": { "path": "./deck", "dependencies": ["hull"] },
            "hull": { "path": "./crates/hull", "dependencies": ["boom"] },
            "boom": { "path": "./crates/boom" },
            "boom-js": { "path": "./crates/boom" },
            "keel": { "path": "./crates/keel", "dependencies": ["boom"] }
        },
        "additionalBumpTypes": ["housekeeping"]
    }"#;
    repo.file(".changes/config.json", config).file("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n");
    repo.file("crates/boom/Cargo.toml", "[package]\nname = \"boom\"\nversion = \"1.0.0\"\n");
    for (name, boom) in [("hull", "1"), ("keel", "^1.0.0")] {
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"2.0.0\"\n[dependencies]\nboom = {{ path = \"../boom\", version = \"{boom}\" }}\n"
        );
        repo.file(&format!("crates/{name}/Cargo.toml"), manifest);
    }
    repo.file("deck/package.json", "{\"name\": \"@harbor/deck\", \"version\": \"2.3.0\"}\n");
    repo.commit("Begin");
    repo.tag("boom-v1.0.0").tag("hull-v2.0.0").tag("keel-v2.0.0").tag("deck-v2.3.0");
    repo
}

#[test]
fn covector_raises_the_packages_that_it_lists_for_a_raised_one() {
    let repo = fleet();
    repo.file(".changes/a.md", "---\n\"boom\": patch\n---\n\nMend boom\n").commit("Mend boom");
    assert_eq!(repo.tidings(&["next"]).success(), "boom 1.0.1\nhull 2.0.1\ndeck 2.3.1\n");
    let shown = repo.tidings(&["show", "--all-packages", "--next"]).success();
    assert!(shown.contains("### Dependencies\n\n- Update `hull` to 2.0.1"), "{shown}");
    repo.tidings(&["init", "--yes"]).success();
    assert_eq!(repo.tidings(&["next", "--all-packages"]).success(), "boom 1.0.1\nhull 2.0.1\ndeck 2.3.1\n");
}

/// log is a crate and log-js a package of npm in one directory, with one changelog.
#[test]
fn packages_of_covector_that_share_a_directory_are_released_apart() {
    let repo = TestRepo::new();
    repo.author();
    let config = r#"{
        "packages": {
            "log": { "path": "./plugins/log", "manager": "rust" },
            "log-js": { "path": "./plugins/log", "manager": "javascript" },
            "app": { "path": "./app", "manager": "rust", "dependencies": ["log"] }
        }
    }"#;
    repo.file(".changes/config.json", config).file("Cargo.toml", "[workspace]\nmembers = [\"plugins/*\", \"app\"]\n");
    repo.file("plugins/log/Cargo.toml", "[package]\nname = \"harbor-log\"\nversion = \"2.0.1\"\n");
    repo.file("plugins/log/package.json", "{\"name\": \"@harbor/log\", \"version\": \"2.0.0\"}\n");
    repo.file("plugins/log/CHANGELOG.md", "# Changelog\n\n## \\[2.0.1]\n\n- Mend log\n");
    repo.file("app/Cargo.toml", "[package]\nname = \"harbor-app\"\nversion = \"1.0.0\"\n");
    repo.commit("Begin");
    repo.tag("log-v2.0.1").tag("log-js-v2.0.0").tag("app-v1.0.0");
    repo.file(".changes/a.md", "---\n\"log-js\": patch\n---\n\nMend the script\n").commit("Mend the script");
    assert_eq!(repo.tidings(&["next"]).success(), "log-js 2.0.1\n");
    repo.file(".changes/b.md", "---\n\"log\": minor\n---\n\nAdd a filter\n").commit("Add a filter");
    let next = "log 2.1.0\napp 1.0.1\nlog-js 2.0.1\n";
    assert_eq!(repo.tidings(&["next"]).success(), next);
    let shown = |options: &[&str]| repo.tidings(&[&["show", "--package"], options].concat()).success();
    assert!(!shown(&["log"]).contains("script") && !shown(&["log-js"]).contains("filter"));
    let before = repo.git(&["rev-parse", "HEAD"]);
    repo.tidings(&["init", "--yes"]).success();
    assert_eq!(repo.tidings(&["next", "--all-packages"]).success(), next);
    repo.git(&["clean", "-fdq"]);
    repo.git(&["reset", "-q", "--hard", &before]);
    let release = |options: &[&str]| repo.tidings(&[&["release", "--no-push", "--no-host-release"], options].concat());
    let refused = release(&["--all-packages", "-x"]).failure(1);
    assert!(refused.contains("`log` and `log-js` both have a section of 2.0.1"), "{refused}");
    repo.file(".changes/c.md", "---\n\"log-js\": major\n---\n\nBreak the script\n").commit("Break the script");
    release(&["--all-packages", "-x"]).success();
    let versions = repo.read("plugins/log/Cargo.toml") + &repo.read("plugins/log/package.json");
    assert!(versions.contains("\"2.1.0\"") && versions.contains("\"3.0.0\""), "{versions}");
    for (package, version, entries) in
        [("log", "2.1.0", ["Add a filter"].as_slice()), ("log-js", "3.0.0", &["Mend the script", "Break the script"])]
    {
        let section = shown(&[package, version]);
        assert_eq!(section.matches("\n- ").count(), entries.len(), "{section}");
        assert!(entries.iter().all(|entry| section.contains(entry)), "{section}");
    }
    repo.file(".changes/d.md", "---\n\"log\": patch\n---\n\nMend the filter\n").commit("Mend the filter");
    release(&["--package", "log", "-x"]).success();
    let next = release(&["--package", "log-js"]).failure(5);
    assert!(next.contains("nothing to release"), "{next}");
}

#[test]
fn a_tag_of_covector_may_be_any_word_and_some_bumps_change_no_version() {
    let repo = fleet();
    repo.file(".changes/readme.md", "---\n\"package\": what\n---\n");
    repo.file(".changes/a.md", "---\n\"keel\": minor:feat\n---\n\nAdd keel\n");
    repo.file(".changes/b.md", "---\n\"hull\": housekeeping\n---\n\nMove it\n");
    repo.file(".changes/c.md", "---\n\"boom-js\": patch\n---\n\nMend the other boom\n").commit("Mend it");
    let told = repo.tidings(&["next"]);
    assert_eq!(told.success(), "boom 1.0.1\nkeel 2.1.0\nhull 2.0.1\ndeck 2.3.1\n");
    assert!(repo.tidings(&["show", "--package", "keel"]).success().contains("### feat\n\n- Add keel"));
    assert!(repo.tidings(&["show", "--package", "boom"]).success().contains("Mend the other boom"));
    repo.file(".changes/d.md", "---\n\"keel\": huge\n---\n\nBreak it\n").commit("Break it");
    let told = repo.tidings(&["next"]).stderr;
    let warning = ".changes/d.md:2:1: the bump of `keel` must be such as `patch` or `patch:TAG`, not `huge`\n";
    assert!(told.contains(warning), "{told}");
}

#[test]
fn covector_counts_pre_releases_from_0_for_each_version() {
    let repo = fleet();
    let pre =
        |changes: &str| repo.file(".changes/pre.json", format!("{{\"tag\": \"rc\", \"changes\": [{changes}]}}\n"));
    let boom = |version: &str| {
        repo.file("crates/boom/Cargo.toml", format!("[package]\nname = \"boom\"\nversion = \"{version}\"\n"));
    };
    let next = || repo.tidings(&["next", "--package", "boom"]).success();
    pre("");
    repo.file(".changes/a.md", "---\n\"boom\": minor\n---\n\nAdd boom\n").commit("Add boom");
    assert_eq!(repo.tidings(&["next"]).success(), "boom 1.1.0-rc.0\nhull 2.0.1-rc.0\ndeck 2.3.1-rc.0\n");
    pre("\".changes/a.md\"");
    boom("1.1.0-rc.0");
    repo.commit("Release");
    assert_eq!(repo.tidings(&["next", "--package", "boom"]).code, 5);
    repo.file(".changes/b.md", "---\n\"boom\": patch\n---\n\nMend boom\n").commit("Mend boom");
    assert_eq!(next(), "1.1.0-rc.1\n");
    repo.file(".changes/c.md", "---\n\"boom\": major\n---\n\nBreak boom\n").commit("Break boom");
    assert_eq!(next(), "2.0.0-rc.0\n");
    repo.git(&["rm", "-q", ".changes/pre.json"]);
    repo.commit("Leave pre-releases");
    assert_eq!(next(), "2.0.0\n");
    repo.tidings(&["release", "--package", "boom", "--no-push", "--no-host-release", "-x"]).success();
    assert_eq!(repo.git(&["ls-files", ".changes"]), ".changes/config.json");
}

#[test]
fn a_tool_that_sets_manifests_does_not_follow_tags_of_pre_releases() {
    let repo = fleet();
    repo.tag("keel-v2.1.0-beta.3");
    repo.file(".changes/a.md", "---\n\"keel\": patch\n---\n\nMend keel\n").commit("Mend keel");
    assert_eq!(repo.tidings(&["next"]).success(), "keel 2.0.1\n");
}

#[test]
fn knope_raises_a_lower_number_below_1() {
    let repo = TestRepo::new();
    repo.file(
        "knope.toml",
        "[packages.boom]\nversioned_files = [\"boom/Cargo.toml\"]\nchangelog = \"boom/CHANGELOG.md\"\n",
    );
    repo.file("boom/Cargo.toml", "[package]\nname = \"boom\"\nversion = \"0.3.0\"\n");
    repo.file(".changeset/a.md", "---\nboom: minor\n---\n\n# Add boom\n").commit("Begin");
    let next = || repo.tidings(&["next", "--package", "boom"]).success();
    assert_eq!(next(), "0.3.1\n");
    repo.file(".changeset/b.md", "---\nboom: major\n---\n\n# Break boom\n").commit("Break boom");
    assert_eq!(next(), "0.4.0\n");
}

#[test]
fn only_the_protocol_of_the_workspace_counts_if_changesets_says_so() {
    let repo = workspace("{\"bumpVersionsWithWorkspaceProtocolOnly\": true}");
    let tools =
        "{\"name\": \"tools\", \"version\": \"1.0.0\", \"dependencies\": {\"@harbor/api\": \"workspace:^1.0.0\"}}\n";
    repo.file("packages/tools/package.json", tools);
    changeset(&repo, "crane", "\"@harbor/api\": major", "Add crane");
    repo.commit("Add crane");
    assert_eq!(repo.tidings(&["next"]).success(), "api 2.0.0\ntools 1.0.1\n");
    repo.tidings(&["release", "--all-packages", "--no-push", "--no-host-release", "-x"]).success();
    assert!(repo.read("packages/web/package.json").contains("\"@harbor/api\": \"^1.0.0\""));
    assert!(repo.read("packages/tools/package.json").contains("workspace:^2.0.0"));
}

#[test]
fn a_package_of_a_scope_is_suggested_by_the_last_part_of_its_name() {
    let refused = workspace("{}").tidings(&["next", "--package", "@harbor/api"]).failure(2);
    assert!(refused.contains("did you mean `api`?"), "{refused}");
}

#[test]
fn knope_names_its_packages_and_where_their_versions_are() {
    let repo = TestRepo::new();
    repo.author();
    let package = |name: &str| {
        format!(
            "[packages.{name}]\nversioned_files = [\"crates/{name}/Cargo.toml\"]\nchangelog = \"crates/{name}/CHANGELOG.md\"\n"
        )
    };
    repo.file("knope.toml", package("boom") + &package("hull"));
    repo.file("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n");
    repo.file("crates/boom/Cargo.toml", "[package]\nname = \"boom\"\nversion = \"1.0.0\"\n");
    repo.file("crates/hull/Cargo.toml", "[package]\nname = \"hull\"\nversion = \"2.0.0\"\n");
    repo.commit("Begin");
    repo.tag("boom/v1.0.0").tag("hull/v2.0.0");
    changeset(&repo, "sail", "boom: minor\nhull: patch", "# Add sail");
    repo.commit("Add sail");
    assert_eq!(repo.tidings(&["next"]).success(), "hull 2.0.1\nboom 1.1.0\n");
    repo.tidings(&["release", "--all-packages", "--no-push", "--no-host-release", "-x"]).success();
    assert!(repo.git(&["tag"]).contains("boom/v1.1.0") && repo.git(&["ls-files", ".changeset"]).is_empty());
    assert!(
        repo.read("crates/boom/Cargo.toml").contains("1.1.0") && repo.read("crates/hull/Cargo.toml").contains("2.0.1")
    );
}

#[test]
fn tags_of_packages_that_a_tool_names_are_covered() {
    let repo = TestRepo::new();
    let package = |name: &str| {
        format!(
            "[packages.{name}]\nversioned_files = [\"crates/harbor-{name}/Cargo.toml\"]\nchangelog = \"crates/harbor-{name}/CHANGELOG.md\"\n"
        )
    };
    repo.file("knope.toml", package("boom") + &package("hull")).file(".changeset/README.md", "");
    for name in ["boom", "hull"] {
        let manifest = format!("[package]\nname = \"harbor-{name}\"\nversion = \"1.0.0\"\n");
        repo.file(&format!("crates/harbor-{name}/Cargo.toml"), manifest);
    }
    repo.commit("Begin");
    repo.tag("boom/v1.0.0").tag("hull/v1.0.0").tag("sail/v1.0.0");
    let told = repo.tidings(&["init", "--yes"]).stderr;
    assert!(told.contains("1 tag of another prefix is not covered: `sail/v1.0.0`"), "{told}");
}

#[test]
fn projects_of_nx_that_are_independent_are_packages_and_their_group_names_them_all() {
    let repo = TestRepo::new();
    repo.author();
    let groups = "\"groups\": {\"fleet\": {\"projects\": [\"api\", \"packages/web\"], \"projectsRelationship\": \"independent\"}}";
    repo.file("nx.json", format!("{{\"release\": {{\"versionPlans\": true, {groups}}}}}\n"));
    repo.file("package.json", "{\"private\": true, \"workspaces\": [\"packages/*\"]}\n");
    for (name, version) in [("api", "1.4.0"), ("web", "0.2.0"), ("tools", "1.0.0")] {
        repo.file(
            &format!("packages/{name}/package.json"),
            format!("{{\"name\": \"{name}\", \"version\": \"{version}\"}}\n"),
        );
    }
    repo.file(".nx/version-plans/sail.md", "---\nfleet: patch\n---\n\nMend sail\n");
    repo.file(".nx/version-plans/crane.md", "---\napi: minor\n---\n\nAdd crane\n");
    repo.commit("Begin");
    assert_eq!(repo.tidings(&["next"]).success(), "api 1.5.0\nweb 0.2.1\n");
    repo.tidings(&["release", "--all-packages", "--no-push", "--no-host-release", "-x"]).success();
    let tags = repo.git(&["tag"]);
    assert!(tags.contains("api@1.5.0") && tags.contains("web@0.2.1") && !tags.contains("tools"), "{tags}");
    assert!(repo.git(&["ls-files", ".nx"]).is_empty());
}

#[test]
fn projects_of_changie_are_packages_with_version_files_of_their_own() {
    let repo = TestRepo::new();
    repo.author();
    let project = |key: &str| format!("  - {{label: The {key}, key: {key}, changelog: {key}/CHANGELOG.md}}\n");
    let kinds = "kinds:\n  - {label: Added, auto: minor}\n  - {label: Fixed, auto: patch}\n";
    repo.file(
        ".changie.yaml",
        format!("{kinds}projectsVersionSeparator: /\nprojects:\n{}{}", project("api"), project("web")),
    );
    repo.commit("Begin");
    repo.tag("api/v1.4.0").tag("web/v0.2.0");
    repo.file(".changes/unreleased/a.yaml", "project: api\nkind: Added\nbody: Add sail\n");
    repo.file(".changes/unreleased/w.yaml", "project: web\nkind: Fixed\nbody: Mend lamp\n");
    repo.commit("Add sail, mend lamp");
    assert_eq!(repo.tidings(&["next"]).success(), "api 1.5.0\nweb 0.2.1\n");
    let section = repo.tidings(&["show", "--package", "web"]).success();
    assert!(section.contains("- Mend lamp") && !section.contains("Add sail"), "{section}");
    repo.tidings(&["release", "--all-packages", "--no-push", "--no-host-release", "-x"]).success();
    let files = repo.git(&["ls-files"]);
    for path in [".changes/api/v1.5.0.md", ".changes/web/v0.2.1.md", "api/CHANGELOG.md", "web/CHANGELOG.md"] {
        assert!(files.contains(path), "{files}");
    }
    assert!(!files.contains("unreleased"), "{files}");
}

#[test]
fn the_ledger_of_pnpm_says_what_a_release_had_although_the_files_are_there() {
    let repo = workspace("{}");
    repo.tag("v1.3.0");
    changeset(&repo, "sail", "\"@harbor/api\": minor", "Add sail");
    changeset(&repo, "mast", "\"@harbor/api\": minor", "Add mast");
    repo.commit("Add sail and mast");
    repo.git(&["rm", "-q", ".changeset/mast.md"]);
    repo.file(
        ".changeset/ledger.yaml",
        "\"@harbor/api@1.4.0\":\n  dir: packages/api\n  intents:\n    - sail\n    - mast\nhull@1.4.0:\n  dir: hull\n  intents:\n",
    );
    repo.commit("Release 1.4.0");
    repo.tag("v1.4.0");
    let section = repo.tidings(&["show", "1.4.0"]).success();
    assert!(section.contains("Add sail") && section.contains("Add mast") && !section.contains("crane"), "{section}");
    changeset(&repo, "crane", "\"@harbor/api\": minor", "Add crane");
    repo.commit("Add crane");
    let waiting = repo.tidings(&["show"]).success();
    assert!(waiting.contains("Add crane") && !waiting.contains("sail") && !waiting.contains("mast"), "{waiting}");
}

#[test]
fn a_package_in_a_lane_of_pnpm_makes_pre_releases_with_what_is_new() {
    let repo = workspace("{}");
    let versioning = "versioning:\n  ignore: ['@harbor/web']\n  lanes: {'@harbor/api': rc, tools: main}\n";
    repo.file("pnpm-workspace.yaml", format!("packages: ['packages/*']\n{versioning}"));
    repo.file(".changeset/ledger.yaml", "tools@0.9.0:\n  dir: packages/tools\n  intents:\n    - old\n");
    changeset(&repo, "sail", "\"@harbor/api\": minor\n\"@harbor/web\": minor\ntools: minor", "Add sail");
    repo.commit("Add sail");
    assert_eq!(repo.tidings(&["next"]).success(), "api 1.5.0-rc.0\ntools 1.1.0\n");
    repo.tidings(&["release", "--package", "api", "1.5.0-rc.0", "--no-push", "--no-host-release", "-x"]).success();
    let ledger = repo.read(".changeset/ledger.yaml");
    assert!(ledger.contains("\"@harbor/api@1.5.0-rc.0\":\n  dir: packages/api\n  intents:\n    - sail\n"), "{ledger}");
    changeset(&repo, "crane", "\"@harbor/api\": patch", "Mend sail");
    repo.file("packages/api/package.json", "{\"name\": \"@harbor/api\", \"version\": \"1.5.0-rc.0\"}\n");
    repo.commit("Mend sail");
    assert_eq!(repo.tidings(&["next"]).success(), "api 1.5.0-rc.1\ntools 1.1.0\n");
    let section = repo.tidings(&["show", "--package", "api"]).success();
    assert!(section.contains("Mend sail") && !section.contains("Add sail"), "{section}");
    // Once the package leaves the lane, its stable release has what the pre-releases had.
    repo.file("pnpm-workspace.yaml", "packages: ['packages/*']\n").commit("Leave the lane");
    let section = repo.tidings(&["show", "--package", "api"]).success();
    assert!(section.contains("Mend sail") && section.contains("Add sail"), "{section}");
}
