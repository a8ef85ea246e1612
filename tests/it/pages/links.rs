//! Links between the pages lead to files and headings that are there, and the README leads to every page.

use std::{collections::BTreeSet, path::Path};

use super::Page;

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
            (path.replace('\\', "/").replace("docs/../", ""), anchor.map(str::to_owned))
        })
        .collect()
}

#[test]
fn every_link_leads_somewhere() {
    let pages = Page::all();
    let mut count = 0;
    for page in &pages {
        for (path, wanted) in links(page) {
            count += 1;
            assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(&path).exists(), "{}: there is no {path}", page.path);
            let Some(wanted) = wanted else { continue };
            let text = Page::load(&path).prose();
            let mut headings = text.lines().filter(|line| line.starts_with('#'));
            let found = headings.any(|line| anchor(line.trim_start_matches('#')) == wanted);
            assert!(found, "{}: {path} has no heading for #{wanted}", page.path);
        }
    }
    assert!(count > 30, "{count} links");
}

#[test]
fn the_readme_leads_to_every_page_and_fits_two_screens() {
    let readme = Page::load("README.md");
    let linked: BTreeSet<_> = links(&readme).into_iter().map(|(path, _)| path).collect();
    for page in Page::all().iter().skip(1) {
        let is_for_contributors = page.path == "docs/style.md";
        assert!(is_for_contributors || linked.contains(&page.path), "no link to {}", page.path);
    }
    let lines = readme.text.lines().count();
    assert!(lines <= 100, "the README has {lines} lines: write in docs instead");
}
