//! Runs the built program without the user's settings.

use std::{
    path::Path,
    process::{Command, Output},
};

/// What a run of the program gave.
#[derive(Debug)]
pub struct Outcome {
    pub stdout: String,
    pub stderr: String,
    pub code: i32,
}

impl Outcome {
    /// The answer of a run that must have succeeded.
    #[track_caller]
    pub fn success(self) -> String {
        assert_eq!(self.code, 0, "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self.stdout
    }

    /// The stderr of a run that must have failed with this code.
    #[track_caller]
    pub fn failure(self, code: i32) -> String {
        assert_eq!(self.code, code, "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self.stderr
    }

    /// The JSON document of a run that must have succeeded.
    #[track_caller]
    pub fn json(self) -> serde_json::Value {
        serde_json::from_str(&self.success()).expect("stdout is one JSON document")
    }
}

impl From<Output> for Outcome {
    fn from(output: Output) -> Self {
        Self {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code().unwrap_or(-1),
        }
    }
}

/// The program, to be run in `directory` with a clean environment and nothing on stdin.
pub fn tidings(directory: &Path) -> Command {
    let Some(program) = option_env!("CARGO_BIN_EXE_tidings") else {
        panic!("cargo builds the program for integration tests alone")
    };
    let mut command = Command::new(program);
    isolate(&mut command);
    command.current_dir(directory);
    command
}

/// Hides the user's and the machine's git settings, CI variables and tokens from a command.
pub fn isolate(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let name_text = name.to_string_lossy();
        if ["GIT_", "CI", "GITHUB_", "GITLAB_", "TIDINGS_", "SOURCE_DATE_EPOCH", "NO_COLOR", "CLICOLOR"]
            .iter()
            .any(|prefix| name_text.starts_with(prefix))
            || name_text.to_ascii_lowercase().ends_with("_proxy")
        {
            command.env_remove(&name);
        }
    }
    let nowhere = if cfg!(windows) { "NUL" } else { "/dev/null" };
    command
        .env("GIT_CONFIG_GLOBAL", nowhere)
        .env("GIT_CONFIG_SYSTEM", nowhere)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C")
        .env("TZ", "UTC");
}
