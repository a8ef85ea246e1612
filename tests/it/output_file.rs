//! `--output`: the file that an answer goes to.

use crate::{
    show::{harbor, show},
    support::TestRepo,
};

#[test]
fn an_answer_goes_to_a_file_whole_or_not_at_all() {
    let repo = harbor();
    assert_eq!(show(&repo, &["1.1.0", "-o", "notes.md"]).success(), "");
    assert!(repo.read("notes.md").starts_with("## 1.1.0"));
    show(&repo, &["1.1.0", "--from", "nope", "-o", "other.md"]).failure(1);
    assert!(!repo.path().join("other.md").exists());
}

#[test]
fn a_dash_is_stdout_and_what_can_be_no_file_is_told_before_the_work() {
    let repo = harbor();
    let listed = repo.git(&["status", "--porcelain", "--untracked-files=all"]);
    let alone = show(&repo, &["1.1.0"]).success();
    assert_eq!(show(&repo, &["1.1.0", "-o", "-"]).success(), alone);
    assert_eq!(
        show(&repo, &["1.1.0", "-o", "new/notes.md"]).failure(1),
        "error: cannot write `new/notes.md`: directory `new` not found\nhint: create the directory first\n"
    );
    std::fs::create_dir(repo.path().join("there")).unwrap();
    let refused = show(&repo, &["nonsense", "-o", "there"]).failure(1);
    assert!(refused.ends_with("there`, which is a directory\nhint: name a file in it\n"), "{refused}");
    assert_eq!(repo.git(&["status", "--porcelain", "--untracked-files=all"]), listed);
}

/// A caller may give its own stdout a name that leads to a file without one.
#[cfg(target_os = "linux")]
#[test]
fn a_link_to_an_open_file_without_a_name_stays_a_link() {
    use std::{
        io::Read as _,
        os::{fd::AsRawFd as _, unix::fs::symlink},
    };

    let repo = harbor();
    let (gone, link) = (repo.beside("gone"), repo.beside("stdout"));
    let mut file = std::fs::File::options().read(true).write(true).create_new(true).open(&gone).unwrap();
    std::fs::remove_file(&gone).unwrap();
    symlink(format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()), &link).unwrap();
    show(&repo, &["1.1.0", "-o", link.to_str().unwrap()]).success();
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    let mut written = String::new();
    file.read_to_string(&mut written).unwrap();
    assert!(written.starts_with("## 1.1.0"), "{written}");
}

#[cfg(unix)]
#[test]
fn a_file_of_the_output_keeps_its_rights_and_a_link_to_it_stays() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let repo = harbor();
    let (file, link) = (repo.path().join("notes.md"), repo.beside("link.md"));
    repo.write("notes.md", "old");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&file, &link).unwrap();
    show(&repo, &["1.1.0", "-o", link.to_str().unwrap()]).success();
    assert!(repo.read("notes.md").starts_with("## 1.1.0"));
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    std::fs::remove_file(&file).unwrap();
    show(&repo, &["1.1.0", "-o", link.to_str().unwrap()]).success();
    assert!(repo.read("notes.md").starts_with("## 1.1.0") && link.is_symlink());
}

/// What is no ordinary file is written into; as root, a rename over it would take a device away from everybody.
#[cfg(unix)]
#[test]
fn what_is_no_ordinary_file_is_not_replaced_by_the_output() {
    use std::os::unix::fs::FileTypeExt as _;

    let repo = TestRepo::new();
    repo.change("Light the lamp", "added");
    let pipe = repo.beside("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let read = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read_to_string(pipe).unwrap()
    });
    repo.tidings(&["show", "1.0.0", "--first-release", "-o", pipe.to_str().unwrap()]).success();
    assert!(read.join().unwrap().contains("Light the lamp"));
    assert!(std::fs::metadata(&pipe).unwrap().file_type().is_fifo());
}
