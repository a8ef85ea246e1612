//! Commit messages, tidied as `git commit --cleanup=whitespace` does.

use anyhow::Result;

use crate::model::Problem;

/// Drops white space at the ends of lines, empty lines around the text and all but one between paragraphs.
pub(super) fn clean(message: &str) -> Result<String> {
    let mut text = String::new();
    let mut empty_above = false;
    for line in message.lines().map(|line| line.trim_end_matches(|char: char| char.is_ascii_whitespace())) {
        if !line.is_empty() {
            let gap = if empty_above && !text.is_empty() { "\n" } else { "" };
            text.extend([gap, line, "\n"]);
        }
        empty_above = line.is_empty();
    }
    if text.is_empty() {
        return Err(Problem::usage("the commit message is empty").hint("give one with `--message`").into());
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_tidied_as_git_does() {
        assert_eq!(clean("\n  \nTitle \t\r\n\n\n# kept\n  body\n\n").unwrap(), "Title\n\n# kept\n  body\n");
        assert!(clean(" \n\t\n").is_err());
    }
}
