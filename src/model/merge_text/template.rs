//! The templates of the messages of merges, and what is filled in.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use indexmap::IndexSet;
use regex::{Captures, Regex};

use super::request::{RequestCommit, ReviewedRequest};

/// The template of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MessageTemplate {
    /// Variables such as `%{title}`: those of GitLab (Commit message templates in its manual), and some of ours for what
    /// other forges write without a template.
    GitLab(String),
    /// Variables such as `${PullRequestTitle}`, in a file of the repository on Gitea or Forgejo (Merge message templates in
    /// their manuals).
    Gitea(String),
}

/// What the variables of a template stand for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MergeText<'a> {
    pub(crate) request: &'a ReviewedRequest,
    /// The commits of the request, the oldest first, without merges.
    pub(crate) commits: &'a [RequestCommit],
    /// The path of the project that the target branch is in.
    pub(crate) project: &'a str,
}

/// Variables of GitLab's templates. Ours may be among them: GitLab leaves them as they are.
static VARIABLE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"%\{(\w+)\}").ok());

/// What closes issues in a text, on GitLab (Default closing pattern in its manual) and, with fewer words, elsewhere.
static CLOSING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?";
    let issue = r"(?:issues? +)?(?:#\d+|https?://\S+/(?:issues|work_items)/\d+)";
    Regex::new(&format!(r"(?i)\b(?:{words}):? +{issue}(?:(?: *,? +and +| *,? *){issue})*")).ok()
});

static ISSUE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?:#|/)(\d+)\b").ok());

/// The most commits that GitLab reads for a message, and the longest body that it takes.
const MAX_COMMITS: usize = 100;
const MAX_MESSAGE: usize = 100 * 1024;

/// The most bytes that variables may become in a message. What exceeds it stays unfilled: a long description and a template
/// that repeats it would take all memory.
const MAX_FILLED: usize = 4 << 20;

