//! The arguments of `tidings release`, and the request that they make.

use std::path::PathBuf;

use anyhow::Context as _;

use crate::{
    commands::{BumpArgs, ChangelogArgs, Session, completions, global_args::one_of},
    config::Config,
    model::{Asset, ForgeRelease, LatestMark, Problem, Version},
    pipeline::release::{ReleasePlan, ReleaseRequest, StepSelection},
};

/// Release a version: changelog, tag, push, and the release on a forge.
///
/// It commits the section, tags the commit, pushes both atomically, and creates the release on the forge.
/// Without `--execute` it only prints the plan. The steps that an earlier run completed are detected in the repository
/// and on the remote: an interrupted release continues where it stopped, and a finished one is left unchanged.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, mut_arg("to", |to| to.hide(true)))]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Args {
    /// Version to release [default: the version that `tidings next` prints].
    #[arg(value_name = "VERSION", conflicts_with_all = ["level", "pre", "build", "initial"])]
    pub(super) version: Option<String>,
    /// Release every package of the configuration that has something new, in one commit and one push.
    #[arg(long, conflicts_with_all = ["version", "package", "tag", "file"])]
    pub(super) all_packages: bool,
    /// With `--all-packages`, create a commit and push it for each package.
    #[arg(long, requires = "all_packages", conflicts_with_all = ["version", "package", "tag", "file", "from_tag"])]
    pub(super) separate: bool,
    /// Put the release on a branch of its own and open a merge or pull request for it, or renew the open one. What was
    /// merged is tagged and published first.
    #[arg(long, visible_aliases = ["merge-request", "pull-request"], conflicts_with_all = ["no_commit", "no_tag", "no_push", "from_tag", "separate", "replace"])]
    pub(super) request: bool,
    /// Branch of the request [default: `request_branch` in the configuration, else `tidings/release-` and the branch that
    /// is released].
    #[arg(long, value_name = "BRANCH", requires = "request", conflicts_with_all = ["no_commit", "no_tag", "no_push", "from_tag", "separate", "replace"])]
    pub(super) request_branch: Option<String>,
    /// Execute the plan.
    #[arg(short = 'x', long)]
    pub(super) execute: bool,
    /// Print the plan and do nothing; this is the default.
    #[arg(short = 'n', long, conflicts_with = "execute")]
    pub(super) dry_run: bool,
    /// Release the version and the package of this tag, according to the configuration; exits with code 5 if the tag is
    /// not that of a release.
    #[arg(long, value_name = "TAG", conflicts_with_all = ["version", "all_packages", "package", "tag", "level", "pre", "build", "initial"])]
    pub(super) from_tag: Option<String>,
    /// Release from this branch [default: the current branch].
    #[arg(long, value_name = "BRANCH", add = completions::branches())]
    pub(super) branch: Option<String>,
    /// Path of the changelog file, relative to the top of the repository [default: `file` in the configuration, else
    /// the only file named like a changelog, else `CHANGELOG.md`].
    #[arg(long, value_name = "PATH")]
    pub(super) file: Option<PathBuf>,
    /// Replace an existing section of a version that is not tagged yet.
    #[arg(long, conflicts_with = "no_commit")]
    pub(super) replace: bool,
    /// Commit message, in which `{version}` stands for the version [default: `message` in the
    /// configuration, else `Release {version}`].
    #[arg(short, long, value_name = "TEXT")]
    pub(super) message: Option<String>,
    /// Name of the tag [default: `tag` in the configuration, else the version with the prefix of the last stable tag].
    #[arg(long, value_name = "NAME")]
    pub(super) tag: Option<String>,
    /// Sign the commit and the tag even if `commit.gpgSign` and `tag.gpgSign` are not set.
    #[arg(short = 'S', long)]
    pub(super) sign: bool,
    /// Let GitHub or GitLab make the commit through its API, so that it is verified [default: `commit_through_api` in the
    /// configuration].
    #[arg(long, conflicts_with_all = ["no_commit", "no_push"])]
    pub(super) commit_through_api: bool,
    /// Push to this remote [default: `remote` in the configuration, else the remote of the branch].
    #[arg(long, value_name = "NAME|URL")]
    pub(super) remote: Option<String>,
    /// Tag the current commit; do not commit a changelog section.
    #[arg(long, conflicts_with = "message")]
    pub(super) no_commit: bool,
    /// Do not change the version files.
    #[arg(long)]
    no_version_files: bool,
    /// Do not run the hooks of the configuration.
    #[arg(long)]
    no_hooks: bool,
    /// Do not create a tag.
    #[arg(long)]
    no_tag: bool,
    /// Do not push.
    #[arg(long, conflicts_with = "remote")]
    no_push: bool,
    /// Do not create a release on the forge.
    #[arg(long, conflicts_with = "asset")]
    pub(super) no_host_release: bool,
    /// Attach a file to the release on the forge; can be repeated.
    #[arg(long, value_name = "FILE[=NAME]")]
    pub(super) asset: Vec<String>,
    /// Leave the release on the forge a draft, for people who publish it [default: `draft` in the configuration].
    #[arg(long, conflicts_with = "no_host_release")]
    draft: bool,
    /// Mark the release on the forge as a pre-release, which that of a pre-release version is in any case [default:
    /// `prerelease` in the configuration].
    #[arg(long, conflicts_with = "no_host_release")]
    prerelease: bool,
    /// Whether the forge shows the release as its latest: `auto` is the highest version [default: `latest` in the
    /// configuration, else auto].
    #[arg(long, value_name = "WHEN", value_parser = one_of(LatestMark::NAMES), conflicts_with = "no_host_release")]
    latest: Option<LatestMark>,
    /// Open a discussion of this category about the release, on GitHub [default: `discussion_category` in the
    /// configuration].
    #[arg(long, value_name = "NAME", conflicts_with_all = ["no_host_release", "draft"])]
    discussion_category: Option<String>,
    /// After publishing, comment on each merge or pull request and issue that the notes name: that it is released, and
    /// where [default: `comment_on_requests` in the configuration].
    #[arg(long, conflicts_with = "no_host_release")]
    pub(super) comment_on_requests: bool,
    /// Release the version that `tidings next` estimates where the changes have no kinds.
    #[arg(long, conflicts_with = "version")]
    pub(super) accept_estimate: bool,
    #[command(flatten)]
    pub(super) bump: BumpArgs,
    #[command(flatten)]
    pub(super) options: ChangelogArgs,
}

