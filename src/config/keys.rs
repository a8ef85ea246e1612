//! The keys of the configuration, and what each sets in [`Config`].

use std::collections::HashSet;

use indexmap::IndexMap;

use super::{
    AuthorRule, Config, EntriesPerCommit, EntryOrder, EntryRule, EntrySource, HeadingRule, LabelRules, LinkRule,
    Package, Pattern, ReleaseHooks, Skip, TitleReplacement,
    extends::{ConfigFile, EXTENDS},
    field::{self, Field},
    rules::MIN_DIGITS,
    source_key::{list_labelled, set_source},
    yaml::{Node, Scalar, Value},
};
use crate::model::{BumpLevel, Forge, Source, Warning, closest};

pub(super) const KEYS: [&str; 49] = [
    EXTENDS,
    "categories",
    "source",
    "types",
    "labels",
    "match",
    "other",
    "trailers_in",
    "skip",
    "links",
    "replace",
    "forge",
    "template",
    "template_file",
    "entry",
    "first_release",
    "date_format",
    "long_titles",
    "bodies",
    "sort",
    "group_by",
    "tag_regex",
    "tag_prefix",
    "paths",
    "file",
    "heading",
    "unreleased",
    "packages",
    "groups",
    "include_groups",
    "authors",
    "repeated_trailers",
    "entries_per_commit",
    "bump",
    "versioning",
    "version_files",
    "dependents",
    "hooks",
    "max_title",
    "message",
    "remote",
    "sign",
    "commit_through_api",
    "assets",
    "comment_on_requests",
    "draft",
    "prerelease",
    "latest",
    "discussion_category",
];

/// Reads the configuration from a file, which is empty or a mapping, and those that it extends.
pub(super) fn read(files: &[ConfigFile], is_gitlab_file: bool) -> anyhow::Result<(Config, Vec<Warning>)> {
    let mut fields: Vec<Field> = Vec::new();
    let mut warnings = Vec::new();
    for ConfigFile { source, document } in files {
        let mut reader = ConfigReader { source, warnings: Vec::new() };
        let own = document.as_ref().map_or(Ok(Vec::new()), |document| reader.document(document))?;
        let known: HashSet<&str> = fields.iter().map(|field| field.key).collect();
        fields.extend(own.into_iter().filter(|field| !known.contains(field.key)));
        warnings.append(&mut reader.warnings);
    }
    let mut reader = ConfigReader { source: &files[0].source, warnings };
    let heading = if is_gitlab_file { HeadingRule::GitLabFirst } else { HeadingRule::File };
    // GitLab reads only trailers.
    let source_of_entries = if is_gitlab_file { EntrySource::Trailers } else { EntrySource::Auto };
    let mut config = Config { heading, is_gitlab_file, source: source_of_entries, ..Config::default() };
    // GitLab leaves all text of a file where it is.
    config.keeps_unreleased = is_gitlab_file;
    for field in &fields {
        reader.source = field.source;
        reader.apply(&mut config, *field)?;
    }
    if let Some(field) = fields.iter().find(|field| field.key == "labels") {
        list_labelled(&mut config, *field)?;
    }
    if let Some(field) = fields.iter().find(|field| field.key == "groups") {
        ConfigReader::check_groups(&config, *field)?;
    }
    Ok((config, reader.warnings))
}

pub(super) struct ConfigReader<'a> {
    /// The file of the field that is read.
    pub(super) source: &'a Source,
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
            // The files that it names are read already.
            EXTENDS => {}
            "categories" => config.categories = self.categories(field)?,
            "template" => config.template = field.source_text()?,
            "template_file" => config.template_file = field.text()?,
            "entry" => config.entry_templates = self.entry_templates(field)?,
            "first_release" => config.first_release = field.source_text()?,
            "date_format" => config.date_format = field.text()?,
            "sort" => config.entry_order = field.one_of(&EntryOrder::NAMES, EntryOrder::default())?,
            "group_by" => config.groups_by_scope = field.one_of(&[("category", false), ("scope", true)], false)?,
            "bodies" => config.has_bodies = field.flag()?,
            "long_titles" => config.cuts_titles = field.one_of(&[("cut", Some(true)), ("whole", Some(false))], None)?,
            "forge" => config.forge = field.one_of(&Forge::words().map(|(word, forge)| (word, Some(forge))), None)?,
            "tag_regex" => config.tag_regex = field.text()?,
            "tag_prefix" => config.tag_prefix = field.text()?,
            "paths" => config.paths = field.texts()?,
            "file" => config.file = field.text()?,
            "heading" => config.heading = heading(field)?.unwrap_or(config.heading.clone()),
            "unreleased" => {
                config.keeps_unreleased = field.one_of(&[("keep", true), ("move", false)], config.is_gitlab_file)?;
                config.adds_unreleased = !config.keeps_unreleased;
            }
            "include_groups" => config.include_groups = field.texts()?,
            "authors" => config.authors = self.authors(field)?,
            "repeated_trailers" => {
                config.takes_repeated_trailers = field.one_of(&[("last", false), ("all", true)], false)?;
            }
            "entries_per_commit" => {
                config.entries_per_commit = field.one_of(&EntriesPerCommit::NAMES, EntriesPerCommit::default())?;
            }
            "bump" => config.bump = self.bump(field)?,
            "source" => set_source(config, field)?,
            "max_title" => config.max_title = max_title(field)?,
            "match" => config.rules = self.rules(field)?,
            "other" => config.other = field.title()?,
            "trailers_in" => config.trailers_in_any_line = field.one_of(&[("last", false), ("any", true)], false)?,
            "skip" => config.skip = self.skip(field)?,
            "links" => config.links = self.links(field)?,
            "replace" => config.replacements = self.replacements(field)?,
            "types" => config.types = self.types(field)?,
            "labels" => {
                config.labels =
                    LabelRules::from_categories(self.listed_categories(field, "a mapping of labels to categories")?);
            }
            _ if self.apply_release(config, field)? => {}
            _ => self.warn_unknown_key(field, &KEYS),
        }
        Ok(())
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
        for field in self.fields(field.pairs("a mapping of `before` and `after`")?)? {
            match field.key {
                "before" => hooks.before = field.texts()?,
                "after" => hooks.after = field.texts()?,
                _ => self.warn_unknown_key(field, &["before", "after"]),
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
        for field in self.fields(field.pairs("a mapping of `paths`, `tag_prefix`, `file` and `version_files`")?)? {
            match field.key {
                "paths" => package.paths = field.texts()?,
                "tag_prefix" => package.tag_prefix = field.text()?.unwrap_or(package.tag_prefix),
                "file" => file = field.text()?,
                "version_files" => package.version_files = self.version_files(field, Some(name))?,
                _ => self.warn_unknown_key(field, &["paths", "tag_prefix", "file", "version_files"]),
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
        let category = |category: Option<String>| category.filter(|category| category != "none");
        fields.into_iter().map(|field| Ok((field.key.to_owned(), category(field.text()?)))).collect()
    }
}

fn max_title(field: Field) -> anyhow::Result<Option<usize>> {
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
