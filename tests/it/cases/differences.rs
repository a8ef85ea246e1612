//! The intended differences from GitLab, and what is expected instead.

/// What is expected of a case instead of GitLab's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A clear error.
    Refusal,
    /// A success, although GitLab fails.
    Success,
    /// The same, with lists and objects as JSON.
    Json,
    /// The same, with the line ends of the file.
    LineEnds,
    /// The section at the end of the file: the version only seems to be there.
    Appended,
    /// The file as it is: the version is there.
    Unchanged,
}

/// The end of a case's name, and what is expected. A header on its own line with an empty line before
/// it is not listed here: see [`with_own_header_line`], which holds for every file.
const DIFFERENCES: [(&[&str], Expected); 7] = [
    // Crashes of GitLab: a body of nothing but escaped line breaks renders nothing.
    (&["-crash"], Expected::Success),
    // Ruby's `inspect` is of no use to anybody who does not write Ruby.
    (&["-collections-print", "-inspect-string-escapes", "-trailers-hash-each", "-each-over-object"], Expected::Json),
    // What is not a version would make a header that later runs cannot find.
    (
        &["-upper-v-kept", "-not-semver-version", "-four-part", "-double-v-prefix", "-given-any-version-text"],
        Expected::Refusal,
    ),
    // Dates and symbols are text, and aliases work.
    (&["-yaml-alias-error", "-yaml-symbol-error", "-yaml-date-error"], Expected::Success),
    // A file without a mapping is an error, and so are values of the wrong kind.
    (&["-yaml-plain-string"], Expected::Refusal),
    // The section takes the line ends of the file.
    (&["-file-crlf"], Expected::LineEnds),
    // A release is there when a line outside of code starts with its header.
    (
        &["-same-version-no-space-noop", "-same-version-across-lines-noop", "-same-version-in-text-noop"],
        Expected::Appended,
    ),
];

/// What is expected of a case instead of GitLab's result; `None` if it is the same.
pub fn expected(case: &str) -> Option<Expected> {
    if case.ends_with("-same-version-at-eof-no-newline") {
        return Some(Expected::Unchanged);
    }
    let named = |(ends, _): &&(&[&str], Expected)| ends.iter().any(|end| case.ends_with(end));
    DIFFERENCES.iter().find(named).map(|(_, expected)| *expected)
}

/// The file with an empty line before the header of the new section, wherever that leaves one out.
pub fn with_own_header_line(file: &str, section: &str) -> String {
    match file.split_once(section) {
        Some((before, after)) => padded(before) + section + after,
        None => file.to_owned(),
    }
}

/// A text whose last line is whole and blank, or that is empty.
pub fn padded(text: &str) -> String {
    let blank = |line: &str| line.trim().is_empty();
    let missing = match text.strip_suffix('\n') {
        _ if text.is_empty() => 0,
        Some(whole) => usize::from(!blank(whole.rsplit('\n').next().unwrap_or_default())),
        None => 2,
    };
    text.to_owned() + &"\n".repeat(missing)
}

/// A text in which lists and hashes that Ruby's `inspect` wrote are JSON.
pub fn json_for_inspect(text: &str) -> String {
    let mut out = String::new();
    let (mut depth, mut quoted, mut rest) = (0_usize, false, text);
    while let Some(letter) = rest.chars().next() {
        let replaced: Option<(&str, &str)> = match (depth > 0, quoted) {
            (true, true) => Some(("\\e", "\\u001b")).filter(|(ruby, _)| rest.starts_with(ruby)),
            (true, false) => {
                [(", ", ","), ("=>", ":"), ("nil", "null")].into_iter().find(|(ruby, _)| rest.starts_with(ruby))
            }
            _ => None,
        };
        let replaced = replaced.or_else(|| (quoted && rest.starts_with("\\#")).then_some(("\\#", "#")));
        if let Some((ruby, json)) = replaced {
            out.push_str(json);
            rest = &rest[ruby.len()..];
            continue;
        }
        let escaped = quoted && letter == '\\';
        match letter {
            '"' if depth > 0 => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        let length = if escaped { 2 } else { letter.len_utf8() };
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out
}
