//! Addresses of servers and remotes, as far as they may be shown: without accounts and tokens, in all forms that git
//! accepts (git-fetch(1), GIT URLS).

use std::{borrow::Cow, net::IpAddr};

use percent_encoding::percent_decode_str;

/// The text that replaces a secret.
const MASK: &str = "[masked]";

/// Names of query parameters that carry tokens.
const TOKEN_PARAMETERS: [&str; 3] = ["private_token", "access_token", "job_token"];

/// Whether a host, without a port and without brackets, is this machine.
pub(crate) fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Returns what of the address of a remote may be shown: scheme, host, port and path, and the user of ssh, who has keys
/// instead of tokens. Any other account, the query and the fragment may be secrets, whatever their names. A local path
/// is returned as it is.
pub(crate) fn public_address(address: &str) -> String {
    if let Some(helper) = remote_helper(address) {
        return format!("{helper}::{MASK}");
    }
    let shown = strip_account(address);
    if !is_on_server(&shown) {
        return shown;
    }
    shown[..shown.find(['?', '#']).unwrap_or(shown.len())].to_owned()
}

/// Returns the account, the query and the fragment of an address, which programs that are given the address may repeat; of
/// one for a helper all of it, and then these parts, since git repeats addresses without the account.
pub(crate) fn secret_parts(address: &str) -> Vec<&str> {
    if let Some(helper) = remote_helper(address) {
        let command = &address[helper.len() + "::".len()..];
        return Some(command).filter(|command| !command.is_empty()).into_iter().chain(secret_parts(command)).collect();
    }
    let start = address.find(['?', '#']).filter(|_| is_on_server(address));
    let end = start.map(|start| &address[start..]).filter(|end| end.len() > 1);
    end.into_iter().chain(secret_account(address)).collect()
}

/// Returns the account of a URL with the sign after it, if it may not be shown.
fn secret_account(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once("://")?;
    let end = rest[..rest.find('/').unwrap_or(rest.len())].rfind('@')?;
    Some(&rest[..=end]).filter(|account| !public_address(address).contains(account))
}

/// Returns the name of the remote helper of an address such as `ext::COMMAND` (gitremote-helpers(7)).
pub(super) fn remote_helper(address: &str) -> Option<&str> {
    let (name, _) = address.split_once("::")?;
    (!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-".contains(&byte))).then_some(name)
}

/// Whether an address has a scheme other than `file`, or the short form `host:path`.
fn is_on_server(address: &str) -> bool {
    match address.split_once("://") {
        Some((scheme, _)) => !scheme.eq_ignore_ascii_case("file"),
        None => address.split_once(':').is_some_and(|(host, _)| host.len() > 1 && !host.contains('/')),
    }
}

/// Removes user and password from every address in a text, in all forms that git accepts, and masks tokens in queries.
pub(crate) fn mask_credentials(text: &str) -> String {
    let is_end = |letter: char| letter.is_whitespace() || matches!(letter, '\'' | '"' | '`');
    let mask = |piece: &str| {
        let address = piece.trim_end_matches(is_end);
        format!("{}{}", mask_query(&strip_account(address)), &piece[address.len()..])
    };
    if text.contains(['@', '?']) { text.split_inclusive(is_end).map(mask).collect() } else { text.to_owned() }
}

/// Removes `user:password@` from URLs one after another, or from the short form `user:password@host:path`.
fn strip_account(address: &str) -> String {
    let end = address.find("://").map(|colon| colon + "://".len()).or_else(|| misspelt_start(address));
    let Some(end) = end else { return short_form(address).to_owned() };
    let (scheme, rest) = address.split_at(end);
    let authority = &rest[..rest.find('/').unwrap_or(rest.len())];
    let account = match authority.split_once(':') {
        // If the port is not a number, the text before `@` is a user and a password that contains a slash.
        Some((host, port))
            if !authority.contains('@')
                && !host.starts_with('[')
                && !port.starts_with(|letter: char| letter.is_ascii_digit()) =>
        {
            rest.rfind('@')
        }
        _ => authority.rfind('@'),
    };
    let start = account.map_or(0, |at| at + 1);
    // The user may be a token only over HTTP.
    let is_http =
        ["http:", "https:"].iter().any(|http| scheme.trim_end_matches('/').to_ascii_lowercase().ends_with(http));
    let is_user = !rest[..start].contains(':') && !is_http;
    let user = if is_user { &rest[..start] } else { "" };
    format!("{scheme}{user}{}", strip_account(&rest[start..]))
}

/// Returns the length of what is before the account in a URL with a slash too few, or without its scheme. Git takes these
/// for a path, here or on a host.
fn misspelt_start(address: &str) -> Option<usize> {
    let (scheme, path) = address.split_at(address.find('/')?);
    let rest = path.trim_start_matches('/');
    let account = rest.split('/').next()?.rsplit_once('@')?.0;
    let is_scheme = scheme.strip_suffix(':').is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let is_host = scheme.is_empty() && path.len() - rest.len() > 1;
    (is_scheme || is_host && account.contains(':')).then_some(address.len() - rest.len())
}

fn short_form(address: &str) -> &str {
    let account = address.rmatch_indices('@').find(|(at, _)| {
        let host = address[at + 1..].split_once(':').map_or("", |(host, _)| host);
        let is_host =
            !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
        address[..*at].contains(':') && is_host
    });
    account.map_or(address, |(at, _)| &address[at + 1..])
}

/// Masks the tokens in the query of a URL.
pub(crate) fn mask_query(url: &str) -> Cow<'_, str> {
    let Some((path, query)) = url.split_once('?') else { return url.into() };
    let masked = query.split('&').map(|pair| match pair.split_once('=') {
        Some((name, _)) if is_token_parameter(name) => format!("{name}={MASK}"),
        _ => pair.to_owned(),
    });
    format!("{path}?{}", masked.collect::<Vec<_>>().join("&")).into()
}

