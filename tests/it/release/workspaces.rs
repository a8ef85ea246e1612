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
fn run(fixture: &Released, tool: &str, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new(tool);
    command
        .args(arguments)
        .current_dir(fixture.repo.path())
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

fn cargo(fixture: &Released, arguments: &[&str]) {
    run(fixture, env!("CARGO"), arguments);
}

/// Commits everything that is there.
fn commit(fixture: &Released, title: &str) {
    fixture.repo.git(&["add", "--all"]);
    fixture.repo.commit(title);
    fixture.repo.git(&["push", "-q"]);
}

fn crates(root: &str, crane: &str, settings: &str) -> Released {
    let fixture = Released::new();
    fixture
        .repo
        .write("Cargo.toml", root)
        .write("crates/crane/Cargo.toml", crane)
        .write("crates/mast/Cargo.toml", MAST);
    fixture.repo.write("crates/crane/src/lib.rs", "").write("crates/mast/src/lib.rs", "").write(SETTINGS, settings);
    cargo(&fixture, &["generate-lockfile", "--offline"]);
    commit(&fixture, "Set up");
    fixture
}

#[test]
fn a_cargo_workspace_builds_from_the_commit_of_its_release() {
    let fixture = crates(ROOT, CRANE, "version_files: { workspace: cargo }\n");
    let plan = fixture.release(&["2.0.0"]).success();
    assert!(plan.contains("\ncommit: CHANGELOG.md, Cargo.toml, crates/mast/Cargo.toml, Cargo.lock\n"), "{plan}");
    fixture.release(&["2.0.0", "-x"]).success();
    assert_eq!(fixture.repo.read("Cargo.toml"), ROOT.replace("1.0.0", "2.0.0"));
    assert_eq!(fixture.repo.read("crates/crane/Cargo.toml"), CRANE);
    assert_eq!(fixture.repo.read("crates/mast/Cargo.toml"), MAST.replace("1.0.0", "2.0.0"));
    assert_eq!(fixture.repo.git(&["status", "--porcelain"]), "");
    cargo(&fixture, &["metadata", "--locked", "--offline", "--format-version", "1"]);
    assert!(fixture.release(&["2.0.0"]).success().starts_with("2.0.0 is already released"));
}

#[test]
fn an_npm_workspace_installs_from_the_commit_of_its_release() {
    let fixture = Released::new();
    fixture.repo.write("package.json", "{\n  \"private\": true,\n  \"workspaces\": [\"packages/*\"]\n}\n");
    fixture.repo.write(
        "packages/crane/package.json",
        "{\n  \"name\": \"@harbor/crane\",\n  \"version\": \"1.0.0\",\n  \"dependencies\": { \"mast\": \"^1.0.0\" }\n}\n",
    );
    fixture.repo.write("packages/mast/package.json", "{ \"name\": \"mast\", \"version\": \"1.0.0\" }\n");
    fixture.repo.write(SETTINGS, "version_files: { workspace: npm }\n");
    if run(&fixture, "npm", &["install", "--package-lock-only", "--offline"]).is_none() {
        return;
    }
    commit(&fixture, "Set up");
    fixture.release(&["2.0.0", "-x"]).success();
    assert!(fixture.repo.read("packages/crane/package.json").ends_with("{ \"mast\": \"^2.0.0\" }\n}\n"));
    assert!(!fixture.repo.read("package-lock.json").contains("1.0.0"));
    run(&fixture, "npm", &["ci", "--dry-run", "--offline"]);
}

#[test]
fn a_broken_manifest_is_named_with_its_line_and_nothing_is_written() {
    let fixture = crates(ROOT, CRANE, "version_files: { workspace: cargo }\n");
    fixture.repo.write("crates/mast/Cargo.toml", "[package]\nname = \"mast\"\nversion = 1\n");
    commit(&fixture, "Break it");
    let before = fixture.state();
    let stderr = fixture.release(&["2.0.0", "-x"]).failure(1);
    assert!(stderr.contains("crates/mast/Cargo.toml:3:11: `package.version` must be a string, not"), "{stderr}");
    assert_eq!(fixture.state(), before);
}

/// Two packages: `crane` requires `mast`.
fn packages(dependents: &str) -> Released {
    let root = "[workspace]\nresolver = \"2\"\nmembers = [\"crates/*\"]\n";
    let crane = "[package]\nname = \"crane\"\nversion = \"1.0.0\"\n\n[dependencies]\nmast = { path = \"../mast\", version = \"1.0.0\" }\n";
    let settings = format!(
        "{dependents}packages:\n  crane:\n    paths: crates/crane\n    version_files: {{ workspace: cargo }}\n  \
         mast:\n    paths: crates/mast\n    version_files: {{ workspace: cargo }}\n"
    );
    let fixture = crates(root, crane, &settings);
    fixture.repo.tag("crane/v1.0.0").tag("mast/v1.0.0");
    fixture.repo.file("crates/mast/src/lib.rs", "//! Taller.\n").change("Make it taller", "added");
    fixture.repo.git(&["push", "-q", "--tags", "origin", "main"]);
    fixture
}

fn is_built(fixture: &Released) -> bool {
    let path: &Path = fixture.repo.path();
    cargo(fixture, &["metadata", "--locked", "--offline", "--format-version", "1"]);
    path.join("Cargo.lock").exists()
}

#[test]
fn a_release_of_one_package_raises_what_others_require_of_it_only_if_it_must() {
    let fixture = packages("");
    fixture.release(&["1.1.0", "--package", "mast", "-x"]).success();
    assert!(fixture.repo.read("crates/crane/Cargo.toml").contains("version = \"1.0.0\" }\n") && is_built(&fixture));
    fixture.release(&["2.0.0", "--package", "mast", "-x"]).success();
    let crane = fixture.repo.read("crates/crane/Cargo.toml");
    assert!(crane.contains("version = \"2.0.0\" }\n") && crane.contains("\nversion = \"1.0.0\"\n"), "{crane}");
    assert!(is_built(&fixture));
}

/// A version of `mast` that `crane` does not allow.
fn broken(dependents: &str) -> Released {
    let fixture = packages(dependents);
    fixture.repo.change("Take the sail down", "removed");
    fixture.repo.file("crates/mast/src/lib.rs", "//! Bare.\n").change("Take the mast down", "removed");
    fixture.repo.git(&["push", "-q"]);
    fixture
}

#[test]
fn a_package_whose_requirement_breaks_is_released_after_the_one_that_breaks_it() {
    let fixture = broken("");
    for stderr in [
        fixture.release(&["--all-packages"]).stderr,
        fixture.repo.tidings(&["next", "--all-packages"]).stderr,
        fixture.repo.tidings(&["show", "--next", "--all-packages"]).stderr,
    ] {
        assert!(!stderr.contains("nothing is listed"), "crane has its update: {stderr}");
    }
    let plan = fixture.release(&["--all-packages"]).success();
    assert!(plan.starts_with("release 2.0.0 of main as mast/v2.0.0\n"), "{plan}");
    assert!(plan.contains("\n\nrelease 1.0.1 of main as crane/v1.0.1\n"), "{plan}");
    assert_eq!(fixture.repo.tidings(&["next", "--all-packages"]).success(), "mast 2.0.0\ncrane 1.0.1\n");
    let next = fixture.repo.tidings(&["next", "--all-packages", "--format", "json"]).json();
    assert_eq!(next[1]["reason"], "patch: it must require `mast` 2.0.0");
    let sections = fixture.repo.tidings(&["show", "--next", "--all-packages"]).success();
    assert!(
        sections.contains("# crane\n\n## 1.0.1 (") && sections.contains("- Update `mast` to 2.0.0 ("),
        "{sections}"
    );
    let documents = fixture.repo.tidings(&["show", "--next", "--all-packages", "--format", "json"]).json();
    assert_eq!(documents[1]["entries"][0]["category"], "changed", "{documents}");
    fixture.repo.tidings(&["next", "--package", "crane"]).failure(5);
    fixture.release(&["--all-packages", "-x"]).success();
    assert_eq!(fixture.remote(&["log", "-1", "--format=%s", "main"]), "Release mast 2.0.0, crane 1.0.1");
    assert!(fixture.repo.read("crates/crane/CHANGELOG.md").contains("Update `mast` to 2.0.0"));
    assert!(is_built(&fixture) && fixture.remote(&["tag"]).contains("crane/v1.0.1\n"));
    fixture.repo.commit("Tidy up");
    assert!(fixture.release(&["--all-packages"]).failure(5).contains("nothing to release"));
}

#[test]
fn a_package_that_broke_in_an_earlier_run_is_released_by_the_next() {
    let fixture = broken("");
    fixture.release(&["--package", "mast", "-x"]).success();
    assert!(fixture.release(&["--package", "crane"]).success().starts_with("release 1.0.1 of main as crane/v1.0.1\n"));
    assert_eq!(fixture.repo.tidings(&["next", "--package", "crane"]).success(), "1.0.1\n");
    let section = fixture.repo.tidings(&["show", "--next", "--package", "crane"]).success();
    assert!(section.starts_with("## 1.0.1 (") && section.contains("Update `mast` to 2.0.0"), "{section}");
}

#[test]
fn dependents_can_be_left_to_people() {
    let fixture = broken("dependents: false\n");
    assert_eq!(fixture.repo.tidings(&["next", "--all-packages"]).success(), "mast 2.0.0\n");
    fixture.release(&["--all-packages", "-x"]).success();
    assert!(!fixture.remote(&["tag"]).contains("crane/v1.0.1") && is_built(&fixture));
}

#[test]
fn by_url_the_same_packages_are_raised() {
    let fixture = broken("");
    fixture.remote(&["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", fixture.repo.beside("remote.git").display());
    for arguments in
        [&["next", "--all-packages"][..], &["next", "--package", "crane"], &["show", "--next", "--all-packages"]]
    {
        let local = fixture.repo.tidings(arguments);
        let by_url = fixture.repo.tidings(&[arguments, &["--repo", &url]].concat());
        assert_eq!((by_url.stdout, by_url.code), (local.stdout, local.code), "{arguments:?}: {}", by_url.stderr);
    }
}

#[test]
fn packages_in_a_circle_are_reported_and_released_once() {
    let fixture = broken("");
    let mast = format!("{MAST}\n[dependencies]\ncrane = {{ path = \"../crane\", version = \"=1.0.0\" }}\n");
    fixture.repo.file("crates/mast/Cargo.toml", mast).commit("Close the circle");
    fixture.repo.git(&["push", "-q"]);
    let plan = fixture.release(&["--all-packages"]);
    assert!(plan.stderr.contains("warning: the packages `crane`, `mast` require each other\n"), "{}", plan.stderr);
    assert!(plan.success().contains("as crane/v1.0.1"));
    fixture.release(&["--all-packages", "-x"]).success();
    let [crane, mast] = ["crane", "mast"].map(|name| fixture.repo.read(&format!("crates/{name}/Cargo.toml")));
    assert!(crane.contains("version = \"1.0.1\"") && crane.contains("version = \"2.0.0\" }"), "{crane}");
    assert!(mast.contains("version = \"2.0.0\"") && mast.contains("version = \"=1.0.1\" }"), "{mast}");
    fixture.repo.commit("Tidy up");
    fixture.release(&["--all-packages"]).failure(5);
}

#[test]
fn a_requirement_by_path_alone_is_reported_and_raises_nothing() {
    let fixture = packages("");
    let crane = fixture.repo.read("crates/crane/Cargo.toml").replace(", version = \"1.0.0\" }", " }");
    fixture.repo.file("crates/crane/Cargo.toml", crane).commit("Require any version");
    fixture.repo.git(&["tag", "-f", "crane/v1.0.0"]);
    fixture.repo.git(&["push", "-q", "-f", "--tags", "origin", "main"]);
    let next = fixture.repo.tidings(&["next", "--all-packages"]);
    let warning = "warning: `crane` depends on `mast` by path alone: no release of it raises `crane`\n";
    assert!(next.stderr.contains(warning), "{}", next.stderr);
    assert_eq!(next.success(), "mast 1.1.0\n");
}

#[test]
fn a_manifest_gets_a_version_by_the_calendar_without_leading_zeros() {
    let fixture = crates(ROOT, CRANE, "versioning: YYYY.0M.MICRO\nversion_files: { workspace: cargo }\n");
    assert!(fixture.release(&["-x"]).success().contains("released 2024.03.0 as v2024.03.0"));
    let root = fixture.repo.read("Cargo.toml");
    assert!(root.contains("version = \"2024.3.0\""), "{root}");
    fixture.repo.commit("Tidy up");
    let stderr = fixture.release(&["2024.3.0.1", "-x"]).failure(1);
    assert!(stderr.contains("`2024.3.0.1` cannot be set in `Cargo.toml`: it is not a semantic version\n"), "{stderr}");
}

/// Returns a workspace whose root lists a member outside of the repository, one that is a link and one that is a
/// submodule, by patterns and by name.
fn with_foreign_members() -> Released {
    let members = "[\"crates/*\", \"../out\", \"vendor/sub\"]";
    let root = format!("[workspace]\nmembers = {members}\n\n[workspace.package]\nversion = \"1.0.0\"\n");
    let fixture = Released::new();
    let repo = &fixture.repo;
    repo.write("Cargo.toml", &root).write("crates/mast/Cargo.toml", MAST).write("README.md", "Harbor\n");
    repo.write(SETTINGS, "version_files: { workspace: cargo }\n");
    repo.git(&["add", "--all"]);
    let link = |path: &str, target: &str| {
        repo.write("target", target);
        let id = repo.git(&["hash-object", "-w", "target"]);
        repo.git(&["update-index", "--add", "--cacheinfo", &format!("120000,{},{path}", id.trim())]);
        std::fs::remove_file(repo.path().join("target")).unwrap();
    };
    link("crates/boom", "../../boom");
    link("crates/README.md", "../README.md");
    let head = repo.git(&["rev-parse", "HEAD"]);
    for path in ["crates/keel", "vendor/sub"] {
        repo.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},{path}", head.trim())]);
    }
    repo.commit("Set up");
    repo.git(&["push", "-q"]);
    repo.git(&["reset", "-q", "--hard"]);
    fixture
}

#[test]
fn members_whose_files_are_elsewhere_are_named() {
    let fixture = with_foreign_members();
    let skipped = [
        ("../out", "outside of the repository"),
        ("crates/boom", "a symbolic link"),
        ("crates/keel", "a submodule"),
        ("vendor/sub", "a submodule"),
    ];
    let plan = fixture.release(&["2.0.0"]);
    let check = fixture.repo.tidings(&["check", "--first-release"]);
    let (doctor, stderr) = (fixture.repo.tidings(&["doctor"]).success(), plan.stderr.clone());
    for (member, reason) in skipped {
        let warning = format!("`Cargo.toml` lists the member `{member}`, which is {reason}: its version");
        for output in [&stderr, &check.stderr, &doctor] {
            assert_eq!(output.matches(&warning).count(), 1, "{warning}: {output}");
        }
    }
    assert!(!doctor.contains("README.md"), "{doctor}");
    assert!(plan.success().contains("\ncommit: CHANGELOG.md, Cargo.toml, crates/mast/Cargo.toml\n"));
}
