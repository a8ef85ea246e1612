//! A reader for a server behind a pipe or a socket, with a time limit: for references and the like until the response
//! is complete, for a pack until the next bytes arrive.

use std::{
    cell::Cell,
    fmt,
    io::{self, Cursor, Read},
    process::Child,
    rc::Rc,
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    thread,
    time::{Duration, Instant},
};

use super::http::Failure;
use crate::model::Problem;

/// The bytes of a chunk, and how many chunks may wait for their reader.
const CHUNK: usize = 64 * 1024;
const WAITING: usize = 8;
/// How long a program that closed its output may take to print why.
const STDERR_GRACE: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct Pace {
    limit: Option<Duration>,
    end: Cell<Option<Instant>>,
}

impl Pace {
    /// Makes a time limit; `None` is no limit.
    pub(super) fn new(limit: Option<Duration>) -> Rc<Self> {
        let pace = Self { limit, end: Cell::default() };
        pace.answer();
        Rc::new(pace)
    }

    /// Requires the response that is read from now on to be complete within the limit.
    pub(super) fn answer(&self) {
        self.end.set(self.limit.map(|limit| Instant::now() + limit));
    }

    /// Allows each read from now on to take as long as the limit.
    pub(super) fn download(&self) {
        self.end.set(None);
    }

    fn time_left(&self) -> Option<Duration> {
        self.end.get().map_or(self.limit, |end| Some(end.saturating_duration_since(Instant::now())))
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
                Ok(Part::Stderr(said)) => said.iter().for_each(|said| (self.on_stderr)(said)),
                Ok(Part::Data(Ok(data))) if data.is_empty() => return Ok(self.read_rest_of_stderr()),
                Ok(Part::Data(data)) => return data,
                Err(RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
                Err(RecvTimeoutError::Timeout) => {
                    let problem = Problem::new("no response in time").hint("allow more time with `--timeout SECONDS`");
                    self.failure.replace(Some(problem.into()));
                    return Err(io::ErrorKind::TimedOut.into());
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
