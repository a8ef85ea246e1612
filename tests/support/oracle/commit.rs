//! `git log` and `git cat-file` of one commit.

use serde_json::{Map, Value, json};

use super::Oracle;

const FORMAT: &str = "--format=%H%x00%P%x00%an%x00%ae%x00%ad%x00%cn%x00%ce%x00%cd%x00%(trailers:unfold,separator=%x00)";

impl Oracle {
    /// Everything that GitLab returns about a commit.
    pub fn commit(&self, id: &str) -> Value {
        let output = self.text(&["log", "-1", "--date=format:%Y-%m-%dT%H:%M:%S.000%z", FORMAT, id]);
        let fields: Vec<&str> = output.split('\0').collect();
        let [id, parents, author, author_email, authored, committer, committer_email, date] = fields[..8] else {
            panic!("git printed {output:?}")
        };
        let object = String::from_utf8_lossy(&self.git(&["cat-file", "commit", id])).into_owned();
        let message = object.split_once("\n\n").map_or("", |(_, message)| message);
        let trailers: Vec<(String, String)> = fields[8..].iter().filter_map(|line| trailer(line)).collect();
        json!({
            "id": id, "short_id": &id[..8], "created_at": colon(date),
            "parent_ids": parents.split_whitespace().collect::<Vec<_>>(),
            "title": title(message), "message": message,
            "author_name": author, "author_email": author_email, "authored_date": colon(authored),
            "committer_name": committer, "committer_email": committer_email, "committed_date": colon(date),
            "trailers": trailers.iter().map(|(key, value)| (key.clone(), value.clone().into())).collect::<Map<_, _>>(),
            "extended_trailers": extended(&trailers),
            "web_url": format!("{}/-/commit/{id}", self.url),
        })
    }
}

/// `+0530` as `+05:30`.
fn colon(date: &str) -> String {
    let (moment, minutes) = date.split_at(date.len() - 2);
    format!("{moment}:{minutes}")
}

fn title(message: &str) -> &str {
    if message.trim().is_empty() { "No commit message" } else { message.split(['\r', '\n']).next().unwrap() }
}

fn trailer(line: &str) -> Option<(String, String)> {
    let (key, value) = line.split_once(':')?;
    Some((key.to_owned(), value.trim().to_owned()))
}

fn extended(trailers: &[(String, String)]) -> Value {
    let mut values = Map::new();
    for (key, value) in trailers {
        let all = values.entry(key.clone()).or_insert_with(|| json!([]));
        all.as_array_mut().unwrap().push(value.clone().into());
    }
    values.into()
}
