//! The section whose entries are written as the configuration says: `entry`.

use super::{
    Template,
    handlebars::{self, Partial},
};
use crate::{config::EntryTemplates, model::Source};

/// The usual form of an entry, where only some categories have their own.
const USUAL_ENTRY: &str = "\
- {{#if scope}}**{{scope}}:** {{/if}}{{#if breaking}}[**breaking**] {{/if}}\
{{#if text}}{{text}}{{else}}{{#if references}}{{escape title references}}{{else}}{{escape title}}{{/if}}{{/if}}\
{{#if commit.web_url}} ({{link commit.short_id commit.web_url}}){{else}}{{#if commit.short_id}} (`{{commit.short_id}}`){{/if}}{{/if}}";

impl Template {
    /// Makes the section of these templates: each is a partial, so that an error shows its own line.
    pub(super) fn of_entries(templates: &EntryTemplates) -> anyhow::Result<Self> {
        let others = templates.default.clone().unwrap_or_else(|| Source::new("entry", USUAL_ENTRY));
        let (mut text, mut partials) = (String::new(), Vec::new());
        for (category, template) in &templates.by_category {
            let name = format!("entry_{}", partials.len());
            let quoted = serde_json::to_string(category)?;
            text +=
                &[&format!("{{{{#if (eq category {quoted})}}}}"), call(&name, template).as_str(), "{{else}}"].concat();
            partials.push(Partial { name, source: without_line_end(template) });
        }
        text += &call("entry", &others);
        text += &"{{/if}}".repeat(partials.len());
        partials.push(Partial { name: "entry".to_owned(), source: without_line_end(&others) });
        // Handlebars drops the line end behind a tag that is alone on its line, as the last one of an entry may be.
        let section = format!(
            "{{{{#each categories}}}}\n### {{{{title}}}}\n\n{{{{#each entries}}}}\n{{{{#if true}}}}{text}{{{{/if}}}}\n{{{{/each}}}}\n\n{{{{else}}}}\nNo changes.\n{{{{/each}}}}\n"
        );
        Self::parse_with_partials(Source::new("entry", section), partials)
    }
}

/// Returns the call of a partial, followed by the body of the entry unless its template prints that. No tag is alone in its
/// line, whose end would be removed with it.
fn call(name: &str, template: &Source) -> String {
    let has_body = handlebars::mentions(&template.text, "body");
    let body = if has_body { "" } else { "{{#if body}}\n\n{{body}}{{/if}}" };
    format!("{{{{> {name}}}}}{body}")
}

/// Returns a template without the line ends of a block in YAML: the section has them.
fn without_line_end(template: &Source) -> Source {
    Source { text: template.text.trim_end_matches('\n').to_owned(), ..template.clone() }
}
