//! Which moment a section is dated with.

use crate::model::{Date, Problem};

/// The moment builds are dated with to be reproducible: <https://reproducible-builds.org/specs/source-date-epoch/>.
const SOURCE_DATE_EPOCH: &str = "SOURCE_DATE_EPOCH";

/// The given date, else that of `SOURCE_DATE_EPOCH`; `None` means now.
pub(in crate::commands) fn given(date: Option<&str>) -> anyhow::Result<Option<Date>> {
    if let Some(date) = date {
        return Ok(Some(date.parse::<Date>().map_err(Problem::from)?));
    }
    let seconds = std::env::var(SOURCE_DATE_EPOCH).ok().filter(|seconds| !seconds.is_empty());
    seconds.map(|seconds| of_seconds(&seconds)).transpose()
}

fn of_seconds(seconds: &str) -> anyhow::Result<Date> {
    let date = seconds.parse().ok().and_then(|seconds| Date::from_seconds(seconds).ok());
    let wrong = || {
        Problem::usage(format!("`{SOURCE_DATE_EPOCH}` is `{seconds}`"))
            .hint("it takes seconds since 1970, such as 1700000000")
    };
    Ok(date.ok_or_else(wrong)?)
}
