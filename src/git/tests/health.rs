//! The health report against what `git count-objects` counts and `git repack` leaves.

use std::{
    fs::{self, File},
    time::{Duration, SystemTime},
};

use crate::{
    git::{self, Repo},
    model::repository::Health,
    support::{Random, TestRepo, generated},
};

fn ask(repo: &TestRepo) -> Health {
    git::health::health(&Repo::open_isolated(repo.path()).unwrap()).unwrap()
}

/// A number of `git count-objects -v`.
fn counted(repo: &TestRepo, name: &str) -> u64 {
    let counts = repo.git(&["count-objects", "-v"]);
    counts.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).unwrap().parse().unwrap()
}

#[test]
fn objects_are_counted_as_git_counts_them() {
    let repo = generated::repository(&mut Random::new(8));
    repo.git_with_input(&["hash-object", "-w", "--stdin"], b"loose");
    let pack = fs::read_dir(repo.path().join("objects/pack")).unwrap();
    let size: u64 = pack
        .map(|file| file.unwrap())
        .filter(|file| file.path().extension().is_some_and(|end| end == "pack"))
        .map(|file| file.metadata().unwrap().len())
        .sum();
    let health = ask(&repo).objects;
    assert_eq!((health.loose_objects_count, health.packfile_count), (counted(&repo, "count"), counted(&repo, "packs")));
    assert!(health.loose_objects_count > 0 && health.packfile_count > 0);
    assert_eq!(health.recent_size, health.size);
    assert!(health.size > size);
}

#[test]
fn old_loose_objects_cruft_and_kept_packs_are_told_apart() {
    let repo = generated::repository(&mut Random::new(9));
    let id = repo.git_with_input(&["hash-object", "-w", "--stdin"], b"old");
    let id = String::from_utf8(id).unwrap();
    let object = repo.path().join("objects").join(&id[..2]).join(id[2..].trim_end());
    let old = SystemTime::now() - Duration::from_secs(11 * 24 * 60 * 60);
    let mut permissions = fs::metadata(&object).unwrap().permissions();
    #[expect(clippy::permissions_set_readonly_false, reason = "the file is gone in a moment")]
    permissions.set_readonly(false);
    fs::set_permissions(&object, permissions).unwrap();
    File::options().write(true).open(&object).unwrap().set_modified(old).unwrap();
    let health = ask(&repo).objects;
    assert_eq!((health.stale_loose_objects_count, health.stale_size), (1, fs::metadata(&object).unwrap().len()));
    repo.git(&["repack", "-qad", "--cruft"]);
    let health = ask(&repo).objects;
    assert_eq!((health.cruft_count, health.loose_objects_count), (1, 0));
    assert!(health.stale_size > 0 && health.recent_size > health.stale_size);
    fs::write(repo.path().join("objects/00_no_object"), "").unwrap();
    fs::create_dir_all(repo.path().join("objects/00")).unwrap();
    fs::write(repo.path().join("objects/00/garbage"), "").unwrap();
    assert_eq!(ask(&repo).objects.loose_objects_garbage_count, 1);
}

#[test]
fn what_makes_git_fast_is_found() {
    let repo = generated::repository(&mut Random::new(10));
    let before = ask(&repo);
    assert_eq!((before.bitmap, before.multi_pack_index, before.commit_graph.has_generation_data), (None, None, false));
    repo.git(&["repack", "-qadb", "--write-midx"]);
    repo.git(&["commit-graph", "write", "--reachable", "--changed-paths", "--split"]);
    repo.git(&["pack-refs", "--all"]);
    let after = ask(&repo);
    assert_eq!(after.multi_pack_index.unwrap().packfile_count, 1);
    let bitmap = after.bitmap.or(after.multi_pack_index_bitmap).unwrap();
    assert_eq!((bitmap.version, bitmap.has_hash_cache), (1, true));
    let graph = after.commit_graph;
    assert_eq!((graph.commit_graph_chain_length, graph.has_bloom_filters, graph.has_generation_data), (1, true, true));
    let packed = fs::metadata(repo.path().join("packed-refs")).unwrap().len();
    assert_eq!((after.references.loose_count, after.references.packed_size), (0, packed));
    assert_eq!(before.references.loose_count, 5);
}

#[test]
fn borrowed_objects_are_told() {
    let repo = generated::repository(&mut Random::new(11));
    assert_eq!(ask(&repo).alternates, None);
    repo.git(&["clone", "-q", "--shared", "--bare", ".", "../borrower"]);
    let borrower = Repo::open_isolated(&repo.beside("borrower")).unwrap();
    let health = git::health::health(&borrower).unwrap();
    let from = health.alternates.unwrap().object_directories;
    assert_eq!(from.len(), 1);
    assert!(from[0].ends_with("objects"));
    assert_eq!(health.objects.packfile_count, 0);
}