const EXAMPLES: &str = "\
Examples:
  tidings release                      print the plan for the next version
  tidings release -x                   execute it, or continue where it stopped
  tidings release 2.0.0 -x             a version that you choose
  tidings release --pre rc -x          1.3.0-rc.1, then 1.3.0-rc.2
  tidings release -x --no-push         commit and tag only
  tidings release -x --no-commit       without a changelog file
  tidings release -x --request         by a request that people merge
  tidings release -x --all-packages    every package that has something new,
                                       in one commit and one push

The plan exits with code 3 if it is blocked, and with code 5 if nothing is to be
released. `git push` does the pushing, with your credentials, hooks and git
settings; in CI it never asks.";

impl Args {
    pub(crate) fn request(&self, session: &Session) -> anyhow::Result<ReleaseRequest> {
        if let Some(to) = &self.options.range.to {
            let problem = Problem::usage(format!(
                "`--to {to}` cannot be used with a release, which ends at the tip of its branch"
            ));
            return Err(problem.hint("use `--branch` to name the branch").into());
        }
        let steps = StepSelection {
            commit: !self.no_commit,
            version_files: !self.no_version_files,
            tag: !self.no_tag,
            push: !self.no_push,
            hooks: !self.no_hooks,
        };
        Ok(ReleaseRequest {
            version: self.version.as_deref().map(str::parse::<Version>).transpose()?,
            bump: self.bump.options(),
            accepts_estimate: self.accept_estimate,
            changelog: session.with_lookups(self.options.request(None)?),
            tag: self.tag.clone(),
            branch: self.branch.clone(),
            file: self.file.clone(),
            message: self.message.clone(),
            replace: self.replace,
            sign: self.sign,
            remote: self.remote.clone(),
            steps,
        })
    }

    /// Returns the forge release with the notes of the plan and the assets.
    pub(super) fn forge_release(&self, plan: &ReleasePlan, config: &Config) -> anyhow::Result<ForgeRelease> {
        let assets = if self.asset.is_empty() { &config.release.assets } else { &self.asset };
        let assets = assets.iter().map(|asset| Asset::parse(asset)).collect::<Result<_, _>>()?;
        Ok(ForgeRelease {
            tag: plan.tag.clone(),
            name: plan.tag.clone(),
            description: plan.notes.body.clone(),
            prerelease: self.prerelease || config.release.prerelease || plan.is_pre_release,
            draft: self.draft || config.drafts_release,
            latest: self.latest.unwrap_or(config.latest),
            discussion_category: self
                .discussion_category
                .clone()
                .or_else(|| config.release.discussion_category.clone()),
            assets,
        })
    }

    /// Names the package of a request in a failure, if several are released.
    pub(super) fn in_package<T>(&self, request: &ReleaseRequest, result: anyhow::Result<T>) -> anyhow::Result<T> {
        let package = request.changelog.config_source.package.as_deref().unwrap_or_default();
        if self.all_packages {
            result.with_context(|| format!("cannot release the package `{package}`"))
        } else {
            result
        }
    }
}
