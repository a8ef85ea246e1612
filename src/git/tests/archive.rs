//! Archives against `git archive`, to the byte.

use std::io::Read as _;

use crate::{
    git::{self, Repo},
    model::repository::{ArchiveFormat, ArchiveRequest},
};
use bzip2::read::BzDecoder;
use flate2::read::GzDecoder;

use crate::support::{Part, Random, TestRepo, generated};

const REPOSITORIES: u64 = 8;

/// What git writes.
fn expected(repo: &TestRepo, request: &ArchiveRequest, name: &str, format: &str) -> Vec<u8> {
    let exclude = request.exclude.iter().map(String::as_str).collect();
    let part = Part { path: &request.path, exclude };
    repo.oracle().archive(request.reference.as_deref().unwrap(), &part, name, format).unwrap()
}

fn ask(repo: &TestRepo, request: &ArchiveRequest, name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    git::archive::write(&Repo::open_isolated(repo.path()).unwrap(), request, name, &mut bytes).unwrap();
    bytes
}

fn request(reference: &str, format: ArchiveFormat) -> ArchiveRequest {
    ArchiveRequest { reference: Some(reference.to_owned()), format, lfs: true, ..ArchiveRequest::default() }
}

#[track_caller]
fn assert_same(ours: &[u8], gits: &[u8]) {
    let differing = ours.iter().zip(gits).position(|(ours, gits)| ours != gits);
    let around = |bytes: &[u8], offset: usize| {
        let block = offset / 512 * 512;
        let text = String::from_utf8_lossy(&bytes[block..(block + 2048).min(bytes.len())]).into_owned();
        text.replace('\0', "")
    };
    if let Some(offset) = differing {
        panic!("byte {offset}\nours: {}\ngits: {}", around(ours, offset), around(gits, offset));
    }
    assert_eq!(ours.len(), gits.len());
}

#[test]
fn tape_archives_are_git_s_to_the_byte() {
    let mut random = Random::new(6);
    for _ in 0..REPOSITORIES {
        let repo = generated::repository(&mut random);
        let mut request = request(&generated::reference(&mut random, &repo), ArchiveFormat::Tar);
        assert_same(&ask(&repo, &request, "app"), &expected(&repo, &request, "app", "tar"));
        let files = repo.git(&["ls-tree", "-r", "--name-only", "-z", request.reference.as_deref().unwrap()]);
        let plain: Vec<&str> = files.split('\0').filter(|path| path.is_ascii() && path.contains('/')).collect();
        if plain.len() > 1 {
            request.exclude = vec![(*random.pick(&plain)).to_owned()];
            assert_same(&ask(&repo, &request, "app"), &expected(&repo, &request, "app", "tar"));
            request.exclude.clear();
            request.path = random.pick(&plain).rsplit_once('/').unwrap().0.to_owned();
            assert_same(&ask(&repo, &request, "app"), &expected(&repo, &request, "app", "tar"));
        }
    }
}

/// Everything that attributes, long names and large trees do to an archive.
fn repository() -> TestRepo {
    let repo = TestRepo::new();
    let attributes = "*.secret export-ignore\nprivate export-ignore\n*.subst export-subst\n*.dos text eol=crlf\n*.id ident\n\
                      *.u16 working-tree-encoding=UTF-16LE\nempty/only export-ignore\n";
    repo.file(".gitattributes", attributes).file("a.secret", "x").file("private/deep/file", "x");
    repo.file("sub/.gitattributes", "*.secret -export-ignore\nb.txt export-ignore\n").file("sub/c.secret", "kept");
    repo.file("sub/b.txt", "not kept").file("empty/only", "x").file("lines.dos", "a\nb\n").file("x.id", "$Id$\n");
    repo.file("text.u16", "gr\u{fc}n\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    for length in [90, 99, 100, 101, 150, 154, 155, 156, 200, 255] {
        repo.file(&format!("{}/{}", "d".repeat(50), "f".repeat(length - 10)), "x");
        repo.file(&format!("{}/file", "e".repeat(length - 5)), "x");
    }
    repo.file(&format!("{0}/{0}/{0}/{0}", "g".repeat(70)), "x").file("big", vec![b'x'; 70_000]);
    let formats = [
        "%H %h %T %t %P %p",
        "%an <%ae> %al %aN %aE %aL",
        "%cn <%ce> %cl %cN %cE %cL",
        "%ad|%aD|%ai|%aI|%as|%at",
        "%cd|%cD|%ci|%cI|%cs|%ct",
        "%s",
        "%f",
        "%b",
        "%B",
        "%d",
        "%D",
        "%n%%%x41%xzz%",
        "%(describe)",
        "%(describe:tags=true,match=v*,abbrev=10)",
        "%(nothing)%(describe:nothing)",
        "100%",
    ];
    let text: Vec<String> = formats.iter().map(|format| format!("{format}: $Format:{format}$\n")).collect();
    repo.file("one.subst", text.concat()).file("two.subst", "$Format:%H");
    repo.file(".mailmap", "Ida Proper <ida@proper.example> <ida@harbor.example>\n");
    repo.commit("First part\n\nBody\n");
    repo.annotated_tag("v1.0.0").tag("light");
    repo.commit("Second: the `thing`...\nin two lines.\n\nBody\n\n\nChangelog: added\n");
    repo.tag("w1").tag("v2").git(&["branch", "other"]);
    repo
}

