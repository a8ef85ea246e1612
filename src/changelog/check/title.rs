//! The shape of a title: it becomes an entry of the changelog (git-commit(1), "DISCUSSION").

use super::Finding;

/// What is wrong with the title of a message.
pub(super) fn check(message: &str, longest: usize) -> Vec<Finding> {
    let mut lines = message.lines();
    let title = lines.next().unwrap_or_default();
    if title.trim().is_empty() {
        return vec![finding(1, "the title is empty", "say in the first line what the change does")];
    }
    let length = without_numbers(title).chars().count();
    // git writes these itself and makes them longer than what they repeat.
    let is_revert = title.starts_with("Revert \"") || title.starts_with("Reapply \"");
    let mut findings = Vec::new();
    if longest > 0 && length > longest && !is_revert {
        let message = format!("the title has {length} characters, more than {longest}");
        findings.push(finding(1, message, "say the rest in the body"));
    }
    if title.ends_with('.') && !title.ends_with("..") {
        findings.push(finding(1, "the title ends with a period", "drop it: the title becomes an entry of a list"));
    }
    if title != title.trim() {
        findings.push(finding(1, "the title begins or ends with white space", "drop it"));
    }
    if lines.next().is_some_and(|second| !second.trim().is_empty()) {
        findings.push(finding(2, "the line below the title is not empty", "put an empty line between title and body"));
    }
    findings
}

/// The title without the numbers of merge or pull requests that a squash puts after it, such as ` (#12)`.
fn without_numbers(title: &str) -> &str {
    let number = |title: &str| {
        let (before, number) = title.strip_suffix(')')?.rsplit_once(" (")?;
        let digits = number.strip_prefix(['#', '!'])?;
        (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(before.len())
    };
    std::iter::successors(Some(title), |title| Some(&title[..number(title)?])).last().unwrap_or(title)
}

fn finding(line: usize, message: impl Into<String>, hint: &str) -> Finding {
    Finding::new("title", Some(line), message.into(), hint)
}
