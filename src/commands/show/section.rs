//! Sections of this repository, made and written down.

use anyhow::Context as _;
use serde_json::{Value, json};

use super::args::Args;
use crate::{
    commands::{Session, people::ServerLookup, session::Progress},
    git::Repo,
    model::{Category, ProblemKind, kind},
    pipeline::{
        self, Changelog, ChangelogRequest, ConfiguredPackages, DetectedSettings, LoadedConfig, RangeStart,
        SectionInputs,
    },
};

/// What sections are made with.
pub(super) struct SectionBuilder<'a> {
    args: &'a Args,
    repo: &'a Repo,
    session: &'a Session,
    progress: Progress,
}

impl<'a> SectionBuilder<'a> {
    pub(super) fn new(args: &'a Args, repo: &'a Repo, session: &'a Session) -> Self {
        Self { args, repo, session, progress: session.progress() }
    }

    /// The sections of all packages; with `--next` of those that something asks a release of.
    pub(super) fn each_package(&self) -> anyhow::Result<Vec<PackageSection>> {
        let (repo, mut request) = (self.repo, self.request()?);
        let ConfiguredPackages { packages, mut dependencies, warnings } = self
            .progress
            .while_reading(repo, || LoadedConfig::load(repo, &request.settings)?.packages(repo, &request))?;
        self.session.warn(&warnings)?;
        let mut sections = Vec::new();
        for (package, settings) in packages {
            request.settings.package = Some(package.clone());
            let read = |request| {
                if self.args.next {
                    SectionInputs::read_next_under(settings, &dependencies, request)
                } else {
                    SectionInputs::read_under(settings, repo, request)
                }
            };
            match self.read(request.clone(), read) {
                Err(error) if self.args.next && kind(&error) == ProblemKind::NothingToDo => {}
                section => {
                    let section = section.with_context(|| format!("package `{package}`"))?;
                    if self.args.next {
                        dependencies.plan(&package, &section.changelog.release.version.parse()?);
                    }
                    sections.push(section);
                }
            }
        }
        if sections.is_empty() { Err(pipeline::nothing_to_release().into()) } else { Ok(sections) }
    }

    /// The sections of all releases, of each package if those of all are asked for.
    pub(super) fn releases(&self) -> anyhow::Result<Vec<PackageSection>> {
        let (repo, mut request) = (self.repo, self.request()?);
        let settings = LoadedConfig::load(repo, &request.settings)?;
        let packages: Vec<(String, LoadedConfig)> = if self.args.all_packages {
            let package = |name: &str| Ok((name.to_owned(), settings.package(name)?));
            settings.package_names()?.map(package).collect::<anyhow::Result<_>>()?
        } else {
            let detected = pipeline::detected_packages(&settings, repo, &request)?;
            detected.into_iter().map(|package| (package.name, package.settings)).collect()
        };
        let mut sections = Vec::new();
        for (package, settings) in packages {
            request.settings.package = Some(package.clone());
            let own = self.releases_under(&settings, &request);
            sections.extend(own.with_context(|| format!("package `{package}`"))?);
        }
        if sections.is_empty() && !self.args.all_packages {
            return self.releases_under(&settings, &request);
        }
        Ok(sections)
    }

    fn releases_under(
        &self,
        settings: &LoadedConfig,
        request: &ChangelogRequest,
    ) -> anyhow::Result<Vec<PackageSection>> {
        let since = self.args.since.as_ref();
        let read = || pipeline::releases(settings, self.repo, request, since);
        let inputs = self.progress.while_reading(self.repo, read)?;
        inputs.into_iter().map(|inputs| self.make(request.settings.package.clone(), inputs)).collect()
    }

