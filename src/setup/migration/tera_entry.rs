//! The line of an entry in a body of git-cliff, in Handlebars, as far as every tag in it has a counterpart.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    outcome::Migration,
    tera_heading::heading,
    tera_pieces::{Piece, pieces},
};
use crate::{
    config::{EntryOrder, HeadingRule},
    model::Source,
};

/// How the entries of a body look.
#[derive(Debug, PartialEq, Eq)]
struct EntryLook {
    /// The template of an entry.
    entry: String,
    /// Whether the entries of a category are sorted by scope.
    is_by_scope: bool,
}

/// Links to commits and requests, whose address is put together from parts.
static LINKS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let link = |pattern: &str| Regex::new(pattern).expect("the pattern is constant and valid");
    vec![
        (
            link(r"\[\{\{\s*commit\.id[^}]*length=(\d+)[^}]*\}\}\]\([^()]*(?:\(\)[^()]*)?\{\{\s*commit\.id\s*\}\}\)"),
            "{{ commit.link $1 }}",
        ),
        (
            link(
                r"\[[#!]\{\{\s*commit\.remote\.pr_number\s*\}\}\]\([^()]*(?:\(\)[^()]*)?\{\{\s*commit\.remote\.pr_number\s*\}\}\)",
            ),
            "{{ request.link }}",
        ),
        (link(r"@\{\{\s*commit\.remote\.username\s*\}\}"), "{{ commit.remote.username }}"),
    ]
});
/// The title with its references as links, which it is at git-cliff by its preprocessors.
const TITLE: &str = "{{#if linked_title}}{{linked_title}}{{else}}{{escape title}}{{/if}}";
const CAPITAL_TITLE: &str =
    "{{#if linked_title}}{{capitalize linked_title}}{{else}}{{escape (capitalize title)}}{{/if}}";
/// The request, which is a part of the title at git-cliff.
const REQUEST: &str = "{{#if merge_request.label}} ({{link merge_request.label merge_request.web_url}}){{/if}}";
static SHORT_ID: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"^commit\.id \| truncate\(length=(\d+)(?:, end="")?\)$"#).expect("the pattern is constant and valid")
});

/// Takes over how a body writes an entry; returns whether it could.
pub(super) fn take_body(migration: &mut Migration, body: &str) -> bool {
    let has_categories = body.contains("group_by(attribute=\"group\")");
    if let Some(look) = heading(&pieces(body)) {
        migration.config.heading = HeadingRule::Text(look.form);
        migration.config.date_format = look.date_format;
    }
    match entry_look(body) {
        // A body without categories is that of a release on a forge.
        _ if !has_categories && body.contains("New Contributors") => {
            migration.config.template_file = Some("github-release".to_owned());
        }
        Some(EntryLook { entry, is_by_scope }) if has_categories => {
            if is_by_scope {
                migration.config.entry_order = EntryOrder::Scope;
            }
            migration.config.entry_templates.default = Some(Source::new("entry", entry));
            // Headings of scopes below those of categories have no counterpart.
            return !body.contains("group_by(attribute=\"scope\")");
        }
        _ => return false,
    }
    true
}

/// Reads the look of the entries of a body; `None` if it has a tag without a counterpart.
fn entry_look(body: &str) -> Option<EntryLook> {
    let body = LINKS.iter().fold(body.to_owned(), |body, (link, tag)| link.replace_all(&body, *tag).into_owned());
    let pieces = pieces(&body);
    let loops = loops(&pieces);
    match loops.as_slice() {
        [(head, inner)] => {
            let inner = called_macro(&pieces, inner).unwrap_or(inner);
            Some(EntryLook { entry: entry(inner)?, is_by_scope: head.contains("sort(attribute=\"scope\")") })
        }
        // git-cliff sorts by scope in two loops: those that have one, and the others.
        [(head, with_scope), (_, all)] if head.contains("filter(attribute=\"scope\")") => {
            let end = all.iter().rposition(|piece| *piece == Piece::Statement("endif".to_owned()))?;
            let others =
                all.get(all.iter().position(|piece| *piece == Piece::Statement("else".to_owned()))? + 1..end)?;
            let entry = format!("{{{{#if scope}}}}{}{{{{else}}}}{}{{{{/if}}}}", entry(with_scope)?, entry(others)?);
            Some(EntryLook { entry, is_by_scope: true })
        }
        _ => None,
    }
}

