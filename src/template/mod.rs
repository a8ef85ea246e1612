//! A release and a template come in, the body of its section goes out.
//!
//! There are two languages: GitLab's own, and Handlebars for `.hbs` files. Neither can block the program: time and
//! output are bounded, and a mistake is an error that shows its line.

mod entry_lines;
pub(crate) mod escape;
mod gitlab;
mod handlebars;
mod output;

use std::{
    mem,
    path::Path,
    time::{Duration, Instant},
};

use anyhow::Context as _;

use self::handlebars::Partial;
pub(crate) use self::handlebars::TEMPLATE_THREAD;
use crate::{
    config::Config,
    model::{Entry, Position, Problem, Release, Source, is_stripped},
};

/// The largest template that is read, in bytes.
pub(crate) const MAX_BYTES: usize = 64 * 1024;

/// The default built-in template.
const SECTION: &str = "section";

/// Its text, in GitLab's language.
const SECTION_TEXT: &str = include_str!("../../templates/section.tpl");

/// The number of entries after the title of a category, as the built-in section writes it.
const COUNT: &str = " ({% if single_change %}1 change{% else %}{{ count }} changes{% end %})";

/// The built-in template in the form of <https://keepachangelog.com>.
const KEEP_A_CHANGELOG: &str = "keep-a-changelog";

/// The text above the first section in the form of Keep a Changelog, by which its headings are known.
const OPENING: &str =
    "# Changelog\n\nThe format is that of [Keep a Changelog](https://keepachangelog.com/en/1.1.0/).\n";

pub(crate) const BUILT_IN: [&str; 4] = [SECTION, KEEP_A_CHANGELOG, "compact", "github-release"];

#[derive(Debug)]
pub(crate) struct Template {
    language: Language,
    /// Whether it is the built-in section, which prints titles as they are, as GitLab does.
    is_section: bool,
    /// The text that a new changelog file begins with; empty if that is the section.
    opening: &'static str,
    /// The time that parsing took, which counts towards the limit.
    reading: Duration,
}

#[derive(Debug)]
enum Language {
    GitLab(gitlab::Template),
    Handlebars(handlebars::Template),
}

impl Template {
    /// Loads the template of the configuration: a file or built-in one, an inline one, else the built-in section.
    ///
    /// `read` returns the bytes of a file of the repository.
    pub(crate) fn from_config(
        config: &Config,
        read: impl FnOnce(&str) -> anyhow::Result<Vec<u8>>,
    ) -> anyhow::Result<Self> {
        match (&config.template_file, &config.template) {
            (Some(name), _) => Self::load_named(name, read),
            (None, Some(template)) => Self::parse(template.clone()),
            (None, None) if !config.entry_templates.is_empty() => Self::of_entries(&config.entry_templates),
            (None, None) => Self::load_named(SECTION, read),
        }
    }

    /// Loads the built-in template of this name, else the one in the file of this name.
    pub(crate) fn load_named(name: &str, read: impl FnOnce(&str) -> anyhow::Result<Vec<u8>>) -> anyhow::Result<Self> {
        if let Some(source) = built_in(name) {
            let opening = if name == KEEP_A_CHANGELOG { OPENING } else { "" };
            return Ok(Self { is_section: name == SECTION, opening, ..Self::parse(source)? });
        }
        let names = BUILT_IN.join("`, `");
        let bytes = read(name).with_context(|| {
            Problem::new(format!("cannot load the template `{name}`"))
                .hint(format!("use one of `{names}`, or the path of a file"))
        })?;
        Self::parse(decode(name, bytes)?)
    }

    /// Loads the built-in section with the titles of categories alone, without the numbers of their entries.
    pub(crate) fn without_counts() -> anyhow::Result<Self> {
        let text = SECTION_TEXT.replace(COUNT, "");
        Ok(Self { is_section: true, ..Self::parse(Source::new(SECTION, text))? })
    }

    /// Whether it is the built-in section.
    pub(crate) fn is_section(&self) -> bool {
        self.is_section
    }

    /// Parses a template, as Handlebars if its name ends in `.hbs`.
    pub(crate) fn parse(source: Source) -> anyhow::Result<Self> {
        let start = Instant::now();
        if source.text.len() > MAX_BYTES {
            let (name, bytes) = (&source.name, source.text.len());
            let message = format!("the template `{name}` has {bytes} bytes, more than {MAX_BYTES}");
            return Err(Problem::new(message).into());
        }
        if is_handlebars(&source.name) {
            return Self::parse_handlebars(source);
        }
        let language = Language::GitLab(gitlab::Template::parse(source)?);
        Ok(Self { language, is_section: false, opening: "", reading: start.elapsed() })
    }

    /// Parses a template as Handlebars, whatever its name.
    pub(crate) fn parse_handlebars(source: Source) -> anyhow::Result<Self> {
        Self::parse_with_partials(source, Vec::new())
    }

