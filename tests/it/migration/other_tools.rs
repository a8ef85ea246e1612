//! Tools whose configuration says little about the changelog: `GoReleaser`, release-plz, and those with change files.

use super::{repo_with, section, take_over};
use crate::support::TestRepo;

#[test]
fn groups_and_filters_of_goreleaser_are_categories_and_rules() {
    let settings = "version: 2\nbuilds: [{main: ./cmd}]\nchangelog:\n  sort: asc\n  use: github\n  abbrev: 7\n  filters:\n    exclude:\n      - '^docs:'\n      - typo\n  \
                    groups:\n    - {title: Others, order: 999}\n    - {title: Bug fixes, regexp: '^.*?fix(\\([[:word:]]+\\))??!?:.+$', order: 1}\n    - {title: New, regexp: '^.*?feat.+$', order: 0}\n\
                    release:\n  draft: true\n  prerelease: auto\n  make_latest: false\n  name_template: 'R {{.Version}}'\n";
    let repo = repo_with(".goreleaser.yaml", settings);
    for title in ["fix(api): mend", "feat: sail", "feat: anchor", "docs: tell", "mend a typo", "Something else"] {
        repo.commit(title);
    }
    let stderr = take_over(&repo, ".goreleaser.yaml");
    assert!(stderr.contains("took over the configuration of GoReleaser"), "{stderr}");
    assert!(stderr.contains("`changelog.abbrev` (line 6)") && stderr.contains("`release.name_template`"), "{stderr}");
    for silent in ["builds", "groups`", "prerelease"] {
        assert!(!stderr.contains(silent), "{silent}: {stderr}");
    }
    let written = repo.read("tidings.yml");
    assert!(written.contains("\ndraft: true\n") && written.contains("\nlatest: \"never\"\n"), "{written}");
    let shown = section(&repo);
    let expected = ["### New", "- feat: anchor", "- feat: sail", "### Bug fixes", "- fix(api): mend", "### Others"];
    assert_eq!(shown[..6], expected, "{shown:?}");
    assert_eq!(shown[6..], ["- Something else"], "{shown:?}");
}

#[test]
fn groups_and_parsers_of_release_plz_are_ours() {
    let settings = "[workspace]\nsemver_check = true\ngit_release_draft = true\nchangelog_path = 'docs/NEWS.md'\n\
                    [changelog]\nsort_commits = 'oldest'\ncommit_parsers = [{ message = '^feat', group = 'added' }, { message = '^chore', skip = true }]\n\
                    [[package]]\nname = 'mast'\nversion_group = 'ship'\nsemver_check = false\nchangelog_path = './MAST.md'\n\
                    [[package]]\nname = 'sail'\nversion_group = 'ship'\n";
    let repo = TestRepo::new();
    repo.file("Cargo.toml", "[workspace]\nmembers = ['mast', 'sail']\n");
    for name in ["mast", "sail"] {
        repo.file(&format!("{name}/Cargo.toml"), format!("[package]\nname = '{name}'\nversion = '1.0.0'\n"));
    }
    repo.file("release-plz.toml", settings).commit("chore: begin");
    repo.tag("mast-v1.0.0");
    repo.tag("sail-v1.0.0");
    repo.file("mast/a", "a").commit("feat: add a hatch");
    let stderr = take_over(&repo, "release-plz.toml");
    assert!(stderr.contains("took over the configuration of release-plz"), "{stderr}");
    assert!(stderr.contains("`workspace.semver_check` (line 2)"), "{stderr}");
    let written = repo.read("tidings.yml");
    assert!(written.contains("- { packages: [\"mast\", \"sail\"], versions: highest }"), "{written}");
    assert!(written.contains("\nsort: \"oldest\"\n") && written.contains("\ndraft: true\n"), "{written}");
    assert!(
        written.contains("\n    file: \"MAST.md\"\n") && written.contains("\n    file: \"docs/NEWS.md\"\n"),
        "{written}"
    );
    assert!(stderr.contains("features_always_increment_minor`, which is off: below 1.0.0 features bump"), "{stderr}");
    assert_eq!(repo.tidings(&["next", "--package", "mast"]).success(), "1.1.0\n");
}

#[test]
fn the_changelog_of_a_single_crate_of_release_plz_is_the_one_of_the_repository() {
    let settings = "[workspace]\nfeatures_always_increment_minor = true\n[[package]]\nname = 'mast'\nchangelog_path = 'docs/NEWS.md'\n";
    let repo = repo_with("release-plz.toml", settings);
    let stderr = take_over(&repo, "release-plz.toml");
    assert!(!stderr.contains("not taken over"), "{stderr}");
    assert!(repo.read("tidings.yml").contains("\nfile: \"docs/NEWS.md\"\n"), "{}", repo.read("tidings.yml"));
}

#[test]
fn what_configures_change_files_is_taken_over_as_without_a_name() {
    let repo = repo_with(".changie.yaml", "kinds:\n  - {label: Added}\n");
    let stderr = take_over(&repo, ".changie.yaml");
    assert!(stderr.contains("`.changie.yaml` configures change files"), "{stderr}");
    assert!(repo.read("tidings.yml").contains("\nsource: files\n"));
    assert!(repo.tidings(&["init", "--from", ".changeset/config.json"]).failure(2).contains("does not exist"));
}

#[test]
fn a_configuration_that_no_command_would_read_is_not_written() {
    let packages: Vec<_> = (0..60).map(|number| format!("\"{number}{}\": {{}}", "x".repeat(20_000))).collect();
    let repo = repo_with("release-please-config.json", &format!("{{\"packages\": {{{}}}}}", packages.join(", ")));
    let refused = repo.tidings(&["init", "--yes", "--from", "release-please-config.json"]).failure(1);
    assert!(refused.contains("more than the limit of 1048576"), "{refused}");
    assert!(!repo.path().join("tidings.yml").exists());
}
