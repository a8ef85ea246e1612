//! A change that is written down as a file: its name and its content, as the tool of the repository reads them.

use indexmap::IndexMap;

use crate::model::{BumpLevel, Date, Problem, strftime};

/// A change to write down.
#[derive(Clone, Debug)]
pub(crate) struct NewChange {
    /// The packages and the level that each is raised by.
    pub packages: Vec<(String, BumpLevel)>,
    /// The kind of the change, for tools that have kinds.
    pub kind: Option<String>,
    /// The issue or request that it belongs to.
    pub issue: Option<String>,
    pub text: String,
    pub date: Date,
}

/// The longest name that is made of a text, in characters.
const LONGEST: usize = 48;

impl NewChange {
    /// Returns the first words of the text as the name of a file.
    pub(super) fn slug(&self) -> String {
        let words = self.text.split(|sign: char| !sign.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let mut slug = String::new();
        for word in words {
            if !slug.is_empty() && slug.len() + word.len() >= LONGEST {
                break;
            }
            slug.extend((!slug.is_empty()).then_some('-'));
            slug.push_str(&word.to_lowercase());
        }
        if slug.is_empty() { "change".to_owned() } else { slug.chars().take(LONGEST).collect() }
    }

    /// Returns the kind, which must be one of the configured categories, by its key or its title.
    pub(super) fn kind<'a>(&self, categories: &'a IndexMap<String, String>) -> Result<&'a str, Problem> {
        let known = || categories.keys().map(String::as_str);
        let all = || known().collect::<Vec<_>>().join("`, `");
        let kind = self.kind.as_deref().ok_or_else(|| {
            Problem::usage("the change needs a kind").hint(format!("add `--kind` with one of `{}`", all()))
        })?;
        let found =
            categories.iter().find(|(key, title)| **key == kind || **title == kind).map(|(key, _)| key.as_str());
        found.ok_or_else(|| {
            let problem = Problem::usage(format!("unknown kind of change `{kind}`"));
            match crate::model::closest(kind, known()) {
                Some(near) => problem.hint(format!("did you mean `{near}`?")),
                None => problem.hint(format!("use one of `{}`", all())),
            }
        })
    }

    /// Refuses packages, which the tool does not know.
    pub(super) fn without_packages(&self) -> Result<(), Problem> {
        if self.packages.is_empty() {
            return Ok(());
        }
        Err(Problem::usage("the change files here name a kind, and no packages")
            .hint("use `--kind` instead of a level"))
    }

    /// Returns Markdown below a line `package: level` for each package.
    pub(super) fn with_front_matter(&self, level: impl Fn(BumpLevel) -> String) -> Result<String, Problem> {
        if self.packages.is_empty() {
            return Err(Problem::usage("the change names no package")
                .hint("add `--patch PACKAGE`, `--minor PACKAGE` or `--major PACKAGE`"));
        }
        // What ends the quoted name would be read as something else.
        let is_broken = |package: &&String| package.contains(['"', '\\']) || package.contains(char::is_control);
        if let Some(package) = self.packages.iter().map(|(package, _)| package).find(is_broken) {
            return Err(Problem::usage(format!("`{package}` is not the name of a package")));
        }
        let lines: Vec<String> =
            self.packages.iter().map(|(package, own)| format!("\"{package}\": {}\n", level(*own))).collect();
        Ok(format!("---\n{}---\n\n{}\n", lines.concat(), self.text.trim()))
    }

    /// Returns the time as a part of a name of a file.
    pub(super) fn timestamp(&self) -> String {
        strftime(&self.date, "%Y%m%d-%H%M%S")
    }
}
