//! Properties that hold for any bytes of a repository or from a git server; see [`crate::properties`].

#![expect(clippy::missing_panics_doc, reason = "to panic is what they are for")]

use std::{cell::RefCell, collections::VecDeque, fs, io::Cursor, rc::Rc};

use gix::{ObjectId, bstr::ByteSlice as _, hash::Kind, objs::Write as _};

use super::{
    Repo, WalkOptions,
    decode::{self, RawCommit},
    fetch::{
        self, RepoUrl,
        http::{HttpRequest, HttpResponse},
        store_pack,
    },
    notes::NotesTree,
    oid, revision, tags, trailers, walk,
};
use crate::{interrupt::TemporaryDirectory, model::Range};

const HEADERS: &str = "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor Ida <i@h.example> 1700000000 +0100\n\
    committer Ida <i@h.example> 1700000000 +0100\n\n";

/// Checks that any bytes are read as a commit, that messages stay as they are, and that trailers have limits.
pub fn commit(data: &[u8]) {
    let id = ObjectId::null(Kind::Sha1);
    let raw = RawCommit::parse(data);
    let (commit, is_sound) = raw.commit(&id);
    assert!(!is_sound || raw.tree().is_some());
    let _ =
        (commit.subject(), commit.committed.to_iso8601(), raw.author(), raw.author_time(), raw.committer(), raw.tree());
    let mut parents = Vec::new();
    decode::lineage(data, &mut parents);
    assert!(parents.into_iter().eq(raw.parents()));
    let object = [HEADERS.as_bytes(), data].concat();
    let raw = RawCommit::parse(&object);
    let (commit, is_sound) = raw.commit(&id);
    assert!(is_sound && commit.message == String::from_utf8_lossy(data));
    let trailers = trailers::parse(data);
    assert!(trailers.len() <= 64);
    assert!(trailers.iter().all(|trailer| !trailer.key.is_empty()
        && !trailer.key.contains('\n')
        && trailer.value.trim() == &*trailer.value));
}

/// Checks that a pack is stored, or refused without leaving files.
pub fn pack(data: &[u8]) {
    let directory = TemporaryDirectory::new().expect("a temporary directory");
    let stored = store_pack(&mut &*data, directory.path(), Kind::Sha1);
    let files = fs::read_dir(directory.path()).map_or(0, Iterator::count);
    assert!(stored.is_ok() || files == 0, "{files} files are left by {stored:?}");
}

/// Checks that trees of notes are read whatever they hold: each line is a tree, as raw bytes with `@` for the ID of the
/// tree before it. A note is text, and a damaged tree costs the note of its commit alone.
pub fn notes(data: &[u8]) {
    let directory = TemporaryDirectory::new().expect("a temporary directory");
    let repo = gix::init_bare(directory.path()).expect("a repository");
    let mut last = ObjectId::empty_blob(Kind::Sha1);
    for line in data.split_str("\n").take(50) {
        let tree = line.split_str("@").map(<[u8]>::to_vec).collect::<Vec<_>>().join(last.as_bytes());
        last = repo.write_buf(gix::objs::Kind::Tree, &tree).expect("an object is written");
    }
    let repo = Repo::open_isolated(directory.path()).expect("it is a repository");
    let mut tree = NotesTree::new(repo.own_objects(), last);
    for commit in [ObjectId::null(Kind::Sha1), ObjectId::empty_tree(Kind::Sha1)] {
        if let Ok(Some(text)) = tree.text(oid(&commit)) {
            assert!(!text.contains('\0'));
        }
    }
}

