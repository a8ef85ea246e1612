//! The keys whose values are mappings.

use indexmap::IndexMap;

use super::{
    AuthorRule, EntryRule, LinkRule, Package, Pattern, ReleaseHooks, Skip, field::Field, keys::ConfigReader,
    pattern::MIN_DIGITS, scalar::Scalar, yaml::Value,
};
use crate::model::BumpLevel;

const GROUPS: &str = "write `${1}` to separate a group from the text after it";

impl<'a> ConfigReader<'a> {
    pub(super) fn categories(&mut self, field: Field<'a>) -> anyhow::Result<IndexMap<String, String>> {
        let fields = self.fields(field.pairs("a mapping of trailer values to titles")?)?;
        fields
            .into_iter()
            .filter_map(|field| Some((field.key.to_owned(), field.title().transpose()?)))
            .map(|(key, title)| Ok((key, title?)))
            .collect()
    }

    pub(super) fn bump(&mut self, field: Field<'a>) -> anyhow::Result<IndexMap<String, BumpLevel>> {
        let fields = self.fields(field.pairs("a mapping of trailer values to levels")?)?;
        fields
            .into_iter()
            .map(|field| Ok((field.key.to_owned(), field.one_of(&BumpLevel::NAMES, BumpLevel::None)?)))
            .collect()
    }

    pub(super) fn hooks(&mut self, field: Field<'a>) -> anyhow::Result<ReleaseHooks> {
        let mut hooks = ReleaseHooks::default();
        for field in self.fields(field.pairs("a mapping of `before` and `after`")?)? {
            match field.key {
                "before" => hooks.before = field.texts()?,
                "after" => hooks.after = field.texts()?,
                _ => self.unknown(field, &["before", "after"]),
            }
        }
        Ok(hooks)
    }

    pub(super) fn packages(&mut self, field: Field<'a>) -> anyhow::Result<IndexMap<String, Package>> {
        let fields = self.fields(field.pairs("a mapping of names to packages")?)?;
        fields.into_iter().map(|field| Ok((field.key.to_owned(), self.package(field)?))).collect()
    }

    fn package(&mut self, field: Field<'a>) -> anyhow::Result<Package> {
        let (name, mut package) = (field.key, Package::named(field.key));
        let mut file = None;
        for field in self.fields(field.pairs("a mapping of `paths`, `tag_prefix`, `file` and `version_files`")?)? {
            match field.key {
                "paths" => package.paths = field.texts()?,
                "tag_prefix" => package.tag_prefix = field.text()?.unwrap_or(package.tag_prefix),
                "file" => file = field.text()?,
                "version_files" => package.version_files = self.version_files(field, Some(name))?,
                _ => self.unknown(field, &["paths", "tag_prefix", "file", "version_files"]),
            }
        }
        let missing = || field.refusal("needs a `file`: none of its paths is a directory");
        package.file = file.or_else(|| package.default_file()).ok_or_else(missing)?;
        Ok(package)
    }

    pub(super) fn authors(&mut self, field: Field<'a>) -> anyhow::Result<IndexMap<String, AuthorRule>> {
        let fields = self.fields(field.pairs("a mapping of e-mail addresses to people")?)?;
        fields.into_iter().map(|field| Ok((field.key.to_lowercase(), self.author(field)?))).collect()
    }

    fn author(&mut self, field: Field<'a>) -> anyhow::Result<AuthorRule> {
        let Value::Mapping(pairs) = &field.node.value else {
            return Ok(AuthorRule { reference: field.text()?, contributor: false });
        };
        let mut author = AuthorRule::default();
        for field in self.fields(pairs)? {
            match field.key {
                "reference" => author.reference = field.text()?,
                "contributor" => author.contributor = field.flag()?,
                _ => self.unknown(field, &["reference", "contributor"]),
            }
        }
        Ok(author)
    }

    pub(super) fn links(&mut self, field: Field<'a>) -> anyhow::Result<Vec<LinkRule>> {
        let fields = self.fields(field.pairs("a mapping of patterns to addresses")?)?;
        fields.into_iter().map(|field| self.link(field)).collect()
    }

