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
