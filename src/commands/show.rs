//! `tidings show`: prints the section of a version.

use std::io::Write as _;

use anyhow::Context as _;
use serde_json::{Value, json};

use super::{
    ChangelogArgs, Session,
    changelog_args::parse_version,
    completions,
    history_report::{self, PackageMessages, no_entries, nothing_listed},
    hosted,
    people::ServerLookup,
};
use crate::{
    git::Repo,
    model::{Category, Problem, ProblemKind, Version, kind},
    pipeline::{self, Changelog, ChangelogRequest, ConfiguredPackages, LoadedConfig, SectionInputs},
};

/// Print the changelog section of a version, or of what is unreleased.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Args {
    /// Version of the section [default: the changes since the last stable tag].
    #[arg(value_name = "VERSION", add = completions::tags())]
    pub(super) version: Option<String>,
    /// Use the version printed by `tidings next` as the heading.
    #[arg(long, conflicts_with = "version")]
    pub(super) next: bool,
    /// Print the unreleased changes and the section of every release, newest first.
    #[arg(long, conflicts_with_all = ["version", "next", "compare_local", "from", "first_release"])]
    pub(super) all: bool,
    /// With `--all`, skip versions below this one.
    #[arg(long, value_name = "VERSION", requires = "all", value_parser = parse_version)]
    pub(super) since: Option<Version>,
    #[command(flatten)]
    pub(super) options: ChangelogArgs,
    /// Print the section of every package in the configuration.
    #[arg(long, conflicts_with_all = ["package", "compare_local"])]
    pub(super) all_packages: bool,
    /// Exit with code 5 if the section has no entries.
    #[arg(long)]
    pub(super) fail_on_empty: bool,
    /// With `--project`, also generate the section locally, print the diff, and exit with code 3 if the two differ.
    #[arg(long)]
    compare_local: bool,
}

const EXAMPLES: &str = "\
Examples:
  tidings show                          the changes since the last stable tag
  tidings show 1.2.0                    the section of version 1.2.0
  tidings show --next                   the section of the next version
  tidings show 1.2.0 --to release-1.2   the section on another branch
  tidings show --all                    every release and what is unreleased
  tidings show --all --since 1.0.0      every release since 1.0.0
  tidings show --first-release          the whole history as one section
  tidings show 1.2.0 --package api      the section of a package
  tidings show --next --all-packages    every package that is due for a release
  tidings show 1.2.0 --format json      the section as JSON
  tidings show 1.2.0 --project a/b      the section that the server generates
  tidings show 1.2.0 --project a/b --compare-local";

pub(crate) fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let hosted = session.global.server.project.is_some();
    match &args.version {
        _ if hosted && args.all_packages => {
            Err(Problem::usage("`--all-packages` cannot be used with `--project`: a server has no packages").into())
        }
        Some(version) if hosted && args.compare_local => hosted::compare(version, &args.options, session),
        Some(version) if hosted => {
            let notes = hosted::section(version, &args.options, session)?;
            hosted::print(version, &notes, session)?;
            if args.fail_on_empty { Ok(hosted::refuse_empty(&notes)?) } else { Ok(()) }
        }
        None if hosted && args.all => Err(Problem::usage("`--all` cannot be used with `--project`")
            .hint("run `tidings show --all --repo URL` to generate the sections without a clone")
            .into()),
        None if hosted && args.next => Err(Problem::usage("`--next` cannot be used with `--project`")
            .hint("run `tidings next --repo URL` to find it without a clone, then name it")
            .into()),
        None if hosted => Err(Problem::usage("a version is required with `--project`")
            .hint("name one, such as `tidings show 1.2.0 --project group/app`")
            .into()),
        _ if args.compare_local => {
            Err(Problem::usage("`--compare-local` requires `--project`, to have something to compare with").into())
        }
        _ => local(args, session),
    }
}

