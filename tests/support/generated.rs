//! Repositories with merges, renames, binary files, links, submodules, mode and type changes and odd names.

use std::{collections::BTreeMap, io::Write as _};

use crate::support::{Random, TestRepo};

/// How many commits a generated repository has.
const COMMITS: usize = 24;
/// Its branches; every commit goes to one of them.
pub const BRANCHES: [&str; 3] = ["main", "topic", "old/release"];

const NAMES: [&[u8]; 14] = [
    b"a.txt",
    b"a",
    b"a-b",
    b"README.md",
    b"lib.rs",
    b"lib.c",
    b"with space",
    b"new\nline",
    b"quo\"te",
    b"back\\slash",
    "näme".as_bytes(),
    b"latin\xe9",
    b"tab\t",
    b"[x]*?",
];
const FOLDERS: [&[u8]; 6] = [b"", b"src/", b"src/deep/er/", b"a b/", b"docs/", "ü/".as_bytes()];
const PEOPLE: [&str; 6] = [
    "Ida <ida@harbor.example>",
    "Ida Older <ida@harbor.example>",
    "Bo <bo@quay.example>",
    "bo <BO@quay.example>",
    " <nameless@quay.example>",
    "Zoë <zoe@harbor.example>",
];
const LINES: [&str; 10] =
    ["fn main() {", "}", "", "    return 1;", "\tint x;", "static int f(void)", "one", "two", "$var", "  _x"];

#[derive(Clone)]
struct Entry {
    mode: &'static str,
    content: Vec<u8>,
}

/// Writes the history of a repository for `git fast-import`.
struct Author<'a> {
    random: &'a mut Random,
    stream: Vec<u8>,
    trees: BTreeMap<&'static str, BTreeMap<Vec<u8>, Entry>>,
}

/// A bare repository with a random history, and tags on some of its commits.
pub fn repository(random: &mut Random) -> TestRepo {
    let repo = TestRepo::with_options(&["--bare"]);
    let mut author = Author { random, stream: Vec::new(), trees: BTreeMap::new() };
    for number in 0..COMMITS {
        author.commit(number);
    }
    repo.git_with_input(&["fast-import", "--quiet"], &author.stream);
    repo.git(&["tag", "light", "main"]);
    repo.git(&["-c", "user.name=Ida", "-c", "user.email=i@x", "tag", "-a", "-m", "annotated", "heavy", "main"]);
    repo
}

/// A ref of a generated repository.
pub fn reference(random: &mut Random, repo: &TestRepo) -> String {
    let name = *random.pick(&["main", "topic", "old/release", "light", "heavy"]);
    let back = random.below(6);
    let ancestor = format!("{name}~{back}");
    let exists = repo.git(&["rev-list", "--first-parent", "--count", name]).parse::<usize>().unwrap() > back;
    if exists && back > 0 { ancestor } else { name.to_owned() }
}

