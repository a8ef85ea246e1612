//! The inputs of a section, read once: template and classified commits.

use std::sync::Arc;

use super::{
    BumpOptions, Changelog, ChangelogRequest, ForgeLookup, History, LoadedConfig, PackageDependencies, RUN_NEXT,
    RangeStart, contributors, history_under, next_in, nothing_to_release, range_end,
};
use crate::{
    document::{InsertOptions, section_template},
    git::{self, Repo},
    model::{Date, Section},
    sources::{classifier::Retention, entries::has_own_words, lookup},
    template::Template,
};

/// The inputs of a section. After them, commits are read only for a template that names contributors.
#[derive(Debug)]
pub struct SectionInputs {
    /// The classified commits.
    pub history: History,
    request: ChangelogRequest,
    template: Arc<Template>,
}

impl SectionInputs {
    /// Reads the inputs for a request.
    ///
    /// # Errors
    /// If the configuration, the template, an end of the range or the walk fails; the message says what to do.
    pub fn read(repo: &Repo, request: ChangelogRequest) -> anyhow::Result<Self> {
        Self::read_under(LoadedConfig::load(repo, &request.config_source)?, repo, request)
    }

    /// Reads the inputs under a configuration that was loaded already, such as that of a package.
    ///
    /// # Errors
    /// If the template, an end of the range or the walk fails.
    pub fn read_under(loaded: LoadedConfig, repo: &Repo, mut request: ChangelogRequest) -> anyhow::Result<Self> {
        range_end::end_at_tag(repo, &loaded, &mut request)?;
        if !request.is_dated
            && let Some(tagged) = tag_date(repo, &request.range.to)?
        {
            request.date = tagged;
        }
        let template = loaded.template(repo, request.template.as_deref())?.into();
        let history = history_under(loaded, repo, &request, Retention::Listed)?.with_trailer_warnings(&request.trailer);
        Ok(Self { history, request, template })
    }

    /// Takes a history that was read under the same configuration, and walks only if the request is about another range.
    ///
    /// # Errors
    /// If the template, an end of the range or the walk fails.
    pub fn from_history(history: History, repo: &Repo, request: ChangelogRequest) -> anyhow::Result<Self> {
        let history = history.for_request(repo, &request)?;
        let template = history.loaded.template(repo, request.template.as_deref())?;
        Ok(Self::new(history, request, template.into()))
    }

    pub(super) fn new(history: History, request: ChangelogRequest, template: Arc<Template>) -> Self {
        Self { history, request, template }
    }

    /// Reads what all sections need at once.
    pub(super) fn prepare(all: &[Self], repo: &Repo) -> anyhow::Result<()> {
        let sections = all.iter().map(|inputs| (&inputs.request, &inputs.history));
        all.first().map_or(Ok(()), |first| contributors::prepare(repo, &first.template, sections))
    }

    /// Reads the unreleased changes, for the section of the next version.
    pub(crate) fn read_next(repo: &Repo, request: ChangelogRequest) -> anyhow::Result<Self> {
        let (loaded, dependencies) = PackageDependencies::for_request(repo, &request)?;
        Self::read_next_under(loaded, &dependencies, request)
    }

    /// Reads the unreleased changes under a configuration that was loaded already, such as that of a package.
    pub(crate) fn read_next_under(
        loaded: LoadedConfig,
        dependencies: &PackageDependencies,
        mut request: ChangelogRequest,
    ) -> anyhow::Result<Self> {
        let (next, history) = next_in(loaded, dependencies, &request, &BumpOptions::default())?;
        request.updates = next.updates;
        request.range.first_release |= history.start == RangeStart::Root;
        request.version = Some(next.version.ok_or_else(|| nothing_to_release(RUN_NEXT))?);
        Self::from_history(history, dependencies.repo(), request)
    }

    /// Makes the section; a lookup completes the people and merge requests that the repository does not know.
    ///
    /// # Errors
    /// If the template fails, or the forge cannot be asked at all.
    pub fn changelog(self, directory: Option<&dyn ForgeLookup>, repo: &Repo) -> anyhow::Result<Changelog> {
        let Self { mut history, request, template } = self;
        let template = match &history.loaded.config.first_release {
            Some(text) if history.start == RangeStart::Root && request.template.is_none() => {
                Arc::new(Template::parse_handlebars(text.clone())?)
            }
            _ => template,
        };
        let mut release = super::changelog::release(repo, &request, &history);
        release.details = contributors::details(repo, (&request, &mut history), &release.categories, &template)?;
        if let Some(directory) = directory {
            let groups = &history.loaded.config.include_groups;
            history.warnings.extend(lookup::look_up_and_apply(&mut release, directory, &history.project, groups)?);
        }
        release.details.new_contributors = contributors::new_contributors(&release.details, &history.start);
        if !has_own_words(&history.project, &history.loaded.config) {
            let entries = release.categories.iter_mut().flat_map(|category| &mut category.entries);
            let people = [&mut release.details.contributors, &mut release.details.new_contributors];
            let people = people.into_iter().flatten().flatten().map(|one| &mut one.merge_request);
            let requests = entries.map(|entry| &mut entry.merge_request).chain(people);
            requests.flatten().for_each(|request| request.label = None);
        }
        let shown_date = request.version.is_some().then(|| release.date.clone());
        let body = if history.loaded.writes_as_gitlab(&history.project) {
            template.render(&release)?
        } else if request.template.is_none() && template.is_section() && history.loaded.leaves_text() {
            Template::section(section_template(history.loaded.entry_style(repo)))?.render_escaped(&release)?
        } else {
            template.render_escaped(&release)?
        };
        let section = Section { version: release.version.clone(), date: shown_date, body };
        let base_tag = history.start.base().map(|base| base.tag.clone());
        let (rule, moves_unreleased) = (history.loaded.config.heading.clone(), !history.loaded.config.keeps_unreleased);
        let (date, opening) = (request.date, template.opening());
        let insertion = InsertOptions { base_tag, moves_unreleased, opening, ..InsertOptions::new(rule, date) };
        Ok(Changelog { history, release, section, insertion })
    }
}

/// Returns the date of the tag that a range ends at, if it ends at one.
fn tag_date(repo: &Repo, to: &str) -> anyhow::Result<Option<Date>> {
    if to == "HEAD" {
        return Ok(None);
    }
    let name = to.strip_prefix("refs/tags/").unwrap_or(to);
    Ok(git::tags::moment(repo, name)?.and_then(Date::from_time))
}
