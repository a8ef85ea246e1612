//! The list of commits in the message of a squashed commit, as a forge or `git merge --squash` writes it.

use super::conventional::{ConventionalCommit, known_types};
use crate::config::Config;

/// The line above the list of `git merge --squash`.
pub(super) const SQUASH: &str = "Squashed commit of the following:";
/// What a line begins with that says what breaks.
pub(super) const BREAKING_CHANGE: &str = "BREAKING CHANGE: ";

/// The list that a forge or git makes when it squashes commits.
pub(super) struct SquashList<'t> {
    /// The lines that belong to no commit of the list.
    pub rest: Vec<Option<&'t str>>,
    /// The message of each commit in the list.
    pub messages: Vec<String>,
}

impl<'t> SquashList<'t> {
    /// Finds the list in the lines of a message; `None` stands for a line that others wrote.
    pub(super) fn read(lines: &[Option<&'t str>], config: &Config) -> Self {
        let start = lines.iter().position(|line| line.is_some_and(|line| line.trim() == SQUASH));
        match start {
            Some(start) => Self { rest: lines[..start].to_vec(), messages: commits_of_git(&lines[start + 1..]) },
            None => Self::read_items(lines, config),
        }
    }

    /// Reads items such as `* fix(api): mend it`, each with a blank line before and after.
    fn read_items(lines: &[Option<&'t str>], config: &Config) -> Self {
        let is_item = |index: usize| lines.get(index).copied().flatten().is_some_and(|line| line.starts_with("* "));
        let mut list = Self { rest: Vec::new(), messages: Vec::new() };
        let mut is_open = false;
        for (index, line) in lines.iter().enumerate() {
            // Items without blank lines between them are a list that somebody wrote.
            let begins = is_item(index)
                && index > 0
                && lines[index - 1].is_some_and(|line| line.trim().is_empty())
                && !is_item(index + 1);
            match line.and_then(|line| line.strip_prefix("* ")).filter(|_| begins) {
                Some(header) if header.starts_with(BREAKING_CHANGE) => list.add_breaking(header),
                Some(header) => {
                    is_open = is_listed_header(header, config);
                    list.messages.extend(is_open.then(|| header.to_owned()));
                }
                None => match list.messages.last_mut().filter(|_| is_open) {
                    Some(message) => message.extend(["\n", line.unwrap_or_default()]),
                    None => list.rest.push(*line),
                },
            }
        }
        list
    }

    /// Adds an item such as `* BREAKING CHANGE: it is gone` to the commit before it, else to the message itself.
    fn add_breaking(&mut self, footer: &'t str) {
        match self.messages.last_mut() {
            Some(message) => message.extend(["\n\n", footer]),
            None => self.rest.extend([Some(""), Some(footer)]),
        }
    }
}

/// Reads the list of `git merge --squash`: for each commit a header like that of git-log(1), and the message indented.
fn commits_of_git(lines: &[Option<&str>]) -> Vec<String> {
    let mut messages = Vec::<String>::new();
    for line in lines.iter().flatten() {
        if line.starts_with("commit ") {
            messages.push(String::new());
        } else if let (Some(text), Some(message)) = (line.strip_prefix("    "), messages.last_mut()) {
            let separator = if message.is_empty() { "" } else { "\n" };
            message.extend([separator, text]);
        } else if let Some(message) = messages.last_mut().filter(|message| line.is_empty() && !message.is_empty()) {
            message.push('\n');
        }
    }
    messages
}

/// Whether a line is the title of a change: of a known type in lower case, with a description of several words.
pub(super) fn is_listed_header(line: &str, config: &Config) -> bool {
    let Some(title) = ConventionalCommit::parse(line, "") else { return false };
    line.starts_with(&title.commit_type)
        && known_types(config).any(|known| known == title.commit_type)
        && title.description.split_whitespace().nth(1).is_some()
}
