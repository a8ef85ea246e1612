//! What is read of each commit: `git log` prints the same.

use crate::{
    git::{self, Repo, WalkOptions, WalkResult, revision},
    model::Range,
    support::{Clocks, Random, TestRepo, random_history},
};

/// Enough for several threads with several chunks each.
const COMMITS: usize = 3_000;

fn walk(repo: &Repo) -> WalkResult {
    let range = Range { from: None, to: revision::resolve(repo, "HEAD").unwrap() };
    git::walk(repo, range, &WalkOptions::default()).unwrap()
}

/// Every field in one line of text, as `git log` gives it.
fn shown(walked: &WalkResult, index: usize) -> String {
    let commit = &walked.commits[index];
    let parents = walked.parents.of(index).map(|parent| parent.id(|index| walked.commits[index].id).to_string());
    let parents: Vec<String> = parents.collect();
    assert_eq!(commit.is_merge, parents.len() > 1);
    let (author, time) = (&commit.author, commit.committed);
    let zone = time.offset.abs() / 60;
    let sign = if time.offset < 0 { '-' } else { '+' };
    format!(
        "{}|{}|{}|{}|{} {sign}{:02}{:02}|{}",
        commit.id,
        parents.join(" "),
        author.name,
        author.email,
        time.seconds,
        zone / 60,
        zone % 60,
        commit.message.trim_end_matches('\n'),
    )
}

#[track_caller]
fn agrees(repo: &TestRepo) {
    let opened = Repo::open_isolated(repo.path()).unwrap();
    let walked = walk(&opened);
    let found: Vec<String> = (0..walked.commits.len()).map(|index| shown(&walked, index)).collect();
    let log = repo.git_with_input(&["log", "-z", "--date=raw", "--format=%H|%P|%an|%ae|%cd|%B"], b"");
    let log = String::from_utf8_lossy(&log).into_owned();
    let expected: Vec<&str> = log.split_terminator('\0').map(|commit| commit.trim_end_matches('\n')).collect();
    assert_eq!(found, expected);
}

fn large() -> TestRepo {
    let repo = TestRepo::new();
    repo.import(&random_history(&mut Random::new(3), COMMITS, Clocks::Skewed));
    repo
}

#[test]
fn of_many_commits_loose_packed_and_as_deltas() {
    let repo = large();
    agrees(&repo);
    repo.git(&["repack", "-q", "-a", "-d", "-f", "--depth=50", "--window=50"]);
    agrees(&repo);
    repo.git(&["commit-graph", "write", "--reachable"]);
    agrees(&repo);
}

#[test]
fn on_any_number_of_threads() {
    let repo = large();
    let opened = Repo::open_isolated(repo.path()).unwrap();
    let expected = walk(&opened);
    for threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let path = repo.path();
        assert!(pool.install(|| walk(&Repo::open_isolated(path).unwrap())) == expected, "{threads} threads");
    }
}

#[test]
fn in_any_encoding() {
    let repo = TestRepo::new();
    for (encoding, message) in [
        ("ISO-8859-1", &b"Verg\xfctung\n\n\x80\x9f\n"[..]),
        ("latin1", b"Caf\xe9\n"),
        ("ISO-8859-15", b"Preis: \xa4\n"),
        ("windows-1252", b"Preis: \x80\n"),
        ("SHIFT_JIS", b"\x83\x65\x83\x58\x83\x67\n"),
        ("EUC-JP", b"\xa5\xc6\xa5\xb9\xa5\xc8\n"),
        ("eucJP", b"\xa5\xc6\xa5\xb9\xa5\xc8\n"),
        ("eucKR", b"\xc7\xd1\xb1\xdb\n"),
        ("eucCN", b"\xd6\xd0\xce\xc4\n"),
        ("CP932", b"\x83\x65\x83\x58\x83\x67\n"),
        ("ISO-2022-JP", b"\x1b$B%F%9%H\x1b(B\n"),
        ("KOI8-R", b"\xd4\xc5\xd3\xd4\n"),
        ("UTF-8", "Größe\n".as_bytes()),
        ("no-such-thing", b"raw \xff\n"),
        ("ASCII", b"Caf\xe9\n"),
        ("us-ascii", b"Caf\xe9 \x80\n"),
        ("ISO_8859-1", b"Preis: \x80\n"),
        ("l1", b"Preis: \x80\n"),
        ("EUC-JP", b"\xa5\xc6\xa5\n"),
        ("UTF-16LE", b"Heading!\n"),
    ] {
        repo.git(&["config", "i18n.commitEncoding", encoding]);
        repo.commit_bytes(message);
    }
    repo.git(&["config", "--unset", "i18n.commitEncoding"]);
    repo.commit_bytes(b"not said: \xe4\n");
    agrees(&repo);
}

