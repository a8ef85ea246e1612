//! The text of a first configuration file: a comment per key, and keys with default values commented out.

use std::fmt::Write as _;

use serde_json::Value;

use super::{ConfigScaffold, DetectedPackage, TagScheme, history_stats::HistoryStats};
use crate::{
    config::{
        Config, EntryOrder, EntryRule, EntrySource, GroupRule, HeadingRule, Pattern, TitleReplacement, VersionFile,
        VersionGroup, VersionLocator,
    },
    model::{BREAKING, LatestMark, capitalize, name_in, printable},
};

impl ConfigScaffold {
    pub(crate) fn to_yaml(&self) -> String {
        let Config { bump, skip, links, .. } = &self.config;
        let bump = mapping("bump", bump.iter().map(|(category, level)| (category, level.name())));
        let commits = list("  commits", skip.commits.iter().map(|commit| quote(commit)));
        let messages = list("  messages", skip.messages.iter().map(|message| literal(message.text())));
        let links = links.iter().map(|rule| format!("  {}: {}\n", literal(rule.pattern.text()), quote(&rule.url)));
        let issues = self.project.as_ref().and_then(|project| project.issue_url("$1"));
        let issues = issues.unwrap_or_else(|| "https://git.example.com/group/app/issues/$1".to_owned());
        let date_format = self.config.date_format.as_deref().filter(|format| *format != "%Y-%m-%d");
        [
            self.source(),
            self.titles(),
            part(
                "The date of the header, for strftime.",
                &or_example(line("date_format", date_format), "# date_format: \"%Y-%m-%d\"\n"),
            ),
            self.tags(),
            self.version_files(),
            part(
                "How far a category bumps the version, instead of the default rule.",
                &or_example(bump, "# bump:\n#   added: minor\n"),
            ),
            part(
                "A template: section, keep-a-changelog, compact, github-release, or a file.",
                &or_example(
                    line(
                        "template_file",
                        self.template.as_ref().or(self.config.template_file.as_ref()).map(String::as_str),
                    ),
                    "# template_file: section\n",
                ),
            ),
            part(
                "Commits that are never listed, by ID, author or message in RE2 syntax.",
                &or_example(
                    block("skip", [commits, messages]),
                    "# skip:\n#   authors: [renovate@example.com]\n#   messages: ['^chore\\(release\\)']\n",
                ),
            ),
            part(
                "Where references in titles lead; $1 is the first group.",
                &or_example(block("links", links), &format!("# links:\n#   '#(\\d+)': {issues}\n")),
            ),
            render_others(&self.config),
            part(
                "What the configuration of the other tool says besides, and what to do instead:",
                &concat(self.losses.iter().map(|loss| format!("# - {}\n", printable(loss)))),
            ),
        ]
        .concat()
    }

    fn source(&self) -> String {
        let unknown = if self.source == EntrySource::Auto { "# " } else { "" };
        let names = EntrySource::NAMES.iter().filter(|(_, source)| *source != EntrySource::Auto);
        let names = names.map(|(name, _)| format!("{name}, "));
        let mut text = format!(
            "# Source of entries: {}or auto for the first it finds.\n{unknown}source: {}\n",
            concat(names),
            self.source.name()
        );
        if self.source.has_types() {
            let usual = format!("Type to category, over the usual ones: {}.", HistoryStats::usual_types());
            let unknown = self.habits.unknown_types.iter().map(|(kind, count)| (kind.as_str(), *count));
            let example = if self.config.types.is_empty() { "# types:\n#   docs: changed\n" } else { "" };
            text.extend(["\n# ", &usual, "\n", &render_counts("In use, and listed nowhere", unknown), example]);
        }
        let Config { types, rules, other, .. } = &self.config;
        text += &mapping("types", types.iter().map(|(name, category)| (name, category.as_deref().unwrap_or("none"))));
        let rules = rules.iter().map(|rule| format!("  - {{ {} }}\n", fields(rule)));
        let comment = "The first rule that fits lists a commit, or skips it, whatever its source.";
        text += &part(comment, &block("match", rules));
        if other.is_some() {
            text += "# Whatever nothing else lists, except merges.\n";
        }
        text + &line("other", other.as_deref())
    }

    fn titles(&self) -> String {
        let lines = self.categories.iter().map(|category| {
            let title = match self.config.categories.get(category) {
                Some(title) => title.clone(),
                None if category == BREAKING => "Breaking changes".to_owned(),
                None => capitalize(category),
            };
            format!("  {}: {}\n", quote(category), quote(&title))
        });
        let block = format!("categories:\n{}", concat(lines));
        let is_left = self.categories == self.shown_by_file && !self.categories.is_empty();
        let titles = if is_left { format!("# {}\n", block.trim_end().replace('\n', "\n# ")) } else { block };
        let mistakes = if self.source.has_trailers() {
            render_counts("Seen, and probably mistakes", self.habits.mistakes())
        } else {
            String::new()
        };
        let comment = if is_left {
            "Category: title. Without this, titles and their order are those of the changelog file."
        } else {
            "Category: title. The order is that of the section."
        };
        part(comment, &titles) + &mistakes
    }

