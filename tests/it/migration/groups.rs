//! Configurations of tools for several packages.

use super::{repo_with, take_over};

#[test]
fn linked_versions_of_release_please_are_a_group() {
    let settings = "{\"packages\": {\"api\": {}, \"web\": {}, \"cli\": {}}, \"plugins\": [{\"type\": \"linked-versions\", \
                    \"groupName\": \"one\", \"components\": [\"api\", \"web\"]}]}";
    let repo = repo_with("release-please-config.json", settings);
    let stderr = take_over(&repo, "release-please-config.json");
    assert!(!stderr.contains("`plugins`"), "{stderr}");
    let written = repo.read("tidings.yml");
    assert!(written.contains("groups:\n  - { packages: [\"api\", \"web\"], versions: fixed }\n"), "{written}");
    let repo = repo_with("release-please-config.json", &settings.replace("\"api\", \"web\"", "\"api\", \"hull\""));
    let stderr = take_over(&repo, "release-please-config.json");
    assert!(stderr.contains("`groups` takes two or more packages by their names"), "{stderr}");
}

#[test]
fn one_version_of_lerna_is_that_of_the_repository() {
    let settings = "{\"version\": \"1.0.0\", \"packages\": [\"packages/*\"], \"command\": {\"version\": \
                    {\"message\": \"chore(release): publish %s\", \"allowBranch\": \"main\"}}}";
    let repo = repo_with("lerna.json", settings);
    let stderr = take_over(&repo, "lerna.json");
    assert!(stderr.contains("took over the configuration of lerna"), "{stderr}");
    assert!(stderr.contains("`allowBranch` (line 1): use `--branch`"), "{stderr}");
    let written = repo.read("tidings.yml");
    let member = |name: &str| repo.read(&format!("packages/{name}/package.json"));
    for (name, version) in [("a", "1.0.0"), ("b", "0.9.0")] {
        let text = format!("{{\"name\": \"{name}\", \"version\": \"{version}\"}}\n");
        repo.file(&format!("packages/{name}/package.json"), text);
    }
    repo.author();
    repo.file("package.json", "{\"private\": true, \"workspaces\": [\"packages/*\"]}\n").commit("feat: begin");
    repo.tidings(&["release", "1.1.0", "--first-release", "--no-push", "--no-host-release", "-x"]).success();
    for name in ["a", "b"] {
        assert!(member(name).contains("\"version\": \"1.1.0\""), "{}", member(name));
    }
    for expected in ["message: \"chore(release): publish v{version}\"", "\"lerna.json\", key: "] {
        assert!(written.contains(expected), "{expected}: {written}");
    }
}
