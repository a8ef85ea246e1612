//! The inputs of a release from the repository: its version, its tag, and the source of its notes.

use std::path::{Path, PathBuf};

use super::{
    ReleaseContext, ReleaseRequest,
    edits::{NewDate, NewSection, ReleaseNotes, find_notes, has_released, notes_of},
    present::{PresentVersion, refuse_section_of_other},
};
use crate::{
    document::{Document, InsertOptions},
    git::{
        self, Repo,
        lineage::Lineage,
        merge_base, revision,
        tags::{self, Tag},
    },
    model::{BumpLevel, Oid, Problem, Version, Warning, compare_versions, strftime, without_build},
    pipeline::{
        base::{
            base_tag::{BaseTag, peel_tags},
            estimate::Estimate,
            last_release::last_release,
            tags::Tags,
        },
        changes::{history::History, listed_changes::ListedChanges},
        next::next_version::{NextVersion, RUN_NEXT, next_version, nothing_to_release},
        packages::dependents::NewVersion,
        range::range_start::{self, RangeStart, find_base},
        scope::{Scope, changelog_file, loaded_config::CommitFiles},
        section::inputs::SectionInputs,
    },
    sources::{change_files::Consumption, classifier::Retention},
    version_files::{VersionEdits, workspace::RaisedRequirements},
};

/// The inputs of a release that need neither the remote nor a forge.
#[derive(Debug)]
pub(crate) struct ReleaseInputs<'r> {
    pub(super) resolved: ResolvedVersion<'r>,
    /// The tag, if an earlier run made it.
    pub(super) existing: Option<Tag>,
    /// The released commit, or the tip that it will be made on.
    pub(super) commit: Oid,
    pub(super) version_edits: VersionEdits,
    pub(super) source: NotesSource<'r>,
    /// What a user should know about the history that the version follows from.
    pub(super) remarks: Vec<String>,
    /// The last release of the line, if the version to release is not above it.
    pub(super) above: Option<BaseTag>,
}

impl<'r> ReleaseInputs<'r> {
    /// Reads the inputs. The history that the version follows from also gives the section, and is not walked again.
    pub(crate) fn read(context: &ReleaseContext<'r>, request: &ReleaseRequest) -> anyhow::Result<Self> {
        let repo = context.scope.repo;
        let mut resolved = ResolvedVersion::resolve(context, request)?;
        let mut remarks = resolved.history.as_ref().map(History::remarks).unwrap_or_default();
        let (version, branch) = (&resolved.version, &context.branch);
        remarks.extend(resolved.merged.map(|commit| {
            format!(
                "`{branch}` has {version} without a tag: {} is released, and not what came after it",
                commit.short()
            )
        }));
        let existing = find_tag(context, request, &resolved)?;
        let commit = existing.and_then(|tag| tag.commit).or(resolved.merged).unwrap_or(context.scope.to);
        let is_renewed = request.replace && existing.is_none();
        let config = resolved.history.as_ref().map(History::config);
        let required = config.map_or_else(
            || Ok(RaisedRequirements::default()),
            |config| {
                context.dependencies.raised_requirements(config, resolved.scope.package_name(), &resolved.new_version())
            },
        )?;
        let from_file = if is_renewed { None } else { NotesSource::from_file(&resolved, commit, existing.is_some())? };
        if from_file.is_some() && existing.is_none() {
            refuse_section_of_other(&resolved.scope, &resolved.file, &resolved.version)?;
        }
        let source = from_file.map_or_else(|| NotesSource::from_history(&mut resolved, commit), Ok)?;
        let version_files = resolved.scope.config().version_files.as_slice();
        let version_files = if request.steps.version_files && existing.is_none() { version_files } else { &[] };
        let files = CommitFiles { repo, commit: Some(commit) };
        let version_edits = VersionEdits::plan(version_files, &resolved.version.to_string(), &required, &files)?;
        let is_given = request.version.is_some();
        let above = if existing.is_none() { resolved.find_higher(context.scope.to, is_given)? } else { None };
        Ok(Self { resolved, existing, commit, version_edits, source, remarks, above })
    }
}

