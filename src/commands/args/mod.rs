//! The options that commands share: the global ones here, those of a kind of command in a file each.

mod bump;
pub(super) mod candidates;
mod changelog;
mod range;
mod server;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

pub use self::{
    bump::BumpArgs,
    changelog::ChangelogArgs,
    range::{ConfigArgs, RangeArgs},
    server::{AuthArg, ServerArgs},
};
pub(super) use self::{
    changelog::given_date,
    range::{MAX_COMMITS, parse_version},
    server::parse_id,
};

/// Output format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For machines: one document.
    Json,
    /// Annotations of GitHub, for `tidings check`.
    Github,
    /// A code quality report of GitLab, for `tidings check`.
    Gitlab,
}

/// When colours are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// In a terminal that can, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Even into a file or a pipe.
    Always,
    /// Not at all.
    Never,
}

/// Options that are allowed before and after any command.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Global options")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct GlobalArgs {
    /// Run as if started in DIR.
    #[arg(short = 'C', value_name = "DIR", global = true, hide_short_help = true)]
    pub directory: Option<PathBuf>,
    /// The repository: a path (work tree or bare) or a URL; default: the one around the current folder.
    #[arg(long, value_name = "PATH|URL", global = true)]
    pub repo: Option<String>,
    /// Keep what is fetched from a URL in DIR, and fetch only what is new next time.
    #[arg(long, value_name = "DIR", global = true, hide_short_help = true)]
    pub cache: Option<PathBuf>,
    /// Do not read from `origin` what a shallow clone, or one without tags, lacks.
    #[arg(long, global = true, hide_short_help = true)]
    pub offline: bool,
    /// Output format.
    #[arg(long, value_enum, default_value_t, global = true)]
    pub format: Format,
    /// Write the output to FILE atomically; `-` is stdout.
    #[arg(short, long, value_name = "FILE", global = true)]
    pub output: Option<PathBuf>,
    /// Print only the result and errors.
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Print more details; repeat for even more (`-vv`).
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub verbose: u8,
    /// Treat warnings as errors.
    #[arg(long, global = true, hide_short_help = true)]
    pub strict: bool,
    /// When to use colours.
    #[arg(long, value_enum, default_value_t, global = true, hide_short_help = true)]
    pub color: Color,
    /// Show no progress bars.
    #[arg(long, global = true, hide_short_help = true)]
    pub no_progress: bool,
    /// Which server, who is asking, and how patiently.
    #[command(flatten)]
    pub server: ServerArgs,
}

impl GlobalArgs {
    /// The file that the answer goes to; `None` is stdout.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// What a run of many commands is asked for holds for each that does not say otherwise; its `--output` is its own.
    pub(crate) fn inherit(&mut self, run: &Self) {
        if self.repo.is_none() && self.server.project.is_none() {
            self.repo.clone_from(&run.repo);
            self.server.project.clone_from(&run.server.project);
        }
        self.cache = self.cache.take().or_else(|| run.cache.clone());
        self.offline |= run.offline;
        self.quiet |= run.quiet;
        self.verbose = self.verbose.max(run.verbose);
        self.strict |= run.strict;
        self.server.inherit(&run.server);
    }
}
