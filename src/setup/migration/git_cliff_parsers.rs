//! The parsers of git-cliff, which become rules, and their groups, which become categories.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::outcome::{Migration, find_field, is_set, text_of};
use crate::{
    config::{COMMON_CATEGORIES, EntryRule, Field},
    model::capitalize,
    sources::conventional::TYPES,
};

/// The pattern of the titles that git-cliff keeps by default.
const CONVENTIONAL_TITLE: &str = r"^\w+(\([^)]*\))?!?:";

/// Reads the rules of `commit_parsers`; their categories are still groups.
pub(super) fn read_parsers(
    migration: &mut Migration,
    parsers: &Field,
    has_types_only: bool,
) -> anyhow::Result<Vec<EntryRule>> {
    let mut rules = Vec::new();
    for parser in parsers.elements()? {
        let fields = parser.fields()?;
        let is_skipped = is_set(&fields, "skip", false)?;
        let group = text_of(&fields, "group")?;
        for name in ["scope", "default_scope"] {
            if let Some(scope) = find_field(&fields, name) {
                migration.lose(&format!("git.commit_parsers.{name}"), &scope, "the scope is that of the title");
            }
        }
        let Some(category) = (if is_skipped { Some(None) } else { group.map(Some) }) else { continue };
        if let Some(sha) = find_field(&fields, "sha") {
            match (sha.text()?, is_skipped) {
                (Some(id), true) => migration.config.skip.commits.push(id.to_lowercase()),
                _ => {
                    migration.lose("git.commit_parsers.sha", &sha, "`tidings note` gives a commit another message");
                }
            }
        }
        rules.extend(patterns(migration, &fields, has_types_only)?.into_iter().map(|rule| EntryRule {
            category: category.clone(),
            skip: is_skipped,
            ..rule
        }));
    }
    Ok(rules)
}

fn group_of<'a>(rules: &'a [EntryRule], commit_type: &str) -> Option<&'a str> {
    let title = format!("{commit_type}(x): x");
    rules
        .iter()
        .find(|rule| rule.title.as_ref().is_some_and(|pattern| pattern.regex().is_match(&title)))?
        .category
        .as_deref()
}

/// Adds the rules and their categories in the order of the groups: that of the parsers, or alphabetical.
pub(super) fn add_rules(migration: &mut Migration, rules: &[EntryRule], body: &str) {
    let mut groups: Vec<&String> = rules.iter().filter_map(|rule| rule.category.as_ref()).collect();
    let mut seen = HashSet::new();
    groups.retain(|group| !group.contains('$') && seen.insert(*group));
    if !body.contains("commit_groups") {
        groups.sort_unstable();
    }
    let is_capitalized = body.contains("upper_first");
    let mut names: IndexMap<&str, &str> = groups
        .iter()
        .filter_map(|group| {
            Some((
                group.as_str(),
                COMMON_CATEGORIES.iter().find(|name| **name == category_name(&title_of(group, false))).copied()?,
            ))
        })
        .collect();
    for (name, group) in TYPES.iter().filter_map(|(name, category)| Some(((*category)?, group_of(rules, name)?))) {
        if !names.values().any(|known| *known == name) {
            names.entry(group).or_insert(name);
        }
    }
    let mut categories: IndexMap<&str, String> = IndexMap::new();
    for group in groups {
        let title = title_of(group, is_capitalized);
        let name = names.get(group.as_str()).map_or_else(|| category_name(&title), |name| (*name).to_owned());
        categories.insert(group, migration.category(&title, &name));
    }
    let rules = rules.iter().map(|rule| {
        let category = rule.category.as_ref().map(|group| categories.get(group.as_str()).unwrap_or(group).clone());
        EntryRule { category, ..rule.clone() }
    });
    migration.config.rules.extend(rules);
}

/// Whether every match of a pattern is at the start of a text, as far as its own alternatives show.
fn is_anchored(pattern: &str) -> bool {
    let (mut depth, mut is_escaped, mut is_start) = (0, false, true);
    pattern.trim_start_matches("(?i)").chars().all(|sign| {
        let was_start = std::mem::replace(&mut is_start, sign == '|' && depth == 0 && !is_escaped);
        is_escaped = sign == '\\' && !is_escaped;
        depth += i32::from(sign == '(') - i32::from(sign == ')');
        !was_start || sign == '^'
    })
}

/// Returns a rule for each pattern of a parser, since one match is enough. The message of a commit is its title and its
/// body.
fn patterns(migration: &mut Migration, fields: &[Field], has_types_only: bool) -> anyhow::Result<Vec<EntryRule>> {
    let mut rules = Vec::new();
    let field_name = text_of(fields, "field")?;
    for field in fields {
        let field_name = match (field.key(), field_name.as_deref()) {
            ("pattern", Some(field_name)) => field_name,
            (key @ ("message" | "body" | "footer"), _) => key,
            _ => continue,
        };
        let (key, text) = (format!("git.commit_parsers.{}", field.key()), field.text()?.unwrap_or_default());
        let is_everything = ["", ".", ".*", ".+", "^", "^.*", "^.+", "^.*$", "^.+$"].contains(&text.as_str());
        let text = match field_name {
            "message" if is_everything => if has_types_only { CONVENTIONAL_TITLE } else { "." }.to_owned(),
            "author.name" if text.ends_with('$') => format!("{} <", text.trim_end_matches('$')),
            "author.email" => text.replacen('^', "<", 1).replace('$', ">$"),
            _ => text,
        };
        let Some(pattern) = migration.pattern(&key, field, &text) else { continue };
        let (pattern, rule) = (Some(pattern), EntryRule::default());
        match field_name {
            "message" => {
                rules.push(EntryRule { title: pattern.clone(), ..rule.clone() });
                rules.extend((!is_everything && !is_anchored(&text)).then_some(EntryRule { body: pattern, ..rule }));
            }
            "body" => rules.push(EntryRule { body: pattern, ..rule }),
            "footer" => rules.push(EntryRule { trailer: pattern, ..rule }),
            "author.name" | "author.email" => rules.push(EntryRule { author: pattern, ..rule }),
            _ => migration.lose(&key, field, "rules match `title`, `body`, `author` and `trailer`, offline"),
        }
    }
    rules.dedup();
    Ok(rules)
}

/// Returns the title of a group, without comments such as `<!-- 0 -->` that only sort it.
fn title_of(group: &str, is_capitalized: bool) -> String {
    let (mut title, mut rest) = (String::new(), group);
    while let Some((before, after)) = rest.split_once("<!--") {
        title.push_str(before);
        rest = after.split_once("-->").map_or("", |(_, after)| after);
    }
    title.push_str(rest);
    let title = title.trim();
    if is_capitalized { capitalize(title) } else { title.to_owned() }
}

/// Returns the words of a title in lower case, as the name of a category.
fn category_name(title: &str) -> String {
    let words = title.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}
