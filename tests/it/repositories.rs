//! Repositories that variables of the environment name.

use std::{fs, path::Path};

use crate::support::{Outcome, TestRepo, tidings};

#[test]
fn whose_push_waits_in_quarantine_are_read_and_not_written_to() {
    let (server, pushed) = (TestRepo::with_options(&["--bare"]), TestRepo::new());
    let first = pushed.change("Add a lamp", "added");
    let run = |alternates: &Path, arguments: &[&str]| {
        let mut command = tidings(server.path());
        command.args(arguments).env("GIT_OBJECT_DIRECTORY", pushed.path().join(".git/objects"));
        let output = command.env("GIT_ALTERNATE_OBJECT_DIRECTORIES", alternates).output();
        Outcome::from(output.expect("the program runs"))
    };
    let objects = server.path().join("objects");
    let show = ["show", "--first-release", "--template", "compact", "--to", &first];
    assert!(run(&objects, &show).success().contains("Add a lamp"));
    server.git(&["fetch", "-q", pushed.path().to_str().unwrap(), "main:main"]);
    let add = ["add", "1.0.0", "--first-release"];
    let refused = run(&objects, &add).failure(1);
    assert!(refused.starts_with("error: `GIT_OBJECT_DIRECTORY` keeps new objects out of"), "{refused}");
    server.git(&["config", "user.name", "Ida"]);
    server.git(&["config", "user.email", "ida@harbor.example"]);
    let usual = tidings(server.path()).args(add).env("GIT_OBJECT_DIRECTORY", &objects).output();
    Outcome::from(usual.expect("the program runs")).success();
}

#[test]
fn named_by_git_dir() {
    let repo = TestRepo::new();
    repo.commit("Light the lamp");
    fs::create_dir(repo.beside("elsewhere")).unwrap();
    let run = |variable: Option<&Path>| {
        let mut command = tidings(&repo.beside("elsewhere"));
        command.args(["base", "1.0.0"]);
        variable.map(|path| command.env("GIT_DIR", path));
        String::from_utf8(command.output().unwrap().stderr).unwrap()
    };
    assert!(run(None).contains("no git repository"), "{}", run(None));
    let found = run(Some(&repo.path().join(".git")));
    assert!(!found.contains("no git repository"), "{found}");
    let nowhere = run(Some(&repo.beside("nowhere")));
    assert!(nowhere.starts_with("error: `GIT_DIR` names ") && nowhere.contains("hint: unset it"), "{nowhere}");
}
