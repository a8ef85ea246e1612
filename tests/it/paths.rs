//! `paths:` of the configuration: what a commit must change to be listed.

use crate::support::TestRepo;

/// Changes of `api`, of `web`, and a merge with a trailer that brings a change of `api` in.
fn harbor() -> TestRepo {
    let repo = TestRepo::new();
    repo.write(".gitlab/changelog_config.yml", "paths: api\n");
    repo.file("api/a", "1").file("web/a", "1").commit("Initial");
    repo.tag("v1.0.0");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.file("api/b", "1").commit("Work on it");
    repo.git(&["checkout", "-q", "main"]);
    repo.file("web/a", "2").change("Fix mast", "fixed");
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge the crane\n\nChangelog: added", "side"]);
    repo.file("web/b", "2").change("Add sail", "added");
    repo
}

#[track_caller]
fn listed(repo: &TestRepo, arguments: &[&str]) -> String {
    let text = repo.tidings(&[&["explain"], arguments].concat()).success();
    let lines: Vec<_> = text.lines().filter(|line| line.starts_with('+')).map(|line| &line[11..]).collect();
    lines.join("; ")
}

#[test]
fn a_merge_counts_for_what_it_brought_in() {
    let repo = harbor();
    assert_eq!(listed(&repo, &[]), "Merge the crane  (added)");
    repo.write(".gitlab/changelog_config.yml", "paths: ['*', '!api/b']\n");
    assert_eq!(listed(&repo, &[]), "Add sail  (added); Fix mast  (fixed)");
    repo.write(".gitlab/changelog_config.yml", "paths: [':(attr:x)api']\n");
    assert!(repo.tidings(&["show"]).failure(1).contains("asks for attributes"));
}

#[test]
fn a_clone_without_trees_is_refused_with_a_hint() {
    let repo = harbor();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", repo.path().display());
    for filter in ["blob:none", "tree:0"] {
        repo.git(&["clone", "-q", "--no-checkout", &format!("--filter={filter}"), &url, &format!("../{filter}")]);
    }
    let settings = repo.path().join(".gitlab/changelog_config.yml");
    let arguments = |directory: &str| {
        let (directory, settings) = (repo.beside(directory), settings.clone());
        ["show", "--repo", directory.to_str().unwrap(), "--config-file", settings.to_str().unwrap()].map(str::to_owned)
    };
    let run = |directory: &str| repo.tidings(&arguments(directory).each_ref().map(String::as_str));
    assert!(run("blob:none").success().contains("Merge the crane"));
    let stderr = run("tree:0").failure(1);
    assert!(stderr.contains("`git fetch --refetch --filter=blob:none`"), "{stderr}");
}

#[test]
fn the_end_of_a_shallow_clone_counts_as_a_beginning() {
    let repo = harbor();
    let url = format!("file://{}", repo.path().display());
    repo.git(&["clone", "-q", "--depth", "1", &url, "../shallow"]);
    let expected = repo.git(&["-C", "../shallow", "log", "--format=%s", "--", "api"]);
    let settings = repo.path().join(".gitlab/changelog_config.yml");
    let shallow = repo.beside("shallow");
    let options = ["--repo", shallow.to_str().unwrap(), "--config-file", settings.to_str().unwrap()];
    let found = listed(&repo, &[&["--first-release", "--allow-shallow"], &options[..]].concat());
    assert_eq!(found, format!("{expected}  (added)"));
}

#[test]
fn a_repository_by_url_gives_what_a_clone_gives() {
    let repo = harbor();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let settings = repo.path().join(".gitlab/changelog_config.yml");
    let url = format!("file://{}", repo.path().display());
    let cache = repo.beside("cache");
    let arguments = ["--config-file", settings.to_str().unwrap(), "--repo", &url, "--cache", cache.to_str().unwrap()];
    for range in [&[][..], &["--first-release"], &["--from", "HEAD~1"], &["--from", "HEAD"]] {
        let local = listed(&repo, range);
        assert_eq!(listed(&repo, &[range, &arguments[..4]].concat()), local, "{range:?}");
        assert_eq!(listed(&repo, &[range, &arguments].concat()), local, "{range:?}, with a cache");
    }
}

