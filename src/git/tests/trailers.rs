//! Trailers of generated messages.

use crate::{git, model::Trailer};

use crate::support::{Planned, Random, TestRepo};

const MESSAGES: usize = 4_000;

/// What messages are made of: the lines on which git's rules turn.
const LINES: [&[u8]; 40] = [
    b"Fix the lamp",
    b"Body text without a colon",
    b"",
    b"",
    b"",
    b" ",
    b"\t",
    b"Changelog: added",
    b"Changelog:fixed",
    b"Changelog : other",
    b"Changelog:",
    b"Issue:\tone",
    b"  folded on",
    b"\tfolded by a tab",
    b" : lone",
    b"Signed-off-by: Ida <ida@harbor.example>",
    b"Signed-off-by: ",
    b"(cherry picked from commit 0123456)",
    b"some words: with a colon",
    b"https://harbor.example/1",
    b"Key_with: underscore",
    b"Key.dot: value",
    b"key-1: v\r",
    b"\r",
    b"# a comment",
    b"#no blank",
    b"Conflicts:",
    b"\tsrc/lamp.rs",
    b"---",
    b"# ------------------------ >8 ------------------------",
    b"\xc3\x84rger: umlaut",
    b"Name: \xc3\xa4\xc2\xa0",
    b"Raw: \xe4\xff",
    b"\x0cform: feed",
    b"A:b:c",
    b":",
    b"-: dash",
    b"Trailing: space  ",
    b"\x0bvertical",
    b"9: nine",
];

fn message(random: &mut Random) -> Vec<u8> {
    let mut message = Vec::new();
    for _ in 0..random.below(12) {
        message.extend_from_slice(random.pick::<&[u8]>(&LINES));
        message.push(b'\n');
    }
    if random.once_in(3) {
        message.pop();
    }
    message
}

/// Splits git's pieces as GitLab does.
fn split(pieces: &[u8]) -> Vec<(String, String)> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let pair = |piece: &[u8]| {
        let colon = piece.iter().position(|byte| *byte == b':').filter(|colon| *colon > 0)?;
        Some((text(&piece[..colon]), text(&piece[colon + 1..]).trim().to_owned()))
    };
    pieces.split(|byte| *byte == 0).filter_map(pair).collect()
}

#[test]
fn of_any_message_are_those_that_git_finds() {
    let mut random = Random::new(7);
    let history: Vec<Planned> = (0..MESSAGES)
        .map(|position| Planned {
            parents: position.checked_sub(1).into_iter().collect(),
            date: TestRepo::EPOCH + i64::try_from(position).unwrap(),
            message: message(&mut random),
            ..Planned::default()
        })
        .collect();
    let repo = TestRepo::new();
    repo.import(&history);
    let format = "--format=%x01%(trailers:unfold,separator=%x00)%x02";
    let log = repo.git_with_input(&["log", "--reverse", format], b"");
    let mut rest = log.as_slice();
    for planned in &history {
        let start = rest.iter().position(|byte| *byte == 1).unwrap() + 1;
        let end = rest.iter().position(|byte| *byte == 2).unwrap();
        let pair = |trailer: Trailer| (trailer.key.to_string(), trailer.value.to_string());
        let found: Vec<_> = git::trailers::parse(&planned.message).into_iter().map(pair).collect();
        assert_eq!(found, split(&rest[start..end]), "{:?}", String::from_utf8_lossy(&planned.message));
        rest = &rest[end + 1..];
    }
}
