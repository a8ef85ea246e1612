//! A release of a workspace: what members require of each other and the lock file follow the version, and it builds.

use std::{path::Path, process::Command};

use super::Released;

const ROOT: &str = "[workspace]\nresolver = \"2\"\nmembers = [\"crates/*\"]\n\n[workspace.package]\nversion = \"1.0.0\" # of all\n\n\
    [workspace.dependencies]\nmast = { path = \"crates/mast\", version = \"1.0.0\" } # ours\n";
const CRANE: &str = "[package]\nname = \"crane\"\nversion.workspace = true\n\n[dependencies]\nmast.workspace = true\n";
const MAST: &str = "[package]\nname = \"mast\"\nversion = \"1.0.0\"\n";
const SETTINGS: &str = ".gitlab/changelog_config.yml";

/// Runs a tool in the work tree, offline; `None` if this machine does not have it.
#[track_caller]
fn run(it: &Released, tool: &str, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new(tool);
    command
        .args(arguments)
        .current_dir(it.repo.path())
        .env("npm_config_offline", "true")
        .env("npm_config_audit", "false");
    let output = match command.output() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            crate::support::skip_without(tool);
            return None;
        }
        output => output.expect("it runs"),
    };
    assert!(output.status.success(), "{tool} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn cargo(it: &Released, arguments: &[&str]) {
    run(it, env!("CARGO"), arguments);
}

/// Commits everything that is there.
fn commit(it: &Released, title: &str) {
    it.repo.git(&["add", "--all"]);
    it.repo.commit(title);
    it.repo.git(&["push", "-q"]);
}

fn crates(root: &str, crane: &str, settings: &str) -> Released {
    let it = Released::new();
    it.repo.write("Cargo.toml", root).write("crates/crane/Cargo.toml", crane).write("crates/mast/Cargo.toml", MAST);
    it.repo.write("crates/crane/src/lib.rs", "").write("crates/mast/src/lib.rs", "").write(SETTINGS, settings);
    cargo(&it, &["generate-lockfile", "--offline"]);
    commit(&it, "Set up");
    it
}

#[test]
fn a_cargo_workspace_builds_from_the_commit_of_its_release() {
    let it = crates(ROOT, CRANE, "version_files: { workspace: cargo }\n");
    let plan = it.release(&["2.0.0"]).success();
    assert!(plan.contains("\ncommit: CHANGELOG.md, Cargo.toml, crates/mast/Cargo.toml, Cargo.lock\n"), "{plan}");
    it.release(&["2.0.0", "-x"]).success();
    assert_eq!(it.repo.read("Cargo.toml"), ROOT.replace("1.0.0", "2.0.0"));
    assert_eq!(it.repo.read("crates/crane/Cargo.toml"), CRANE);
    assert_eq!(it.repo.read("crates/mast/Cargo.toml"), MAST.replace("1.0.0", "2.0.0"));
    assert_eq!(it.repo.git(&["status", "--porcelain"]), "");
    cargo(&it, &["metadata", "--locked", "--offline", "--format-version", "1"]);
    assert!(it.release(&["2.0.0"]).success().starts_with("2.0.0 is already released"));
}

#[test]
fn an_npm_workspace_installs_from_the_commit_of_its_release() {
    let it = Released::new();
    it.repo.write("package.json", "{\n  \"private\": true,\n  \"workspaces\": [\"packages/*\"]\n}\n");
    it.repo.write(
        "packages/crane/package.json",
        "{\n  \"name\": \"@harbor/crane\",\n  \"version\": \"1.0.0\",\n  \"dependencies\": { \"mast\": \"^1.0.0\" }\n}\n",
    );
    it.repo.write("packages/mast/package.json", "{ \"name\": \"mast\", \"version\": \"1.0.0\" }\n");
    it.repo.write(SETTINGS, "version_files: { workspace: npm }\n");
    if run(&it, "npm", &["install", "--package-lock-only", "--offline"]).is_none() {
        return;
    }
    commit(&it, "Set up");
    it.release(&["2.0.0", "-x"]).success();
    assert!(it.repo.read("packages/crane/package.json").ends_with("{ \"mast\": \"^2.0.0\" }\n}\n"));
    assert!(!it.repo.read("package-lock.json").contains("1.0.0"));
    run(&it, "npm", &["ci", "--dry-run", "--offline"]);
}

