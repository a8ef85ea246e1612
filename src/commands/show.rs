//! `tidings show`: prints the section of a version.

mod all;

use std::io::{BufWriter, Write as _};

use anyhow::Context as _;
use serde::Serialize;

use super::{
    ChangelogArgs, Session,
    changelog_args::parse_version,
    completions,
    history_report::{self, PackageMessages, ReleaseMessages, no_entries, nothing_listed},
    hosted,
};
use crate::{
    git::Repo,
    model::{CountedCategory, Entry, Oid, Problem, ReleaseDetails, SectionNotes, Version},
    pipeline::{self, BaseTag, Changelog, ChangelogRequest, PackageDependencies, Scope, SectionInputs},
};

/// Print the changelog section of a version, or of what is unreleased.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
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
    #[arg(long, value_name = "VERSION", requires = "all", conflicts_with_all = ["version", "next"], value_parser = parse_version)]
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
    let builder = SectionBuilder { args, repo: &repo, session };
    if args.all {
        return builder.releases()?.print(args, &repo, session);
    }
    let sections = if args.all_packages { builder.package_sections()? } else { builder.sections()? };
    if args.all_packages || sections.len() > 1 {
        let mut messages = PackageMessages::default();
        for section in &sections {
            let Changelog { history, release, .. } = &section.changelog;
            messages.add(section.package(), history, !release.categories.is_empty());
        }
        messages.print(session, "show", args.all_packages)?;
    } else {
        let mut messages = ReleaseMessages::default();
        for section in &sections {
            messages.add(&section.changelog.history);
        }
        messages.print(session)?;
    }
    let listed = sections.iter().find(|section| !section.changelog.release.categories.is_empty());
    if let Some(section) = listed.filter(|_| args.options.host.is_none()) {
        history_report::note_assumed_forge(&section.changelog.history, &repo, session);
    }
    if let [PackageSection { changelog, .. }] = sections.as_slice()
        && changelog.release.categories.is_empty()
        && changelog.history.warnings.is_empty()
    {
        session.note(&nothing_listed(&changelog.history));
    }
    if session.json() {
        match sections.as_slice() {
            [section] if !args.all_packages => session.out.json(&section.document())?,
            sections => session.out.json(&sections.iter().map(PackageSection::document).collect::<Vec<_>>())?,
        }
    } else {
        print(&sections, args.all_packages || sections.len() > 1, session)?;
    }
    let is_empty = sections.iter().all(|section| section.changelog.release.categories.is_empty());
    session.free_at_exit(sections);
    if args.fail_on_empty && is_empty {
        return Err(no_entries().into());
    }
    Ok(())
}

