//! `extends`: a configuration that builds on another file of the repository.

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