/// `core` becomes `libs/core` and then `packages/core`, each with an edit; in between and afterwards it is changed.
fn moved() -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    repo.write("tidings.yml", "packages: {core: {paths: [packages/core/]}, app: {}}\n");
    let text = "a line\n".repeat(40);
    repo.file("core/src/a", &text).file("core/manifest", "core").file("app/a", "1").commit("Initial");
    repo.tag("core/v1.0.0").tag("app/v1.0.0");
    repo.file("core/src/a", format!("{text}1")).change("Change core", "added");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.file("core/b", "2").change("Change core on a side", "fixed");
    repo.git(&["checkout", "-q", "main"]);
    for (old, new) in [("core", "libs/core"), ("libs/core", "packages/core")] {
        std::fs::create_dir_all(repo.path().join(new)).unwrap();
        repo.git(&["mv", &format!("{old}/src"), &format!("{old}/manifest"), new]);
        repo.file(&format!("{new}/manifest"), new).commit("Move");
        repo.file(&format!("{new}/src/a"), format!("{text}{new}")).change(&format!("Change {new}"), "fixed");
    }
    repo.git(&["-c", "merge.directoryRenames=false", "merge", "-q", "--no-ff", "-m", "Merge side", "side"]);
    repo.git(&["rm", "-q", "-r", "core"]);
    repo.commit("Leave nothing there");
    repo.file("core/new", "3").change("Begin another core", "added");
    repo.file("app/a", "2").file("split/a", &text).change("Change app", "added");
    repo
}

#[test]
fn a_directory_that_was_moved_keeps_its_earlier_commits() {
    let repo = moved();
    let expected = "Change packages/core  (fixed); Change libs/core  (fixed); \
                    Change core on a side  (fixed); Change core  (added)";
    assert_eq!(listed(&repo, &["--package", "core"]), expected);
    let together = repo.tidings(&["show", "--all-packages", "--format", "json"]).json();
    let titles = |package: usize| together[package]["entries"].as_array().unwrap().len();
    assert_eq!((titles(0), titles(1)), (4, 1), "{together}");
    assert_eq!(listed(&repo, &["--package", "core", "--from", "HEAD~4"]), "", "it moved before the range");
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let (url, settings) = (format!("file://{}", repo.path().display()), repo.path().join("tidings.yml"));
    let options = ["--package", "core", "--repo", &url, "--config-file", settings.to_str().unwrap()];
    assert_eq!(listed(&repo, &options), expected, "by URL");
    repo.write("tidings.yml", "paths: split\ntag_prefix: app/v\n");
    assert_eq!(listed(&repo, &[]), "Change app  (added)", "what was copied elsewhere has no history of its own");
}

#[test]
fn the_people_of_a_package_are_those_of_its_earlier_directories_too() {
    let repo = moved();
    let mut contributors = Vec::new();
    for packages in [&["--package", "core"][..], &["--all-packages"]] {
        let arguments = [&["show", "--template", "github-release", "--format", "json"], packages].concat();
        let document = repo.tidings(&arguments).json();
        let core = document.get(0).unwrap_or(&document);
        contributors.push(core["contributors"][0]["commits"].clone());
    }
    assert_eq!(contributors, [6, 6], "four that are listed and two moves");
}

#[test]
fn what_was_moved_to_excluded_paths_is_not_the_former_directory() {
    let repo = TestRepo::new();
    repo.author();
    repo.write("tidings.yml", "paths: [lib, '!lib/docs']\ntag_prefix: v\n");
    let text = "a line\n".repeat(40);
    repo.file("docs/a.md", &text).commit("Initial");
    repo.tag("v1.0.0");
    repo.file("docs/a.md", format!("{text}1")).change("Change the pages", "added");
    std::fs::create_dir_all(repo.path().join("lib")).unwrap();
    repo.git(&["mv", "docs", "lib/docs"]);
    repo.file("lib/a", "1").change("Begin the library", "added");
    assert_eq!(listed(&repo, &[]), "Begin the library  (added)");
}
