//! The outline of a document: its headings, which of them are those of versions, and the order of the versions.

use std::{cell::OnceCell, collections::HashSet, ops::Range, sync::LazyLock};

use regex::Regex;

use super::{
    Document,
    heading_text::{self, HIDDEN, VersionText, Words, heading_pattern},
    version_key::VersionKey,
};

/// The level of a bold line or of a version alone in a line: below every heading with hashes.
pub(super) const LINE_LEVEL: usize = 7;
/// The number of newest headings that the style and the names of packages are read from.
pub(super) const NEWEST: usize = 8;

static HASHES: LazyLock<Regex> = LazyLock::new(|| heading_pattern(r"^(#{1,6})(?:([ \t]+)|([^#\s]))"));
static CLOSING: LazyLock<Regex> = LazyLock::new(|| heading_pattern(r"(?:^|[ \t]+)#*[ \t]*$"));
static UNDERLINE: LazyLock<Regex> = LazyLock::new(|| heading_pattern(r"^(?:=+|-{2,})[ \t]*$"));
static CATEGORY: LazyLock<Regex> = LazyLock::new(|| {
    heading_pattern(
        r"(?i)^\W*(?:added|changed|changes|fixed|fixes|removed|deprecat|security|breaking|bug ?fix|features?\b|new\b|enhancements?|improvements?|perf|doc|highlights?|notes?\b|upgrad|migrat|other|internal|chores?|dependencies|known issues|what.s (?:changed|new)|full changelog|tests?\b)",
    )
});
static ANCHOR: LazyLock<Regex> =
    LazyLock::new(|| heading_pattern(r#"^<a (?:name|id)=["'][^"']*["']\s*(?:/>|>\s*</a>)\s*$"#));
static NO_PARAGRAPH: LazyLock<Regex> = LazyLock::new(|| heading_pattern(r"^(?:[-*+>|]\s|[0-9]+[.)]\s|[|<])"));

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum HeadingRole {
    Version,
    /// It groups the versions that begin with these numbers.
    Group(Vec<u64>),
    Other,
}

/// A heading, and the lines it takes.
#[derive(Clone, Debug)]
pub(super) struct Heading<'a> {
    /// Its lines, including an anchor above it and an underline.
    pub(super) lines: Range<usize>,
    /// The line with its text.
    pub(super) at: usize,
    /// 1 to 6, or [`LINE_LEVEL`].
    pub(super) level: usize,
    /// The whole line, without its end.
    pub(super) line: &'a str,
    /// The byte range of the text in the line, without hashes.
    pub(super) span: Range<usize>,
    pub(super) underline: Option<&'a str>,
    pub(super) version: Option<VersionText>,
    pub(super) role: HeadingRole,
}

impl<'a> Heading<'a> {
    pub(super) fn text(&self) -> &'a str {
        &self.line[self.span.clone()]
    }

    /// Returns the level that headings below it are compared with: categories may follow a bold line.
    pub(super) fn rank(&self) -> usize {
        if self.level == LINE_LEVEL { 2 } else { self.level }
    }

    /// Returns the version if the heading is that of one.
    fn own_version(&self) -> Option<&VersionText> {
        self.version.as_ref().filter(|_| self.role == HeadingRole::Version)
    }

    /// Returns the text without emphasis around all of it.
    pub(super) fn title(&self) -> &'a str {
        let text = self.text();
        let bold = |mark| text.strip_prefix(mark)?.strip_suffix(mark);
        bold("**").or_else(|| bold("__")).unwrap_or(text)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct VersionHeading<'o, 'a> {
    pub(super) heading: &'o Heading<'a>,
    pub(super) text: &'o VersionText,
}

impl<'a> VersionHeading<'_, 'a> {
    /// Returns the version as it is written, without `v`.
    pub(super) fn version(&self) -> &'a str {
        &self.heading.text()[self.text.version.clone()]
    }

    pub(super) fn key(&self) -> &VersionKey {
        &self.text.key
    }
}

