//! A GitHub runner, as far as a composite action can see it.

use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Outcome, action::action, isolate};

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// A job that uses the action.
pub struct Runner {
    directory: TempDir,
    inputs: BTreeMap<String, String>,
    variables: Vec<(&'static str, String)>,
    token: String,
}

/// The files that a step of the action wrote.
#[derive(Debug)]
pub struct Done {
    /// The log, and the exit code.
    pub outcome: Outcome,
    pub outputs: BTreeMap<String, String>,
    pub summary: String,
}

impl Done {
    /// The output of this name of a step that must have succeeded.
    #[track_caller]
    pub fn output(&self, name: &str) -> &str {
        assert_eq!(self.outcome.code, 0, "{self:#?}");
        &self.outputs[name]
    }
}

impl Runner {
    /// A job with these inputs, on Linux unless `set` says otherwise.
    pub fn with(inputs: &[(&str, &str)]) -> Self {
        let runner = Self {
            directory: TempDir::new().unwrap(),
            inputs: inputs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            variables: Vec::new(),
            token: "a-token-of-the-job".to_owned(),
        };
        fs::create_dir(runner.path("temp")).unwrap();
        fs::create_dir(runner.path("bin")).unwrap();
        runner.set("RUNNER_OS", "Linux").set("RUNNER_ARCH", "X64")
    }

    pub fn set(mut self, name: &'static str, value: &str) -> Self {
        self.variables.push((name, value.to_owned()));
        self
    }

    /// The same job with this token.
    pub fn with_token(mut self, token: &str) -> Self {
        token.clone_into(&mut self.token);
        self
    }

    /// The same job with another value of this input.
    pub fn with_input(mut self, name: &str, value: &str) -> Self {
        self.inputs.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Uses a copy of the action's scripts, in `action`, that a test may change.
    pub fn copy_of_the_action(self) -> Self {
        let (from, to) = (Path::new(HERE).join(".ci/action"), self.path("action/.ci/action"));
        fs::create_dir_all(&to).unwrap();
        for file in fs::read_dir(from).unwrap().map(Result::unwrap) {
            fs::copy(file.path(), to.join(file.file_name())).unwrap();
        }
        let path = self.path("action").to_str().unwrap().to_owned();
        self.set("GITHUB_ACTION_PATH", &path)
    }

    /// A program of the runner's: a shell script that comes before any other of the name.
    pub fn program(self, name: &str, script: &str) -> Self {
        let path = self.path("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        self
    }

    /// A place on the runner.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Runs a script of the job itself with the program on the PATH, as a runner does where no shell is named.
    pub fn shell(&self, script: &str, env: &[(String, String)], directory: &Path) -> Outcome {
        let mut command = Command::new("bash");
        isolate(&mut command);
        command
            .args(["--noprofile", "--norc", "-e", "-c", script])
            .current_dir(directory)
            .env("PATH", self.search_path());
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.envs(env.iter().map(|(name, value)| (name, value))).output().expect("bash is there").into()
    }

    /// Runs the step of this name in a directory, the program that was built being on the PATH.
    pub fn step(&self, name: &str, directory: &Path) -> Done {
        let action = action();
        let mut steps = action["runs"]["steps"].as_array().unwrap().iter();
        let step = steps.find(|step| step["name"] == name).expect("there is such a step");
        let files = ["output", "summary", "path"].map(|name| self.path(name));
        for file in &files {
            fs::write(file, "").unwrap();
        }
        let mut command = Command::new("bash");
        isolate(&mut command);
        command
            .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"].as_str().unwrap()])
            .current_dir(directory)
            .env("PATH", self.search_path())
            .env("GITHUB_ACTION_PATH", HERE)
            .env("GITHUB_SERVER_URL", "https://github.com")
            .env("RUNNER_TEMP", self.path("temp"))
            .envs(["GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_PATH"].iter().zip(&files))
            .envs(self.variables.iter().map(|(name, value)| (name, value)));
        for (name, value) in step["env"].as_object().into_iter().flatten() {
            command.env(name, self.expand(value.as_str().unwrap(), &action));
        }
        Done {
            outcome: command.output().expect("bash is there").into(),
            outputs: outputs(&fs::read_to_string(&files[0]).unwrap()),
            summary: fs::read_to_string(&files[1]).unwrap(),
        }
    }

    fn search_path(&self) -> OsString {
        let built = Path::new(assert_cmd::cargo::cargo_bin!("tidings")).parent().unwrap().to_owned();
        let others = env::var_os("PATH").unwrap();
        env::join_paths([self.path("bin"), built].into_iter().chain(env::split_paths(&others))).unwrap()
    }

    /// An expression is the whole value: `${{ inputs.from }}`.
    fn expand(&self, value: &str, action: &Value) -> String {
        let Some(expression) = value.strip_prefix("${{ ").and_then(|rest| rest.strip_suffix(" }}")) else {
            return value.to_owned();
        };
        match expression.split_once('.').expect("a context and a name") {
            ("inputs", name) => self
                .inputs
                .get(name)
                .cloned()
                .unwrap_or_else(|| action["inputs"][name]["default"].as_str().unwrap_or_default().to_owned()),
            ("github", "action_repository") => "harbor/tidings".to_owned(),
            ("github", "token") => self.token.clone(),
            other => panic!("no such context: {other:?}"),
        }
    }
}

/// The outputs of a step, each on one line or between a delimiter of its own.
fn outputs(text: &str) -> BTreeMap<String, String> {
    let mut outputs = BTreeMap::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some((name, delimiter)) = line.split_once("<<") else {
            let (name, value) = line.split_once('=').expect("an output has a name");
            outputs.insert(name.to_owned(), value.to_owned());
            continue;
        };
        let value: Vec<_> = lines.by_ref().take_while(|line| *line != delimiter).collect();
        outputs.insert(name.to_owned(), value.join("\n"));
    }
    outputs
}
