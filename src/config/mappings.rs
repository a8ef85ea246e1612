//! The keys of the settings file whose values are mappings of the user's own names.

use indexmap::IndexMap;

use super::{KnownAuthor, Package, field::Field, keys::Reader, yaml::Value};
use crate::model::Level;

impl<'a> Reader<'a> {
    pub(super) fn categories(&mut self, field: Field<'a>) -> anyhow::Result<IndexMap<String, String>> {
        let fields = self.fields(field.pairs("a mapping of trailer values to titles")?)?;
        fields
            .into_iter()
            .filter_map(|field| Some((field.key.to_owned(), field.title().transpose()?)))
            .map(|(key, title)| Ok((key, title?)))
            .collect()
    }

    pub(super) fn bump(&mut self, field: Field<'a>) -> anyhow::Result<IndexMap<String, Level>> {
        let fields = self.fields(field.pairs("a mapping of trailer values to levels")?)?;
        fields.into_iter().map(|field| Ok((field.key.to_owned(), level(field)?))).collect()
    }

    pub(super) fn packages(&mut self, field: Field<'a>) -> anyhow::Result<IndexMap<String, Package>> {
        let fields = self.fields(field.pairs("a mapping of names to packages")?)?;
        fields.into_iter().map(|field| Ok((field.key.to_owned(), self.package(field)?))).collect()
    }

    fn package(&mut self, field: Field<'a>) -> anyhow::Result<Package> {
        let mut package = Package::named(field.key);
        let mut file = None;
        for field in self.fields(field.pairs("a mapping of `paths`, `tag_prefix`, `file` and `version_files`")?)? {
            match field.key {
                "paths" => package.paths = field.texts()?,
                "tag_prefix" => package.tag_prefix = field.text()?.unwrap_or(package.tag_prefix),
                "file" => file = field.text()?,
                "version_files" => package.version_files = self.version_files(field)?,
                _ => self.unknown(field, &["paths", "tag_prefix", "file", "version_files"]),
            }
        }
        let missing = || field.refusal("needs a `file`: none of its paths is a folder");
        package.file = file.or_else(|| package.usual_file()).ok_or_else(missing)?;
        Ok(package)
    }

    pub(super) fn authors(&mut self, field: Field<'a>) -> anyhow::Result<IndexMap<String, KnownAuthor>> {
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

    /// Types are the same in any case (conventionalcommits.org, 15).
    pub(super) fn types(&mut self, field: Field<'a>) -> anyhow::Result<IndexMap<String, Option<String>>> {
        let fields = self.fields(field.pairs("a mapping of types to categories")?)?;
        let category = |category: Option<String>| category.filter(|category| category != "none");
        fields.into_iter().map(|field| Ok((field.key.to_lowercase(), category(field.text()?)))).collect()
    }
}

fn level(field: Field) -> anyhow::Result<Level> {
    let name = field.text()?.unwrap_or_else(|| Level::None.name().to_owned());
    let level = Level::parse(&name);
    let refusal = || field.refusal(&format!("must be `major`, `minor`, `patch` or `none`, not `{name}`")).into();
    level.ok_or_else(refusal)
}
