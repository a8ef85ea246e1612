//! Reads a configuration key by key, and the values that are mappings themselves.

use indexmap::IndexMap;

use super::{
    AuthorRule, EntryRule, HeadingRule, LinkRule, Package, Pattern, ReleaseHooks, Skip, TitleReplacement, Versioning,
    field::{self, Field},
    rules::MIN_DIGITS,
    yaml::{Node, Scalar, Value},
};
use crate::model::{BumpLevel, Forge, Source, Warning, closest};

pub(super) struct ConfigReader<'a> {
    /// The file of the field that is read.
    pub(super) source: &'a Source,
    pub(super) warnings: Vec<Warning>,
}

impl<'a> ConfigReader<'a> {
    pub(super) fn document(&mut self, document: &'a Node) -> anyhow::Result<Vec<Field<'a>>> {
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

    /// Returns the fields of a mapping. The last one of equal keys is used, as in GitLab.
    pub(super) fn fields(&mut self, pairs: &'a [(Node, Node)]) -> anyhow::Result<Vec<Field<'a>>> {
        let fields = field::fields(self.source, pairs, |field| {
            let location = self.source.location(field.key_at);
            let message = format!("{location}: the key `{}` is repeated; the last value is used", field.key);
            self.warnings.push(Warning::new(message));
            Ok(())
        });
        Ok(fields?)
    }

    pub(super) fn warn_unknown_key(&mut self, field: Field, known: &[&str]) {
        let mut warning = Warning::new(format!("{}: unknown key `{}`", self.source.location(field.key_at), field.key));
        if let Some(nearest) = closest(field.key, known.iter().copied()) {
            warning = warning.hint(format!("did you mean `{nearest}`?"));
        }
        self.warnings.push(warning);
    }

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
        for field in self.fields(field.pairs("a mapping of `before`, `after` and `env`")?)? {
            match field.key {
                "before" => hooks.before = field.texts()?,
                "after" => hooks.after = field.texts()?,
                "env" => hooks.env = token_variables(field)?,
                _ => self.warn_unknown_key(field, &["before", "after", "env"]),
            }
        }
        Ok(hooks)
    }

    pub(super) fn packages(&mut self, field: Field<'a>) -> anyhow::Result<IndexMap<String, Package>> {
        let fields = self.fields(field.pairs("a mapping of names to packages")?)?;
        fields.into_iter().map(|field| Ok((field.key.to_owned(), self.package(field)?))).collect()
    }

    fn package(&mut self, field: Field<'a>) -> anyhow::Result<Package> {
        let (name, mut package) = (field.key, Package::with_name(field.key));
        let mut file = None;
        for field in
            self.fields(field.pairs("a mapping of `paths`, `tag_prefix`, `file`, `versioning` and `version_files`")?)?
        {
            match field.key {
                "paths" => package.paths = field.texts()?,
                "tag_prefix" => package.tag_prefix = field.text()?.unwrap_or(package.tag_prefix),
                "file" => file = field.text()?,
                "versioning" => package.versioning = Some(versioning(field)?),
                "version_files" => package.version_files = self.version_files(field, Some(name))?,
                _ => self.warn_unknown_key(field, &["paths", "tag_prefix", "file", "versioning", "version_files"]),
            }
        }
        package.file = file
            .or_else(|| package.default_file())
            .ok_or_else(|| field.refusal("needs a `file`: none of its paths is a directory"))?;
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
                _ => self.warn_unknown_key(field, &["reference", "contributor"]),
            }
        }
        Ok(author)
    }

    pub(super) fn links(&mut self, field: Field<'a>) -> anyhow::Result<Vec<LinkRule>> {
        let fields = self.fields(field.pairs("a mapping of patterns to addresses")?)?;
        fields.into_iter().map(|field| self.link(field)).collect()
    }

    fn link(&self, field: Field<'a>) -> anyhow::Result<LinkRule> {
        let pattern = Pattern::parse(field.key).map_err(|why| {
            self.source.problem(field.key_at, &format!("`{}` is not a valid pattern: {why}", field.key))
        })?;
        let url = field.text()?.ok_or_else(|| field.type_mismatch("an address"))?;
        Ok(LinkRule::new(pattern, url).map_err(|why| field.refusal(&why).hint(GROUPS))?)
    }

    pub(super) fn replacements(&mut self, field: Field<'a>) -> anyhow::Result<Vec<TitleReplacement>> {
        field.elements()?.into_iter().map(|element| self.replacement(element)).collect()
    }

    fn replacement(&mut self, element: Field<'a>) -> anyhow::Result<TitleReplacement> {
        let (mut matched, mut with) = (None, String::new());
        for field in self.fields(element.pairs("a list of mappings, each with `match` and `with`")?)? {
            match field.key {
                "match" => matched = Some(pattern(field)?),
                "with" => with = field.text()?.unwrap_or_default(),
                _ => self.warn_unknown_key(field, &["match", "with"]),
            }
        }
        let pattern = matched.ok_or_else(|| element.refusal("needs a pattern in `match`"))?;
        Ok(TitleReplacement::new(pattern, with).map_err(|why| element.refusal(&why).hint(GROUPS))?)
    }

