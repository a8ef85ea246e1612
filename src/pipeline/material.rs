//! What a section is made of, read once: template and judged commits.

use super::{Changelog, Directory, History, Request, Settings, Start, Wish, history_under, next, nothing, people};
use crate::{
    changelog::{judged::Keep, template::Template},
    git::Repo,
    model::Section,
};

/// All that a section takes of the history; making it reads no commit any more.
#[derive(Debug)]
pub struct Material {
    /// The judged commits.
    pub history: History,
    request: Request,
    template: Template,
}

impl Material {
    /// Reads what a request asks for.
    ///
    /// # Errors
    ///
    /// Where the settings, the template, an end of the range or the walk fails; the message says what to do.
    pub fn read(repo: &Repo, request: Request) -> anyhow::Result<Self> {
        let settings = Settings::load(repo, &request.settings)?;
        let template = settings.template(repo, request.template.as_deref())?;
        let history = history_under(settings, repo, &request, Keep::Listed)?.advised(&request.trailer);
        Ok(Self { history, request, template })
    }

    /// Takes a history that was read under the same settings, and walks only where the request is about another range.
    ///
    /// # Errors
    ///
    /// As [`Material::read`].
    pub fn of(history: History, repo: &Repo, request: Request) -> anyhow::Result<Self> {
        let template = history.settings.template(repo, request.template.as_deref())?;
        let history = history.turned_to(repo, &request)?;
        Ok(Self { history, request, template })
    }

    /// Reads what is unreleased, for the section of the next version.
    ///
    /// # Errors
    ///
    /// As [`next`], and [`crate::model::Kind::Nothing`] where nothing asks for a release.
    pub fn of_next(repo: &Repo, mut request: Request) -> anyhow::Result<Self> {
        let (next, history) = next(repo, &request, &Wish::default())?;
        request.ends.first_release |= history.start == Start::Beginning;
        request.version = Some(next.version.ok_or_else(nothing)?);
        Self::of(history, repo, request)
    }

    /// Makes the section. A directory is asked for what the repository does not tell of people and merge requests.
    ///
    /// # Errors
    ///
    /// Where the template fails, or the directory cannot be asked at all.
    pub fn changelog(self, directory: Option<&dyn Directory>, repo: &Repo) -> anyhow::Result<Changelog> {
        let Self { mut history, request, template } = self;
        let mut release = super::release(repo, &request, &history);
        if let Some(directory) = directory {
            let groups = &history.settings.config.include_groups;
            history.warnings.extend(people::complete(&mut release, directory, &history.project, groups)?);
        }
        let date = request.version.is_some().then(|| release.date.clone());
        let section = Section { version: release.version.clone(), date, body: template.render(&release)? };
        Ok(Changelog { history, release, section })
    }
}
