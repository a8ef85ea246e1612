//! Connections by ssh: starts the program that git would start, reads its messages, and explains why it ended before
//! git responded.

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
    options::{FetchEvent, FetchObserver},
    paced::{Failure, Pace, PacedReader, keep_end},
    url::RepoUrl,
};
use crate::model::{Problem, ProblemKind};

/// The most bytes of ssh's messages that are kept: those about a changed host key take about 800.
const KEPT: usize = 8 * 1024;

/// The environment variables of a repository, which would mislead git if the ssh command is a wrapper that runs it.
const OF_ANOTHER_REPOSITORY: [&str; 5] =
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"];

#[derive(Clone, Default)]
pub(super) struct SshMessages {
    all: Rc<RefCell<String>>,
    observer: Option<FetchObserver>,
}

impl SshMessages {
    pub(super) fn new(observer: Option<FetchObserver>) -> Self {
        Self { observer, ..Self::default() }
    }

    /// Returns the last [`KEPT`] bytes of the messages.
    pub(super) fn all(&self) -> String {
        self.all.borrow().clone()
    }

    /// Records messages, and reports each line as soon as it is complete.
    fn receive(&self, said: &[u8]) {
        let mut all = self.all.borrow_mut();
        let start = all.rfind('\n').map_or(0, |end| end + 1);
        all.push_str(&said.to_str_lossy());
        let end = all.rfind('\n').map_or(0, |end| end + 1);
        for line in all[start.min(end)..end].lines().filter(|line| !line.trim().is_empty()) {
            if let Some(observer) = &self.observer {
                observer(FetchEvent::Said { program: "ssh", line: line.strip_prefix("ssh: ").unwrap_or(line) });
            }
        }
        keep_end(&mut all, KEPT);
    }
}

