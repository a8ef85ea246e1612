//! `tidings next`: prints the next version.

use std::io::Write as _;

use serde_json::{Value, json};

use super::{BumpArgs, RangeArgs, Session, changelog_args::given_date, history_report::PackageMessages};
use crate::{
    git::Repo,
    model::BumpLevel,
    pipeline::{self, BumpOptions, ChangelogRequest, Estimate, History, NextVersion, PackageDependencies, Scope},
    sources::classified_commit::Classification,
    versions::bump::CategoryBump,
};

/// Print the next version, bumped according to the unreleased changes.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    bump: BumpArgs,
    #[command(flatten)]
    options: RangeArgs,
    /// Date of the release, for versions by the calendar [default: now].
    #[arg(long, value_name = "DATE")]
    date: Option<String>,
    /// Print one line for every package in the configuration that is due for a release.
    ///
    /// One that cannot be counted is an error after the others are printed.
    #[arg(long, conflicts_with = "package")]
    all_packages: bool,
}

const EXAMPLES: &str = "\
Examples:
  tidings next                    1.3.0, if something was added since 1.2.0
  tidings next --pre rc           1.3.0-rc.1, and 1.3.0-rc.2 once that is tagged
  tidings next --level major      2.0.0
  tidings next -v                 with the reason
  tidings next --all-packages     api 1.3.0, and every other package that is due

`bump:` in the configuration maps categories to major, minor, patch or none.
By default, removed and breaking bump the major part, added, changed and
deprecated the minor part, and everything else the patch; below 1.0.0 one level
less. With Conventional Commits, a breaking change bumps the major part and feat
the minor part; below 1.0.0 both bump the minor part; everything else the patch.
Exits with code 5 if nothing is to be released.";

pub(crate) fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let bump = args.bump.options();
    let repo = session.whole_repo()?;
    let progress = session.progress();
    let scope = progress.while_reading(&repo, || Scope::open(&repo, session.with_optional_lookups(args.request()?)))?;
    if args.all_packages {
        return print_packages(&repo, scope, &bump, session);
    }
    if args.options.config.package.is_none()
        && let Some(scope) = progress.while_reading(&repo, || scope.tool_packages())?
    {
        return print_packages(&repo, scope, &bump, session);
    }
    let scope = session.or_bare_package(scope)?;
    let read = || pipeline::next_version(scope.clone(), &PackageDependencies::new(&scope), &bump);
    let (next, history) = progress.while_reading(&repo, read)?;
    session.warn(&history.warnings)?;
    history.remarks().iter().for_each(|remark| session.remark(remark));
    let reason = reason(&next, &bump, &listed_property(&history));
    // An estimate is said in any case.
    if session.global.verbose > 0 && next.version.is_some() && next.estimate.is_none() {
        session.note(&reason);
    }
    if session.json() {
        session.out.json(&document(&next, &history, &reason))?;
    } else if let Some(version) = &next.version {
        writeln!(session.out, "{version}")?;
    }
    if next.version.is_none() {
        let hint = "use `--level` to choose a part all the same, or run `tidings explain` to see what each commit is";
        return Err(anyhow::Error::msg(reason).context(pipeline::nothing_to_release(hint)));
    }
    Ok(())
}

impl Args {
    fn request(&self) -> anyhow::Result<ChangelogRequest> {
        let mut request = self.options.request(None)?;
        request.date = given_date(self.date.as_deref())?.unwrap_or(request.date);
        Ok(request)
    }
}

fn print_packages(repo: &Repo, scope: Scope, bump: &BumpOptions, session: &mut Session) -> anyhow::Result<()> {
    let (mut found, progress) = (Vec::new(), session.progress());
    let mut messages = PackageMessages::default();
    let packages = progress.while_reading(repo, || scope.packages())?;
    session.warn(&packages.warnings)?;
    let mut versions = packages.next_versions(bump);
    let mut failures = Vec::new();
    while let Some(counted) = progress.while_reading(repo, || versions.next()) {
        let (package, (next, history)) = match counted {
            Ok(counted) => counted,
            // The others are counted all the same.
            Err(error) => {
                failures.push(error);
                continue;
            }
        };
        messages.add(&package, &history, next.is_for_others());
        let reason = reason(&next, bump, &listed_property(&history));
        if session.global.verbose > 0 {
            session.note(&format!("{package}: {reason}"));
        }
        let mut document = document(&next, &history, &reason);
        document["package"] = package.as_str().into();
        found.push((package, next, document));
    }
    messages.print(session, "next", true)?;
    let documents: Vec<&Value> = found.iter().map(|(.., document)| document).collect();
    let mut asked = found.iter().filter_map(|(package, next, _)| Some((package, next.version.as_ref()?)));
    let nothing = asked.clone().next().is_none();
    if !found.is_empty() {
        session
            .answer(&documents, |out| asked.try_for_each(|(package, version)| writeln!(out, "{package} {version}")))?;
    }
    let count = failures.len();
    if let Some(first) = failures.into_iter().next() {
        let all = format!("{count} packages have no next version; the first of them");
        Err(if count > 1 { first.context(all) } else { first })
    } else if nothing {
        Err(pipeline::nothing_to_release("run `tidings next --package NAME` to see why").into())
    } else {
        Ok(())
    }
}

