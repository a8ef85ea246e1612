//! Templates rendered with releases.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::model::{
    Author, Category, CommitLink, Entry, MergeRequest, Reference, ReleaseContributor, ReleaseDetails, Statistics,
};

fn built_in(name: &str) -> Template {
    Template::load_named(name, |_| unreachable!("it is built in")).unwrap()
}

fn entry(title: &str, known: bool) -> Entry {
    let web_url = |page: &str| known.then(|| format!("https://git.example.org/harbor/pilot/-/{page}"));
    Entry {
        title: title.to_owned(),
        category: "added".to_owned(),
        commit: CommitLink {
            short_id: "01234567".to_owned(),
            web_url: web_url("commit/01234567"),
            ..CommitLink::default()
        },
        author: known.then(|| Author { reference: Some("@ida".into()), credit: true, ..Author::default() }),
        merge_request: Some(MergeRequest {
            reference: "!7".to_owned(),
            label: None,
            web_url: web_url("merge_requests/7"),
        }),
        ..Entry::default()
    }
}

fn release() -> Release {
    Release {
        version: "1.2.0".to_owned(),
        date: "2024-03-09".to_owned(),
        previous_version: Some("1.1.0".to_owned()),
        compare_url: Some("https://git.example.org/compare".to_owned()),
        project: None,
        categories: vec![
            Category::new("New".into(), vec![entry("Show the tide", true), entry("Count <ships>", false)]),
            Category::new("Fixes".into(), vec![entry("Keep the lamp lit", true)]),
        ],
        details: ReleaseDetails::default(),
    }
}

#[test]
fn nothing_prints_that_there_are_no_changes() {
    for name in BUILT_IN {
        assert_eq!(built_in(name).render(&Release::default()).unwrap(), "No changes.", "{name}");
    }
}

#[test]
fn the_built_in_templates_read_well() {
    assert_eq!(
        built_in("compact").render(&release()).unwrap(),
        "- **New**: Show the tide (`01234567`)\n- **New**: Count \\<ships> (`01234567`)\n- **Fixes**: Keep the lamp lit (`01234567`)"
    );
    assert_eq!(
        built_in("keep-a-changelog").render(&release()).unwrap(),
        "### New\n\n- Show the tide ([!7](https://git.example.org/harbor/pilot/-/merge_requests/7))\n\
         - Count \\<ships> (!7)\n\n### Fixes\n\n\
         - Keep the lamp lit ([!7](https://git.example.org/harbor/pilot/-/merge_requests/7))\n\n\
         [Compare with 1.1.0](https://git.example.org/compare)"
    );
    assert_eq!(
        built_in("github-release").render(&release()).unwrap(),
        "## What's Changed\n### New\n* Show the tide by @ida in https://git.example.org/harbor/pilot/-/merge_requests/7\n\
         * Count \\<ships> in !7\n\n### Fixes\n\
         * Keep the lamp lit by @ida in https://git.example.org/harbor/pilot/-/merge_requests/7\n\n\
         **Full Changelog**: https://git.example.org/compare"
    );
}

