//! Regular expressions take linear time, whatever a repository names: its file is of the same people as its titles.

use super::run_briefly;
use crate::support::TestRepo;

/// Each makes a search that goes back and tries again take longer than anybody lives.
const HOSTILE: [&str; 4] = ["^(a+)+$", "^(a|aa)+$", "(x+x+)+y", "^(a*)*(a*)*b$"];

#[test]
fn what_would_take_for_ever_elsewhere_does_not_here() {
    for pattern in HOSTILE {
        let repo = TestRepo::new();
        let quoted = format!("'{pattern}'");
        repo.file(
            "tidings.yml",
            format!(
                "tag_regex: '^(?:{pattern}|v(?P<major>\\d+)\\.(?P<minor>\\d+)\\.(?P<patch>\\d+))$'\n\
                 match:\n- {{ title: {quoted}, category: added }}\n- {{ body: {quoted}, category: added }}\n\
                 - {{ author: {quoted}, category: added }}\n\
                 links: {{ {quoted}: 'https://harbor.example/$0' }}\n\
                 replace: [{{ match: {quoted}, with: x }}]\n\
                 skip: {{ messages: [{quoted}] }}\n"
            ),
        );
        repo.commit("Begin");
        repo.tag("v1.0.0");
        let long = format!("{}!{}", "a".repeat(20_000), "x".repeat(20_000));
        repo.change(&long, "added");
        repo.commit(&format!("Write it down\n\n{long}\n"));
        repo.git(&["tag", &format!("{}!", "a".repeat(200))]);
        for arguments in [&["show", "1.1.0"][..], &["next"], &["explain"], &["check"]] {
            let outcome = run_briefly(repo.path(), arguments);
            assert!([0, 3].contains(&outcome.code), "{pattern}: {arguments:?}: {}", outcome.stderr);
        }
    }
}

/// What stands in for every letter of a long title, and names it many times, would fill any memory.
#[test]
fn what_groups_are_filled_into_stays_short() {
    let repo = TestRepo::new();
    let (long, groups) = ("x".repeat(900_000), "$0".repeat(400_000));
    for (settings, expected) in [
        (format!("replace: [{{ match: 'a', with: '{long}' }}]\n"), "aaaa"),
        (format!("replace: [{{ match: 'a+', with: '{groups}' }}]\n"), "aaaa"),
        (format!("links: {{ 'a': 'https://harbor.example/{long}' }}\n"), "aaaa"),
        (format!("links: {{ 'a+': 'https://harbor.example/{groups}' }}\n"), "aaaa"),
        (format!("match: [{{ title: 'a+', category: 'b{groups}' }}]\n"), "aaaa"),
        ("replace: [{ match: 'a+', with: 'b${0}b' }]\n".to_owned(), "baaa"),
        ("links: { 'a+': 'https://harbor.example/$0' }\n".to_owned(), "(https://harbor.example/aaaa"),
    ] {
        repo.file("tidings.yml", settings).commit("Set up");
        repo.git(&["tag", "-f", "v1.0.0"]);
        repo.change(&"a".repeat(4_000), "added");
        let outcome = run_briefly(repo.path(), &["show", "1.1.0"]);
        assert!(outcome.stdout.contains(expected), "{}{}", outcome.stdout, outcome.stderr);
    }
}

#[test]
fn a_title_of_nothing_but_references_is_linked_in_time() {
    let repo = TestRepo::new();
    repo.file("tidings.yml", "links: { '#(\\d+)': 'https://harbor.example/$1' }\n").commit("Begin");
    repo.tag("v1.0.0");
    let references = (0..100_000).map(|number| format!("#{number}")).collect::<Vec<_>>().join(" ");
    repo.change(&references, "added");
    let outcome = run_briefly(repo.path(), &["show", "1.1.0"]);
    assert!(outcome.stdout.contains("[#1](https://harbor.example/1)"), "{}", outcome.stderr);
}
