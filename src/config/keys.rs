//! The keys of the settings file, and what each does to [`Config`].

use std::{collections::HashSet, sync::Arc};

use super::{
    Config, EntrySource, HeadingRule, RepeatedTrailers, Versioning,
    field::Field,
    scalar::Scalar,
    yaml::{self, Node, Value},
};
use crate::model::{Source, Warning, closest};

/// Every key of the file.
pub(super) const KEYS: [&str; 24] = [
    "categories",
    "source",
    "types",
    "skip",
    "links",
    "template",
    "template_file",
    "date_format",
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

/// Reads the settings from a text: nothing, or a mapping.
pub(super) fn read(source: Source) -> anyhow::Result<(Config, Vec<Warning>)> {
    let document = yaml::parse(source, yaml::MAX_NODES)?;
    let mut reader = ConfigReader { source, warnings: Vec::new() };
    let is_gitlab_file = super::PATHS.iter().any(|path| source.name.replace('\\', "/").ends_with(path));
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
                let message = "the settings must be a mapping of keys to values";
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
            "tag_regex" => config.tag_regex = field.text()?,
            "tag_prefix" => config.tag_prefix = field.text()?,
            "paths" => config.paths = field.texts()?,
            "file" => config.file = field.text()?,
            "heading" => config.heading = heading(field)?.unwrap_or(config.heading.clone()),
            "unreleased" => config.moves_unreleased = moves_unreleased(field)?,
            "packages" => config.packages = Arc::new(self.packages(field)?),
            "include_groups" => config.include_groups = field.texts()?,
            "authors" => config.authors = self.authors(field)?,
            "repeated_trailers" => config.repeated_trailers = repeated_trailers(field)?,
            "bump" => config.bump = self.bump(field)?,
            "versioning" => config.versioning = versioning(field)?,
            "version_files" => config.version_files = self.version_files(field, None)?,
            "dependents" => config.dependents = field.node.scalar() == Some(Scalar::Null) || field.flag()?,
            "hooks" => config.hooks = self.hooks(field)?,
            "source" => config.source = source(field)?.unwrap_or(config.source),
            "max_title" => config.max_title = max_title(field)?,
            "skip" => config.skip = self.skip(field)?,
            "links" => config.links = self.links(field)?,
            "types" => config.types = self.types(field)?,
            _ => self.unknown(field, &KEYS),
        }
        Ok(())
    }

    /// The fields of a mapping. The last of equal keys holds, as in the service.
    pub(super) fn fields(&mut self, pairs: &'a [(Node, Node)]) -> anyhow::Result<Vec<Field<'a>>> {
        let mut seen = HashSet::new();
        let mut fields = Vec::with_capacity(pairs.len());
        for (key, node) in pairs {
            let Some(name) = key.as_written() else {
                return Err(self.source.problem(key.at, "a key must be a text").into());
            };
            if !seen.insert(name) {
                let place = self.source.location(key.at);
                self.warnings
                    .push(Warning::new(format!("{place}: the key `{name}` stands here again; this value holds")));
            }
            fields.push(Field { source: self.source, key: name, key_at: key.at, node });
        }
        Ok(fields)
    }

    pub(super) fn unknown(&mut self, field: Field, known: &[&str]) {
        let mut warning = Warning::new(format!("{}: unknown key `{}`", self.source.location(field.key_at), field.key));
        if let Some(nearest) = closest(field.key, known.iter().copied()) {
            warning = warning.hint(format!("did you mean `{nearest}`?"));
        }
        self.warnings.push(warning);
    }
}

fn repeated_trailers(field: Field) -> anyhow::Result<RepeatedTrailers> {
    match field.text()?.as_deref() {
        None | Some("last") => Ok(RepeatedTrailers::Last),
        Some("all") => Ok(RepeatedTrailers::All),
        Some(other) => Err(field.refusal(&format!("must be `last` or `all`, not `{other}`")).into()),
    }
}

fn versioning(field: Field) -> anyhow::Result<Versioning> {
    let Some(text) = field.text()? else { return Ok(Versioning::default()) };
    Versioning::parse(&text).map_err(|why| {
        field.refusal(&why).hint("write `semver`, or parts of calver.org such as `YYYY.0M.MICRO`").into()
    })
}

fn moves_unreleased(field: Field) -> anyhow::Result<bool> {
    match field.text()?.as_deref() {
        None | Some("keep") => Ok(false),
        Some("move") => Ok(true),
        Some(other) => Err(field.refusal(&format!("must be `keep` or `move`, not `{other}`")).into()),
    }
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

fn source(field: Field) -> anyhow::Result<Option<EntrySource>> {
    let Some(word) = field.text()? else { return Ok(None) };
    let names = EntrySource::NAMES.map(|(name, _)| name).join("`, `");
    let refusal = || field.refusal(&format!("must be one of `{names}`, not `{word}`")).into();
    EntrySource::parse(&word).map(Some).ok_or_else(refusal)
}