/// Starts ssh, and `git upload-pack` at its other end.
pub(super) fn connect(
    url: &gix::Url,
    version: Protocol,
    options: &Options,
    pace: &Rc<Pace>,
    failure: &Failure,
    messages: SshMessages,
) -> Result<GitConnection<PacedReader, ChildStdin>> {
    let read = |program, messages: SshMessages| {
        PacedReader::from_program(program, Rc::clone(pace), Rc::clone(failure), move |said| messages.receive(said))
    };
    let kind = match options.kind.unwrap_or_else(|| ProgramKind::from(options.ssh_command())) {
        // OpenSSH under any name can print its configuration with `-G` (`ssh.variant` in git-config(1)).
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
    // The messages are searched for English phrases.
    let prepared = arguments(prepared)?.env("LC_ALL", "C").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut command = Command::try_from(prepared.stderr(Stdio::piped())).with_context(not_started)?;
    for name in OF_ANOTHER_REPOSITORY {
        command.env_remove(name);
    }
    command.spawn().with_context(not_started)
}

/// Adds the arguments before the command, in the syntax of each kind: protocol, port and destination.
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

/// Returns `user@host`; `Err` if ssh would take one of them for an option.
fn destination(url: &gix::Url) -> Result<String> {
    match (url.user_as_argument(), url.host_as_argument()) {
        (Usable(user), Usable(host) | Dangerous(host)) => Ok(format!("{user}@{host}")),
        (Absent, Usable(host)) => Ok(host.to_owned()),
        _ => Err(Problem::usage("the user or the host of the URL would be an option of ssh").into()),
    }
}

// The messages of OpenSSH, plink, git and well-known hosts for each cause.
const CHANGED_KEY: [&str; 2] = ["REMOTE HOST IDENTIFICATION HAS CHANGED", "POTENTIAL SECURITY BREACH"];
const UNKNOWN_KEY: [&str; 3] = ["Host key verification failed", "host key is known", "host key is not cached"];
const REFUSED_KEY: [&str; 3] =
    ["Permission denied (", "Too many authentication failures", "No supported authentication methods"];
const NO_REPOSITORY: [&str; 5] = [
    "not appear to be a git repository",
    "epository not found",
    "could not be found",
    "epository does not exist",
    "mis-spelled the reponame",
];
const NO_GIT: [&str; 3] =
    ["git-upload-pack: command not found", "git-upload-pack: not found", "'git-upload-pack' is not"];
const NO_HOST: [&str; 5] =
    ["resolve hostname", "connect to host", "Connection closed by", "Connection reset by", "Network error"];

pub(super) fn explain(url: &RepoUrl, said: &str) -> Problem {
    // A part of the URL that is not shown may be a password.
    let shown = url.to_string();
    let host = url.host().filter(|host| shown.contains(host)).unwrap_or("HOST");
    let user = url.gix().user().filter(|user| shown.contains(&format!("{user}@")));
    let user = user.map(|user| format!("-l {user} ")).unwrap_or_default();
    let port = url.gix().port;
    let address = port.map_or_else(|| host.to_owned(), |port| format!("-p {port} {host}"));
    let (scan, login) = (format!("ssh-keyscan {address}"), format!("ssh -T {user}{address}"));
    let is_said = |signs: &[&str]| signs.iter().any(|sign| said.contains(sign));
    // The first match counts.
    if is_said(&CHANGED_KEY) {
        let known_as = port.map_or_else(|| host.to_owned(), |port| format!("'[{host}]:{port}'"));
        Problem::new(format!("`{host}` has another host key than before")).hint(format!(
            "if the host announced a new key, run `ssh-keygen -R {known_as}` and accept that one; otherwise somebody may be in between"
        ))
    } else if is_said(&UNKNOWN_KEY) {
        Problem::new(format!("ssh does not know the host key of `{host}`")).hint(format!(
            "compare the fingerprint of `{scan} | ssh-keygen -lf -` with the one that the host publishes, then run `{scan} >> ~/.ssh/known_hosts`"
        ))
    } else if is_said(&REFUSED_KEY) {
        Problem::new(format!("`{host}` rejected every key that ssh offered"))
            .kind(ProblemKind::AccessDenied)
            .hint(format!("run `{login} -v` to see which keys are offered, and `ssh-add -l` which the agent has"))
            .hint("add the public key to your account there, or to the project as a deploy key")
    } else if is_said(&NO_REPOSITORY) {
        Problem::new(format!("`{url}` does not exist, or the key may not read it")).hint(format!(
            "check the path of the repository; on many hosts `{login}` prints the account that the key belongs to"
        ))
    } else if is_said(&NO_GIT) {
        Problem::new(format!("git not found on `{host}`"))
            .hint("install git there, in a directory of the `PATH` that ssh sets")
    } else if is_said(&NO_HOST) {
        Problem::new(format!("ssh cannot reach `{host}`: {}", last_line(said)))
            .hint("check host and port of the URL, and the network")
    } else {
        Problem::new(format!("ssh ended before git answered from `{url}`: {}", last_line(said)))
            .hint(format!("run `{login}` to see whether ssh itself works"))
    }
}

/// Returns the last informative line: git's own line at the end is always the same.
fn last_line(said: &str) -> &str {
    let mut lines = said.lines().rev().map(str::trim);
    let line = lines.find(|line| !line.is_empty() && !line.starts_with("fatal: Could not read"));
    line.map_or("no message", |line| line.strip_prefix("ssh: ").unwrap_or(line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{hints, problem_kind};

    fn explained(said: &str) -> (String, String, ProblemKind) {
        let url = RepoUrl::parse("ssh://ida@harbor.example:2222/ship.git").unwrap().unwrap();
        let error = anyhow::Error::from(explain(&url, said));
        (error.to_string(), hints(&error).join("; "), problem_kind(&error))
    }

    /// Returns the arguments before the command, for a program of this kind.
    fn given(kind: ProgramKind, url: &str, version: Protocol) -> Result<String> {
        let url = RepoUrl::parse(url)?.context("it is a path")?;
        let prepared = arguments(prepare("ssh"), kind, url.gix(), version)?;
        let asks = prepared.env.iter().any(|(name, value)| name == "GIT_PROTOCOL" && value == "version=2");
        assert_eq!(asks, kind == ProgramKind::Ssh && version == Protocol::V2);
        Ok(prepared.args.iter().map(|argument| argument.to_string_lossy()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn each_program_gets_the_port_and_the_protocol_in_its_own_way() {
        use ProgramKind::{Plink, Putty, Simple, Ssh, TortoisePlink};
        let (with_port, short) = ("ssh://ida@harbor.example:2222/ship.git", "harbor.example:ship.git");
        for (kind, url, version, expected) in [
            (Ssh, with_port, Protocol::V2, "-o SendEnv=GIT_PROTOCOL -p2222 ida@harbor.example"),
            (Ssh, short, Protocol::V1, "harbor.example"),
            (Plink, with_port, Protocol::V2, "-P 2222 ida@harbor.example"),
            (Putty, short, Protocol::V2, "harbor.example"),
            (TortoisePlink, with_port, Protocol::V1, "-batch -P 2222 ida@harbor.example"),
            (Simple, "ida@harbor.example:ship.git", Protocol::V2, "ida@harbor.example"),
        ] {
            assert_eq!(given(kind, url, version).unwrap(), expected);
        }
        let refused = given(Simple, with_port, Protocol::V2).unwrap_err().to_string();
        assert_eq!(refused, "the program that `core.sshCommand` names takes no port");
    }

    #[test]
    fn a_user_or_host_is_never_an_option_of_ssh() {
        for url in ["ssh://-oProxyCommand=x/ship.git", "ssh://-Fx@harbor.example/ship.git", "ssh://-Fx@-oy/ship.git"] {
            let refused = given(ProgramKind::Ssh, url, Protocol::V2).unwrap_err().to_string();
            assert_eq!(refused, "the user or the host of the URL would be an option of ssh", "{url}");
        }
        // Behind a user it is the name of a host.
        let joined = given(ProgramKind::Ssh, "ssh://ida@-oProxyCommand=x/ship.git", Protocol::V1).unwrap();
        assert_eq!(joined, "ida@-oProxyCommand=x");
    }

    #[test]
    fn each_message_is_reported_once_its_line_is_complete() {
        let lines = Rc::<RefCell<Vec<String>>>::default();
        let heard = Rc::clone(&lines);
        let observer: FetchObserver = Rc::new(move |event| {
            if let FetchEvent::Said { program, line } = event {
                heard.borrow_mut().push(format!("{program}: {line}"));
            }
        });
        let messages = SshMessages::new(Some(observer));
        for (said, reported) in [
            ("ssh: connect", &[][..]),
            (" to harbor\nWarn", &["ssh: connect to harbor"]),
            ("ing\n", &["ssh: Warning"]),
            ("\n \none\ntwo\nthree", &["ssh: one", "ssh: two"]),
        ] {
            messages.receive(said.as_bytes());
            assert_eq!(lines.take(), reported, "{said:?}");
        }
        assert_eq!(messages.all(), "ssh: connect to harbor\nWarning\n\n \none\ntwo\nthree");
        messages.receive("x".repeat(KEPT).as_bytes());
        assert_eq!(messages.all(), "x".repeat(KEPT));
    }

    #[test]
    fn each_refusal_has_its_cure() {
        let changed = "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\nHost key verification failed.\n";
        let gitlab = "remote: ERROR: The project you were looking for could not be found or you don't have permission to view it.\nfatal: Could not read from remote repository.\n";
        for (said, message, hint) in [
            (changed, "`harbor.example` has another host key", "ssh-keygen -R '[harbor.example]:2222'"),
            (
                "No ED25519 host key is known for x and y.\nHost key verification failed.\n",
                "does not know the host key",
                "ssh-keyscan -p 2222 harbor.example >>",
            ),
            (
                "ida@harbor.example: Permission denied (publickey).\n",
                "rejected every key",
                "ssh -T -l ida -p 2222 harbor.example -v",
            ),
            (
                "FATAL ERROR: No supported authentication methods available (server sent: publickey)\n",
                "rejected every key",
                "deploy key",
            ),
            (gitlab, "ship.git` does not exist, or the key may not read it", "check the path"),
            ("ERROR: Repository not found.\n", "does not exist", "check the path"),
            ("fatal: '/ship.git' does not appear to be a git repository\n", "does not exist", "check the path"),
            (
                "FATAL: R any ship ida DENIED by fallthru\n(or you mis-spelled the reponame)\n",
                "does not exist",
                "check the path",
            ),
            (
                "bash: line 1: git-upload-pack: command not found\n",
                "git not found on `harbor.example`",
                "install git there",
            ),
            (
                "ssh: Could not resolve hostname harbor.example: Name or service not known\n",
                "resolve hostname",
                "check host",
            ),
            ("ssh: connect to host harbor.example port 2222: Connection refused\n", "refused", "check host"),
            (
                "odd\nfatal: Could not read from remote repository.\n",
                "`ssh://ida@harbor.example:2222/ship.git`: odd",
                "run `ssh -T",
            ),
            ("", "no message", "run `ssh -T"),
        ] {
            let (told, cure, _) = explained(said);
            assert!(told.contains(message) && cure.contains(hint), "{said}: {told}: {cure}");
        }
        assert_eq!(explained("Permission denied (publickey).").2, ProblemKind::AccessDenied);
        assert_eq!(explained(gitlab).2, ProblemKind::Failed);
    }
}
