//! git-cliff: `cliff.toml`, or a table of `Cargo.toml` or `pyproject.toml`, and `.cliffignore`.

use super::{
    git_cliff_edits::{Postprocessors, take_preprocessor},
    git_cliff_parsers::{add_rules, read_parsers},
    outcome::{FEATURES, HEADER, Hints, Migration, ReadBeside, find_field, is_set, text_of},
    tera_entry::take_body,
    tool::ForeignTool,
};
use crate::{
    config::{EntryOrder, EntryRule, EntrySource, Field, ForeignConfig, Pattern},
    model::{BumpLevel, Oid, capitalize},
    sources::conventional::TYPES,
};

pub(super) const TOOL: ForeignTool = ForeignTool {
    name: "git-cliff",
    files: &["cliff.toml", ".cliff.toml", ".config/cliff.toml"],
    tables: &[
        ("Cargo.toml", "workspace.metadata.git-cliff"),
        ("Cargo.toml", "package.metadata.git-cliff"),
        ("pyproject.toml", "tool.git-cliff"),
    ],
    recognizes: |name, fields| {
        let is_toml = name.rsplit('.').next() == Some("toml");
        (is_toml || name.starts_with("cliff."))
            && ["git", "changelog"].iter().any(|key| find_field(fields, key).is_some())
    },
    convert,
};

/// Hints on what to do instead of these keys; if a hint is empty, nothing needs to be done.
const HINTS: &Hints = &[
    (HEADER, "changelog.header"),
    ("a Tera template: write it in Handlebars and name it in `template_file`", "changelog.body"),
    ("what is below the sections of the changelog file stays as it is", "changelog.footer"),
    (
        "",
        "changelog.trim changelog.render_always git.conventional_commits git.filter_unconventional \
         git.filter_commits git.topo_order git.topo_order_commits git.use_branch_tags",
    ),
    ("`tidings check` refuses such commits", "git.require_conventional git.fail_on_unmatched_commit"),
    ("a commit is one entry, or one per trailer with `repeated_trailers: all`", "git.split_commits"),
    ("the order is fixed: `skip`, `match`, `source`", "git.processing_order"),
    (
        "rules that skip also skip what breaks: put `{ title: '^\\w+(\\(.*\\))?!:', category: breaking }` before them",
        "git.protect_breaking_commits",
    ),
    ("`tag_regex` says which tags are versions", "git.count_tags"),
    ("use `--max-commits`", "git.limit_commits"),
    ("each repository has a changelog of its own", "git.recurse_submodules"),
    ("use `--initial` for the first version", "bump.initial_tag"),
    ("set the level of a category in `bump`", "bump.custom_major_increment_regex bump.custom_minor_increment_regex"),
    ("use `--level`", "bump.bump_type"),
];

/// The parsers of git-cliff, and what its template uses, if the configuration has neither.
const DEFAULTS: &str = r#"
[changelog]
body = "commit_groups upper_first"
[git]
commit_parsers = [
  { message = "^feat", group = "<!-- 0 -->🚀 Features" },
  { message = "^fix", group = "<!-- 1 -->🐛 Bug Fixes" },
  { message = "^doc", group = "<!-- 3 -->📚 Documentation" },
  { message = "^perf", group = "<!-- 4 -->⚡ Performance" },
  { message = "^refactor", group = "<!-- 2 -->🚜 Refactor" },
  { message = "^style", group = "<!-- 5 -->🎨 Styling" },
  { message = "^test", group = "<!-- 6 -->🧪 Testing" },
  { message = '^chore\(release\): prepare for', skip = true },
  { message = '^chore\((deps.*|pr|pull)\)', skip = true },
  { message = "^chore|^ci", group = "<!-- 7 -->⚙️ Miscellaneous Tasks" },
  { body = "security", group = "<!-- 8 -->🛡️ Security" },
  { message = "^revert", group = "<!-- 9 -->◀️ Revert" },
  { message = ".*", group = "<!-- 10 -->💼 Other" },
]
"#;

