//! The options of commands that read commits, make sections or find the next version.

use super::{completions, global_args::one_of, session::variable};
use crate::{
    config::{EntrySource, TRAILER_NAME, is_trailer_name},
    git::WalkOptions,
    model::{BumpLevel, Date, Forge, JobServer, Problem, Version},
    pipeline::{BumpOptions, ChangelogRequest, ConfigSource, MAX_COMMITS, RangeSpec},
};

/// The range, the date, the template and the links of a section.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Text and links")]
pub(crate) struct ChangelogArgs {
    /// Which commits it is made of.
    #[command(flatten)]
    pub(crate) range: RangeArgs,
    /// Give each pre-release a section of what is new since the pre-release before it, and so what is unreleased; that of a
    /// stable version still covers everything since the last stable one [default: `pre_releases` in the configuration].
    #[arg(long, conflicts_with_all = ["from", "first_release"])]
    pub(crate) pre_releases: bool,
    /// Date of the section, `YYYY-MM-DD` or RFC 3339 [default: `SOURCE_DATE_EPOCH`, else the date of the tag that the
    /// range ends at, else now].
    #[arg(long, value_name = "ISO8601")]
    pub(crate) date: Option<String>,
    /// Built-in template (section, keep-a-changelog, compact, github-release) or template file [default: that of the
    /// configuration, else `section`].
    #[arg(long, value_name = "NAME|FILE", add = completions::templates())]
    pub(crate) template: Option<String>,
    /// Path of the project in links and references [default: from the remote `origin`].
    #[arg(long, value_name = "GROUP/NAME")]
    pub(crate) project_path: Option<String>,
    /// Host of links [default: from the remote `origin`].
    #[arg(long, value_name = "URL")]
    pub(crate) host: Option<String>,
    /// Forge that the host runs, for links and words [default: `forge` in the configuration, else by the name of the
    /// host].
    #[arg(long, value_name = "NAME", value_parser = one_of(Forge::words()))]
    pub(crate) forge: Option<Forge>,
    /// Look up authors and merge or pull requests on the server, for credit and links that the history alone does not
    /// give [default: `people` in the configuration].
    #[arg(long)]
    pub(crate) people: bool,
}

impl ChangelogArgs {
    /// Returns the date that the option or the environment gives; `None` leaves the choice to the section.
    pub(crate) fn given_date(&self) -> anyhow::Result<Option<Date>> {
        given_date(self.date.as_deref())
    }

    /// Returns the request of these options for a version, or for the unreleased changes.
    pub(crate) fn request(&self, version: Option<&str>) -> anyhow::Result<ChangelogRequest> {
        let (mut range, given) = (self.range.request(version)?, self.given_date()?);
        range.range.pre_releases = self.pre_releases;
        Ok(ChangelogRequest {
            date: given.unwrap_or(range.date),
            is_dated: given.is_some(),
            template: self.template.clone(),
            host: self.host.clone(),
            project_path: self.project_path.clone(),
            config_source: ConfigSource { forge: self.forge, ..range.config_source },
            people: self.people,
            ..range
        })
    }
}

/// The variable for the date of reproducible builds: <https://reproducible-builds.org/specs/source-date-epoch/>.
const SOURCE_DATE_EPOCH: &str = "SOURCE_DATE_EPOCH";

/// Returns the given date, else that of `SOURCE_DATE_EPOCH`; `None` means now.
pub(crate) fn given_date(date: Option<&str>) -> anyhow::Result<Option<Date>> {
    if let Some(date) = date {
        return Ok(Some(date.parse()?));
    }
    let seconds = std::env::var(SOURCE_DATE_EPOCH).ok().filter(|seconds| !seconds.is_empty());
    seconds.map(|seconds| parse_seconds(&seconds)).transpose()
}

fn parse_seconds(seconds: &str) -> anyhow::Result<Date> {
    let date = seconds.parse().ok().and_then(Date::from_seconds);
    Ok(date.ok_or_else(|| {
        Problem::usage(format!("`{SOURCE_DATE_EPOCH}` is `{seconds}`, which is not a time"))
            .hint("set it to seconds since 1970, such as `1700000000`")
    })?)
}

