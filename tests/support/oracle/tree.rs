//! `git ls-tree`.

use serde_json::{Value, json};

use super::Oracle;

impl Oracle {
    /// The entries of a directory: directories, files, submodules; `None` if it does not exist.
    pub fn tree(&self, reference: &str, path: &str, recursive: bool) -> Option<Vec<Value>> {
        let tree = if path.is_empty() { format!("{reference}^{{tree}}") } else { format!("{reference}:{path}") };
        let options: &[&str] = if recursive { &["-r", "-t"] } else { &[] };
        let listed = self.try_git(&[&["ls-tree", "-z"], options, &[&tree]].concat())?;
        let lines = listed.split(|byte| *byte == 0).filter(|line| !line.is_empty());
        let mut entries: Vec<Value> = lines.map(|line| entry(&String::from_utf8_lossy(line), path)).collect();
        let rank = |entry: &Value| ["tree", "blob", "commit"].iter().position(|kind| entry["type"] == *kind);
        entries.sort_by_key(rank);
        Some(entries)
    }
}

fn entry(line: &str, directory: &str) -> Value {
    let (head, name) = line.split_once('\t').unwrap();
    let [mode, kind, id]: [&str; 3] = head.split(' ').collect::<Vec<_>>().try_into().unwrap();
    let path = if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") };
    json!({"id": id, "name": name.rsplit('/').next(), "type": kind, "path": path, "mode": mode})
}
