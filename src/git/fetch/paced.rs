//! The limits of what a server sends, in size and time: references and the like have to be complete within the time
//! limit; a pack has to go on, and to arrive at a least rate. And a reader for a server behind a pipe or a socket.

use std::{
    cell::{Cell, RefCell},
    fmt,
    io::{self, Cursor, Read},
    process::Child,
    rc::Rc,
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    thread,
    time::{Duration, Instant},
};

use crate::model::Problem;

/// The bytes of a chunk, and how many chunks may wait for their reader.
const CHUNK: usize = 64 * 1024;
const WAITING: usize = 8;
/// How long a program that closed its output may take to print why.
const STDERR_GRACE: Duration = Duration::from_secs(1);

/// The error of an exchange, kept apart from gix's own error, in which hints would be lost.
pub(super) type Failure = Rc<RefCell<Option<anyhow::Error>>>;

/// The most bytes of a list of references, or of another short response: a million references take about 100 MB.
const MAX_LIST: u64 = 128 << 20;
/// The most bytes of a pack.
const MAX_PACK: u64 = 8 << 30;
/// The bytes per second at which a pack has to arrive in the long run.
const LEAST_RATE: u64 = 1 << 10;
/// How many time limits a pack may take whatever its rate is: a server may have to pack for long before it sends.
const FREE_LIMITS: u32 = 10;

#[derive(Debug)]
pub(super) struct Pace {
    limit: Option<Duration>,
    /// The most bytes of a response that the user allows.
    most: Option<u64>,
    is_download: Cell<bool>,
    begun: Cell<Instant>,
    bytes: Cell<u64>,
    /// The problem of a response that was late.
    lateness: RefCell<Option<Problem>>,
}

impl Pace {
    /// Makes the limits of a connection. `limit` is how long a response may take, and `most` how many bytes it may
    /// have; `None` is no limit of time, and the usual one of size.
    pub(super) fn new(limit: Option<Duration>, most: Option<u64>) -> Rc<Self> {
        let (is_download, begun, bytes) = (Cell::new(false), Cell::new(Instant::now()), Cell::new(0));
        Rc::new(Self { limit, most, is_download, begun, bytes, lateness: RefCell::default() })
    }

    /// Requires the response that is read from now on to be complete within the limit.
    pub(super) fn answer(&self) {
        self.begin(false);
    }

    /// Allows each read from now on to take as long as the limit, as long as the response arrives at the least rate.
    pub(super) fn download(&self) {
        self.begin(true);
    }

    fn begin(&self, is_download: bool) {
        self.is_download.set(is_download);
        self.begun.set(Instant::now());
        self.bytes.set(0);
    }

    /// Returns how long the next bytes may take; `None` if there is no limit.
    fn time_left(&self) -> Option<Duration> {
        let limit = self.limit?;
        let elapsed = self.begun.get().elapsed();
        if !self.is_download.get() {
            return Some(limit.saturating_sub(elapsed));
        }
        let whole = limit.saturating_mul(FREE_LIMITS) + Duration::from_secs(self.bytes.get() / LEAST_RATE);
        Some(limit.min(whole.saturating_sub(elapsed)))
    }

    /// Counts bytes that have arrived, and refuses them if they are too many or too late.
    pub(super) fn receive(&self, bytes: usize) -> Result<(), Problem> {
        self.bytes.set(self.bytes.get() + bytes as u64);
        let most = self.most.unwrap_or(if self.is_download.get() { MAX_PACK } else { MAX_LIST });
        if self.bytes.get() > most {
            let what = if self.is_download.get() { "pack" } else { "list of references" };
            return Err(Problem::new(format!("the server sends a {what} of more than {} MiB", most >> 20))
                .hint("allow more with `--max-response MIB`"));
        }
        if self.time_left().is_none_or(|left| !left.is_zero()) {
            return Ok(());
        }
        Err(self.late())
    }

    /// Notes that the response is late, and returns the problem.
    fn late(&self) -> Problem {
        let what = if self.is_download.get() { "the server sends too slowly" } else { "no response in time" };
        let problem = Problem::new(what).hint("allow more time with `--timeout SECONDS`");
        self.lateness.replace(Some(problem.clone()));
        problem
    }

    /// Returns the problem of a response that was late.
    pub(super) fn lateness(&self) -> Option<Problem> {
        self.lateness.borrow().clone()
    }
}

