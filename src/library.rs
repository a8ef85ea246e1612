//! The library: what a Rust program does with a repository and its changelog.

use std::{fmt, path::Path};

use crate::{
    config::HeadingRule,
    document,
    git::Repo,
    model::{self, Source, Version, hints, problem_kind, strftime},
    pipeline::{self, BumpOptions, ChangelogRequest, PackageDependencies, Scope, SectionInputs},
    template,
};

pub use crate::{
    document::Insertion,
    model::{
        Author, BumpLevel, Category, CommitLink, Date, Entry, MergeRequest, Problem, ProblemKind as ErrorKind,
        Reference, Release, ReleaseContributor, ReleaseDetails, SharedText, Statistics, Trailer, Trailers,
    },
};

/// The result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure: what went wrong, of which kind it is, and what can be done about it.
///
/// Its text is one line, safe to print; [`std::error::Error::source`] leads to the causes.
///
/// ```
/// let error = tidings::Repository::open("/no/such/directory").unwrap_err();
/// println!("error: {error}");
/// for hint in error.hints() {
///     println!("hint: {hint}");
/// }
/// ```
pub struct Error(anyhow::Error);

impl Error {
    /// Returns the kind of the failure, by which the program `tidings` chooses its exit code.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        problem_kind(&self.0)
    }

    /// Returns what a user can do about it, a sentence each.
    #[must_use]
    pub fn hints(&self) -> Vec<&str> {
        hints(&self.0)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}

impl From<anyhow::Error> for Error {
    fn from(error: anyhow::Error) -> Self {
        Self(error)
    }
}

impl From<model::Problem> for Error {
    fn from(problem: model::Problem) -> Self {
        Self(problem.into())
    }
}

/// A git repository on this machine.
///
/// ```no_run
/// let repository = tidings::Repository::open(".")?;
/// if let Some(version) = repository.next_version(&tidings::Options::new())?.version {
///     println!("{}", repository.section(&tidings::Options::new().version(&version))?);
/// }
/// # Ok::<(), tidings::Error>(())
/// ```
#[derive(Debug)]
pub struct Repository(Repo);

impl Repository {
    /// Opens the repository that a directory is in.
    ///
    /// # Errors
    /// If there is none, or if it belongs to somebody else (`safe.directory` in git-config(1)).
    pub fn open(directory: impl AsRef<Path>) -> Result<Self> {
        Ok(Self(Repo::discover(directory.as_ref())?))
    }

    /// Finds the tag that the section of a version starts after: the highest stable version below it. Without a version
    /// it is the last stable one.
    ///
    /// # Errors
    /// If there is no such tag, or if the tags belong to several packages and the options name none.
    pub fn base_tag(&self, options: &Options) -> Result<BaseTag> {
        let base = pipeline::base(&Scope::open(&self.0, options.request()?)?)?;
        Ok(BaseTag::new(&base))
    }

    /// Finds the next version: the last stable one, raised by what the changes after it ask for.
    ///
    /// # Errors
    /// If the range cannot be read, or if the tags belong to several packages and the options name none.
    pub fn next_version(&self, options: &Options) -> Result<NextVersion> {
        let scope = Scope::open(&self.0, options.request()?)?;
        let (next, _) =
            pipeline::next_version(scope.clone(), &PackageDependencies::new(&scope), &BumpOptions::default())?;
        let version = next.version.as_ref().map(ToString::to_string);
        Ok(NextVersion { version, level: next.level, base: next.base.as_ref().map(BaseTag::new) })
    }

    /// Makes the section of a version, or of the unreleased changes if the options have no version.
    ///
    /// # Errors
    /// If the configuration, the template or the range cannot be read.
    pub fn section(&self, options: &Options) -> Result<Section> {
        let changelog = SectionInputs::read(Scope::open(&self.0, options.request()?)?)?.changelog()?;
        Ok(Section { release: changelog.release, text: changelog.section, insertion: changelog.insertion })
    }
}

