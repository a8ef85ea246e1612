//! What there is to report about the packages of a run: put together, since there may be thousands.

use indexmap::IndexMap;

use super::Session;
use crate::{
    model::{Warning, pluralize},
    pipeline::History,
};

/// The warnings of up to this number of packages are printed one by one.
const FEW: usize = 3;

/// How many packages a line names.
const NAMED: usize = 10;

/// Remarks and warnings about packages, by their text.
#[derive(Default)]
pub(super) struct PackageMessages {
    packages: usize,
    /// The packages that nothing is listed for.
    empty: Vec<String>,
    remarks: IndexMap<String, Vec<String>>,
    warnings: IndexMap<String, (Warning, Vec<String>)>,
}

impl PackageMessages {
    /// Takes what there is to report about the history of a package, which may be released for other packages.
    pub(super) fn add(&mut self, package: &str, history: &History, is_for_others: bool) {
        self.packages += 1;
        if history.has_nothing_for_package() && !is_for_others {
            self.empty.push(package.to_owned());
        }
        for remark in history.remarks() {
            self.remarks.entry(remark).or_default().push(package.to_owned());
        }
        for warning in &history.warnings {
            let known = self.warnings.entry(warning.message.clone()).or_insert_with(|| (warning.clone(), Vec::new()));
            known.1.push(package.to_owned());
        }
    }

    /// Prints it: what concerns several packages once, and what many have of their own as one warning.
    ///
    /// # Errors
    /// Under `--strict`, the first of the warnings.
    pub(super) fn print(self, session: &Session) -> anyhow::Result<()> {
        for (remark, packages) in &self.remarks {
            session.note(&format!("{}: {remark}", names(packages, "")));
        }
        let (common, own): (Vec<_>, Vec<_>) = self.warnings.into_values().partition(|(_, packages)| packages.len() > 1);
        session.warn(common.iter().map(|(warning, _)| warning))?;
        let mut with_own: Vec<String> = own.iter().flat_map(|(_, packages)| packages.clone()).collect();
        with_own.dedup();
        if with_own.len() > FEW {
            let message = format!("{} have warnings: {}", pluralize(with_own.len(), "package"), names(&with_own, "`"));
            let hint = format!("run `tidings next --package {}` to see those of one", with_own[0]);
            session.warn(&[Warning::new(message).hint(hint)])?;
        } else {
            session.warn(own.iter().map(|(warning, _)| warning))?;
        }
        let Some(first) = self.empty.first() else { return Ok(()) };
        let (count, all) = (self.empty.len(), pluralize(self.packages, "package"));
        let message = format!("nothing is listed for {count} of {all}: {}", names(&self.empty, "`"));
        session.warn(&[Warning::new(message).hint(format!("run `tidings explain --package {first}` to see why"))])
    }
}

/// Prints what there is to report about the releases of one repository: remarks on the first, and each warning once.
///
/// # Errors
/// Under `--strict`, the first of the warnings.
pub(super) fn print_once<'a>(
    mut histories: impl Iterator<Item = &'a History> + Clone,
    session: &Session,
) -> anyhow::Result<()> {
    let warnings: IndexMap<&str, &Warning> = histories
        .clone()
        .flat_map(|history| &history.warnings)
        .map(|warning| (warning.message.as_str(), warning))
        .collect();
    for remark in histories.next().into_iter().flat_map(History::remarks) {
        session.note(&remark);
    }
    session.warn(warnings.into_values())
}

/// The names of packages; of many only the first ones.
fn names(packages: &[String], quote: &str) -> String {
    let named: Vec<String> = packages.iter().take(NAMED).map(|name| format!("{quote}{name}{quote}")).collect();
    let rest = packages.len() - named.len();
    let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    named.join(", ") + &rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_packages_some_are_named() {
        let packages: Vec<String> = (0..12).map(|number| format!("p{number}")).collect();
        assert_eq!(names(&packages[..2], "`"), "`p0`, `p1`");
        assert_eq!(names(&packages, ""), "p0, p1, p2, p3, p4, p5, p6, p7, p8, p9 and 2 more");
    }
}