#[test]
fn attributes_long_names_and_placeholders_are_heeded() {
    let repo = repository();
    for reference in ["HEAD", "v1.0.0", "HEAD~1"] {
        let request = request(reference, ArchiveFormat::Tar);
        assert_same(&ask(&repo, &request, "app-1"), &expected(&repo, &request, "app-1", "tar"));
    }
}

#[test]
fn compressed_tape_archives_hold_the_same() {
    let repo = repository();
    let plain = ask(&repo, &request("HEAD", ArchiveFormat::Tar), "app");
    let mut unpacked = Vec::new();
    let packed = ask(&repo, &request("HEAD", ArchiveFormat::TarGz), "app");
    GzDecoder::new(packed.as_slice()).read_to_end(&mut unpacked).unwrap();
    assert_same(&unpacked, &plain);
    unpacked.clear();
    let packed = ask(&repo, &request("HEAD", ArchiveFormat::TarBz2), "app");
    BzDecoder::new(packed.as_slice()).read_to_end(&mut unpacked).unwrap();
    assert_same(&unpacked, &plain);
}

#[test]
fn zip_files_are_git_s_to_the_byte() {
    let mut random = Random::new(7);
    for repo in [repository(), generated::repository(&mut random)] {
        let request = request("main", ArchiveFormat::Zip);
        assert_same(&ask(&repo, &request, "app"), &expected(&repo, &request, "app", "zip"));
    }
}

#[test]
fn what_is_missing_is_told() {
    let repo = repository();
    let ours = Repo::open_isolated(repo.path()).unwrap();
    let error = |request: &ArchiveRequest| {
        let mut written = Vec::new();
        let error = git::archive::write(&ours, request, "app", &mut written).unwrap_err();
        assert_eq!(written, b"", "nothing is written before everything is known to be there");
        error.to_string()
    };
    let all = request("HEAD", ArchiveFormat::Tar);
    assert!(error(&ArchiveRequest { path: "no/such".into(), ..all.clone() }).contains("no `no/such`"));
    assert!(error(&ArchiveRequest { exclude: vec!["nor/this".into()], ..all.clone() }).contains("no `nor/this`"));
    assert!(error(&ArchiveRequest { reference: Some("nowhere".into()), ..all }).contains("unknown revision `nowhere`"));
}

#[test]
fn an_archive_is_named_after_project_ref_commit_and_path() {
    let repo = repository();
    let ours = Repo::open_isolated(repo.path()).unwrap();
    let id = repo.git(&["rev-parse", "HEAD"]);
    let name = |reference: Option<&str>, path: &str| {
        let reference = reference.map(str::to_owned);
        let request = ArchiveRequest { reference, path: path.to_owned(), ..ArchiveRequest::default() };
        git::archive::name(&ours, &request, "app").unwrap()
    };
    assert_eq!(name(None, ""), format!("app-main-{id}"));
    assert_eq!(name(Some(&id), ""), format!("app-{id}-{id}"));
    assert_eq!(name(Some("refs/heads/other"), "/private/deep/"), format!("app-other-{id}-private-deep"));
}
