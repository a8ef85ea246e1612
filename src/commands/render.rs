//! `tidings render`: renders templates under a configuration without a repository.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
};

use indexmap::IndexMap;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::json;

use super::{
    Session,
    changelog_args::given_date,
    completions,
    session::{input_name, read_input, read_text},
};
use crate::{
    config::{self, Config, EntrySource},
    document::Document,
    git::file,
    model::{Date, Entry, Position, Problem, Release, ReleaseDetails, Section, Source, Version, strftime},
    pipeline::UNRELEASED,
    sources::categories::group_by_category,
    template::Template,
};

const EXAMPLES: &str = "\
Examples:
  tidings show 1.2.0 --format json > context.json
  tidings render --context context.json --template compact
  tidings render --context context.json --into CHANGELOG.md --config-file FILE
  tidings render --template notes.hbs --data data.json";

/// Render a section, or any template, without a repository.
///
/// A context is the output of `tidings show --format json`. Its `version`, `date` and `entries` are read, and its
/// `previous_version`, `compare_url` and `project` if it has them; so are its `categories`, which have the headings,
/// unless a configuration is given. A date in ISO 8601 is formatted with `date_format`;
/// any other date is printed unchanged.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Render the section of this context, a JSON file (`-`: stdin).
    #[arg(long, value_name = "FILE", required_unless_present = "data")]
    context: Option<PathBuf>,
    /// Render the template with nothing but this data, a JSON file (`-`: stdin).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["context", "config_file", "into"], requires = "template")]
    data: Option<PathBuf>,
    /// Built-in template (section, keep-a-changelog, compact, github-release) or template file; `.hbs` is Handlebars.
    #[arg(long, value_name = "NAME|FILE", add = completions::templates())]
    template: Option<String>,
    /// Read the configuration from this file.
    #[arg(long, value_name = "FILE")]
    config_file: Option<PathBuf>,
    /// Print this changelog file with the section inserted.
    #[arg(long, value_name = "FILE")]
    into: Option<PathBuf>,
}

/// The part of a context that is read.
#[derive(Deserialize)]
struct Context {
    version: String,
    date: Option<String>,
    previous_version: Option<String>,
    compare_url: Option<String>,
    project: Option<String>,
    /// The categories with their headings, in their order.
    #[serde(default)]
    categories: Vec<ContextCategory>,
    /// The source of the entries, which decides the titles of the categories unless the configuration names a source.
    source: Option<String>,
    entries: Vec<Entry>,
    #[serde(flatten)]
    details: ReleaseDetails,
}

#[derive(Deserialize)]
struct ContextCategory {
    category: String,
    title: String,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    match (&args.context, &args.data) {
        (Some(context), _) => render_section(args, &read_json(context)?, session),
        (None, Some(data)) => render_data(args, &read_json(data)?, session),
        (None, None) => Err(Problem::usage("neither `--context` nor `--data`").into()),
    }
}

fn render_data(args: &Args, data: &serde_json::Value, session: &mut Session) -> anyhow::Result<()> {
    let text = template(args, &Config::default())?.render_data(data)?;
    session.answer(&json!({ "text": text }), |out| out.bytes().write_all(text.as_bytes()))
}

fn render_section(args: &Args, context: &Context, session: &mut Session) -> anyhow::Result<()> {
    let config = match &args.config_file {
        None => Config { categories: context.titles(), ..Config::default() },
        Some(path) => {
            let (config, warnings) =
                config::parse_with(read_input(path)?, &input_name(path), &file::in_current_directory)?;
            session.warn(&warnings)?;
            config
        }
    };
    let template = template(args, &config)?;
    let release = context.release(&config)?;
    let date = (release.version != UNRELEASED).then(|| release.date.clone());
    let section = Section { version: release.version.clone(), date, body: template.render(&release)? };
    let document = args.into.as_deref().map(|path| insert(&section, path)).transpose()?;
    let Release { version, date, .. } = &release;
    let (notes, categories) = (section.notes().to_string(), release.counted_categories());
    let mut output = json!({ "version": version, "date": date, "categories": categories, "notes": notes });
    let text = document.as_ref().map_or(notes.as_bytes(), Document::as_bytes);
    if document.is_some() {
        output["file"] = String::from_utf8_lossy(text).into();
    }
    session.answer(&output, |out| out.bytes().write_all(text))
}

fn insert(section: &Section, path: &Path) -> anyhow::Result<Document> {
    let mut document = Document::parse(read_input(path)?);
    document.insert_as_gitlab(section);
    Ok(document)
}

impl Context {
    fn titles(&self) -> IndexMap<String, String> {
        self.categories.iter().map(|found| (found.category.clone(), found.title.clone())).collect()
    }

    fn release(&self, config: &Config) -> anyhow::Result<Release> {
        let given = self.source.as_deref().and_then(EntrySource::parse);
        let source = given.filter(|_| config.source == EntrySource::Auto).unwrap_or(config.source);
        let config = Config { source, ..config.clone() };
        Ok(Release {
            version: self.version()?,
            date: self.date(config.date_format())?,
            previous_version: self.previous_version.clone(),
            compare_url: self.compare_url.clone(),
            project: self.project.clone(),
            categories: group_by_category(self.entries.clone(), &config),
            details: self.details.clone(),
        })
    }

    fn version(&self) -> anyhow::Result<String> {
        if self.version == UNRELEASED {
            return Ok(self.version.clone());
        }
        Ok(self.version.parse::<Version>()?.to_string())
    }

    /// Returns the date of the heading. A date that is not in ISO 8601 is already formatted, and stays as it is.
    fn date(&self, format: &str) -> anyhow::Result<String> {
        match self.date.as_deref().map(str::parse::<Date>) {
            Some(Err(_)) => Ok(self.date.clone().unwrap_or_default()),
            Some(Ok(date)) => Ok(strftime(&date, format)),
            None => Ok(strftime(&given_date(None)?.unwrap_or_else(Date::now), format)),
        }
    }
}

fn template(args: &Args, config: &Config) -> anyhow::Result<Template> {
    match &args.template {
        Some(name) => Template::load_named(name, |path| read_input(Path::new(path))),
        None => Template::from_config(config, |path| {
            Ok(file::in_current_directory(path)?.ok_or_else(|| Problem::new(format!("file `{path}` not found")))?)
        }),
    }
}

fn read_json<T: DeserializeOwned>(path: &Path) -> anyhow::Result<T> {
    let text = read_text(path)?;
    serde_json::from_str(&text).map_err(|error| {
        let at = Position { line: error.line().max(1), column: error.column().max(1) };
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        Source::new(input_name(path), text.as_str()).problem(at, message).into()
    })
}
