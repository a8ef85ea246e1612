//! `tidings wiki`: the wiki pages of a group.

mod content;
mod show;

use std::{io::Write as _, path::PathBuf};

use clap::{Args as ClapArgs, Subcommand, builder::NonEmptyStringValueParser};

use self::content::{check_attachment, read_content};
use super::{ConfirmArgs, Server, Session, WriteArgs};
use crate::{
    api::{
        Operation,
        wikis::{CreateWikiPage, DeleteWikiPage, EditWikiPage, GetWikiPage, ListWikiPages, Markup, UploadAttachment},
    },
    model::Problem,
};

/// List, read and write the wiki pages of a group on the server.
#[derive(ClapArgs, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

const EXAMPLES: &str = "\
Examples:
  tidings wiki get docs/setup --group group > setup.md
  tidings wiki create docs/Setup setup.md --group group
  make notes | tidings wiki edit docs/setup --file - --group group
  tidings wiki upload diagram.png --group group    prints the link for a page";

#[derive(Debug, Subcommand)]
enum Action {
    /// List the pages.
    List(List),
    /// Print the content of a page.
    Get(Get),
    /// Create a page.
    Create(Create),
    /// Change title or content of a page.
    Edit(Edit),
    /// Delete a page.
    Delete(Delete),
    /// Upload an attachment and print its Markdown link.
    Upload(Upload),
}

#[derive(ClapArgs, Debug)]
struct Group {
    /// The group on the server: its id or full path.
    #[arg(long, value_name = "ID|PATH", value_parser = NonEmptyStringValueParser::new())]
    group: String,
}

#[derive(ClapArgs, Debug)]
struct List {
    #[command(flatten)]
    of: Group,
    /// Include the content of the pages.
    #[arg(long)]
    with_content: bool,
}

#[derive(ClapArgs, Debug)]
struct Get {
    /// The page, such as docs/setup.
    slug: String,
    #[command(flatten)]
    of: Group,
    /// Print the page rendered as HTML.
    #[arg(long)]
    render_html: bool,
    /// Show the page as of this commit of the wiki repository.
    #[arg(long, value_name = "SHA", value_parser = parse_sha)]
    version: Option<String>,
}

#[derive(ClapArgs, Debug)]
struct Create {
    /// The title; folders in front make it a page of that folder.
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    title: String,
    /// The file with the content; `-` is stdin.
    file: PathBuf,
    #[command(flatten)]
    of: Group,
    /// What it is written in: markdown, rdoc, asciidoc or org; default: markdown.
    #[arg(long, value_name = "FORMAT")]
    markup: Option<Markup>,
    #[command(flatten)]
    write: WriteArgs,
}

#[derive(ClapArgs, Debug)]
struct Edit {
    /// The page, such as docs/setup.
    slug: String,
    #[command(flatten)]
    of: Group,
    /// New title; the slug of the page changes with it.
    #[arg(long, value_name = "TITLE", value_parser = NonEmptyStringValueParser::new())]
    title: Option<String>,
    /// The file with the new content; `-` is stdin.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// What it is written in: markdown, rdoc, asciidoc or org.
    #[arg(long, value_name = "FORMAT")]
    markup: Option<Markup>,
    #[command(flatten)]
    write: WriteArgs,
}

#[derive(ClapArgs, Debug)]
struct Delete {
    /// The page, such as docs/setup.
    slug: String,
    #[command(flatten)]
    of: Group,
    #[command(flatten)]
    destroy: ConfirmArgs,
}

#[derive(ClapArgs, Debug)]
struct Upload {
    /// The file.
    file: PathBuf,
    #[command(flatten)]
    of: Group,
    /// The branch of the wiki's repository; default: its default branch.
    #[arg(long, value_name = "BRANCH")]
    branch: Option<String>,
    #[command(flatten)]
    write: WriteArgs,
}

/// The operations of this area, with the command for each.
#[must_use]
pub fn operations() -> Vec<(&'static str, Operation)> {
    vec![
        ("wiki list", Operation::of::<ListWikiPages>()),
        ("wiki get", Operation::of::<GetWikiPage>()),
        ("wiki create", Operation::of::<CreateWikiPage>()),
        ("wiki edit", Operation::of::<EditWikiPage>()),
        ("wiki delete", Operation::of::<DeleteWikiPage>()),
        ("wiki upload", Operation::of::<UploadAttachment>()),
    ]
}

