//! What a Rust program asks of generated histories: to open one, its base tag among many, and a section with and
//! without a commit-graph.
//!
//! `cargo bench` runs it; `benches/compare` puts whole processes beside `git log`.

use std::{
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use tempfile::TempDir;
use tidings::{Options, Repository};

const TAGS: usize = 5_000;
const MESSAGE: &str =
    "Keep the lamp lit through the night\n\nThe wick was trimmed too early, so that the flame went out
before dawn. It is now trimmed at sunrise.\n\nChangelog: fixed\nSigned-off-by: Ida <ida@harbor.example>\n";

/// A bare repository of a history in which every eighth commit merges a side branch.
fn repository(commits: usize) -> TempDir {
    let directory = TempDir::new().expect("a temporary directory");
    git(directory.path(), &["init", "-q", "--bare", "-b", "main"], b"");
    let mut stream = Vec::new();
    for number in 1..=commits {
        let who = format!("Ida <ida@harbor.example> {} +0000", 1_600_000_000 + number * 600);
        let message = format!("{number}: {MESSAGE}");
        let _ = write!(stream, "commit refs/heads/main\nmark :{number}\nauthor {who}\ncommitter {who}\n");
        let _ = write!(stream, "data {}\n{message}\n", message.len());
        if number > 1 {
            let _ = writeln!(stream, "from :{}", if number % 8 == 7 { number - 5 } else { number - 1 });
        }
        if number > 8 && number % 8 == 0 {
            let _ = writeln!(stream, "merge :{}", number - 2);
        }
        stream.push(b'\n');
    }
    for tag in 0..TAGS.min(commits) {
        let _ = writeln!(stream, "reset refs/tags/v{tag}.0.0\nfrom :{}\n", tag + 1);
    }
    git(directory.path(), &["fast-import", "--quiet", "--force"], &stream);
    git(directory.path(), &["pack-refs", "--all"], b"");
    git(directory.path(), &["repack", "-adq"], b"");
    directory
}

fn git(directory: &Path, arguments: &[&str], input: &[u8]) {
    let mut child = Command::new("git")
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::piped())
        .spawn()
        .expect("git is on the PATH");
    child.stdin.take().expect("it was piped").write_all(input).expect("git reads its input");
    assert!(child.wait().expect("git ends").success(), "git {arguments:?}");
}

fn section(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("section");
    let options = Options::new().version("99999.0.0").first_release();
    for commits in [100, 1_000, 15_000] {
        let directory = repository(commits);
        group.throughput(Throughput::Elements(commits as u64));
        for graph in ["without commit-graph", "with commit-graph"] {
            if graph.starts_with("with ") {
                git(directory.path(), &["commit-graph", "write", "--reachable"], b"");
            }
            group.bench_function(BenchmarkId::new(graph, commits), |bencher| {
                bencher.iter(|| {
                    let repository = Repository::open(directory.path()).expect("it opens");
                    repository.section(&options).expect("there are entries")
                });
            });
        }
    }
}

fn tags(criterion: &mut Criterion) {
    let directory = repository(TAGS);
    criterion.bench_function("open", |bencher| bencher.iter(|| Repository::open(directory.path()).expect("it opens")));
    let repository = Repository::open(directory.path()).expect("it opens");
    let options = Options::new().version("99999.0.0");
    criterion.bench_function("base of 5000 tags", |bencher| {
        bencher.iter(|| repository.base_tag(&options).expect("there is a tag"));
    });
}

criterion_group!(benches, section, tags);
criterion_main!(benches);