    fn tags(&self) -> String {
        let scheme =
            self.detected.versioning.as_ref().map_or_else(String::new, |scheme| format!("versioning: {scheme}\n"));
        let scheme = part("How the next version is counted: by the date, as calver.org names its parts.", &scheme);
        scheme
            + &match &self.detected.scheme {
                TagScheme::Default => {
                    part("What is before a version in tags, besides `v`.", "# tag_prefix: \"app/v\"\n")
                }
                TagScheme::Prefixed(prefix) => {
                    part("What is before a version in tags.", &line("tag_prefix", Some(prefix)))
                }
                TagScheme::Regex(regex) => {
                    part("The tags that are versions, in RE2 syntax.", &format!("tag_regex: {}\n", literal(regex)))
                }
                TagScheme::Packages(packages) => {
                    let packages = packages.iter().map(|(name, package)| self.package(name, package));
                    part(
                        "Parts that are released by themselves: `tidings show --package NAME`.",
                        &block("packages", packages),
                    )
                }
            }
    }

    fn package(&self, name: &str, package: &DetectedPackage) -> String {
        let paths = list("    paths", package.paths.iter().map(|path| quote(path)));
        let prefix = line("    tag_prefix", Some(&package.prefix));
        let file = line("    file", package.file.as_deref());
        let scheme =
            package.versioning.as_ref().map_or_else(String::new, |scheme| format!("    versioning: {scheme}\n"));
        format!("  {}:\n{paths}{prefix}{file}{scheme}{}", quote(name), self.files(&package.versions.files, "    "))
    }

    fn version_files(&self) -> String {
        if self.detected.scheme.packages().is_some() && self.detected.versions.files.is_empty() {
            return String::new();
        }
        let example = "# version_files:\n#   - { path: pyproject.toml, key: project.version }\n";
        part(
            "Where a release sets the version: a workspace, a key of TOML, JSON or YAML, or a regex.",
            &or_example(self.files(&self.detected.versions.files, ""), example),
        )
    }

    fn files(&self, files: &[VersionFile], indent: &str) -> String {
        let mark = if self.sets_versions { "" } else { "# " };
        let files = files.iter().map(|file| format!("{indent}{mark}  - {{ {} }}\n", locate(file)));
        block(&format!("{indent}{mark}version_files"), files)
    }
}

/// Renders the keys that locate the version in a file.
fn locate(VersionFile { path, locator }: &VersionFile) -> String {
    match locator {
        VersionLocator::Key(key) => format!("path: {}, key: {}", quote(path), literal(key)),
        VersionLocator::Regex(regex) => format!("path: {}, regex: {}", quote(path), literal(regex)),
        VersionLocator::Workspace { kind, members } => {
            let path = if path == kind.manifest() { String::new() } else { format!(", path: {}", quote(path)) };
            let members: Vec<_> = members.iter().map(|member| quote(member)).collect();
            let members =
                if members.is_empty() { String::new() } else { format!(", members: [{}]", members.join(", ")) };
            format!("workspace: {}{path}{members}", kind.name())
        }
    }
}

/// Renders the keys that a first file does not have by default: `file`, `heading`, `paths`, `authors` and `hooks`.
fn render_others(config: &Config) -> String {
    let heading = if let HeadingRule::Text(heading) = &config.heading { Some(heading.as_str()) } else { None };
    let authors = config.authors.iter().map(|(email, rule)| (email, rule.reference.as_deref().unwrap_or_default()));
    let order =
        Some(name_in(&EntryOrder::NAMES, &config.entry_order)).filter(|_| config.entry_order != EntryOrder::default());
    let replacements = config.replacements.iter();
    let replacements = replacements.map(|TitleReplacement { pattern, with }| {
        format!("  - {{ match: {}, with: {} }}\n", literal(pattern.text()), quote(with))
    });
    let latest = Some(name_in(&LatestMark::NAMES, &config.latest)).filter(|_| config.latest != LatestMark::default());
    let entry = config.entry_templates.default.as_ref().map(|template| template.text.as_str());
    let hooks = [("  before", &config.hooks.before), ("  after", &config.hooks.after)];
    let hooks = hooks.map(|(key, commands)| list(key, commands.iter().map(|command| quote(command))));
    [
        part("The changelog file.", &line("file", config.file.as_deref())),
        part("The heading of a new section.", &line("heading", heading)),
        part("What a commit must change to be listed.", &list("paths", config.paths.iter().map(|path| quote(path)))),
        part("E-mail address to name.", &mapping("authors", authors)),
        part("How an entry is written, in Handlebars.", &line("entry", entry)),
        part("The order of the entries.", &line("sort", order)),
        part("What is replaced in titles before anything is read from them.", &block("replace", replacements)),
        part(
            "Packages whose versions move together: all (fixed), or those that are released (linked).",
            &groups(config),
        ),
        part(
            "Whether a package is released with a package that it requires: true, false or always.",
            if config.raises_all_dependents { "dependents: always\n" } else { "" },
        ),
        part("The message of a release commit.", &line("message", config.release.message.as_deref())),
        part("Which release the forge shows as its latest.", &line("latest", latest)),
        part("Whether releases on the forge stay drafts.", if config.drafts_release { "draft: true\n" } else { "" }),
        part("The remote that releases are pushed to.", &line("remote", config.release.remote.as_deref())),
        part("Commands that a release runs.", &block("hooks", hooks)),
    ]
    .concat()
}

