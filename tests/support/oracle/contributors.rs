//! `git log --no-merges`, put together by e-mail address.

use serde_json::{Value, json};

use super::Oracle;

impl Oracle {
    /// The contributors by a key, upwards or downwards; equal ones in the order of their newest commits.
    pub fn contributors(&self, reference: &str, order_by: &str, descending: bool) -> Vec<Value> {
        let log = self.text(&["log", "--no-merges", "--max-count=2000", "--format=%an%x09%ae", reference]);
        let mut found: Vec<(String, String, u64)> = Vec::new();
        for line in log.lines() {
            let (name, email) = line.split_once('\t').unwrap();
            match found.iter_mut().find(|known| known.1 == email) {
                Some(known) => {
                    known.2 += 1;
                    if known.0.trim().is_empty() {
                        name.clone_into(&mut known.0);
                    }
                }
                None => found.push((name.to_owned(), email.to_owned(), 1)),
            }
        }
        found.sort_by(|a, b| {
            let order = match order_by {
                "name" => a.0.to_ascii_lowercase().cmp(&b.0.to_ascii_lowercase()),
                "email" => a.1.to_ascii_lowercase().cmp(&b.1.to_ascii_lowercase()),
                _ => a.2.cmp(&b.2),
            };
            if descending { order.reverse() } else { order }
        });
        let record = |(name, email, commits): (String, String, u64)| json!({"name": name, "email": email, "commits": commits, "additions": 0, "deletions": 0});
        found.into_iter().map(record).collect()
    }
}