#[test]
fn of_headers_that_are_odd() {
    let repo = TestRepo::new();
    let tree = String::from_utf8(repo.git_with_input(&["mktree"], b"")).unwrap();
    let mut parent = String::new();
    for who in [
        "Ida <ida@harbor.example> 1700000000 +0000",
        "Ida <ida@harbor.example> 1700000000 -0330",
        "  Ida  <ida@harbor.example> 1700000000 +0545",
        "<ida@harbor.example> 1700000000 +1400",
        "Ida <> 1700000000 +0000",
        "Ida <ida@harbor.example> <two@harbor.example> 1700000000 +0000",
        "Ida \"the <keeper>\" <ida@harbor.example> 1700000000 +0000",
    ] {
        let object =
            format!("tree {tree}{parent}author {who}\ncommitter {who}\ngpgsig -----BEGIN\n x\n -----END\n\nMessage\n");
        let id =
            repo.git_with_input(&["hash-object", "-t", "commit", "-w", "--literally", "--stdin"], object.as_bytes());
        parent = format!("parent {}", String::from_utf8(id).unwrap());
    }
    repo.git(&["update-ref", "HEAD", parent.trim_end().trim_start_matches("parent ")]);
    agrees(&repo);
}

#[test]
fn one_broken_commit_is_a_warning() {
    let person = "Ida <ida@harbor.example> 1700000000 +0000";
    let no_id = format!("tree 4b82\nPARENT\nauthor {person}\ncommitter {person}\n");
    for headers in ["PARENT\nauthor nobody\n", &no_id] {
        let repo = TestRepo::new();
        let headers = headers.replace("PARENT", &format!("parent {}", repo.commit("Sound")));
        let object = format!("{headers}\nBroken\n\nChangelog: added\n");
        let id =
            repo.git_with_input(&["hash-object", "-t", "commit", "-w", "--literally", "--stdin"], object.as_bytes());
        std::fs::write(repo.path().join(".git/refs/heads/main"), id).unwrap();
        let opened = Repo::open_isolated(repo.path()).unwrap();
        let range = Range { from: None, to: revision::resolve(&opened, "HEAD").unwrap() };
        let walked = git::walk(&opened, range, &WalkOptions::default()).unwrap();
        assert_eq!(walked.commits.len(), 2);
        let trailers: Vec<_> = walked.commits[0].trailers.iter().map(|own| (&*own.key, &*own.value)).collect();
        assert_eq!(trailers, [("Changelog", "added")]);
        assert_eq!(walked.warnings.len(), 1, "{headers}");
        assert!(walked.warnings[0].message.contains("broken headers"), "{}", walked.warnings[0]);
    }
}

#[test]
fn a_missing_commit_is_an_error_that_names_it() {
    let repo = TestRepo::new();
    let missing = repo.commit("Lost");
    repo.commit("Kept");
    let object = repo.path().join(".git/objects").join(&missing[..2]).join(&missing[2..]);
    let mut permissions = std::fs::metadata(&object).unwrap().permissions();
    #[expect(clippy::permissions_set_readonly_false, reason = "it is about to be deleted")]
    permissions.set_readonly(false);
    std::fs::set_permissions(&object, permissions).unwrap();
    std::fs::remove_file(&object).unwrap();
    let opened = Repo::open_isolated(repo.path()).unwrap();
    let range = Range { from: None, to: revision::resolve(&opened, "HEAD").unwrap() };
    let error = git::walk(&opened, range, &WalkOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), format!("the commit `{missing}` is missing from the repository"));
}

#[test]
fn without_the_users_settings() {
    let repo = TestRepo::new();
    repo.commit("Title\n\nChangelog: added\nIssue= 1\n");
    repo.commit("Title\n\nChangelog: fixed\n; Issue: 1\n");
    repo.git(&["config", "core.commentChar", ";"]);
    repo.git(&["config", "trailer.separators", "="]);
    let commits = walk(&Repo::open_isolated(repo.path()).unwrap()).commits;
    assert!(commits.iter().all(|commit| commit.trailers.is_empty()), "{commits:?}");
}