/// What is said where a range has no commits that could need anything.
const NO_COMMITS: &str = "is there";

/// Returns in words what a commit needs for a release.
fn listed_property(history: &History) -> String {
    if history.range_len == 0 {
        return NO_COMMITS.to_owned();
    }
    if history.commits().iter().any(|classified| matches!(classified.classification, Classification::UnlistedType(_))) {
        return "is of a type that is listed".to_owned();
    }
    format!("has a {}", history.config().source.profile().listed_property(history.config().trailer()))
}

/// Returns in words why this is the next version; `wanted` is what a commit needs for a release.
fn reason(next: &NextVersion, bump: &BumpOptions, wanted: &str) -> String {
    let since = match (&next.base, &next.manifest) {
        (_, Some(manifest)) => format!("since {manifest} of the manifest"),
        (Some(base), None) => format!("since {}", base.tag),
        (None, None) => "in the whole history".to_owned(),
    };
    let updates: Vec<_> = next.updates.iter().map(|update| format!("`{}` {}", update.member, update.version)).collect();
    let group: Vec<_> = next.group.iter().map(|name| format!("`{name}`")).collect();
    match (bump.level, next.bumps.first()) {
        (None, _) if !group.is_empty() && next.level > BumpLevel::None => {
            format!("{}: its version moves together with {}", next.level.name(), group.join(", "))
        }
        (None, None) if !updates.is_empty() => format!("patch: it must require {}", updates.join(", ")),
        (Some(level), _) => format!("{} was requested", level.name()),
        (None, _) if next.estimate.is_some() => next.estimate.as_ref().map(Estimate::in_words).unwrap_or_default(),
        (None, None) if wanted == NO_COMMITS => format!("there is no commit {since}"),
        (None, None) => format!("no commit {since} {wanted}"),
        (None, Some(most)) if most.level == BumpLevel::None => format!("no category {since} bumps the version"),
        (None, Some(_)) if next.base.is_none() && next.manifest.is_none() => {
            let leading = next.named_by.as_ref().map(|name| format!("; {name}"));
            let first = next.first.as_ref().map(|first| format!(", and the manifest has {first}"));
            format!("a first release: no stable tag found{}{}", first.unwrap_or_default(), leading.unwrap_or_default())
        }
        (None, Some(most)) => {
            let of = |bumps: &[&CategoryBump]| {
                bumps.iter().map(|bump| format!("{} `{}`", bump.count, bump.category)).collect::<Vec<_>>().join(", ")
            };
            let deciding = next.bumps.iter().filter(|bump| bump.level == most.level);
            let (asked, lowered): (Vec<_>, Vec<_>) = deciding.partition(|bump| bump.asked == bump.level);
            let mut parts = vec![of(&asked)];
            if let Some(first) = lowered.first() {
                let count: usize = lowered.iter().map(|bump| bump.count).sum();
                let verb = if count == 1 { "asks" } else { "ask" };
                let of = of(&lowered);
                parts.push(format!("{of} {verb} for {}, one level less below 1.0.0", first.asked.name()));
            }
            parts.extend(next.named_by.as_ref().map(ToString::to_string));
            parts.retain(|part| !part.is_empty());
            format!("{} {since}: {}", most.level.name(), parts.join("; "))
        }
    }
}

fn estimate_json(estimate: &Estimate) -> Value {
    let of = |(version, level): (&String, &BumpLevel)| json!({ "version": version, "level": level });
    json!({
        "level": estimate.level,
        "is_maintenance": estimate.is_maintenance,
        "last": estimate.last.iter().map(|(version, level)| of((version, level))).collect::<Vec<_>>(),
        "candidates": estimate.candidates.iter().map(|(level, version)| of((version, level))).collect::<Vec<_>>(),
    })
}

fn document(next: &NextVersion, history: &History, reason: &str) -> Value {
    let asked = next.bumps.iter();
    let categories: Vec<_> =
        asked.map(|asked| json!({ "category": asked.category, "level": asked.level, "count": asked.count })).collect();
    json!({
        "version": next.version.as_ref().map(ToString::to_string),
        "tag": next.tag(history.config()),
        "to": history.scope.to,
        "level": next.level,
        "reason": reason,
        "estimate": next.estimate.as_ref().map(estimate_json),
        "base": next.base,
        "categories": categories,
    })
}
