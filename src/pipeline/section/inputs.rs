//! The inputs of a section, read once: template and classified commits.

use std::sync::Arc;

use super::{changelog::Changelog, contributors, submodules::SubmoduleChanges};
use crate::{
    document::InsertOptions,
    git::{self, Repo},
    model::{Date, Release, Section, is_code_fence},
    pipeline::{
        changes::history::History,
        next::{
            next_version::{NextVersion, RUN_NEXT, next_version, nothing_to_release},
            version_counter::BumpOptions,
        },
        packages::{configured::ConfiguredPackages, dependents::PackageDependencies},
        range::range_start::RangeStart,
        scope::{Scope, request::ChangelogRequest},
    },
    sources::{classifier::Retention, entries::has_own_words, lookup},
    template::{Template, with_titles_escaped},
};

/// The inputs of a section. After them, commits are read only for a template that names contributors.
#[derive(Debug)]
pub(crate) struct SectionInputs<'r> {
    /// The classified commits.
    pub history: History<'r>,
    template: Arc<Template>,
}

impl<'r> SectionInputs<'r> {
    /// Reads the inputs of a scope.
    ///
    /// # Errors
    /// If the template, an end of the range or the walk fails; the message says what to do.
    pub(crate) fn read(scope: Scope<'r>) -> anyhow::Result<Self> {
        let mut scope = scope.end_at_tag()?;
        if !scope.request.is_dated
            && let Some(tagged) = tag_date(scope.repo, &scope.request.range.to)?
        {
            scope.request.date = tagged;
        }
        let template = scope.template()?.into();
        let history = History::read(scope, Retention::Listed)?.with_trailer_warnings();
        Ok(Self { history, template })
    }

    /// Takes a history that was read under the same configuration, and walks only if the request is about another range.
    ///
    /// # Errors
    /// If the template, an end of the range or the walk fails.
    pub(crate) fn from_history(history: History<'r>, request: ChangelogRequest) -> anyhow::Result<Self> {
        let history = history.for_request(request)?;
        let template = history.scope.template()?.into();
        Ok(Self { history, template })
    }

    pub(super) fn new(history: History<'r>, template: Arc<Template>) -> Self {
        Self { history, template }
    }

    /// Reads the unreleased changes, for the section of the next version.
    ///
    /// # Errors
    /// If no change asks for a release, and as [`Self::read`].
    pub(crate) fn read_next(scope: Scope<'r>, dependencies: &PackageDependencies) -> anyhow::Result<Self> {
        let request = scope.request.clone();
        let (next, history) = next_version(scope, dependencies, &BumpOptions::default())?;
        Self::of_next(next, history, request)
    }

    fn of_next(next: NextVersion, history: History<'r>, mut request: ChangelogRequest) -> anyhow::Result<Self> {
        request.updates = next.updates;
        request.range.first_release = history.start == RangeStart::Root;
        request.version = Some(next.version.ok_or_else(|| nothing_to_release(RUN_NEXT))?);
        Self::from_history(history, request)
    }