    fn parse_with_partials(source: Source, partials: Vec<Partial>) -> anyhow::Result<Self> {
        let start = Instant::now();
        let template = handlebars::Template::parse(source, partials, start + output::MAX_TIME)?;
        let language = Language::Handlebars(template);
        Ok(Self { language, is_section: false, opening: "", reading: start.elapsed() })
    }

    /// Renders the body of a release's section, stripped as GitLab strips it.
    pub(crate) fn render(&self, release: &Release) -> anyhow::Result<String> {
        let text = match &self.language {
            Language::GitLab(template) => template.render(release, self.deadline()),
            Language::Handlebars(template) => template.render(serde_json::to_value(release)?, self.deadline()),
        };
        text.map(strip)
    }

    /// Renders as [`Self::render`] does. The built-in section gets titles in which Markdown finds no markup; other
    /// templates say themselves what they escape.
    pub(crate) fn render_escaped(&self, release: &mut Release) -> anyhow::Result<String> {
        if !self.is_section {
            return self.render(release);
        }
        with_titles_escaped(release, |entry| entry.commit.web_url.is_some(), |release| self.render(release))
    }

    /// Returns the text that a new changelog file begins with; empty if that is the section.
    pub(crate) fn opening(&self) -> &'static str {
        self.opening
    }

    /// Whether a tag of the template contains this name. Data that is not named need not be computed; GitLab's language
    /// only has the categories.
    pub(crate) fn mentions(&self, name: &str) -> bool {
        match &self.language {
            Language::GitLab(_) => false,
            Language::Handlebars(template) => template.mentions(name),
        }
    }

    /// Renders any data, and strips nothing.
    pub(crate) fn render_data(&self, data: &serde_json::Value) -> anyhow::Result<String> {
        match &self.language {
            Language::GitLab(template) => template.render_data(data, self.deadline()),
            Language::Handlebars(template) => template.render(data.clone(), self.deadline()),
        }
    }

    fn deadline(&self) -> Instant {
        Instant::now() + output::MAX_TIME.saturating_sub(self.reading)
    }
}

/// Returns the built-in template of this name.
///
/// The default is in GitLab's language, which is ready at once; `section.hbs` is the same for users to start from.
fn built_in(name: &str) -> Option<Source> {
    let (file, text) = match name {
        SECTION => ("section", SECTION_TEXT),
        KEEP_A_CHANGELOG => ("keep-a-changelog.hbs", include_str!("../../templates/keep-a-changelog.hbs")),
        "compact" => ("compact.hbs", include_str!("../../templates/compact.hbs")),
        "github-release" => ("github-release.hbs", include_str!("../../templates/github-release.hbs")),
        _ => return None,
    };
    Some(Source::new(file, text))
}

/// Renders a release in which the titles and scopes of all entries are escaped, for a section in which something stands
/// before the titles that `follows` names, and before those with a scope or a mark. A copy of a large release would take
/// as much memory as everything else, so the texts are put back afterwards.
pub(crate) fn with_titles_escaped<T>(
    release: &mut Release,
    follows: impl Fn(&Entry) -> bool,
    render: impl FnOnce(&Release) -> T,
) -> T {
    let mut plain = Vec::new();
    for entry in entries_mut(release) {
        let is_within = entry.scope.is_some() || entry.breaking || follows(entry);
        let escape = if is_within { escape::escape_within } else { |title: &str| escape::escape(title, &[]) };
        let (title, scope) = (escape(&entry.title), entry.scope.as_deref().map(escape::escape_within));
        plain.push((mem::replace(&mut entry.title, title), mem::replace(&mut entry.scope, scope)));
    }
    let rendered = render(release);
    for (entry, (title, scope)) in entries_mut(release).zip(plain) {
        (entry.title, entry.scope) = (title, scope);
    }
    rendered
}

fn entries_mut(release: &mut Release) -> impl Iterator<Item = &mut Entry> {
    release.categories.iter_mut().flat_map(|category| &mut category.entries)
}

/// Strips a text in place, since the body of a large release should not be copied.
fn strip(mut text: String) -> String {
    text.truncate(text.trim_end_matches(is_stripped).len());
    let blank = text.len() - text.trim_start_matches(is_stripped).len();
    text.drain(..blank);
    text
}

fn is_handlebars(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("hbs"))
}

/// Decodes a file. A line ends with LF, as in YAML, even if git has checked it out with CRLF.
fn decode(name: &str, bytes: Vec<u8>) -> Result<Source, Problem> {
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source::new(name, text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n"))),
        Err(error) => {
            let text = String::from_utf8_lossy(error.as_bytes());
            let at = Position::from_offset(&text, error.utf8_error().valid_up_to());
            Err(Source::new(name, &*text).problem(at, "invalid UTF-8"))
        }
    }
}

#[cfg(test)]
mod tests;