    pub(super) fn skip(&mut self, field: Field<'a>) -> anyhow::Result<Skip> {
        let mut skip = Skip::default();
        for field in self.fields(field.pairs("a mapping of `commits`, `authors`, `messages` and `released`")?)? {
            match field.key {
                "commits" => skip.commits = parse_each(field, commit)?,
                "authors" => skip.authors = field.texts()?,
                "messages" => skip.messages = parse_each(field, pattern)?,
                "released" if field.node.scalar() == Some(Scalar::Null) => skip.released = None,
                "released" => skip.released = Some(field.flag()?),
                _ => self.warn_unknown_key(field, &["commits", "authors", "messages", "released"]),
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
                _ => self.warn_unknown_key(field, &KEYS),
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

    /// Reads the types, which are the same in any case (conventionalcommits.org, 15).
    pub(super) fn types(&mut self, field: Field<'a>) -> anyhow::Result<IndexMap<String, Option<String>>> {
        let types = self.listed_categories(field, "a mapping of types to categories")?;
        Ok(types.into_iter().map(|(name, category)| (name.to_lowercase(), category)).collect())
    }

    /// Reads a mapping to categories; `none` is for what is not listed.
    pub(super) fn listed_categories(
        &mut self,
        field: Field<'a>,
        kind: &str,
    ) -> anyhow::Result<IndexMap<String, Option<String>>> {
        let fields = self.fields(field.pairs(kind)?)?;
        fields
            .into_iter()
            .map(|field| Ok((field.key.to_owned(), field.text()?.filter(|category| category != "none"))))
            .collect()
    }
}

pub(super) fn max_title(field: Field) -> anyhow::Result<Option<usize>> {
    let (Some(text), scalar) = (field.node.as_written(), field.node.scalar()) else {
        return Err(field.type_mismatch("a number").into());
    };
    if scalar == Some(Scalar::Null) {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| {
        field.refusal(&format!("must be a number of characters, not `{text}`")).hint("write 0 for no limit").into()
    })
}

pub(super) fn heading(field: Field) -> anyhow::Result<Option<HeadingRule>> {
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

pub(super) fn versioning(field: Field) -> anyhow::Result<Versioning> {
    let Some(text) = field.text()? else { return Ok(Versioning::default()) };
    Versioning::parse(&text).map_err(|why| {
        field.refusal(&why).hint("write `semver`, or parts of calver.org such as `YYYY.0M.MICRO`").into()
    })
}

/// Reads a text; a blank one is none.
pub(super) fn filled_text(field: Field) -> anyhow::Result<Option<String>> {
    Ok(field.text()?.filter(|text| !text.trim().is_empty()))
}

/// Reads the name of a trailer; a blank one is none.
pub(super) fn trailer(field: Field) -> anyhow::Result<Option<String>> {
    let name = filled_text(field)?;
    if name.as_ref().is_some_and(|name| !is_trailer_name(name)) {
        return Err(field.refusal(&format!("must be {TRAILER_NAME}")).into());
    }
    Ok(name)
}

/// What the name of a trailer is, in words.
pub(crate) const TRAILER_NAME: &str = "letters, digits and hyphens, the name before the colon, such as `Changelog`";

/// Whether git reads a name as that of a trailer: letters, digits and hyphens (git-interpret-trailers(1)).
pub(crate) fn is_trailer_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Reads the name of a tag, in which `{version}` stands for the version.
pub(super) fn tag(field: Field) -> anyhow::Result<Option<String>> {
    let name = filled_text(field)?;
    if name.as_ref().is_some_and(|name| name.matches("{version}").count() != 1) {
        return Err(field.refusal("must have `{version}` once, such as `v{version}`").into());
    }
    Ok(name)
}

/// Reads a semantic version.
pub(super) fn initial_version(field: Field) -> anyhow::Result<Option<semver::Version>> {
    let Some(text) = filled_text(field)? else { return Ok(None) };
    let parsed = text.parse().map_err(|_| field.refusal(&format!("must be a semantic version, not `{text}`")))?;
    Ok(Some(parsed))
}

const GROUPS: &str = "write `${1}` to separate a group from the text after it";

/// Reads each element of a list; null is an empty list.
fn parse_each<T>(field: Field, read: impl Fn(Field) -> anyhow::Result<T>) -> anyhow::Result<Vec<T>> {
    let elements = field.elements()?.into_iter();
    elements.filter(|element| element.node.scalar() != Some(Scalar::Null)).map(read).collect()
}

/// Reads the prefix of a commit ID as it is written: for YAML, `12345e7` is a number.
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

/// Reads the names of variables with a token.
fn token_variables(field: Field) -> anyhow::Result<Vec<String>> {
    let known: Vec<_> = Forge::token_variables().into_iter().map(|name| (name, Some(name))).collect();
    let named =
        field.elements()?.into_iter().map(|element| element.one_of(&known, None)).collect::<Result<Vec<_>, _>>()?;
    Ok(named.into_iter().flatten().map(str::to_owned).collect())
}