/// A reason why a document does not have one sequence of versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Conflict {
    /// The newest headings name these packages; an empty name means a heading without one.
    Packages(Vec<String>),
    /// Most headings have several versions, such as this one.
    SeveralVersions(String),
}

#[derive(Clone, Debug)]
pub(super) struct Outline<'a> {
    pub(super) headings: Vec<Heading<'a>>,
    pub(super) is_oldest_first: bool,
    pub(super) conflict: Option<Conflict>,
    repeated: OnceCell<HashSet<String>>,
}

impl<'a> Outline<'a> {
    /// Reads the headings. If some versions have the `wanted` words before them, only these count as versions.
    pub(super) fn read(document: &'a Document, wanted: Option<&Words>) -> Self {
        let mut headings: Vec<Heading> = Vec::new();
        let mut from = 0;
        for at in 0..document.lines.len() {
            if at >= from
                && let Some(heading) = read_heading(document, at, from)
            {
                from = heading.lines.end;
                headings.push(heading);
            }
        }
        let mut outline = Self { headings, is_oldest_first: false, conflict: None, repeated: OnceCell::new() };
        outline.choose_words(wanted);
        outline.is_oldest_first = outline.ascends();
        outline.find_groups();
        outline.choose_names(wanted.is_some());
        outline
    }

    /// Returns the headings of versions, in the order of the document.
    pub(super) fn versions(&self) -> impl DoubleEndedIterator<Item = VersionHeading<'_, 'a>> {
        let versions = self.headings.iter().filter(|heading| heading.role == HeadingRole::Version);
        versions.filter_map(|heading| Some(VersionHeading { heading, text: heading.version.as_ref()? }))
    }

    /// Returns the headings of versions from the newest down, by the order of the document.
    pub(super) fn newest_first(&self) -> Vec<VersionHeading<'_, 'a>> {
        if self.is_oldest_first { self.versions().rev().collect() } else { self.versions().collect() }
    }

    /// Returns the heading of a version: one with the same spelling, else one of an equal version.
    pub(super) fn version(&self, version: &str) -> Option<VersionHeading<'_, 'a>> {
        let key = VersionKey::parse(version)?;
        let exact = self.versions().find(|found| found.version() == version);
        exact.or_else(|| self.versions().find(|found| *found.key() == key))
    }

    /// Whether a heading on the level of versions is that of a category: it has a usual word, or occurs again.
    pub(super) fn is_category(&self, heading: &Heading) -> bool {
        heading.role == HeadingRole::Other
            && (CATEGORY.is_match(heading.title()) || self.repeated().contains(&heading.text().to_ascii_lowercase()))
    }

    /// Returns the texts that several headings have, in lower case.
    fn repeated(&self) -> &HashSet<String> {
        self.repeated.get_or_init(|| {
            let mut seen = HashSet::new();
            let texts = self.headings.iter().map(|heading| heading.text().to_ascii_lowercase());
            texts.filter(|text| !seen.insert(text.clone())).collect()
        })
    }

    /// Decides which headings are versions. Beside plain ones, sentences and names on deeper levels are not.
    fn choose_words(&mut self, wanted: Option<&Words>) {
        let words = |heading: &Heading| heading.version.as_ref().map(|version| version.words.clone());
        let has_wanted = self.headings.iter().any(|heading| wanted.is_some() && words(heading).as_ref() == wanted);
        let sure = || {
            self.headings.iter().filter(|heading| !heading.version.as_ref().is_some_and(|version| version.may_be_date))
        };
        let sure_level = sure().filter(|heading| heading.version.is_some()).map(|heading| heading.level).min();
        let plain = sure().filter(|heading| words(heading) == Some(Words::Plain));
        let plain_level = plain.map(|heading| heading.level).min();
        let first_is_name = matches!(self.headings.iter().find_map(words), Some(Words::Name(_)));
        for heading in &mut self.headings {
            let Some(version) = &heading.version else { continue };
            let counts = match (&version.words, plain_level) {
                // Below a version, numbers such as `1.12.2000` are its date.
                _ if version.may_be_date && sure_level.is_some_and(|level| heading.level > level) => false,
                _ if has_wanted => Some(&version.words) == wanted,
                (Words::Plain, _) => true,
                (Words::Name(_), Some(level)) => heading.level <= level,
                (Words::Name(_), None) => first_is_name,
                (Words::Sentence(_), None) => !first_is_name,
                (Words::Sentence(_), Some(_)) => false,
            };
            if counts {
                heading.role = HeadingRole::Version;
            }
        }
    }

