//! Workspaces of files in memory.

use std::collections::BTreeMap;

use semver::Version;

use super::{
    dependents::{PackageMembers, RequiredMember},
    *,
};
use crate::model::BumpLevel;

type Files = BTreeMap<&'static str, &'static str>;

fn load(kind: WorkspaceKind, files: &Files) -> anyhow::Result<Workspace> {
    let root = if kind == WorkspaceKind::Cargo { "Cargo.toml" } else { "package.json" };
    Workspace::load(kind, root, files)
}

/// Returns the lines that an edit changes: path, then the new line.
#[track_caller]
fn changed(kind: WorkspaceKind, files: &Files, members: &[&str], version: &str) -> Vec<String> {
    let members: Vec<_> = members.iter().map(|&name| name.to_owned()).collect();
    let edit = load(kind, files)
        .and_then(|workspace| workspace.edit(&members, version, &RaisedRequirements::default(), files))
        .unwrap();
    let mut changed = Vec::new();
    for (path, old) in files {
        if !edit.paths.iter().any(|edited| edited == path) {
            continue;
        }
        let new = edit.apply(path, old).unwrap();
        assert_eq!(edit.apply(path, &new).unwrap(), new, "once more");
        assert_eq!(old.lines().count(), new.lines().count());
        let lines = old.lines().zip(new.lines()).filter(|(old, new)| old != new);
        changed.extend(lines.map(|(_, line)| format!("{path}: {}", line.trim())));
    }
    changed
}

const INHERITED: &str = "[package]\nname = \"a\" # A\nversion.workspace = true\n[dependencies]\nb.workspace = true\n";

#[test]
fn the_shared_version_of_a_cargo_workspace_is_set_everywhere_at_once() {
    let files = Files::from([
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"crates/*\", \"x\"]\nexclude = [\"crates/old\"]\n\
             [workspace.package]\r\nversion = \"0.1.0\" # all\n\
             [workspace.dependencies]\nb = { path = \"crates/b\", version = \"0.1.0\" } # ours\nserde = \"0.1.0\"\n",
        ),
        ("crates/a/Cargo.toml", INHERITED),
        (
            "crates/b/Cargo.toml",
            "[package]\nname = \"b\"\nversion = '0.1.0'\n[target.'cfg(unix)'.dev-dependencies]\n\
             aa = { package = \"a\", path = \"../a\", version = \"=0.1.0\" }\n\
             [build-dependencies.c]\nversion = \"0.1\"\npath = \"../../c\"\n",
        ),
        ("crates/old/Cargo.toml", "[package]\nname = \"old\"\nversion = \"0.1.0\"\n"),
        ("c/Cargo.toml", "[package]\nname = \"c\"\nversion = \"0.1.0\"\n"),
        (
            "x/Cargo.toml",
            "[package]\nname = \"xtask\"\nversion = \"0.0.1\"\n[dependencies]\nb = { path = \"../crates/b\" }\n",
        ),
        (
            "Cargo.lock",
            "[[package]]\nname = \"a\"\nversion = \"0.1.0\"\ndependencies = [\n \"b 0.1.0\",\n \"serde\",\n]\n\n\
             [[package]]\nname = \"b\"\nversion = \"0.1.0\"\n\n\
             [[package]]\nname = \"b\"\nversion = \"0.0.9\"\nsource = \"registry+https://x\"\n\n\
             [[package]]\nname = \"serde\"\nversion = \"0.1.0\"\nsource = \"registry+https://x\"\n",
        ),
    ]);
    let expected = [
        "Cargo.lock: version = \"0.2.0\"",
        "Cargo.lock: \"b 0.2.0\",",
        "Cargo.lock: version = \"0.2.0\"",
        "Cargo.toml: version = \"0.2.0\" # all",
        "Cargo.toml: b = { path = \"crates/b\", version = \"0.2.0\" } # ours",
        "c/Cargo.toml: version = \"0.2.0\"",
        "crates/b/Cargo.toml: version = '0.2.0'",
        "crates/b/Cargo.toml: aa = { package = \"a\", path = \"../a\", version = \"=0.2.0\" }",
        "crates/b/Cargo.toml: version = \"0.2\"",
    ];
    assert_eq!(changed(WorkspaceKind::Cargo, &files, &[], "0.2.0"), expected);
    assert!(changed(WorkspaceKind::Cargo, &files, &[], "0.1.0").is_empty());
}