/// Finds the tag that an earlier run made: on a commit of the branch that has the section.
fn find_tag(
    context: &ReleaseContext,
    request: &ReleaseRequest,
    resolved: &ResolvedVersion,
) -> anyhow::Result<Option<Tag>> {
    let (repo, branch) = (context.scope.repo, &context.branch);
    let Some(found) = tags::find(repo, &resolved.tag)? else { return Ok(None) };
    let taken = |on: &str, why: &str| tag_is_taken(&resolved.tag, on, why);
    let Some(commit) = found.commit else { return Err(taken(&found.object.short(), "which is not a commit").into()) };
    let on = format!("commit {}", commit.short());
    let is_on_branch = merge_base::is_ancestor(repo, commit, context.scope.to)?
        || is_made_on(repo, commit, context.scope.to)? && context.is_pushed(request, &resolved.tag, found);
    if !is_on_branch {
        return Err(taken(&on, &format!("which is not on `{branch}`")).into());
    }
    if request.steps.commit && find_notes(repo, commit, &resolved.file, &resolved.version)?.is_none() {
        let why = format!("whose `{}` has no section of {}", resolved.file.display(), resolved.version);
        return Err(taken(&on, &why).hint("use `--no-commit` to release the tag as it is").into());
    }
    Ok(Some(found))
}

/// Whether a commit was made directly on another one: a job that is run again checks out the commit that it released, and
/// not the one that it made for the release.
fn is_made_on(repo: &Repo, commit: Oid, tip: Oid) -> anyhow::Result<bool> {
    Ok(revision::first_parent(repo, commit)? == Some(tip))
}

fn tag_is_taken(tag: &str, commit: &str, why: &str) -> Problem {
    Problem::new(format!("the tag `{tag}` is already there, on {commit}, {why}"))
        .hint(format!("release another version, or remove the tag if it is a mistake: `git tag -d {tag}`"))
}

/// The source of the notes.
#[derive(Debug)]
pub(super) enum NotesSource<'r> {
    FromFile(ReleaseNotes, Option<NewDate>, Vec<Warning>),
    /// The section is still to be made.
    Generated(Box<SectionInputs<'r>>),
}

impl<'r> NotesSource<'r> {
    /// Takes the section that the file has at the released commit; `None` if it has none.
    pub(super) fn from_file(resolved: &ResolvedVersion, commit: Oid, is_tagged: bool) -> anyhow::Result<Option<Self>> {
        let mut document = changelog_file::read(resolved.scope.repo, commit, &resolved.file)?;
        let date = if is_tagged { None } else { resolved.new_date(&document) };
        if let Some(date) = &date {
            document = date.write(document);
        }
        let Some(notes) = notes_of(&document, &resolved.version) else { return Ok(None) };
        // What people keep until the release is theirs.
        let is_kept = is_tagged || date.is_some();
        let late = if is_kept { None } else { late_changes(resolved, commit, &notes)? };
        let further = resolved.history.iter().flat_map(|history| history.warnings.clone());
        Ok(Some(Self::FromFile(notes, date, late.into_iter().chain(further).collect())))
    }

    /// Takes the history up to the released commit; reuses the one that the version followed from.
    pub(super) fn from_history(resolved: &mut ResolvedVersion<'r>, commit: Oid) -> anyhow::Result<Self> {
        let mut scope = resolved.scope.clone().ending_at(commit);
        scope.request.range.is_end_open = false;
        let is_for_others = !scope.request.updates.is_empty() || !scope.others_in_group().is_empty();
        let mut inputs = match resolved.history.take() {
            Some(history) => SectionInputs::from_history(history, scope.request)?,
            None => SectionInputs::read(scope)?,
        };
        if let Some(files) = &mut inputs.history.changes {
            files.check()?;
        }
        let package = resolved.scope.package_name().unwrap_or_default();
        let nothing = (inputs.history.has_nothing_for_package() && !is_for_others).then(|| {
            Warning::new(format!("nothing is listed for the package `{package}`"))
                .hint(format!("run `tidings explain --package {package}` to see why"))
        });
        inputs.history.warnings.extend(nothing);
        Ok(Self::Generated(Box::new(inputs)))
    }

    /// Makes the notes, and the section to insert if the file does not have it.
    pub(super) fn make(self, file: &Path) -> anyhow::Result<MadeNotes> {
        Ok(match self {
            Self::FromFile(notes, date, warnings) => {
                MadeNotes { notes, section: None, date, warnings, consumption: Consumption::default() }
            }
            Self::Generated(inputs) => {
                let mut changelog = inputs.changelog()?;
                changelog.take_generated(changelog.history.scope.to, file)?;
                let options = InsertOptions { replace: true, ..changelog.insertion.clone() };
                let consumption = changelog.consumption(changelog.history.scope.to, file, &options)?;
                let new = NewSection { section: changelog.section, options };
                let (notes, warnings) = (ReleaseNotes::from_section(&new.section), changelog.history.warnings);
                MadeNotes { notes, section: Some(new), date: None, warnings, consumption }
            }
        })
    }
}

