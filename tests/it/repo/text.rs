//! `tidings repo` for people: the text in the terminal.

use std::fs;

use crate::support::{Service, TestRepo, service::Response};

/// Two commits and a branch, with a moved file, a program and a link's worth of everything.
fn repository() -> TestRepo {
    let repo = TestRepo::new();
    repo.file("README.md", "Lamps\n").file("src/lamp.rs", "fn light() {\n    1;\n    2;\n    3;\n    4;\n    5;\n}\n");
    repo.file("logo", b"\0\x01");
    repo.commit("Light the lamp\n\nChangelog: added\n");
    repo.git(&["mv", "src/lamp.rs", "src/lantern.rs"]);
    repo.file("src/lantern.rs", "fn light() {\n    1;\n    2;\n    3;\n    4;\n    6;\n}\n");
    repo.file("run.sh", "#!/bin/sh\n").file("logo", b"\0\x02").git(&["update-index", "--chmod=+x", "run.sh"]);
    repo.commit("Call it a lantern");
    repo
}

#[test]
fn a_tree_is_a_table_and_its_directories_end_with_a_slash() {
    let text = repository().tidings(&["repo", "tree"]).success();
    let ids_masked: Vec<String> = text.lines().map(mask).collect();
    assert_eq!(
        ids_masked,
        [
            "MODE    TYPE  ID        PATH",
            "040000  tree  ########  src/",
            "100644  blob  ########  README.md",
            "100644  blob  ########  logo",
            "100755  blob  ########  run.sh",
        ]
    );
}

/// A row of a tree without its id.
#[test]
fn a_path_may_be_one_that_a_shell_completes() {
    let repo = repository();
    let tree = |path: &str| repo.tidings(&["repo", "tree", path]).success();
    assert_eq!((tree("."), tree("./src/")), (tree(""), tree("src")));
    let archive = |options: &[&str]| {
        let file = repo.beside("a.tar");
        repo.tidings(&[&["repo", "archive", "-o", file.to_str().unwrap()], options].concat()).success();
        fs::read(file).unwrap()
    };
    assert_eq!(archive(&["--path", "./src"]), archive(&["--path", "src"]));
    assert_eq!(archive(&["--exclude-path", "./src"]), archive(&["--exclude-path", "src"]));
}

fn mask(row: &str) -> String {
    if row.starts_with("MODE") { row.to_owned() } else { format!("{}########{}", &row[..14], &row[22..]) }
}

#[test]
fn a_comparison_shows_commits_files_and_hunks() {
    let repo = repository();
    let id = &repo.git(&["rev-parse", "HEAD"])[..8];
    let expected = format!(
        "{id}  Ida  Call it a lantern\n\
        \n\
        logo                           binary\n\
        run.sh (new)                        1  +\n\
        src/lamp.rs => src/lantern.rs       2  +-\n\
        1 commit, 3 files changed, 2 lines added and 1 deleted\n\
        \n\
        logo\n\
        Binary files a/logo and b/logo differ\n\
        \n\
        run.sh (new)\n\
        @@ -0,0 +1 @@\n\
        +#!/bin/sh\n\
        \n\
        src/lamp.rs => src/lantern.rs\n\
        @@ -3,5 +3,5 @@ fn light() {{\n\
        \x20    2;\n\x20    3;\n\x20    4;\n\
        -    5;\n\
        +    6;\n\
        \x20}}\n"
    );
    let shown = repo.tidings(&["repo", "compare", "HEAD~1", "HEAD"]).success();
    assert_eq!(shown, expected);
    assert_eq!(repo.tidings(&["repo", "compare", "HEAD~1", "HEAD", "--unidiff"]).success(), expected);
    let colored = repo.tidings(&["repo", "compare", "HEAD~1", "HEAD", "--color", "always"]).success();
    assert!(colored.contains("\x1b[32m+    6;\x1b[0m\n") && colored.contains("\x1b[31m-    5;\x1b[0m\n"), "{colored}");
    assert_eq!(repo.tidings(&["repo", "compare", "HEAD", "main"]).success(), "both are the same commit\n");
}

#[test]
fn an_answer_in_a_file_has_no_colours() {
    let repo = repository();
    let file = repo.beside("output");
    repo.tidings(&["repo", "tree", "-o", file.to_str().unwrap()]).success();
    assert_eq!(fs::read_to_string(&file).unwrap(), repo.tidings(&["repo", "tree"]).success());
    assert!(!fs::read_to_string(file).unwrap().contains('\x1b'));
}

#[test]
fn contributors_are_a_table() {
    let text = repository().tidings(&["repo", "contributors"]).success();
    assert_eq!(text, "COMMITS  NAME  E-MAIL\n      2  Ida   ida@harbor.example\n");
}

#[test]
fn a_merge_base_is_shown_with_its_title() {
    let repo = repository();
    let text = repo.tidings(&["repo", "merge-base", "HEAD", "HEAD~1"]).success();
    let id = repo.git(&["rev-parse", "HEAD~1"]);
    let expected = format!(
        "{id}\ntitle   Light the lamp\nauthor  Ida <ida@harbor.example>\ndate    2023-11-14T22:14:20.000+00:00\n"
    );
    assert_eq!(text, expected);
}

#[test]
fn a_binary_file_is_not_poured_into_the_terminal() {
    let repo = repository();
    let outcome = repo.tidings(&["repo", "blob", "HEAD:logo"]);
    assert!(outcome.stderr.contains("--raw"), "{}", outcome.stderr);
    assert!(!outcome.success().contains('\0'));
    let file = repo.beside("logo");
    repo.tidings(&["repo", "blob", "HEAD:logo", "--raw", "-o", file.to_str().unwrap()]).success();
    assert_eq!(fs::read(file).unwrap(), b"\0\x02");
    let raw = repo.tidings(&["repo", "blob", "HEAD:src/lantern.rs", "--raw"]).success();
    assert_eq!(raw, repo.read("src/lantern.rs"));
}

