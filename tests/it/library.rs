//! The library as another program uses it.

use std::fs;

use tidings::{BumpLevel, Document, ErrorKind, Insertion, Options, Repository, Template};

use crate::support::TestRepo;

fn repository() -> (TestRepo, Repository) {
    let repo = TestRepo::new();
    repo.commit("Begin");
    repo.tag("v1.0.0");
    repo.change("Add crane", "added");
    repo.change("Mend crane", "fixed");
    let opened = Repository::open(repo.path()).unwrap();
    (repo, opened)
}

#[test]
fn a_release_is_a_few_calls() {
    let (repo, repository) = repository();
    let next = repository.next_version(&Options::new()).unwrap();
    assert_eq!((next.version.as_deref(), next.level), (Some("1.1.0"), BumpLevel::Minor));
    assert_eq!(next.base.as_ref().map(|base| base.tag.as_str()), Some("v1.0.0"));
    assert_eq!(next.base.unwrap().commit, repo.git(&["rev-parse", "v1.0.0"]));
    let options = Options::new().version("1.1.0").date("2026-02-03".parse().unwrap());
    let section = repository.section(&options).unwrap();
    assert_eq!(section.to_string(), repo.tidings(&["show", "1.1.0", "--date", "2026-02-03"]).success());
    let titles = section.release().categories.iter().flat_map(|category| &category.entries).map(|entry| &entry.title);
    assert_eq!(titles.collect::<Vec<_>>(), ["Add crane", "Mend crane"]);

    let mut document = Document::parse("# Changelog\n");
    assert_eq!(document.insert(&section).unwrap(), Insertion::Inserted);
    fs::write(repo.path().join("CHANGELOG.md"), "# Changelog\n").unwrap();
    repo.tidings(&["add", "1.1.0", "--date", "2026-02-03", "--no-commit"]).success();
    let added = fs::read(repo.path().join("CHANGELOG.md")).unwrap();
    assert_eq!(String::from_utf8(document.into_bytes()), String::from_utf8(added));
}

#[test]
fn options_choose_the_range_the_template_and_the_configuration() {
    let (repo, repository) = repository();
    let section = |options: Options| repository.section(&options).unwrap();
    let last = section(Options::new().from("HEAD~1"));
    assert_eq!(last.release().categories.len(), 1);
    assert_eq!(last.version(), "Unreleased");
    assert!(section(Options::new().to("HEAD~1").template("compact")).body().contains("Add crane"));
    assert_eq!(section(Options::new().first_release()).release().previous_version, None);
    repo.file("other.yml", "categories:\n  added: Novelties\n");
    let file = repo.path().join("other.yml");
    assert!(section(Options::new().config_file(file.to_str().unwrap())).body().contains("Novelties"));
    let template = Template::handlebars("{{#each categories}}{{title}}: {{count}}\n{{/each}}").unwrap();
    assert_eq!(template.render(last.release()).unwrap(), "Fixed: 1");
    assert!(Template::gitlab("{% each").is_err());
}

#[test]
fn a_failure_says_what_to_do() {
    let (repo, repository) = repository();
    let error = repository.base_tag(&Options::new().version("0.1.0")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Failed);
    let shown = repo.tidings(&["base", "0.1.0"]).failure(1);
    assert!(shown.contains(&error.to_string()) && !error.hints().is_empty(), "{error} {shown}");
    assert!(error.hints().iter().all(|hint| shown.contains(hint)), "{shown}");
    let typo = repository.section(&Options::new().version("one")).unwrap_err();
    assert!(typo.to_string().contains("`one`"), "{typo}");
    assert!(Repository::open(repo.path().parent().unwrap().join("nothing")).is_err());
}
