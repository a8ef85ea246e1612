//! The proxy of a request, from the usual variables of the environment.
//!
//! As in curl(1), there is a variable for each scheme, `ALL_PROXY` for the rest, lower case before upper case, and
//! `NO_PROXY` for hosts that are reached directly. `HTTP_PROXY` is not read in a CGI program, where a request could set
//! it. This machine itself is never reached through a proxy.

use std::net::IpAddr;

use crate::api::url::Url;

/// The proxies of an environment.
#[derive(Clone, Default)]
pub(crate) struct Proxies {
    http: Option<Proxy>,
    https: Option<Proxy>,
    direct: Vec<String>,
}

/// The address of a proxy, which may carry a password.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Proxy(pub(super) String);

impl Proxy {
    /// Returns the address without user name and password.
    pub(super) fn address(&self) -> &str {
        self.0.rsplit('@').next().unwrap_or_default()
    }
}

impl Proxies {
    /// Reads the variables of the environment.
    pub(crate) fn from_environment(lookup: &dyn Fn(&str) -> Option<String>) -> Self {
        let get = |name: &str| lookup(name).filter(|value| !value.is_empty());
        let either = |name: &str| get(&name.to_ascii_lowercase()).or_else(|| get(name));
        let http = get("http_proxy").or_else(|| get("HTTP_PROXY").filter(|_| get("REQUEST_METHOD").is_none()));
        let all = either("ALL_PROXY");
        let direct = either("NO_PROXY").unwrap_or_default();
        Self {
            http: http.or_else(|| all.clone()).map(Proxy),
            https: either("HTTPS_PROXY").or(all).map(Proxy),
            direct: direct.split([',', ' ']).filter(|rule| !rule.is_empty()).map(str::to_ascii_lowercase).collect(),
        }
    }

    /// Returns the proxy for a URL, or `None` if it is reached directly.
    pub(super) fn proxy_for(&self, url: &Url) -> Option<&Proxy> {
        let direct = url.is_loopback() || self.direct.iter().any(|rule| covers(rule, url));
        let proxy = if url.is_secure() { &self.https } else { &self.http };
        proxy.as_ref().filter(|_| !direct)
    }
}

/// Whether a rule of `NO_PROXY` covers a URL: `*`, a domain with its subdomains, an address, a CIDR block; each with an
/// optional port.
fn covers(rule: &str, url: &Url) -> bool {
    if let Ok(address) = url.host().parse::<IpAddr>() {
        return rule == "*"
            || in_block(rule, address) == Some(true)
            || rule == format!("{}:{}", url.host(), url.port());
    }
    let (name, port) = rule.rsplit_once(':').map_or((rule, None), |(name, port)| (name, port.parse::<u16>().ok()));
    let domain = name.trim_start_matches('*').trim_start_matches('.');
    port.is_none_or(|port| port == url.port())
        && (name == "*"
            || !domain.is_empty()
                && (url.host() == domain || url.host().strip_suffix(domain).is_some_and(|rest| rest.ends_with('.'))))
}

/// Whether an address is in `address[/length]`; `None` if the rule is not a block of that address family.
fn in_block(rule: &str, address: IpAddr) -> Option<bool> {
    let (network, length) = rule.split_once('/').map_or((rule, None), |(network, length)| (network, Some(length)));
    let network = network.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().ok()?;
    let (network, address, width) = match (network, address) {
        (IpAddr::V4(network), IpAddr::V4(address)) => (network.to_bits().into(), address.to_bits().into(), 32),
        (IpAddr::V6(network), IpAddr::V6(address)) => (network.to_bits(), address.to_bits(), 128),
        _ => return None,
    };
    let length = length.map_or(Some(width), |length| length.parse().ok()).filter(|length| *length <= width)?;
    let differ: u128 = network ^ address;
    Some(differ.checked_shr(width - length).unwrap_or(0) == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(variables: &[(&str, &str)], url: &str) -> Option<String> {
        let lookup = |name: &str| variables.iter().find(|(present, _)| *present == name).map(|(_, v)| (*v).to_owned());
        let proxies = Proxies::from_environment(&lookup);
        proxies.proxy_for(&Url::parse(url).unwrap()).map(|proxy| proxy.0.clone())
    }

    #[test]
    fn each_scheme_has_its_own_proxy_and_lower_case_wins() {
        let both = [("HTTP_PROXY", "H"), ("http_proxy", "h"), ("HTTPS_PROXY", "S"), ("ALL_PROXY", "A")];
        assert_eq!(chosen(&both, "http://x").as_deref(), Some("h"));
        assert_eq!(chosen(&both, "https://x").as_deref(), Some("S"));
        assert_eq!(chosen(&both[3..], "https://x").as_deref(), Some("A"));
        assert_eq!(chosen(&[("HTTP_PROXY", "H"), ("REQUEST_METHOD", "GET")], "http://x"), None);
        assert_eq!(chosen(&both, "http://127.0.0.1:8080"), None);
    }

    #[test]
    fn no_proxy_covers_domains_addresses_blocks_and_ports() {
        let direct = |rule: &str, url: &str| chosen(&[("ALL_PROXY", "A"), ("no_proxy", rule)], url).is_none();
        for (rule, url) in [
            ("*", "https://x"),
            ("example.org", "https://git.example.org"),
            ("a.b, .example.org", "https://example.org"),
            ("*.example.org", "https://git.example.org"),
            ("example.org:8443", "https://example.org:8443"),
            ("10.0.0.0/8", "http://10.1.2.3"),
            ("10.1.2.3", "http://10.1.2.3"),
            ("0.0.0.0/0", "http://10.1.2.3"),
            ("fd00::/8", "http://[fd12::1]"),
        ] {
            assert!(direct(rule, url), "{rule} {url}");
        }
        for (rule, url) in [
            ("ample.org", "https://example.org"),
            ("example.org:443", "https://example.org:8443"),
            ("10.0.0.0/8", "http://11.1.2.3"),
            ("10.0.0.0/40", "http://10.1.2.3"),
            ("10.1.2.3", "http://10.1.2.30"),
        ] {
            assert!(!direct(rule, url), "{rule} {url}");
        }
    }
}
