//! What the configuration may contain, and how mistakes in it are reported.

use super::*;
use crate::model::Position;

fn read(text: &str) -> Config {
    let (config, warnings) = parse(text, "c.yml").unwrap();
    assert_eq!(warnings, []);
    config
}

fn refusal(text: impl AsRef<[u8]>) -> String {
    parse(text, "c.yml").unwrap_err().to_string()
}

#[test]
fn nothing_is_every_default() {
    for text in
        ["", "  \n", "# a comment\n", "---\n", "~", "\u{feff}", "categories:\ntemplate: false\ndate_format: null\n"]
    {
        assert_eq!(read(text), Config::default(), "{text:?}");
    }
}

#[test]
fn every_key_is_read() {
    let config = read(
        "categories:\n  fixed: Fixes\n  added: New\n\
         template: |\n  {% end %}\n\
         template_file: compact\n\
         date_format: '%d.%m.'\n\
         tag_regex: ^v?(?P<major>\\d+)\n\
         include_groups: [harbor/crew, 7]\n\
         authors:\n  Ida@Harbor.example: '@ida'\n  olaf@harbor.example: {reference: '@olaf', contributor: yes}\n\
         repeated_trailers: all\n\
         tag_prefix: app/\n\
         source: both\n\
         skip: {commits: [12345e7, ABCD], authors: bot@harbor.example, messages: ['^wip']}\n\
         links: {'#(\\d+)': 'https://x/$1'}\n\
         types: {Docs: documentation, perf: none, fix: ~}\n\
         paths: [src, '!src/generated']\n\
         file: docs/CHANGES.md\n\
         packages:\n  api:\n  web: {paths: apps/web/*.ts, tag_prefix: web-v}\n  cli: {paths: ['*.c', cli], file: C.md}\n\
         bump: {added: patch, docs: none, removed: ~}\n",
    );
    assert_eq!(
        config.categories.iter().map(|(key, title)| format!("{key}={title}")).collect::<Vec<_>>(),
        ["fixed=Fixes", "added=New"]
    );
    assert_eq!(config.template.map(|template| template.text).as_deref(), Some("{% end %}\n"));
    assert_eq!(config.template_file.as_deref(), Some("compact"));
    assert_eq!(config.date_format.as_deref(), Some("%d.%m."));
    assert_eq!(config.tag_regex.as_deref(), Some(r"^v?(?P<major>\d+)"));
    assert_eq!(config.include_groups, ["harbor/crew", "7"]);
    assert_eq!(config.authors["ida@harbor.example"], AuthorRule { reference: Some("@ida".into()), contributor: false });
    assert_eq!(
        config.authors["olaf@harbor.example"],
        AuthorRule { reference: Some("@olaf".into()), contributor: true }
    );
    assert!(config.takes_repeated_trailers);
    assert_eq!(config.source, EntrySource::Both);
    assert_eq!(
        (config.skip.commits.join(" "), config.skip.authors.join(" ")),
        ("12345e7 abcd".into(), "bot@harbor.example".into())
    );
    assert_eq!((config.skip.messages[0].text(), config.links[0].pattern.text()), ("^wip", r"#(\d+)"));
    let types: Vec<_> = config.types.iter().map(|(kind, category)| (kind.as_str(), category.as_deref())).collect();
    assert_eq!(types, [("docs", Some("documentation")), ("perf", None), ("fix", None)]);
    assert_eq!(config.tag_prefix.as_deref(), Some("app/"));
    assert_eq!(
        (config.paths.join(" ").as_str(), config.file.as_deref()),
        ("src !src/generated", Some("docs/CHANGES.md"))
    );
    let packages: Vec<_> = config
        .packages
        .iter()
        .map(|(name, package)| format!("{name} {} {} {}", package.paths.join(","), package.tag_prefix, package.file))
        .collect();
    let expected =
        ["api api api/v api/CHANGELOG.md", "web apps/web/*.ts web-v apps/web/CHANGELOG.md", "cli *.c,cli cli/v C.md"];
    assert_eq!(packages, expected);
    let levels: Vec<_> = config.bump.iter().map(|(category, level)| (category.as_str(), level.name())).collect();
    assert_eq!(levels, [("added", "patch"), ("docs", "none"), ("removed", "none")]);
}

