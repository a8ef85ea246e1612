//! The keys of a settings file as YAML that are written only where there is something to say.

use std::fmt::{self, Display, Formatter, Write as _};

use serde_json::Value;

use crate::config::{Config, EntryRule, HeadingRule, Pattern};

/// Writes `types`, what each type is listed as.
pub(super) fn write_types(config: &Config, out: &mut String) -> fmt::Result {
    write_mapping(
        "types",
        out,
        config.types.iter().map(|(name, category)| (name, category.as_deref().unwrap_or("none"))),
    )
}

/// Writes `match` and `other`.
pub(super) fn write_rules(config: &Config, out: &mut String) -> fmt::Result {
    if !config.rules.is_empty() {
        writeln!(out, "\n# The first rule that fits lists a commit, or skips it, whatever its source.\nmatch:")?;
        config.rules.iter().try_for_each(|rule| writeln!(out, "  - {{ {} }}", Rule(rule)))?;
    }
    let Some(other) = &config.other else { return Ok(()) };
    writeln!(out, "# Whatever nothing else lists, except merges.\nother: {}", Quoted(other))
}

/// Writes `bump`; `false` if there is nothing to write.
pub(super) fn write_bump(config: &Config, out: &mut String) -> Result<bool, fmt::Error> {
    write_mapping("bump", out, config.bump.iter().map(|(category, level)| (category, level.name())))?;
    Ok(!config.bump.is_empty())
}

/// Writes `skip`; `false` if there is nothing to write.
pub(super) fn write_skip(config: &Config, out: &mut String) -> Result<bool, fmt::Error> {
    if config.skip.commits.is_empty() && config.skip.messages.is_empty() {
        return Ok(false);
    }
    writeln!(out, "skip:")?;
    write_list("  commits", out, config.skip.commits.iter().map(|commit| Quoted(commit).to_string()))?;
    write_list("  messages", out, config.skip.messages.iter().map(|message| Literal(message.text()).to_string()))?;
    Ok(true)
}

/// Writes `links`; `false` if there is nothing to write.
pub(super) fn write_links(config: &Config, out: &mut String) -> Result<bool, fmt::Error> {
    if config.links.is_empty() {
        return Ok(false);
    }
    writeln!(out, "links:")?;
    config
        .links
        .iter()
        .try_for_each(|link| writeln!(out, "  {}: {}", Literal(link.pattern.text()), Quoted(&link.url)))?;
    Ok(true)
}

/// Writes what a first file does not have by itself: `file`, `paths`, `authors` and `hooks`.
pub(super) fn write_others(config: &Config, out: &mut String) -> fmt::Result {
    if let Some(file) = &config.file {
        writeln!(out, "\n# The changelog file.\nfile: {}", Quoted(file))?;
    }
    if let HeadingRule::Text(heading) = &config.heading {
        writeln!(out, "\n# The heading of a new section: those of the file do not show a clear form.")?;
        writeln!(out, "heading: {}", Quoted(heading))?;
    }
    if !config.paths.is_empty() {
        writeln!(out, "\n# What a commit must change to be listed.")?;
        write_list("paths", out, config.paths.iter().map(|path| Quoted(path).to_string()))?;
    }
    if !config.authors.is_empty() {
        writeln!(out, "\n# E-mail address to name.")?;
        let authors = config.authors.iter().map(|(email, rule)| (email, rule.reference.as_deref().unwrap_or_default()));
        write_mapping("authors", out, authors)?;
    }
    if !config.hooks.before.is_empty() || !config.hooks.after.is_empty() {
        writeln!(out, "\n# Commands that a release runs.\nhooks:")?;
        write_list("  before", out, config.hooks.before.iter().map(|command| Quoted(command).to_string()))?;
        write_list("  after", out, config.hooks.after.iter().map(|command| Quoted(command).to_string()))?;
    }
    Ok(())
}

fn write_mapping<'a>(
    key: &str,
    out: &mut String,
    mut pairs: impl ExactSizeIterator<Item = (&'a String, &'a str)>,
) -> fmt::Result {
    if pairs.len() == 0 {
        return Ok(());
    }
    writeln!(out, "{key}:")?;
    pairs.try_for_each(|(name, value)| writeln!(out, "  {}: {}", Quoted(name), Quoted(value)))
}

fn write_list(key: &str, out: &mut String, items: impl ExactSizeIterator<Item = String>) -> fmt::Result {
    match items.len() {
        0 => Ok(()),
        _ => writeln!(out, "{key}: [{}]", items.collect::<Vec<_>>().join(", ")),
    }
}

/// A rule of `match`.
struct Rule<'a>(&'a EntryRule);

impl Display for Rule<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let EntryRule { title, body, author, trailer, category, scope, skip } = self.0;
        let patterns = [("title", title), ("body", body), ("author", author), ("trailer", trailer)];
        let texts = [("category", category), ("scope", scope)];
        let pattern =
            |(name, pattern): (&str, &Option<Pattern>)| Some(format!("{name}: {}", Literal(pattern.as_ref()?.text())));
        let text = |(name, text): (&str, &Option<String>)| Some(format!("{name}: {}", Quoted(text.as_ref()?)));
        let skip = skip.then(|| "skip: true".to_owned());
        let parts = patterns.into_iter().filter_map(pattern).chain(texts.into_iter().filter_map(text)).chain(skip);
        out.write_str(&parts.collect::<Vec<_>>().join(", "))
    }
}

/// A text as YAML takes it: a JSON string is one, apart from what YAML 1.1 takes for line breaks or does not allow.
pub(super) struct Quoted<'a>(pub(super) &'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let is_special = |letter: char| matches!(letter, '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}');
        for part in Value::from(self.0).to_string().split_inclusive(is_special) {
            match part.char_indices().next_back().filter(|(_, last)| is_special(*last)) {
                Some((end, last)) => write!(out, "{}\\u{:04x}", &part[..end], u32::from(last))?,
                None => out.write_str(part)?,
            }
        }
        Ok(())
    }
}

/// A text as YAML takes it where most letters mean themselves.
pub(super) struct Literal<'a>(pub(super) &'a str);

impl Display for Literal<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        // A line break in single quotes would be a space.
        if self.0.contains(char::is_control) {
            return Quoted(self.0).fmt(out);
        }
        write!(out, "'{}'", self.0.replace('\'', "''"))
    }
}
