//! The settings file that is written: a comment per key, what is as by default commented out.

use std::fmt::{self, Display, Formatter, Write as _};

use serde_json::Value;

use super::{Starter, TagShape};
use crate::{config::EntrySource, model::Flavour};

impl Starter {
    /// The text of the file.
    #[must_use]
    pub fn settings(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        self.write_source(out)?;
        writeln!(out, "\n# Category: title. The order is that of the section.\ncategories:")?;
        for category in &self.categories {
            writeln!(out, "  {}: {}", Quoted(category), Quoted(&capitalized(category)))?;
        }
        writeln!(out, "\n# The date of the header, for strftime.\n# date_format: \"%Y-%m-%d\"")?;
        self.write_tags(out)?;
        writeln!(
            out,
            "\n# What a category raises the next version by, over the default rule.\n# bump:\n#   added: minor"
        )?;
        writeln!(out, "\n# A template: section, keep-a-changelog, compact, github-release, or a file.")?;
        match &self.template {
            Some(template) => writeln!(out, "template_file: {}", Quoted(template))?,
            None => writeln!(out, "# template_file: section")?,
        }
        writeln!(out, "\n# Commits that are never listed, by id, author or message in RE2 syntax.")?;
        writeln!(out, "# skip:\n#   authors: [renovate@example.com]\n#   messages: ['^chore\\(release\\)']")?;
        writeln!(out, "\n# Where references in titles lead; $1 is the first group.")?;
        writeln!(out, "# links:\n#   '#(\\d+)': {}", self.issues())
    }

    /// The address of an issue of the project.
    fn issues(&self) -> String {
        let Some(project) = &self.project else { return "https://git.example.com/group/app/issues/$1".to_owned() };
        let separator = if project.flavour() == Flavour::GitLab { "/-" } else { "" };
        format!("{}/{}{separator}/issues/$1", project.host(), project.path())
    }

    fn write_source(&self, out: &mut String) -> fmt::Result {
        writeln!(
            out,
            "# What names the category of a commit: its `Changelog` trailer, the type in its title, or both."
        )?;
        let usual = if self.source == EntrySource::default() { "# " } else { "" };
        writeln!(out, "{usual}source: {}", self.source.name())?;
        if self.source.has_types() {
            writeln!(
                out,
                "\n# Type to category, over the usual ones: feat is added, fix is fixed, perf is performance."
            )?;
            let unknown =
                self.habits.unknown_types.iter().map(|(kind, count)| format!("{kind} ({count})")).collect::<Vec<_>>();
            if !unknown.is_empty() {
                writeln!(out, "# In use, and listed nowhere: {}.", unknown.join(", "))?;
            }
            writeln!(
                out,
                "# types:\n#   {}: changed",
                self.habits.unknown_types.keys().next().map_or("docs", String::as_str)
            )?;
        }
        Ok(())
    }

    fn write_tags(&self, out: &mut String) -> fmt::Result {
        match &self.tags {
            TagShape::Usual => {
                writeln!(out, "\n# What stands before a version in tags, besides `v`.\n# tag_prefix: \"app/v\"")
            }
            TagShape::Prefixed(prefix) => {
                writeln!(out, "\n# What stands before a version in tags.\ntag_prefix: {}", Quoted(prefix))
            }
            TagShape::Packages(packages) => {
                writeln!(out, "\n# Parts that are released by themselves: `tidings show --package NAME`.\npackages:")?;
                packages.iter().try_for_each(|(name, (prefix, folder))| {
                    let (name, prefix, folder) = (Quoted(name), Quoted(prefix), Quoted(folder));
                    writeln!(out, "  {name}: {{ paths: [{folder}], tag_prefix: {prefix} }}")
                })
            }
        }
    }
}

/// A text as YAML takes it: a JSON string is one.
struct Quoted<'a>(&'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        Value::from(self.0).fmt(out)
    }
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