#[test]
fn a_title_is_any_scalar_as_ruby_prints_it() {
    let config = read("categories: {a: 7, b: true, c: 2024-03-09, d: :sym, e: 7.50, f: '07', g: null, h: no, i: ''}");
    let titles: Vec<_> = config.categories.values().map(String::as_str).collect();
    assert_eq!(titles, ["7", "true", "2024-03-09", ":sym", "7.5", "07", ""]);
}

#[test]
fn aliases_and_merges_work() {
    let categories = |text: &str| {
        let text =
            format!("x: &x {{added: New, fixed: Fixes}}\ny: &y {{fixed: Mended, other: More}}\ncategories:\n{text}");
        let (config, warnings) = parse(text, "c.yml").unwrap();
        let titles = config.categories.iter().map(|(name, title)| format!("{name}={title}")).collect::<Vec<_>>();
        (titles.join(" "), warnings.iter().filter(|warning| warning.message.contains("repeated")).count())
    };
    for (text, titles, repeated) in [
        ("  <<: *x\n  fixed: Repairs\n", "added=New fixed=Repairs", 0),
        ("  <<: *x\n  fixed: Repairs\n  fixed: Twice\n", "added=New fixed=Twice", 1),
        ("  <<: *x\n  <<: *y\n", "added=New fixed=Mended other=More", 0),
        ("  <<: [*x, *y]\n", "fixed=Fixes other=More added=New", 0),
        ("  fixed: Repairs\n  <<: *x\n", "fixed=Fixes added=New", 1),
        ("  <<: x\n", "<<=x", 0),
    ] {
        assert_eq!(categories(text), (titles.to_owned(), repeated), "{text}");
    }
    let list = "- &x {name: a, rank: 1}\n- {<<: *x, name: b}\n";
    assert_eq!(ResourceList::parse(list.as_bytes(), "l.yml").unwrap().items().unwrap().len(), 2);
}

#[test]
fn unknown_keys_are_warnings_with_a_suggestion() {
    let (_, warnings) =
        parse("catgories:\n  a: b\ncolour: red\nauthors:\n  i@x: {referrence: '@i'}\n", "c.yml").unwrap();
    let reported: Vec<_> = warnings.iter().map(|warning| (warning.message.as_str(), warning.hints.concat())).collect();
    assert_eq!(
        reported,
        [
            ("c.yml:1:1: unknown key `catgories`", "did you mean `categories`?".to_owned()),
            ("c.yml:3:1: unknown key `colour`", String::new()),
            ("c.yml:5:9: unknown key `referrence`", "did you mean `reference`?".to_owned()),
        ]
    );
}

#[test]
fn the_last_of_equal_keys_is_used_with_a_warning() {
    let (config, warnings) = parse("date_format: a\ndate_format: b\n", "c.yml").unwrap();
    assert_eq!(config.date_format(), "b");
    assert_eq!(warnings[0].message, "c.yml:2:1: the key `date_format` is repeated; the last value is used");
}