#[test]
fn a_broken_manifest_is_named_with_its_line_and_nothing_is_written() {
    let it = crates(ROOT, CRANE, "version_files: { workspace: cargo }\n");
    it.repo.write("crates/mast/Cargo.toml", "[package]\nname = \"mast\"\nversion = 1\n");
    commit(&it, "Break it");
    let before = it.state();
    let said = it.release(&["2.0.0", "-x"]).failure(1);
    assert!(said.contains("crates/mast/Cargo.toml:3:11: `package.version` must be a string, not"), "{said}");
    assert_eq!(it.state(), before);
}

/// Two packages: `crane` requires `mast`.
fn packages(dependents: &str) -> Released {
    let root = "[workspace]\nresolver = \"2\"\nmembers = [\"crates/*\"]\n";
    let crane = "[package]\nname = \"crane\"\nversion = \"1.0.0\"\n\n[dependencies]\nmast = { path = \"../mast\", version = \"1.0.0\" }\n";
    let settings = format!(
        "{dependents}packages:\n  crane:\n    paths: crates/crane\n    version_files: {{ workspace: cargo }}\n  \
         mast:\n    paths: crates/mast\n    version_files: {{ workspace: cargo }}\n"
    );
    let it = crates(root, crane, &settings);
    it.repo.tag("crane/v1.0.0").tag("mast/v1.0.0");
    it.repo.file("crates/mast/src/lib.rs", "//! Taller.\n").change("Make it taller", "added");
    it.repo.git(&["push", "-q", "--tags", "origin", "main"]);
    it
}

fn is_built(it: &Released) -> bool {
    let path: &Path = it.repo.path();
    cargo(it, &["metadata", "--locked", "--offline", "--format-version", "1"]);
    path.join("Cargo.lock").exists()
}

#[test]
fn a_release_of_one_package_raises_what_others_require_of_it_only_if_it_must() {
    let it = packages("");
    it.release(&["1.1.0", "--package", "mast", "-x"]).success();
    assert!(it.repo.read("crates/crane/Cargo.toml").contains("version = \"1.0.0\" }\n") && is_built(&it));
    it.release(&["2.0.0", "--package", "mast", "-x"]).success();
    let crane = it.repo.read("crates/crane/Cargo.toml");
    assert!(crane.contains("version = \"2.0.0\" }\n") && crane.contains("\nversion = \"1.0.0\"\n"), "{crane}");
    assert!(is_built(&it));
}

/// A version of `mast` that `crane` does not allow.
fn broken(dependents: &str) -> Released {
    let it = packages(dependents);
    it.repo.change("Take the sail down", "removed");
    it.repo.file("crates/mast/src/lib.rs", "//! Bare.\n").change("Take the mast down", "removed");
    it.repo.git(&["push", "-q"]);
    it
}

#[test]
fn a_package_whose_requirement_breaks_is_released_after_the_one_that_breaks_it() {
    let it = broken("");
    for said in [
        it.release(&["--all-packages"]).stderr,
        it.repo.tidings(&["next", "--all-packages"]).stderr,
        it.repo.tidings(&["show", "--next", "--all-packages"]).stderr,
    ] {
        assert!(!said.contains("nothing is listed"), "crane has its update: {said}");
    }
    let plan = it.release(&["--all-packages"]).success();
    assert!(plan.starts_with("release 2.0.0 of main as mast/v2.0.0\n"), "{plan}");
    assert!(plan.contains("\n\nrelease 1.0.1 of main as crane/v1.0.1\n"), "{plan}");
    assert_eq!(it.repo.tidings(&["next", "--all-packages"]).success(), "mast 2.0.0\ncrane 1.0.1\n");
    let next = it.repo.tidings(&["next", "--all-packages", "--format", "json"]).json();
    assert_eq!(next[1]["reason"], "patch: it must require `mast` 2.0.0");
    let sections = it.repo.tidings(&["show", "--next", "--all-packages"]).success();
    assert!(
        sections.contains("# crane\n\n## 1.0.1 (") && sections.contains("- Update `mast` to 2.0.0 ("),
        "{sections}"
    );
    let documents = it.repo.tidings(&["show", "--next", "--all-packages", "--format", "json"]).json();
    assert_eq!(documents[1]["entries"][0]["category"], "changed", "{documents}");
    it.repo.tidings(&["next", "--package", "crane"]).failure(5);
    it.release(&["--all-packages", "-x"]).success();
    assert_eq!(it.remote(&["log", "-1", "--format=%s", "main"]), "Release mast 2.0.0, crane 1.0.1");
    assert!(it.repo.read("crates/crane/CHANGELOG.md").contains("Update `mast` to 2.0.0"));
    assert!(is_built(&it) && it.remote(&["tag"]).contains("crane/v1.0.1\n"));
    it.repo.commit("Tidy up");
    assert!(it.release(&["--all-packages"]).failure(5).contains("nothing to release"));
}

