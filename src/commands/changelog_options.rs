//! The options of every command that makes a section.

use super::{SettingsOptions, date};
use crate::{
    model::{Date, Problem, Version},
    pipeline::{Ends, Request},
};

/// The range, the date, the settings and the links of a section.
#[derive(clap::Args, Clone, Debug)]
pub struct ChangelogOptions {
    /// Start after this revision in place of the last stable tag.
    #[arg(long, value_name = "REF")]
    pub from: Option<String>,
    /// End at this revision; default: `HEAD`.
    #[arg(long, value_name = "REF")]
    pub to: Option<String>,
    /// Take the whole history: there is no earlier release.
    #[arg(long, conflicts_with = "from")]
    pub first_release: bool,
    /// The date of the section, `YYYY-MM-DD` or RFC 3339; default: `SOURCE_DATE_EPOCH`, else now.
    #[arg(long, value_name = "ISO8601")]
    pub date: Option<String>,
    /// The trailer that names the category (case-sensitive).
    #[arg(long, value_name = "NAME", default_value = "Changelog")]
    pub trailer: String,
    /// A built-in template (section, keep-a-changelog, compact, github-release) or a file.
    #[arg(long, value_name = "NAME|FILE")]
    pub template: Option<String>,
    /// Where the settings come from.
    #[command(flatten)]
    pub settings: SettingsOptions,
    /// The project's path in links and references; default: from the remote `origin`.
    #[arg(long, value_name = "GROUP/NAME")]
    pub project_path: Option<String>,
    /// The host of links; default: from the remote `origin`.
    #[arg(long, value_name = "URL")]
    pub host: Option<String>,
    /// Ask the server who the authors are, whom to credit, and for merge requests that the merges do not tell.
    #[arg(long)]
    pub people: bool,
    /// How many commits a range may have.
    #[arg(long, value_name = "N", default_value_t = 15_000)]
    pub max_commits: usize,
    /// Go on where a shallow clone may cut the range short.
    #[arg(long)]
    pub allow_shallow: bool,
}

impl ChangelogOptions {
    /// The date that was asked for, by option or environment; `None` leaves it to whoever makes the section.
    ///
    /// # Errors
    ///
    /// Where it is no date.
    pub fn given_date(&self) -> anyhow::Result<Option<Date>> {
        date::given(self.date.as_deref())
    }

    /// The request these options make for a version, or for what is unreleased.
    ///
    /// # Errors
    ///
    /// Where the version or the date is none.
    pub fn request(&self, version: Option<&str>) -> anyhow::Result<Request> {
        Ok(Request {
            version: version.map(str::parse::<Version>).transpose().map_err(Problem::from)?,
            date: self.given_date()?.unwrap_or_else(Date::now),
            ends: Ends {
                from: self.from.clone(),
                to: self.to.clone().unwrap_or_else(|| "HEAD".to_owned()),
                first_release: self.first_release,
                max_commits: self.max_commits,
                allow_shallow: self.allow_shallow,
            },
            trailer: self.trailer.clone(),
            settings: self.settings.place(),
            template: self.template.clone(),
            host: self.host.clone(),
            project_path: self.project_path.clone(),
        })
    }
}
