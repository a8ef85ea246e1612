//! The value changes, and nothing else.

use super::*;

fn file(path: &str, locator: &str) -> VersionFile {
    let locator = match locator.strip_prefix('/') {
        Some(regex) => VersionLocator::Regex(regex.to_owned()),
        None => VersionLocator::Key(locator.to_owned()),
    };
    VersionFile { path: path.to_owned(), locator }
}

fn set(content: &[u8], file: &VersionFile, version: &str) -> anyhow::Result<Vec<u8>> {
    super::set(content, &file.path, &[file], version)
}

#[test]
fn many_keys_and_regexes_of_a_file_are_set_at_once() {
    let numbers = || 0..1_000;
    let keys = |separator: &str, end: &str| {
        let line = |all: String, number: usize| {
            all + &if end.is_empty() {
                format!("k{number}{separator} \"1.2.3\"\n")
            } else {
                format!("\"k{number}\": \"1.2.3\",\n")
            }
        };
        numbers().fold(String::new(), line)
    };
    let json = format!("{{{}\"end\": 1}}", keys(":", ","));
    let yaml = keys(":", "");
    for (path, text) in [("f.toml", keys("=", "")), ("f.json", json), ("f.yaml", yaml)] {
        let by_key: Vec<_> = numbers().map(|number| file(path, &format!("k{number}"))).collect();
        let by_regex = file(path, "/k7\\W+([0-9.]+)");
        let files: Vec<_> = by_key.iter().chain([&by_regex]).collect();
        let new = super::set(text.as_bytes(), path, &files, "2.0.0").unwrap();
        assert_eq!(String::from_utf8(new).unwrap(), text.replace("1.2.3", "2.0.0"));
    }
}

/// Sets 2.0.0 in `text` with `1.2.3` for each `@`, and asserts that nothing else changes.
#[track_caller]
fn changes_alone(path: &str, locator: &str, text: &str) {
    let new = set(text.replace('@', "1.2.3").as_bytes(), &file(path, locator), "2.0.0");
    let new = String::from_utf8(new.unwrap_or_else(|error| panic!("{error:?}"))).unwrap();
    assert_eq!(new, text.replace('@', "2.0.0"), "{path}");
    let again = set(new.as_bytes(), &file(path, locator), "2.0.0").unwrap();
    assert_eq!(again, new.as_bytes(), "once more");
}

fn refusal(path: &str, locator: &str, text: &str) -> String {
    format!("{:#}", set(text.as_bytes(), &file(path, locator), "2.0.0").unwrap_err())
}

#[test]
fn toml_keeps_comments_quotes_and_order() {
    let cargo = "# top\r\n[package] # here\r\nname = 'a'   # é\r\nversion   = \"@\" # ours\r\n[dependencies]\r\nb = { version = \"1.2.3\" }\r\n";
    changes_alone("Cargo.toml", "package.version", cargo);
    changes_alone("a.TOML", "tool.poetry.version", "tool.poetry.version = '@'\nversion = '1.2.3'\n");
    changes_alone("a.toml", "b.1.v", "[[b]]\nv = \"x\"\n[[b]]\nv = \"\"\"@\"\"\"\n");
    changes_alone(
        "a.toml",
        "dependencies.b.version",
        "\u{feff}[dependencies]\nb = { path = \"b\", version = \"@\" }\n",
    );
}

#[test]
fn json_keeps_everything_around_the_value() {
    changes_alone(
        "package.json",
        "version",
        "{\n\t\"name\": \"a\",\t\"version\" :\"@\",\n  \"x\": {\"version\": \"1.2.3\"}}\n",
    );
    let lock = "{\"version\": \"1.2.3\", \"packages\": {\"\": {\"version\": \"@\"}, \"a.b\": {}}}";
    changes_alone("package-lock.json", "packages.\"\".version", lock);
    changes_alone("a.json", "x.1.v", "\u{feff}{\"x\": [{}, {\"\\u00e9\": 1, \"v\": \"v@\"}]}");
}

