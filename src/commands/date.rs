//! Which moment a section is dated with.

use crate::model::{Date, Problem};

/// The moment builds are dated with to be reproducible: <https://reproducible-builds.org/specs/source-date-epoch/>.
const SOURCE_DATE_EPOCH: &str = "SOURCE_DATE_EPOCH";

/// The given date, else that of `SOURCE_DATE_EPOCH`, else now.
pub(super) fn resolve(given: Option<&str>) -> anyhow::Result<Date> {
    if let Some(date) = given {
        return Ok(date.parse::<Date>().map_err(Problem::from)?);
    }
    match std::env::var(SOURCE_DATE_EPOCH) {
        Ok(seconds) => of_seconds(&seconds),
        Err(_) => Ok(Date::now()),
    }
}

fn of_seconds(seconds: &str) -> anyhow::Result<Date> {
    let date = seconds.parse().ok().and_then(|seconds| Date::from_seconds(seconds).ok());
    let wrong = || {
        Problem::usage(format!("`{SOURCE_DATE_EPOCH}` is `{seconds}`"))
            .hint("it takes seconds since 1970, such as 1700000000")
    };
    Ok(date.ok_or_else(wrong)?)
}
