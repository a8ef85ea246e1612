//! towncrier: `newsfragments/ISSUE.TYPE[.COUNTER][.EXTENSION]`, whose content is the text.

use indexmap::IndexMap;

use super::{
    change::{Change, Target},
    kinds::{field_text, find_field, has_extension, level_of},
    layout::{ChangeFiles, Tool},
    new_change::NewChange,
};
use crate::{
    config::{Field, ForeignConfig},
    model::{BumpLevel, Problem, Source, is_digits},
    version_files::FileTree,
};

static TOOL: Tool = Tool { is_change_file, write, parse };

const TYPES: [(&str, &str); 4] = [
    ("feature", "Features"),
    ("bugfix", "Bugfixes"),
    ("doc", "Improved Documentation"),
    ("removal", "Deprecations and Removals"),
];

/// The type of which only the issues are printed by default.
const HIDDEN: &str = "misc";

pub(super) fn configure(bytes: &[u8], path: &str, _: &dyn FileTree) -> anyhow::Result<Option<ChangeFiles>> {
    let config = ForeignConfig::parse(bytes, path)?;
    let fields = config.fields()?;
    let tool = find_field(&fields, "tool").map(Field::fields).transpose()?.unwrap_or_default();
    let Some(own) = find_field(&tool, "towncrier") else { return Ok(None) };
    let own = own.fields()?;
    let (mut categories, mut levels) = (IndexMap::new(), IndexMap::new());
    let mut add = |name: &str, title: String, is_shown: bool| {
        levels.insert(name.to_owned(), if is_shown { level_of(name) } else { BumpLevel::None });
        categories.insert(name.to_owned(), title);
    };
    let is_shown = |fields: &[Field]| find_field(fields, "showcontent").is_none_or(Field::is_on);
    let types = find_field(&own, "type").map(Field::elements).transpose()?.unwrap_or_default();
    let fragments = find_field(&own, "fragment").map(Field::fields).transpose()?.unwrap_or_default();
    for one in &types {
        let one = one.fields()?;
        let title = field_text(&one, "name")?.unwrap_or_default();
        let name = field_text(&one, "directory")?.unwrap_or_else(|| title.to_lowercase());
        add(&name, title, is_shown(&one));
    }
    let mut fragments: Vec<&Field> = fragments.iter().collect();
    fragments.sort_by_key(|one| one.key());
    for one in &fragments {
        let inner = one.fields()?;
        let title = field_text(&inner, "name")?.unwrap_or_else(|| capitalized(one.key()));
        add(one.key(), title, is_shown(&inner));
    }
    if types.is_empty() && fragments.is_empty() {
        for (name, title) in TYPES {
            add(name, title.to_owned(), true);
        }
        add(HIDDEN, "Misc".to_owned(), false);
    }
    let changelog = field_text(&own, "filename")?.unwrap_or_else(|| "NEWS.rst".to_owned());
    let is_markdown = has_extension(&changelog, "md");
    Ok(Some(ChangeFiles {
        configured_in: path.to_owned(),
        directories: directories(&own)?,
        categories,
        levels,
        changelog: Some(changelog),
        merges_texts: true,
        issue_format: field_text(&own, "issue_format")?.filter(|format| is_markdown || !format.contains('`')),
        lists_hidden_issues: find_field(&own, "template").is_none(),
        ..ChangeFiles::of(&TOOL)
    }))
}

fn capitalized(text: &str) -> String {
    let first = text.chars().next().map_or(0, char::len_utf8);
    text[..first].to_uppercase() + &text[first..].to_lowercase()
}