/// The notes of a release, and what they change in the file.
#[derive(Debug)]
pub(super) struct MadeNotes {
    pub(crate) notes: ReleaseNotes,
    /// The section to insert if the file does not have it.
    pub(super) section: Option<NewSection>,
    /// The date of a section that the file has marked as unreleased.
    pub(super) date: Option<NewDate>,
    pub(crate) warnings: Vec<Warning>,
    /// What happens to the change files that the section lists.
    pub(super) consumption: Consumption,
}

/// The number of changes that a warning names.
const MAX_NAMED: usize = 3;

/// Warns of changes between the commit that introduced the section and the released one, if the notes lack them.
fn late_changes(resolved: &ResolvedVersion, commit: Oid, notes: &ReleaseNotes) -> anyhow::Result<Option<Warning>> {
    let introduced = introducing_commit(resolved, commit)?;
    if introduced == commit {
        return Ok(None);
    }
    let mut scope = resolved.scope.clone().ending_at(commit);
    scope.request.range.from = Some(introduced.to_string());
    scope.request.range.first_release = false;
    let history = History::read(scope, Retention::Listed)?;
    let listed = history.commits().iter().filter(|classified| classified.classification.is_listed());
    // A section that was renewed, or written by hand, has changes that are younger than it.
    let late = listed.filter_map(|classified| classified.commit.as_deref()).filter(|late| {
        let title = late.subject().split_once(": ").map_or(late.subject(), |(_, title)| title);
        let title = title.rsplit_once(" (#").map_or(title, |(title, _)| title).trim();
        let is_there = notes.body.contains(&late.id.short()) || !title.is_empty() && notes.body.contains(title);
        !is_there
    });
    let mut titles: Vec<_> = late.map(|late| format!("{} {}", late.id.short(), late.subject())).collect();
    if titles.is_empty() {
        return Ok(None);
    }
    let further = titles.len().saturating_sub(MAX_NAMED);
    titles.truncate(MAX_NAMED);
    if further > 0 {
        titles.push(format!("and {further} more"));
    }
    let (file, version) = (resolved.file.display(), &resolved.version);
    let titles = titles.join("; ");
    let message = format!("the section of {version} in `{file}` was written before these changes: {titles}");
    Ok(Some(Warning::new(message).hint("use `--replace` to replace the section; manual edits in it are lost")))
}

/// Returns the commit that introduced the section: the oldest of an unbroken line of first parents that have it.
fn introducing_commit(resolved: &ResolvedVersion, mut commit: Oid) -> anyhow::Result<Oid> {
    let repo = resolved.scope.repo;
    while let Some(parent) = revision::first_parent(repo, commit)? {
        if !has_released(repo, parent, &resolved.file, &resolved.version)? {
            break;
        }
        commit = parent;
    }
    Ok(commit)
}

/// The version of a release, and what follows from it.
#[derive(Debug)]
pub(super) struct ResolvedVersion<'r> {
    pub(super) version: Version,
    /// How far it raises the package; `None` if it was given.
    pub(super) level: Option<BumpLevel>,
    pub(super) tag: String,
    /// The tag of the previous release, if there is one.
    pub(super) previous_tag: Option<String>,
    pub(super) file: PathBuf,
    /// How its section is made.
    pub(crate) scope: Scope<'r>,
    /// The tags that count for the release.
    pub(super) tags: Tags,
    /// The history that the version follows from, if none was given.
    pub(super) history: Option<History<'r>>,
    /// The estimate that the version is, if that was not accepted.
    pub(super) estimate: Option<Estimate>,
    /// The commit to tag, if the branch holds the release and its tip is not that commit.
    pub(super) merged: Option<Oid>,
}