/// What a section, a base tag or a next version is asked for.
///
/// The configuration of the repository counts, as for the program; the options override it.
///
/// ```no_run
/// use tidings::{Options, Repository};
///
/// // The section of an old version, by another template.
/// let options = Options::new().version("1.3.0").from("v1.2.0").to("v1.3.0").template("keep-a-changelog");
/// println!("{}", Repository::open(".")?.section(&options)?);
/// # Ok::<(), tidings::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options {
    version: Option<String>,
    package: Option<String>,
    config_file: Option<String>,
    template: Option<String>,
    from: Option<String>,
    to: Option<String>,
    date: Option<Date>,
    is_first: bool,
}

impl Options {
    /// Creates options that override nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the version, such as `1.3.0`.
    #[must_use]
    pub fn version(self, version: impl Into<String>) -> Self {
        Self { version: Some(version.into()), ..self }
    }

    /// Chooses a package of the configuration.
    #[must_use]
    pub fn package(self, name: impl Into<String>) -> Self {
        Self { package: Some(name.into()), ..self }
    }

    /// Sets the path of the configuration file, from the current directory.
    #[must_use]
    pub fn config_file(self, path: impl Into<String>) -> Self {
        Self { config_file: Some(path.into()), ..self }
    }

    /// Sets the template: a built-in one (`section`, `keep-a-changelog`, `compact`, `github-release`) or the path of a
    /// file, from the current directory; Handlebars if it ends in `.hbs`.
    #[must_use]
    pub fn template(self, template: impl Into<String>) -> Self {
        Self { template: Some(template.into()), ..self }
    }

    /// Starts after this revision (gitrevisions(7)) instead of the base tag.
    #[must_use]
    pub fn from(self, revision: impl Into<String>) -> Self {
        Self { from: Some(revision.into()), ..self }
    }

    /// Ends at this revision instead of `HEAD`.
    #[must_use]
    pub fn to(self, revision: impl Into<String>) -> Self {
        Self { to: Some(revision.into()), ..self }
    }

    /// Sets the date of the heading; it is today's if none is set.
    #[must_use]
    pub fn date(self, date: Date) -> Self {
        Self { date: Some(date), ..self }
    }

    /// Takes the whole history, and looks for no base tag.
    #[must_use]
    pub fn first_release(self) -> Self {
        Self { is_first: true, ..self }
    }

    fn request(&self) -> Result<ChangelogRequest> {
        let mut request = ChangelogRequest::unreleased();
        request.version = self.version.as_deref().map(str::parse::<Version>).transpose()?;
        request.config_source.package.clone_from(&self.package);
        request.config_source.file.clone_from(&self.config_file);
        request.template.clone_from(&self.template);
        request.range.from.clone_from(&self.from);
        request.range.first_release = self.is_first;
        if let Some(to) = &self.to {
            (request.range.to, request.range.is_end_open) = (to.clone(), false);
        }
        if let Some(date) = self.date {
            (request.date, request.is_dated) = (date, true);
        }
        Ok(request)
    }
}

/// The tag that a section starts after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseTag {
    /// The name of the tag, such as `v1.2.0`.
    pub tag: String,
    /// Its version, such as `1.2.0`.
    pub version: String,
    /// The object ID of its commit, in hexadecimal digits.
    pub commit: String,
}

impl BaseTag {
    fn new(found: &pipeline::BaseTag) -> Self {
        Self { tag: found.tag.clone(), version: found.version.clone(), commit: found.commit.to_string() }
    }
}

/// The next version, and what it follows from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextVersion {
    /// The version; `None` if no unreleased change asks for a release.
    pub version: Option<String>,
    /// The level that the changes ask for.
    pub level: BumpLevel,
    /// The last stable tag; `None` for a first release.
    pub base: Option<BaseTag>,
}

