//! The heading of a section in a body of git-cliff, as the key `heading` has it.

use std::sync::LazyLock;

use regex::Regex;

use super::tera_pieces::Piece;

/// The heading of a section, and how its date is written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct HeadingLook {
    /// The form, with `{version}` and `{date}`.
    pub form: String,
    /// The format of the date, for strftime; `None` without a date.
    pub date_format: Option<String>,
}

static DATE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"^timestamp \| date\(format="([^"]+)"\)$"#).expect("the pattern is constant and valid")
});
static VERSION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"^version \| trim_start_matches\(pat="v"\)$"#).expect("the pattern is constant and valid")
});

/// Returns the first heading with a version; `None` if it has more than a version without `v` and a date.
pub(super) fn heading(pieces: &[Piece]) -> Option<HeadingLook> {
    let version = pieces.iter().position(|piece| matches!(piece, Piece::Value(value) if VERSION.is_match(value)))?;
    let at = pieces[..version]
        .iter()
        .rposition(|piece| matches!(piece, Piece::Text(text) if last_line(text).starts_with("## ")))?;
    let Piece::Text(before) = &pieces[at] else { return None };
    let (mut form, mut date_format) = (last_line(before).to_owned(), None);
    for piece in &pieces[at + 1..] {
        match piece {
            Piece::Text(text) => {
                let (line, rest) =
                    text.split_once('\n').map_or((text.as_str(), None), |(line, rest)| (line, Some(rest)));
                form += line;
                if rest.is_some() {
                    break;
                }
            }
            Piece::Value(value) if VERSION.is_match(value) => form += "{version}",
            Piece::Value(value) => {
                date_format = Some(DATE.captures(value)?[1].to_owned());
                form += "{date}";
            }
            Piece::Statement(word) if word == "else" || word == "endif" => break,
            Piece::Statement(_) => return None,
        }
    }
    Some(HeadingLook { form: form.trim_end_matches(['\\', ' ']).to_owned(), date_format })
}

fn last_line(text: &str) -> &str {
    text.rsplit('\n').next().unwrap_or_default().trim_start()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::migration::tera_pieces::pieces;

    #[test]
    fn a_version_and_a_date_are_taken_over() {
        let date = "{{ timestamp | date(format=\"%Y-%m-%d\") }}";
        let version = "{{ version | trim_start_matches(pat=\"v\") }}";
        for (line, form) in [
            (format!("## [{version}] - {date}\n"), Some("## [{version}] - {date}")),
            (format!("## {version} ({date})\\\n"), Some("## {version} ({date})")),
            (format!("## {version}\n"), Some("## {version}")),
            (format!("## {version} - {date}"), Some("## {version} - {date}")),
            (format!("## [{version}]({{{{ url }}}}) {date}\n"), None),
            (format!("## {{{{ version }}}} - {date}\n"), None),
            (format!("## {{% if a %}}{version}{{% endif %}}\n"), None),
            (format!("# {version}\n"), None),
        ] {
            let body =
                format!("{{% if version %}}\\\n    {line}{{% else %}}\\\n    ## [unreleased]\n{{% endif %}}\\\n");
            let look = heading(&pieces(&body));
            assert_eq!(look.as_ref().map(|look| look.form.as_str()), form, "{line}");
            let format = look.and_then(|look| look.date_format);
            assert_eq!(format.as_deref(), form.filter(|form| form.contains("{date}")).map(|_| "%Y-%m-%d"), "{line}");
        }
    }
}