fn convert(migration: &mut Migration, fields: &[Field], beside: ReadBeside) -> anyhow::Result<()> {
    take_ignored(migration, &beside(".cliffignore")?.unwrap_or_default());
    let mut posts = Postprocessors::read(migration, find_field(fields, "changelog.postprocessors"))?;
    for table in fields {
        let inner = if table.is_mapping() { table.fields()? } else { vec![*table] };
        for field in inner {
            let key = if table.is_mapping() { format!("{}.{}", table.key(), field.key()) } else { table.key().into() };
            take_key(migration, &mut posts, &key, &field)?;
        }
    }
    take_usual_order(migration, fields);
    posts.take_links(migration);
    let is_conventional = is_set(fields, "git.conventional_commits", true)?;
    let defaults = ForeignConfig::parse(DEFAULTS.as_bytes(), "cliff.toml")?;
    let defaults = defaults.fields()?;
    let body = text_of(fields, "changelog.body")?.or(text_of(&defaults, "changelog.body")?).unwrap_or_default();
    if let Some(parsers) =
        find_field(fields, "git.commit_parsers").or_else(|| find_field(&defaults, "git.commit_parsers"))
    {
        let rules =
            read_parsers(migration, &parsers, is_conventional && is_set(fields, "git.filter_unconventional", true)?)?;
        add_rules(migration, &rules, &body);
    }
    if let Some(all) = find_field(fields, "git.filter_unconventional").filter(|_| is_conventional)
        && !is_set(fields, "git.filter_unconventional", true)?
    {
        migration.lose_always(
            "git.filter_unconventional",
            &all,
            "a commit of an unknown type is not listed: `types` or `other` lists it",
        );
    }
    if is_conventional {
        migration.set_breaking_title("Breaking changes", true);
        take_unmatched(migration, is_set(fields, "git.filter_commits", false)?);
        if is_set(fields, "bump.breaking_always_bump_major", true)? {
            migration.config.bump.insert("breaking".to_owned(), BumpLevel::Major);
        }
    } else {
        migration.config.source = EntrySource::Titles;
        // A commit that no parser matches has no group, and most templates only show groups.
        let shows_groups = ["group_by", "commit_groups"].iter().any(|name| body.contains(name));
        migration.config.rules.extend(Pattern::parse(".").ok().filter(|_| shows_groups).map(|title| EntryRule {
            title: Some(title),
            skip: true,
            ..EntryRule::default()
        }));
    }
    Ok(())
}

/// Skips the commits that a file lists by their IDs.
fn take_ignored(migration: &mut Migration, list: &[u8]) {
    let ignored = list
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| line.len() >= Oid::SHORT && line.iter().all(u8::is_ascii_hexdigit));
    migration.config.skip.commits.extend(ignored.map(|id| String::from_utf8_lossy(id).to_lowercase()));
}

/// Takes over the table in which another tool has keys of git-cliff's two tables.
pub(super) fn take_table(migration: &mut Migration, fields: &[Field]) -> anyhow::Result<()> {
    let mut posts = Postprocessors::read(migration, find_field(fields, "postprocessors"))?;
    for field in fields {
        let is_of_text = ["header", "body", "footer", "trim", "postprocessors"].contains(&field.key());
        let table = if is_of_text { "changelog" } else { "git" };
        take_key(migration, &mut posts, &format!("{table}.{}", field.key()), field)?;
    }
    posts.take_links(migration);
    if let Some(parsers) = find_field(fields, "commit_parsers") {
        let rules = read_parsers(migration, &parsers, true)?;
        add_rules(migration, &rules, &text_of(fields, "body")?.unwrap_or_default());
        migration.set_breaking_title("Breaking changes", true);
    }
    Ok(())
}

/// Lists the oldest commits first, as git-cliff does, unless the order is set.
fn take_usual_order(migration: &mut Migration, fields: &[Field]) {
    if find_field(fields, "git.sort_commits").is_none() && migration.config.entry_order == EntryOrder::default() {
        migration.config.entry_order = EntryOrder::Oldest;
    }
}

