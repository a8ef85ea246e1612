//! A person and a moment in the forms git's placeholders know (PRETTY FORMATS in git-log(1)).

use chrono::{DateTime, FixedOffset, Offset as _, Utc};

use crate::model::{Person, Time};

/// Who did something, and when.
#[derive(Clone, Debug, Default)]
pub(super) struct Signature {
    /// As the commit has it.
    pub(super) person: Person,
    /// As `.mailmap` has it.
    pub(super) mapped: Person,
    /// When.
    pub(super) time: Time,
}

impl Signature {
    /// The value for the second letter of a placeholder such as `%an`.
    pub(super) fn part(&self, letter: u8) -> Option<String> {
        let local = |person: &Person| person.email.split('@').next().unwrap_or_default().to_owned();
        Some(match letter {
            b'n' => self.person.name.to_string(),
            b'N' => self.mapped.name.to_string(),
            b'e' => self.person.email.to_string(),
            b'E' => self.mapped.email.to_string(),
            b'l' => local(&self.person),
            b'L' => local(&self.mapped),
            b't' => self.time.seconds.to_string(),
            b'd' => self.date("%a %b %-d %H:%M:%S %Y %z"),
            b'D' => self.date("%a, %-d %b %Y %H:%M:%S %z"),
            b'i' => self.date("%Y-%m-%d %H:%M:%S %z"),
            b'I' if self.time.offset == 0 => self.date("%Y-%m-%dT%H:%M:%SZ"),
            b'I' => self.date("%Y-%m-%dT%H:%M:%S%:z"),
            b's' => self.date("%Y-%m-%d"),
            _ => return None,
        })
    }

    fn date(&self, format: &str) -> String {
        // An offset of a day or more is a broken clock's; the moment is right all the same.
        let offset = FixedOffset::east_opt(self.time.offset).unwrap_or_else(|| Utc.fix());
        let moment = DateTime::from_timestamp(self.time.seconds, 0).unwrap_or_default();
        moment.with_timezone(&offset).format(format).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_have_every_form_of_git() {
        let time = Time { seconds: 1_700_000_000, offset: -12_600 };
        let signature = Signature { time, ..Signature::default() };
        for (letter, text) in [
            (b'd', "Tue Nov 14 18:43:20 2023 -0330"),
            (b'D', "Tue, 14 Nov 2023 18:43:20 -0330"),
            (b'i', "2023-11-14 18:43:20 -0330"),
            (b'I', "2023-11-14T18:43:20-03:30"),
            (b's', "2023-11-14"),
            (b't', "1700000000"),
        ] {
            assert_eq!(signature.part(letter).as_deref(), Some(text));
        }
        assert_eq!(signature.part(b'x'), None);
    }
}