/// The section of one version. It is displayed as `tidings show` prints it.
///
/// ```no_run
/// use tidings::{Options, Repository};
///
/// let section = Repository::open(".")?.section(&Options::new())?;
/// for category in &section.release().categories {
///     println!("{}: {}", category.title, category.entries.len());
/// }
/// # Ok::<(), tidings::Error>(())
/// ```
#[derive(Debug)]
pub struct Section {
    release: Release,
    text: model::Section,
    insertion: document::InsertOptions,
}

impl Section {
    /// Returns the version of the heading; `Unreleased` if there is none.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.text.version
    }

    /// Returns what is below the heading, as Markdown.
    #[must_use]
    pub fn body(&self) -> &str {
        &self.text.body
    }

    /// Returns the entries by category.
    #[must_use]
    pub fn release(&self) -> &Release {
        &self.release
    }
}

impl fmt::Display for Section {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.notes().fmt(out)
    }
}

/// A changelog file.
///
/// ```
/// let file = "# Changelog\n\n## [1.0.0] - 2026-01-05\n\n- One.\n";
/// let mut document = tidings::Document::parse(file);
/// document.insert_text("1.1.0", "2026-02-03".parse()?, "- Two.")?;
/// let text = String::from_utf8(document.into_bytes()).expect("it was text");
/// assert_eq!(text, "# Changelog\n\n## [1.1.0] - 2026-02-03\n\n- Two.\n\n## [1.0.0] - 2026-01-05\n\n- One.\n");
/// # Ok::<(), tidings::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document(document::Document);

impl Document {
    /// Parses a changelog; all bytes are valid.
    #[must_use]
    pub fn parse(bytes: impl Into<Vec<u8>>) -> Self {
        Self(document::Document::parse(bytes))
    }

    /// Inserts a section where its version belongs, in the form of the sections that are there. No other byte changes.
    ///
    /// # Errors
    /// If the file has another format, or holds the version already with other text.
    pub fn insert(&mut self, section: &Section) -> Result<Insertion> {
        Ok(self.0.insert(&section.text, Path::new("CHANGELOG.md"), &section.insertion)?)
    }

    /// Inserts a text as the section of a version.
    ///
    /// # Errors
    /// As those of [`Self::insert`].
    pub fn insert_text(&mut self, version: &str, date: Date, body: &str) -> Result<Insertion> {
        let body = body.trim().to_owned();
        let section = model::Section { version: version.to_owned(), date: Some(strftime(&date, "%Y-%m-%d")), body };
        let options = document::InsertOptions::new(HeadingRule::default(), date);
        Ok(self.0.insert(&section, Path::new("CHANGELOG.md"), &options)?)
    }

    /// Returns the bytes of the file.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.0.into_bytes()
    }
}

/// A template, which turns a release into the body of its section.
///
/// ```
/// let template = tidings::Template::handlebars("{{#each categories}}{{title}}\n{{/each}}")?;
/// assert_eq!(template.render(&tidings::Release::default())?, "");
/// # Ok::<(), tidings::Error>(())
/// ```
#[derive(Debug)]
pub struct Template(template::Template);

impl Template {
    /// Parses a template in GitLab's language.
    ///
    /// # Errors
    /// If it is malformed; the error shows the line.
    pub fn gitlab(text: &str) -> Result<Self> {
        Ok(Self(template::Template::parse(Source::new("template", text))?))
    }

    /// Parses a Handlebars template.
    ///
    /// # Errors
    /// If it is malformed; the error shows the line.
    pub fn handlebars(text: &str) -> Result<Self> {
        Ok(Self(template::Template::parse(Source::new("template.hbs", text))?))
    }

    /// Renders a release.
    ///
    /// # Errors
    /// If the template fails, takes more than two seconds, or writes more than 32 MiB.
    pub fn render(&self, release: &Release) -> Result<String> {
        Ok(self.0.render(release)?)
    }
}
