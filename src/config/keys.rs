//! The keys of the settings file, and what each does to [`Config`].

use std::collections::HashSet;

use indexmap::IndexMap;

use super::{
    Config, KnownAuthor, Package, RepeatedTrailers,
    field::Field,
    scalar::Scalar,
    yaml::{self, Node, Value},
};
use crate::model::{Level, Source, Warning, closest};

/// Every key of the file.
pub(super) const KEYS: [&str; 13] = [
    "categories",
    "template",
    "template_file",
    "date_format",
    "tag_regex",
    "tag_prefix",
    "paths",
    "file",
    "packages",
    "include_groups",
    "authors",
    "repeated_trailers",
    "bump",
];

/// Reads the settings from a text: nothing, or a mapping.
pub(super) fn read(source: Source) -> anyhow::Result<(Config, Vec<Warning>)> {
    let document = yaml::parse(source, yaml::MAX_NODES)?;
    let mut reader = Reader { source, warnings: Vec::new() };
    let mut config = Config::default();
    if let Some(document) = &document {
        for field in reader.document(document)? {
            reader.apply(&mut config, field)?;
        }
    }
    Ok((config, reader.warnings))
}

struct Reader<'a> {
    source: Source<'a>,
    warnings: Vec<Warning>,
}

impl<'a> Reader<'a> {
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
            "template" => config.template = field.text_with_places()?,
            "template_file" => config.template_file = field.text()?,
            "date_format" => config.date_format = field.text()?.unwrap_or_else(|| Config::default().date_format),
            "tag_regex" => config.tag_regex = field.text()?,
            "tag_prefix" => config.tag_prefix = field.text()?,
            "paths" => config.paths = field.texts()?,
            "file" => config.file = field.text()?.unwrap_or(config.file.clone()),
            "packages" => config.packages = self.packages(field)?,
            "include_groups" => config.include_groups = field.texts()?,
            "authors" => config.authors = self.authors(field)?,
            "repeated_trailers" => config.repeated_trailers = repeated_trailers(field)?,
            "bump" => config.bump = self.bump(field)?,
            _ => self.unknown(field, &KEYS),
        }
        Ok(())
    }

    fn categories(&mut self, field: Field<'a>) -> anyhow::Result<IndexMap<String, String>> {
        let fields = self.fields(field.pairs("a mapping of trailer values to titles")?)?;
        fields
            .into_iter()
            .filter_map(|field| Some((field.key.to_owned(), field.title().transpose()?)))
            .map(|(key, title)| Ok((key, title?)))
            .collect()
    }

    fn bump(&mut self, field: Field<'a>) -> anyhow::Result<IndexMap<String, Level>> {
        let fields = self.fields(field.pairs("a mapping of trailer values to levels")?)?;
        fields.into_iter().map(|field| Ok((field.key.to_owned(), level(field)?))).collect()
    }

    fn packages(&mut self, field: Field<'a>) -> anyhow::Result<IndexMap<String, Package>> {
        let fields = self.fields(field.pairs("a mapping of names to packages")?)?;
        fields.into_iter().map(|field| Ok((field.key.to_owned(), self.package(field)?))).collect()
    }

    fn package(&mut self, field: Field<'a>) -> anyhow::Result<Package> {
        let mut package = Package::named(field.key);
        let mut file = None;
        for field in self.fields(field.pairs("a mapping of `paths`, `tag_prefix` and `file`")?)? {
            match field.key {
                "paths" => package.paths = field.texts()?,
                "tag_prefix" => package.tag_prefix = field.text()?.unwrap_or(package.tag_prefix),
                "file" => file = field.text()?,
                _ => self.unknown(field, &["paths", "tag_prefix", "file"]),
            }
        }
        let missing = || field.refusal("needs a `file`: none of its paths is a folder");
        package.file = file.or_else(|| package.usual_file()).ok_or_else(missing)?;
        Ok(package)
    }

    fn authors(&mut self, field: Field<'a>) -> anyhow::Result<IndexMap<String, KnownAuthor>> {
        let fields = self.fields(field.pairs("a mapping of e-mail addresses to people")?)?;
        fields.into_iter().map(|field| Ok((field.key.to_lowercase(), self.author(field)?))).collect()
    }

    fn author(&mut self, field: Field<'a>) -> anyhow::Result<KnownAuthor> {
        let Value::Mapping(pairs) = &field.node.value else {
            return Ok(KnownAuthor { reference: field.text()?, contributor: false });
        };
        let mut author = KnownAuthor::default();
        for field in self.fields(pairs)? {
            match field.key {
                "reference" => author.reference = field.text()?,
                "contributor" => author.contributor = field.flag()?,
                _ => self.unknown(field, &["reference", "contributor"]),
            }
        }
        Ok(author)
    }

    /// The fields of a mapping. The last of equal keys holds, as in the service.
    fn fields(&mut self, pairs: &'a [(Node, Node)]) -> anyhow::Result<Vec<Field<'a>>> {
        let mut seen = HashSet::new();
        let mut fields = Vec::with_capacity(pairs.len());
        for (key, node) in pairs {
            let Some(name) = key.as_written() else {
                return Err(self.source.problem(key.at, "a key must be a text").into());
            };
            if !seen.insert(name) {
                let place = self.source.place(key.at);
                self.warnings
                    .push(Warning::new(format!("{place}: the key `{name}` stands here again; this value holds")));
            }
            fields.push(Field { source: self.source, key: name, key_at: key.at, node });
        }
        Ok(fields)
    }

    fn unknown(&mut self, field: Field, known: &[&str]) {
        let mut warning = Warning::new(format!("{}: unknown key `{}`", self.source.place(field.key_at), field.key));
        if let Some(nearest) = closest(field.key, known.iter().copied()) {
            warning = warning.hint(format!("did you mean `{nearest}`?"));
        }
        self.warnings.push(warning);
    }
}

fn level(field: Field) -> anyhow::Result<Level> {
    let name = field.text()?.unwrap_or_else(|| Level::None.name().to_owned());
    let level = Level::parse(&name);
    let refusal = || field.refusal(&format!("must be `major`, `minor`, `patch` or `none`, not `{name}`")).into();
    level.ok_or_else(refusal)
}

fn repeated_trailers(field: Field) -> anyhow::Result<RepeatedTrailers> {
    match field.text()?.as_deref() {
        None | Some("last") => Ok(RepeatedTrailers::Last),
        Some("all") => Ok(RepeatedTrailers::All),
        Some(other) => Err(field.refusal(&format!("must be `last` or `all`, not `{other}`")).into()),
    }
}
