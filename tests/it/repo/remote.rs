//! `tidings repo` with a URL: what is needed is fetched, and the output is that of a clone.

use crate::support::{Random, TestRepo, generated};

fn url(repo: &TestRepo) -> String {
    format!("file://{}", repo.path().display())
}

/// The output for the repository itself and for its URL.
#[track_caller]
fn agree(repo: &TestRepo, arguments: &[&str]) {
    let arguments = [&["repo"], arguments, &["--format", "json"]].concat();
    let url = url(repo);
    let fetched = repo.tidings(&[arguments.as_slice(), &["--repo", &url]].concat());
    assert_eq!(fetched.json(), repo.tidings(&arguments).json(), "{arguments:?}");
}

#[test]
fn the_output_for_a_url_is_that_of_the_repository() {
    for filters in ["true", "false"] {
        let repo = generated::repository(&mut Random::new(31));
        repo.git(&["config", "uploadpack.allowFilter", filters]);
        let blob = repo.git(&["ls-tree", "-r", "--format=%(objecttype) %(objectname)", "main"]);
        let blob = blob.lines().find_map(|line| line.strip_prefix("blob ")).unwrap();
        agree(&repo, &["tree", "--recursive"]);
        agree(&repo, &["tree", "--ref", "old/release"]);
        agree(&repo, &["blob", blob]);
        agree(&repo, &["compare", "topic", "main"]);
        agree(&repo, &["compare", "main~2", "heavy", "--straight"]);
        agree(&repo, &["contributors"]);
        agree(&repo, &["merge-base", "main", "topic~1"]);
    }
}

#[test]
fn an_archive_of_a_url_is_that_of_the_repository() {
    let repo = TestRepo::new();
    repo.file(".gitattributes", "*.subst export-subst\n").file("a.subst", "$Format:%H %D %(describe)$\n");
    repo.file("src/deep/file", "x\n").commit("One");
    repo.annotated_tag("v1.0.0").commit("Two");
    let archive = |options: &[&str]| {
        let file = repo.beside("archive.tar");
        let output = ["repo", "archive", "-o", file.to_str().unwrap()];
        repo.tidings(&[&output[..], options].concat()).success();
        std::fs::read(&file).unwrap()
    };
    let url = url(&repo);
    assert!(archive(&["--repo", &url]) == archive(&[]), "the archives differ");
}

#[test]
fn a_file_of_a_url_is_found_by_its_path() {
    let repo = TestRepo::new();
    repo.file("src/deep/file", "light\n").commit("One");
    let url = url(&repo);
    let file = repo.tidings(&["repo", "blob", "main:src/deep/file", "--raw", "--repo", &url]);
    assert_eq!(file.success(), "light\n");
    let missing = repo.tidings(&["repo", "blob", "main:no/such", "--repo", &url]).failure(1);
    assert!(missing.contains("\nerror: blob `main:no/such` not found"), "{missing}");
    let health = repo.tidings(&["repo", "health", "--repo", &url]).failure(2);
    assert!(health.contains("--project"), "{health}");
}
