//! The scheme of the next version: by semantic versioning, or by the calendar (calver.org).

/// The scheme of the next version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Versioning {
    /// By the changes: major, minor, patch (semver.org).
    #[default]
    SemVer,
    /// By the date of the release: the parts of the version, in their order, separated by dots.
    Calendar(Vec<CalendarPart>),
}

/// A part of a calendar version, as calver.org names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CalendarPart {
    /// A part of the date, in the directives of strftime: `%Y` for `YYYY`, `%m` for `0M`.
    Date(&'static str),
    /// `YY`: the year since 2000, without leading zeros.
    ShortYear,
    Major,
    Minor,
    Micro,
}

const TOKENS: [(&str, CalendarPart); 13] = [
    ("YYYY", CalendarPart::Date("%Y")),
    ("YY", CalendarPart::ShortYear),
    ("0Y", CalendarPart::Date("%y")),
    ("MM", CalendarPart::Date("%-m")),
    ("0M", CalendarPart::Date("%m")),
    ("WW", CalendarPart::Date("%-V")),
    ("0W", CalendarPart::Date("%V")),
    ("DD", CalendarPart::Date("%-d")),
    ("0D", CalendarPart::Date("%d")),
    ("YYYY0M0D", CalendarPart::Date("%Y%m%d")),
    ("MAJOR", CalendarPart::Major),
    ("MINOR", CalendarPart::Minor),
    ("MICRO", CalendarPart::Micro),
];

impl CalendarPart {
    pub(crate) fn is_date(self) -> bool {
        matches!(self, Self::Date(_) | Self::ShortYear)
    }
}

impl Versioning {
    /// Reads `semver`, or two to four tokens of calver.org separated by dots, such as `YYYY.0M.MICRO`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("semver") {
            return Ok(Self::SemVer);
        }
        let part = |token: &str| {
            let known = TOKENS.iter().find(|(name, _)| *name == token).map(|(_, part)| *part);
            known.ok_or_else(|| format!("has the unknown part `{token}`"))
        };
        let parts = text.split('.').map(part).collect::<Result<Vec<_>, _>>()?;
        match parts.len() {
            2..=4 if parts.iter().any(|part| part.is_date()) => Ok(Self::Calendar(parts)),
            2..=4 => Err("has no part of the date".to_owned()),
            _ => Err("must have two to four parts".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_those_of_calver() {
        assert_eq!(Versioning::parse("semver"), Ok(Versioning::SemVer));
        let parts = vec![CalendarPart::Date("%Y"), CalendarPart::Date("%m"), CalendarPart::Micro];
        assert_eq!(Versioning::parse("YYYY.0M.MICRO"), Ok(Versioning::Calendar(parts)));
        for (text, why) in [("YYYY", "two to four"), ("MAJOR.MINOR", "no part of the date"), ("YYYY.X", "`X`")] {
            assert!(Versioning::parse(text).unwrap_err().contains(why), "{text}");
        }
    }
}
