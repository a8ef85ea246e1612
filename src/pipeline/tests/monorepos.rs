//! Packages read together: each has what it has when it is read by itself, and what `git log --full-history` lists.

use std::{collections::HashSet, fmt::Write as _};

use crate::{
    git::{Repo, WalkOptions, paths::MovedDirectory},
    model::{Oid, Version},
    pipeline::{
        self, BumpOptions, ChangelogRequest, ConfiguredPackages, History, NextVersion, PackageDependencies, RangeStart,
        Scope, SectionInputs,
    },
    sources::classifier::Retention,
    support::{Clocks, Planned, Random, TestRepo, random_history},
};

/// More of them: `TIDINGS_MONOREPOS=2000`, or those from one seed to another: `TIDINGS_MONOREPOS=1000..2000`.
const REPOSITORIES: u64 = 12;
const COMMITS: usize = 60;

const FILES: [&str; 10] =
    ["a/x", "a/docs/y.md", "b/x", "b/y", "libs/c/x", "libs/c/d/y", "libs/e.rs", "README.md", "top/deep/er/z", "a"];

const PACKAGES: [(&str, &[&str]); 7] = [
    ("a", &["a"]),
    ("b", &["b/", "libs/e.rs"]),
    ("c", &["libs/c", "!libs/c/d"]),
    ("docs", &["*.md"]),
    ("libs", &["libs", ":(glob)top/**/z"]),
    ("same", &["a"]),
    ("idle", &["nowhere"]),
];

fn history(random: &mut Random) -> Vec<Planned> {
    let clocks = *random.pick(&[Clocks::Right, Clocks::Equal, Clocks::Skewed]);
    let mut history = random_history(random, COMMITS, clocks);
    for (place, commit) in history.iter_mut().enumerate() {
        let before = place.saturating_sub(1);
        if place > 0 && random.once_in(3) && !commit.parents.contains(&before) {
            commit.parents.push(before);
        }
        let trailer = *random.pick(&["", "", "\nChangelog: added\n", "\nChangelog: fixed\n", "\nChangelog: removed\n"]);
        let merge = if commit.parents.len() > 1 { format!("\nSee merge request x/y!{place}\n") } else { String::new() };
        commit.message = format!("Commit {place}\n{merge}{trailer}").into_bytes();
        let changes = random.below(4);
        let mut content = || (!random.once_in(3)).then(|| random.below(3).to_string());
        let contents: Vec<_> = (0..changes).map(|_| content()).collect();
        commit.files = contents.into_iter().map(|content| (*random.pick(&FILES), content)).collect();
    }
    history
}

/// Commits on top that take others back, and each other.
fn revert(repo: &TestRepo, ids: &[String], random: &mut Random) {
    let mut known = ids.to_vec();
    for _ in 0..random.below(6) {
        let target = random.pick(&known).clone();
        let trailer = if random.once_in(2) { "\nChangelog: fixed\n" } else { "" };
        let message = format!("Revert it\n\nThis reverts commit {target}.\n{trailer}");
        let who = format!("Ida <ida@harbor.example> {} +0000", TestRepo::EPOCH + 100_000);
        let stream = format!(
            "commit refs/heads/main\ncommitter {who}\ndata {}\n{message}\nfrom refs/heads/main^0\nM 100644 inline {}\ndata 1\n9\n\n",
            message.len(),
            random.pick(&FILES),
        );
        repo.git_with_input(&["fast-import", "--quiet"], stream.as_bytes());
        known.push(repo.git(&["rev-parse", "main"]));
    }
}

fn tag(repo: &TestRepo, ids: &[String], random: &mut Random) {
    for (name, _) in PACKAGES {
        for version in 0..random.below(3) {
            let commit = random.pick(ids);
            repo.git(&["tag", &format!("{name}/v1.{version}.0"), commit]);
        }
    }
}

fn configuration() -> String {
    let mut text = "packages:\n".to_owned();
    for (name, paths) in PACKAGES {
        let paths: Vec<_> = paths.iter().map(|path| format!("'{path}'")).collect();
        let _ = writeln!(text, "  {name}: {{paths: [{}], file: {name}.md}}", paths.join(", "));
    }
    text
}

fn request(package: Option<&str>, version: Option<&str>) -> ChangelogRequest {
    let mut request = ChangelogRequest::unreleased();
    request.version = version.map(|version| version.parse::<Version>().unwrap());
    (request.date, request.is_dated) = ("2024-03-09".parse().unwrap(), true);
    (request.range.to, request.range.is_end_open) = ("main".to_owned(), false);
    request.range.walk = WalkOptions::default();
    request.config_source.package = package.map(str::to_owned);
    request
}

