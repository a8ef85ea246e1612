//! The merge requests and issues that a text names.

use std::{collections::BTreeSet, fmt};

use regex::Regex;

use super::Project;

/// What people discuss on a forge, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Thread {
    /// A merge request; on forges that count both together, also an issue.
    Request(u64),
    Issue(u64),
}

impl Thread {
    /// Returns the threads of a project that a text in Markdown names: by the addresses of their pages, or as `#7`, `!7`
    /// and `group/app!7`. Those of other projects are left out.
    pub(crate) fn named_in(text: &str, project: &Project) -> BTreeSet<Self> {
        let profile = project.forge().profile();
        let issue =
            |number| if profile.merge_request_sign == '#' { Self::Request(number) } else { Self::Issue(number) };
        let mut found = BTreeSet::new();
        let pages =
            [project.merge_request_url("").map(|page| (page, true)), project.issue_url("").map(|page| (page, false))];
        for (page, is_request) in pages.into_iter().flatten() {
            let numbers = text.match_indices(&page).filter_map(|(at, page)| leading_number(&text[at + page.len()..]));
            found.extend(numbers.map(|number| if is_request { Self::Request(number) } else { issue(number) }));
        }
        let path = regex::escape(project.path());
        let labels = Regex::new(&format!(r"(?:^|[\s(\[,])(?:{path})?([#!])([1-9][0-9]{{0,8}})\b"));
        for label in labels.iter().flat_map(|labels| labels.captures_iter(text)) {
            let Ok(number) = label[2].parse() else { continue };
            // What a link refers to is said by its address, and may be in another project.
            if text[label.get_match().end()..].starts_with("](") {
                continue;
            }
            found.insert(if label[1].starts_with(profile.merge_request_sign) {
                Self::Request(number)
            } else {
                issue(number)
            });
        }
        found
    }
}

impl fmt::Display for Thread {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(number) => write!(out, "request {number}"),
            Self::Issue(number) => write!(out, "issue {number}"),
        }
    }
}

fn leading_number(text: &str) -> Option<u64> {
    let end = text.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str, host: &str) -> Vec<String> {
        let project = Project::new(host, "harbor/app");
        Thread::named_in(text, &project).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn addresses_and_labels_of_the_project_are_found() {
        let gitlab = "- [Add](https://gitlab.com/harbor/app/-/commit/1) ([merge request](https://gitlab.com/harbor/app/-/merge_requests/7))\n\
                      - Mend #3 (harbor/app!8), see other/app!9 and https://gitlab.com/other/app/-/merge_requests/10";
        assert_eq!(named(gitlab, "gitlab.com"), ["request 7", "request 8", "issue 3"]);
        let github = "- Add ([#7](https://github.com/harbor/app/pull/7)), closes #3, C#9, x/y#4\n#5";
        assert_eq!(named(github, "github.com"), ["request 3", "request 5", "request 7"]);
        assert_eq!(
            named("- Bump x ([#9](https://github.com/x/y/pull/9))", "github.com"),
            [""; 0],
            "of another project"
        );
        assert_eq!(named("https://github.com/harbor/app/issues/6 #0", "github.com"), ["request 6"]);
    }
}
