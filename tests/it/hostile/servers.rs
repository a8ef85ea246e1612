//! Git servers that lie, or never come to an end: each answer has a size and a time that it must keep to.

use std::{
    io::{BufRead as _, BufReader, Read as _, Result, Write as _},
    net::{TcpListener, TcpStream},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use super::run_briefly;

const ID: &str = "0123456789abcdef0123456789abcdef01234567";

/// What a server sends to the end of a response.
type Answer = fn(&mut TcpStream) -> Result<()>;

/// A line of git's protocol (gitprotocol-common(5)).
fn line(content: &str) -> String {
    format!("{:04x}{content}", content.len() + 4)
}

fn usual_references(stream: &mut TcpStream) -> Result<()> {
    let lines = [
        line(&format!("{ID} HEAD symref-target:refs/heads/main\n")),
        line(&format!("{ID} refs/tags/v1.0.0\n")),
        "0000".to_owned(),
    ];
    stream.write_all(lines.concat().as_bytes())
}

/// Starts a server and returns the URL of a repository on it.
fn serve(references: Answer, fetch: Answer) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/ship.git", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            thread::spawn(move || answer(stream.unwrap(), references, fetch));
        }
    });
    url
}

fn answer(mut stream: TcpStream, references: Answer, fetch: Answer) -> Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? <= 2 {
            break;
        }
        let lower = line.to_ascii_lowercase();
        length = lower.strip_prefix("content-length:").map_or(length, |length| length.trim().parse().unwrap());
        head += &line;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let kind = if head.starts_with("GET") { "advertisement" } else { "result" };
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-{kind}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes())?;
    if kind == "advertisement" {
        let features = ["version 2\n", "ls-refs\n", "fetch=shallow filter\n", "object-format=sha1\n"].map(line);
        let service = line("# service=git-upload-pack\n");
        return stream.write_all(format!("{service}0000{}0000", features.concat()).as_bytes());
    }
    if String::from_utf8_lossy(&body).contains("command=ls-refs") {
        references(&mut stream)
    } else {
        fetch(&mut stream)
    }
}

#[track_caller]
fn refused(url: &str, options: &[&str]) -> String {
    let elsewhere = tempfile::tempdir().unwrap();
    run_briefly(elsewhere.path(), &[&["show", "1.1.0", "--repo", url], options].concat()).failure(1)
}

#[test]
fn references_without_end_are_too_many() {
    let url = serve(
        |stream| loop {
            stream.write_all(line(&format!("{ID} refs/tags/v1.0.0-{}\n", "x".repeat(900))).as_bytes())?;
        },
        |_| Ok(()),
    );
    let stderr = refused(&url, &["--max-response", "2"]);
    assert!(stderr.contains("sends a list of references of more than 2 MiB"), "{stderr}");
    assert!(stderr.contains("hint: allow more with `--max-response MIB`"), "{stderr}");
}

#[test]
fn a_list_that_does_not_end_in_time_is_late() {
    let drips: Answer = |stream| loop {
        stream.write_all(line(&format!("{ID} refs/tags/v1.0.0\n")).as_bytes())?;
        thread::sleep(Duration::from_millis(300));
    };
    let stops: Answer = |_| {
        thread::sleep(Duration::from_secs(60));
        Ok(())
    };
    for references in [drips, stops] {
        let stderr = refused(&serve(references, |_| Ok(())), &["--timeout", "1"]);
        assert!(stderr.contains("no response in time"), "{stderr}");
        assert!(stderr.contains("hint: allow more time with `--timeout SECONDS`"), "{stderr}");
    }
}

#[test]
fn messages_without_end_are_not_kept() {
    let url = serve(usual_references, |stream| {
        stream.write_all(line("packfile\n").as_bytes())?;
        loop {
            stream.write_all(line(&format!("\u{2}{}\n", "progress ".repeat(7_000))).as_bytes())?;
        }
    });
    let stderr = refused(&url, &[]);
    assert!(stderr.contains("the server sends messages without end") && stderr.len() < 2_000, "{stderr}");
    assert!(!stderr.contains("interrupted"), "{stderr}");
}

#[test]
fn a_pack_without_end_is_too_large() {
    let url = serve(usual_references, |stream| {
        stream.write_all(line("packfile\n").as_bytes())?;
        let mut send = |band: &[u8]| {
            stream.write_all(format!("{:04x}\u{1}", band.len() + 5).as_bytes())?;
            stream.write_all(band)
        };
        send(b"PACK\0\0\0\x02\0\xff\xff\xff")?;
        // Empty blobs.
        let blobs = b"\x30\x78\x9c\x03\0\0\0\0\x01".repeat(6_000);
        loop {
            send(&blobs)?;
        }
    });
    let stderr = refused(&url, &["--max-response", "2"]);
    assert!(stderr.contains("the server sends a pack of more than 2 MiB"), "{stderr}");
    assert!(stderr.contains("hint: allow more with `--max-response MIB`"), "{stderr}");
}

#[test]
fn a_pack_that_drips_is_too_slow() {
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let url = serve(usual_references, |stream| {
        ASKED.fetch_add(1, Ordering::Relaxed);
        stream.write_all(line("packfile\n").as_bytes())?;
        loop {
            stream.write_all(line("\u{2}.\n").as_bytes())?;
            thread::sleep(Duration::from_millis(100));
        }
    });
    let stderr = refused(&url, &["--timeout", "1"]);
    assert!(stderr.contains("the server sends too slowly"), "{stderr}");
    assert!(stderr.contains("hint: allow more time with `--timeout SECONDS`"), "{stderr}");
    assert_eq!(ASKED.load(Ordering::Relaxed), 1, "it is not asked again");
}

#[test]
fn what_a_server_says_in_place_of_an_answer_is_passed_on() {
    let say: Answer = |stream| stream.write_all(line("ERR upload-pack: not our \u{1b}[31mref\n").as_bytes());
    for (references, fetch) in [(say, say), (usual_references as Answer, say)] {
        let stderr = refused(&serve(references, fetch), &[]);
        assert!(stderr.contains("the server reports `upload-pack: not our \u{fffd}[31mref`"), "{stderr}");
    }
}

#[test]
fn malformed_references_are_not_printed_as_numbers() {
    let answers: [Answer; 4] = [
        |stream| stream.write_all(line("da4 x\n").as_bytes()),
        |stream| stream.write_all(line("0123 \n").as_bytes()),
        |stream| stream.write_all(line("\n").as_bytes()),
        |stream| stream.write_all(line(&format!("{ID} refs/tags/v1 what:x\n")).as_bytes()),
    ];
    for malformed in answers {
        let stderr = refused(&serve(malformed, |_| Ok(())), &[]);
        assert!(stderr.contains("the server sends a list of references that cannot be read"), "{stderr}");
        assert!(!stderr.contains("[100"), "{stderr}");
    }
}