    /// The section of what the options say; of each package if nothing says which, and the tags show only packages.
    pub(super) fn sections(&self) -> anyhow::Result<Vec<PackageSection>> {
        let request = self.request()?;
        let read = if self.args.next { SectionInputs::read_next } else { SectionInputs::read };
        let section = self.read(request.clone(), |request| read(self.repo, request));
        let range = &request.range;
        let is_open = request.version.is_none() && range.from.is_none() && !range.first_release;
        match section {
            Err(error) if is_open && !self.args.next && request.settings.package.is_none() => {
                let sections = self.detected(request)?;
                if sections.is_empty() { Err(error) } else { Ok(sections) }
            }
            section => Ok(vec![section?]),
        }
    }

    /// What is unreleased of each package that the tags show.
    fn detected(&self, mut request: ChangelogRequest) -> anyhow::Result<Vec<PackageSection>> {
        let settings = LoadedConfig::load(self.repo, &request.settings)?;
        let packages = pipeline::detected_packages(&settings, self.repo, &request)?;
        if !packages.is_empty() {
            self.session
                .note("the tags are of several packages, so each has a section; `tidings init` writes them down");
        }
        let section = |package: DetectedSettings| {
            request.settings.package = Some(package.name.clone());
            let read = |request| SectionInputs::read_under(package.settings, self.repo, request);
            self.read(request.clone(), read).with_context(|| format!("package `{}`", package.name))
        };
        packages.into_iter().map(section).collect()
    }

    fn request(&self) -> anyhow::Result<ChangelogRequest> {
        self.args.options.request(self.args.version.as_deref())
    }

    fn read(
        &self,
        request: ChangelogRequest,
        read: impl FnOnce(ChangelogRequest) -> anyhow::Result<SectionInputs>,
    ) -> anyhow::Result<PackageSection> {
        let package = request.settings.package.clone();
        self.make(package, self.progress.while_reading(self.repo, || read(request))?)
    }

    fn make(&self, package: Option<String>, inputs: SectionInputs) -> anyhow::Result<PackageSection> {
        let lookup = ServerLookup(self.session);
        let changelog = inputs.changelog(lookup.if_requested(self.args.options.people), self.repo)?;
        Ok(PackageSection { package, changelog })
    }
}

/// A section, and the package it is of.
pub(super) struct PackageSection {
    package: Option<String>,
    pub(super) changelog: Changelog,
}

impl PackageSection {
    /// The name of its package.
    pub(super) fn package(&self) -> &str {
        self.package.as_deref().unwrap_or_default()
    }

    pub(super) fn text(&self, titled: bool) -> String {
        let package = self.package.as_ref().filter(|_| titled);
        let title = package.map(|package| format!("# {package}\n\n")).unwrap_or_default();
        title + &self.changelog.section.notes()
    }

    /// The answer as one document; [`crate::commands::render`] takes it back as its context.
    pub(super) fn document(&self) -> Value {
        let Changelog { history, release, section, .. } = &self.changelog;
        let entries: Vec<_> = release.categories.iter().flat_map(|category| &category.entries).collect();
        let counted = |category: &Category| json!({ "title": category.title, "count": category.count });
        let mut document = json!({
            "version": release.version,
            "date": release.date,
            "previous_version": release.previous_version,
            "compare_url": release.compare_url,
            "project": release.project,
            "source": history.settings.config.source.name(),
            "base": base(&history.start),
            "from": history.start.commit(),
            "to": history.to,
            "commits": history.range_len,
            "entries": entries,
            "categories": release.categories.iter().map(counted).collect::<Vec<_>>(),
            "notes": section.notes(),
        });
        if let (Value::Object(document), Ok(Value::Object(details))) =
            (&mut document, serde_json::to_value(&release.details))
        {
            document.extend(details);
        }
        if let Some(package) = &self.package {
            document["package"] = package.as_str().into();
        }
        document
    }
}

fn base(start: &RangeStart) -> Value {
    match start {
        RangeStart::Base(base) => json!({ "tag": base.tag, "commit": base.commit, "reason": base.reason }),
        RangeStart::Revision { .. } | RangeStart::Root => Value::Null,
    }
}