#[test]
fn a_wrong_type_is_reported_with_key_position_and_line() {
    assert_eq!(
        refusal("date_format: 2024\n"),
        "c.yml:1:14: `date_format` must be a text, not a number\n  1 | date_format: 2024\n    |              ^"
    );
    for (text, message) in [
        ("template: [a]", "c.yml:1:11: `template` must be a text, not a list"),
        ("categories: [a]", "c.yml:1:13: `categories` must be a mapping of trailer values to titles, not a list"),
        ("categories: text", "c.yml:1:13: `categories` must be a mapping of trailer values to titles, not a text"),
        ("\ncategories:\n  added: [New]", "c.yml:3:10: `added` must be a text, not a list"),
        ("bump:\n  added: big\n", "c.yml:2:10: `added` must be `major`, `minor`, `patch` or `none`, not `big`"),
        ("bump: [added]", "c.yml:1:7: `bump` must be a mapping of trailer values to levels, not a list"),
        ("repeated_trailers: first", "c.yml:1:20: `repeated_trailers` must be `last` or `all`, not `first`"),
        ("authors: {i@x: {contributor: maybe}}", "c.yml:1:30: `contributor` must be `true` or `false`, not a text"),
        ("packages:\n  api: {paths: '*.c'}", "c.yml:2:8: `api` needs a `file`: none of its paths is a directory"),
        ("links: {'a(': b}", "c.yml:1:9: `a(` is not a valid pattern: unclosed group"),
        ("links: {a: b$1}", "c.yml:1:12: `a` refers to group `1`, which the pattern does not define"),
        ("links: {a: }", "c.yml:1:10: `a` must be an address, not nothing"),
        (
            "skip: [abcd]",
            "c.yml:1:7: `skip` must be a mapping of `commits`, `authors`, `messages` and `released`, not a list",
        ),
        ("skip:\n  commits: [abcd, abc]", "c.yml:2:19: `commits` must be commit IDs of 4 digits or more"),
        (
            "skip:\n  messages:\n  - a\n  - (?=b)",
            "c.yml:4:5: `messages` has an invalid pattern: invalid perl operator: look-around `(?=b` is not part of RE2",
        ),
        ("group_by: any", "c.yml:1:11: `group_by` must be `category` or `scope`, not `any`"),
        ("packages: [api]", "c.yml:1:11: `packages` must be a mapping of names to packages, not a list"),
        ("just text", "c.yml:1:1: the configuration must be a mapping of keys to values"),
        ("[1]", "c.yml:1:1: the configuration must be a mapping of keys to values"),
        ("7", "c.yml:1:1: the configuration must be a mapping of keys to values"),
        ("? [a]\n: b", "c.yml:1:3: a key must be a text"),
    ] {
        assert_eq!(refusal(text).lines().next(), Some(message));
    }
}

#[test]
fn invalid_yaml_is_refused_with_its_position() {
    assert!(refusal("categories:\n  added: @ida\n").starts_with("c.yml:2:10: invalid YAML: "));
    for text in ["- name: bug\n\tcolor: red\n", "categories:\n\tadded: New\n"] {
        let problem = parse(text, "c.yml").unwrap_err();
        assert!(crate::model::hints(&problem).concat().contains("with spaces"), "{text}: {problem}");
    }
    assert!(refusal(b"template: \xff").starts_with("c.yml:1:11: invalid UTF-8\n"));
    assert!(refusal("a: *b").contains("c.yml:1:4"));
    assert!(refusal("a: &a [*a]").contains("an alias is inside of the value that it repeats"));
}

#[test]
fn hooks_get_variables_with_tokens_and_no_others_by_name() {
    let hooks = parse("hooks: {after: make, env: [GITLAB_TOKEN, ~]}\n", "c.yml").unwrap().0.hooks;
    assert_eq!((hooks.after.concat(), hooks.env.concat()), ("make".into(), "GITLAB_TOKEN".into()));
    let refused = refusal("hooks:\n  env: [GITLAB_TOKEN, PATH]\n");
    assert!(refused.starts_with("c.yml:2:23: `env` must be `CI_JOB_TOKEN`, "), "{refused}");
    assert!(refused.contains(" or `TIDINGS_TOKEN_FILE`, not `PATH`"), "{refused}");
}