fn groups(config: &Config) -> String {
    let group = |group: &VersionGroup| {
        let names: Vec<String> = group.packages.iter().map(|name| quote(name)).collect();
        format!("  - {{ packages: [{}], versions: {} }}\n", names.join(", "), name_in(&GroupRule::NAMES, &group.rule))
    };
    block("groups", config.groups.iter().map(group))
}

/// Renders a comment and the lines it is about; empty if there are no lines.
fn part(comment: &str, lines: &str) -> String {
    if lines.is_empty() { String::new() } else { format!("\n# {comment}\n{lines}") }
}

fn or_example(lines: String, example: &str) -> String {
    if lines.is_empty() { example.to_owned() } else { lines }
}

fn block(key: &str, lines: impl IntoIterator<Item = String>) -> String {
    let lines = concat(lines);
    if lines.is_empty() { lines } else { format!("{key}:\n{lines}") }
}

fn concat(lines: impl IntoIterator<Item = String>) -> String {
    lines.into_iter().collect()
}

fn line(key: &str, value: Option<&str>) -> String {
    value.map_or_else(String::new, |value| format!("{key}: {}\n", quote(value)))
}

fn mapping<'a>(key: &str, pairs: impl Iterator<Item = (&'a String, &'a str)>) -> String {
    block(key, pairs.map(|(name, value)| format!("  {}: {}\n", quote(name), quote(value))))
}

fn list(key: &str, items: impl Iterator<Item = String>) -> String {
    let items: Vec<_> = items.collect();
    if items.is_empty() { String::new() } else { format!("{key}: [{}]\n", items.join(", ")) }
}

/// Renders a comment that lists words with their counts; empty if there are no words.
fn render_counts<'a>(comment: &str, words: impl Iterator<Item = (&'a str, usize)>) -> String {
    let words: Vec<_> = words.map(|(word, count)| format!("{word} ({count})")).collect();
    if words.is_empty() { String::new() } else { format!("# {comment}: {}.\n", printable(&words.join(", "))) }
}

/// Renders a rule as a mapping on one line, without its braces.
fn fields(EntryRule { title, body, author, trailer, category, scope, skip }: &EntryRule) -> String {
    let patterns = [("title", title), ("body", body), ("author", author), ("trailer", trailer)];
    let texts = [("category", category), ("scope", scope)];
    let pattern =
        |(name, pattern): (&str, &Option<Pattern>)| Some(format!("{name}: {}", literal(pattern.as_ref()?.text())));
    let skip = skip.then(|| "skip: true".to_owned());
    let parts = patterns
        .into_iter()
        .filter_map(pattern)
        .chain(texts.into_iter().filter_map(|(name, text)| Some(format!("{name}: {}", quote(text.as_ref()?)))))
        .chain(skip);
    parts.collect::<Vec<_>>().join(", ")
}

/// Quotes a text for YAML as a JSON string, and escapes what YAML 1.1 reads as line breaks or does not allow.
fn quote(text: &str) -> String {
    let mut quoted = String::new();
    for letter in Value::from(text).to_string().chars() {
        if matches!(letter, '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}') {
            // Writing to a string cannot fail.
            let _ = write!(quoted, "\\u{:04x}", u32::from(letter));
        } else {
            quoted.push(letter);
        }
    }
    quoted
}

/// Quotes a text for YAML in single quotes, in which backslashes are not escapes.
fn literal(text: &str) -> String {
    // A line break in single quotes would be a space.
    if text.contains(char::is_control) { quote(text) } else { format!("'{}'", text.replace('\'', "''")) }
}
