//! Logins in URLs: tokens live there, and nobody is to see them.

/// The text with the user and password of every URL in it left out.
#[must_use]
pub fn mask_credentials(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(end) = rest.find("://").map(|colon| colon + "://".len()) {
        let (scheme, behind) = rest.split_at(end);
        shown.push_str(scheme);
        let is_end = |letter: char| letter.is_whitespace() || matches!(letter, '/' | '\'' | '"' | '`');
        let authority = &behind[..behind.find(is_end).unwrap_or(behind.len())];
        let login = authority.rfind('@').map_or(0, |at| at + 1);
        rest = &behind[login..];
    }
    shown + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_and_passwords_of_urls_are_left_out() {
        for (text, shown) in [
            (
                "To https://ida:s3@cr@git.example/a.git, 'ssh://git@host/x'",
                "To https://git.example/a.git, 'ssh://host/x'",
            ),
            ("https://git.example/a@b mail@x ://", "https://git.example/a@b mail@x ://"),
            ("git@host:a/b", "git@host:a/b"),
        ] {
            assert_eq!(mask_credentials(text), shown);
        }
    }
}
