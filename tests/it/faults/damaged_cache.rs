//! Any file of a cache is lost, cut off or changed: the next run gives the right section, or says what is wrong.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::support::{Outcome, TestRepo, tidings};

/// A way to damage a file, in words, and the function that does it.
type Damage = (&'static str, fn(&Path));

const DAMAGES: [Damage; 5] = [
    ("removed", |file| fs::remove_file(file).unwrap()),
    ("emptied", |file| fs::write(file, "").unwrap()),
    ("overwritten", |file| fs::write(file, b"\xff\0garbage\n".repeat(9)).unwrap()),
    ("cut off", |file| {
        let content = fs::read(file).unwrap();
        fs::write(file, &content[..content.len() / 2]).unwrap();
    }),
    ("changed in one bit", |file| {
        let mut content = fs::read(file).unwrap();
        let middle = content.len() / 2;
        if let Some(byte) = content.get_mut(middle) {
            *byte ^= 4;
        }
        fs::write(file, content).unwrap();
    }),
];

fn files_below(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

fn copy(from: &Path, to: &Path) {
    if to.exists() {
        fs::remove_dir_all(to).unwrap();
    }
    for file in files_below(from) {
        let copied = to.join(file.strip_prefix(from).unwrap());
        fs::create_dir_all(copied.parent().unwrap()).unwrap();
        fs::copy(&file, &copied).unwrap();
        let mut permissions = fs::metadata(&copied).unwrap().permissions();
        #[expect(clippy::permissions_set_readonly_false, reason = "the file is in a temporary directory")]
        permissions.set_readonly(false);
        fs::set_permissions(&copied, permissions).unwrap();
    }
}

#[test]
fn a_damaged_file_of_a_cache_never_gives_another_section() {
    let repo = TestRepo::new();
    repo.author();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.file("tidings.yml", "categories:\n  added: New\n").commit("Begin");
    repo.tag("v1.0.0");
    for number in 0..6 {
        repo.change(&format!("Change {number}"), "added");
    }
    let (url, whole, cache) = (format!("file://{}", repo.path().display()), repo.beside("whole"), repo.beside("cache"));
    let show = |cache: &Path| -> Outcome {
        let options = ["--host", "h.example", "--project-path", "a/b", "--date", "2024-03-09", "--quiet"];
        let mut command = tidings(repo.path().parent().unwrap());
        command.args(["show", "1.1.0", "--repo", &url, "--cache"]).arg(cache).args(options);
        command.output().unwrap().into()
    };
    let expected = show(&whole).success();
    assert_eq!(expected.matches("- [Change ").count(), 6, "{expected}");
    let files: Vec<PathBuf> =
        files_below(&whole).into_iter().map(|file| file.strip_prefix(&whole).unwrap().to_owned()).collect();
    assert!(files.len() > 5, "{files:?}");
    for file in &files {
        for (damaged, damage) in DAMAGES {
            copy(&whole, &cache);
            damage(&cache.join(file));
            for run in ["first", "second"] {
                let outcome = show(&cache);
                let context = format!("{} is {damaged}, {run} run: {}", file.display(), outcome.stderr);
                if outcome.code == 0 {
                    assert_eq!(outcome.stdout, expected, "{context}");
                } else {
                    assert_eq!(outcome.stdout, "", "{context}");
                    assert!(outcome.stderr.starts_with("error: ") && outcome.code == 1, "{context}");
                }
            }
        }
    }
}
