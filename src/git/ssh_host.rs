//! The host that a name in `ssh_config(5)` stands for, such as `git.example.com` for `office`.

use std::{
    ops::Range,
    process::{Command, Stdio},
    sync::OnceLock,
};

/// The first name that was looked up, and what it stands for: a run has one remote, whose project is asked for again and
/// again.
static KNOWN: OnceLock<(String, Option<String>)> = OnceLock::new();

/// Returns an address of ssh with the host that its name stands for; the same address if the name is that of a host.
/// Users give such names to have several keys for a host. Names with a dot are taken for hosts.
pub(super) fn with_real_host(address: &str) -> String {
    let Some(span) = alias(address) else { return address.to_owned() };
    let alias = &address[span.clone()];
    let (known, real) = KNOWN.get_or_init(|| (alias.to_owned(), ask_ssh(alias)));
    let real = if known == alias { real.clone() } else { ask_ssh(alias) };
    let Some(real) = real else { return address.to_owned() };
    [&address[..span.start], &real, &address[span.end..]].concat()
}

/// Returns where the name is in an address such as `git@office:group/project` or `ssh://office/group/project`; `None` if it
/// is a host.
fn alias(address: &str) -> Option<Range<usize>> {
    let (scheme, authority) = match address.split_once("://") {
        Some((scheme @ ("ssh" | "git+ssh" | "ssh+git"), rest)) => (scheme.len() + 3, rest.split('/').next()?),
        Some(_) => return None,
        None => (0, address.split_once(':')?.0),
    };
    let start = scheme + authority.rfind('@').map_or(0, |at| at + 1);
    let host = address[start..scheme + authority.len()].split(':').next()?;
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let may_be_alias = host.len() > 1 && !host.starts_with('-') && host != "localhost" && host.chars().all(is_name);
    may_be_alias.then_some(start..start + host.len())
}

/// Asks ssh, which connects to nothing, for the host that it would connect to.
fn ask_ssh(alias: &str) -> Option<String> {
    let output =
        Command::new("ssh").args(["-G", "--", alias]).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let settings = String::from_utf8(output.stdout).ok()?;
    let host = settings.lines().find_map(|line| line.strip_prefix("hostname "))?;
    (host.contains('.') && host.parse::<std::net::IpAddr>().is_err()).then(|| host.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_name_without_a_dot_is_looked_up() {
        for (address, expected) in [
            ("git@office:group/project.git", Some("office")),
            ("office-2:group/project", Some("office-2")),
            ("ssh://git@office:2222/group/project", Some("office")),
            ("git@office@home:group/project", Some("home")),
            ("git@git.example.com:group/project", None),
            ("https://office/group/project", None),
            ("C:/group/project", None),
            ("../a:b", None),
            ("git@-oProxyCommand=x:group/project", None),
            ("localhost:project", None),
        ] {
            assert_eq!(alias(address).map(|span| &address[span]), expected, "{address}");
        }
    }
}
