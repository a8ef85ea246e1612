//! Endless files, and files that are not regular ones.

use super::run_briefly;
use crate::support::TestRepo;

const SETTINGS: &str = ".gitlab/changelog_config.yml";

fn repo() -> TestRepo {
    let repo = TestRepo::new();
    repo.change("Add crane", "added");
    repo
}

#[test]
fn large_settings_and_templates_are_not_read_to_their_end() {
    let repo = repo();
    let large = std::fs::File::create(repo.path().join("large")).unwrap();
    large.set_len(1 << 40).unwrap();
    for arguments in [
        &["show", "--first-release", "--config-file", "large"][..],
        &["show", "--first-release", "--template", "large"],
        &["notes", "--file", "large"],
        &["render", "--context", "large"],
    ] {
        let stderr = run_briefly(repo.path(), arguments).failure(1);
        assert!(stderr.contains("`large` is larger than"), "{arguments:?}: {stderr}");
    }
    repo.write(SETTINGS, "template_file: large\n");
    let stderr = run_briefly(repo.path(), &["show", "--first-release"]).failure(1);
    assert!(stderr.contains("`large` is larger than"), "{stderr}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_on_the_command_line_is_not_read_for_ever() {
    let repo = repo();
    for arguments in [
        &["show", "--first-release", "--config-file", "/dev/zero"][..],
        &["show", "--first-release", "--template", "/dev/zero"],
        &["check", "--message", "/dev/zero"],
        &["render", "--context", "/dev/zero"],
        &["render", "--data", "/dev/zero", "--template", "compact"],
        &["batch", "/dev/zero"],
    ] {
        let stderr = run_briefly(repo.path(), arguments).failure(1);
        assert!(stderr.contains("`/dev/zero` is larger than"), "{arguments:?}: {stderr}");
    }
}

#[cfg(unix)]
#[test]
fn nothing_waits_for_a_fifo_that_the_repository_holds() {
    let make = |repo: &TestRepo, path: &str| {
        std::fs::create_dir_all(repo.path().join(path).parent().unwrap()).unwrap();
        let made = std::process::Command::new("mkfifo").arg(repo.path().join(path)).status().unwrap();
        assert!(made.success());
    };
    let settings = repo();
    make(&settings, SETTINGS);
    let stderr = run_briefly(settings.path(), &["show", "--first-release"]).failure(1);
    assert!(stderr.contains(&format!("`{SETTINGS}` is not a regular file")), "{stderr}");

    let stderr = run_briefly(settings.path(), &["init", "--yes"]).failure(1);
    assert!(stderr.contains("already exists"), "{stderr}");

    let template = repo();
    make(&template, "section.tpl");
    template.write(SETTINGS, "template_file: section.tpl\n");
    let stderr = run_briefly(template.path(), &["show", "--first-release"]).failure(1);
    assert!(stderr.contains("`section.tpl` is not a regular file"), "{stderr}");

    let notes = repo();
    make(&notes, "CHANGELOG.md");
    let stderr = run_briefly(notes.path(), &["notes"]).failure(1);
    assert!(stderr.contains("`CHANGELOG.md` is not a regular file"), "{stderr}");
    run_briefly(notes.path(), &["init", "--yes"]).success();

    let tracked = repo();
    tracked.author();
    tracked.file("CHANGELOG.md", "# Changelog\n").commit("Add a changelog");
    std::fs::remove_file(tracked.path().join("CHANGELOG.md")).unwrap();
    make(&tracked, "CHANGELOG.md");
    let stderr = run_briefly(tracked.path(), &["add", "1.0.0", "--first-release"]).failure(1);
    assert!(stderr.contains("`CHANGELOG.md` is not a"), "{stderr}");

    let mailmap = repo();
    make(&mailmap, ".mailmap");
    assert!(run_briefly(mailmap.path(), &["show", "--first-release"]).success().contains("Add crane"));
    assert!(run_briefly(mailmap.path(), &["repo", "contributors"]).success().contains("Ida"));
}
