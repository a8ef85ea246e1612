//! A comment on a merge request or issue that later runs find again.

use crate::{
    api::{
        self,
        merge_requests::{Comment, MergeRequestApi},
    },
    model::Thread,
};

/// A comment that begins with a marker, which a page does not show.
#[derive(Debug)]
pub(super) struct MarkedComment {
    marker: String,
    text: String,
}

impl MarkedComment {
    /// Makes the comment of a kind, such as `preview`, on what the name stands for.
    pub(super) fn new(kind: &str, name: &str, text: &str) -> Self {
        // Two hyphens would end the HTML comment if a `>` follows.
        let marker = format!("<!-- tidings:{kind} {} -->", name.replace("--", "-&#45;"));
        Self { text: format!("{marker}\n{text}"), marker }
    }

    /// Returns the whole text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Finds the comments that earlier runs have left, the newest first, with the texts of their time. Anybody may write
    /// one that looks like them.
    pub(super) fn find(&self, api: &dyn MergeRequestApi, thread: Thread) -> api::Result<Vec<Comment>> {
        let mut found = api.comments(thread)?;
        found.retain(|comment| comment.body.starts_with(&self.marker));
        found.reverse();
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marker_cannot_be_ended_by_a_name() {
        for (name, marker) in [("v1.0.0", "v1.0.0"), ("a--->b", "a-&#45;->b"), ("--", "-&#45;")] {
            let comment = MarkedComment::new("released", name, "Text.");
            assert_eq!(comment.text(), format!("<!-- tidings:released {marker} -->\nText."));
        }
    }
}