fn directories(own: &[Field]) -> anyhow::Result<Vec<String>> {
    let trimmed = |text: String| text.trim_start_matches("./").trim_matches('/').to_owned();
    let directory = field_text(own, "directory")?.map(trimmed);
    let base = match (&directory, field_text(own, "package")?) {
        (Some(directory), _) => directory.clone(),
        (None, None) => String::new(),
        (None, Some(package)) => {
            let package = package.replace('.', "/");
            let root = field_text(own, "package_dir")?.map(trimmed).filter(|root| root != ".").unwrap_or_default();
            if root.is_empty() { package } else { format!("{root}/{package}") }
        }
    };
    let fragments = if directory.is_some() { None } else { Some("newsfragments") };
    let join = |parts: &[&str]| parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join("/");
    let sections = find_field(own, "section").map(Field::elements).transpose()?.unwrap_or_default();
    let mut found = Vec::new();
    for section in &sections {
        let path = field_text(&section.fields()?, "path")?.map(trimmed).unwrap_or_default();
        found.push(join(&[&base, &path, fragments.unwrap_or_default()]));
    }
    if found.is_empty() {
        found.push(join(&[&base, fragments.unwrap_or_default()]));
    }
    Ok(found)
}

/// Returns the issue and the type in the name of a file: the type is the last part that is one, but never the first.
fn parts<'n>(files: &ChangeFiles, name: &'n str) -> Option<(&'n str, &'n str)> {
    let starts: Vec<usize> = name.match_indices('.').map(|(at, _)| at).collect();
    starts.iter().rev().find_map(|at| {
        let kind = name[at + 1..].split('.').next()?;
        files.categories.contains_key(kind).then_some((&name[..*at], kind))
    })
}

fn is_change_file(files: &ChangeFiles, name: &str) -> bool {
    !name.to_uppercase().starts_with("README") && !name.ends_with('~') && parts(files, name).is_some()
}

fn write(files: &ChangeFiles, change: &NewChange) -> Result<(String, String), Problem> {
    change.without_packages()?;
    let is_markdown = files.changelog.as_deref().is_some_and(|changelog| has_extension(changelog, "md"));
    let issue = change.issue.clone().unwrap_or_else(|| format!("+{}", change.slug()));
    let name = format!("{issue}.{}.{}", change.kind(&files.categories)?, if is_markdown { "md" } else { "rst" });
    Ok((name, format!("{}\n", change.text.trim())))
}

#[expect(clippy::unnecessary_wraps, reason = "the type is that of all tools")]
fn parse(files: &ChangeFiles, source: &Source) -> Result<Vec<Change>, Problem> {
    let name = source.name.rsplit('/').next().unwrap_or_default();
    let Some((issue, kind)) = parts(files, name) else { return Ok(Vec::new()) };
    let level = files.levels.get(kind).copied().unwrap_or(BumpLevel::Patch);
    let is_hidden = level == BumpLevel::None;
    // A template of the project's own often leaves out what the usual one shows of a hidden type.
    let targets = if is_hidden && !files.lists_hidden_issues {
        Vec::new()
    } else {
        vec![Target { package: None, category: kind.to_owned(), level }]
    };
    let issue = issue.trim();
    let number = is_digits(issue).then(|| issue.parse::<u64>().ok()).flatten();
    let issue = number.map_or_else(|| issue.to_owned(), |number| number.to_string());
    let issues = match (&files.issue_format, number) {
        (_, None) if issue.starts_with('+') => Vec::new(),
        (Some(format), _) => vec![format.replace("{issue}", &issue)],
        (None, Some(number)) => vec![format!("#{number}")],
        (None, None) => vec![issue.clone()],
    };
    // What has no issue would not be there at all without its text.
    let text = if is_hidden && !issues.is_empty() { String::new() } else { source.text.trim().to_owned() };
    let order = if issues.is_empty() { format!("1{text}") } else { format!("0{}", issue_order(&issue)) };
    Ok(vec![Change { targets, text, issues, order, ..Change::default() }])
}