/// Runs `tidings wiki`.
///
/// # Errors
///
/// Where an argument is wrong, a file cannot be read, or the server refuses or cannot be reached.
pub fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let server = Server::of(session)?;
    match &args.action {
        Action::List(args) => list(&server, session, args),
        Action::Get(args) => get(&server, session, args),
        Action::Create(args) => create(&server, session, args),
        Action::Edit(args) => edit(&server, session, args),
        Action::Delete(args) => delete(&server, session, args),
        Action::Upload(args) => upload(&server, session, args),
    }
}

fn list(server: &Server, session: &mut Session, args: &List) -> anyhow::Result<()> {
    let with_content = args.with_content.then_some(true);
    let pages = server.send(&ListWikiPages { group: args.of.group.clone(), with_content })?;
    if pages.value.is_empty() {
        session.note("no pages");
    }
    session.answer(&pages.raw, |out| {
        if args.with_content { show::contents(&pages.value, out) } else { show::table(&pages.value, out) }
    })
}

fn get(server: &Server, session: &mut Session, args: &Get) -> anyhow::Result<()> {
    let endpoint = GetWikiPage {
        group: args.of.group.clone(),
        slug: args.slug.clone(),
        render_html: args.render_html.then_some(true),
        version: args.version.clone(),
    };
    let page = server.send(&endpoint)?;
    if session.json() {
        return session.out.json(&page.raw);
    }
    let mut out = session.out.bytes();
    out.write_all(page.value.content.unwrap_or_default().as_bytes())?;
    Ok(out.flush()?)
}

fn create(server: &Server, session: &mut Session, args: &Create) -> anyhow::Result<()> {
    let endpoint = CreateWikiPage {
        group: args.of.group.clone(),
        title: args.title.clone(),
        content: read_content(&args.file)?,
        format: args.markup,
    };
    if endpoint.title.trim().is_empty() {
        return Err(Problem::usage("`title` must not be empty").into());
    }
    let Some(page) = server.send_change(session, &endpoint, args.write)? else { return Ok(()) };
    session.answer(&page.raw, |out| show::card(&page.value, out))
}

fn edit(server: &Server, session: &mut Session, args: &Edit) -> anyhow::Result<()> {
    let endpoint = EditWikiPage {
        group: args.of.group.clone(),
        slug: args.slug.clone(),
        title: args.title.clone(),
        content: args.file.as_deref().map(read_content).transpose()?,
        format: args.markup,
    };
    if endpoint.is_empty() {
        let problem = Problem::usage(format!("neither title nor content given for the page `{}`", args.slug));
        return Err(problem.hint("give --title or --file; --markup goes along with one of them").into());
    }
    let Some(page) = server.send_change(session, &endpoint, args.write)? else { return Ok(()) };
    session.answer(&page.raw, |out| show::card(&page.value, out))
}

fn delete(server: &Server, session: &mut Session, args: &Delete) -> anyhow::Result<()> {
    let group = args.of.group.clone();
    let action = format!("delete the wiki page `{}` of `{group}`", args.slug);
    let endpoint = DeleteWikiPage { group, slug: args.slug.clone() };
    let Some(answer) = server.confirm_and_send(session, &endpoint, args.destroy, &action)? else { return Ok(()) };
    session.done(&answer.raw, &format!("deleted the wiki page `{}`", args.slug))
}

fn upload(server: &Server, session: &mut Session, args: &Upload) -> anyhow::Result<()> {
    let endpoint = UploadAttachment {
        group: args.of.group.clone(),
        name: check_attachment(&args.file)?,
        file: args.file.clone(),
        branch: args.branch.clone(),
    };
    let Some(attachment) = server.send_change(session, &endpoint, args.write)? else { return Ok(()) };
    session.answer(&attachment.raw, |out| show::link(&attachment.value, out))
}

fn parse_sha(text: &str) -> Result<String, String> {
    let is_sha = (7..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_sha {
        Ok(text.to_owned())
    } else {
        Err("it must be the id of a commit: 7 to 64 hexadecimal digits".to_owned())
    }
}
