//! `tidings api`: a request to any endpoint of the API, with the credentials, retries and errors of the other commands.

use std::{
    io::{self, Read, Write},
    path::{Path as FilePath, PathBuf},
};

use anyhow::Context as _;
use clap::Args as ClapArgs;
use serde_json::{Value, json};

use super::{
    Server, Session,
    session::{input_name, read_text},
};
use crate::{
    api::{ApiRequest, Body, Fields, FilePart, Headers, Method, Paging, Path, Refusal},
    model::Problem,
};

/// The largest JSON response that is formatted, in bytes; a larger one is printed as it is.
const LARGEST_DOCUMENT: u64 = 64 << 20;

/// Send a request to any endpoint of the server's API.
///
/// `:id` in the path is replaced by the project of `--project`. Fields are sent in the query of GET, HEAD and DELETE, and
/// in the body of other methods.
#[derive(ClapArgs, Debug)]
#[command(after_help = "Examples:\n  \
    tidings api GET projects/:id/labels --project group/app --paginate\n  \
    tidings api POST projects/:id/labels -f name=bug -f color=red\n  \
    tidings api POST groups/7/wikis/attachments -F file=@diagram.png")]
pub(crate) struct Args {
    /// Method of the request: GET, HEAD, POST, PUT, PATCH or DELETE.
    method: Method,
    /// Path relative to /api/v4, percent-encoded; can have a query.
    path: String,
    /// Field of the request; can be repeated.
    #[arg(short, long = "field", value_name = "KEY=VALUE", value_parser = parse_field)]
    fields: Vec<(String, String)>,
    /// Field of a multipart form; `@FILE` uploads the file; can be repeated.
    #[arg(short = 'F', long = "form", value_name = "KEY=VALUE|KEY=@FILE", value_parser = parse_field)]
    form: Vec<(String, String)>,
    /// Send FILE as the JSON body; `-` is stdin.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fields", "form"])]
    json: Option<PathBuf>,
    /// Fetch all pages of a list.
    #[arg(long)]
    paginate: bool,
    /// Print status and headers before the response.
    #[arg(short, long, conflicts_with = "paginate")]
    include: bool,
    /// Print the request that would be sent, and send nothing.
    #[arg(short = 'n', long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let server = Server::from_session(session)?;
    let request = request(args, &server)?;
    if args.dry_run {
        return server.show(session, &request);
    }
    if args.paginate {
        return paginate(args, session, &server, request);
    }
    let mut stream = match server.client().open_request(&request) {
        Ok(stream) => stream,
        Err(error) => {
            if let Some(Refusal { status, headers, body }) = error.refusal() {
                print(args, session, *status, headers, true, &mut body.as_bytes())?;
            }
            return Err(error.into());
        }
    };
    let (status, headers) = (stream.response.status, stream.response.headers.clone());
    let is_json = headers.get("content-type").is_some_and(|kind| kind.contains("json"));
    print(args, session, status, &headers, is_json, &mut stream)
        .with_context(|| format!("cannot print the response to `{}`", request.name()))
}

fn request(args: &Args, server: &Server) -> anyhow::Result<ApiRequest> {
    let (path, query) = args.path.split_once('?').unwrap_or((&args.path, ""));
    let below = path.trim_start_matches('/').strip_prefix("api/v4/").unwrap_or(path);
    let mut path = Path::parse(below)?;
    if below.split('/').any(|segment| segment == ":id") {
        if !below.trim_start_matches('/').starts_with("projects/:id") {
            let problem = Problem::usage("`:id` is the project of `--project`, and must be after `projects/`");
            return Err(problem.hint("write the ID or encoded path of other resources, such as `groups/7`").into());
        }
        path = path.fill("id", server.project()?);
    }
    let request = ApiRequest::new(args.method, path).query(Fields::parse(query));
    let fields = args.fields.iter().fold(Fields::new(), |fields, (name, value)| fields.add(name, value));
    let body = match (&args.json, args.form.is_empty()) {
        (Some(file), _) => Body::Json(document(file)?),
        (None, false) => multipart(fields, &args.form)?,
        (None, true) if fields.is_empty() => Body::None,
        (None, true) if args.method.is_read() || args.method == Method::Delete => {
            let query = request.query.clone().and(fields);
            return Ok(request.query(query));
        }
        (None, true) => Body::Form(fields),
    };
    if args.method.is_read() && body != Body::None {
        return Err(Problem::usage(format!("{} cannot have a body", args.method))
            .hint("use `-f` for the query")
            .into());
    }
    Ok(request.body(body))
}

fn document(file: &FilePath) -> anyhow::Result<Value> {
    serde_json::from_str(&read_text(file)?).with_context(|| format!("cannot read the JSON of `{}`", input_name(file)))
}

fn multipart(fields: Fields, form: &[(String, String)]) -> anyhow::Result<Body> {
    let (files, plain): (Vec<_>, Vec<_>) = form.iter().partition(|(_, value)| value.starts_with('@'));
    let fields = plain.into_iter().fold(fields, |fields, (name, value)| fields.add(name, value));
    let [(name, value)] = files.as_slice() else {
        return Err(Problem::usage("`-F` needs exactly one file").hint("use it as in `-F file=@diagram.png`").into());
    };
    let path = PathBuf::from(&value[1..]);
    let file_name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Body::Multipart { fields, file: FilePart { field: name.clone(), name: file_name, path } })
}

fn paginate(args: &Args, session: &mut Session, server: &Server, request: ApiRequest) -> anyhow::Result<()> {
    if args.method != Method::Get {
        return Err(Problem::usage(format!("`--paginate` cannot be used with {}", args.method)).into());
    }
    let mut count = 0;
    for page in server.client().pages(request, Paging::default()) {
        let rows = page?.rows;
        session.out.json_elements(count, Some(&rows))?;
        count += rows.len();
    }
    session.out.json_elements(count, None)
}

/// Prints the head of a response if requested, and its body: JSON is formatted, anything else is printed as it is.
fn print(
    args: &Args,
    session: &mut Session,
    status: u16,
    headers: &Headers,
    is_json: bool,
    body: &mut dyn Read,
) -> anyhow::Result<()> {
    let mut head = Vec::new();
    if is_json {
        body.take(LARGEST_DOCUMENT).read_to_end(&mut head)?;
    }
    let document = serde_json::from_slice::<Value>(&head).ok();
    if args.include && session.json() {
        let headers: Value = headers.iter().map(|(name, value)| (name.to_owned(), json!(value))).collect();
        return session.out.json(&json!({"status": status, "headers": headers, "body": document}));
    }
    if args.include {
        write_head(&mut session.out, status, headers)?;
    }
    if let Some(document) = document {
        return session.out.json(&document);
    }
    session.out.bytes().write_all(&head)?;
    let more = io::copy(body, &mut session.out.bytes())?;
    if head.is_empty() && more == 0 && !args.include && status < 400 {
        session.note(&format!("the server responded with {status} and no body"));
    }
    Ok(())
}

fn write_head(out: &mut impl Write, status: u16, headers: &Headers) -> io::Result<()> {
    writeln!(out, "HTTP {status}")?;
    for (name, value) in headers.iter() {
        writeln!(out, "{name}: {value}")?;
    }
    writeln!(out)
}

fn parse_field(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or("it must be KEY=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}
