//! The changelog of one version: the release that is made of its history, and the section of that.

use std::borrow::Cow;

use indexmap::IndexMap;

use crate::{
    config::Config,
    document::InsertOptions,
    git,
    model::{Category, Commit, Entry, Person, Release, ReleaseDetails, Section, strftime},
    pipeline::{base::base_tag::BaseTag, changes::history::History, scope::request::ChangelogRequest},
    sources::{
        authors::AuthorResolver,
        categories::category_titles,
        change_files::{CHANGED, change_categories},
        entries::EntryBuilder,
        entry_order::arrange,
    },
    version_files::workspace::Update,
};

/// A section, and the release it was rendered from.
#[derive(Debug)]
pub(crate) struct Changelog<'r> {
    /// The commits it was made of.
    pub history: History<'r>,
    /// The entries by category.
    pub release: Release,
    /// The rendered section.
    pub section: Section,
    /// How the section is inserted into the changelog file.
    pub(crate) insertion: InsertOptions,
}

/// Makes the release of a history: its entries by category. The text of the commits goes into the entries.
///
/// # Errors
/// If commits that a merge request merged cannot be fetched.
pub(crate) fn release(history: &mut History) -> anyhow::Result<Release> {
    let mut whole = history.take_whole_commits();
    credit_merged(history, &mut whole)?;
    let history = &*history;
    let (request, project, config) = (&history.scope.request, history.project(), history.config());
    let mailmap = history.scope.mailmap();
    let people = AuthorResolver { known: &config.authors, project };
    let author = |person: &Person| people.author(&mailmap.resolve(person));
    let requests = history.merge_requests();
    let builder = EntryBuilder { project, author: &author, config };
    let (titles, base) = (titles(history), history.start.base());
    let mut categories = builder.categories(history.commits(), whole, &requests, &titles);
    if let Some(files) = &history.changes {
        let config = files.with_own_titles(config);
        let further = change_categories(&builder, &files.changes, &config, files.names_packages);
        categories = merge_categories(categories, further);
    }
    Ok(Release {
        version: request.version.as_ref().map_or_else(|| UNRELEASED.to_owned(), ToString::to_string),
        date: strftime(&request.date, config.date_format()),
        previous_version: base.map(|base| base.version.clone()),
        compare_url: base.and_then(|base| project.compare_url(&base.tag, &tag(request, Some(base), config)?)),
        project: (!project.path().is_empty()).then(|| project.path().to_owned()),
        categories: arrange(with_updates(history, categories, &titles), config),
        details: ReleaseDetails::default(),
    })
}

/// Makes those who wrote the commits of a listed merge request the authors of its merge, which a maintainer or a bot made.
/// A merge that a trailer lists keeps its author, as on GitLab.
fn credit_merged(history: &History, whole: &mut [Option<Box<Commit>>]) -> anyhow::Result<()> {
    let mut listed: Vec<&mut Commit> = history
        .commits()
        .iter()
        .zip(whole)
        .filter(|(classified, _)| classified.is_merge && classified.classification.is_listed())
        .filter(|(classified, _)| !classified.has_trailer && classified.merge_request().is_some())
        .filter_map(|(_, commit)| commit.as_deref_mut())
        .collect();
    if listed.is_empty() || history.scope.writes_as_gitlab() {
        return Ok(());
    }
    let (repo, range) = (history.scope.repo, history.scope.range(history.start.commit()));
    let merges: Vec<_> = listed.iter().map(|commit| commit.id).collect();
    for (commit, author) in listed.iter_mut().zip(git::people::merged_authors(repo, range, &merges)?) {
        if let Some(author) = author {
            commit.author = author;
        }
    }
    Ok(())
}

/// Adds the entries of further categories to those of the same title, and the others below.
fn merge_categories(mut categories: Vec<Category>, further: Vec<Category>) -> Vec<Category> {
    for added in further {
        match categories.iter_mut().find(|known| known.title == added.title) {
            Some(known) => {
                let entries = std::mem::take(&mut known.entries);
                *known = Category::new(added.title, entries.into_iter().chain(added.entries).collect());
            }
            None => categories.push(added),
        }
    }
    categories
}

/// Returns the titles of categories in their order: as the changelog file has them, unless the configuration or GitLab's
/// rule says otherwise.
fn titles<'h>(history: &'h History) -> Cow<'h, IndexMap<String, String>> {
    let scope = &history.scope;
    let is_as_on_gitlab = scope.writes_as_gitlab();
    let style = if is_as_on_gitlab || !scope.leaves_text() { None } else { scope.entry_style() };
    let config = scope.config();
    let mut titles = category_titles(config, is_as_on_gitlab, style.map_or(&[], |style| &style.titles));
    if let Some(style) = style.filter(|_| config.categories.is_empty()) {
        for (category, title) in titles.to_mut() {
            if !style.titles.iter().any(|(known, _)| known == category) {
                *title = style.worded(category, title);
            }
        }
    }
    titles
}

/// Adds an entry for each member whose new version the package must require; the entry's commit is the released one.
fn with_updates(history: &History, mut categories: Vec<Category>, titles: &IndexMap<String, String>) -> Vec<Category> {
    let request = &history.scope.request;
    let files = history.changes.as_ref().and_then(|changes| changes.files.as_ref());
    let (name, usual) = files.map_or(CHANGED, |files| files.update_category);
    let entry = |update: &Update| Entry {
        title: format!("Update `{}` to {}", update.member, update.version),
        category: name.to_owned(),
        commit: history.project().commit(history.scope.to),
        ..Entry::default()
    };
    if request.updates.is_empty() {
        return categories;
    }
    let title = titles.get(name).map_or(usual, String::as_str);
    let known = categories.iter().position(|category| category.title == title);
    let mut entries = known.map(|index| std::mem::take(&mut categories[index].entries)).unwrap_or_default();
    entries.extend(request.updates.iter().map(entry));
    let category = Category::new(title.to_owned(), entries);
    match known {
        Some(index) => categories[index] = category,
        None => categories.push(category),
    }
    categories
}

/// Returns the tag that the version of a request has or will have.
fn tag(request: &ChangelogRequest, base: Option<&BaseTag>, config: &Config) -> Option<String> {
    let version = request.version.as_ref()?;
    let given = request.tag.clone();
    Some(given.or_else(|| BaseTag::next(base, config, version)).unwrap_or_else(|| version.as_given().to_owned()))
}

impl Changelog<'_> {
    /// Returns the tag that the version has or will have; `None` for unreleased changes.
    pub(crate) fn tag(&self) -> Option<String> {
        let History { scope, start, .. } = &self.history;
        tag(&scope.request, start.base(), scope.config())
    }
}

/// The heading of a section that has no version yet.
pub(crate) const UNRELEASED: &str = "Unreleased";
