//! One request and its answer, which gix handles in three parts.

use std::{
    cell::RefCell,
    io::{self, BufRead, BufReader, Cursor, Read, Write},
    rc::Rc,
};

use gix::bstr::ByteSlice as _;
use gix_transport::client::AuthenticationRequired;

use super::{Failure, HttpClient, HttpRequest, HttpResponse};
use crate::model::{Problem, ProblemKind};

/// A request and its answer, which gix handles in three parts: what is uploaded, the headers and the body. The request
/// goes out when the first part of its answer is read, so that no thread is needed.
pub(super) struct Exchange {
    client: Rc<dyn HttpClient>,
    failure: Failure,
    pub(super) request: Option<HttpRequest>,
    answer: Option<io::Result<HttpResponse>>,
}

pub(super) type Shared = Rc<RefCell<Exchange>>;

impl Exchange {
    pub(super) fn shared(client: Rc<dyn HttpClient>, failure: Failure) -> Shared {
        Rc::new(RefCell::new(Self { client, failure, request: None, answer: None }))
    }

    pub(super) fn receive(&mut self, answer: anyhow::Result<HttpResponse>) {
        self.answer = Some(answer.map_err(|error| note(&self.failure, error)).and_then(|ok| self.accept(ok)));
    }

    fn settle(&mut self) {
        if let Some(mut request) = self.request.take() {
            // Everything but a list of references is a pack.
            request.is_download = request.body.as_ref().is_some_and(|body| body.find(b"command=ls-refs").is_none());
            let answer = self.client.send(request);
            self.receive(answer);
        }
    }

    /// A success, or the failure as gix wants to see it: one that asks for credentials is of a kind of its own.
    fn accept(&self, response: HttpResponse) -> io::Result<HttpResponse> {
        match response.status {
            200..=299 => Ok(response),
            401 => {
                let www_authenticate = response.header("www-authenticate").map(Into::into).collect();
                Err(io::Error::new(io::ErrorKind::PermissionDenied, AuthenticationRequired { www_authenticate }))
            }
            status => Err(note(&self.failure, refusal(status).into())),
        }
    }

    fn header_lines(&mut self) -> io::Result<Vec<u8>> {
        self.settle();
        match &self.answer {
            Some(Ok(response)) => {
                let lines = response.headers.iter().map(|(name, value)| [name, ": ", value, "\n"].concat());
                Ok(lines.collect::<Vec<_>>().concat().into_bytes())
            }
            Some(Err(_)) => Err(self.answer.take().and_then(Result::err).unwrap_or_else(gone)),
            None => Err(gone()),
        }
    }

    fn body(&mut self) -> io::Result<Box<dyn Read>> {
        self.settle();
        self.answer.take().unwrap_or_else(|| Err(gone())).map(|response| response.body)
    }
}

/// The headers of an answer, a line each.
pub(in crate::git::fetch) struct HeaderLines(Shared, Option<Cursor<Vec<u8>>>);

/// The body of an answer.
pub(in crate::git::fetch) struct Body(Shared, Option<BufReader<Box<dyn Read>>>);

/// The body of a request, gathered before it is sent.
pub(in crate::git::fetch) struct Upload(pub(super) Shared);

impl HeaderLines {
    pub(super) fn of(exchange: &Shared) -> Self {
        Self(Rc::clone(exchange), None)
    }

    fn lines(&mut self) -> io::Result<&mut Cursor<Vec<u8>>> {
        if self.1.is_none() {
            self.1 = Some(Cursor::new(self.0.borrow_mut().header_lines()?));
        }
        self.1.as_mut().ok_or_else(gone)
    }
}

impl Body {
    pub(super) fn of(exchange: &Shared) -> Self {
        Self(Rc::clone(exchange), None)
    }

    fn bytes(&mut self) -> io::Result<&mut BufReader<Box<dyn Read>>> {
        if self.1.is_none() {
            self.1 = Some(BufReader::with_capacity(64 * 1024, self.0.borrow_mut().body()?));
        }
        self.1.as_mut().ok_or_else(gone)
    }
}

impl Read for HeaderLines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.lines()?.read(buffer)
    }
}

impl BufRead for HeaderLines {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.lines()?.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        if let Some(lines) = &mut self.1 {
            lines.consume(amount);
        }
    }
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes()?.read(buffer)
    }
}

impl BufRead for Body {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.bytes()?.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        if let Some(bytes) = &mut self.1 {
            bytes.consume(amount);
        }
    }
}

impl Write for Upload {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut exchange = self.0.borrow_mut();
        let body = exchange.request.as_mut().and_then(|request| request.body.as_mut()).ok_or_else(gone)?;
        body.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn gone() -> io::Error {
    io::Error::other("the exchange with the server is over")
}

fn note(failure: &Failure, error: anyhow::Error) -> io::Error {
    let shown = io::Error::other(format!("{error:#}"));
    failure.replace(Some(error));
    shown
}

fn refusal(status: u16) -> Problem {
    let problem = Problem::new(format!("the server answered with HTTP status {status}"));
    match status {
        403 => {
            problem.kind(ProblemKind::AccessDenied).hint("the credentials that were given may not read this repository")
        }
        404 => problem.hint("check the URL; a private repository is also not found without credentials"),
        429 => problem.hint("the server takes no more requests for now; try again later"),
        500.. => problem.hint("the server has trouble; try again later"),
        _ => problem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_can_be_done() {
        for (status, hint) in [
            (403, "may not read"),
            (404, "check the URL"),
            (429, "no more requests for now"),
            (500, "has trouble"),
            (503, "has trouble"),
        ] {
            let hints = refusal(status).hints().concat();
            assert!(hints.contains(hint), "{status}: {hints}");
        }
        assert!(refusal(418).hints().is_empty());
    }
}