#[test]
fn a_mark_before_a_version_stays_whatever_its_numbers_are() {
    for (old, new) in
        [("v1.2.3", "v2.0.0"), ("v2024.03.0", "v2.0.0"), ("v1.2", "v2.0.0"), ("1.2", "2.0.0"), ("vx", "2.0.0")]
    {
        let set = set(format!("version: {old}\n").as_bytes(), &file("a.yaml", "version"), "2.0.0").unwrap();
        assert_eq!(String::from_utf8(set).unwrap(), format!("version: {new}\n"));
    }
}

#[test]
fn yaml_keeps_comments_quotes_and_anchors() {
    changes_alone(
        "Chart.yaml",
        "version",
        "# é\nname: a\nappVersion: \"1.2.3\" # not this\nversion: @ # this\n---\nversion: 1.2.3\n",
    );
    changes_alone("a.yml", "image.tag", "image: {name: a, tag: 'v@'}\r\nversion: 1.2.3\r\n");
    changes_alone("a.yml", "x.1.v", "? [a, b]\n: 1\nx:\n- {v: 1.2.3}\n- v: &here \"@\"\nz: *here\n");
}

#[test]
fn a_pattern_changes_every_match_of_its_group() {
    changes_alone("README.md", "/tidings-(v?[0-9.]+)", "tidings 1.2.3\r\nget tidings-@\r\nget tidings-v@ now\r\n");
    changes_alone("a.env", "/^VERSION=(.*)", "A=1\r\nVERSION=@\r\nVERSION=@");
    let lock = "[[package]]\nname = \"a\"\nversion = \"1.2.3\"\n\n[[package]]\nname = \"b\"\nversion = \"@\"\n";
    changes_alone("Cargo.lock", "/^name = \"b\"\nversion = \"(.*)\"$", lock);
}

#[test]
fn refusals_name_file_and_place() {
    for (path, locator, text, said) in [
        (
            "a.toml",
            "package.version",
            "[package]\n",
            "cannot set the version in `a.toml` at the key `package.version`: `version` not found",
        ),
        ("a.toml", "package.version", "[package]\nversion.workspace = true\n", "its value is that of the workspace"),
        (
            "a.toml",
            "package.version",
            "[package]\nversion = {}\n",
            "its value is of the type inline table, not a string",
        ),
        ("a.yaml", "a", "a: 1.0.0\nb: 1\na: 1.1.0\n", "the key `a` is repeated"),
        ("a.toml", "v", "v = [", "the file is not valid TOML"),
        ("a.toml", "v", "v = \"\"\"1\n2\"\"\"", "its value has several lines"),
        ("a.json", "version", "{\"version\": 1}", "its value is a number, not a string"),
        ("a.json", "version.x", "{\"version\": \"1\"}", "`x` not found"),
        ("a.json", "version", "{", "the file is not valid JSON"),
        ("a.yaml", "a.b", "a: [1]", "`b` not found"),
        ("a.yaml", "a", "a: |\n  1.2.3\n", "its value is a block of lines, not a string"),
        ("a.yaml", "b", "a: &x 1.2.3\nb: *x\n", "its value is an alias of another value, not a string"),
        ("a.yaml", "a", "a: 'x", "the file is not valid YAML"),
        ("a.txt", "version", "x", "keys are supported in files that end in `.toml`"),
        ("a.txt", "/version", "x", "it has 0 groups"),
        ("a.txt", "/(a)(b)", "x", "it has 2 groups"),
        ("a.txt", "/(a", "x", "it is invalid"),
        ("a.txt", "/(a)", "x", "cannot set the version in `a.txt` at the regex `(a)`: it matches nothing"),
        ("a.txt", "/v(1[.0-9]+)", "v1.0.0", "the version file `a.txt` would not have 2.0.0 at the regex"),
        ("a.txt", "/(a)", "", "the version file `a.txt` is missing or empty"),
    ] {
        let refused = refusal(path, locator, text);
        assert!(refused.contains(said), "{refused}");
    }
}

#[test]
fn a_yaml_file_of_any_depth_is_read() {
    for inner in ["[", "{a: "] {
        let deep = format!("v: 1.2.3\na: {}", inner.repeat(10_000));
        assert!(set(deep.as_bytes(), &file("a.yaml", "v"), "2.0.0").is_err(), "{inner}");
    }
}