/// The range, the trailer and the configuration.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Commits and configuration")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct RangeArgs {
    /// Start after this revision instead of the base tag.
    #[arg(long, value_name = "REF", add = completions::revisions())]
    pub(crate) from: Option<String>,
    /// End at this revision [default: `HEAD`].
    #[arg(long, value_name = "REF", add = completions::revisions())]
    pub(crate) to: Option<String>,
    /// Take the whole history, as for a first release; a version that is counted follows the last release all the same.
    #[arg(long, conflicts_with = "from")]
    pub(crate) first_release: bool,
    /// Trailer that names the category (case-sensitive) [default: `trailer` in the configuration, else `Changelog`].
    #[arg(long, value_name = "NAME", value_parser = parse_trailer)]
    pub(crate) trailer: Option<String>,
    /// Source of the entries; `auto` is the first that the history has [default: `source` in the configuration].
    #[arg(long, value_name = "NAME", value_parser = one_of(EntrySource::NAMES))]
    pub(crate) source: Option<EntrySource>,
    /// Where the configuration comes from.
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    /// Fail if the range has more commits than this [default: 15000; with `--all` no limit].
    #[arg(long, value_name = "N")]
    pub(crate) max_commits: Option<usize>,
    /// Ignore the notes in `refs/notes/changelog`, which correct the messages of commits.
    #[arg(long)]
    pub(crate) no_notes: bool,
    /// Skip what a release of another line has already, such as what was cherry-picked into it [default: `skip` in the
    /// configuration, else yes, unless the configuration is GitLab's].
    #[arg(long, overrides_with = "no_skip_released")]
    pub(crate) skip_released: bool,
    /// List what a release of another line has already.
    #[arg(long)]
    pub(crate) no_skip_released: bool,
    /// Continue even if the range may be incomplete because the clone is shallow.
    #[arg(long)]
    pub(crate) allow_shallow: bool,
}

impl RangeArgs {
    /// Lifts the limit on commits, unless one was given: a whole history was asked for.
    pub(crate) fn take_any_number(&mut self) {
        self.max_commits.get_or_insert(usize::MAX);
    }

    /// Returns the request of these options for a version, or for the unreleased changes, dated now.
    pub(crate) fn request(&self, version: Option<&str>) -> anyhow::Result<ChangelogRequest> {
        Ok(ChangelogRequest {
            version: version.map(str::parse::<Version>).transpose()?,
            range: RangeSpec {
                from: self.from.clone(),
                to: self.to.clone().unwrap_or_else(|| "HEAD".to_owned()),
                is_end_open: self.to.is_none(),
                first_release: self.first_release,
                pre_releases: false,
                notes: !self.no_notes,
                walk: WalkOptions {
                    max_commits: self.max_commits.unwrap_or(MAX_COMMITS),
                    allow_shallow: self.allow_shallow,
                },
            },
            config_source: ConfigSource {
                trailer: self.trailer.clone(),
                source: self.source,
                skips_released: (self.skip_released || self.no_skip_released).then_some(!self.no_skip_released),
                ..self.config.source()
            },
            ..ChangelogRequest::unreleased()
        })
    }
}

/// Parses a version that is the value of an option.
pub(crate) fn parse_version(text: &str) -> Result<Version, String> {
    text.parse::<Version>().map_err(|error| format!("{error:#}"))
}

fn parse_trailer(name: &str) -> Result<String, String> {
    is_trailer_name(name).then(|| name.to_owned()).ok_or_else(|| format!("use {TRAILER_NAME}"))
}

/// Where the configuration comes from, and the package it is narrowed to.
#[derive(clap::Args, Clone)]
pub(crate) struct ConfigArgs {
    /// Read the configuration from this file [default: `tidings.yml`, `.tidings.yml`,
    /// `.service/changelog_config.yml` or `.gitlab/changelog_config.yml`, the first that exists].
    #[arg(long, value_name = "PATH")]
    pub(crate) config_file: Option<String>,
    /// Read the configuration from this commit instead of the work tree.
    #[arg(long, value_name = "REF", add = completions::revisions())]
    pub(crate) config_ref: Option<String>,
    /// Work on this package of the configuration: its paths, tags and changelog file.
    #[arg(long, value_name = "NAME", add = completions::packages())]
    pub(crate) package: Option<String>,
}

impl ConfigArgs {
    pub(crate) fn source(&self) -> ConfigSource {
        ConfigSource {
            file: self.config_file.clone(),
            revision: self.config_ref.clone(),
            package: self.package.clone(),
            job: JobServer::from_environment(&variable),
            ..ConfigSource::default()
        }
    }
}

/// How the next version is chosen.
#[derive(clap::Args, Clone)]
pub(crate) struct BumpArgs {
    /// Bump this part of the version, whatever the categories imply.
    #[arg(long, value_parser = one_of(LEVELS))]
    level: Option<BumpLevel>,
    /// Create a pre-release with this name: `rc` gives rc.1, then rc.2.
    #[arg(long, value_name = "NAME")]
    pre: Option<String>,
    /// Append build metadata to the version.
    #[arg(long, value_name = "META")]
    build: Option<String>,
    /// Version of the first release; says that there was none, whatever the tags look like [default: `initial_version` in
    /// the configuration, else that of the manifest, else 0.1.0].
    #[arg(long, value_name = "VERSION")]
    initial: Option<semver::Version>,
}

/// The levels that a user can choose; `none` is not one.
const LEVELS: [(&str, BumpLevel); 3] =
    [("major", BumpLevel::Major), ("minor", BumpLevel::Minor), ("patch", BumpLevel::Patch)];

impl BumpArgs {
    pub(crate) fn options(&self) -> BumpOptions {
        BumpOptions {
            level: self.level,
            pre: self.pre.clone(),
            build: self.build.clone(),
            initial: self.initial.clone(),
        }
    }
}