fn told_next(next: anyhow::Result<(NextVersion, History)>) -> Result<String, String> {
    let (next, history) = next.map_err(|error| format!("{error:#}"))?;
    let remarks = history.remarks();
    Ok(format!("{next:?} {:?} {remarks:?} {}", history.start, history.range_len))
}

fn told_section(inputs: anyhow::Result<SectionInputs>) -> Result<String, String> {
    let changelog = inputs.and_then(crate::pipeline::SectionInputs::changelog).map_err(|error| format!("{error:#}"))?;
    Ok(format!("{:?} {:?} {}", changelog.release, changelog.history.start, changelog.section.body))
}

fn seeds() -> std::ops::Range<u64> {
    let asked = std::env::var("TIDINGS_MONOREPOS").unwrap_or_else(|_| REPOSITORIES.to_string());
    let (first, end) = asked.split_once("..").unwrap_or(("0", &asked));
    first.parse().unwrap()..end.parse().unwrap()
}

#[test]
fn each_package_has_what_it_has_by_itself() {
    let (mut shared, mut listed) = (0, 0);
    for seed in seeds() {
        let mut random = Random::new(seed + 900);
        let repo = TestRepo::new();
        let ids = repo.import(&history(&mut random));
        let has_reverts = seed % 2 == 0;
        if has_reverts {
            revert(&repo, &ids, &mut random);
        }
        tag(&repo, &ids, &mut random);
        repo.write(".gitlab/changelog_config.yml", configuration());
        if random.once_in(2) {
            repo.git(&["commit-graph", "write", "--reachable", "--changed-paths"]);
        }
        let opened = Repo::open_isolated(repo.path()).unwrap();
        for version in [None, Some("1.1.0"), Some("7.0.0")] {
            let together = Scope::open(&opened, request(None, version)).unwrap();
            let ConfiguredPackages { packages, dependencies, .. } = together.packages().unwrap();
            for scope in packages {
                let request = scope.request.clone();
                let name = request.config_source.package.clone().unwrap();
                let at = format!("seed {seed}, package {name}, version {version:?}");
                let reopened = Repo::open_isolated(repo.path()).unwrap();
                let alone = Scope::open(&reopened, request.clone()).unwrap();
                let expected = told_section(SectionInputs::read(alone.clone()));
                assert_eq!(told_section(SectionInputs::read(scope.clone())), expected, "{at}");
                if version.is_none() {
                    let bump = BumpOptions::default();
                    let next = told_next(pipeline::next_version(scope, &dependencies, &bump));
                    shared += usize::from(next.is_ok());
                    let no_others = PackageDependencies::new(&alone);
                    assert_eq!(next, told_next(pipeline::next_version(alone, &no_others, &bump)), "{at}");
                    listed += if has_reverts { 0 } else { check_against_git(&repo, &opened, &request, &at) };
                }
            }
        }
    }
    assert!(shared > 0 && listed > 0, "{shared} {listed}");
}

/// Compares what is listed with git's own list of the commits that change the paths, which knows nothing of what a
/// directory was before it was moved; returns how many there are.
fn check_against_git(repo: &TestRepo, opened: &Repo, request: &ChangelogRequest, at: &str) -> usize {
    let scope = Scope::open(opened, request.clone()).unwrap();
    let Ok(history) = History::read(scope, Retention::Listed) else { return 0 };
    let range = match &history.start {
        RangeStart::Base(base) => format!("{}..main", base.commit),
        _ => "main".to_owned(),
    };
    let name = request.config_source.package.as_deref().unwrap();
    let own = PACKAGES.iter().find(|(package, _)| *package == name).unwrap().1;
    let line: Vec<Oid> =
        repo.git(&["rev-list", "--first-parent", "main"]).lines().map(|id| id.parse().unwrap()).collect();
    let own: Vec<String> = own.iter().map(|path| (*path).to_owned()).collect();
    let is_moved = !MovedDirectory::find(opened, &line, &[&own]).unwrap().concat().is_empty();
    let paths: Vec<String> = own.iter().map(|path| path.replace('!', ":!")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let log = ["log", "--full-history", "--no-merges", "--grep=^Changelog: ", "--format=%H", &range, "--"];
    let wanted = repo.git(&[&log, paths.as_slice()].concat());
    let wanted: HashSet<&str> = wanted.lines().collect();
    let listed =
        history.commits().iter().filter(|classified| classified.classification.is_listed() && !classified.is_merge);
    let listed: HashSet<String> = listed.map(|classified| classified.id.to_string()).collect();
    let found: HashSet<&str> = listed.iter().map(String::as_str).collect();
    assert!(found == wanted || (is_moved && found.is_superset(&wanted)), "{at}, {range}: {found:?} for {wanted:?}");
    listed.len()
}
