//! The tags that are not read as versions: whether there was a release all the same, and what reads them.

use super::tags::Tags;
use crate::{
    config::Config,
    git::{self, lineage::Lineage},
    model::{Oid, Problem, Warning, pluralize},
    pipeline::scope::Scope,
    versions::{
        tag_families, tag_names,
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
    /// If several of them are releases since the base tag: that is from before the project changed the form of its tags. Or
    /// if one is a later release of the same version.
    pub(crate) fn warn_unread(&self, scope: &Scope, base: &str) -> anyhow::Result<Option<Warning>> {
        let config = scope.config();
        let odd = self.unread(config);
        if odd.is_empty() {
            return Ok(None);
        }
        let newest = newest_tags(scope, odd.iter().copied(), base)?;
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
        let own = self.pattern.stable_version(base).unwrap_or_default();
        let revision = newest.iter().find(|tag| tag_shapes::is_revision_of(&tag[prefix.len()..], &own));
        if let Some(revision) = revision.filter(|_| config.tag_regex.is_none()) {
            let message = format!(
                "`{revision}` is a later release of the base tag `{base}`, and letters behind a version are not read"
            );
            return Err(Problem::new(message).hint(format!("start after it with `--from {revision}`")).into());
        }
        let message = format!(
            "`{last}` is newer than the base tag `{base}` but is not a version tag, like {} of {}",
            odd.len(),
            pluralize(self.names.len(), "tag"),
        );
        Ok(Some(
            Warning::new(message)
                .hint(config.init_or("set `tag_regex`, `versioning` or `tag_prefix` in the configuration")),
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
                || tag_names::family(tag).is_some_and(is_named);
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

/// Whether a name that is not read could be meant as a version: two numbers with a dot or `_` between.
fn looks_like_version(tag: &str) -> bool {
    let is_sign = |letter: char| ['.', '_'].contains(&letter);
    tag.split(|letter: char| !letter.is_ascii_digit() && !is_sign(letter)).any(|run| {
        let mut numbers = run.split(is_sign).filter(|number| !number.is_empty());
        numbers.next().is_some() && numbers.next().is_some()
    })
}

/// Returns the newest tags since the base tag, newest first, that are of the line of the scope's end: in its history, or
/// on a branch that left it after the base tag, or where the branch of that one did.
fn newest_tags<'a>(scope: &Scope, tags: impl Iterator<Item = &'a str>, base: &str) -> anyhow::Result<Vec<&'a str>> {
    let (repo, tags) = (scope.repo, tags.collect::<Vec<_>>());
    let since = git::tags::dates(repo, [base])?[0].map_or(0, |date| date + 1);
    let dates = git::tags::dates(repo, tags.iter().copied())?;
    let mut by_date: Vec<(&str, u64)> = tags
        .into_iter()
        .zip(dates)
        .filter_map(|(tag, date)| Some((tag, date.filter(|date| *date >= since)?)))
        .collect();
    by_date.sort_by_key(|(_, date)| std::cmp::Reverse(*date));
    by_date.truncate(2 * tag_families::NEWEST);
    let Some(start) = git::tags::peel(repo, base)?.filter(|_| !by_date.is_empty()) else { return Ok(Vec::new()) };
    let (mut found, mut commits) = (Vec::new(), vec![start]);
    for (tag, _) in by_date {
        if let Some(commit) = git::tags::peel(repo, tag)? {
            found.push(tag);
            commits.push(commit);
        }
    }
    let mut lineages = git::lineage::lineage(repo, scope.to, &commits)?.into_iter();
    let own = lineages.next();
    let lineages: Vec<Lineage> = lineages.collect();
    let points: Vec<Oid> = lineages.iter().flat_map(parted_at).copied().collect();
    let mut after = match own {
        Some(Lineage::Contained) => git::lineage::at_or_after(repo, &[start], scope.to, &points)?,
        _ => vec![false; points.len()],
    }
    .into_iter();
    let is_of_line = lineages.iter().map(|lineage| {
        let points = parted_at(lineage);
        let is_after = after.by_ref().take(points.len()).zip(points).any(|(after, point)| after && *point != start);
        *lineage == Lineage::Contained || own.as_ref() == Some(lineage) || is_after
    });
    Ok(found
        .into_iter()
        .zip(is_of_line.collect::<Vec<_>>())
        .filter(|(_, counts)| *counts)
        .map(|(tag, _)| tag)
        .collect())
}

fn parted_at(lineage: &Lineage) -> &[Oid] {
    if let Lineage::Parted { at } = lineage { at } else { &[] }
}
