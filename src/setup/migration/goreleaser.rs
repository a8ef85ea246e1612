//! `GoReleaser`: what its configuration says about the changelog and the release; it still builds and uploads.

use super::{
    outcome::{Hints, Migration, ReadBeside, TEMPLATE, find_field, is_set, text_of},
    tool::ForeignTool,
};
use crate::{
    config::{EntryOrder, EntryRule, EntrySource, Field},
    model::LatestMark,
};

pub(super) const TOOL: ForeignTool = ForeignTool {
    name: "GoReleaser",
    files: &[".goreleaser.yaml", ".goreleaser.yml"],
    tables: &[],
    recognizes: |name, _| matches!(name.trim_start_matches('.'), "goreleaser.yaml" | "goreleaser.yml"),
    convert,
};

/// Hints on what to do instead of these keys; if a hint is empty, nothing needs to be done.
const HINTS: &Hints = &[
    (
        "",
        "changelog.use changelog.groups changelog.filters changelog.sort changelog.paths release.draft release.github \
          release.gitlab release.gitea release.replace_existing_draft release.replace_existing_artifacts",
    ),
    (TEMPLATE, "changelog.format changelog.title changelog.divider"),
    ("an ID has as many digits as the template says", "changelog.abbrev"),
    ("leave the section of a release out with `--no-commit`", "changelog.disable changelog.skip"),
    ("use `--prerelease`; a pre-release version is marked in any case", "release.prerelease"),
    ("the name is that of the version", "release.name_template"),
    (
        "the text of the release is the section: `template_file` changes it",
        "release.header release.footer release.mode",
    ),
    ("use `--asset`", "release.extra_files"),
    ("use `--no-host-release`", "release.disable release.skip_upload"),
];

fn convert(migration: &mut Migration, fields: &[Field], _: ReadBeside) -> anyhow::Result<()> {
    let table = |name: &str| find_field(fields, name).map_or(Ok(Vec::new()), |table| table.fields());
    let (changelog, release) = (table("changelog")?, table("release")?);
    let is_native = text_of(&changelog, "use")?.as_deref() == Some("github-native");
    migration.config.source = if is_native { EntrySource::MergeRequests } else { EntrySource::Titles };
    for filter in find_field(&changelog, "filters.exclude").map_or(Ok(Vec::new()), |list| list.elements())? {
        skip(migration, &filter)?;
    }
    if let Some(include) = find_field(&changelog, "filters.include") {
        migration.lose("changelog.filters.include", &include, "`match` lists what its patterns find");
    }
    let groups = find_field(&changelog, "groups").map_or(Ok(Vec::new()), |list| list.elements())?;
    take_groups(migration, &groups)?;
    match find_field(&changelog, "sort").map_or(Ok(None), |sort| sort.text())?.as_deref() {
        Some("asc") => migration.config.entry_order = EntryOrder::Title,
        Some("desc") => migration.lose_always("changelog.sort", &changelog[0], "`sort: title` sorts upwards"),
        _ => {}
    }
    for path in find_field(&changelog, "paths").map_or(Ok(Vec::new()), |list| list.elements())? {
        migration.config.paths.extend(path.text()?);
    }
    migration.config.drafts_release = is_set(&release, "draft", false)?;
    if find_field(&release, "make_latest").is_some_and(|latest| latest.is_off()) {
        migration.config.latest = LatestMark::Never;
    }
    for (table, fields) in [("changelog", &changelog), ("release", &release)] {
        for field in fields.iter().filter(|field| field.key() != "make_latest" && !is_automatic(field)) {
            migration.report_loss(&format!("{table}.{}", field.key()), field, HINTS);
        }
    }
    Ok(())
}

/// Whether a field leaves it to the version whether a release is a pre-release.
fn is_automatic(field: &Field) -> bool {
    field.key() == "prerelease" && field.text().is_ok_and(|value| value.as_deref() == Some("auto"))
}

/// Leaves out the commits whose title has a pattern.
fn skip(migration: &mut Migration, filter: &Field) -> anyhow::Result<()> {
    let text = filter.text()?.unwrap_or_default();
    let title = migration.pattern("changelog.filters.exclude", filter, &text);
    migration.config.rules.extend(title.map(|title| EntryRule {
        title: Some(title),
        skip: true,
        ..EntryRule::default()
    }));
    Ok(())
}

/// Makes a category of each group, in the order of their numbers; the one without a pattern has all others.
fn take_groups(migration: &mut Migration, groups: &[Field]) -> anyhow::Result<()> {
    let mut read = Vec::new();
    for group in groups {
        let fields = group.fields()?;
        let order = find_field(&fields, "order").map_or(Ok(None), |order| order.title())?;
        let order: i64 = order.and_then(|order| order.parse().ok()).unwrap_or_default();
        let title = text_of(&fields, "title")?.unwrap_or_default();
        if let Some(inner) = find_field(&fields, "groups") {
            migration.lose("changelog.groups.groups", &inner, "a category has no headings of its own");
        }
        read.push((order, title, text_of(&fields, "regexp")?, *group));
    }
    // A commit belongs to the first group as written that matches, and groups are printed by their numbers.
    let mut titles: Vec<_> = read.iter().map(|(order, title, ..)| (*order, title.clone())).collect();
    titles.sort_by_key(|(order, _)| *order);
    for (_, title) in titles {
        migration.category(&title, &title.to_lowercase());
    }
    // The group without a pattern takes what the others leave.
    read.sort_by_key(|(_, _, regexp, _)| regexp.is_none());
    for (_, title, regexp, group) in read {
        let category = migration.category(&title, &title.to_lowercase());
        let pattern = regexp.filter(|regexp| !regexp.is_empty()).unwrap_or_else(|| ".".to_owned());
        let title = migration.pattern("changelog.groups.regexp", &group, &pattern);
        migration.config.rules.extend(title.map(|title| EntryRule {
            title: Some(title),
            category: Some(category),
            ..EntryRule::default()
        }));
    }
    Ok(())
}