impl Author<'_> {
    fn commit(&mut self, number: usize) {
        let branch = if number < BRANCHES.len() { BRANCHES[number] } else { *self.random.pick(&BRANCHES) };
        let other = *self.random.pick(&BRANCHES);
        let (who, then) = (*self.random.pick(&PEOPLE), 1_700_000_000 + number / 2 * 60);
        let (who, zone) = (who.trim_start(), *self.random.pick(&["+0000", "+0530", "-0800"]));
        let message = format!("Commit {number}\n\nBody\n\nChangelog: added\nSee: a\nSee: b\n");
        self.line(&format!("commit refs/heads/{branch}\nmark :{}", number + 1));
        self.line(&format!("author {who} {then} {zone}\ncommitter Ida <ida@harbor.example> {then} {zone}"));
        self.data(message.as_bytes());
        if number > 0 && !self.trees.contains_key(branch) && number != 2 {
            self.line("from refs/heads/main");
            let main = self.trees["main"].clone();
            self.trees.insert(branch, main);
        }
        if number >= BRANCHES.len() && other != branch && self.random.once_in(3) {
            self.line(&format!("merge refs/heads/{other}"));
        }
        for _ in 0..=self.random.below(6) {
            self.change(branch);
        }
        self.line("");
    }

    fn change(&mut self, branch: &'static str) {
        let tree = self.trees.entry(branch).or_default();
        let paths: Vec<Vec<u8>> = tree.keys().cloned().collect();
        if paths.is_empty() || self.random.once_in(3) {
            let path = [*self.random.pick(&FOLDERS), *self.random.pick(&NAMES)].concat();
            let entry = self.entry();
            return self.put(branch, &path, entry);
        }
        let path = self.random.pick(&paths).clone();
        let entry = self.trees[branch][&path].clone();
        match self.random.below(8) {
            0 => self.delete(branch, &path),
            1 | 2 => self.rename(branch, &path, entry),
            3 => {
                let copy = [*self.random.pick(&FOLDERS), *self.random.pick(&NAMES)].concat();
                self.put(branch, &copy, entry);
            }
            4 if entry.mode == "100644" => self.put(branch, &path, Entry { mode: "100755", ..entry }),
            5 => {
                let other = self.entry();
                self.put(branch, &path, other);
            }
            _ => {
                let edited = self.edit(&entry);
                self.put(branch, &path, edited);
            }
        }
    }

    fn rename(&mut self, branch: &'static str, path: &[u8], entry: Entry) {
        let name =
            if self.random.once_in(2) { path.rsplit(|byte| *byte == b'/').next().unwrap() } else { b"moved.txt" };
        let target = [*self.random.pick(&FOLDERS), name].concat();
        let entry = if self.random.once_in(2) { entry } else { self.edit(&entry) };
        self.delete(branch, path);
        self.put(branch, &target, entry);
    }

    fn entry(&mut self) -> Entry {
        match self.random.below(10) {
            0 => Entry { mode: "120000", content: b"target/of link".to_vec() },
            1 => Entry { mode: "160000", content: format!("{:040x}", 1 + self.random.below(3)).into_bytes() },
            2 => Entry { mode: "100644", content: [b"\0bin", &[7; 100][..], &self.text(3)].concat() },
            3 => Entry { mode: "100644", content: Vec::new() },
            4 => Entry { mode: "100755", content: self.text(12) },
            _ => {
                let lines = self.random.below(60);
                Entry { mode: "100644", content: self.text(lines) }
            }
        }
    }

    fn text(&mut self, lines: usize) -> Vec<u8> {
        let mut text = Vec::new();
        for _ in 0..lines {
            let line = *self.random.pick(&LINES);
            let end = if self.random.once_in(20) { "\r\n" } else { "\n" };
            text.extend_from_slice(line.as_bytes());
            if self.random.once_in(2) {
                let _ = write!(text, " {}", self.random.below(1000));
            }
            text.extend_from_slice(end.as_bytes());
        }
        if self.random.once_in(8) {
            text.extend_from_slice(b"no end \xff");
        }
        text
    }

    /// Changes a few lines; what is not text is replaced by other bytes.
    fn edit(&mut self, entry: &Entry) -> Entry {
        if entry.mode == "160000" {
            return Entry { content: format!("{:040x}", 1 + self.random.below(9)).into_bytes(), ..entry.clone() };
        }
        let mut lines: Vec<Vec<u8>> =
            entry.content.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        for _ in 0..=self.random.below(6) {
            let index = self.random.below(lines.len() + 1);
            if self.random.once_in(2) || index == lines.len() {
                let line = self.text(1);
                lines.insert(index, line);
            } else {
                lines.remove(index);
            }
        }
        Entry { content: lines.concat(), ..entry.clone() }
    }

    fn put(&mut self, branch: &'static str, path: &[u8], entry: Entry) {
        let tree = self.trees.entry(branch).or_default();
        let is_below = |other: &Vec<u8>, above: &[u8]| other.starts_with(&[above, b"/"].concat());
        tree.retain(|other, _| !is_below(other, path) && !is_below(&path.to_vec(), other));
        tree.insert(path.to_vec(), entry.clone());
        if entry.mode == "160000" {
            let id = String::from_utf8(entry.content).unwrap();
            self.line_with_path(&format!("M 160000 {id} "), path);
        } else {
            self.line_with_path(&format!("M {} inline ", entry.mode), path);
            self.data(&entry.content);
        }
    }

    fn delete(&mut self, branch: &'static str, path: &[u8]) {
        self.trees.entry(branch).or_default().remove(path);
        self.line_with_path("D ", path);
    }

    fn line(&mut self, line: &str) {
        self.stream.extend_from_slice(line.as_bytes());
        self.stream.push(b'\n');
    }

    fn line_with_path(&mut self, command: &str, path: &[u8]) {
        let escaped = path.iter().map(|byte| format!("\\{byte:03o}")).collect::<Vec<_>>().concat();
        self.line(&format!("{command}\"{escaped}\""));
    }

    fn data(&mut self, content: &[u8]) {
        self.line(&format!("data {}", content.len()));
        self.stream.extend_from_slice(content);
        self.stream.push(b'\n');
    }
}
