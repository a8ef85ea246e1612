//! A new section in files of many styles: what stands before and after its entries, and where their categories are.
//! `TIDINGS_RENEW=1 cargo test --test it entry_style` writes the sections again; look at what it changed.

use std::{fmt::Write as _, fs};

use crate::support::{TestRepo, testdata};

/// Cases as differences: `@@ NAME`, then lines that stay or come.
const CASES: &str = "entries.diff";

/// A repository with an entry of each kind.
fn kites() -> TestRepo {
    let repo = TestRepo::new();
    repo.git(&["remote", "add", "origin", "https://github.com/lena/kites.git"]);
    repo.commit("chore: begin");
    repo.tag("v1.0.0");
    repo.commit("feat(line): add a second line (#7)");
    repo.commit("fix: mend the tail where the wind has torn it, and sew the seam again with a stronger thread (#9)");
    repo.commit("fix(reel): turn the reel (#12)");
    repo.commit("feat!: drop paper kites (#11)\n\nBREAKING CHANGE: Use cloth, which lasts longer.");
    repo
}

#[test]
fn a_section_takes_the_style_of_the_entries_of_the_file() {
    let (repo, path) = (kites(), testdata(CASES));
    let cases = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let mut renewed = String::new();
    for case in cases.split("@@ ").skip(1) {
        let (name, lines) = case.split_once('\n').unwrap();
        let lines = lines.lines().filter(|line| line.starts_with(' '));
        let before: String = lines.flat_map(|line| [&line[1..], "\n"]).collect();
        repo.write("NEWS.md", &before);
        repo.tidings(&["add", "2.0.0", "--file", "NEWS.md", "--no-commit", "--date", "2024-03-09"]).success();
        let after = repo.read("NEWS.md");
        let start = before.lines().zip(after.lines()).take_while(|(before, after)| before == after).count();
        let added = after.lines().count() - before.lines().count();
        writeln!(renewed, "@@ {name}").unwrap();
        for (at, line) in after.lines().enumerate() {
            let sign = if (start..start + added).contains(&at) { '+' } else { ' ' };
            writeln!(renewed, "{sign}{line}").unwrap();
        }
    }
    if std::env::var_os("TIDINGS_RENEW").is_some() {
        return fs::write(path, renewed).unwrap();
    }
    assert!(cases.matches("@@ ").count() >= 41);
    assert_eq!(renewed, cases);
}

#[test]
fn sections_of_scopes_have_headings_in_a_file_without() {
    let repo = kites();
    repo.write("CHANGELOG.md", "# Changelog\n\n## 1.0.0\n\n- fix: one (#1)\n- feat: two (#2)\n- fix: three (#3)\n");
    repo.write("tidings.yml", "group_by: scope\n");
    let section = repo.tidings(&["show"]).success();
    assert!(section.contains("### reel\n\n- turn the reel (#12)\n"), "{section}");
    repo.write("tidings.yml", "{}\n");
    let section = repo.tidings(&["show"]).success();
    assert!(section.contains("- fix(reel): turn the reel (#12)\n") && !section.contains("###"), "{section}");
}

#[test]
fn what_was_recognised_is_shown() {
    let repo = kites();
    repo.write(
        "CHANGELOG.md",
        "# Changelog\n\n## 1.0.0\n\n- [FEATURE] One. #1\n- [BUGFIX] Two. #2\n- [BUGFIX] Three. #3\n",
    );
    repo.git(&["add", "."]);
    let style = "`- [FEATURE] **scope:** title. #12` directly below the version";
    assert!(repo.tidings(&["doctor"]).success().contains(&format!("style of entries: {style}\n")));
    let stderr = repo.tidings(&["init", "--yes"]).stderr;
    assert!(stderr.contains(&format!("new sections take the style of `CHANGELOG.md`: {style}")), "{stderr}");
    let section = repo.tidings(&["show"]).success();
    assert!(section.contains("- [FEATURE] **line:** add a second line. #7\n"), "{section}");
    // Titles have no kind.
    let titles = repo.tidings(&["show", "--source", "titles"]).success();
    assert!(titles.contains("\n- fix(reel): turn the reel. #12\n"), "{titles}");
}
