//! The options of every command that makes a section.

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::{RangeArgs, candidates};
use crate::{
    model::{Date, Forge, Problem},
    pipeline::ChangelogRequest,
};

/// The range, the date, the template and the links of a section.
#[derive(clap::Args, Clone, Debug)]
pub struct ChangelogArgs {
    /// Which commits it is made of.
    #[command(flatten)]
    pub range: RangeArgs,
    /// The date of the section, `YYYY-MM-DD` or RFC 3339; default: `SOURCE_DATE_EPOCH`, else now.
    #[arg(long, value_name = "ISO8601")]
    pub date: Option<String>,
    /// A built-in template (section, keep-a-changelog, compact, github-release) or a file.
    #[arg(long, value_name = "NAME|FILE", add = candidates::templates())]
    pub template: Option<String>,
    /// The project's path in links and references; default: from the remote `origin`.
    #[arg(long, value_name = "GROUP/NAME")]
    pub project_path: Option<String>,
    /// The host of links; default: from the remote `origin`.
    #[arg(long, value_name = "URL")]
    pub host: Option<String>,
    /// What that host runs, for the links and words [default: `forge` of the configuration, else by its name].
    #[arg(long, value_name = "NAME", value_parser = parse_forge())]
    pub forge: Option<Forge>,
    /// Look up authors and merge or pull requests on the server, for credit and links that the history alone does not
    /// give.
    #[arg(long)]
    pub people: bool,
}

impl ChangelogArgs {
    /// The date that was asked for, by option or environment; `None` leaves the choice to the section.
    ///
    /// # Errors
    /// If it is not a date.
    pub fn given_date(&self) -> anyhow::Result<Option<Date>> {
        given_date(self.date.as_deref())
    }

    /// The request these options make for a version, or for what is unreleased.
    ///
    /// # Errors
    /// If the version or the date is none.
    pub fn request(&self, version: Option<&str>) -> anyhow::Result<ChangelogRequest> {
        let (range, given) = (self.range.request(version)?, self.given_date()?);
        Ok(ChangelogRequest {
            date: given.unwrap_or(range.date),
            is_dated: given.is_some(),
            template: self.template.clone(),
            host: self.host.clone(),
            forge: self.forge,
            project_path: self.project_path.clone(),
            ..range
        })
    }
}

/// Takes the word of a forge.
fn parse_forge() -> impl TypedValueParser<Value = Forge> {
    let forge = |word: String| Forge::words().into_iter().find(|(known, _)| *known == word).map(|(_, forge)| forge);
    PossibleValuesParser::new(Forge::words().map(|(word, _)| word)).map(move |word| forge(word).unwrap_or_default())
}

/// The moment builds are dated with to be reproducible: <https://reproducible-builds.org/specs/source-date-epoch/>.
const SOURCE_DATE_EPOCH: &str = "SOURCE_DATE_EPOCH";

/// The given date, else that of `SOURCE_DATE_EPOCH`; `None` means now.
pub(in crate::commands) fn given_date(date: Option<&str>) -> anyhow::Result<Option<Date>> {
    if let Some(date) = date {
        return Ok(Some(date.parse::<Date>().map_err(Problem::from)?));
    }
    let seconds = std::env::var(SOURCE_DATE_EPOCH).ok().filter(|seconds| !seconds.is_empty());
    seconds.map(|seconds| of_seconds(&seconds)).transpose()
}

fn of_seconds(seconds: &str) -> anyhow::Result<Date> {
    let date = seconds.parse().ok().and_then(|seconds| Date::from_seconds(seconds).ok());
    let wrong = || {
        Problem::usage(format!("`{SOURCE_DATE_EPOCH}` is `{seconds}`"))
            .hint("it takes seconds since 1970, such as 1700000000")
    };
    Ok(date.ok_or_else(wrong)?)
}