/// Compares the values at the top of a release with the table on the page about templates.
#[test]
fn the_page_about_templates_lists_what_a_release_has_at_the_top() {
    let page = include_str!("../../docs/templates.md");
    let rows = page.lines().skip_while(|line| !line.starts_with("| `version`")).take_while(|line| !line.is_empty());
    let cells = rows.flat_map(|line| line.trim_start_matches("| ").split(" | ").next().unwrap_or_default().split(", "));
    let listed: BTreeSet<String> = cells.map(|path| path.trim_matches('`').to_owned()).collect();
    let contributor = ReleaseContributor {
        reference: Some("@ida".into()),
        first_time: Some(true),
        merge_request: entry("", true).merge_request,
        ..ReleaseContributor::default()
    };
    let details = ReleaseDetails {
        contributors: Some(vec![contributor]),
        new_contributors: Some(Vec::new()),
        statistics: Some(Statistics { days: Some(1), ..Statistics::default() }),
    };
    let data = serde_json::to_value(Release { project: Some("a/b".into()), details, ..release() }).unwrap();
    let top = data.as_object().unwrap().keys().filter(|name| *name != "categories");
    let missing: Vec<_> = top.filter(|name| !listed.iter().any(|path| path.starts_with(name.as_str()))).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let parts = [&data["contributors"][0], &data["statistics"]].map(|part| part.as_object().unwrap().keys());
    let missing: Vec<_> = parts
        .into_iter()
        .flatten()
        .filter(|part| !listed.iter().any(|path| path.ends_with(&format!(".{part}"))))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_configuration_chooses_the_template() {
    let render = |config: &Config| {
        let read = |path: &str| anyhow::Ok(format!("read from {path}").into_bytes());
        Template::from_config(config, read).unwrap().render(&Release::default()).unwrap()
    };
    let inline = Config { template: Some(Source::new("c.yml", " inline\n")), ..Config::default() };
    assert_eq!(render(&inline), "inline");
    let file = Config { template_file: Some("a/b.tpl".to_owned()), ..inline.clone() };
    assert_eq!(render(&file), "read from a/b.tpl", "a file is more than what GitLab reads");
    let built_in = Config { template_file: Some("compact".to_owned()), ..inline };
    assert_eq!(render(&built_in), "No changes.");
}

#[test]
fn a_file_that_is_no_text_or_too_large_is_refused() {
    let refusal = |bytes: Vec<u8>| Template::load_named("a.tpl", |_| Ok(bytes)).unwrap_err().to_string();
    assert!(refusal(b"ab\n\xff".to_vec()).starts_with("a.tpl:2:1: invalid UTF-8"));
    assert!(refusal(vec![b'x'; MAX_BYTES + 1]).contains("65537 bytes"));
    assert_eq!(
        Template::load_named("a.tpl", |_| Ok(b"\xef\xbb\xbfx".to_vec())).unwrap().render(&release()).unwrap(),
        "x",
        "without its byte order mark"
    );
}

#[test]
fn a_file_means_the_same_with_either_line_end() {
    let gitlab = "{% each categories %}\n- {{ title }}\\\n!\n{% end %}\nend";
    let handlebars = "{{#each categories}}\n- {{title}}\n{{/each}}\nend";
    for (name, text) in [("a.tpl", gitlab), ("a.hbs", handlebars)] {
        let render =
            |text: String| Template::load_named(name, |_| Ok(text.into_bytes())).unwrap().render(&release()).unwrap();
        let rendered = render(text.to_owned());
        assert_eq!(render(text.replace('\n', "\r\n")), rendered, "{name}");
        assert!(rendered.starts_with("- New") && !rendered.contains(['\\', '\r']), "{rendered:?}");
    }
}

fn any_text() -> impl Strategy<Value = String> {
    "[ -~é\\n]{0,12}"
}

fn any_entry() -> impl Strategy<Value = Entry> {
    let author = (any::<bool>(), "@[a-z]{1,5}").prop_map(|(credit, reference)| Author {
        reference: Some(reference),
        credit,
        ..Author::default()
    });
    let request = (any_text(), proptest::option::of(any_text())).prop_map(|(reference, web_url)| MergeRequest {
        reference,
        label: None,
        web_url,
    });
    let commit = (any_text(), proptest::option::of(any_text())).prop_map(|(short_id, web_url)| CommitLink {
        short_id,
        web_url,
        ..CommitLink::default()
    });
    (any_text(), commit, proptest::option::of(author), proptest::option::of(request)).prop_map(
        |(title, commit, author, merge_request)| Entry {
            references: title
                .split('a')
                .skip(1)
                .map(|text| Reference { text: text.into(), url: text.into() })
                .collect(),
            title,
            commit,
            author,
            merge_request,
            ..Entry::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn the_section_is_the_same_in_both_languages(
        groups in proptest::collection::vec((any_text(), proptest::collection::vec(any_entry(), 1..4)), 0..4)
    ) {
        let categories = groups.into_iter().map(|(title, entries)| Category::new(title, entries)).collect();
        let release = Release { categories, ..Release::default() };
        let handlebars = Source::new("section.hbs", include_str!("../../templates/section.hbs"));
        let handlebars = Template::parse(handlebars).unwrap();
        prop_assert_eq!(built_in("section").render(&release).unwrap(), handlebars.render(&release).unwrap());
    }
}