/// Prints sections one after another, with the names of packages above them or not.
fn print(sections: &[PackageSection<'_>], has_titles: bool, session: &mut Session) -> anyhow::Result<()> {
    let mut out = BufWriter::new(session.out.bytes());
    let mut gap = "";
    for section in sections {
        write!(out, "{gap}{}{}", section.title(has_titles), section.changelog.section.notes())?;
        gap = "\n";
    }
    Ok(out.flush()?)
}

/// The arguments, the repository and the session that sections are made with.
struct SectionBuilder<'a, 'r> {
    args: &'a Args,
    repo: &'r Repo,
    session: &'a Session,
}

impl<'r> SectionBuilder<'_, 'r> {
    /// Returns the sections of all packages; with `--next` only of the packages that are due for a release.
    fn package_sections(&self) -> anyhow::Result<Vec<PackageSection<'r>>> {
        let packages = self.session.progress().while_reading(self.repo, || self.scope()?.packages())?;
        self.session.warn(&packages.warnings)?;
        let progress = self.session.progress();
        let mut sections = Vec::new();
        if self.args.next {
            let mut read = packages.next_sections();
            while let Some(inputs) = progress.while_reading(self.repo, || read.next().transpose())? {
                let context = inputs.history.scope.in_package();
                sections.push(PackageSection::make(inputs).context(context)?);
            }
        } else {
            let made = packages.each(|scope, _| Ok((self.section(|| SectionInputs::read(scope))?, None)));
            sections = made.map(|made| Ok(made?.1)).collect::<anyhow::Result<_>>()?;
        }
        if sections.is_empty() { Err(pipeline::nothing_to_release(pipeline::RUN_NEXT).into()) } else { Ok(sections) }
    }

    /// Returns the section that the options ask for. If they name no range and no package, and only packages have
    /// tags, returns a section for each package.
    fn sections(&self) -> anyhow::Result<Vec<PackageSection<'r>>> {
        let request = self.request()?;
        let range = &request.range;
        let is_open = request.version.is_none() && range.from.is_none() && !range.first_release;
        let section = self.section(|| {
            let scope = self.scope()?;
            if self.args.next {
                SectionInputs::read_next(scope.clone(), &PackageDependencies::new(&scope))
            } else {
                SectionInputs::read(scope)
            }
        });
        match section {
            // JSON is one object for these options in every repository, or an error.
            Err(error)
                if is_open && !self.args.next && request.config_source.package.is_none() && !self.session.json() =>
            {
                let sections = self.detected_packages()?;
                if sections.is_empty() { Err(error) } else { Ok(sections) }
            }
            section => Ok(vec![section?]),
        }
    }

    /// Returns the section of the unreleased changes of each package that the tags show.
    fn detected_packages(&self) -> anyhow::Result<Vec<PackageSection<'r>>> {
        let scope = self.scope()?;
        let packages = pipeline::detected_packages(&scope)?;
        let config = scope.config();
        if !packages.is_empty() && config.packages.is_empty() {
            let configure = if config.has_file { "set `packages`" } else { "run `tidings init`" };
            self.session.note(&format!(
                "the tags belong to several packages, so there is one section for each; {configure} to configure them"
            ));
        }
        let mut sections = Vec::new();
        for scope in packages {
            let context = scope.in_package();
            sections.push(self.section(|| SectionInputs::read(scope)).context(context)?);
        }
        Ok(sections)
    }

    fn scope(&self) -> anyhow::Result<Scope<'r>> {
        Scope::open(self.repo, self.request()?)
    }

    fn request(&self) -> anyhow::Result<ChangelogRequest> {
        let mut options = self.args.options.clone();
        if self.args.all {
            options.range.take_any_number();
        }
        let request = options.request(self.args.version.as_deref())?;
        Ok(self.session.with_lookups(request))
    }

    fn section(&self, read: impl FnOnce() -> anyhow::Result<SectionInputs<'r>>) -> anyhow::Result<PackageSection<'r>> {
        PackageSection::make(self.session.progress().while_reading(self.repo, read)?)
    }
}

/// A section, and the package it is of.
struct PackageSection<'r> {
    changelog: Changelog<'r>,
}

impl<'r> PackageSection<'r> {
    fn make(inputs: SectionInputs<'r>) -> anyhow::Result<Self> {
        Ok(Self { changelog: inputs.changelog()? })
    }

    /// Returns the name of the package; empty for the whole repository.
    fn package(&self) -> &str {
        self.changelog.history.scope.package_name().unwrap_or_default()
    }

    fn title(&self, is_titled: bool) -> String {
        let package = self.package();
        if is_titled && !package.is_empty() { format!("# {package}\n\n") } else { String::new() }
    }

    fn document(&self) -> SectionDocument<'_> {
        let Changelog { history, release, section, .. } = &self.changelog;
        SectionDocument {
            version: &release.version,
            tag: self.changelog.tag(),
            date: &release.date,
            previous_version: release.previous_version.as_deref(),
            compare_url: release.compare_url.as_deref(),
            project: release.project.as_deref(),
            source: history.config().source.name(),
            base: history.start.base(),
            from: history.start.commit(),
            to: history.scope.to,
            commit_count: history.range_len,
            entries: release.categories.iter().flat_map(|category| &category.entries).collect(),
            categories: release.counted_categories(),
            notes: section.notes(),
            details: &release.details,
            package: history.scope.package_name(),
        }
    }
}

/// The output as JSON; [`crate::commands::render`] reads it as a context. It is written as it is, since a copy of a million
/// entries as JSON values takes more memory than all else.
#[derive(Serialize)]
struct SectionDocument<'a> {
    version: &'a str,
    tag: Option<String>,
    date: &'a str,
    previous_version: Option<&'a str>,
    compare_url: Option<&'a str>,
    project: Option<&'a str>,
    source: &'a str,
    base: Option<&'a BaseTag>,
    from: Option<Oid>,
    to: Oid,
    commit_count: usize,
    entries: Vec<&'a Entry>,
    categories: Vec<CountedCategory<'a>>,
    notes: SectionNotes<'a>,
    #[serde(flatten)]
    details: &'a ReleaseDetails,
    #[serde(skip_serializing_if = "Option::is_none")]
    package: Option<&'a str>,
}
