//! `tidings show`: prints the section of a version.

mod args;
mod compare;
mod section;

use std::io::Write as _;

pub use self::args::Args;
use self::section::{PackageSection, SectionBuilder};
use super::{
    Session, hosted,
    package_messages::{self, PackageMessages},
    verdict_counts::nothing_listed,
};
use crate::{
    model::{Problem, ProblemKind},
    pipeline::Changelog,
};

/// Runs `tidings show`.
///
/// # Errors
/// If the repository, the range or the template fails.
pub fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let hosted = session.global.server.project.is_some();
    match &args.version {
        _ if hosted && args.all_packages => {
            Err(Problem::usage("`--all-packages` does not go with `--project`: a server knows no packages").into())
        }
        Some(version) if hosted && args.compare_local => compare::run(version, &args.options, session),
        Some(version) if hosted => {
            let notes = hosted::section(version, &args.options, session)?;
            hosted::print(version, &notes, session)?;
            if args.fail_on_empty { Ok(hosted::refuse_empty(&notes)?) } else { Ok(()) }
        }
        None if hosted && args.all => Err(Problem::usage("`--all` cannot be used with `--project`")
            .hint("`tidings show --all --repo URL` makes the sections without a clone")
            .into()),
        None if hosted && args.next => Err(Problem::usage("`--next` cannot be used with `--project`")
            .hint("`tidings next --repo URL` finds it without a clone; then name it")
            .into()),
        None if hosted => Err(Problem::usage("a version is required with `--project`")
            .hint("name one, such as `tidings show 1.2.0 --project group/app`")
            .into()),
        _ if args.compare_local => {
            Err(Problem::usage("`--compare-local` goes with `--project`: there is nothing to compare with").into())
        }
        _ => local(args, session),
    }
}

fn local(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let repo = session.whole_repo()?;
    let making = SectionBuilder::new(args, &repo, session);
    let sections = match args {
        Args { all: true, .. } => making.releases()?,
        Args { all_packages: true, .. } => making.each_package()?,
        _ => making.sections()?,
    };
    if (args.all_packages || sections.len() > 1) && !args.all {
        let mut messages = PackageMessages::default();
        for section in &sections {
            let Changelog { history, release, .. } = &section.changelog;
            messages.add(section.package(), history, !release.categories.is_empty());
        }
        messages.print(session)?;
    } else {
        package_messages::print_once(sections.iter().map(|section| &section.changelog.history), session)?;
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
    if args.fail_on_empty && is_empty {
        return Err(Problem::new("the section has no entries").kind(ProblemKind::NothingToDo).into());
    }
    Ok(())
}
