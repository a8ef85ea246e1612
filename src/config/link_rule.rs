//! References in titles, and where they lead.

use super::Pattern;

/// A kind of reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkRule {
    /// What a reference looks like.
    pub pattern: Pattern,
    /// Where it leads: `$1`, `${1}` and `${name}` stand for the groups of the pattern, `$$` for a dollar.
    pub url: String,
}

impl LinkRule {
    /// A pattern and the address it leads to.
    ///
    /// # Errors
    ///
    /// A reason, where the address names a group that the pattern has not.
    pub(super) fn new(pattern: Pattern, url: String) -> Result<Self, String> {
        let has_group = |name: &&str| match name.parse::<usize>() {
            Ok(number) => number < pattern.regex().captures_len(),
            Err(_) => pattern.regex().capture_names().flatten().any(|known| known == *name),
        };
        match groups(&url).into_iter().find(|name| !has_group(name)) {
            Some(name) => Err(format!("refers to group `{name}`, which the pattern does not define")),
            None => Ok(Self { pattern, url }),
        }
    }
}

/// The groups that a replacement names, as the `regex` crate reads it.
fn groups(url: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut rest = url;
    while let Some((_, behind)) = rest.split_once('$') {
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let braced = behind.strip_prefix('{').and_then(|inner| inner.split_once('}'));
        let word = behind.len() - behind.trim_start_matches(is_word).len();
        match braced {
            Some((name, after)) => {
                names.push(name);
                rest = after;
            }
            None if word > 0 => {
                names.push(&behind[..word]);
                rest = &behind[word..];
            }
            None => rest = behind.strip_prefix('$').unwrap_or(behind),
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_groups_of_its_pattern_only() {
        let link = |url: &str| LinkRule::new(Pattern::parse(r"(?P<key>[A-Z]+)-(\d+)").unwrap(), url.to_owned());
        for url in ["https://x/", "https://x/$1/$2", "https://x/${key}-$2", "https://x/$0?a=$$5", "https://x/$"] {
            assert!(link(url).is_ok(), "{url}");
        }
        for (url, name) in [("https://x/$3", "3"), ("https://x/$1_a", "1_a"), ("https://x/${number}", "number")] {
            let reason = link(url).unwrap_err();
            assert!(reason.contains(&format!("`{name}`")), "{reason}");
        }
    }
}
