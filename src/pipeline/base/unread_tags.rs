//! The tags that are not read as versions: whether there was a release all the same, and what reads them.

use super::tags::Tags;
use crate::{
    config::Config,
    git::{self, lineage::Lineage},
    model::{Oid, Problem, Warning, pluralize},
    pipeline::scope::Scope,
    versions::{
        tag_pattern,
        tag_shapes::{self, looks_like_release},
    },
};

/// So many releases that are not read are no oversight.
const SEVERAL: usize = 3;

impl Tags {
    /// Whether there is no release yet: no tag is a stable version, and none is of a package that was not named.
    ///
    /// # Errors
    /// If tags look like releases and none can be read as a version: the project was released, and its next release is
    /// not its first.
    pub(crate) fn has_no_release(&self, config: &Config) -> Result<bool, Problem> {
        if self.names.iter().any(|tag| self.pattern.stable_version(tag).is_some() || config.package_of(tag).is_some()) {
            return Ok(false);
        }
        if self.names.iter().any(|tag| self.version(tag).is_some()) {
            return Ok(true);
        }
        let own = config.tag_prefix.as_ref().map_or(0, String::len);
        // After a configured prefix another word is the name of something else.
        let is_meant = |tag: &&str| {
            if own > 0 {
                tag[own..].trim_start_matches(['v', 'V']).starts_with(|sign: char| sign.is_ascii_digit())
            } else {
                looks_like_release(tag)
            }
        };
        let unread = || self.names.iter().map(String::as_str).filter(is_meant);
        let Some(last) = unread().next_back() else { return Ok(true) };
        let count = unread().count();
        let message = match count {
            1 => format!("the tag `{last}` looks like a release, but is not read as a version"),
            _ => format!("{count} tags look like releases, such as `{last}`, but none is read as a version"),
        };
        let problem = Problem::new(message).hint(regex_hint(unread()));
        Err(problem.hint("use `--first-release` if nothing was released so far"))
    }

    /// Warns of tags that are not read as versions if one of them is newer than the base tag. Tags of other packages
    /// are not meant to be read.
    ///
    /// # Errors
    /// If several of them are releases since the base tag: that is from before the project changed the form of its tags.
    pub(crate) fn warn_unread(&self, scope: &Scope, base: &str) -> anyhow::Result<Option<Warning>> {
        let config = scope.config();
        let odd = self.unread(config);
        if odd.is_empty() {
            return Ok(None);
        }
        let since = git::tags::dates(scope.repo, [base])?[0].map_or(0, |date| date + 1);
        let newest = newest_tags(scope, odd.iter().copied(), since)?;
        let newest: Vec<&str> = newest.into_iter().filter(|(_, inside)| *inside).map(|(tag, _)| tag).collect();
        let Some(last) = newest.first() else { return Ok(None) };
        let prefix = self.family.as_deref().or(config.tag_prefix.as_deref()).unwrap_or_default();
        let releases: Vec<&str> =
            newest.iter().copied().filter(|tag| tag_shapes::is_release(&tag[prefix.len()..])).collect();
        if config.tag_regex.is_none() && releases.len() >= SEVERAL {
            let message = format!(
                "`{}` is newer than the base tag `{base}` and looks like a release, but is not read as a version, like {}",
                releases[0],
                pluralize(releases.len() - 1, "other release"),
            );
            let hint = "or start after a tag with `--from`";
            return Err(Problem::new(message).hint(regex_hint(releases.into_iter())).hint(hint).into());
        }
        let message = format!(
            "`{last}` is newer than the base tag `{base}` but is not a version tag, like {} of {}",
            odd.len(),
            pluralize(self.names.len(), "tag"),
        );
        Ok(Some(
            Warning::new(message)
                .hint("run `tidings init`, or set `tag_regex`, `versioning` or `tag_prefix` in the configuration"),
        ))
    }

    /// Returns the tags that could be meant as versions of their own and are not read as such.
    fn unread(&self, config: &Config) -> Vec<&str> {
        let own = config.tag_prefix.as_ref().map_or(0, String::len);
        let others: Vec<&str> = config.packages.values().map(|other| other.tag_prefix.as_str()).collect();
        // With a prefix such as `app-`, the tags of `app-cli-1.0.0` are those of something else.
        let is_named =
            |family: &str| own > 0 && family.get(own..).is_some_and(|rest| rest.contains(char::is_alphabetic));
        let names = self.names.iter().map(String::as_str).filter(|tag| !self.is_read(tag));
        let names = names.filter(|tag| {
            let is_of_another = others.iter().any(|prefix| prefix.len() > own && tag.starts_with(prefix))
                || tag_pattern::family(tag).is_some_and(is_named);
            looks_like_version(tag) && !is_of_another
        });
        names.collect()
    }
}

/// Returns the hint on how to read tags as versions.
fn regex_hint<'a>(tags: impl Iterator<Item = &'a str>) -> String {
    let regex = tag_shapes::propose_regex(tags).map(|regex| format!(": '{regex}'")).unwrap_or_default();
    format!("set `tag_regex{regex}` in the configuration to read them")
}

/// Returns the hint for a tag that does not count because it is of a package that was not named.
pub(crate) fn package_hint(tag: &str, config: &Config) -> Option<String> {
    let package = config.package_of(tag)?;
    Some(format!("`{tag}` is of the package `{package}`: name it with `--package {package}`"))
}

/// Whether a name that is not read could be meant as a version: two numbers with a dot between.
fn looks_like_version(tag: &str) -> bool {
    tag.split(|letter: char| !letter.is_ascii_digit() && letter != '.').any(|run| {
        let mut numbers = run.split('.').filter(|number| !number.is_empty());
        numbers.next().is_some() && numbers.next().is_some()
    })
}

/// Returns the newest tags since a date, newest first, and whether each is in the history of the scope's end.
fn newest_tags<'a>(
    scope: &Scope,
    tags: impl Iterator<Item = &'a str>,
    since: u64,
) -> anyhow::Result<Vec<(&'a str, bool)>> {
    let tags: Vec<&str> = tags.collect();
    let dates = git::tags::dates(scope.repo, tags.iter().copied())?;
    let mut by_date: Vec<(&str, u64)> = tags
        .into_iter()
        .zip(dates)
        .filter_map(|(tag, date)| Some((tag, date.filter(|date| *date >= since)?)))
        .collect();
    by_date.sort_by_key(|(_, date)| std::cmp::Reverse(*date));
    by_date.truncate(2 * tag_pattern::NEWEST);
    let mut found = Vec::new();
    for (tag, _) in by_date {
        found.extend(git::tags::peel(scope.repo, tag)?.map(|commit| (tag, commit)));
    }
    let commits: Vec<Oid> = found.iter().map(|(_, commit)| *commit).collect();
    let lineages = git::lineage::lineage(scope.repo, scope.to, &commits)?;
    let is_contained = lineages.into_iter().map(|lineage| lineage == Lineage::Contained);
    Ok(found.into_iter().map(|(tag, _)| tag).zip(is_contained).collect())
}