/// Removes the beginning of a text that is longer than `kept` bytes.
pub(super) fn keep_end(text: &mut String, kept: usize) {
    let excess = text.len().saturating_sub(kept);
    let excess = (excess..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    text.drain(..excess);
}

/// Notes why a response is refused, and returns the error that ends its reader.
fn refuse(failure: &Failure, problem: Problem) -> io::Error {
    let shown = io::Error::new(io::ErrorKind::TimedOut, problem.to_string());
    failure.replace(Some(problem.into()));
    shown
}

/// The body of a response within the limits; why it is refused is noted as the failure.
pub(super) struct PacedBody {
    body: Box<dyn Read>,
    pace: Rc<Pace>,
    failure: Failure,
}

impl PacedBody {
    pub(super) fn new(body: Box<dyn Read>, pace: &Rc<Pace>, failure: &Failure) -> Self {
        Self { body, pace: Rc::clone(pace), failure: Rc::clone(failure) }
    }
}

impl Read for PacedBody {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.body.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::TimedOut => refuse(&self.failure, self.pace.late()),
            _ => error,
        })?;
        self.pace.receive(read).map_err(|problem| refuse(&self.failure, problem))?;
        Ok(read)
    }
}

type Listener = dyn Fn(&[u8]);

enum Part {
    Data(io::Result<Vec<u8>>),
    Stderr(io::Result<Vec<u8>>),
}

/// The output of a server, read on threads of its own. Dropping the reader closes the connection.
pub(super) struct PacedReader {
    pace: Rc<Pace>,
    parts: Receiver<Part>,
    data: Cursor<Vec<u8>>,
    on_stderr: Box<Listener>,
    hang_up: Box<dyn FnMut()>,
    failure: Failure,
}

impl PacedReader {
    /// Reads a socket that `hang_up` closes. If the limit is exceeded, it is noted as the failure.
    pub(super) fn new(
        socket: impl Read + Send + 'static,
        pace: Rc<Pace>,
        failure: Failure,
        hang_up: impl FnMut() + 'static,
    ) -> io::Result<Self> {
        let (send, parts) = sync_channel(WAITING);
        pump(socket, send, Part::Data)?;
        let (on_stderr, hang_up) = (Box::new(|_: &[u8]| {}), Box::new(hang_up));
        Ok(Self { pace, parts, data: Cursor::default(), on_stderr, hang_up, failure })
    }

    /// Reads the output of a program, and passes to `on_stderr` what it prints on stderr.
    pub(super) fn from_program(
        mut program: Child,
        pace: Rc<Pace>,
        failure: Failure,
        on_stderr: impl Fn(&[u8]) + 'static,
    ) -> io::Result<Self> {
        let (send, parts) = sync_channel(WAITING);
        let (output, errors) = (program.stdout.take(), program.stderr.take());
        let hang_up = Box::new(move || {
            // Killing the program does no harm, since nobody reads its output any more.
            let _ = program.kill().and_then(|()| program.wait());
        });
        let reader = Self { pace, parts, data: Cursor::default(), on_stderr: Box::new(on_stderr), hang_up, failure };
        errors.map_or(Ok(()), |errors| pump(errors, send.clone(), Part::Stderr))?;
        output.map_or(Ok(()), |output| pump(output, send, Part::Data))?;
        Ok(reader)
    }

    fn next(&mut self) -> io::Result<Vec<u8>> {
        loop {
            let part = match self.pace.time_left() {
                Some(left) => self.parts.recv_timeout(left),
                None => self.parts.recv().map_err(RecvTimeoutError::from),
            };
            match part {
                // What a program prints takes time as well.
                Ok(Part::Stderr(said)) => {
                    if let Ok(said) = &said {
                        (self.on_stderr)(said);
                    }
                    self.pace.receive(0).map_err(|problem| refuse(&self.failure, problem))?;
                }
                Ok(Part::Data(Ok(data))) if data.is_empty() => return Ok(self.read_rest_of_stderr()),
                Ok(Part::Data(Ok(data))) => {
                    self.pace.receive(data.len()).map_err(|problem| refuse(&self.failure, problem))?;
                    return Ok(data);
                }
                Ok(Part::Data(Err(error))) => return Err(error),
                Err(RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
                Err(RecvTimeoutError::Timeout) => {
                    let problem = self.pace.receive(0).err().unwrap_or_else(|| self.pace.late());
                    return Err(refuse(&self.failure, problem));
                }
            }
        }
    }

    fn read_rest_of_stderr(&self) -> Vec<u8> {
        let end = Instant::now() + STDERR_GRACE;
        while let Ok(Part::Stderr(Ok(said))) = self.parts.recv_timeout(end.saturating_duration_since(Instant::now()))
            && !said.is_empty()
        {
            (self.on_stderr)(&said);
        }
        Vec::new()
    }
}

impl Read for PacedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.data.position() == self.data.get_ref().len() as u64 {
            self.data = Cursor::new(self.next()?);
        }
        self.data.read(buffer)
    }
}

impl Drop for PacedReader {
    fn drop(&mut self) {
        (self.hang_up)();
    }
}