/// Returns the loops over commits, each with its statement and what it repeats.
fn loops(pieces: &[Piece]) -> Vec<(&str, &[Piece])> {
    let head = |at: usize| match &pieces[at] {
        Piece::Statement(text) if text.starts_with("for commit in commits") => Some((at, text.as_str())),
        _ => None,
    };
    (0..pieces.len()).filter_map(head).map(|(at, head)| (head, &pieces[at + 1..block_end(pieces, at)])).collect()
}

/// Returns the index of the statement that closes the block that begins at `at`.
fn block_end(pieces: &[Piece], at: usize) -> usize {
    let mut depth = 0_usize;
    for (index, piece) in pieces.iter().enumerate().skip(at) {
        let Piece::Statement(text) = piece else { continue };
        match text.split(' ').next().unwrap_or_default() {
            "for" | "if" | "macro" | "filter" | "raw" => depth += 1,
            "endfor" | "endif" | "endmacro" | "endfilter" | "endraw" if depth == 1 => return index,
            "endfor" | "endif" | "endmacro" | "endfilter" | "endraw" => depth -= 1,
            _ => {}
        }
    }
    pieces.len()
}

/// Returns what a macro has if the pieces only call that.
fn called_macro<'a>(pieces: &'a [Piece], inner: &[Piece]) -> Option<&'a [Piece]> {
    let mut values = inner.iter().filter(|piece| !matches!(piece, Piece::Text(text) if text.trim().is_empty()));
    let (Some(Piece::Value(call)), None) = (values.next(), values.next()) else { return None };
    let name = call.strip_prefix("self::")?.split('(').next()?;
    let at = pieces
        .iter()
        .position(|piece| matches!(piece, Piece::Statement(text) if text.starts_with(&format!("macro {name}("))))?;
    Some(&pieces[at + 1..block_end(pieces, at)])
}

/// Translates one entry, which is a single line.
fn entry(pieces: &[Piece]) -> Option<String> {
    let (mut text, mut at) = (String::new(), 0);
    while let Some(piece) = pieces.get(at) {
        match piece {
            Piece::Text(plain) => text += &line(plain),
            Piece::Value(expression) => text += &value(expression)?,
            Piece::Statement(condition) if condition.starts_with("if ") => {
                let end = block_end(pieces, at);
                // What breaks is below the entry by itself, and its trailers are not shown.
                let is_left_out = |piece: &Piece| match piece {
                    Piece::Value(text) => text == "commit.breaking_description",
                    Piece::Statement(text) => text.starts_with("for footer"),
                    Piece::Text(_) => false,
                };
                if pieces[at..end].iter().any(is_left_out) {
                    at = end;
                } else {
                    text += match condition.as_str() {
                        "if commit.scope" => "{{#if scope}}",
                        "if commit.breaking" => "{{#if breaking}}",
                        "if commit.remote.username" | "if commit.github.username" => "{{#if author.reference}}",
                        "if commit.remote.pr_number" => "{{#if merge_request}}",
                        _ => return None,
                    };
                }
            }
            Piece::Statement(word) => match word.as_str() {
                "else" => text += "{{else}}",
                "endif" => text += "{{/if}}",
                _ => return None,
            },
        }
        at += 1;
    }
    let mut text = text.trim().to_owned();
    if !text.contains("merge_request") {
        for title in [TITLE, CAPITAL_TITLE] {
            text = text.replace(title, &[title, REQUEST].concat());
        }
    }
    text.starts_with(['-', '*']).then_some(text)
}

/// Returns a text without its line ends and what indents the next line.
fn line(text: &str) -> String {
    let mut lines = text.split('\n');
    let first = lines.next().unwrap_or_default().to_owned();
    lines.fold(first, |text, line| text + line.trim_start())
}