/// Whether a query parameter of this name carries a token.
pub(crate) fn is_token_parameter(name: &str) -> bool {
    TOKEN_PARAMETERS.contains(&&*percent_decode_str(name).decode_utf8_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_and_passwords_of_addresses_are_removed() {
        for (text, shown) in [
            (
                "To https://ida:s3@cr@git.example/a.git, 'ssh://git@host/x'",
                "To https://git.example/a.git, 'ssh://git@host/x'",
            ),
            ("https://git.example/a@b mail@x ://", "https://git.example/a@b mail@x ://"),
            ("git@host:a/b ida@harbor.example: a:b", "git@host:a/b ida@harbor.example: a:b"),
            ("`git://user:pw@127.0.0.1:1/a`", "`git://127.0.0.1:1/a`"),
            ("cannot reach `user:pw@host:path`", "cannot reach `host:path`"),
            ("file://user:pw@/x", "file:///x"),
            ("https://user:p/w@host/a?b", "https://host/a?b"),
            ("http://[::1]:80/a@b http://h:80/a@b", "http://[::1]:80/a@b http://h:80/a@b"),
            ("a=https://u:p@h,https://v:q@i", "a=https://h,https://i"),
            ("`https://h/a?x=1&private%5Ftoken=pw&y`: no", "`https://h/a?x=1&private%5Ftoken=[masked]&y`: no"),
            ("'h?access_token=pw'", "'h?access_token=[masked]'"),
            ("https:/ida:pw@host/a 'https:/pw@host/a'", "https:/host/a 'https:/host/a'"),
            ("fatal: '//ida:pw@host/a'", "fatal: '//host/a'"),
            ("//srv/a:b@c /a:b@c host:/srv/a:b@c", "//srv/a:b@c /a:b@c host:/srv/a:b@c"),
        ] {
            assert_eq!(mask_credentials(text), shown);
        }
    }

    #[test]
    fn nothing_but_host_and_path_of_a_remote_is_public() {
        for (address, shown) in [
            ("https://ida:pw@git.example:8443/g/a.git?private_token=pw#pw", "https://git.example:8443/g/a.git"),
            ("https://pw@git.example/g/a.git#pw", "https://git.example/g/a.git"),
            ("https://git.example?pw", "https://git.example"),
            ("https:/ida:pw@git.example/g/a.git", "https:/git.example/g/a.git"),
            ("//ida:pw@git.example/g/a.git", "//git.example/g/a.git"),
            ("ssh://git@git.example/g/a.git?key=pw", "ssh://git@git.example/g/a.git"),
            ("ssh://git:pw@git.example/g/a.git", "ssh://git.example/g/a.git"),
            ("git://git.example/g/a?pw", "git://git.example/g/a"),
            ("git@git.example:g/a.git?pw", "git@git.example:g/a.git"),
            ("/srv/what?/a#1.git", "/srv/what?/a#1.git"),
            ("../a#1", "../a#1"),
            ("file:///srv/a#1.git", "file:///srv/a#1.git"),
            (r"C:\a#1", r"C:\a#1"),
            ("origin", "origin"),
            ("ext::sh -c pw", "ext::[masked]"),
            ("[::1]:a", "[::1]:a"),
        ] {
            assert_eq!(public_address(address), shown);
        }
        assert_eq!(secret_parts("https://git.example/g/a.git?x=pw#y"), ["?x=pw#y"]);
        assert_eq!(secret_parts("https::https://u:p@h/a?x=pw"), ["https://u:p@h/a?x=pw", "?x=pw", "u:p@"]);
        assert_eq!(secret_parts("git://u:p@h:1/a#b"), ["#b", "u:p@"]);
        assert!(secret_parts("ssh://git@h/a").is_empty());
        assert!(secret_parts("https://git.example/g/a.git?").is_empty());
        assert!(secret_parts("/srv/a?b").is_empty());
    }
}