impl fmt::Debug for PacedReader {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("PacedReader").field("pace", &self.pace).finish_non_exhaustive()
    }
}

/// Sends chunks until nobody receives them or the input ends; at its end it sends an empty chunk.
fn pump<R: Read + Send + 'static>(
    mut from: R,
    to: SyncSender<Part>,
    part: fn(io::Result<Vec<u8>>) -> Part,
) -> io::Result<()> {
    let read = move || {
        let mut chunk = vec![0; CHUNK];
        loop {
            let read = from.read(&mut chunk).map(|length| chunk[..length].to_vec());
            let is_over = read.as_ref().is_ok_and(Vec::is_empty) || read.is_err();
            if to.send(part(read)).is_err() || is_over {
                return;
            }
        }
    };
    thread::Builder::new().name("reads a server".to_owned()).spawn(read).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_has_to_arrive_at_a_least_rate_and_a_list_in_time() {
        let pace = Pace::new(Some(Duration::from_secs(10)), None);
        let ago = |seconds| Instant::now().checked_sub(Duration::from_secs(seconds)).unwrap();
        pace.begun.set(ago(11));
        assert!(pace.receive(1).unwrap_err().to_string().contains("no response in time"));
        pace.download();
        pace.begun.set(ago(99));
        assert!(pace.receive(1).is_ok(), "a server may pack for long");
        pace.begun.set(ago(110));
        assert!(pace.receive(1).unwrap_err().to_string().contains("too slowly"));
        assert!(pace.receive(20 << 10).is_ok(), "more bytes take longer");
        assert!(pace.time_left().unwrap() <= Duration::from_secs(10));
    }

    #[test]
    fn a_response_has_a_limit_that_can_be_raised() {
        let pace = Pace::new(None, None);
        assert!(pace.receive(100 << 20).is_ok());
        let refused = pace.receive(100 << 20).unwrap_err();
        assert!(refused.to_string().contains("more than 128 MiB") && refused.hints()[0].contains("--max-response"));
        pace.answer();
        assert!(pace.receive(100 << 20).is_ok(), "each response begins anew");
        let raised = Pace::new(None, Some(300 << 20));
        assert!(raised.receive(200 << 20).is_ok() && raised.receive(200 << 20).is_err());
        let exact = Pace::new(None, Some(10));
        assert!(exact.receive(10).is_ok() && exact.receive(1).is_err());
    }

    #[test]
    fn the_end_of_a_text_is_kept_in_whole_characters() {
        for (text, kept, expected) in
            [("harbor", 3, "bor"), ("harbor", 6, "harbor"), ("harbor", 9, "harbor"), ("äöü", 3, "ü"), ("äöü", 0, "")]
        {
            let mut rest = text.to_owned();
            keep_end(&mut rest, kept);
            assert_eq!(rest, expected, "{text} {kept}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_a_program_prints_after_its_output_is_heard() {
        use std::process::{Command, Stdio};
        let script = "printf 'some output'; exec 1>&-; echo why >&2; echo wherefore >&2";
        let mut shell = Command::new("sh");
        shell.args(["-c", script]).stdout(Stdio::piped()).stderr(Stdio::piped());
        let heard = Rc::new(RefCell::new(String::new()));
        let said = Rc::clone(&heard);
        let listener = move |text: &[u8]| said.borrow_mut().push_str(&String::from_utf8_lossy(text));
        let pace = Pace::new(Some(Duration::from_secs(60)), None);
        let mut reader = PacedReader::from_program(shell.spawn().unwrap(), pace, Failure::default(), listener).unwrap();
        let mut output = Vec::new();
        reader.read_to_end(&mut output).unwrap();
        assert_eq!((output.as_slice(), heard.borrow().as_str()), (&b"some output"[..], "why\nwherefore\n"));
    }

    /// Input without end, which tells when nobody reads it any more.
    struct Endless(SyncSender<()>);

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer.fill(b'x');
            Ok(buffer.len())
        }
    }

    impl Drop for Endless {
        fn drop(&mut self) {
            let _ = self.0.send(());
        }
    }

    #[test]
    fn a_reader_that_is_dropped_hangs_up_and_reads_no_further() {
        let (send, ended) = sync_channel(1);
        let is_closed = Rc::new(Cell::new(false));
        let closed = Rc::clone(&is_closed);
        let pace = Pace::new(None, None);
        let mut reader = PacedReader::new(Endless(send), pace, Failure::default(), move || closed.set(true)).unwrap();
        let mut chunk = vec![0; CHUNK + 1];
        reader.read_exact(&mut chunk).unwrap();
        assert!(chunk.iter().all(|byte| *byte == b'x') && !is_closed.get());
        drop(reader);
        assert!(is_closed.get());
        assert_eq!(ended.recv_timeout(Duration::from_secs(60)), Ok(()));
    }
}