    fn ascends(&self) -> bool {
        let keys: Vec<_> = self.versions().map(|found| found.key().clone()).collect();
        let count = |ascends: bool| {
            keys.windows(2).filter(|pair| if ascends { pair[0] < pair[1] } else { pair[0] > pair[1] }).count()
        };
        count(true) > count(false)
    }

    /// Finds the headings of series above the versions: `1.2.x`, or `1.2` if `1.2.0` is below it.
    fn find_groups(&mut self) {
        let number = |text: &str| text.split('.').count();
        let level = |found: &VersionHeading| found.heading.level;
        let whole = self.versions().filter(|found| number(found.version()) > 2);
        let Some(highest) =
            whole.map(|found| level(&found)).min().or_else(|| self.versions().map(|found| level(&found)).min())
        else {
            return;
        };
        let begin_series = (0..self.headings.len()).filter(|at| self.begins_series(*at));
        let levels: HashSet<usize> = begin_series.map(|at| self.headings[at].level).collect();
        // Above all versions of more numbers, there are only those of two.
        for heading in self.headings.iter_mut().filter(|heading| heading.level < highest) {
            let series = heading_text::series(heading.text()).filter(|(words, _)| !matches!(words, Words::Sentence(_)));
            if let Some((_, numbers)) = series {
                heading.role = HeadingRole::Group(numbers);
            } else if let Some(version) = heading.version.as_ref().filter(|version| version.date.is_none())
                && levels.contains(&heading.level)
                && heading.role == HeadingRole::Version
            {
                heading.role = HeadingRole::Group(version.key.series(2));
            }
        }
    }

    /// Whether a heading is that of a version without a date, and the next one is of the series of its first two numbers.
    fn begins_series(&self, at: usize) -> bool {
        // Only what follows a version is searched: otherwise thousands of other headings would each be compared with all.
        let Some(found) = self.headings[at].own_version().filter(|found| found.date.is_none()) else { return false };
        let next = self.headings[at + 1..].iter().find_map(Heading::own_version);
        next.is_some_and(|next| next.key.is_in_series(&found.key.series(2)))
    }

    /// Reads the names of packages from the newest headings; headings with other names further down are not versions.
    fn choose_names(&mut self, is_chosen: bool) {
        let name = |found: &VersionText| match &found.words {
            Words::Name(name) => name.clone(),
            Words::Plain | Words::Sentence(_) => String::new(),
        };
        // A heading that is struck out or pending says nothing about the others.
        let mut newest: Vec<_> = self.newest_first().into_iter().map(|found| found.text.clone()).collect();
        if newest.iter().any(VersionText::has_style) {
            newest.retain(VersionText::has_style);
        }
        newest.truncate(NEWEST);
        let mut runs: Vec<String> = newest.iter().map(name).collect();
        runs.dedup();
        let several = newest.iter().filter(|found| found.has_several).count();
        if several * 2 > newest.len() {
            let first = self.newest_first().into_iter().find(|found| found.text.has_several);
            self.conflict = first.map(|first| Conflict::SeveralVersions(first.heading.text().to_owned()));
        } else if runs.len() > 2 && !is_chosen {
            runs.sort();
            runs.dedup();
            self.conflict = Some(Conflict::Packages(runs));
            return;
        }
        for heading in self.headings.iter_mut().filter(|heading| heading.role == HeadingRole::Version) {
            if heading.version.as_ref().is_some_and(|version| version.has_style() && !runs.contains(&name(version))) {
                heading.role = HeadingRole::Other;
            }
        }
    }
}

