//! The keys of the configuration, and what each does to [`Config`].

use std::sync::Arc;

use super::{
    Config, EntrySource, HeadingRule, RepeatedTrailers, TrailerPlacement, Versioning,
    field::{self, Field},
    scalar::Scalar,
    yaml::{self, Node, Value},
};
use crate::model::{Forge, Source, Warning, closest};

/// Every key of the file.
pub(super) const KEYS: [&str; 29] = [
    "categories",
    "source",
    "types",
    "match",
    "other",
    "trailers_in",
    "skip",
    "links",
    "forge",
    "template",
    "template_file",
    "date_format",
    "long_titles",
    "tag_regex",
    "tag_prefix",
    "paths",
    "file",
    "heading",
    "unreleased",
    "packages",
    "include_groups",
    "authors",
    "repeated_trailers",
    "bump",
    "versioning",
    "version_files",
    "dependents",
    "hooks",
    "max_title",
];

/// Reads the configuration from a text, which is empty or a mapping.
pub(super) fn read(source: Source, is_gitlab_file: bool) -> anyhow::Result<(Config, Vec<Warning>)> {
    let document = yaml::parse(source, yaml::MAX_NODES)?;
    let mut reader = ConfigReader { source, warnings: Vec::new() };
    let heading = if is_gitlab_file { HeadingRule::GitLabFirst } else { HeadingRule::File };
    // GitLab reads trailers alone.
    let source_of_entries = if is_gitlab_file { EntrySource::Trailers } else { EntrySource::Auto };
    let mut config = Config { heading, is_gitlab_file, source: source_of_entries, ..Config::default() };
    if let Some(document) = &document {
        for field in reader.document(document)? {
            reader.apply(&mut config, field)?;
        }
    }
    Ok((config, reader.warnings))
}

pub(super) struct ConfigReader<'a> {
    pub(super) source: Source<'a>,
    warnings: Vec<Warning>,
}

impl<'a> ConfigReader<'a> {
    fn document(&mut self, document: &'a Node) -> anyhow::Result<Vec<Field<'a>>> {
        match &document.value {
            Value::Mapping(pairs) => self.fields(pairs),
            _ if document.scalar() == Some(Scalar::Null) => Ok(Vec::new()),
            _ => {
                let message = "the configuration must be a mapping of keys to values";
                Err(self
                    .source
                    .problem(document.at, message)
                    .hint("write `key: value` lines, such as `date_format: \"%Y\"`")
                    .into())
            }
        }
    }

    fn apply(&mut self, config: &mut Config, field: Field<'a>) -> anyhow::Result<()> {
        match field.key {
            "categories" => config.categories = self.categories(field)?,
            "template" => config.template = field.source_text()?,
            "template_file" => config.template_file = field.text()?,
            "date_format" => config.date_format = field.text()?.unwrap_or_else(|| Config::default().date_format),
            "long_titles" => config.cuts_titles = field.one_of(&[("cut", Some(true)), ("whole", Some(false))], None)?,
            "forge" => config.forge = field.one_of(&Forge::words().map(|(word, forge)| (word, Some(forge))), None)?,
            "tag_regex" => config.tag_regex = field.text()?,
            "tag_prefix" => config.tag_prefix = field.text()?,
            "paths" => config.paths = field.texts()?,
            "file" => config.file = field.text()?,
            "heading" => config.heading = heading(field)?.unwrap_or(config.heading.clone()),
            "unreleased" => config.moves_unreleased = field.one_of(&[("keep", false), ("move", true)], false)?,
            "packages" => config.packages = Arc::new(self.packages(field)?),
            "include_groups" => config.include_groups = field.texts()?,
            "authors" => config.authors = self.authors(field)?,
            "repeated_trailers" => {
                config.repeated_trailers = field.one_of(&RepeatedTrailers::NAMES, RepeatedTrailers::Last)?;
            }
            "bump" => config.bump = self.bump(field)?,
            "versioning" => config.versioning = versioning(field)?,
            "version_files" => config.version_files = self.version_files(field, None)?,
            "dependents" => config.dependents = field.node.scalar() == Some(Scalar::Null) || field.flag()?,
            "hooks" => config.hooks = self.hooks(field)?,
            "source" => config.source = field.one_of(&EntrySource::NAMES, config.source)?,
            "max_title" => config.max_title = max_title(field)?,
            "match" => config.rules = self.rules(field)?,
            "other" => config.other = field.title()?,
            "trailers_in" => config.trailers_in = field.one_of(&TrailerPlacement::NAMES, TrailerPlacement::Last)?,
            "skip" => config.skip = self.skip(field)?,
            "links" => config.links = self.links(field)?,
            "types" => config.types = self.types(field)?,
            _ => self.unknown(field, &KEYS),
        }
        Ok(())
    }

    /// The fields of a mapping. The last one of equal keys is used, as in GitLab.
    pub(super) fn fields(&mut self, pairs: &'a [(Node, Node)]) -> anyhow::Result<Vec<Field<'a>>> {
        let fields = field::fields(self.source, pairs, |field| {
            let location = self.source.location(field.key_at);
            let message = format!("{location}: the key `{}` is repeated; the last value is used", field.key);
            self.warnings.push(Warning::new(message));
            Ok(())
        });
        Ok(fields?)
    }

    pub(super) fn unknown(&mut self, field: Field, known: &[&str]) {
        let mut warning = Warning::new(format!("{}: unknown key `{}`", self.source.location(field.key_at), field.key));
        if let Some(nearest) = closest(field.key, known.iter().copied()) {
            warning = warning.hint(format!("did you mean `{nearest}`?"));
        }
        self.warnings.push(warning);
    }
}

fn versioning(field: Field) -> anyhow::Result<Versioning> {
    let Some(text) = field.text()? else { return Ok(Versioning::default()) };
    Versioning::parse(&text).map_err(|why| {
        field.refusal(&why).hint("write `semver`, or parts of calver.org such as `YYYY.0M.MICRO`").into()
    })
}

fn max_title(field: Field) -> anyhow::Result<usize> {
    let (Some(text), scalar) = (field.node.as_written(), field.node.scalar()) else {
        return Err(field.type_mismatch("a number").into());
    };
    if scalar == Some(Scalar::Null) {
        return Ok(Config::default().max_title);
    }
    let refusal = || field.refusal(&format!("must be a number of characters, not `{text}`"));
    text.parse().map_err(|_| refusal().hint("write 0 for no limit").into())
}

fn heading(field: Field) -> anyhow::Result<Option<HeadingRule>> {
    match field.text()?.as_deref() {
        None => Ok(None),
        Some("file") => Ok(Some(HeadingRule::File)),
        Some("gitlab") => Ok(Some(HeadingRule::GitLab)),
        Some(text) if text.contains("{version}") && text.trim().lines().count() <= 2 => {
            Ok(Some(HeadingRule::Text(text.trim().to_owned())))
        }
        Some(_) => Err(field.refusal("must be `file`, `gitlab` or a heading with `{version}`").into()),
    }
}
