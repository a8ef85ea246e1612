//! Pages: by number, and by a token that names the row before.

use serde_json::Value;

use super::{response::Response, router::Ask};

/// The rows of a page by number, with `X-` headers and links.
pub fn offset(ask: &Ask<'_>, rows: &[Value]) -> Result<Response, Response> {
    let (page, size) = (number(ask, "page", 1)?, number(ask, "per_page", 20)?.min(100));
    let last = rows.len().div_ceil(size).max(1);
    let shown: Vec<Value> = rows.iter().skip((page - 1) * size).take(size).cloned().collect();
    let next = if page < last { (page + 1).to_string() } else { String::new() };
    let previous = if page > 1 { (page - 1).to_string() } else { String::new() };
    let link = |rel: &str, page: &str| format!("<{}>; rel=\"{rel}\"", address(ask, "page", page));
    let mut links = vec![link("first", "1"), link("last", &last.to_string())];
    links.extend(Some(&next).filter(|next| !next.is_empty()).map(|next| link("next", next)));
    Ok(Response::json(200, &Value::Array(shown))
        .header("X-Page", page)
        .header("X-Per-Page", size)
        .header("X-Next-Page", next)
        .header("X-Prev-Page", previous)
        .header("X-Total", rows.len())
        .header("X-Total-Pages", last)
        .header("Link", links.join(", ")))
}

/// The rows after `page_token`, with a link to the next ones; `key` names a row.
pub fn keyset(ask: &Ask<'_>, rows: &[Value], key: impl Fn(&Value) -> String) -> Result<Response, Response> {
    let size = number(ask, "per_page", 20)?.min(100);
    let begin = match ask.parameter("page_token") {
        Some(token) => rows.iter().position(|row| key(row) == token).map_or(rows.len(), |position| position + 1),
        None => 0,
    };
    let shown: Vec<Value> = rows.iter().skip(begin).take(size).cloned().collect();
    let last = shown.last().filter(|_| begin + size < rows.len()).map(key);
    let response = Response::json(200, &Value::Array(shown));
    Ok(match last {
        Some(token) => response.header("Link", format!("<{}>; rel=\"next\"", address(ask, "page_token", &token))),
        None => response,
    })
}

fn number(ask: &Ask<'_>, name: &str, default: usize) -> Result<usize, Response> {
    let Some(text) = ask.parameter(name) else { return Ok(default) };
    let invalid = || Response::error(400, &format!("{name} does not have a valid value"));
    text.parse().ok().filter(|number| *number > 0).ok_or_else(invalid)
}

/// The address asked for, with another value for one parameter.
fn address(ask: &Ask<'_>, name: &str, value: &str) -> String {
    let encode =
        |text: &str| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
    let mut query: Vec<_> = ask.request.query.iter().filter(|(present, _)| present != name).cloned().collect();
    query.push((name.to_owned(), value.to_owned()));
    let query: Vec<_> = query.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value))).collect();
    let host = ask.request.header("host").unwrap_or_default();
    format!("http://{host}{}?{}", ask.request.path, query.join("&"))
}