#[test]
fn a_package_that_broke_in_an_earlier_run_is_released_by_the_next() {
    let it = broken("");
    it.release(&["--package", "mast", "-x"]).success();
    assert!(it.release(&["--package", "crane"]).success().starts_with("release 1.0.1 of main as crane/v1.0.1\n"));
    assert_eq!(it.repo.tidings(&["next", "--package", "crane"]).success(), "1.0.1\n");
    let section = it.repo.tidings(&["show", "--next", "--package", "crane"]).success();
    assert!(section.starts_with("## 1.0.1 (") && section.contains("Update `mast` to 2.0.0"), "{section}");
}

#[test]
fn dependents_can_be_left_to_people() {
    let it = broken("dependents: false\n");
    assert_eq!(it.repo.tidings(&["next", "--all-packages"]).success(), "mast 2.0.0\n");
    it.release(&["--all-packages", "-x"]).success();
    assert!(!it.remote(&["tag"]).contains("crane/v1.0.1") && is_built(&it));
}

#[test]
fn by_url_the_same_packages_are_raised() {
    let it = broken("");
    it.remote(&["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", it.repo.beside("remote.git").display());
    for arguments in
        [&["next", "--all-packages"][..], &["next", "--package", "crane"], &["show", "--next", "--all-packages"]]
    {
        let local = it.repo.tidings(arguments);
        let by_url = it.repo.tidings(&[arguments, &["--repo", &url]].concat());
        assert_eq!((by_url.stdout, by_url.code), (local.stdout, local.code), "{arguments:?}: {}", by_url.stderr);
    }
}

#[test]
fn packages_in_a_circle_are_reported_and_released_once() {
    let it = broken("");
    let mast = format!("{MAST}\n[dependencies]\ncrane = {{ path = \"../crane\", version = \"=1.0.0\" }}\n");
    it.repo.file("crates/mast/Cargo.toml", mast).commit("Close the circle");
    it.repo.git(&["push", "-q"]);
    let plan = it.release(&["--all-packages"]);
    assert!(plan.stderr.contains("warning: the packages `crane`, `mast` require each other\n"), "{}", plan.stderr);
    assert!(plan.success().contains("as crane/v1.0.1"));
    it.release(&["--all-packages", "-x"]).success();
    let [crane, mast] = ["crane", "mast"].map(|name| it.repo.read(&format!("crates/{name}/Cargo.toml")));
    assert!(crane.contains("version = \"1.0.1\"") && crane.contains("version = \"2.0.0\" }"), "{crane}");
    assert!(mast.contains("version = \"2.0.0\"") && mast.contains("version = \"=1.0.1\" }"), "{mast}");
    it.repo.commit("Tidy up");
    it.release(&["--all-packages"]).failure(5);
}

#[test]
fn a_requirement_by_path_alone_is_reported_and_raises_nothing() {
    let it = packages("");
    let crane = it.repo.read("crates/crane/Cargo.toml").replace(", version = \"1.0.0\" }", " }");
    it.repo.file("crates/crane/Cargo.toml", crane).commit("Require any version");
    it.repo.git(&["tag", "-f", "crane/v1.0.0"]);
    it.repo.git(&["push", "-q", "-f", "--tags", "origin", "main"]);
    let next = it.repo.tidings(&["next", "--all-packages"]);
    let warning = "warning: `crane` depends on `mast` by path alone: no release of it raises `crane`\n";
    assert!(next.stderr.contains(warning), "{}", next.stderr);
    assert_eq!(next.success(), "mast 1.1.0\n");
}

#[test]
fn a_version_that_is_not_semantic_is_refused_with_the_manifest() {
    let it = crates(ROOT, CRANE, "versioning: YYYY.0M.MICRO\nversion_files: { workspace: cargo }\n");
    let said = it.release(&["-x"]).failure(1);
    assert!(
        said.contains("error: `2024.03.0` cannot be set in `Cargo.toml`: it is not a semantic version\n"),
        "{said}"
    );
    assert!(said.contains("`versioning: YYYY.MM.MICRO`"), "{said}");
}