#[test]
fn a_member_with_a_version_of_its_own_raises_only_what_it_breaks() {
    let files = Files::from([
        (
            "Cargo.toml",
            "[package]\nname = \"a\"\nversion = \"3.0.0\"\n[workspace]\n[dependencies]\nb = { path = \"b\", version = \"0.1.0\" }\n",
        ),
        ("b/Cargo.toml", "[package]\nname = \"b\"\nversion = \"0.1.0\"\n"),
    ]);
    let changed = |version| changed(WorkspaceKind::Cargo, &files, &["b"], version);
    assert_eq!(changed("0.1.1"), ["b/Cargo.toml: version = \"0.1.1\""]);
    let broken = ["Cargo.toml: b = { path = \"b\", version = \"0.2.0\" }", "b/Cargo.toml: version = \"0.2.0\""];
    assert_eq!(changed("0.2.0"), broken);
    assert_eq!(load(WorkspaceKind::Cargo, &files).unwrap().version(), Some("3.0.0"));
}

const PACKAGE_A: &str = "{\n\"name\": \"@x/a\", \"version\": \"1.0.0\",\n\"dependencies\": {\"left-pad\": \"^1.0.0\",\n\
    \"@x/b\": \"^1.0.0\"},\n\"devDependencies\": {\"c\": \"workspace:~1.0.0\"},\n\
    \"peerDependencies\": {\n\"old\": \"^0.5.0\",\n\"@x/b\": \"1.x\"}}\n";

#[test]
fn npm_manifests_and_locks_agree() {
    let files = Files::from([
        (
            "package.json",
            "{\"private\": true, \"version\": \"0.0.0\",\n\"workspaces\": [\"./packages/*\", \"!**/skip\"]}",
        ),
        ("packages/a/package.json", PACKAGE_A),
        ("packages/b/package.json", "{\"name\": \"@x/b\",\n\"version\":\"1.0.0\"}"),
        ("packages/c/package.json", "{\"name\": \"c\",\n\t\"version\":\"1.0.0\"}"),
        ("packages/old/package.json", "{\"name\": \"old\",\n\"version\":\"1.0.0\"}"),
        ("packages/skip/package.json", "{\"name\": \"skip\",\n\"version\":\"1.0.0\"}"),
        (
            "package-lock.json",
            "{\"version\": \"0.0.0\", \"lockfileVersion\": 2, \"packages\": {\"\": {\"version\": \"0.0.0\"},\n\
             \"packages/a\": {\n\"version\": \"1.0.0\", \"dependencies\": {\n\"@x/b\": \"^1.0.0\"}},\n\
             \"node_modules/@x/b\": {\"resolved\": \"packages/b\", \"link\": true},\n\
             \"node_modules/c\": {\"version\": \"1.0.0\", \"dependencies\": {\"@x/b\": \"^1.0.0\"}},\n\
             \"packages/b\": {\"version\": \"1.0.0\"}},\n\
             \"dependencies\": {\"@x/a\": {\"version\": \"file:packages/a\",\n\"requires\": {\"@x/b\": \"^1.0.0\"}}}}",
        ),
        (
            "pnpm-lock.yaml",
            "importers:\n\n  .: {}\n\n  packages/a:\n    dependencies:\n      '@x/b':\n        specifier: ^1.0.0\n        \
             version: link:../b\n    devDependencies:\n      c:\n        specifier: workspace:~1.0.0\n",
        ),
    ]);
    let expected = [
        "package-lock.json: \"version\": \"2.0.0\", \"dependencies\": {",
        "package-lock.json: \"@x/b\": \"^2.0.0\"}},",
        "package-lock.json: \"packages/b\": {\"version\": \"2.0.0\"}},",
        "package-lock.json: \"requires\": {\"@x/b\": \"^2.0.0\"}}}}",
        "packages/a/package.json: \"name\": \"@x/a\", \"version\": \"2.0.0\",",
        "packages/a/package.json: \"@x/b\": \"^2.0.0\"},",
        "packages/a/package.json: \"devDependencies\": {\"c\": \"workspace:~2.0.0\"},",
        "packages/a/package.json: \"@x/b\": \"2.x\"}}",
        "packages/b/package.json: \"version\":\"2.0.0\"}",
        "packages/c/package.json: \"version\":\"2.0.0\"}",
        "packages/old/package.json: \"version\":\"2.0.0\"}",
        "pnpm-lock.yaml: specifier: ^2.0.0",
        "pnpm-lock.yaml: specifier: workspace:~2.0.0",
    ];
    assert_eq!(changed(WorkspaceKind::Npm, &files, &[], "2.0.0"), expected);
}