#[test]
fn hostile_texts_are_refused_quickly() {
    let deep = format!("a: {}", "[".repeat(60_000));
    let bomb: String = (1..20).fold("a0: &a0 [x, x, x, x, x, x, x, x]\n".to_owned(), |text, level| {
        let last = level - 1;
        format!("{text}a{level}: &a{level} [*a{last}, *a{last}, *a{last}, *a{last}, *a{last}, *a{last}]\n")
    });
    assert!(refusal(deep).starts_with("c.yml:1:"));
    let block: String = (0..40).map(|level| " ".repeat(level) + "a:\n").collect();
    assert!(refusal(block).contains("nested deeper than 32 levels"));
    assert!(refusal(bomb).contains("values, including those that aliases repeat"));
    assert!(refusal(" ".repeat(decode::MAX_BYTES + 1)).contains("1048577 bytes"));
}
#[test]
fn a_block_template_has_positions_of_the_file() {
    for (text, name, line, column) in [
        ("a: 1\ntemplate: |\n  {{ a\n", "c.yml", 3, 3),
        ("template: |2-\n\n\n   {{ a\n", "c.yml", 2, 3),
        ("template: '{{ a'", "template in c.yml", 1, 1),
        ("template: >\n  {{ a\n", "template in c.yml", 1, 1),
    ] {
        let template = parse(text, "c.yml").unwrap().0.template.unwrap();
        assert_eq!((template.name.as_str(), template.start), (name, Position { line, column }), "{text:?}");
    }
}

fn list_refusal(text: &str) -> String {
    let items = |list: ResourceList| list.items().map(|items| items.len()).map_err(anyhow::Error::from);
    ResourceList::parse(text.as_bytes(), "l.yml").and_then(items).unwrap_err().to_string()
}

#[test]
fn a_list_gives_its_items_with_their_fields() {
    let list =
        ResourceList::parse(b"- {name: ' a ', rank: 0x10, off: no}\n- name: b\n  tags: [x, 7]\n", "l.yml").unwrap();
    let items = list.items().unwrap();
    assert_eq!(items[0].required_field("name").unwrap().filled().unwrap(), "a");
    assert_eq!(items[0].get("rank").unwrap().title().unwrap().as_deref(), Some("16"));
    assert!(!items[0].get("off").unwrap().flag().unwrap() && items[0].get("tags").is_none());
    assert_eq!(items[1].get("tags").unwrap().texts().unwrap(), ["x", "7"]);
    let second = items[1].get("tags").unwrap().elements().unwrap()[1].refusal("is odd").to_string();
    assert!(second.starts_with("l.yml:3:13: `tags` is odd\n"), "{second}");
    assert!(ResourceList::parse(br#"[{"name": "a/b", "of": null}]"#, "l.json").unwrap().items().is_ok());
}

#[test]
fn what_is_not_a_list_of_items_is_refused_with_its_position() {
    for (text, message) in [
        ("", "l.yml:1:1: the file must be a list"),
        ("# nothing\n", "l.yml:1:1: the file must be a list"),
        ("a: b", "l.yml:1:1: the file must be a list"),
        ("- a: b\n- c", "l.yml:2:3: each item of the list must be a mapping of keys to values"),
        ("- a: 1\n  a: 2", "l.yml:2:3: the key `a` is repeated"),
    ] {
        assert_eq!(list_refusal(text).lines().next(), Some(message), "{text:?}");
    }
    let list = ResourceList::parse(b"- name: 7\n- name: #d9534f\n- name: [x]\n- nam: x\n", "l.yml").unwrap();
    let items = list.items().unwrap();
    let refusals = items[..3].iter().map(|item| item.required_field("name").unwrap().filled().unwrap_err().to_string());
    let refusals: Vec<_> = refusals.map(|text| text.lines().next().unwrap().to_owned()).collect();
    assert_eq!(refusals[0], "l.yml:1:9: `name` must be a text, not a number");
    assert_eq!(refusals[1], "l.yml:2:7: `name` must not be empty");
    assert_eq!(refusals[2], "l.yml:3:9: `name` must be a text, not a list");
    assert!(
        items[3].required_field("name").unwrap_err().to_string().starts_with("l.yml:4:3: the key `name` is missing")
    );
}
