//! Wiki pages of a group.

use std::{path::PathBuf, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::api::{Body, Endpoint, FieldValue, Fields, FilePart, Method, Path};

const READERS: &str = "a token of somebody who may see the group";
const EDITORS: &str = "the role Planner, or Developer and up, in the group";

/// A page. Its content is there only where it was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct WikiPage {
    /// What it is called in paths, folders in front: unique in its wiki.
    pub slug: String,
    /// The title.
    pub title: Option<String>,
    /// The language it is written in; pages pushed by git may have others than [`Markup`] names.
    pub format: Option<String>,
    /// The text as it was written, or as HTML where that was asked for.
    pub content: Option<String>,
    /// The encoding of the text in the wiki's repository.
    pub encoding: Option<String>,
}

/// A file that was uploaded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Attachment {
    /// Its name, as the service cleaned it.
    pub file_name: Option<String>,
    /// Where it lies in the wiki's repository.
    pub file_path: Option<String>,
    /// The branch it lies on.
    pub branch: Option<String>,
    /// How pages refer to it.
    pub link: Option<AttachmentLink>,
}

/// How pages refer to a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct AttachmentLink {
    /// The address within the wiki.
    pub url: Option<String>,
    /// A link, or for an image the image itself, in Markdown.
    pub markdown: Option<String>,
}

/// The language a page is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markup {
    /// Markdown, which the service takes unless told otherwise.
    Markdown,
    /// Ruby's documentation format.
    Rdoc,
    /// `AsciiDoc`.
    Asciidoc,
    /// That of Emacs' Org mode.
    Org,
}

impl Markup {
    const NAMES: [(&str, Self); 4] =
        [("markdown", Self::Markdown), ("rdoc", Self::Rdoc), ("asciidoc", Self::Asciidoc), ("org", Self::Org)];
}

impl FromStr for Markup {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Self::NAMES.into_iter().find(|(name, _)| *name == text);
        known.map(|(_, markup)| markup).ok_or("it must be markdown, rdoc, asciidoc or org")
    }
}

impl FieldValue for Markup {
    fn text(&self) -> Option<String> {
        Self::NAMES.iter().find(|(_, markup)| markup == self).map(|(name, _)| (*name).to_owned())
    }
}

fn pages(group: &str) -> Path {
    Path::root("groups").arg("id", group).lit("wikis")
}

fn page(group: &str, slug: &str) -> Path {
    pages(group).arg("slug", slug)
}

/// `GET /groups/:id/wikis`, which comes whole rather than in pages.
#[derive(Clone, Debug, Default)]
pub struct ListWikiPages {
    /// Id or path.
    pub group: String,
    /// Whether the content of the pages is wanted.
    pub with_content: Option<bool>,
}

impl Endpoint for ListWikiPages {
    type Output = Vec<WikiPage>;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = READERS;

    fn path(&self) -> Path {
        pages(&self.group)
    }

    fn query(&self) -> Fields {
        Fields::new().add("with_content", self.with_content)
    }
}

/// `GET /groups/:id/wikis/:slug`
#[derive(Clone, Debug, Default)]
pub struct GetWikiPage {
    /// Id or path.
    pub group: String,
    /// The page, folders and all, not escaped.
    pub slug: String,
    /// Whether the content is wanted as HTML.
    pub render_html: Option<bool>,
    /// The page as of this commit of the wiki's repository.
    pub version: Option<String>,
}

impl Endpoint for GetWikiPage {
    type Output = WikiPage;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = READERS;

    fn path(&self) -> Path {
        page(&self.group, &self.slug)
    }

    fn query(&self) -> Fields {
        Fields::new().add("render_html", self.render_html).add("version", &self.version)
    }
}

/// `POST /groups/:id/wikis`
#[derive(Clone, Debug, Default)]
pub struct CreateWikiPage {
    /// Id or path.
    pub group: String,
    /// The title; folders in it become folders of the slug.
    pub title: String,
    /// The text.
    pub content: String,
    /// What it is written in; Markdown unless it is said.
    pub format: Option<Markup>,
}

impl Endpoint for CreateWikiPage {
    type Output = WikiPage;
    const METHOD: Method = Method::Post;
    const REQUIRED_ACCESS: &'static str = EDITORS;

    fn path(&self) -> Path {
        pages(&self.group)
    }

    fn body(&self) -> Body {
        Body::Form(Fields::new().add("title", &self.title).add("content", &self.content).add("format", self.format))
    }
}

/// `PUT /groups/:id/wikis/:slug`
#[derive(Clone, Debug, Default)]
pub struct EditWikiPage {
    /// Id or path.
    pub group: String,
    /// The page.
    pub slug: String,
    /// New title, which moves the page.
    pub title: Option<String>,
    /// Another text.
    pub content: Option<String>,
    /// What it is written in.
    pub format: Option<Markup>,
}

impl EditWikiPage {
    /// Whether it has neither title nor content, one of which the service wants.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.title.is_none() && self.content.is_none()
    }
}

impl Endpoint for EditWikiPage {
    type Output = WikiPage;
    const METHOD: Method = Method::Put;
    const REQUIRED_ACCESS: &'static str = EDITORS;

    fn path(&self) -> Path {
        page(&self.group, &self.slug)
    }

    fn body(&self) -> Body {
        Body::Form(Fields::new().add("title", &self.title).add("content", &self.content).add("format", self.format))
    }
}

/// `DELETE /groups/:id/wikis/:slug`
#[derive(Clone, Debug, Default)]
pub struct DeleteWikiPage {
    /// Id or path.
    pub group: String,
    /// The page.
    pub slug: String,
}

impl Endpoint for DeleteWikiPage {
    type Output = ();
    const METHOD: Method = Method::Delete;
    const REQUIRED_ACCESS: &'static str = "the role Planner, or Maintainer and up, in the group";

    fn path(&self) -> Path {
        page(&self.group, &self.slug)
    }
}

/// `POST /groups/:id/wikis/attachments`
#[derive(Clone, Debug, Default)]
pub struct UploadAttachment {
    /// Id or path.
    pub group: String,
    /// The name the file shall have; the service cleans it.
    pub name: String,
    /// Where the file lies.
    pub file: PathBuf,
    /// The branch of the wiki's repository; its default branch unless it is said.
    pub branch: Option<String>,
}

impl Endpoint for UploadAttachment {
    type Output = Attachment;
    const METHOD: Method = Method::Post;
    const REQUIRED_ACCESS: &'static str = EDITORS;

    fn path(&self) -> Path {
        pages(&self.group).lit("attachments")
    }

    fn body(&self) -> Body {
        let file = FilePart { field: "file".to_owned(), name: self.name.clone(), path: self.file.clone() };
        Body::Multipart { fields: Fields::new().add("branch", &self.branch), file }
    }
}
