//! The commands of the configuration that run before and after a release.

use serde_json::Value;

use super::{FINISHED, Released};

const SETTINGS: &str = ".gitlab/changelog_config.yml";

fn with_hooks(before: &str, after: &str) -> Released {
    let fixture = Released::new();
    fixture.repo.file(SETTINGS, format!("hooks: {{before: [{before:?}], after: [{after:?}]}}\n")).commit("Set up");
    fixture.repo.git(&["push", "-q"]);
    fixture
}

#[test]
fn they_run_around_a_release_and_know_its_version() {
    let fixture =
        with_hooks("echo $TIDINGS_VERSION $TIDINGS_BRANCH", "echo $TIDINGS_TAG $TIDINGS_COMMIT; git status -s");
    let plan = fixture.release(&[]);
    assert!(!plan.stderr.contains("1.1.0 main"), "a plan runs nothing");
    let plan = plan.success();
    assert!(plan.contains("\nhooks before:\n    echo $TIDINGS_VERSION $TIDINGS_BRANCH\n"), "{plan}");
    assert!(plan.ends_with("\nhooks after:\n    echo $TIDINGS_TAG $TIDINGS_COMMIT; git status -s\n"), "{plan}");
    let run = fixture.release(&["-x"]);
    let commit = fixture.repo.git(&["rev-parse", "HEAD"]);
    let expected = format!(
        "running `echo $TIDINGS_VERSION $TIDINGS_BRANCH`\n1.1.0 main\ncommitted {short} on main\n\
         tagged {short} as v1.1.0\npushed to origin\n\
         running `echo $TIDINGS_TAG $TIDINGS_COMMIT; git status -s`\nv1.1.0 {commit}\n",
        short = &commit[..8]
    );
    assert_eq!(run.stderr, expected);
    assert_eq!(run.success(), "released 1.1.0 as v1.1.0: committed, tagged, pushed\n");
    let again = fixture.release(&["-x"]);
    assert_eq!(again.stderr, "", "nothing is left to do, so none runs");
    assert!(again.success().starts_with(FINISHED));
}

#[test]
fn one_that_makes_the_tag_is_told_before_the_commit() {
    let fixture = with_hooks("git tag v1.1.0", "exit 0");
    let before = fixture.state();
    let stderr = fixture.release(&["-x"]).failure(1);
    assert!(stderr.contains("error: a hook has made the tag `v1.1.0`, which the release makes\n"), "{stderr}");
    assert!(
        stderr.contains("hint: nothing was written: take it out of the hook, and run `git tag -d v1.1.0`"),
        "{stderr}"
    );
    fixture.repo.git(&["tag", "-d", "v1.1.0"]);
    assert_eq!(fixture.state(), before);
}

#[test]
fn a_tag_that_a_hook_of_git_makes_at_the_release_is_the_tag_of_the_release() {
    let fixture = Released::new();
    fixture.repo.hook("post-commit", "git tag v1.1.0");
    let outcome = fixture.release(&["-x"]);
    let commit = fixture.repo.git(&["rev-parse", "HEAD"]);
    let said = format!(
        "something else tagged {} as v1.1.0, probably a hook of git; it is taken as the tag of the release\n",
        &commit[..8]
    );
    assert!(outcome.stderr.contains(&said), "{}", outcome.stderr);
    assert_eq!(outcome.success(), "released 1.1.0 as v1.1.0: committed, pushed\n");
    assert_eq!(fixture.remote(&["rev-parse", "v1.1.0^{commit}"]), commit);
    assert!(fixture.release(&["-x"]).success().starts_with(FINISHED));
}

#[test]
fn a_tag_that_a_hook_of_git_makes_elsewhere_is_told_and_the_release_goes_on_without_it() {
    let fixture = Released::new();
    let before = fixture.repo.git(&["rev-parse", "HEAD"]);
    fixture.repo.hook("pre-commit", "git tag v1.1.0");
    let stderr = fixture.release(&["-x"]).failure(1);
    let told = format!("error: the tag `v1.1.0` was made on {} while 1.1.0 was being released\n", &before[..8]);
    assert!(stderr.contains(&told) && stderr.contains("hint: probably a hook of git made it"), "{stderr}");
    assert!(stderr.contains("hint: then run `git tag -d v1.1.0`, and the same command again"), "{stderr}");
    fixture.repo.git(&["tag", "-d", "v1.1.0"]);
    assert_eq!(fixture.release(&["-x"]).success(), "released 1.1.0 as v1.1.0: tagged, pushed\n");
    fixture.assert_released();
}