fn local(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let repo = session.whole_repo()?;
    let making = SectionBuilder { args, repo: &repo, session };
    let sections = match args {
        Args { all: true, .. } => making.releases()?,
        Args { all_packages: true, .. } => making.package_sections()?,
        _ => making.sections()?,
    };
    if (args.all_packages || sections.len() > 1) && !args.all {
        let mut messages = PackageMessages::default();
        for section in &sections {
            let Changelog { history, release, .. } = &section.changelog;
            messages.add(section.package(), history, !release.categories.is_empty());
        }
        messages.print(session, ("show", args.all_packages))?;
    } else {
        history_report::print_once(sections.iter().map(|section| &section.changelog.history), session)?;
    }
    let listed = sections.iter().find(|section| !section.changelog.release.categories.is_empty());
    if let Some(section) = listed.filter(|_| args.options.host.is_none()) {
        history_report::note_assumed_forge(&section.changelog.history, &repo, session);
    }
    if let ([PackageSection { changelog, .. }], false) = (sections.as_slice(), args.all)
        && changelog.release.categories.is_empty()
        && changelog.history.warnings.is_empty()
    {
        session.note(&nothing_listed(&changelog.history));
    }
    if session.json() {
        match sections.as_slice() {
            [section] if !args.all_packages && !args.all => session.out.json(&section.document())?,
            sections => session.out.json(&sections.iter().map(PackageSection::document).collect::<Vec<_>>())?,
        }
    } else {
        let has_titles = args.all_packages || sections.windows(2).any(|pair| pair[0].package() != pair[1].package());
        let mut last = None;
        let mut text = |section: &PackageSection| {
            let is_titled =
                has_titles && last.replace(section.package().to_owned()).as_deref() != Some(section.package());
            section.text(is_titled)
        };
        let text: Vec<String> = sections.iter().map(&mut text).collect();
        session.out.bytes().write_all(text.join("\n").as_bytes())?;
    }
    let is_empty = sections.iter().all(|section| section.changelog.release.categories.is_empty());
    session.free_at_exit(sections);
    if args.fail_on_empty && is_empty {
        return Err(no_entries().into());
    }
    Ok(())
}

/// The arguments, the repository and the session that sections are made with.
struct SectionBuilder<'a> {
    args: &'a Args,
    repo: &'a Repo,
    session: &'a Session,
}