/// Returns what sorts issues: those without a number first, then by their text and the first number in it, then those that
/// are nothing but a number.
fn issue_order(issue: &str) -> String {
    let Some(start) = issue.find(|sign: char| sign.is_ascii_digit()) else { return format!("0{issue}") };
    let (before, rest) = issue.split_at(start);
    let (number, after) = rest.split_at(rest.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(rest.len()));
    let is_number = before.is_empty() && after.is_empty();
    format!("{}{before}{after}\0{number:0>20}", if is_number { 2 } else { 1 })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crate::sources::change_files::{ChangeFiles, find};

    fn files(config: &str) -> ChangeFiles {
        find(&BTreeMap::from([("pyproject.toml", config)])).unwrap().unwrap()
    }

    #[test]
    fn the_type_is_the_last_part_of_the_name_that_is_one() {
        let files = files("[tool.towncrier]\npackage = 'a'\n");
        assert_eq!(files.directories, ["a/newsfragments"]);
        for (name, expected) in [
            ("123.bugfix", Some(("bugfix", "#123"))),
            ("123.bugfix.1.md", Some(("bugfix", "#123"))),
            ("0012.feature.rst", Some(("feature", "#12"))),
            ("fix-1.2.3.feature", Some(("feature", "fix-1.2.3"))),
            ("+anything.feature.rst", Some(("feature", ""))),
            ("bugfix", None),
            ("123.unknown.md", None),
            ("README.md", None),
        ] {
            assert_eq!(files.has(name), expected.is_some(), "{name}");
            let Some((category, issue)) = expected else { continue };
            let changes = files.parse(&format!("a/newsfragments/{name}"), b"Mend it.\n").unwrap();
            assert_eq!(
                (changes[0].targets[0].category.as_str(), changes[0].issues.concat().as_str()),
                (category, issue)
            );
        }
    }

    /// The list is the one in the documentation of the tool.
    #[test]
    fn issues_are_sorted_and_printed_as_the_tool_does() {
        let mut issues = ["2", "gh-10", "#11", "omega", "#3", "gh-4", "alpha"];
        issues.sort_by_key(|issue| super::issue_order(issue));
        assert_eq!(issues, ["alpha", "omega", "#3", "#11", "gh-4", "gh-10", "2"]);
        for (config, expected) in [
            ("", "gh-7|#12"),
            (
                "filename = 'NEWS.md'\nissue_format = '[{issue}](https://h.example/{issue})'",
                "[gh-7](https://h.example/gh-7)|[12](https://h.example/12)",
            ),
            ("issue_format = '`#{issue} <https://h.example/{issue}>`_'", "gh-7|#12"),
        ] {
            let files = files(&format!("[tool.towncrier]\ndirectory = 'news'\n{config}\n"));
            let issue = |name: &str| files.parse(&format!("news/{name}.bugfix"), b"x").unwrap()[0].issues.concat();
            assert_eq!([issue("gh-7"), issue("012")].join("|"), expected, "{config}");
        }
    }

    #[test]
    fn tables_of_types_are_sorted_and_named_by_themselves() {
        let config = "[tool.towncrier.fragment.zap]\n[tool.towncrier.fragment.fix]\nname = 'Fixes'\n";
        let categories = files(config).categories;
        assert_eq!(categories.into_iter().map(|(_, title)| title).collect::<Vec<_>>(), ["Fixes", "Zap"]);
    }

    #[test]
    fn types_and_directory_come_from_the_configuration() {
        let types = "[tool.towncrier]\ndirectory = 'news/'\ntype = [{name = 'Fixes', directory = 'fix', showcontent = true}, \
                     {name = 'Trivial', directory = 'trivial', showcontent = false}]\n";
        let files = files(types);
        assert_eq!((files.directories.concat().as_str(), files.categories.len()), ("news", 2));
        let trivial = |name: &str| files.parse(&format!("news/{name}"), b"x").unwrap().remove(0);
        assert_eq!((trivial("1.trivial.rst").text.as_str(), trivial("+a.trivial.rst").text.as_str()), ("", "x"));
        let own = types.replace("directory = 'news/'", "directory = 'news/'\ntemplate = 'news.jinja'");
        assert!(super::tests::files(&own).parse("news/1.trivial.rst", b"x").unwrap()[0].targets.is_empty());
    }
}