/// Reads the heading whose text is in a line; the lines before `from` belong to the previous heading.
fn read_heading(document: &Document, at: usize, from: usize) -> Option<Heading<'_>> {
    let line = document.text(at)?;
    let lines = with_anchor(document, at, from)..at + 1;
    let heading = |level, span: Range<usize>, version| Heading {
        lines: lines.clone(),
        at,
        level,
        line,
        span,
        underline: None,
        version,
        role: HeadingRole::Other,
    };
    if let Some(found) = HASHES.captures(line) {
        let level = found[1].len();
        let start = found.get(2).map_or(level, |space| space.end());
        let end = CLOSING.find_iter(&line[start..]).last().map_or(line.len(), |closing| start + closing.start());
        let version = heading_text::read(&line[start..end]);
        // A line such as `#12 is fixed` begins a paragraph.
        let is_number = found.get(3).is_some_and(|first| !first.as_str().starts_with(char::is_alphabetic));
        return (!is_number || version.is_some()).then(|| heading(level, start..end, version));
    }
    let begins = at == from || lines.start < at || document.begins_paragraph(at);
    let end = line.trim_end().len();
    if !begins || end == 0 || NO_PARAGRAPH.is_match(line) {
        return None;
    }
    if let Some(underline) = document.text(at + 1).filter(|next| UNDERLINE.is_match(next)) {
        let level = if underline.starts_with('=') { 1 } else { 2 };
        let mut heading = heading(level, 0..end, heading_text::read(&line[..end]));
        heading.lines.end += 1;
        heading.underline = Some(underline.trim_end());
        return Some(heading);
    }
    let version = heading_text::read(&line[..end])?;
    let bold = |mark: &str| line[..end].strip_prefix(mark)?.strip_suffix(mark).filter(|text| !text.contains(mark));
    let is_bold = bold("**").or_else(|| bold("__")).is_some();
    let bare = is_bare(&line[..end], &version) && version.words == Words::Plain && !version.may_be_date;
    (bare || is_bold && document.ends_paragraph(at)).then(|| heading(LINE_LEVEL, 0..end, Some(version)))
}

/// Whether a line is only a version and at most a date.
fn is_bare(line: &str, version: &VersionText) -> bool {
    let before = line[..version.version.start].trim_end_matches(['v', 'V']).len();
    let around = [&version.masked[..before], &version.masked[version.version.end..]];
    around.iter().all(|text| text.chars().all(|letter| letter <= HIDDEN || " []()*_~/|,.:-–—".contains(letter)))
}

