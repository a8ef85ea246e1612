//! cocogitto: `cog.toml`.

use super::{
    outcome::{Hints, Migration, NO_COMMIT, PRE_RELEASE, ReadBeside, TEMPLATE, find_field, is_set, path_in, text_of},
    tool::ForeignTool,
};
use crate::{
    config::{AuthorRule, Field},
    model::BumpLevel,
};

pub(super) const TOOL: ForeignTool = ForeignTool {
    name: "cocogitto",
    files: &["cog.toml"],
    tables: &[],
    recognizes: |name, _| name == "cog.toml",
    convert,
};

const TYPES: [(&str, &str); 11] = [
    ("feat", "Features"),
    ("fix", "Bug Fixes"),
    ("perf", "Performance Improvements"),
    ("revert", "Revert"),
    ("docs", "Documentation"),
    ("test", "Tests"),
    ("build", "Build system"),
    ("ci", "Continuous Integration"),
    ("refactor", "Refactoring"),
    ("chore", "Miscellaneous Chores"),
    ("style", "Style"),
];

/// Hints on what to do instead of these keys; if a hint is empty, nothing needs to be done.
const HINTS: &Hints = &[
    (
        "",
        "from_latest_tag ignore_merge_commits ignore_fixup_commits generate_mono_repository_package_tags \
         changelog.remote changelog.owner changelog.repository monorepo.resolver package.public_api \
         package.bump_order",
    ),
    ("packages have tags of their own, and the repository has none beside them", "generate_mono_repository_global_tag"),
    ("a release is made on the branch that is checked out, or `--branch`", "branch_whitelist"),
    ("a release commits nothing but its own files", "skip_untracked"),
    ("use `tidings release --message` for the message of the release commit", "skip_ci"),
    (NO_COMMIT, "disable_changelog disable_bump_commit"),
    (PRE_RELEASE, "pre"),
    ("`tidings check` accepts any scope", "scopes"),
    ("`tidings init --hook` installs a hook that checks messages", "git_hooks"),
    ("`hooks` has only one list", "bump_profiles package.bump_profiles"),
    (
        "`hooks` get `TIDINGS_PACKAGE`",
        "pre_package_bump_hooks post_package_bump_hooks package.pre_bump_hooks package.post_bump_hooks",
    ),
    (TEMPLATE, "changelog.template changelog.package_template"),
];

/// The placeholders in a command of a hook, and the variables that replace them here.
const PLACEHOLDERS: [(&str, &str); 4] = [
    ("{{version}}", "$TIDINGS_VERSION"),
    ("{{version_tag}}", "$TIDINGS_TAG"),
    ("{{ version }}", "$TIDINGS_VERSION"),
    ("{{package}}", "$TIDINGS_PACKAGE"),
];

fn convert(migration: &mut Migration, fields: &[Field], _: ReadBeside) -> anyhow::Result<()> {
    take_types(migration, fields)?;
    for field in fields {
        match field.key() {
            "tag_prefix" => migration.tag_prefix(&field.text()?.unwrap_or_default()),
            "commit_types" | "monorepo_version_separator" => {}
            "pre_bump_hooks" => migration.hook(field.key(), field, true, &PLACEHOLDERS)?,
            "post_bump_hooks" => migration.hook(field.key(), field, false, &PLACEHOLDERS)?,
            "changelog" => {
                for field in field.fields()? {
                    match field.key() {
                        "path" => migration.config.file = field.text()?,
                        "authors" => take_authors(migration, &field)?,
                        key => migration.report_loss(&format!("changelog.{key}"), &field, HINTS),
                    }
                }
            }
            "packages" => take_packages(migration, fields, field)?,
            "monorepo" => {
                for inner in field.fields()? {
                    match inner.key() {
                        "packages" => take_packages(migration, fields, &inner)?,
                        key => migration.report_loss(&format!("monorepo.{key}"), &inner, HINTS),
                    }
                }
            }
            key => migration.report_loss(key, field, HINTS),
        }
    }
    Ok(())
}

