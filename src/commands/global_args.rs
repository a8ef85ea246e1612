//! The options of every command, and those of every command that talks to a server.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anstream::ColorChoice;
use clap::{
    Args, ValueEnum,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};

use crate::{api::RetryPolicy, model::AuthScheme};

/// Output format.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
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

fn color_choices() -> impl TypedValueParser<Value = ColorChoice> {
    described_values([
        ("auto", "In a terminal that supports them, unless `NO_COLOR` is set", ColorChoice::Auto),
        ("always", "Even into a file or a pipe", ColorChoice::Always),
        ("never", "Never", ColorChoice::Never),
    ])
}

/// Options that are allowed before and after any command.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Global options")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct GlobalArgs {
    /// Run as if started in DIR.
    #[arg(short = 'C', value_name = "DIR", global = true, hide_short_help = true)]
    pub(crate) directory: Option<PathBuf>,
    /// Path (work tree or bare) or URL of the repository [default: the one that contains the current directory].
    #[arg(long, value_name = "PATH|URL", global = true)]
    pub(crate) repo: Option<String>,
    /// Keep what is fetched from a URL in DIR, and fetch only what is new next time.
    #[arg(long, value_name = "DIR", global = true, hide_short_help = true)]
    pub(crate) cache: Option<PathBuf>,
    /// Ask no server: do not fetch from `origin` what a shallow clone, or a clone without tags, lacks, and look nothing
    /// up on the forge for a section or a plan.
    #[arg(long, global = true, hide_short_help = true)]
    pub(crate) offline: bool,
    /// Output format.
    #[arg(long, value_enum, default_value_t, global = true)]
    pub(crate) format: Format,
    /// Write the output to FILE atomically; `-` is stdout.
    #[arg(short, long, value_name = "FILE", global = true)]
    pub(crate) output: Option<PathBuf>,
    /// The largest response of a git server, in MiB [default: 128 for references, 8192 for a pack].
    #[arg(long, value_name = "MIB", global = true, hide_short_help = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    pub(crate) max_response: Option<u64>,
    /// The largest file that is read, such as a changelog, in MiB [default: 64].
    #[arg(long, value_name = "MIB", global = true, hide_short_help = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    pub(crate) max_file: Option<u64>,
    /// Print only the result and errors.
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Print more details; repeat for even more (`-vv`).
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub(crate) verbose: u8,
    /// Treat warnings as errors.
    #[arg(long, global = true, hide_short_help = true)]
    pub(crate) strict: bool,
    /// When to use colours.
    #[arg(long, value_parser = color_choices(), default_value = "auto", global = true, hide_short_help = true)]
    pub(crate) color: ColorChoice,
    /// Show no progress bars.
    #[arg(long, global = true, hide_short_help = true)]
    pub(crate) no_progress: bool,
    /// The server, the credential, and how requests are retried.
    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

impl GlobalArgs {
    /// Returns the file that the output goes to; `None` is stdout.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// Takes from the options of a batch what the item does not set itself; `--output` is not inherited. `is_given` says
    /// whether the item's own line has an option: what the environment sets for both, an option of the batch overrides.
    pub(crate) fn inherit(&mut self, run: &Self, is_given: &dyn Fn(&str) -> bool) {
        if self.repo.is_none() && self.server.project.is_none() {
            self.repo.clone_from(&run.repo);
            self.server.project.clone_from(&run.server.project);
        }
        self.cache = self.cache.take().or_else(|| run.cache.clone());
        self.max_response = self.max_response.or(run.max_response);
        self.max_file = self.max_file.or(run.max_file);
        self.offline |= run.offline;
        self.quiet |= run.quiet;
        self.verbose = self.verbose.max(run.verbose);
        self.strict |= run.strict;
        if !is_given("format") {
            self.format = run.format;
        }
        self.server.inherit(&run.server, is_given);
    }
}

/// The auth scheme that was chosen; `None` if no token is to be sent.
type AuthChoice = Option<AuthScheme>;

fn auth_choices() -> impl TypedValueParser<Value = AuthChoice> {
    let private = "`PRIVATE-TOKEN: t`: personal, project and group access tokens";
    described_values([
        ("private-token", private, Some(AuthScheme::PrivateToken)),
        ("bearer", "`Authorization: Bearer t`: the same, and OAuth tokens", Some(AuthScheme::Bearer)),
        ("job-token", "`JOB-TOKEN: t`: the token of a CI job", Some(AuthScheme::JobToken)),
        ("query", "`?private_token=t`: for servers that accept nothing else", Some(AuthScheme::Query)),
        ("none", "Send no token, whatever the environment has", None),
    ])
}

