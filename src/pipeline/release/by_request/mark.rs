//! The mark at the end of a description: a digest of the text that was generated last, which shows whether people edited it
//! since.

use sha2::{Digest as _, Sha256};

use crate::{api::merge_requests::RequestText, model::hex};

const BEGIN: &str = "<!-- tidings: ";
const END: &str = " -->";

/// The digests of a title and a description, as they were made and before people edited them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) title: String,
    pub(super) description: String,
}

impl Mark {
    pub(super) fn of(text: &RequestText) -> Self {
        Self { title: digest(&text.title), description: digest(text.description.trim_end()) }
    }

    /// Adds the mark to a text.
    pub(super) fn write(&self, text: RequestText) -> RequestText {
        let description = text.description.trim_end();
        let description = format!("{description}\n\n{BEGIN}{} {}{END}", self.title, self.description);
        RequestText { description, ..text }
    }

    /// Takes the mark out of a description.
    pub(super) fn take(description: String) -> (String, Option<Self>) {
        let Some((before, rest)) = description.rsplit_once(BEGIN) else { return (description, None) };
        let Some((text, after)) = rest.split_once(END) else { return (description, None) };
        let digests = text.split_once(' ');
        let mark = digests.map(|(title, text)| Self { title: title.to_owned(), description: text.to_owned() });
        ((before.trim_end().to_owned() + after).trim_end().to_owned(), mark)
    }
}

/// Returns the first digits of a digest: enough to tell a few texts apart.
fn digest(text: &str) -> String {
    hex(&Sha256::digest(text.replace("\r\n", "\n"))[..8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_found_wherever_people_left_it() {
        let text = RequestText { title: "Release 1.3.0".to_owned(), description: "Notes.".to_owned() };
        let mark = Mark::of(&text);
        let written = mark.write(text).description;
        assert_eq!(Mark::take(written.clone()), ("Notes.".to_owned(), Some(mark.clone())));
        assert_eq!(Mark::take(written + "\nMore."), ("Notes.\nMore.".to_owned(), Some(mark)));
        assert_eq!(Mark::take("Notes.".to_owned()), ("Notes.".to_owned(), None));
    }
}