/// Reads the types. Each is listed unless it is omitted; features, fixes and types that say so bump the version. A type
/// without any key is switched off.
fn take_types(migration: &mut Migration, fields: &[Field]) -> anyhow::Result<()> {
    struct ListedType {
        name: String,
        title: Option<String>,
        order: usize,
        level: BumpLevel,
    }
    let own = find_field(fields, "commit_types").map_or(Ok(Vec::new()), |field| field.fields())?;
    let usual = TYPES.iter().zip(1..).map(|((name, title), order)| {
        let level = [BumpLevel::Minor, BumpLevel::Patch].get(order - 1).copied().unwrap_or_default();
        ListedType { name: (*name).to_owned(), title: Some((*title).to_owned()), order, level }
    });
    let mut listed: Vec<ListedType> = usual.collect();
    for commit_type in own {
        let (name, inner) = (commit_type.key().to_owned(), commit_type.fields()?);
        let at = listed.iter().position(|known| known.name == name).unwrap_or(listed.len());
        if at == listed.len() {
            let title = Some(name.clone());
            listed.push(ListedType { name, title, order: usize::MAX, level: BumpLevel::None });
        }
        let known = &mut listed[at];
        if let Some(title) = text_of(&inner, "changelog_title")?.filter(|title| !title.is_empty()) {
            known.title = Some(title);
        }
        if let Some(order) = find_field(&inner, "order") {
            known.order = order.title()?.and_then(|order| order.parse().ok()).unwrap_or(usize::MAX);
        }
        if inner.is_empty() || is_set(&inner, "omit_from_changelog", false)? {
            known.title = None;
        }
        let bumps = |key: &str, level: BumpLevel| is_set(&inner, key, known.level == level && !inner.is_empty());
        known.level = match (bumps("bump_minor", BumpLevel::Minor)?, bumps("bump_patch", BumpLevel::Patch)?) {
            (true, _) => BumpLevel::Minor,
            (false, true) => BumpLevel::Patch,
            (false, false) => BumpLevel::None,
        };
    }
    listed.sort_by_key(|known| known.order);
    migration.set_breaking_title("Breaking changes", true);
    let bumping = listed.iter().filter(|known| known.level > BumpLevel::None);
    let levels: Vec<_> = bumping.map(|known| (known.name.clone(), known.level)).collect();
    let titles: Vec<_> = listed.into_iter().map(|known| (known.name, known.title)).collect();
    migration.list_types(&titles);
    for (name, level) in &levels {
        migration.bump_type(name, *level);
    }
    migration.bump_only(&levels.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>());
    Ok(())
}

/// Reads the authors, who are known by e-mail address here, and by anything in a signature in cocogitto.
fn take_authors(migration: &mut Migration, field: &Field) -> anyhow::Result<()> {
    for author in field.elements()? {
        let fields = author.fields()?;
        let (Some(signature), Some(name)) = (text_of(&fields, "signature")?, text_of(&fields, "username")?) else {
            return Err(author.refusal("needs a `signature` and a `username` for each author").into());
        };
        if signature.contains('@') {
            let rule = AuthorRule { reference: Some(format!("@{name}")), contributor: false };
            migration.config.authors.insert(signature.to_lowercase(), rule);
        } else {
            migration.lose(
                "changelog.authors",
                field,
                "`authors` maps e-mail addresses to names, and `--people` asks the server",
            );
            break;
        }
    }
    Ok(())
}

fn take_packages(migration: &mut Migration, all: &[Field], packages: &Field) -> anyhow::Result<()> {
    let separator = text_of(all, "monorepo_version_separator")?.unwrap_or_else(|| "-".to_owned());
    let prefix = text_of(all, "tag_prefix")?.unwrap_or_default();
    for package in packages.fields()? {
        let (name, fields) = (package.key(), package.fields()?);
        let Some(directory) = text_of(&fields, "path")? else {
            return Err(package.refusal("needs a `path`").into());
        };
        let mut more = Vec::new();
        for field in &fields {
            match field.key() {
                "include" | "ignore" => {
                    let mark = if field.key() == "ignore" { "!" } else { "" };
                    for path in field.elements()? {
                        more.push(format!("{mark}{}", path.text()?.unwrap_or_default()));
                    }
                }
                "path" | "changelog_path" => {}
                key => migration.report_loss(&format!("package.{key}"), field, HINTS),
            }
        }
        let file = text_of(&fields, "changelog_path")?.map(|path| path_in("", &path));
        let known = migration.package(name, &directory, more, format!("{name}{separator}{prefix}"));
        known.file = file.unwrap_or_else(|| known.file.clone());
    }
    Ok(())
}