/// The options of every command that talks to a server.
///
/// There is no option for the token itself, because every user of the machine can see command lines: it comes from
/// `TIDINGS_TOKEN`, `GITLAB_TOKEN` or `CI_JOB_TOKEN` (on GitHub `GITHUB_TOKEN`), or from a file.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Server options")]
pub(crate) struct ServerArgs {
    /// ID or full path of the project on the server.
    #[arg(long, value_name = "ID|PATH", global = true, value_parser = parse_project)]
    pub(crate) project: Option<String>,
    /// URL of the server [default: `TIDINGS_BASE_URL`, `GITLAB_HOST` or `CI_API_V4_URL`].
    #[arg(long, value_name = "URL", global = true)]
    pub(crate) base_url: Option<String>,
    /// Read the token from FILE; `-` is stdin [default: `TIDINGS_TOKEN`, `GITLAB_TOKEN` or `CI_JOB_TOKEN`, on GitHub
    /// `GITHUB_TOKEN`].
    #[arg(long, value_name = "FILE", global = true, env = unless_empty("TIDINGS_TOKEN_FILE"), hide_short_help = true)]
    pub(crate) token_file: Option<PathBuf>,
    /// How to send the token [default: depends on where the token comes from].
    #[arg(long, value_name = "KIND", global = true, env = unless_empty("TIDINGS_AUTH"), hide_short_help = true)]
    #[arg(value_parser = auth_choices())]
    pub(crate) auth: Option<AuthChoice>,
    /// Timeout of a request including retries, in seconds; for uploads and downloads, the idle timeout [default: 120].
    #[arg(long, value_name = "SECONDS", global = true, env = unless_empty("TIDINGS_TIMEOUT"), hide_short_help = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) timeout: Option<u64>,
    /// Maximum number of retries if the server is busy or unreachable [default: 4].
    #[arg(long, value_name = "N", global = true, env = unless_empty("TIDINGS_RETRIES"), hide_short_help = true)]
    pub(crate) retries: Option<u32>,
    /// Allow sending the token over unencrypted HTTP.
    #[arg(long, global = true, hide_short_help = true)]
    pub(crate) allow_http: bool,
}

impl ServerArgs {
    fn inherit(&mut self, run: &Self, is_given: &dyn Fn(&str) -> bool) {
        let own = std::mem::take(self);
        *self = Self {
            project: own.project,
            base_url: own.base_url.or_else(|| run.base_url.clone()),
            token_file: if is_given("token_file") { own.token_file } else { run.token_file.clone() },
            auth: if is_given("auth") { own.auth } else { run.auth },
            timeout: if is_given("timeout") { own.timeout } else { run.timeout },
            retries: if is_given("retries") { own.retries } else { run.retries },
            allow_http: own.allow_http || run.allow_http,
        };
    }

    pub(crate) fn retry_policy(&self) -> RetryPolicy {
        let default = RetryPolicy::default();
        RetryPolicy {
            timeout: self.timeout.map_or(default.timeout, Duration::from_secs),
            retries: self.retries.unwrap_or(default.retries),
        }
    }
}

/// Returns the name of a variable, or `None` if it is set to nothing, because CI systems set variables without a value.
fn unless_empty(name: &'static str) -> Option<&'static str> {
    let is_empty = std::env::var(name).is_ok_and(|value| value.trim().is_empty());
    (!is_empty).then_some(name)
}

/// Parses the ID or the path of a project, and refuses a URL or an encoded path.
fn parse_project(text: &str) -> Result<String, String> {
    let path = text.split_once("://").and_then(|(_, rest)| rest.split_once('/')).map_or(text, |(_, path)| path);
    let path = path.trim_matches('/').replace("%2F", "/").replace("%2f", "/");
    if path == text {
        return Ok(path);
    }
    Err(format!("it is an ID or a path: did you mean `{path}`?"))
}

/// Returns a parser of several words, each with its help text and the value it stands for.
pub(super) fn described_values<T: Clone + Send + Sync + 'static, const N: usize>(
    words: [(&'static str, &'static str, T); N],
) -> impl TypedValueParser<Value = T> {
    one_of(words.map(|(word, help, meaning)| (PossibleValue::new(word).help(help), meaning)))
}

/// Returns a parser of several words, each with the value it stands for.
pub(super) fn one_of<T: Clone + Send + Sync + 'static, const N: usize>(
    words: [(impl Into<PossibleValue>, T); N],
) -> impl TypedValueParser<Value = T> {
    let words = words.map(|(word, meaning)| (word.into(), meaning));
    PossibleValuesParser::new(words.each_ref().map(|(word, _)| word.clone())).try_map(move |given| {
        let found = words.iter().find(|(word, _)| word.get_name() == given);
        found.map(|(_, meaning)| meaning.clone()).ok_or("it is not one of the words")
    })
}
