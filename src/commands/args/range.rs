//! The options of every command that reads the commits of a section, and of the configuration.

use super::candidates;
use crate::{
    config::EntrySource,
    model::{Date, Version},
    pipeline::{ChangelogRequest, ConfigSource, RangeSpec},
};

/// How many commits a range may have, on GitLab and here.
pub(in crate::commands) const MAX_COMMITS: usize = 15_000;

/// The range, the trailer and the settings.
#[derive(clap::Args, Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct RangeArgs {
    /// Start after this revision instead of the base tag.
    #[arg(long, value_name = "REF", add = candidates::revisions())]
    pub from: Option<String>,
    /// End at this revision; default: `HEAD`.
    #[arg(long, value_name = "REF", add = candidates::revisions())]
    pub to: Option<String>,
    /// Take the whole history: there is no earlier release.
    #[arg(long, conflicts_with = "from")]
    pub first_release: bool,
    /// The trailer that names the category (case-sensitive).
    #[arg(long, value_name = "NAME", default_value = "Changelog", value_parser = parse_trailer)]
    pub trailer: String,
    /// What lists commits: `trailers`, `conventional`, `both`, `merge-requests`, `titles`, or `auto` for the first that
    /// the history has [default: `source` of the configuration].
    #[arg(long, value_name = "NAME", value_parser = parse_source)]
    pub source: Option<EntrySource>,
    /// Where the settings come from.
    #[command(flatten)]
    pub settings: ConfigArgs,
    /// Fail if the range has more commits than this.
    #[arg(long, value_name = "N", default_value_t = MAX_COMMITS)]
    pub max_commits: usize,
    /// Ignore the notes in `refs/notes/changelog`, which correct the messages of commits.
    #[arg(long)]
    pub no_notes: bool,
    /// Skip what a release of another line has already, such as what was cherry-picked into it.
    #[arg(long)]
    pub skip_released: bool,
    /// Continue even if the range may be incomplete because the clone is shallow.
    #[arg(long)]
    pub allow_shallow: bool,
}

impl RangeArgs {
    /// The request these options make for a version, or for what is unreleased, dated now.
    ///
    /// # Errors
    /// If the version is none.
    pub fn request(&self, version: Option<&str>) -> anyhow::Result<ChangelogRequest> {
        Ok(ChangelogRequest {
            version: version.map(str::parse::<Version>).transpose()?,
            tag: None,
            date: Date::now(),
            is_dated: false,
            range: RangeSpec {
                from: self.from.clone(),
                to: self.to.clone().unwrap_or_else(|| "HEAD".to_owned()),
                first_release: self.first_release,
                max_commits: self.max_commits,
                notes: !self.no_notes,
                allow_shallow: self.allow_shallow,
            },
            trailer: self.trailer.clone(),
            settings: self.config_source(),
            template: None,
            host: None,
            forge: None,
            project_path: None,
            updates: Vec::new(),
        })
    }

    fn config_source(&self) -> ConfigSource {
        ConfigSource { source: self.source, skips_released: self.skip_released, ..self.settings.source() }
    }
}

/// What lists commits, as the configuration names it.
fn parse_source(name: &str) -> Result<EntrySource, String> {
    let names = EntrySource::NAMES.map(|(name, _)| name).join(", ");
    EntrySource::parse(name).ok_or_else(|| format!("must be one of {names}"))
}

/// A version, as an option takes it.
pub(in crate::commands) fn parse_version(text: &str) -> Result<Version, String> {
    text.parse::<Version>().map_err(|error| format!("{error:#}"))
}

fn parse_trailer(name: &str) -> Result<String, &'static str> {
    let is_name = !name.trim().is_empty() && !name.contains([':', '\n']);
    is_name.then(|| name.to_owned()).ok_or("the name of a trailer is what is before its colon, such as `Changelog`")
}

/// Where the settings come from, and what of them counts.
#[derive(clap::Args, Clone, Debug)]
pub struct ConfigArgs {
    /// Read the configuration from this file [default: `tidings.yml`, `.tidings.yml`,
    /// `.service/changelog_config.yml` or `.gitlab/changelog_config.yml`, the first that exists].
    #[arg(long, value_name = "PATH")]
    pub config_file: Option<String>,
    /// Read the configuration from this commit instead of the work tree.
    #[arg(long, value_name = "REF", add = candidates::revisions())]
    pub config_ref: Option<String>,
    /// Work on this package of the configuration: its paths, tags and changelog file.
    #[arg(long, value_name = "NAME", add = candidates::packages())]
    pub package: Option<String>,
}

impl ConfigArgs {
    /// The place these options name.
    #[must_use]
    pub fn source(&self) -> ConfigSource {
        ConfigSource {
            file: self.config_file.clone(),
            revision: self.config_ref.clone(),
            package: self.package.clone(),
            source: None,
            skips_released: false,
        }
    }
}
