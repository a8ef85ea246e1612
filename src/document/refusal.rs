//! Problems of documents into which no section is inserted, since no rule is certain.

use std::{path::Path, sync::LazyLock};

use regex::Regex;

use super::{
    BYTE_ORDER_MARK, Document, definitions::is_definition, heading_text::heading_pattern, outline::Conflict,
    placement::Placement,
};
use crate::model::Problem;

static DIRECTIVE: LazyLock<Regex> = LazyLock::new(|| heading_pattern(r"^\.\. |:[a-z]+:`|^={1,6} \S"));
static LOG: LazyLock<Regex> = LazyLock::new(|| {
    heading_pattern(r"^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}\s.*<.*>|\S+ \([0-9][^)]*\) [^;]+; urgency=.*)\s*$")
});
static ITEM: LazyLock<Regex> = LazyLock::new(|| heading_pattern(r"^\s*(?:[-*+]|[0-9]+[.)])\s+\S|^\s*\|"));
static VERSION_ITEM: LazyLock<Regex> = LazyLock::new(|| heading_pattern(r"^\s*[-*+|]\W*v?[0-9]+\.[0-9]+"));

/// Refuses UTF-16, and lines that end in carriage returns alone.
pub(super) fn encoding(file: &Path, bytes: &[u8]) -> Result<(), Problem> {
    let file = file.display();
    let is_wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    if is_wide || bytes.iter().take(2).any(|byte| *byte == 0) {
        return Err(Problem::new(format!("`{file}` is encoded in UTF-16, and sections are UTF-8"))
            .hint(format!("convert it, for example with `iconv -f UTF-16 -t UTF-8 {file}`")));
    }
    if bytes.contains(&b'\r') && !bytes.contains(&b'\n') {
        return Err(Problem::new(format!("the lines of `{file}` end in carriage returns alone"))
            .hint("convert them to line feeds, for example with `tr '\\r' '\\n'`"));
    }
    Ok(())
}

/// Refuses another markup language than Markdown, by the name of the file, or by its text if the name says nothing.
pub(super) fn markup(file: &Path, document: &Document) -> Result<(), Problem> {
    let extension = file.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default();
    let language = match extension.as_str() {
        "rst" | "rest" => "reStructuredText",
        "adoc" | "asciidoc" | "asc" => "AsciiDoc",
        "rdoc" => "RDoc",
        "textile" => "Textile",
        "org" => "Org",
        "md" | "markdown" | "mdown" | "mkd" | "mkdn" | "mdx" | "txt" => return Ok(()),
        _ if (0..document.lines.len()).filter_map(|at| document.line(at)).any(|line| DIRECTIVE.is_match(line)) => {
            "another markup language"
        }
        _ => return Ok(()),
    };
    Err(Problem::new(format!("`{}` is written in {language}, and sections are Markdown", file.display()))
        .hint("name a Markdown file with `--file`, or set `file:`"))
}

/// Explains why the versions of a document are not one sequence.
pub(super) fn conflict(file: &Path, conflict: &Conflict) -> Problem {
    let file = file.display();
    match conflict {
        Conflict::Packages(names) => {
            let names: Vec<_> = names
                .iter()
                .map(|name| if name.is_empty() { "none".to_owned() } else { format!("`{name}`") })
                .collect();
            Problem::new(format!("the newest headings of `{file}` name several packages: {}", names.join(", ")))
                .hint("set `heading:` to the form of one package, such as `heading: \"## NAME {version}\"`")
        }
        Conflict::SeveralVersions(heading) => {
            Problem::new(format!("most headings of `{file}` have several versions, such as `{heading}`"))
                .hint("set `heading:` to the form of a new one, such as `heading: \"## {version} ({date})\"`")
        }
    }
}

/// Refuses a document without a version that has more than a title, paragraphs and unreleased changes.
pub(super) fn no_version(file: &Path, placement: &Placement) -> Result<(), Problem> {
    let (document, outline) = (placement.document, placement.outline);
    let lines = || (0..document.lines.len()).filter_map(|at| Some((at, document.line(at)?)));
    let file = file.display();
    let write = "set `heading:` to the form of the headings, such as `heading: \"## {version} ({date})\"`";
    if let Some((_, line)) = lines().find(|(_, line)| LOG.is_match(line)) {
        let message = format!("`{file}` is a log of another format, with headings such as `{}`", line.trim());
        return Err(Problem::new(message).hint("name a Markdown file with `--file`, or set `file:`"));
    }
    let unreleased = placement.unreleased.map_or(0..0, |at| {
        let heading = &outline.headings[at];
        heading.lines.start..placement.end_of(at, heading.level)
    });
    let title = outline.headings.first().map(|heading| heading.at);
    let stray_heading =
        outline.headings.iter().find(|heading| !unreleased.contains(&heading.at) && title != Some(heading.at));
    let found = stray_heading.map(|heading| heading.line).or_else(|| {
        lines()
            .find(|(at, line)| {
                let is_text = document.lines[*at].is_prose() && !unreleased.contains(at);
                is_text && ITEM.is_match(line) && !is_definition(line)
            })
            .map(|(_, line)| line)
    });
    let Some(found) = found else { return Ok(()) };
    let what = if VERSION_ITEM.is_match(found) {
        "has its versions in lists or tables"
    } else {
        "has no heading of a version"
    };
    Err(Problem::new(format!("`{file}` {what}: found `{}`", found.trim()))
        .hint(write)
        .hint("name another file with `--file`, or set `file:`"))
}

/// Explains that a section would not be found again after its insertion.
pub(super) fn ambiguous_section(file: &Path, version: &str) -> Problem {
    Problem::new(format!("a section of {version} would be read as something else in `{}`", file.display()))
        .hint("set `heading:` to the form of the headings, such as `heading: \"## {version} ({date})\"`")
}

/// Explains that the version needs its own group.
pub(super) fn group(file: &Path, version: &str, heading: &str) -> Problem {
    Problem::new(format!(
        "no group of `{}` takes {version}: the next lower version is below `{heading}`",
        file.display()
    ))
    .hint("add the heading of the new group above the others")
}

/// Explains that day and month cannot be distinguished.
pub(super) fn date(file: &Path, date: &str) -> Problem {
    Problem::new(format!(
        "day and month cannot be distinguished in `{date}`, the date of a heading of `{}`",
        file.display()
    ))
    .hint("set `heading:`, such as `heading: \"## {version} ({date})\"`, and `date_format:`, such as `\"%d/%m/%Y\"`")
}

/// Whether the bytes are only a byte order mark and white space.
pub(super) fn is_empty(bytes: &[u8]) -> bool {
    bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes).trim_ascii().is_empty()
}
