//! Shards: the part of a list that one of several machines processes.

use crate::model::Problem;

/// Shard `number`, from 1, of `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shard {
    number: usize,
    of: usize,
}

impl Shard {
    /// Parses `3/10`, `auto` or `auto/10`; `variable` reads the environment.
    pub(super) fn parse(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, Problem> {
        let number = |name: &str| variable(name)?.parse().ok();
        let (first, of) = match text.split_once('/') {
            None if text == "auto" => {
                let of = number("CI_NODE_TOTAL").ok_or_else(|| no_total(variable))?;
                return Self { number: number("CI_NODE_INDEX").unwrap_or(1), of }.checked(text);
            }
            None => return Err(malformed(text)),
            Some((first, of)) => (first, of.parse().map_err(|_| malformed(text))?),
        };
        let number = match first {
            // GitLab counts from 1, an indexed Kubernetes job (JOB_COMPLETION_INDEX) from 0.
            "auto" => number("CI_NODE_INDEX").or_else(|| number("JOB_COMPLETION_INDEX")?.checked_add(1)),
            _ => first.parse().ok(),
        };
        Self { number: number.ok_or_else(|| malformed(text))?, of }.checked(text)
    }

    /// Whether the item at an index is in this shard, which has every `of`th item.
    pub(super) fn has(self, index: usize) -> bool {
        index % self.of == self.number - 1
    }

    fn checked(self, text: &str) -> Result<Self, Problem> {
        if (1..=self.of).contains(&self.number) { Ok(self) } else { Err(malformed(text)) }
    }
}

fn malformed(text: &str) -> Problem {
    Problem::usage(format!("`--shard {text}` is not a shard"))
        .hint("use N/M with N from 1 to M, such as `3/10`; `auto` is `CI_NODE_INDEX` or `JOB_COMPLETION_INDEX`")
}

fn no_total(variable: &dyn Fn(&str) -> Option<String>) -> Problem {
    let problem = Problem::usage("`--shard auto` needs `CI_NODE_TOTAL`, which is not set");
    match variable("JOB_COMPLETION_INDEX") {
        Some(_) => problem.hint("use `--shard auto/M`: an indexed job does not know the number of jobs"),
        None => problem.hint("use it in a GitLab job with `parallel: N`, or use `--shard N/M`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, set: &[(&str, &str)]) -> Option<(usize, usize)> {
        let variable = |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        Shard::parse(text, &variable).ok().map(|shard| (shard.number, shard.of))
    }

    #[test]
    fn a_shard_is_given_or_read_from_the_environment() {
        assert_eq!(parse("3/10", &[]), Some((3, 10)));
        assert_eq!(parse("auto", &[("CI_NODE_INDEX", "2"), ("CI_NODE_TOTAL", "4")]), Some((2, 4)));
        assert_eq!(parse("auto", &[("CI_NODE_TOTAL", "1")]), Some((1, 1)));
        assert_eq!(parse("auto/5", &[("JOB_COMPLETION_INDEX", "0")]), Some((1, 5)));
        assert_eq!(parse("3/10", &[("CI_NODE_INDEX", "9"), ("CI_NODE_TOTAL", "9")]), Some((3, 10)));
    }

    #[test]
    fn what_is_not_a_shard_is_refused() {
        for text in ["", "3", "0/10", "11/10", "a/b", "1/0", "-1/3", "auto", "auto/3", "auto/"] {
            assert_eq!(parse(text, &[]), None, "{text}");
        }
        assert_eq!(parse("auto/3", &[("JOB_COMPLETION_INDEX", "3")]), None);
    }

    #[test]
    fn the_shards_together_are_the_list() {
        let shards = (1..=3).map(|number| Shard { number, of: 3 });
        let mut all: Vec<usize> = shards.flat_map(|shard| (0..10).filter(move |index| shard.has(*index))).collect();
        all.sort_unstable();
        assert_eq!(all, (0..10).collect::<Vec<_>>());
    }
}