    fn link(&self, field: Field<'a>) -> anyhow::Result<LinkRule> {
        let invalid =
            |why: String| self.source.problem(field.key_at, &format!("`{}` is not a valid pattern: {why}", field.key));
        let pattern = Pattern::parse(field.key).map_err(invalid)?;
        let url = field.text()?.ok_or_else(|| field.type_mismatch("an address"))?;
        let foreign = |why: String| field.refusal(&why).hint(GROUPS);
        Ok(LinkRule::new(pattern, url).map_err(foreign)?)
    }

    pub(super) fn skip(&mut self, field: Field<'a>) -> anyhow::Result<Skip> {
        let mut skip = Skip::default();
        for field in self.fields(field.pairs("a mapping of `commits`, `authors`, `messages` and `released`")?)? {
            match field.key {
                "commits" => skip.commits = each(field, commit)?,
                "authors" => skip.authors = field.texts()?,
                "messages" => skip.messages = each(field, pattern)?,
                "released" => skip.released = field.flag()?,
                _ => self.unknown(field, &["commits", "authors", "messages", "released"]),
            }
        }
        Ok(skip)
    }

    pub(super) fn rules(&mut self, field: Field<'a>) -> anyhow::Result<Vec<EntryRule>> {
        field.elements()?.into_iter().map(|element| self.rule(element)).collect()
    }

    fn rule(&mut self, element: Field<'a>) -> anyhow::Result<EntryRule> {
        const KEYS: [&str; 7] = ["title", "body", "author", "trailer", "category", "scope", "skip"];
        let mut rule = EntryRule::default();
        for field in self.fields(element.pairs("a list of mappings, each with a pattern and a `category`")?)? {
            match field.key {
                "title" => rule.title = Some(pattern(field)?),
                "body" => rule.body = Some(pattern(field)?),
                "author" => rule.author = Some(pattern(field)?),
                "trailer" => rule.trailer = Some(pattern(field)?),
                "category" => rule.category = field.text()?,
                "scope" => rule.scope = field.text()?,
                "skip" => rule.skip = field.flag()?,
                _ => self.unknown(field, &KEYS),
            }
        }
        let Some(first) = rule.patterns().next() else {
            return Err(element.refusal("needs a pattern: `title`, `body`, `author` or `trailer`").into());
        };
        if rule.category.is_none() != rule.skip {
            return Err(element.refusal("needs either a `category` or `skip: true`").into());
        }
        for text in rule.category.iter().chain(&rule.scope) {
            first.check_groups(text).map_err(|why| element.refusal(&why).hint(GROUPS))?;
        }
        Ok(rule)
    }

    /// Types are the same in any case (conventionalcommits.org, 15).
    pub(super) fn types(&mut self, field: Field<'a>) -> anyhow::Result<IndexMap<String, Option<String>>> {
        let fields = self.fields(field.pairs("a mapping of types to categories")?)?;
        let category = |category: Option<String>| category.filter(|category| category != "none");
        fields.into_iter().map(|field| Ok((field.key.to_lowercase(), category(field.text()?)))).collect()
    }
}

/// Reads each element of a list; null is an empty list.
fn each<T>(field: Field, read: impl Fn(Field) -> anyhow::Result<T>) -> anyhow::Result<Vec<T>> {
    let elements = field.elements()?.into_iter();
    elements.filter(|element| element.node.scalar() != Some(Scalar::Null)).map(read).collect()
}

/// The prefix of an ID as it is written: for YAML, `12345e7` is a number.
fn commit(item: Field) -> anyhow::Result<String> {
    let id = item.node.as_written().unwrap_or_default().to_ascii_lowercase();
    if id.len() < MIN_DIGITS || !id.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        let message = format!("must be commit IDs of {MIN_DIGITS} digits or more");
        return Err(item.refusal(&message).into());
    }
    Ok(id)
}

fn pattern(item: Field) -> anyhow::Result<Pattern> {
    let text = item.text()?.ok_or_else(|| item.type_mismatch("a list of patterns"))?;
    Ok(Pattern::parse(&text).map_err(|why| item.refusal(&format!("has an invalid pattern: {why}")))?)
}