fn value(expression: &str) -> Option<String> {
    let short = |digits: &str| format!("short commit.id {digits}");
    if let Some(found) = SHORT_ID.captures(expression) {
        return Some(format!("{{{{{}}}}}", short(&found[1])));
    }
    if let Some(digits) = expression.strip_prefix("commit.link ") {
        let short = short(digits);
        return Some(format!(
            "{{{{#if commit.web_url}}}}{{{{link ({short}) commit.web_url}}}}{{{{else}}}}{{{{{short}}}}}{{{{/if}}}}"
        ));
    }
    let (name, filters) = expression.split_once(" | ").unwrap_or((expression, ""));
    let mut filters = filters.split(" | ").filter(|filter| !filter.is_empty());
    // White space is one space here, so this is the split into lines.
    let is_title = |filter: &str| {
        ["first", "trim", "upper_first", "striptags", "split(pat=\" \")", "split(pat=\"\\n\")"].contains(&filter)
    };
    let is_capital = filters.clone().any(|filter| filter == "upper_first");
    let text = match name {
        "commit.message" if !filters.all(is_title) => return None,
        "commit.message" if is_capital => CAPITAL_TITLE,
        "commit.message" => TITLE,
        "commit.scope" => "{{escape scope}}",
        "commit.id" => "{{commit.id}}",
        "commit.author.name" => "{{author.name}}",
        "commit.remote.username" | "commit.github.username" => "{{author.reference}}",
        "request.link" => {
            "{{#if merge_request.label}}{{link merge_request.label merge_request.web_url}}{{else}}{{merge_request.reference}}{{/if}}"
        }
        _ => return None,
    };
    Some(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(loop_of_commits: &str) -> Option<String> {
        let body = "{% for group, commits in commits | group_by(attribute=\"group\") %}\n    ### {{ group }}\n";
        entry_look(&format!("{body}{loop_of_commits}\n{{% endfor %}}\n")).map(|look| look.entry)
    }

    #[test]
    fn the_line_of_an_entry_is_translated() {
        for (given, expected) in [
            (
                "{% for commit in commits %}\n    - {% if commit.breaking %}[**breaking**] {% endif %}{{ commit.message | upper_first }}\n{% endfor %}",
                "- {{#if breaking}}[**breaking**] {{/if}}CAPITALREQUEST",
            ),
            (
                "{% for commit in commits %}\n  * {{ commit.message | split(pat=\"\\n\") | first | trim }}{% if commit.footers %}{% for footer in commit.footers -%}, {{ footer.token }}{% endfor %}{% endif %}{% endfor %}",
                "* TITLEREQUEST",
            ),
            (
                "{% for commit in commits %}- {{ commit.id | truncate(length=8, end=\"\") }} {{ commit.message }} by {{ commit.author.name }}{% endfor %}",
                "- {{short commit.id 8}} TITLEREQUEST by {{author.name}}",
            ),
            (
                "{% for commit in commits | filter(attribute=\"scope\") | sort(attribute=\"scope\") %}\n- ({{commit.scope}}) {{ commit.message }}\n{%- endfor -%}\n{%- for commit in commits %}{%- if commit.scope -%}{% else -%}\n- {{ commit.message }}\n{% endif -%}{% endfor -%}",
                "{{#if scope}}- ({{escape scope}}) TITLEREQUEST{{else}}- TITLEREQUEST{{/if}}",
            ),
        ] {
            let expected = [("CAPITAL", CAPITAL_TITLE), ("TITLE", TITLE), ("REQUEST", REQUEST)]
                .iter()
                .fold(expected.to_owned(), |text, (name, part)| text.replace(name, part));
            assert_eq!(look(given), Some(expected), "{given}");
        }
        let request = "{% for commit in commits %}- {{ commit.message }}{% if commit.remote.username %} by @{{ commit.remote.username }}{% endif %}\
            {% if commit.remote.pr_number %} in [#{{ commit.remote.pr_number }}]({{ self::remote_url() }}/pull/{{ commit.remote.pr_number }}){% endif %}{% endfor %}";
        let look = look(request).unwrap();
        assert!(look.contains("{{#if author.reference}} by {{author.reference}}{{/if}}"), "{look}");
        assert!(look.contains("{{#if merge_request}} in {{#if merge_request.label}}"), "{look}");
    }

    #[test]
    fn what_has_no_counterpart_is_left() {
        for given in [
            "{% for commit in commits %}- {{ commit.message | replace(from=\"a\", to=\"b\") }}{% endfor %}",
            "{% for commit in commits %}- {{ commit.extra.mood }}{% endfor %}",
            "{% for commit in commits %}{{ commit.message }}{% endfor %}",
            "{% for commit in commits | filter(attribute=\"scope\") %}- {{ commit.message }}{% endfor %}\
             {% for commit in commits %}{% if commit.scope %}- a{% endif %}{% for a in b %}{% else %}{% endfor %}{% endfor %}",
            "{{ commits | length }}",
        ] {
            assert_eq!(look(given), None, "{given}");
        }
    }
}
