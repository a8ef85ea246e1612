//! `git diff` and `git rev-list` between two commits.

use serde_json::{Value, json};

use super::Oracle;

/// GitLab's options for `git diff`. No attributes apply, because GitLab's repositories are bare.
const DIFF: [&str; 4] = ["diff", "--abbrev=40", "--full-index", "--find-renames=30%"];

/// The service's limits: files, lines and bytes of the list, and of the hunks in it.
const MOST: [usize; 3] = [1000, 50_000, 5_120_000];
const COMFORTABLE: [usize; 3] = [100, 5_000, 512_000];

impl Oracle {
    /// The whole response; `None` if a ref is unknown.
    pub fn compare(&self, from: &str, to: &str, straight: bool, unidiff: bool) -> Option<Value> {
        let (from, to) = (self.resolve(from)?, self.resolve(to)?);
        let base = if straight { Some(from.clone()) } else { self.merge_base(&[&from, &to]) };
        let listed = self.text(&["rev-list", "--reverse", &format!("{from}..{to}")]);
        let commits: Vec<Value> = listed.lines().map(|id| self.commit(id)).collect();
        let empty = || self.text(&["hash-object", "-t", "tree", "--stdin"]);
        let (diffs, timeout) = limited(self.diffs(&base.clone().unwrap_or_else(empty), &to));
        let diffs = if unidiff { diffs.into_iter().map(with_header).collect() } else { diffs };
        let dots = if straight { ".." } else { "..." };
        Some(json!({
            "commit": commits.last(), "commits": commits, "diffs": diffs, "compare_timeout": timeout,
            "compare_same_ref": from == to,
            "web_url": format!("{}/-/compare/{}{dots}{to}", self.url, base.unwrap_or(from)),
        }))
    }

    /// The differences of two trees, without limits.
    pub fn diffs(&self, old: &str, new: &str) -> Vec<Value> {
        let raw = self.git(&[&DIFF[..], &["--raw", "-z", old, new]].concat());
        let raw = String::from_utf8_lossy(&raw).into_owned();
        let mut fields = raw.split('\0').filter(|field| !field.is_empty());
        let mut files = Vec::new();
        while let Some(head) = fields.next() {
            let [a, b, _, _, status]: [&str; 5] = head[1..].split(' ').collect::<Vec<_>>().try_into().unwrap();
            let path = fields.next().unwrap();
            match &status[..1] {
                "R" => files.push(file(path, fields.next().unwrap(), a, b)),
                "T" => files.extend([file(path, path, a, "000000"), file(path, path, "000000", b)]),
                _ => files.push(file(path, path, a, b)),
            }
        }
        let patch = self.git(&[&DIFF[..], &["--patch", old, new]].concat());
        let patch = String::from_utf8_lossy(&patch).into_owned();
        let patches: Vec<&str> = patch.split("diff --git ").skip(1).collect();
        assert_eq!(files.len(), patches.len());
        for (file, patch) in files.iter_mut().zip(patches) {
            file["diff"] = hunks(patch).into();
        }
        files
    }
}

fn file(old: &str, new: &str, a: &str, b: &str) -> Value {
    let mode = |mode: &str| if mode == "000000" { "0".to_owned() } else { mode.to_owned() };
    json!({
        "diff": "", "collapsed": false, "too_large": false, "new_path": new, "old_path": old,
        "a_mode": mode(a), "b_mode": mode(b), "new_file": a == "000000", "renamed_file": old != new,
        "deleted_file": b == "000000", "generated_file": null,
    })
}

/// From the first `@@`, or git's sentence on binary files.
fn hunks(patch: &str) -> &str {
    match patch.find("\n@@ ").or_else(|| patch.find("\nBinary files ")) {
        Some(index) => &patch[index + 1..],
        None => "",
    }
}

fn with_header(mut file: Value) -> Value {
    let text = |key: &str| file[key].as_str().unwrap().to_owned();
    if text("diff").starts_with("@@") {
        let old = if file["new_file"] == true { "/dev/null".to_owned() } else { format!("a/{}", text("old_path")) };
        let new = if file["deleted_file"] == true { "/dev/null".to_owned() } else { format!("b/{}", text("new_path")) };
        file["diff"] = format!("--- {old}\n+++ {new}\n{}", text("diff")).into();
    }
    file
}

/// The diffs that GitLab shows, and whether there are more.
fn limited(files: Vec<Value>) -> (Vec<Value>, bool) {
    let (only, mut shown, mut sum) = (files.len() == 1, Vec::new(), [0; 3]);
    let beyond = |sum: [usize; 3], limit: [usize; 3]| sum.iter().zip(limit).any(|(sum, limit)| *sum > limit);
    for mut file in files {
        let diff = file["diff"].as_str().unwrap();
        let lines = diff.lines().filter(|line| line.starts_with([' ', '+', '-'])).count();
        sum = [sum[0] + 1, sum[1] + lines, sum[2] + diff.len()];
        if beyond(sum, MOST) {
            return (shown, true);
        }
        let size = diff.len();
        let too_large = size >= 204_800;
        let collapsed = !too_large && size > 0 && (beyond(sum, COMFORTABLE) || (size >= 20_480 && !only));
        if too_large || collapsed {
            file["diff"] = "".into();
            file["too_large"] = too_large.into();
            file["collapsed"] = collapsed.into();
        }
        shown.push(file);
    }
    (shown, false)
}