fn take_key(migration: &mut Migration, posts: &mut Postprocessors, key: &str, field: &Field) -> anyhow::Result<()> {
    match key {
        "changelog.body" if take_body(migration, &posts.apply(&field.text()?.unwrap_or_default())) => {}
        "changelog.output" => migration.config.file = field.text()?,
        "bump.features_always_bump_minor" if !field.flag()? => {
            // This switch has no counterpart if it is off.
            migration.lose_always(key, field, FEATURES);
        }
        "bump.no_increment_regex" => take_no_increment(migration, key, field)?,
        "git.tag_pattern" => take_tag_pattern(migration, key, field)?,
        "git.skip_tags" | "git.ignore_tags" if is_about_pre_releases(&field.text()?.unwrap_or_default()) => {}
        "git.skip_tags" | "git.ignore_tags" => {
            migration.lose(key, field, "pre-releases are never a base; `tag_regex` says which tags are versions");
        }
        "git.sort_commits" if field.text()?.as_deref() == Some("newest") => {}
        "git.sort_commits" if migration.config.entry_order == EntryOrder::Scope => {}
        "git.sort_commits" => migration.config.entry_order = EntryOrder::Oldest,
        "git.commit_preprocessors" => {
            for element in field.elements()? {
                take_preprocessor(migration, posts, &element)?;
            }
        }
        "git.include_paths" | "git.exclude_paths" => {
            let mark = if key == "git.exclude_paths" { "!" } else { "" };
            for path in field.elements()? {
                let path = path.text()?.unwrap_or_default();
                migration.config.paths.push(format!("{mark}{path}"));
            }
        }
        "git.link_parsers" => {
            for element in field.elements()? {
                let fields = element.fields()?;
                let (pattern, href) = (text_of(&fields, "pattern")?, text_of(&fields, "href")?);
                if let Some(text) = find_field(&fields, "text") {
                    migration.lose("git.link_parsers.text", &text, "a reference is shown as it is written");
                }
                let (Some(pattern), Some(href)) = (pattern, href) else {
                    return Err(element.refusal("needs a `pattern` and a `href` for each link").into());
                };
                migration.link(key, field, &pattern, href);
            }
        }
        // The remote `origin` says where the project is, and the environment has the token.
        "changelog.postprocessors"
        | "git.commit_parsers"
        | "bump.breaking_always_bump_major"
        | "bump.features_always_bump_minor" => {}
        _ if key.starts_with("remote.") => {}
        _ => migration.report_loss(key, field, HINTS),
    }
    Ok(())
}

/// Takes the text before the digits of a version in a tag pattern as the tag prefix.
fn take_tag_pattern(migration: &mut Migration, key: &str, field: &Field) -> anyhow::Result<()> {
    let text = field.text()?.unwrap_or_default();
    let digits = ["[0-9", r"\d", r"(\d", "([0-9", "(?P<"];
    let prefix = digits
        .iter()
        .filter_map(|digit| text.split_once(digit))
        .map(|(prefix, _)| prefix)
        .min_by_key(|prefix| prefix.len());
    let prefix =
        prefix.unwrap_or(&text).trim_start_matches('^').trim_end_matches(".*").replace('\\', "").replace("v?", "v");
    if prefix.contains(['*', '+', '(', '[', '?', '|', '$', '.', '^']) {
        migration.lose(key, field, "set `tag_prefix`, or `tag_regex` with the groups `major`, `minor` and `patch`");
    } else {
        migration.tag_prefix(&prefix);
    }
    Ok(())
}

/// Takes over the types that do not increment the version.
fn take_no_increment(migration: &mut Migration, key: &str, field: &Field) -> anyhow::Result<()> {
    let text = field.text()?.unwrap_or_default();
    let Some(pattern) = migration.pattern(key, field, &text) else { return Ok(()) };
    for (name, _) in TYPES.iter().filter(|(name, _)| pattern.regex().is_match(name)) {
        if migration.category_of(name).is_some() {
            migration.bump_type(name, BumpLevel::None);
        }
    }
    Ok(())
}

/// Whether a pattern names only the usual parts of pre-releases.
fn is_about_pre_releases(pattern: &str) -> bool {
    let words = pattern.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let usual = [
        "alpha", "beta", "rc", "pre", "dev", "nightly", "canary", "snapshot", "preview", "next", "v", "d", "w", "0",
        "9",
    ];
    words.into_iter().all(|word| usual.contains(&word))
}

/// Lists types that no parser matches under their own names, unless `filter_commits` drops them.
fn take_unmatched(migration: &mut Migration, is_filtered: bool) {
    let matches = |title: String| {
        let mut patterns = migration.config.rules.iter().filter_map(|rule| rule.title.as_ref());
        patterns.any(|pattern| pattern.regex().is_match(&title))
    };
    let unsorted = TYPES.iter().map(|(name, _)| *name);
    let unsorted: Vec<&str> =
        unsorted.filter(|name| !matches(format!("{name}: x")) || !matches(format!("{name}(x): x"))).collect();
    for name in unsorted {
        let title = capitalize(name);
        migration.list_type(name, (!is_filtered).then_some(title.as_str()));
    }
}
