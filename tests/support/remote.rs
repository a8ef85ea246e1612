//! Servers on the loopback interface that run git's own programs: `git http-backend` and `git daemon`.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use super::run::isolate;

/// The options of a server. Its directory contains the repositories.
#[derive(Clone, Debug)]
pub struct Server {
    pub directory: PathBuf,
    /// Whether it can leave trees and files out.
    pub filters: bool,
    /// The program that replaces `git pack-objects`.
    pub packer: Option<PathBuf>,
    /// Whether it speaks the second version of the protocol.
    pub is_new: bool,
    /// The `user:password` it asks for, in base64.
    pub account: Option<&'static str>,
    /// It stops in the middle of its response to requests that contain this.
    pub stalls_at: Option<&'static str>,
    /// The base it redirects to: of a URL, or of paths on this server itself.
    pub redirect: Option<String>,
}

impl Server {
    /// A server of the repositories in a directory.
    pub fn of_directory(directory: &Path) -> Self {
        Self {
            directory: directory.to_owned(),
            filters: true,
            packer: None,
            is_new: true,
            account: None,
            stalls_at: None,
            redirect: None,
        }
    }

    /// Serves over HTTP until it is dropped; `None`, with a message on stderr, if git has no `http-backend`.
    pub fn http(self) -> Option<Running> {
        let backend = git_program("git-http-backend")?;
        Some(Running::start(move |stream, log| self.answer(stream, &backend, log)))
    }

    /// Serves git's own protocol until it is dropped; `None`, with a message on stderr, if git has no `daemon`.
    #[cfg(unix)]
    pub fn daemon(self) -> Option<Running> {
        git_program("git-daemon")?;
        Some(Running::start(move |stream, log| self.hand_over(stream, log)))
    }

    fn git(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        isolate(&mut command);
        let filters = ("uploadpack.allowFilter", self.filters.to_string());
        let packer = self.packer.iter().map(|path| ("uploadpack.packObjectsHook", path.display().to_string()));
        let settings: Vec<_> = packer.chain([filters]).collect();
        command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_CONFIG_COUNT", settings.len().to_string());
        for (number, (key, value)) in settings.into_iter().enumerate() {
            command.env(format!("GIT_CONFIG_KEY_{number}"), key).env(format!("GIT_CONFIG_VALUE_{number}"), value);
        }
        command
    }

    #[cfg(unix)]
    fn hand_over(&self, stream: TcpStream, log: &Log) {
        log.note(Request::default());
        let base = format!("--base-path={}", self.directory.display());
        let (stdin, stdout) = (stream.try_clone().unwrap(), stream);
        let status = self
            .git("git")
            .args(["daemon", "--inetd", "--export-all", &base])
            .stdin(Stdio::from(std::os::fd::OwnedFd::from(stdin)))
            .stdout(Stdio::from(std::os::fd::OwnedFd::from(stdout)))
            .stderr(Stdio::null())
            .status();
        assert!(status.is_ok(), "git daemon runs");
    }

    fn answer(&self, mut stream: TcpStream, backend: &Path, log: &Log) {
        let Some(request) = Request::read(&stream) else { return };
        log.note(request.clone());
        let refused =
            self.account.is_some_and(|account| request.header("authorization") != Some(&format!("Basic {account}")));
        let (head, body) = match &self.redirect {
            Some(base) if !request.path.starts_with(base.as_str()) => {
                let location = format!("Location: {base}{}?{}\r\n", request.path, request.query);
                (format!("HTTP/1.1 301 Moved\r\n{location}"), Vec::new())
            }
            _ if refused => {
                ("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"harbor\"\r\n".to_owned(), Vec::new())
            }
            _ => self.run(backend, &request),
        };
        let length = body.len();
        let _ = write!(stream, "{head}Content-Length: {length}\r\nConnection: close\r\n\r\n");
        if self.stalls_at.is_some_and(|stderr| request.says(stderr)) {
            let _ = stream.write_all(&body[..length / 2]);
            // Until the other side has had enough.
            let _ = stream.read(&mut [0]);
        } else {
            let _ = stream.write_all(&body);
        }
    }

