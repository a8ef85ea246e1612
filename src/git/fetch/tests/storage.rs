//! The directory of what was fetched.

use std::{fs, path::Path};

use gix::{ObjectId, hash::Kind};

use crate::git::{
    Repo,
    fetch::{
        Options, RepoUrl,
        storage::{Storage, extend_shallow_boundary, init, pack_directory, pack_names},
    },
};

fn open(cache: &Path) -> Storage {
    let url = RepoUrl::parse("https://harbor.example/ida/ship.git").unwrap().expect("a URL");
    Storage::open(&url, &Options { cache: Some(cache.to_owned()), ..Options::default() }).unwrap()
}

#[test]
fn a_cache_of_too_many_packs_is_cleared() {
    for (packs, is_kept) in [(60, true), (61, false)] {
        let cache = tempfile::tempdir().unwrap();
        let storage = open(cache.path());
        assert!(storage.is_kept());
        let repositories = [storage.history(Kind::Sha1).unwrap(), storage.files(Kind::Sha1).unwrap()];
        for repository in &repositories {
            let packs = if repository == &repositories[0] { packs } else { 60 };
            (0..packs).for_each(|number| fs::write(pack_directory(repository).join(number.to_string()), "").unwrap());
        }
        fs::write(storage.extent(), "extent").unwrap();
        drop(storage);
        let storage = open(cache.path());
        assert_eq!(storage.extent().exists(), is_kept, "{packs}");
        assert!(repositories.iter().all(|repository| repository.exists() == is_kept), "{packs}");
    }
    let transient =
        Storage::open(&RepoUrl::parse("https://a.example/b").unwrap().unwrap(), &Options::default()).unwrap();
    assert!(!transient.is_kept());
}

#[test]
fn each_url_has_a_directory_of_its_own() {
    let cache = tempfile::tempdir().unwrap();
    let directory = |url: &str| {
        let url = RepoUrl::parse(url).unwrap().expect("a URL");
        let options = Options { cache: Some(cache.path().to_owned()), ..Options::default() };
        Storage::open(&url, &options).unwrap().extent()
    };
    let urls = ["https://a.example/b", "https://a.example/b/c", "https://a.example/b%2Fc", "ssh://a.example/b"];
    let mut directories: Vec<_> = urls.map(directory).into();
    assert!(directories.iter().all(|directory| directory.parent().unwrap().parent() == Some(cache.path())));
    directories.dedup();
    assert_eq!(directories.len(), urls.len());
}

#[test]
fn the_object_format_is_that_of_the_repository() {
    let cache = tempfile::tempdir().unwrap();
    let storage = open(cache.path());
    assert_eq!(storage.object_hash().unwrap(), Kind::Sha1, "nothing is there");
    for hash in [Kind::Sha256, Kind::Sha1] {
        let repository = storage.files(hash).unwrap();
        assert_eq!(storage.object_hash().unwrap(), hash);
        assert_eq!(Repo::open_isolated(&repository).unwrap().gix().object_hash(), hash);
        // What is there stays.
        fs::write(repository.join("config"), fs::read_to_string(repository.join("config")).unwrap() + "# more\n")
            .unwrap();
        storage.files(hash).unwrap();
        assert!(fs::read_to_string(repository.join("config")).unwrap().ends_with("# more\n"));
    }
}

#[test]
fn what_a_run_left_that_is_not_whole_is_removed() {
    let cache = tempfile::tempdir().unwrap();
    let storage = open(cache.path());
    let (history, files) = (storage.history(Kind::Sha1).unwrap(), storage.files(Kind::Sha1).unwrap());
    assert_eq!(storage.load_extent().unwrap(), None);
    assert!(!history.exists() && files.exists(), "files need no extent");
    let packed = |name: &str| ["pack", "idx"].map(|kind| pack_directory(&files).join(format!("{name}.{kind}")));
    for path in packed("pack-1") {
        fs::write(path, "damaged").unwrap();
    }
    assert_eq!(pack_names(&files), ["pack-1"]);
    assert_eq!(storage.load_extent().unwrap(), None);
    assert!(!files.exists());
}

#[test]
fn a_shallow_boundary_grows_and_is_not_written_without_need() {
    let directory = tempfile::tempdir().unwrap();
    let path = init(directory.path().join("history.git"), Kind::Sha1).unwrap();
    let open = || Repo::open_isolated(&path).unwrap();
    let [one, two] = ['1', '2'].map(|digit| ObjectId::from_hex(digit.to_string().repeat(40).as_bytes()).unwrap());
    extend_shallow_boundary(open().gix(), Vec::new()).unwrap();
    assert!(!path.join("shallow").exists());
    extend_shallow_boundary(open().gix(), vec![two]).unwrap();
    extend_shallow_boundary(open().gix(), vec![one, two]).unwrap();
    assert_eq!(fs::read_to_string(path.join("shallow")).unwrap(), format!("{one}\n{two}"));
}
