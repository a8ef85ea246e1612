//! `tidings wiki`: the wiki pages of a group.

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
};

use anstyle::Style;
use anyhow::Context as _;
use serde_json::Value;

use super::{
    layout::{Column, left, print_table, text_at},
    resource::{Action, ActionArgs, Param, RequestContent, Resource},
    session::{Output, read_text},
};
use crate::{
    api::FilePart,
    model::{Problem, ProblemKind, printable},
};

const EXAMPLES: &str = "\
Examples:
  tidings wiki get docs/setup --group group > setup.md
  tidings wiki create docs/Setup setup.md --group group
  make notes | tidings wiki edit docs/setup --file - --group group
  tidings wiki upload diagram.png --group group    print the link for a page";

const READERS: &str = "a token with access to the group";
const EDITORS: &str = "the role Planner, or Developer and up, in the group";
const DELETERS: &str = "the role Planner, or Maintainer and up, in the group";

const PAGES: &str = "/groups/:id/wikis";
const PAGE: &str = "/groups/:id/wikis/:slug";

const SLUG: Style = Style::new().bold();
const COLUMNS: [Column; 3] = [left("SLUG", "slug"), left("FORMAT", "format"), left("TITLE", "title")];
const FIELDS: [Column; 2] = [left("slug", "slug"), left("format", "format")];
const TITLE: [&str; 2] = ["title", "slug"];

pub(crate) const RESOURCE: Resource = Resource {
    name: "wiki",
    about: "List, read and write the wiki pages of a group on the server",
    examples: EXAMPLES,
    of_project: false,
    note: "",
    actions,
};

fn actions() -> Vec<Action> {
    vec![
        Action::get("list", "List pages", PAGES, READERS)
            .params([group(), Param::flag("with-content", "Include the content of the pages")])
            .none("no pages")
            .text(pages),
        Action::get("get", "Print the content of a page", PAGE, READERS)
            .params([slug(), group(), Param::flag("render-html", "Print the page rendered as HTML"), version()])
            .bytes("content"),
        Action::post("create", "Create a page", PAGES, EDITORS)
            .params([
                Param::positional("title", "TITLE", "Title of the page, with its directory if any").filled(),
                Param::positional("content", "FILE", "File with the content; `-` is stdin"),
                group(),
                format("Markup of the page: markdown, rdoc, asciidoc or org [default: markdown]"),
            ])
            .complete(page_to_create)
            .card(&TITLE, &FIELDS),
        Action::put("edit", "Change title or content of a page", PAGE, EDITORS)
            .params([
                slug(),
                group(),
                Param::option("title", "TITLE", "New title; the slug of the page changes with it").filled(),
                Param::option("file", "FILE", "File with the new content; `-` is stdin").sends("content"),
                format("Markup of the page: markdown, rdoc, asciidoc or org"),
            ])
            .complete(read_content)
            .requires(
                &["title", "content"],
                "neither title nor content given for the page `{slug}`",
                "use `--title` or `--file`; `--markup` alone changes nothing",
            )
            .card(&TITLE, &FIELDS),
        Action::delete("delete", "Delete a page", PAGE, DELETERS)
            .params([slug(), group()])
            .confirm("delete the wiki page `{slug}` of {owner}")
            .done("deleted the wiki page `{slug}`"),
        upload(),
    ]
}

fn upload() -> Action {
    Action::post("upload", "Upload an attachment and print its Markdown link", "/groups/:id/wikis/attachments", EDITORS)
        .params([
            Param::positional("file", "FILE", "File to upload").local(),
            group(),
            Param::option("branch", "BRANCH", "Branch of the wiki repository [default: its default branch]"),
        ])
        .complete(attachment)
        .text(link)
}

fn group() -> Param {
    let param = Param::option("group", "ID|PATH", "Group of the wiki, by ID or full path");
    param.filled().sends("id").with(|arg| arg.required(true))
}

fn slug() -> Param {
    Param::positional("slug", "SLUG", "Slug of the page, such as docs/setup")
}

fn version() -> Param {
    Param::option("version", "SHA", "Show the page as of this commit of the wiki repository").parse(parse_sha)
}

fn format(help: &'static str) -> Param {
    Param::option("markup", "FORMAT", help).sends("format").parse(|text| {
        let known = ["markdown", "rdoc", "asciidoc", "org"].contains(&text);
        known.then(|| text.into()).ok_or("it must be markdown, rdoc, asciidoc or org")
    })
}

fn parse_sha(text: &str) -> Result<Value, &'static str> {
    let is_sha = (7..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_sha.then(|| text.into()).ok_or("it must be the ID of a commit: 7 to 64 hexadecimal digits")
}

fn page_to_create(args: &ActionArgs<'_>, draft: &mut RequestContent) -> anyhow::Result<()> {
    read_content(args, draft)?;
    if args.text("title").is_some_and(|title| title.trim().is_empty()) {
        return Err(Problem::usage("`title` must not be empty").into());
    }
    Ok(())
}

/// Replaces the name of a file by its content; `-` is stdin.
fn read_content(args: &ActionArgs<'_>, draft: &mut RequestContent) -> anyhow::Result<()> {
    let Some(file) = args.field("content") else { return Ok(()) };
    let file = Path::new(&file);
    let text = read_text(file).map_err(|error| match error.downcast::<Problem>() {
        Ok(problem) => problem.kind(ProblemKind::Usage).hint("use `tidings wiki upload` for other files").into(),
        Err(error) => error,
    })?;
    draft.set("content", Some(text));
    Ok(())
}

/// Sets the file to upload, and refuses a path that is not a file.
fn attachment(args: &ActionArgs<'_>, draft: &mut RequestContent) -> anyhow::Result<()> {
    let path = args.text("file").unwrap_or_default();
    let file = Path::new(&path);
    let metadata = fs::metadata(file).with_context(|| format!("cannot upload `{path}`"))?;
    let Some(name) = file.file_name().filter(|_| metadata.is_file()) else {
        return Err(Problem::usage(format!("`{path}` is not a file")).hint("upload one file at a time").into());
    };
    let name = name.to_string_lossy().into_owned();
    draft.upload = Some(FilePart { field: "file".to_owned(), name, path: file.to_owned() });
    Ok(())
}

/// Prints a table of pages, or each page after its slug.
fn pages(args: &ActionArgs<'_>, pages: &Value, out: &mut Output) -> io::Result<()> {
    let pages = pages.as_array().map(Vec::as_slice).unwrap_or_default();
    if !args.flag("with-content") {
        return print_table(&COLUMNS, pages, out);
    }
    for (index, page) in pages.iter().enumerate() {
        out.write_all(if index == 0 { b"" } else { b"\n" })?;
        writeln!(out, "{SLUG}{}{SLUG:#}", printable(&text_at(page, "slug").unwrap_or_default()))?;
        for line in text_at(page, "content").unwrap_or_default().lines() {
            writeln!(out, "{}", printable(line))?;
        }
    }
    Ok(())
}

/// Prints the link in Markdown, else the URL or path of the file.
fn link(_: &ActionArgs<'_>, attachment: &Value, out: &mut Output) -> io::Result<()> {
    let link = ["link.markdown", "link.url", "file_path"].iter().find_map(|path| text_at(attachment, path));
    writeln!(out, "{}", printable(&link.unwrap_or_default()))
}
