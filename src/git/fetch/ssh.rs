//! ssh as the way to a server: starts the program that git would start, and listens to what it says.

use std::{
    cell::RefCell,
    io::Read as _,
    process::{Child, ChildStdin, Command, Stdio},
    rc::Rc,
};

use anyhow::{Context as _, Result};
use gix::{
    bstr::{BString, ByteSlice as _},
    command::{Prepare, prepare},
    protocol::transport::{
        Protocol, Service,
        client::{
            blocking_io::ssh::{ProgramKind, connect::Options},
            git::{ConnectMode, blocking_io::Connection as GitConnection},
        },
    },
    url::ArgumentSafety::{Absent, Dangerous, Usable},
};

use super::{
    http::Failure,
    options::{FetchEvent, FetchObserver},
    paced::{Pace, PacedReader},
};
use crate::model::Problem;

/// How many bytes of what ssh says are kept: a changed host key takes about 800.
const KEPT: usize = 8 * 1024;

/// Variables of a repository, which would mislead a git that ssh is wrapped in.
const OF_ANOTHER_REPOSITORY: [&str; 5] =
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"];

/// What ssh said on stderr.
#[derive(Clone, Default)]
pub(super) struct SshMessages {
    all: Rc<RefCell<String>>,
    observer: Option<FetchObserver>,
}

impl SshMessages {
    pub(super) fn new(observer: Option<FetchObserver>) -> Self {
        Self { observer, ..Self::default() }
    }

    /// The last of what it said.
    pub(super) fn all(&self) -> String {
        self.all.borrow().clone()
    }

    /// Passes whole lines on as they come.
    fn hear(&self, said: &[u8]) {
        let mut all = self.all.borrow_mut();
        let start = all.rfind('\n').map_or(0, |end| end + 1);
        all.push_str(&said.to_str_lossy());
        let end = all.rfind('\n').map_or(0, |end| end + 1);
        for line in all[start.min(end)..end].lines().filter(|line| !line.trim().is_empty()) {
            if let Some(observer) = &self.observer {
                observer(FetchEvent::Said { program: "ssh", line: line.strip_prefix("ssh: ").unwrap_or(line) });
            }
        }
        let excess = all.len().saturating_sub(KEPT);
        let excess = (excess..=all.len()).find(|at| all.is_char_boundary(*at)).unwrap_or_default();
        all.drain(..excess);
    }
}

/// Starts ssh, and `git upload-pack` at its other end.
pub(super) fn connect(
    url: &gix::Url,
    version: Protocol,
    options: &Options,
    (pace, failure, messages): (&Rc<Pace>, &Failure, SshMessages),
) -> Result<GitConnection<PacedReader, ChildStdin>> {
    let read = |program, messages: SshMessages| {
        PacedReader::of_program(program, Rc::clone(pace), Rc::clone(failure), move |said| messages.hear(said))
    };
    let kind = match options.kind.unwrap_or_else(|| ProgramKind::from(options.ssh_command())) {
        // Whatever its name is, OpenSSH knows how it is configured (`ssh.variant` in git-config(1)).
        ProgramKind::Simple if options.kind.is_none() => {
            let program = spawn(options, |prepared| Ok(prepared.arg("-G").arg(destination(url)?)))?;
            let is_open_ssh = read(program, SshMessages::default())?.read(&mut [0])? > 0;
            if is_open_ssh { ProgramKind::Ssh } else { ProgramKind::Simple }
        }
        kind => kind,
    };
    let path = gix::url::expand_path::for_shell(url.path.clone());
    let mut command = BString::from(Service::UploadPack.as_str());
    command.extend_from_slice(b" ");
    command.extend_from_slice(&gix::quote::single(path.as_ref()));
    let command = gix::path::from_bstring(command)?;
    let mut program = spawn(options, |prepared| Ok(arguments(prepared, kind, url, version)?.arg(command)))?;
    let stdin = program.stdin.take().context("the input of ssh is a pipe")?;
    let output = read(program, messages)?;
    let connection = GitConnection::new(output, stdin, version, path, None::<(String, _)>, ConnectMode::Process, false);
    Ok(connection.custom_url(Some(url.to_bstring())))
}

/// Starts the program with these arguments.
fn spawn(options: &Options, arguments: impl FnOnce(Prepare) -> Result<Prepare>) -> Result<Child> {
    let name = options.ssh_command();
    let not_started = || {
        Problem::new(format!("`{}` did not start", name.to_string_lossy()))
            .hint("install OpenSSH, or set `GIT_SSH_COMMAND` or git's `core.sshCommand`")
    };
    let mut prepared = prepare(name).command_may_be_shell_script();
    prepared.use_shell &= !options.disallow_shell;
    // Its messages are read, and those of other languages are not known.
    let prepared = arguments(prepared)?.env("LC_ALL", "C").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut command = Command::try_from(prepared.stderr(Stdio::piped())).with_context(not_started)?;
    for name in OF_ANOTHER_REPOSITORY {
        command.env_remove(name);
    }
    command.spawn().with_context(not_started)
}

/// The arguments before the command: protocol, port and destination, as each kind takes them.
fn arguments(mut prepared: Prepare, kind: ProgramKind, url: &gix::Url, version: Protocol) -> Result<Prepare> {
    if kind == ProgramKind::Ssh && version == Protocol::V2 {
        prepared = prepared.args(["-o", "SendEnv=GIT_PROTOCOL"]).env("GIT_PROTOCOL", "version=2");
    }
    if kind == ProgramKind::TortoisePlink {
        prepared = prepared.arg("-batch");
    }
    prepared = match (kind, url.port) {
        (_, None) => prepared,
        (ProgramKind::Ssh, Some(port)) => prepared.arg(format!("-p{port}")),
        (ProgramKind::Simple, Some(_)) => {
            return Err(Problem::new("the program that `core.sshCommand` names takes no port")
                .hint("set `ssh.variant`, or give the host a name in the configuration of ssh")
                .into());
        }
        (_, Some(port)) => prepared.arg("-P").arg(port.to_string()),
    };
    Ok(prepared.arg(destination(url)?))
}

/// `user@host`, unless one of them would be taken for an option.
fn destination(url: &gix::Url) -> Result<String> {
    match (url.user_as_argument(), url.host_as_argument()) {
        (Usable(user), Usable(host) | Dangerous(host)) => Ok(format!("{user}@{host}")),
        (Absent, Usable(host)) => Ok(host.to_owned()),
        _ => Err(Problem::usage("the user or the host of the URL would be an option of ssh").into()),
    }
}