#[test]
fn the_health_is_told_in_sizes_people_read() {
    let text = repository().tidings(&["repo", "health"]).success();
    assert!(text.lines().next().unwrap().ends_with(" KiB on disk"), "{text}");
    assert!(text.contains("\nloose objects  "), "{text}");
}

#[test]
fn an_archive_is_packed_as_its_name_promises() {
    let repo = repository();
    let (zip, gzip, bzip2, tar) = (&b"PK"[..], b"\x1f\x8b", b"BZh", b"pax_global_header");
    for (name, begins) in [
        ("a.zip", zip),
        ("A.ZIP", zip),
        ("a.tgz", gzip),
        ("a.tar.gz", gzip),
        ("a.tar.bz2", bzip2),
        ("a.tbz2", bzip2),
        ("a.tar", tar),
        ("a", gzip),
        ("tar", gzip),
        ("a.rar", gzip),
    ] {
        let file = repo.beside(name);
        repo.tidings(&["repo", "archive", "-o", file.to_str().unwrap()]).success();
        assert!(fs::read(file).unwrap().starts_with(begins), "{name}");
    }
}

#[test]
fn what_only_one_side_can_do_is_a_mistake_on_the_command_line() {
    let repo = repository();
    for arguments in [
        &["repo", "compare", "a", "b", "--no-limits", "--project", "x"][..],
        &["repo", "contributors", "--all-commits", "--project", "x"],
        &["repo", "compare", "a", "b", "--from-project-id", "7"],
        &["repo", "merge-base", "main"],
        &["repo", "tree", "--per-page", "0"],
    ] {
        repo.tidings(arguments).failure(2);
    }
}

#[test]
fn what_a_partial_clone_left_out_is_told_and_never_fetched() {
    let repo = repository();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", repo.path().display());
    repo.git(&["clone", "-q", "--bare", "--filter=blob:none", &url, "../partial"]);
    let partial = repo.beside("partial");
    let partial = partial.to_str().unwrap();
    let blob = repo.git(&["rev-parse", "HEAD:README.md"]);
    repo.tidings(&["repo", "tree", "-r", "--repo", partial]).success();
    for arguments in [&["repo", "blob", &blob][..], &["repo", "compare", "HEAD~1", "HEAD"], &["repo", "archive"]] {
        let stderr = repo.tidings(&[arguments, &["--repo", partial]].concat()).failure(1);
        assert!(stderr.contains("run `git cat-file -e "), "{stderr}");
    }
}

#[cfg(unix)]
#[test]
fn a_filter_that_fails_is_a_failure_and_a_closed_output_is_none() {
    let repo = repository();
    repo.file(".gitattributes", "cargo filter=broken\n").file("cargo", vec![b'x'; 1 << 20]).commit("Load it");
    let all = "tidings=$0; $tidings repo blob HEAD:cargo --raw | head -c 1; $tidings repo tree -o /dev/stdout | true";
    let closed = std::process::Command::new("bash")
        .args(["-c", &format!("set -o pipefail; {all}"), assert_cmd::cargo::cargo_bin!("tidings").to_str().unwrap()])
        .current_dir(repo.path())
        .output()
        .unwrap();
    assert!(closed.status.success() && closed.stderr.is_empty() && closed.stdout == b"x", "{closed:?}");
    repo.git(&["config", "filter.broken.smudge", "false"]);
    repo.git(&["config", "filter.broken.required", "true"]);
    let file = repo.beside("a.tar");
    let stderr = repo.tidings(&["repo", "archive", "-o", file.to_str().unwrap()]).failure(1);
    assert!(stderr.contains("smudge filter broken failed") && !file.exists(), "{stderr}");
}

#[cfg(unix)]
#[test]
fn an_archive_runs_the_filters_that_the_configuration_defines_and_no_others() {
    let repo = repository();
    let mark = repo.beside("mark");
    let program = format!("touch '{}'; tr a-z A-Z", mark.display());
    // A repository names a filter, and brings along what would define it.
    repo.file(".gitattributes", "README.md filter=loud\n");
    repo.file("config", format!("[filter \"loud\"]\n\tsmudge = {program}\n")).commit("Name a filter");
    let archive = || {
        let file = repo.beside("a.tar");
        repo.tidings(&["repo", "archive", "-o", file.to_str().unwrap()]).success();
        String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned()
    };
    assert!(archive().contains("Lamps\n") && !mark.exists(), "nothing defines the filter");
    repo.git(&["config", "filter.loud.smudge", &program]);
    let filtered = archive();
    assert!(filtered.contains("LAMPS\n") && !filtered.contains("Lamps\n") && mark.exists());
}

#[test]
fn a_health_report_shows_only_what_the_server_sent() {
    let service = Service::start();
    service.script(|_| Some(Response::json(200, &serde_json::json!({ "size": 42, "objects": null }))));
    let report = service.tidings(&["repo", "health", "--project", "group/app"]).success();
    assert_eq!(report.lines().count(), 1, "{report}");
    assert!(report.contains("42") && !report.contains("loose"), "{report}");
}

#[test]
fn contributors_without_a_number_get_none() {
    let service = Service::start();
    service
        .script(|_| Some(Response::json(200, &serde_json::json!([{ "name": "Ida", "email": "ida@harbor.example" }]))));
    let table = service.tidings(&["repo", "contributors", "--project", "group/app"]).success();
    assert_eq!(table, "COMMITS  NAME  E-MAIL\n         Ida   ida@harbor.example\n");
}