#[test]
fn one_that_fails_before_the_release_stops_it() {
    let fixture = with_hooks("echo broken; exit 3", "exit 0");
    let before = fixture.state();
    let stderr = fixture.release(&["-x"]).failure(1);
    assert!(stderr.contains("error: the hook `echo broken; exit 3` failed; 1.1.0 is not released\n"), "{stderr}");
    assert!(stderr.contains("broken\n") && stderr.contains("hint: nothing was written"), "{stderr}");
    assert_eq!(fixture.state(), before);
    fixture.release(&["-x", "--no-hooks"]).success();
}

#[test]
fn one_that_fails_after_the_release_is_to_be_run_by_hand() {
    let fixture = with_hooks("exit 0", "exit 4");
    let stderr = fixture.release(&["-x"]).failure(1);
    assert!(stderr.contains("error: 1.1.0 is released, but the hook `exit 4` failed\n"), "{stderr}");
    let commit = fixture.repo.git(&["rev-parse", "HEAD"]);
    let set = format!("TIDINGS_VERSION=1.1.0 TIDINGS_TAG=v1.1.0 TIDINGS_BRANCH=main TIDINGS_COMMIT={commit}");
    assert!(stderr.contains(&format!("hint: run it by hand, with {set} set: `exit 4`\n")), "{stderr}");
    assert!(fixture.release(&["-x"]).success().starts_with(FINISHED));
    fixture.repo.change("Add a mast", "added");
    let outcome = fixture.release(&["-x", "--format", "json"]);
    let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!((&document["version"], &document["steps"]["push"]["state"]), (&"1.2.0".into(), &"done".into()));
    assert!(outcome.failure(1).contains("1.2.0 is released, but the hook"), "machines get the release, too");
}

#[test]
fn those_of_a_branch_or_configuration_that_is_not_checked_out_never_run() {
    let fixture = with_hooks("touch ran", "touch ran");
    fixture.repo.git(&["branch", "stable"]);
    for options in [&["--branch", "stable"][..], &["--config-ref", "HEAD"]] {
        let stderr = fixture.release(&[options, &["-x"]].concat()).failure(1);
        assert!(stderr.contains("the hooks cannot run, as `"), "{stderr}");
        assert!(stderr.contains("or skip the hooks with `--no-hooks`"), "{stderr}");
        fixture.release(&[options, &["--no-hooks"]].concat()).success();
    }
    assert!(!fixture.repo.path().join("ran").exists());
}

#[test]
fn they_get_no_token_of_the_program() {
    let names = ["TIDINGS_TOKEN", "GITLAB_TOKEN", "CI_JOB_TOKEN", "GITHUB_TOKEN", "GITEA_TOKEN", "FORGEJO_TOKEN"];
    let fixture = with_hooks(&format!("echo \"tokens: ${}$TIDINGS_TOKEN_FILE.\" $MINE", names.join("$")), "exit 0");
    let mut command = crate::support::tidings(fixture.repo.path());
    command.args(["release", "-x", "--no-host-release"]).env("MINE", "mine");
    command.env("TIDINGS_TOKEN_FILE", "a-file").envs(names.map(|name| (name, "s3cret")));
    let run = crate::support::Outcome::from(command.output().unwrap());
    assert!(run.stderr.contains("\ntokens: . mine\n"), "{}", run.stderr);
    run.success();
}

#[test]
fn they_get_the_tokens_that_the_configuration_names() {
    let fixture = with_hooks("echo \"tokens: $TIDINGS_TOKEN.$GITLAB_TOKEN.\"", "echo \"after: $GITLAB_TOKEN.\"");
    fixture.repo.write(SETTINGS, fixture.repo.read(SETTINGS).replace("hooks: {", "hooks: {env: GITLAB_TOKEN, "));
    fixture.repo.git(&["commit", "-q", "-a", "-m", "Pass the token on"]);
    fixture.repo.git(&["push", "-q"]);
    let release = |arguments: &[&str]| {
        let mut command = crate::support::tidings(fixture.repo.path());
        command.args(["release", "--no-host-release"]).args(arguments);
        command.env("TIDINGS_TOKEN", "s3cret").env("GITLAB_TOKEN", "passed");
        crate::support::Outcome::from(command.output().unwrap())
    };
    assert!(release(&[]).success().ends_with("\nhooks env:\n    GITLAB_TOKEN\n"), "the plan names it");
    let run = release(&["-x"]);
    assert!(run.stderr.contains("\ntokens: .passed.\n") && run.stderr.contains("\nafter: passed.\n"), "{run:?}");
    run.success();
}