    /// Runs `git http-backend` for a request.
    pub fn run(&self, backend: &Path, request: &Request) -> (String, Vec<u8>) {
        let mut command = self.git(backend.to_str().expect("a path in UTF-8"));
        let kind = request.header("content-type").unwrap_or_default();
        command
            .env("GIT_PROJECT_ROOT", &self.directory)
            .env("GIT_HTTP_EXPORT_ALL", "1")
            .envs([("REQUEST_METHOD", &request.method), ("PATH_INFO", &request.path)])
            .envs([("QUERY_STRING", request.query.as_str()), ("CONTENT_TYPE", kind)])
            .env("HTTP_CONTENT_ENCODING", request.header("content-encoding").unwrap_or_default())
            .env("CONTENT_LENGTH", request.body.len().to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        if let Some(version) = request.header("git-protocol").filter(|_| self.is_new) {
            command.env("GIT_PROTOCOL", version);
        }
        let mut child = command.spawn().expect("git http-backend runs");
        let mut stdin = child.stdin.take().expect("it is piped");
        let body = request.body.clone();
        let writer = thread::spawn(move || stdin.write_all(&body));
        let output = child.wait_with_output().expect("git http-backend ends").stdout;
        let _ = writer.join();
        cgi(&output)
    }
}

/// The head of an HTTP answer, without its length, and the body of what a CGI program wrote (RFC 3875).
fn cgi(output: &[u8]) -> (String, Vec<u8>) {
    let end = output.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap_or(output.len());
    let head = String::from_utf8_lossy(&output[..end]).into_owned();
    let status = head.lines().find_map(|line| line.strip_prefix("Status: ")).unwrap_or("200 OK").to_owned();
    let lines = head.lines().filter(|line| !line.starts_with("Status: ")).map(|line| format!("{line}\r\n"));
    let body = output.get(end + 4..).unwrap_or_default().to_vec();
    (format!("HTTP/1.1 {status}\r\n{}", lines.collect::<String>()), body)
}

/// What was asked of a server.
#[derive(Clone, Debug, Default)]
pub struct Request {
    pub method: String,
    pub path: String,
    pub query: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    fn read(stream: &TcpStream) -> Option<Self> {
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let mut words = line.split_ascii_whitespace();
        let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        let mut request = Self { method, path: path.to_owned(), query: query.to_owned(), ..Self::default() };
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            request.headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let length = request.header("content-length").map_or(0, |length| length.parse().expect("a length is a number"));
        request.body = vec![0; length];
        reader.read_exact(&mut request.body).ok()?;
        Some(request)
    }

    /// Whether these words are in its body.
    pub fn says(&self, words: &str) -> bool {
        String::from_utf8_lossy(&self.body).contains(words)
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(present, _)| present == name).map(|(_, value)| value.as_str())
    }
}

/// The requests, and a signal for those who wait for one.
#[derive(Default)]
struct Log {
    requests: Mutex<Vec<Request>>,
    changed: Condvar,
}

impl Log {
    fn note(&self, request: Request) {
        self.requests.lock().unwrap().push(request);
        self.changed.notify_all();
    }
}

/// A server at work; it ends when this is dropped.
pub struct Running {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    log: Arc<Log>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Running {
    fn start(serve: impl Fn(TcpStream, &Log) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port on the loopback");
        let address = listener.local_addr().expect("a bound socket has an address");
        let (stop, log) = (Arc::new(AtomicBool::new(false)), Arc::<Log>::default());
        let (stopped, logged, serve) = (Arc::clone(&stop), Arc::clone(&log), Arc::new(serve));
        let accept = move || {
            for stream in listener.incoming() {
                if stopped.load(Ordering::SeqCst) {
                    break;
                }
                let (serve, log) = (Arc::clone(&serve), Arc::clone(&logged));
                thread::spawn(move || serve(stream.expect("a connection"), &log));
            }
        };
        Self { address, stop, log, thread: Some(thread::spawn(accept)) }
    }

    /// A URL of a path on this server.
    pub fn url(&self, scheme: &str, path: &str) -> String {
        format!("{scheme}://{}/{path}", self.address)
    }

    /// Waits until a request with these words has arrived.
    #[cfg(unix)] // who waits then sends a signal
    pub fn wait_for(&self, words: &str) {
        let requests = self.log.requests.lock().unwrap();
        let is_missing = |requests: &mut Vec<Request>| !requests.iter().any(|request| request.says(words));
        let waited = self.log.changed.wait_timeout_while(requests, Duration::from_secs(60), is_missing).unwrap();
        assert!(!waited.1.timed_out(), "nobody requested `{words}`");
    }

    /// What was asked until now.
    pub fn requests(&self) -> Vec<Request> {
        self.log.requests.lock().unwrap().clone()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for a connection.
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_secs(1));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Finds a program of git; `None`, with a message on stderr, if it is missing.
pub fn git_program(name: &str) -> Option<PathBuf> {
    let output = Command::new("git").arg("--exec-path").output().expect("git is on the PATH");
    let directory = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim_end());
    let found = [directory.join(name), directory.join(format!("{name}.exe"))].into_iter().find(|path| path.exists());
    if found.is_none() {
        super::skip_without(name);
    }
    found
}