impl SectionBuilder<'_> {
    /// Returns the sections of all packages; with `--next` only of the packages that are due for a release.
    fn package_sections(&self) -> anyhow::Result<Vec<PackageSection>> {
        let (repo, mut request) = (self.repo, self.request()?);
        let ConfiguredPackages { packages, mut dependencies, warnings } = self
            .session
            .progress()
            .while_reading(repo, || LoadedConfig::load(repo, &request.config_source)?.packages(repo, &request))?;
        self.session.warn(&warnings)?;
        let mut sections = Vec::new();
        for (package, loaded) in packages {
            request.config_source.package = Some(package.clone());
            let read = |request| {
                if self.args.next {
                    SectionInputs::read_next_under(loaded, &dependencies, request)
                } else {
                    SectionInputs::read_under(loaded, repo, request)
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
        if sections.is_empty() { Err(pipeline::nothing_to_release(pipeline::RUN_NEXT).into()) } else { Ok(sections) }
    }

    /// Returns the sections of all releases; of each package with `--all-packages` or if only packages have tags.
    fn releases(&self) -> anyhow::Result<Vec<PackageSection>> {
        let (repo, mut request) = (self.repo, self.request()?);
        let loaded = LoadedConfig::load(repo, &request.config_source)?;
        let packages: Vec<(String, LoadedConfig)> = if self.args.all_packages {
            let package = |name: &str| Ok((name.to_owned(), loaded.package(name)?));
            loaded.package_names()?.map(package).collect::<anyhow::Result<_>>()?
        } else {
            pipeline::detected_packages(&loaded, repo, &request)?
        };
        let mut sections = Vec::new();
        for (package, loaded) in packages {
            request.config_source.package = Some(package.clone());
            let own = self.releases_under(&loaded, &request);
            sections.extend(own.with_context(|| format!("package `{package}`"))?);
        }
        if sections.is_empty() && !self.args.all_packages {
            return self.releases_under(&loaded, &request);
        }
        Ok(sections)
    }

    fn releases_under(&self, loaded: &LoadedConfig, request: &ChangelogRequest) -> anyhow::Result<Vec<PackageSection>> {
        let since = self.args.since.as_ref();
        let read = || pipeline::releases(loaded, self.repo, request, since);
        let inputs = self.session.progress().while_reading(self.repo, read)?;
        inputs.into_iter().map(|inputs| self.make(request.config_source.package.clone(), inputs)).collect()
    }

    /// Returns the section that the options ask for. If they name no range and no package, and only packages have
    /// tags, returns a section for each package.
    fn sections(&self) -> anyhow::Result<Vec<PackageSection>> {
        let request = self.request()?;
        let read = if self.args.next { SectionInputs::read_next } else { SectionInputs::read };
        let section = self.read(request.clone(), |request| read(self.repo, request));
        let range = &request.range;
        let is_open = request.version.is_none() && range.from.is_none() && !range.first_release;
        match section {
            // JSON is one object for these options in every repository, or an error.
            Err(error)
                if is_open && !self.args.next && request.config_source.package.is_none() && !self.session.json() =>
            {
                let sections = self.detected_packages(request)?;
                if sections.is_empty() { Err(error) } else { Ok(sections) }
            }
            section => Ok(vec![section?]),
        }
    }

    /// Returns the section of the unreleased changes of each package that the tags show.
    fn detected_packages(&self, mut request: ChangelogRequest) -> anyhow::Result<Vec<PackageSection>> {
        let loaded = LoadedConfig::load(self.repo, &request.config_source)?;
        let packages = pipeline::detected_packages(&loaded, self.repo, &request)?;
        if !packages.is_empty() && loaded.config.packages.is_empty() {
            self.session
                .note("the tags belong to several packages, so there is one section for each; run `tidings init` to configure them");
        }
        let section = |(package, loaded): (String, LoadedConfig)| {
            request.config_source.package = Some(package.clone());
            let read = |request| SectionInputs::read_under(loaded, self.repo, request);
            self.read(request.clone(), read).with_context(|| format!("package `{package}`"))
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
        let package = request.config_source.package.clone();
        self.make(package, self.session.progress().while_reading(self.repo, || read(request))?)
    }

    fn make(&self, package: Option<String>, inputs: SectionInputs) -> anyhow::Result<PackageSection> {
        let lookup = ServerLookup(self.session);
        let changelog = inputs.changelog(lookup.if_requested(self.args.options.people), self.repo)?;
        Ok(PackageSection { package, changelog })
    }
}

/// A section, and the package it is of.
struct PackageSection {
    package: Option<String>,
    changelog: Changelog,
}

impl PackageSection {
    /// Returns the name of the package; empty for the whole repository.
    fn package(&self) -> &str {
        self.package.as_deref().unwrap_or_default()
    }

    fn text(&self, titled: bool) -> String {
        let package = self.package.as_ref().filter(|_| titled);
        let title = package.map(|package| format!("# {package}\n\n")).unwrap_or_default();
        title + &self.changelog.section.notes()
    }

    /// Returns the output as a JSON document; [`crate::commands::render`] reads it as a context.
    fn document(&self) -> Value {
        let Changelog { history, release, section, .. } = &self.changelog;
        let entries: Vec<_> = release.categories.iter().flat_map(|category| &category.entries).collect();
        let counted = |category: &Category| json!({ "title": category.title, "count": category.count });
        let mut document = json!({
            "version": release.version,
            "date": release.date,
            "previous_version": release.previous_version,
            "compare_url": release.compare_url,
            "project": release.project,
            "source": history.loaded.config.source.name(),
            "base": history.start.base(),
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