/// Returns the first line of a heading: that of an anchor in the line above it, or above an empty line.
fn with_anchor(document: &Document, at: usize, from: usize) -> usize {
    let is_anchor = |line: &usize| *line >= from && document.text(*line).is_some_and(|text| ANCHOR.is_match(text));
    let above = at.checked_sub(1);
    let further = at.checked_sub(2).filter(|_| above.is_some_and(|above| document.is_blank(above)));
    above.filter(is_anchor).or_else(|| further.filter(is_anchor)).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the role of each heading by a letter, and whether the oldest version is the first.
    fn roles(text: &str, wanted: Option<&Words>) -> (String, bool) {
        let document = Document::parse(text);
        let outline = Outline::read(&document, wanted);
        let letter = |heading: &Heading| match heading.role {
            HeadingRole::Version => 'V',
            HeadingRole::Group(_) => 'G',
            HeadingRole::Other => 'O',
        };
        (outline.headings.iter().map(letter).collect(), outline.is_oldest_first)
    }

    #[test]
    fn a_heading_is_a_version_a_series_or_something_else() {
        for (text, expected) in [
            // Two numbers without a date are a series if its versions follow below.
            ("# 0.18\n\n## 0.18.1\n\n# 0.17\n\n## 0.17.0\n", "GVGV"),
            ("# 0.18\n\n## 0.18.1\n\n# What 0.16 brings\n\n# 0.17\n\n## 0.17.0\n", "GVOGV"),
            ("# 0.18\n\n## 0.18.1\n\n# 0.17 (2024-01-05)\n\n# 0.16\n", "GVVG"),
            ("# 1.1\n\n## 1.0.0\n", "VV"),
            ("# 1.1 (2024-01-05)\n\n## 1.1.0\n", "VV"),
            ("# 1.1\n\n# 1.1.0\n", "VV"),
            ("# 1.1\n\n## Added\n\n## 1.1.0\n", "GOV"),
            ("# 1.x\n\n## 1.1\n\n## 1.0\n", "GVV"),
            ("## 1.x\n\n## 1.1.0\n", "OV"),
            // Below a version, numbers are its date.
            ("## 1.0.0\n\n### 1.12.2000\n", "VO"),
            ("## 1.0.0\n\n## 1.12.2000\n", "VV"),
            // Numbers of issues and words without a space.
            ("#12 is fixed\n\n#1.0.0\n", "V"),
            ("#Added\n", "O"),
            // Underlined ones begin a paragraph, or follow a heading or an anchor.
            ("# Log\n1.0.0\n-----\n", "OV"),
            ("Log\n1.0.0\n-----\n", ""),
            ("Log\n\n<a name=\"one\"></a>\n1.0.0\n=====\n", "V"),
            // A comment ends with the line that closes it.
            ("<!-- a\nb --> <!-- c\n## 1.0.0\n", "V"),
        ] {
            assert_eq!(roles(text, None).0, expected, "{text}");
        }
        let api = Words::Name("api".to_owned());
        assert_eq!(roles("## api 1.0.0\n\n## web 1.0.0\n\n## 0.9.0\n", Some(&api)).0, "VOO");
        assert_eq!(roles("## web 1.0.0\n\n## web 0.9.0\n", Some(&api)).0, "VV", "no heading has that name");
        let older = "## web 0.1.0\n\n".repeat(2);
        let named: Vec<String> = (0..=NEWEST).map(|patch| format!("## api 1.0.{}", NEWEST - patch)).collect();
        assert_eq!(
            roles(&format!("{}\n\n{older}", named.join("\n\n")), None).0,
            "V".repeat(NEWEST + 1) + "OO",
            "other names further down"
        );
    }

    #[test]
    fn several_versions_in_most_headings_are_refused() {
        for (text, is_refused) in [
            ("## 1.1.0/0.4.1\n\n## 1.0.0/0.4.0\n", true),
            ("## 1.1.0/0.4.1\n\n## 1.0.0\n", false),
            ("## 1.1.0\n\n## 1.0.0\n", false),
        ] {
            let document = Document::parse(text);
            assert_eq!(Outline::read(&document, None).conflict.is_some(), is_refused, "{text}");
        }
    }

    #[test]
    fn the_order_of_most_versions_is_that_of_the_file() {
        for (versions, is_oldest_first) in [
            (&["1.0.0", "1.1.0", "1.2.0"][..], true),
            (&["1.2.0", "1.1.0", "1.0.0"], false),
            (&["1.0.0", "1.1.0", "1.1.0"], true),
            (&["1.1.0", "1.1.0", "1.0.0"], false),
            (&["1.0.0", "2.0.0", "1.0.0"], false),
            (&["1.0.0"], false),
        ] {
            let lines: Vec<String> = versions.iter().map(|version| format!("## {version}")).collect();
            assert_eq!(roles(&lines.join("\n\n"), None).1, is_oldest_first, "{versions:?}");
        }
    }
}