    /// Makes the section.
    ///
    /// # Errors
    /// If the template fails, or the forge cannot be asked at all.
    pub(crate) fn changelog(self) -> anyhow::Result<Changelog<'r>> {
        let Self { mut history, template } = self;
        let is_template_given = history.scope.request.template.is_some();
        let template = match &history.config().first_release {
            Some(text) if history.start == RangeStart::Root && !is_template_given => {
                Arc::new(Template::parse_handlebars(text.clone())?)
            }
            _ => template,
        };
        let mut release = super::changelog::release(&mut history)?;
        release.details = contributors::details(&mut history, &release.categories, &template)?;
        if let Some(forge) = history.scope.request.forge.clone().filter(|_| history.scope.request.people) {
            let groups = &history.config().include_groups;
            let warnings = lookup::look_up_and_apply(&mut release, &*forge, history.project(), groups)?;
            history.warnings.extend(warnings);
        }
        release.details.new_contributors = contributors::new_contributors(&release.details, &history.start);
        if !has_own_words(history.project(), history.config()) {
            let entries = release.categories.iter_mut().flat_map(|category| &mut category.entries);
            let people = [&mut release.details.contributors, &mut release.details.new_contributors];
            let people = people.into_iter().flatten().flatten().map(|one| &mut one.merge_request);
            let requests = entries.map(|entry| &mut entry.merge_request).chain(people);
            requests.flatten().for_each(|request| request.label = None);
        }
        if history.config().lists_submodules {
            let submodules = SubmoduleChanges::read(&history)?;
            release.categories.extend(submodules.categories);
            history.warnings.extend(submodules.warnings);
        }
        let scope = &history.scope;
        let shown_date = scope.request.version.is_some().then(|| release.date.clone());
        let body = if scope.writes_as_gitlab() {
            template.render(&release)?
        } else if !is_template_given && template.is_section() && scope.leaves_text() {
            match scope.entry_style() {
                Some(style) => {
                    let style = if scope.config().groups_by_scope { style.with_headings() } else { style.clone() };
                    with_titles_escaped(&mut release, |_| false, |release| style.body(release))
                }
                None => usual_body(&mut release)?,
            }
        } else {
            template.render_escaped(&mut release)?
        };
        let section = Section { version: release.version.clone(), date: shown_date, body };
        let base_tag = history.start.base().map(|base| base.tag.clone());
        let (rule, moves_unreleased) = (scope.config().heading.clone(), !scope.config().keeps_unreleased);
        let (date, opening) = (scope.request.date, template.opening());
        let insertion = InsertOptions { base_tag, moves_unreleased, opening, ..InsertOptions::new(rule, date) };
        Ok(Changelog { history, release, section, insertion })
    }
}

/// Writes the built-in section, with the titles of categories alone.
fn usual_body(release: &mut Release) -> anyhow::Result<String> {
    let body = Template::without_counts()?.render_escaped(release)?;
    let has_bodies = release.categories.iter().flat_map(|category| &category.entries).any(|entry| entry.body.is_some());
    Ok(if has_bodies { with_single_blanks(&body) } else { body })
}

impl<'r> ConfiguredPackages<'r> {
    /// Reads the unreleased changes of each package that is due for a release, for the section of its next version.
    ///
    /// # Errors
    /// Of a package, if its range or its template cannot be read; the message names the package.
    pub(crate) fn next_sections(mut self) -> impl Iterator<Item = anyhow::Result<SectionInputs<'r>>> {
        self.dependencies.plan_circles(&BumpOptions::default());
        let read = self.each(|scope, dependencies| {
            let request = scope.request.clone();
            let (next, history) = next_version(scope, dependencies, &BumpOptions::default())?;
            let Some(new) = next.new_version() else { return Ok((None, None)) };
            Ok((Some(SectionInputs::of_next(next, history, request)?), Some(new)))
        });
        read.filter_map(|read| read.map(|(_, inputs)| inputs).transpose())
    }
}

/// Returns a section without empty lines that follow another one, as they do after the body of the last entry of a
/// category. Those in code stay.
fn with_single_blanks(section: &str) -> String {
    let (mut is_code, mut was_blank) = (false, false);
    let mut text = String::with_capacity(section.len());
    for line in section.split_inclusive('\n') {
        is_code ^= is_code_fence(line);
        let is_blank = line.trim().is_empty();
        if !(is_blank && was_blank) || is_code {
            text += line;
        }
        was_blank = is_blank;
    }
    text
}

/// Returns the date of the tag that a range ends at, if it ends at one.
fn tag_date(repo: &Repo, to: &str) -> anyhow::Result<Option<Date>> {
    if to == "HEAD" {
        return Ok(None);
    }
    let name = to.strip_prefix("refs/tags/").unwrap_or(to);
    Ok(git::tags::moment(repo, name)?.and_then(Date::from_time))
}
