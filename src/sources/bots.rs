//! The commits that programs make: updates of dependencies, formatting, synchronised files.

use std::ops::Deref;

use crate::model::{Commit, Person};

/// Bots whose name does not say that they are one, in lower case.
const BOTS: [&str; 14] = [
    "actions-user",
    "allcontributors",
    "dependabot",
    "dependabot-preview",
    "github actions",
    "github-actions",
    "greenkeeper",
    "mend renovate",
    "pre-commit-ci",
    "pyup.io",
    "renovate",
    "scala steward",
    "snyk",
    "whitesource renovate",
];

/// The beginnings of the branches that bots make.
const BRANCHES: [&str; 7] =
    ["dependabot/", "dependabot-", "renovate/", "pre-commit-ci-", "snyk-fix-", "snyk-upgrade-", "greenkeeper/"];

/// Whether a program did what the commit, or the merge or pull request that it merges, has.
pub(crate) fn is_of_bot<T: Deref<Target = str>>(commit: &Commit<T>) -> bool {
    // Bots also merge what people did, so a merge is judged by its branch alone.
    if commit.is_merge { merges_branch_of_bot(commit.subject()) } else { is_bot(&commit.author) }
}

/// Whether the name or the address is that of a program: `renovate[bot]`, `snyk-bot`, `k8s-ci-robot`.
fn is_bot<T: Deref<Target = str>>(person: &Person<T>) -> bool {
    let name = person.name.trim().to_lowercase();
    let local = person.email.split('@').next().unwrap_or_default().to_lowercase();
    let last = name.rsplit([' ', '-', '_', '.', '[', '(', '+']).next().unwrap_or_default();
    let is_called_bot = last.len() < name.len() && ["bot", "bot)", "robot"].contains(&last);
    is_called_bot || name.contains("[bot]") || local.contains("[bot]") || BOTS.contains(&name.as_str())
}

/// Whether a subject such as `Merge pull request #7 from group/renovate/node-18` or `Merge branch 'renovate/node-18'`
/// names the branch of a bot.
fn merges_branch_of_bot(subject: &str) -> bool {
    let words = subject.split([' ', '\'', ':']);
    subject.starts_with("Merge ")
        && words.into_iter().any(|word| {
            let without_owner = word.split_once('/').map_or("", |(_, branch)| branch);
            BRANCHES.iter().any(|start| word.starts_with(start) || without_owner.starts_with(start))
        })
        || subject.contains("[bot]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::CommitRef, sources::testing::commit};

    fn by(name: &'static str, email: &'static str) -> CommitRef<'static> {
        CommitRef { author: Person { name: name.into(), email: email.into() }, ..commit(1, "Add crane") }
    }

    #[test]
    fn bots_are_known_by_name_and_address() {
        for (name, email) in [
            ("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com"),
            ("Renovate Bot", "bot@renovateapp.com"),
            ("renovate", "1+renovate[bot]@users.noreply.github.com"),
            ("pre-commit-ci", "x@harbor.example"),
            ("GitHub Actions", "x@harbor.example"),
            ("snyk-bot", "snyk-bot@harbor.example"),
            ("Harbor Weblate (bot)", "x@harbor.example"),
            ("k8s-ci-robot", "x@harbor.example"),
        ] {
            assert!(is_of_bot(&by(name, email)), "{name}");
        }
        for (name, email) in [
            ("Ida Talbot", "ida@harbor.example"),
            ("talbot", "talbot@harbor.example"),
            ("Bot", "bot@harbor.example"),
            ("", ""),
            ("Renovate Martin", "martin@harbor.example"),
        ] {
            assert!(!is_of_bot(&by(name, email)), "{name}");
        }
    }

    #[test]
    fn a_merge_is_of_a_bot_if_its_branch_is() {
        let merge = |subject: &str| {
            let mut merge = by("bors[bot]", "bors@harbor.example");
            merge.is_merge = true;
            merge.message = subject.to_owned().into();
            is_of_bot(&merge)
        };
        for subject in [
            "Merge pull request #7 from harbor/dependabot/npm_and_yarn/lodash-4.17.21",
            "Merge pull request #7 from renovate/node-18",
            "Merge branch 'renovate/node-18' into 'main'",
            "Auto merge of #7 - dependabot[bot]:bump, r=ida",
        ] {
            assert!(merge(subject), "{subject}");
        }
        assert!(!merge("Merge pull request #7 from ida/snyk-report-is-read"), "{}", "the branch of a person");
        assert!(!merge("Auto merge of #7 - ida:crane, r=olaf"));
    }
}
