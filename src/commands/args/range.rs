//! The options of every command that reads the commits of a section.

use super::ConfigArgs;
use crate::{
    model::{Date, Version},
    pipeline::{ChangelogRequest, RangeSpec},
};

/// The range, the trailer and the settings.
#[derive(clap::Args, Clone, Debug)]
pub struct RangeArgs {
    /// Start after this revision instead of the base tag.
    #[arg(long, value_name = "REF")]
    pub from: Option<String>,
    /// End at this revision; default: `HEAD`.
    #[arg(long, value_name = "REF")]
    pub to: Option<String>,
    /// Take the whole history: there is no earlier release.
    #[arg(long, conflicts_with = "from")]
    pub first_release: bool,
    /// The trailer that names the category (case-sensitive).
    #[arg(long, value_name = "NAME", default_value = "Changelog", value_parser = parse_trailer)]
    pub trailer: String,
    /// Where the settings come from.
    #[command(flatten)]
    pub settings: ConfigArgs,
    /// Fail if the range has more commits than this.
    #[arg(long, value_name = "N", default_value_t = 15_000)]
    pub max_commits: usize,
    /// Continue even if the range may be incomplete because the clone is shallow.
    #[arg(long)]
    pub allow_shallow: bool,
}

impl RangeArgs {
    /// The request these options make for a version, or for what is unreleased, dated now.
    ///
    /// # Errors
    ///
    /// Where the version is none.
    pub fn request(&self, version: Option<&str>) -> anyhow::Result<ChangelogRequest> {
        Ok(ChangelogRequest {
            version: version.map(str::parse::<Version>).transpose()?,
            tag: None,
            date: Date::now(),
            range: RangeSpec {
                from: self.from.clone(),
                to: self.to.clone().unwrap_or_else(|| "HEAD".to_owned()),
                first_release: self.first_release,
                max_commits: self.max_commits,
                allow_shallow: self.allow_shallow,
            },
            trailer: self.trailer.clone(),
            settings: self.settings.source(),
            template: None,
            host: None,
            project_path: None,
        })
    }
}

fn parse_trailer(name: &str) -> Result<String, &'static str> {
    let is_name = !name.trim().is_empty() && !name.contains([':', '\n']);
    is_name.then(|| name.to_owned()).ok_or("the name of a trailer stands before its colon, such as `Changelog`")
}
