//! HTTP/1.1, as little of it as a test needs.

use std::io::{self, BufRead, Write};

use flate2::{Compression, write::GzEncoder};

use super::{
    request::Request,
    response::{Delivery, Response},
};

/// What becomes of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    Keep,
    Close,
}

/// Reads a request; `None` where the client is done.
pub fn read(reader: &mut impl BufRead) -> io::Result<Option<Request>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let (Some(method), Some(target)) = (words.next(), words.next()) else { return Ok(None) };
    let headers = read_headers(reader)?;
    let length = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let mut body = vec![0; length.and_then(|(_, value)| value.parse().ok()).unwrap_or(0)];
    reader.read_exact(&mut body)?;
    Ok(Some(Request::new(method, target, headers, body)))
}

fn read_headers(reader: &mut impl BufRead) -> io::Result<Vec<(String, String)>> {
    let mut headers = Vec::new();
    for line in reader.by_ref().lines() {
        match line?.split_once(':') {
            Some((name, value)) => headers.push((name.to_owned(), value.trim().to_owned())),
            None => break,
        }
    }
    Ok(headers)
}

/// Writes a response, compressed if it is JSON and the client accepts that.
pub fn write(writer: &mut impl Write, request: &Request, response: Response) -> io::Result<After> {
    if matches!(response.delivery, Delivery::Dropped) {
        return Ok(After::Close);
    }
    if matches!(response.delivery, Delivery::Withheld) {
        // The client times out first.
        std::thread::park_timeout(std::time::Duration::from_secs(30));
        return Ok(After::Close);
    }
    let response = compress(request, response);
    let has_body = !matches!(response.status, 204 | 304) && request.method != "HEAD";
    let body = if has_body { response.body.as_slice() } else { &[] };
    let chunked = response.delivery == Delivery::Chunked;
    let mut head = format!("HTTP/1.1 {} -\r\n", response.status);
    for (name, value) in &response.headers {
        head += format!("{name}: {value}\r\n").as_str();
    }
    head += if chunked { "Transfer-Encoding: chunked\r\n".to_owned() } else { length(body, has_body) }.as_str();
    writer.write_all(format!("{head}\r\n").as_bytes())?;
    if response.delivery == Delivery::Truncated {
        writer.write_all(&body[..body.len() / 2])?;
        return Ok(After::Close);
    }
    if chunked {
        write_chunks(writer, body)?;
    } else {
        writer.write_all(body)?;
    }
    writer.flush()?;
    Ok(After::Keep)
}

fn length(body: &[u8], has_body: bool) -> String {
    if has_body { format!("Content-Length: {}\r\n", body.len()) } else { String::new() }
}

fn write_chunks(writer: &mut impl Write, body: &[u8]) -> io::Result<()> {
    for chunk in body.chunks(8 << 10) {
        write!(writer, "{:x}\r\n", chunk.len())?;
        writer.write_all(chunk)?;
        writer.write_all(b"\r\n")?;
    }
    writer.write_all(b"0\r\n\r\n")
}

fn compress(request: &Request, response: Response) -> Response {
    let wanted = request.header("accept-encoding").is_some_and(|codings| codings.contains("gzip"));
    let is_json = response.headers.iter().any(|(_, value)| value == "application/json");
    if !wanted || !is_json {
        return response;
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&response.body).expect("memory takes it");
    let body = encoder.finish().expect("memory takes it");
    Response { body, ..response.header("Content-Encoding", "gzip") }
}
