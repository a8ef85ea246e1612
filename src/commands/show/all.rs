//! `tidings show --all`: prints the section of every release. Nothing else of a release is kept, since there may be many.

use std::io::Write as _;

use anyhow::Context as _;
use serde_json::{Value, json};

use super::{Args, PackageSection, SectionBuilder};
use crate::{
    commands::{
        Session,
        history_report::{self, ReleaseMessages, no_entries},
    },
    git::Repo,
    pipeline::{self, Scope, SectionInputs},
};

/// What is printed of the releases of a repository, or of its packages.
#[derive(Default)]
pub(super) struct ReleaseSections<'r> {
    packages: Vec<PackageReleases>,
    /// The sections as JSON, if they are printed so.
    documents: Vec<Value>,
    messages: ReleaseMessages,
    /// The newest section with entries.
    listed: Option<PackageSection<'r>>,
}

struct PackageReleases {
    package: String,
    sections: Vec<String>,
}

impl<'r> SectionBuilder<'_, 'r> {
    /// Returns the sections of all releases; of each package with `--all-packages` or if only packages have tags.
    pub(super) fn releases(&self) -> anyhow::Result<ReleaseSections<'r>> {
        let scope = self.scope()?;
        let packages = if self.args.all_packages {
            scope.clone().with_tool_packages()?.configured_packages()?
        } else {
            pipeline::detected_packages(&scope)?
        };
        let mut found = ReleaseSections::default();
        for package in packages {
            self.add_releases(&package, &mut found).with_context(|| package.in_package())?;
        }
        if found.packages.is_empty() && !self.args.all_packages {
            self.add_releases(&scope, &mut found)?;
        }
        Ok(found)
    }

    fn add_releases(&self, scope: &Scope<'r>, found: &mut ReleaseSections<'r>) -> anyhow::Result<()> {
        let add = |inputs: SectionInputs<'r>| {
            found.add(PackageSection::make(inputs)?, self.session.json());
            Ok(())
        };
        let read = || pipeline::releases(scope, self.args.since.as_ref(), add);
        self.session.progress().while_reading(self.repo, read)
    }
}

impl<'r> ReleaseSections<'r> {
    fn add(&mut self, section: PackageSection<'r>, is_json: bool) {
        let package = section.package();
        if self.packages.last().is_none_or(|last| last.package != package) {
            self.packages.push(PackageReleases { package: package.to_owned(), sections: Vec::new() });
        }
        if is_json {
            self.documents.push(json!(section.document()));
        } else if let Some(last) = self.packages.last_mut() {
            last.sections.push(section.changelog.section.notes().to_string());
        }
        self.messages.add(&section.changelog.history);
        if self.listed.is_none() && !section.changelog.release.categories.is_empty() {
            self.listed = Some(section);
        }
    }

    pub(super) fn print(self, args: &Args, repo: &Repo, session: &mut Session) -> anyhow::Result<()> {
        self.messages.print(session)?;
        if let Some(section) = self.listed.as_ref().filter(|_| args.options.host.is_none()) {
            history_report::note_assumed_forge(&section.changelog.history, repo, session);
        }
        let has_titles = args.all_packages || self.packages.len() > 1;
        let mut gap = "";
        for PackageReleases { package, sections } in &self.packages {
            let is_titled = has_titles && !package.is_empty();
            let mut title = if is_titled { format!("# {package}\n\n") } else { String::new() };
            for section in sections {
                session.out.bytes().write_all(format!("{gap}{title}{section}").as_bytes())?;
                (gap, title) = ("\n", String::new());
            }
        }
        if session.json() {
            session.out.json(&self.documents)?;
        }
        if args.fail_on_empty && self.listed.is_none() {
            return Err(no_entries().into());
        }
        Ok(())
    }
}
