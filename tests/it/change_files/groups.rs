//! Packages whose versions move together.

use super::changeset;
use crate::support::TestRepo;

const PACKAGES: &str = "packages: {api: {}, web: {}, cli: {}}\n";

/// Three packages of trailers, released as 1.0.0, and one change of api.
fn harbor(groups: &str) -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    repo.file("tidings.yml", format!("{PACKAGES}groups:\n{groups}")).file("web/a", "1").file("cli/a", "1");
    repo.file("api/a", "1").commit("Begin");
    repo.tag("api/v1.0.0").tag("web/v1.2.0").tag("cli/v1.0.0");
    repo.file("api/a", "2").change("Add sail", "added");
    repo
}

#[test]
fn a_fixed_group_moves_as_a_whole_and_a_linked_one_where_something_changed() {
    let next = |repo: &TestRepo| repo.tidings(&["next", "--all-packages"]).success();
    let fixed = harbor("  - {packages: [api, web], versions: fixed}\n");
    assert_eq!(next(&fixed), "api 1.3.0\nweb 1.3.0\n");
    assert_eq!(fixed.tidings(&["next", "--package", "web"]).success(), "1.3.0\n");
    let told = fixed.tidings(&["next", "--package", "web", "-v"]).stderr;
    assert!(told.contains("minor: its version moves together with `api`"), "{told}");
    let linked = harbor("  - {packages: [api, web], versions: linked}\n");
    assert_eq!(next(&linked), "api 1.3.0\n");
    linked.file("web/a", "2").change("Mend web", "fixed");
    assert_eq!(next(&linked), "api 1.3.0\nweb 1.3.0\n");
    let highest = harbor("  - {packages: [api, web], versions: highest}\n");
    assert_eq!(next(&highest), "api 1.1.0\n");
    highest.file("web/a", "2").change("Mend web", "fixed");
    assert_eq!(next(&highest), "api 1.2.1\nweb 1.2.1\n");
    let done = fixed.tidings(&["release", "--all-packages", "--no-push", "--no-host-release", "-x"]);
    assert!(!done.stderr.contains("nothing is listed for the package"), "{}", done.stderr);
    done.success();
    assert_eq!(fixed.git(&["tag", "--points-at", "HEAD"]), "api/v1.3.0\nweb/v1.3.0");
}

#[test]
fn groups_of_unknown_packages_are_refused() {
    for (groups, expected) in [
        ("  - {packages: [api, wep], versions: fixed}\n", "`groups` has `wep`, which is not one of `packages`"),
        ("  - {packages: [api], versions: fixed}\n", "`groups` needs two or more `packages`"),
        ("  - {packages: [api, web]}\n", "`groups` needs two or more `packages`, and `versions`"),
        (
            "  - {packages: [api, web], versions: locked}\n",
            "`versions` must be `fixed`, `linked` or `highest`, not `locked`",
        ),
        ("  - {packages: [api, web, api], versions: fixed}\n", "`groups` has the package `api` twice"),
    ] {
        let failure = harbor(groups).tidings(&["next", "--all-packages"]).failure(1);
        assert!(failure.contains(expected), "{groups}: {failure}");
    }
}

#[test]
fn init_takes_the_groups_of_changesets_over() {
    let repo = TestRepo::new();
    repo.file(".changeset/config.json", "{\"fixed\": [[\"@harbor/*\"]], \"linked\": [[\"cli\", \"tui\"]]}");
    repo.file("package.json", "{\"private\": true, \"workspaces\": [\"packages/*\"]}\n");
    for name in ["@harbor/api", "@harbor/web", "cli", "tui"] {
        let directory = name.rsplit('/').next().unwrap();
        let manifest = format!("{{\"name\": \"{name}\", \"version\": \"1.0.0\"}}\n");
        repo.file(&format!("packages/{directory}/package.json"), manifest);
    }
    changeset(&repo, "one", "\"@harbor/api\": minor\ncli: patch", "Add sail");
    repo.commit("Add sail");
    let expected = "api 1.1.0\ncli 1.0.1\nweb 1.1.0\n";
    assert_eq!(repo.tidings(&["next"]).success(), expected);
    repo.tidings(&["init", "--yes"]).success();
    let written = repo.read("tidings.yml");
    let groups = "groups:\n  - { packages: [\"api\", \"web\"], versions: fixed }\n  - { packages: [\"cli\", \"tui\"], versions: linked }\n";
    assert!(written.contains(groups), "{written}");
    assert_eq!(repo.tidings(&["next", "--all-packages"]).success(), expected);
}