impl<'r> ResolvedVersion<'r> {
    /// Takes the given version, else the one that an earlier run, finished or not, made the tip for, else the one that
    /// the branch holds without a tag, else the next one.
    pub(super) fn resolve(context: &ReleaseContext<'r>, request: &ReleaseRequest) -> anyhow::Result<Self> {
        let package = request.changelog.config_source.package.as_deref();
        let (mut scope, file) = (context.scope_of(package)?, context.file_of(package)?);
        let PresentVersion { version: given, commit: merged } = PresentVersion::find(context, request, &scope, &file)?;
        scope = scope.ending_at(merged.unwrap_or(context.scope.to));
        scope.request.version.clone_from(&given);
        let is_said_first = request.changelog.range.first_release || request.bump.initial.is_some();
        let tags = Tags::load(&scope)?;
        let tags = match tags.clone().narrow(&scope) {
            Err(_) if is_said_first => tags,
            narrowed => narrowed?,
        };
        let (version, level, base, history) = if let Some(version) = given {
            if request.version.is_none() {
                range_start::follow_last_release(&mut scope, &tags)?;
            }
            (version, None, find_base(&scope, &tags)?, None)
        } else {
            let (next, mut history) = next_version(scope.clone(), &context.dependencies, &request.bump)?;
            refuse_broken(&next, &mut history)?;
            scope.request.range.first_release = history.start == RangeStart::Root;
            refuse_unlisted(&next, request)?;
            let version = next.version.ok_or_else(|| nothing_to_release(RUN_NEXT))?;
            (version, Some(next.level), next.base, Some(history))
        };
        let tag = if let Some(tag) = &request.tag {
            tag.clone()
        } else {
            let next = BaseTag::next(base.as_ref(), scope.config(), &version);
            next.ok_or_else(|| unclear_tag(base.as_ref(), &version))?
        };
        let config = history.as_ref().map_or(scope.config(), History::config);
        scope.request.updates = context.dependencies.updates(config, base.as_ref())?.updates;
        // A first release has the whole history, also when its version is given and its tag is there.
        let mut others = tags.names.iter().filter(|name| **name != tag).peekable();
        if scope.request.range.from.is_none() && !scope.request.range.first_release {
            if others.peek().is_some() && !is_said_first {
                tags.has_no_release(scope.config())?;
            }
            scope.request.range.first_release = others.all(|name| tags.version(name).is_none());
        }
        scope.request.version = Some(version.clone());
        scope.request.tag = Some(tag.clone());
        let base = if scope.request.range.pre_releases && history.is_some() {
            find_base(&scope, &Tags::for_range(&scope)?)?
        } else {
            base
        };
        let previous_tag = base.map(|base| base.tag);
        let estimate = history.as_ref().and_then(|history| history.estimate.clone());
        let estimate = estimate.filter(|_| !request.accepts_estimate);
        Ok(Self { version, level, tag, previous_tag, file, scope, tags, history, estimate, merged })
    }
}

/// Fails if there is nothing to release beside a change file that cannot be read.
fn refuse_broken(next: &NextVersion, history: &mut History) -> Result<(), Problem> {
    history.changes.as_mut().filter(|_| next.version.is_none()).map_or(Ok(()), ListedChanges::check)
}

/// Fails if an estimate is accepted and nothing that it is for would be in the section.
fn refuse_unlisted(next: &NextVersion, request: &ReleaseRequest) -> Result<(), Problem> {
    let lists_nothing = next.estimate.as_ref().is_some_and(|estimate| estimate.lists_nothing);
    if request.accepts_estimate && lists_nothing {
        return Err(nothing_to_release("choose a part of the version with `--level` to release what is not listed"));
    }
    Ok(())
}

impl ResolvedVersion<'_> {
    fn new_version(&self) -> NewVersion {
        NewVersion { version: self.version.semver().clone(), level: self.level }
    }

    /// Finds the last release of the line of history that `tip` is on, if the version is not above it. Another build of
    /// the same version may follow it. A given version may also follow an earlier release in the history of `tip`, if the
    /// higher ones are not in that history.
    fn find_higher(&self, tip: Oid, is_given: bool) -> anyhow::Result<Option<BaseTag>> {
        let repo = self.scope.repo;
        let tags = self.tags.clone().narrow_to_family(&self.scope.clone().ending_at(tip))?;
        let version = self.version.to_string();
        let is_above = |last: &str| {
            compare_versions(&version, last).is_gt()
                || last != version && without_build(last) == without_build(&version)
        };
        let Some(last) = last_release(repo, &tags, tip)?.filter(|last| !is_above(&last.version)) else {
            return Ok(None);
        };
        if !is_given || last.parted_at.is_none() {
            return Ok(Some(last));
        }
        let stable = peel_tags(repo, tags.stable())?;
        let commits: Vec<Oid> = stable.iter().map(|(_, commit)| *commit).collect();
        let lineages = git::lineage::lineage(repo, tip, &commits)?;
        let highest = stable.iter().zip(lineages).find(|(_, lineage)| *lineage == Lineage::Contained);
        Ok(Some(last).filter(|_| highest.is_none_or(|((tag, _), _)| !is_above(&tag.version))))
    }
}

impl ResolvedVersion<'_> {
    /// Returns the date for the section of the version if the document has it marked as unreleased.
    fn new_date(&self, document: &Document) -> Option<NewDate> {
        let (config, version) = (self.scope.config(), self.version.to_string());
        let is_pending = !config.is_gitlab_file && document.is_pending(&version);
        let date = self.scope.request.date;
        is_pending.then(|| NewDate { version, date, text: strftime(&date, config.date_format()) })
    }
}

fn unclear_tag(base: Option<&BaseTag>, version: &Version) -> Problem {
    let base = base.map(|base| base.tag.as_str()).unwrap_or_default();
    Problem::usage(format!("the tag before {version} is `{base}`, which does not show how tags are named"))
        .hint("use `--tag` to name the tag")
}
