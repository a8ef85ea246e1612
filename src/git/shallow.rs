//! Shallow clones: the errors and hints when a range reaches the end of one.

use super::Repo;
use crate::model::Problem;

/// How to get the history that is missing, for the place this runs in.
#[must_use]
pub fn unshallow_hint(repo: &Repo) -> &'static str {
    if repo.server().is_some() {
        return "run `git fetch --unshallow --tags` in the repository on the server, which is a shallow clone itself";
    }
    cure_for(|variable| std::env::var_os(variable).is_some_and(|value| !value.is_empty()))
}

fn cure_for(is_set: impl Fn(&str) -> bool) -> &'static str {
    if is_set("GITLAB_CI") {
        "set `GIT_DEPTH: 0` in the `variables:` of this job"
    } else if is_set("GITHUB_ACTIONS") {
        "set `fetch-depth: 0` in the `with:` of `actions/checkout`"
    } else {
        "run `git fetch --unshallow --tags`"
    }
}

/// The failure of a walk that ran into the boundary.
pub(super) fn shallow_error(repo: &Repo) -> Problem {
    Problem::new("the history of this shallow clone ends inside the range, so commits may be missing")
        .hint(unshallow_hint(repo))
        .hint("`--allow-shallow` goes on with the commits that are here")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cure_is_the_one_of_the_place_it_runs_in() {
        let place = |name: &'static str| cure_for(move |variable| variable == name);
        assert!(place("").contains("git fetch --unshallow --tags"));
        assert!(place("GITLAB_CI").contains("GIT_DEPTH: 0"));
        assert!(place("GITHUB_ACTIONS").contains("fetch-depth: 0"));
    }
}