/// Checks that responses of a git server, separated by a line `====`, give a repository or an error.
pub fn fetch(data: &[u8]) {
    // The panic hook of libFuzzer ends the process even if the panic is caught.
    #[cfg(fuzzing)]
    std::panic::set_hook(Box::new(|_| ()));
    let bodies = RefCell::new(data.split_str("\n====\n").map(<[u8]>::to_vec).collect::<VecDeque<_>>());
    let canned = move |request: HttpRequest| {
        let kind = if request.body.is_some() { "result" } else { "advertisement" };
        let headers = vec![("Content-Type".to_owned(), format!("application/x-git-upload-pack-{kind}"))];
        let body = bodies.borrow_mut().pop_front().unwrap_or_default();
        Ok(HttpResponse { status: 200, headers, body: Box::new(Cursor::new(body)) })
    };
    let options = fetch::Options { http: Some(Rc::new(canned)), ..fetch::Options::default() };
    let url = RepoUrl::parse("http://127.0.0.1/a").ok().flatten().expect("it is a URL");
    if let Ok(repo) = fetch::open(&url, options) {
        let _ = tags::names(&repo);
        if let Ok(to) = revision::resolve(&repo, "HEAD") {
            let _ = walk(&repo, Range { from: None, to }, &WalkOptions::default());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*, sample::select};

    use super::*;

    #[test]
    fn a_reference_that_is_promised_and_missing_is_an_error() {
        let id = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
        let line = format!("{id} refs/heads/main\0symref=HEAD:refs/heads/main\n");
        fetch(format!("001e# service=git-upload-pack\n0000{:04x}{line}0000", line.len() + 4).as_bytes());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn commits(pieces in vec(select(vec![
            "tree ", "parent ", "author ", "committer ", "encoding ", "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "Ida ", "<", ">", "i@h", " ",
            "1700000000", "99999999999999999999", " +0100", " -9999999999", "-", "\n", "\n\n", "utf-8", "iso-8859-1", "UTF-16", "Title",
            "Changelog: added", "Signed-off-by: Ida", "(cherry picked from commit x)", "# ", "\t", "\0", "é", ": ", "\r",
            "# ------------------------ >8 ------------------------\n", "Conflicts:\n", "gpgsig x\n y\n",
        ]), 0..30)) {
            commit(pieces.concat().as_bytes());
        }

        #[test]
        fn trees_of_notes(pieces in vec(select(vec![
            "40000 ", "100644 ", "120000 ", "00\0@", "0\0@", "4b\0@", "4b825dc642cb6eb9a060e54bf8d69288fbee4904\0@", "\0", "@", "\n", "x",
            "0000000000000000000000000000000000000000\0@", "100644 00000000000000000000000000000000000000\0@", "40000 00\0@\n",
        ]), 0..60)) {
            notes(pieces.concat().as_bytes());
        }

        #[test]
        fn packs(data in vec(any::<u8>(), 0..60), count in 0u8..3) {
            pack(&[b"PACK\0\0\0\x02\0\0\0", &[count][..], &data].concat());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(50))]

        #[test]
        fn responses(lines in vec(select(vec![
            "# service=git-upload-pack\n", "version 2\n", "version 1\n", "ls-refs=unborn\n", "fetch=shallow filter\n", "object-format=sha1\n",
            "object-format=sha256\n", "agent=x\n", "4b825dc642cb6eb9a060e54bf8d69288fbee4904 HEAD\n", "packfile\n", "\x01PACK", "\x02no\n",
            "4b825dc642cb6eb9a060e54bf8d69288fbee4904 HEAD symref-target:refs/heads/main\n", "ERR no\n", "\0", "flush", "delim", "next",
            "4b825dc642cb6eb9a060e54bf8d69288fbee4904 refs/tags/v1.0.0 peeled:4b825dc642cb6eb9a060e54bf8d69288fbee4904\n", "acknowledgments\n",
            "shallow-info\n", "shallow 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n", "NAK\n",
            "4b825dc642cb6eb9a060e54bf8d69288fbee4904 HEAD\0multi_ack side-band-64k filter symref=HEAD:refs/heads/main\n",
        ]), 0..20), is_v2 in any::<bool>()) {
            let greeting = "001e# service=git-upload-pack\n0000000eversion 2\n0014fetch=shallow\n0000\n====\n";
            let line = |line: &str| match line {
                "flush" => "0000".to_owned(),
                "delim" => "0001".to_owned(),
                "next" => "\n====\n".to_owned(),
                line => format!("{:04x}{line}", line.len() + 4),
            };
            let lines: String = lines.into_iter().map(line).collect();
            fetch(format!("{}{lines}", if is_v2 { greeting } else { "" }).as_bytes());
        }
    }
}