impl MergeText<'_> {
    /// Fills in a template.
    pub(crate) fn fill(&self, template: &MessageTemplate) -> String {
        match template {
            MessageTemplate::GitLab(text) => self.fill_gitlab(&text.replace('\r', "")),
            MessageTemplate::Gitea(text) => {
                let text = text.replace('\r', "");
                let (subject, body) = text.trim().split_once('\n').unwrap_or((text.trim(), ""));
                let (subject, body) = (self.fill_gitea(subject), self.fill_gitea(body.trim()));
                format!("{subject}\n\n{body}").trim().to_owned()
            }
        }
    }

    /// Fills in the variables of GitLab, which takes lines out that have nothing but an empty one. If such a line stands
    /// between empty lines, the first of these goes, too.
    fn fill_gitlab(&self, template: &str) -> String {
        let Some(variable) = &*VARIABLE else { return template.to_owned() };
        let mut text = template.to_owned();
        let names = variable.captures_iter(template).filter_map(|found| found.get(1)).map(|name| name.as_str());
        let names: HashSet<&str> = names.collect();
        let values: HashMap<&str, String> =
            names.into_iter().filter_map(|name| Some((name, self.value(name)?))).collect();
        let empty: Vec<&str> =
            values.iter().filter(|(_, value)| value.trim().is_empty()).map(|(name, _)| *name).collect();
        if !empty.is_empty() {
            let line = format!(r"%\{{(?:{})\}}", empty.join("|"));
            for (pattern, kept) in [(format!(r"\n\n{line}(\n\n|\z)"), "$1"), (format!(r"(?m)^{line}\n"), "")] {
                let Ok(pattern) = Regex::new(&pattern) else { continue };
                text = pattern.replace_all(&text, kept).into_owned();
            }
        }
        let mut filled = 0;
        let fill = |found: &Captures| {
            let value = values.get(&found[1]).filter(|value| filled + value.len() <= MAX_FILLED);
            filled += value.map_or(0, String::len);
            value.map_or(&found[0], String::as_str).to_owned()
        };
        variable.replace_all(&text, fill).trim().to_owned()
    }

    fn value(&self, name: &str) -> Option<String> {
        let request = self.request;
        let local = format!("!{}", request.number);
        let first = self.commits.first().map(|commit| commit.message.trim()).unwrap_or_default();
        let messages = || self.commits.iter().map(|commit| commit.message.trim());
        let multiline = || messages().find(|message| message.contains('\n'));
        Some(match name {
            "title" => request.title.clone(),
            "description" => request.description.trim().to_owned(),
            "reference" => format!("{}{local}", self.project),
            "local_reference" => local,
            "url" => request.url.clone().unwrap_or_default(),
            "source_branch" => request.source.clone(),
            "target_branch" => request.target.clone(),
            "source_project_id" => request.source_project_id.map(|id| id.to_string()).unwrap_or_default(),
            "first_commit" => first.to_owned(),
            "first_multiline_commit" => multiline().unwrap_or(&request.title).to_owned(),
            "first_multiline_commit_description" => multiline().map(body).unwrap_or_default().to_owned(),
            "all_commits" => {
                let newest = messages().rev().take(MAX_COMMITS).map(|message| format!("* {}", shortened(message)));
                newest.collect::<Vec<_>>().join("\n\n")
            }
            "issues" => closes(&self.closed_issues()),
            "merge_request_author" => self.author().to_owned(),
            "co_authored_by" => trailers(&self.other_authors()),
            // Who will approve and merge is not known yet.
            "approved_by" | "reviewed_by" => String::new(),
            "merged_by" => "NAME <ADDRESS>".to_owned(),
            _ => return self.own_value(name),
        })
    }

    /// Returns what our own variables stand for: what other forges write without a template.
    fn own_value(&self, name: &str) -> Option<String> {
        let request = self.request;
        let first = self.commits.first().map(|commit| commit.message.trim()).unwrap_or_default();
        let is_single = self.commits.len() == 1;
        Some(match name {
            "number" => request.number.to_string(),
            "source" if self.source_project() != self.project => {
                format!("{}:{}", self.source_project(), request.source)
            }
            "source" => request.source.clone(),
            "source_owner" => self.source_project().split('/').next().unwrap_or_default().to_owned(),
            "subject_or_title" if is_single => first.lines().next().unwrap_or_default().to_owned(),
            "subject_or_title" => request.title.clone(),
            "bodies" if is_single => body(first).to_owned(),
            "bodies" => {
                let messages = self.commits.iter().map(|commit| format!("* {}", commit.message.trim()));
                let list: Vec<String> = messages.collect();
                let authors = trailers(&self.co_authors());
                let rule = if authors.is_empty() { "" } else { "\n\n---------\n\n" };
                format!("{}{rule}{authors}", list.join("\n\n"))
            }
            _ => return None,
        })
    }

    fn source_project(&self) -> &str {
        self.request.source_project.as_deref().unwrap_or(self.project)
    }

    /// Fills in the variables of Gitea and Forgejo by the rules of Go's `os.Expand`: an unknown one is empty.
    fn fill_gitea(&self, template: &str) -> String {
        let (mut filled, mut rest) = (String::new(), template);
        while let Some((before, after)) = rest.split_once('$') {
            filled += before;
            let word = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
            let (name, after) = match after.strip_prefix('{').and_then(|braced| braced.split_once('}')) {
                Some(braced) => braced,
                None => after.split_at(word),
            };
            if name.is_empty() {
                filled.push('$');
            }
            let value = self.gitea_value(name);
            if filled.len() + value.len() <= MAX_FILLED {
                filled += &value;
            }
            rest = after;
        }
        filled + rest
    }

    fn gitea_value(&self, name: &str) -> String {
        let part = |path: &str, at: usize| path.split('/').nth(at).unwrap_or_default().to_owned();
        let request = self.request;
        match name {
            "BaseRepoOwnerName" => part(self.project, 0),
            "BaseRepoName" => part(self.project, 1),
            "BaseBranch" => request.target.clone(),
            "HeadRepoOwnerName" => part(self.source_project(), 0),
            "HeadRepoName" => part(self.source_project(), 1),
            "HeadBranch" => request.source.clone(),
            "PullRequestTitle" => request.title.clone(),
            "PullRequestDescription" => request.description.clone(),
            "PullRequestPosterName" => request.author.clone().unwrap_or_default(),
            "PullRequestIndex" => request.number.to_string(),
            "PullRequestReference" => format!("#{}", request.number),
            "ClosingIssues" => {
                let issues = self.closed_issues();
                issues.iter().map(|issue| format!("close {issue}")).collect::<Vec<_>>().join(", ")
            }
            "ReviewedOn" => format!("Reviewed-on: {}", request.url.as_deref().unwrap_or_default()),
            _ => String::new(),
        }
    }

    /// Returns the issues that title, description and commits close, as `#7`.
    fn closed_issues(&self) -> Vec<String> {
        let own = [self.request.title.as_str(), self.request.description.as_str()];
        let texts = own.into_iter().chain(self.commits.iter().map(|commit| commit.message.as_str()));
        let mut issues = IndexSet::new();
        for closing in texts.flat_map(|text| CLOSING.iter().flat_map(move |pattern| pattern.find_iter(text))) {
            for issue in ISSUE.iter().flat_map(|pattern| pattern.captures_iter(closing.as_str())) {
                issues.insert(format!("#{}", &issue[1]));
            }
        }
        issues.into_iter().collect()
    }

    /// Returns who opened the request, as the commits name them: the author of the first one, unless another one has the
    /// name.
    fn author(&self) -> &str {
        let name = self.request.author.as_deref().unwrap_or_default();
        let is_it = |commit: &&RequestCommit| commit.author.split(" <").next() == Some(name);
        let found = self.commits.iter().find(is_it).or(self.commits.first());
        found.map_or(name, |commit| commit.author.as_str())
    }

    /// Returns the authors of the commits, the newest first, without who opened the request.
    fn other_authors(&self) -> Vec<&str> {
        let mut others = Vec::new();
        for commit in self.commits.iter().rev().take(MAX_COMMITS) {
            let author = commit.author.as_str();
            if author != self.author() && !others.contains(&author) {
                others.push(author);
            }
        }
        others
    }

    /// Returns the authors besides the first one, and those that the messages name.
    fn co_authors(&self) -> Vec<&str> {
        let mut authors: IndexSet<&str> = self.other_authors().into_iter().rev().collect();
        let author = self.author();
        for line in self.commits.iter().flat_map(|commit| commit.message.lines()) {
            let named = line.split_once(':').filter(|(key, _)| key.eq_ignore_ascii_case("Co-authored-by"));
            authors.extend(named.map(|(_, named)| named.trim()).filter(|named| *named != author));
        }
        authors.into_iter().collect()
    }
}

fn body(message: &str) -> &str {
    message.split_once('\n').map(|(_, body)| body.trim()).unwrap_or_default()
}

fn shortened(message: &str) -> String {
    if message.len() <= MAX_MESSAGE {
        return message.to_owned();
    }
    format!("{}\n\n-- Skipped commit body exceeding 100KiB in size.", message.lines().next().unwrap_or_default())
}

fn trailers(authors: &[&str]) -> String {
    authors.iter().map(|author| format!("Co-authored-by: {author}")).collect::<Vec<_>>().join("\n")
}

/// Returns the sentence that names closed issues, such as `Closes #1, #2, and #3`.
fn closes(issues: &[String]) -> String {
    match issues {
        [] => String::new(),
        [only] => format!("Closes {only}"),
        [first, last] => format!("Closes {first} and {last}"),
        [first @ .., last] => format!("Closes {}, and {last}", first.join(", ")),
    }
}
