//! Links between the pages lead to files and headings that are there, and the site has every page.

use std::{collections::BTreeSet, path::Path};

use crate::support::Page;

/// What `packaging/docs/build` puts beside the pages.
const MADE_BY_THE_SITE: [&str; 4] =
    ["docs/reference.md", "docs/CONTRIBUTING.md", "docs/SECURITY.md", "docs/CHANGELOG.md"];

/// The anchor of a heading, as GitHub, GitLab and mdBook make it.
fn anchor(heading: &str) -> String {
    let letters = heading.trim().to_lowercase();
    let kept = letters.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

/// Where the links of a page lead within the repository: the path and the anchor.
fn links(page: &Page) -> Vec<(String, Option<String>)> {
    let directory = Path::new(&page.path).parent().unwrap();
    let prose = page.prose();
    let targets = prose.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
    let local = targets.filter(|target| !target.contains("://"));
    local
        .map(|target| {
            let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
            let path = if path.is_empty() { page.path.clone() } else { directory.join(path).display().to_string() };
            (resolved(&path.replace('\\', "/")), anchor.map(str::to_owned))
        })
        .collect()
}

/// A path without `..`.
fn resolved(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

#[test]
fn every_link_leads_somewhere() {
    let pages = Page::all();
    let mut count = 0;
    for page in &pages {
        for (path, wanted) in links(page) {
            count += 1;
            if MADE_BY_THE_SITE.contains(&path.as_str()) {
                continue;
            }
            assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(&path).exists(), "{}: there is no {path}", page.path);
            let Some(wanted) = wanted else { continue };
            let text = Page::load(&path).prose();
            let mut headings = text.lines().filter(|line| line.starts_with('#'));
            let found = headings.any(|line| anchor(line.trim_start_matches('#')) == wanted);
            assert!(found, "{}: {path} has no heading for #{wanted}", page.path);
        }
    }
    assert!(count > 60, "{count} links");
}

#[test]
fn the_site_has_every_page_and_the_readme_fits_two_screens() {
    let linked: BTreeSet<_> = links(&Page::load("docs/SUMMARY.md")).into_iter().map(|(path, _)| path).collect();
    for page in Page::all().iter().filter(|page| page.path.starts_with("docs/") && page.path != "docs/SUMMARY.md") {
        assert!(linked.contains(&page.path), "{} is not in docs/SUMMARY.md", page.path);
    }
    let lines = Page::load("README.md").text.lines().count();
    assert!(lines <= 100, "the README has {lines} lines: write in docs instead");
}

#[test]
fn the_owner_is_a_placeholder_only_until_a_release_names_it() {
    let released = include_str!("../../../.ci/action/released.txt");
    let owner = released.lines().find_map(|line| line.strip_prefix("repository ")?.split('/').next());
    let mut pages = Page::all();
    pages.extend(["RELEASING.md", "templates/changelog/template.yml"].map(Page::load));
    let stands = |page: &&Page| ["OWNER/", "`OWNER` stands for the owner"].iter().any(|text| page.text.contains(text));
    let left: Vec<&str> = pages.iter().filter(stands).map(|page| page.path.as_str()).collect();
    if let Some(owner) = owner {
        assert!(left.is_empty(), "`OWNER` stands for {owner} in {left:?}; `.ci/pin` writes the name there");
    } else {
        assert!(!left.is_empty(), "the pages name an owner that no release has");
    }
}