#[test]
fn the_members_of_a_pnpm_workspace_are_in_a_file_of_its_own() {
    let files = Files::from([
        ("package.json", "{\"private\": true}"),
        ("pnpm-workspace.yaml", "packages:\n  - 'parts/*'\n  - \"!parts/c\"\n  - tools\n"),
        ("parts/a/package.json", "{\"name\": \"a\",\n\"version\": \"1.0.0\"}"),
        ("parts/c/package.json", "{\"name\": \"c\",\n\"version\": \"1.0.0\"}"),
        ("tools/package.json", "{\"name\": \"tools\",\n\"version\": \"1.0.0\"}"),
    ]);
    let expected = ["parts/a/package.json: \"version\": \"2.0.0\"}", "tools/package.json: \"version\": \"2.0.0\"}"];
    assert_eq!(changed(WorkspaceKind::Npm, &files, &[], "2.0.0"), expected);
}

/// Returns a workspace, and its lock file as the tool wrote it.
#[test]
fn a_root_with_the_name_of_a_member_is_not_that_member() {
    let files = Files::from([
        ("package.json", r#"{"name": "a", "private": true, "version": "0.0.0", "workspaces": ["packages/*"]}"#),
        ("packages/a/package.json", r#"{"name": "a", "version": "1.0.0"}"#),
    ]);
    let expected = [r#"packages/a/package.json: {"name": "a", "version": "1.1.0"}"#];
    assert_eq!(changed(WorkspaceKind::Npm, &files, &["a"], "1.1.0"), expected);
    assert_eq!(load(WorkspaceKind::Npm, &files).unwrap().directory_of("a"), Some("packages/a"));
}

fn locked(name: &'static str, lock: &'static str) -> Files {
    Files::from([
        ("package.json", "{\"name\": \"harbor\", \"private\": true, \"workspaces\": [\"packages/*\"]}"),
        (
            "packages/crane/package.json",
            "{\"name\": \"@harbor/crane\", \"version\": \"1.0.0\", \"dependencies\": {\"mast\": \"^1.0.0\",\
             \"sail\": \"workspace:^1.0.0\"}, \"peerDependencies\": {\"sail\": \"^1.0.0\"}}",
        ),
        (
            "packages/mast/package.json",
            "{\"name\": \"mast\", \"version\": \"1.0.0\", \"devDependencies\": {\"sail\": \"~1.0.0\"}}",
        ),
        ("packages/sail/package.json", "{\"name\": \"sail\", \"version\": \"1.0.0\"}"),
        (name, lock),
    ])
}

/// Returns the lock file after a release of these members.
fn lock_after(name: &'static str, lock: &'static str, members: &[&str]) -> String {
    let files = locked(name, lock);
    let members: Vec<String> = members.iter().map(|&member| member.to_owned()).collect();
    let edit = load(WorkspaceKind::Npm, &files)
        .unwrap()
        .edit(&members, "2.0.0", &RaisedRequirements::default(), &files)
        .unwrap();
    edit.apply(name, lock).unwrap()
}

#[test]
fn a_workspace_without_a_version_has_the_one_of_most_members() {
    let files = Files::from([
        ("package.json", "{\"private\": true, \"workspaces\": [\"*\"]}"),
        ("a/package.json", "{\"name\": \"a\", \"version\": \"1.4.0\"}"),
        ("b/package.json", "{\"name\": \"b\", \"version\": \"1.4.0\"}"),
        ("c/package.json", "{\"name\": \"c\", \"version\": \"2.0.0\"}"),
        ("d/package.json", "{\"name\": \"d\", \"version\": \"0.0.0\"}"),
    ]);
    assert_eq!(load(WorkspaceKind::Npm, &files).unwrap().version(), Some("1.4.0"));
}

#[test]
fn locks_of_yarn_and_bun_are_what_the_tools_write_for_the_version() {
    let [yarn, bun] =
        [include_str!("../../../testdata/workspaces/yarn.lock"), include_str!("../../../testdata/workspaces/bun.lock")];
    let raised = |lock: &str| lock.replace("^1.0.0", "^2.0.0").replace("~1.0.0", "~2.0.0");
    assert_eq!(lock_after("yarn.lock", yarn, &[]), raised(yarn));
    assert_eq!(lock_after("bun.lock", bun, &[]), raised(bun).replace("\"1.0.0\"", "\"2.0.0\""));
    let of_mast = yarn.replace("mast@npm:^1", "mast@npm:^2").replace("mast: \"npm:^1", "mast: \"npm:^2");
    assert_eq!(lock_after("yarn.lock", yarn, &["mast"]), of_mast);
    // Equal requirements become one, and an entry from a registry does not belong to the workspace.
    let two = "\"mast@npm:^1.0.0, mast@npm:^1.0.0-rc.1, mast@workspace:packages/mast\":\r\n  resolution: \"mast@workspace:x\"\r\n\r\n\
               \"other@npm:1\":\r\n  resolution: \"other@npm:1\"\r\n  dependencies:\r\n    mast: ^1.0.0\r\n";
    let one = two.replace("mast@npm:^1.0.0, mast@npm:^1.0.0-rc.1", "mast@npm:^2.0.0");
    assert_eq!(lock_after("yarn.lock", two, &[]), one);
    let classic = "# yarn lockfile v1\n\n\nmast@^1.0.0:\n  version \"1.0.0\"\n  dependencies:\n    sail \"^1.0.0\"\n";
    assert_eq!(lock_after("yarn.lock", classic, &[]), classic);
}

#[test]
fn a_binary_lock_of_bun_is_refused_unless_the_text_is_there_too() {
    let mut files = locked("bun.lockb", "#!/usr/bin/env bun");
    let edit = |files: &Files| {
        load(WorkspaceKind::Npm, files).unwrap().edit(&[], "2.0.0", &RaisedRequirements::default(), files)
    };
    let error = edit(&files).unwrap_err();
    assert!(error.to_string().contains("`bun.lockb` is binary"), "{error}");
    assert!(crate::model::hints(&error).concat().contains("--save-text-lockfile"));
    files.insert("bun.lock", include_str!("../../../testdata/workspaces/bun.lock"));
    assert!(edit(&files).unwrap().paths.contains(&"bun.lock".to_owned()));
}

#[test]
fn refusals_name_file_line_and_key() {
    let member = "[package]\nname = \"b\"\nversion = 3\n";
    for (files, said) in [
        (vec![], "the manifest `Cargo.toml` of the workspace does not exist"),
        (
            vec![("Cargo.toml", "[workspace]\nmembers = [\"b\"]\n")],
            "`workspace.members` of `Cargo.toml` lists `b`, which has no",
        ),
        (
            vec![("Cargo.toml", "[workspace]\nmembers = \"b\"\n")],
            "Cargo.toml:2:11: `workspace.members` must be a list of strings, not `string`",
        ),
        (
            vec![("Cargo.toml", "[workspace]\nmembers = [\"b\"]\n"), ("b/Cargo.toml", member)],
            "b/Cargo.toml:3:11: `package.version` must be a string, not `integer`",
        ),
        (vec![("Cargo.toml", "[workspace\n")], "Cargo.toml:1:11: invalid TOML: "),
        (vec![("package.json", "{\n\"name\": 1}")], "package.json:2:9: `name` must be a string"),
        (vec![("package.json", "{\n\"name\" 1}")], "package.json:2:8: invalid JSON: "),
        (
            vec![
                (
                    "package.json",
                    "{\"workspaces\": [\"b\"], \"name\": \"a\", \"version\": \"2.5.0\",\n\"dependencies\": {\"b\": \">=2 <3\"}}",
                ),
                ("b/package.json", "{\"name\": \"b\", \"version\": \"2.5.0\"}"),
            ],
            "package.json:2:24: the requirement `>=2 <3` does not allow 9.0.0 of `b`",
        ),
    ] {
        let files: Files = files.into_iter().collect();
        let kind = if files.contains_key("package.json") { WorkspaceKind::Npm } else { WorkspaceKind::Cargo };
        let error = load(kind, &files)
            .and_then(|workspace| workspace.edit(&[], "9.0.0", &RaisedRequirements::default(), &files))
            .unwrap_err();
        assert!(error.to_string().contains(said), "{error}\n{said}");
    }
    let files = Files::from([
        ("Cargo.toml", "[workspace]\nmembers = [\"*\"]\n[workspace.package]\nversion = \"1.0.0\"\n"),
        ("a/Cargo.toml", INHERITED),
        ("d/Cargo.toml", "[package]\nname = \"d\"\nversion = { workspace = true }\n"),
    ]);
    let refusal = |name: &str| {
        load(WorkspaceKind::Cargo, &files)
            .unwrap()
            .edit(&[name.to_owned()], "2.0.0", &RaisedRequirements::default(), &files)
            .unwrap_err()
    };
    assert!(refusal("a").to_string().contains("`a` and `d` share the version `workspace.package.version`"));
    assert!(refusal("aa").to_string().contains("has no member `aa`"));
}

fn packages(names: &[&str]) -> Vec<PackageMembers> {
    names.iter().map(|&name| PackageMembers { name: name.to_owned(), members: vec![name.to_owned()] }).collect()
}

#[test]
fn packages_are_ordered_by_what_they_require_and_told_what_no_longer_fits() {
    let files = Files::from([
        ("package.json", "{\"workspaces\": [\"*\"]}"),
        (
            "a/package.json",
            "{\"name\": \"a\", \"version\": \"1.0.0\", \"dependencies\": {\"b\": \"workspace:^\", \"c\": \"link:../c\"}}",
        ),
        ("b/package.json", "{\"name\": \"b\", \"version\": \"1.2.0\", \"dependencies\": {\"c\": \"~1.0.0\"}}"),
        ("c/package.json", "{\"name\": \"c\", \"version\": \"1.0.0\", \"devDependencies\": {\"a\": \"1.0.0\"}}"),
    ]);
    let workspace = load(WorkspaceKind::Npm, &files).unwrap();
    let required = |name: &str| workspace.required_at(&[name.to_owned()], &files).unwrap();
    assert_eq!(
        required("a"),
        [RequiredMember { member: "b".into(), requirement: "^1.2.0".into(), text: "workspace:^".into(), fits: true }]
    );
    assert!(required("c").is_empty(), "only for its development");
    let (order, circles) = workspace.release_order(&packages(&["a", "b", "c"]));
    assert_eq!((order, circles), (vec!["c".to_owned(), "b".to_owned(), "a".to_owned()], Vec::new()));
    let warnings = workspace.path_only(&packages(&["a", "b", "c"]));
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].to_string().contains("`a` depends on `c` by path alone"), "{warnings:?}");
    let version = Version::new(1, 1, 0);
    let planned = [PlannedMember { name: "c".into(), version: version.clone(), level: BumpLevel::Minor }];
    assert_eq!(workspace.updates(&required("b"), &planned, false), [Update { member: "c".into(), version }]);
    assert!(workspace.updates(&required("b"), &[], false).is_empty());
    let outdated =
        RequiredMember { member: "c".into(), requirement: "^0.9.0".into(), text: "^0.9.0".into(), fits: true };
    assert_eq!(workspace.updates(&[outdated], &[], false).len(), 1, "the version that the manifest has");
}

#[test]
fn the_condition_of_a_target_does_not_say_who_needs_a_dependency() {
    let files = Files::from([
        ("Cargo.toml", "[workspace]\nmembers = [\"*\"]\n"),
        (
            "a/Cargo.toml",
            "[package]\nname = \"a\"\nversion = \"1.0.0\"\n[target.'cfg(feature = \"device\")'.dependencies]\n\
             b = { path = \"../b\", version = \"1.0.0\" }\n[target.'cfg(unix)'.dev-dependencies]\n\
             c = { path = \"../c\", version = \"1.0.0\" }\n",
        ),
        ("b/Cargo.toml", "[package]\nname = \"b\"\nversion = \"1.0.0\"\n"),
        ("c/Cargo.toml", "[package]\nname = \"c\"\nversion = \"1.0.0\"\n"),
    ]);
    let required = load(WorkspaceKind::Cargo, &files).unwrap().required_at(&["a".to_owned()], &files).unwrap();
    assert_eq!(
        required,
        [RequiredMember { member: "b".into(), requirement: "1.0.0".into(), text: "1.0.0".into(), fits: true }]
    );
}

#[test]
fn circles_are_found_and_still_ordered() {
    let files = Files::from([
        ("package.json", "{\"workspaces\": [\"*\"]}"),
        ("a/package.json", "{\"name\": \"a\", \"dependencies\": {\"b\": \"^1.0.0\"}}"),
        ("b/package.json", "{\"name\": \"b\", \"dependencies\": {\"a\": \"^1.0.0\"}}"),
    ]);
    let (order, circles) = load(WorkspaceKind::Npm, &files).unwrap().release_order(&packages(&["a", "b"]));
    assert_eq!(circles, [["a", "b"]]);
    assert_eq!(order, ["b", "a"]);
}
