//! Keys separated by dots: `package.version`, `packages."".version`, `images.0.tag`.

use anyhow::anyhow;

/// The keys, the outermost first; one in double quotes may have dots, or be empty.
pub(super) fn parse(dotted: &str) -> anyhow::Result<Vec<String>> {
    let mut keys = vec![String::new()];
    let (mut quoted, mut after_quote) = (false, false);
    for letter in dotted.chars() {
        let key = keys.last_mut().expect("there is always a key");
        match letter {
            '"' if quoted => (quoted, after_quote) = (false, true),
            '"' if key.is_empty() && !after_quote => quoted = true,
            '.' if !quoted => {
                keys.push(String::new());
                after_quote = false;
            }
            _ if after_quote => return Err(anyhow!("a dot is missing after the quotes")),
            letter => key.push(letter),
        }
    }
    if quoted || dotted.is_empty() {
        return Err(anyhow!("it is not a key: write keys separated by dots, such as `package.version`"));
    }
    Ok(keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_part_keys_and_quotes_keep_them_together() {
        assert_eq!(parse("package.version").unwrap(), ["package", "version"]);
        assert_eq!(parse(r#"packages."".version"#).unwrap(), ["packages", "", "version"]);
        assert_eq!(parse(r#""a.b".c"#).unwrap(), ["a.b", "c"]);
        for wrong in ["", r#""a"#, r#""a"b.c"#] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
