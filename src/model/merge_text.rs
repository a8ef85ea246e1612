//! How a forge merges a request, and the message that the merge gets.

use super::Forge;

/// How the commits of a request get into its target branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MergeMethod {
    /// A merge commit.
    Merge,
    /// One commit with the changes of all.
    Squash,
    /// The commits as they are, on top of the target.
    Rebase,
}

impl MergeMethod {
    /// Returns the name in options and output.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Merge => "merge",
            Self::Squash => "squash",
            Self::Rebase => "rebase",
        }
    }
}

/// What a project says about merges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MergeSettings {
    /// The methods that may be used, the one that the forge proposes first.
    pub(crate) methods: Vec<MergeMethod>,
    /// The template of the message of a squash commit, with variables such as `%{title}`.
    pub(crate) squash_template: String,
    /// The template of the message of a merge commit.
    pub(crate) merge_template: String,
}

/// The messages that GitLab writes if a project has no templates.
const GITLAB_SQUASH: &str = "%{title}";
const GITLAB_MERGE: &str = "Merge branch '%{source_branch}' into '%{target_branch}'\n\n%{title}\n\n%{issues}\n\nSee merge \
                            request %{reference}";

impl MergeSettings {
    /// Returns the settings of a new project. On all but GitLab squashing comes first, since it is what loses messages.
    pub(crate) fn default_of(forge: Forge) -> Self {
        let others = vec![MergeMethod::Squash, MergeMethod::Merge, MergeMethod::Rebase];
        let (methods, squash, merge) = match forge {
            Forge::GitLab | Forge::Bitbucket | Forge::BitbucketDataCenter | Forge::AzureDevOps | Forge::SourceHut => {
                (vec![MergeMethod::Merge, MergeMethod::Squash], GITLAB_SQUASH, GITLAB_MERGE)
            }
            Forge::GitHub => {
                let merge = "Merge pull request #%{number} from %{source_branch}\n\n%{title}";
                (others, "%{subject_or_title} (#%{number})\n\n%{bodies}", merge)
            }
            Forge::Gitea => (others, "%{title} (#%{number})\n\nReviewed-on: %{url}", GITEA_MERGE),
        };
        Self { methods, squash_template: squash.to_owned(), merge_template: merge.to_owned() }
    }

    /// Takes the templates that a repository on Gitea or Forgejo has in its own files; `read` gets a path.
    ///
    /// # Errors
    /// Of `read`.
    pub(crate) fn with_files<E>(
        mut self,
        forge: Forge,
        read: impl Fn(&str) -> Result<Option<String>, E>,
    ) -> Result<Self, E> {
        if forge != Forge::Gitea {
            return Ok(self);
        }
        for directory in [".forgejo", ".gitea"] {
            for (name, template) in [("SQUASH", &mut self.squash_template), ("MERGE", &mut self.merge_template)] {
                let path = format!("{directory}/default_merge_message/{name}_TEMPLATE.md");
                if let Some(text) = read(&path)? {
                    *template = GITEA_VARIABLES.iter().fold(text, |text, (theirs, ours)| {
                        text.replace(&format!("${{{theirs}}}"), &format!("%{{{ours}}}"))
                    });
                }
            }
        }
        Ok(self)
    }
}

/// The message of a merge commit on Gitea and Forgejo.
const GITEA_MERGE: &str = "Merge pull request '%{title}' (#%{number}) from %{source_branch} into %{target_branch}\n\n\
                           Reviewed-on: %{url}";

/// The variables of their templates (docs.gitea.com, "Merge message templates"), and ours of the same meaning.
const GITEA_VARIABLES: [(&str, &str); 7] = [
    ("PullRequestTitle", "title"),
    ("PullRequestDescription", "description"),
    ("PullRequestIndex", "number"),
    ("PullRequestReference", "pull_reference"),
    ("HeadBranch", "source_branch"),
    ("BaseBranch", "target_branch"),
    ("ReviewedOn", "reviewed_on"),
];

/// A merge or pull request that is open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ReviewedRequest {
    pub(crate) number: u64,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) url: Option<String>,
    /// The short name of the branch that is merged.
    pub(crate) source: String,
    /// The short name of the branch that it is merged into.
    pub(crate) target: String,
    /// A commit of the target branch, for a clone that does not have the branch.
    pub(crate) base: Option<String>,
    /// The last commit of the source branch.
    pub(crate) head: Option<String>,
    /// Whether the request says that its commits become one; `None` if that is decided later.
    pub(crate) squashes: Option<bool>,
}

/// Fills in the template of a message. `commits` are the messages of the request, oldest first; `project` is the path of
/// the project.
///
/// The variables are those of GitLab (Commit message templates in its manual), and `%{subject_or_title}` and `%{bodies}`
/// for what GitHub makes of commits. A line with nothing but an empty variable is dropped, as there.
pub(crate) fn merge_message(template: &str, request: &ReviewedRequest, commits: &[String], project: &str) -> String {
    let local = format!("!{}", request.number);
    let first = commits.first().map(|message| message.trim()).unwrap_or_default();
    let multiline = commits.iter().map(|message| message.trim()).find(|message| message.contains('\n'));
    let all: Vec<String> = commits.iter().map(|message| format!("* {}", message.trim())).collect();
    let subject = first.lines().next().unwrap_or_default();
    let is_single = commits.len() == 1;
    let body = |message: &str| message.split_once('\n').map(|(_, body)| body.trim().to_owned()).unwrap_or_default();
    let value = |name: &str| {
        Some(match name {
            "subject_or_title" if is_single => subject.to_owned(),
            "title" | "subject_or_title" => request.title.clone(),
            "description" => request.description.trim().to_owned(),
            "number" => request.number.to_string(),
            "reference" => format!("{project}{local}"),
            "local_reference" => local.clone(),
            "pull_reference" => format!("#{}", request.number),
            "reviewed_on" => format!("Reviewed-on: {}", request.url.as_deref().unwrap_or_default()),
            "url" => request.url.clone().unwrap_or_default(),
            "source_branch" => request.source.clone(),
            "target_branch" => request.target.clone(),
            "first_commit" => first.to_owned(),
            "first_multiline_commit" => multiline.map_or_else(|| request.title.clone(), str::to_owned),
            "first_multiline_commit_description" => multiline.map(body).unwrap_or_default(),
            "bodies" if is_single => body(first),
            "all_commits" | "bodies" => all.join("\n\n"),
            "issues" | "approved_by" | "reviewed_by" | "merged_by" | "merge_request_author" | "co_authored_by" => {
                String::new()
            }
            _ => return None,
        })
    };
    let mut lines: Vec<String> = Vec::new();
    for line in template.lines() {
        let filled = fill_line(line, &value);
        if filled.trim().is_empty() && !line.trim().is_empty() {
            // Of the blank lines around it one stays.
            if lines.last().is_some_and(String::is_empty) {
                lines.pop();
            }
            continue;
        }
        lines.push(filled);
    }
    lines.join("\n").trim().to_owned()
}

fn fill_line(line: &str, value: &dyn Fn(&str) -> Option<String>) -> String {
    let (mut filled, mut rest) = (String::new(), line);
    while let Some((before, after)) = rest.split_once("%{") {
        filled += before;
        rest = after;
        if let Some((value, after)) = after.split_once('}').and_then(|(name, after)| Some((value(name)?, after))) {
            filled += &value;
            rest = after;
        } else {
            filled += "%{";
        }
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(template: &str, commits: &[&str]) -> String {
        let request = ReviewedRequest {
            number: 12,
            title: "Raise the crane".to_owned(),
            description: "Higher.\n\nChangelog: added".to_owned(),
            source: "crane".to_owned(),
            target: "main".to_owned(),
            ..ReviewedRequest::default()
        };
        let commits: Vec<String> = commits.iter().map(|commit| (*commit).to_owned()).collect();
        merge_message(template, &request, &commits, "harbor/app")
    }

    #[test]
    fn variables_are_filled_in_as_on_gitlab() {
        let commits = ["Raise it", "Paint it\n\nRed.\n\nChangelog: added\n"];
        for (template, expected) in [
            ("%{title}", "Raise the crane"),
            ("%{title}\n\n%{description}", "Raise the crane\n\nHigher.\n\nChangelog: added"),
            ("%{first_multiline_commit}", "Paint it\n\nRed.\n\nChangelog: added"),
            ("%{title}\n\n%{first_multiline_commit_description}", "Raise the crane\n\nRed.\n\nChangelog: added"),
            ("%{all_commits}", "* Raise it\n\n* Paint it\n\nRed.\n\nChangelog: added"),
            (
                "Merge branch '%{source_branch}' into '%{target_branch}'\n\n%{title}\n\n%{issues}\n\nSee merge request %{reference}",
                "Merge branch 'crane' into 'main'\n\nRaise the crane\n\nSee merge request harbor/app!12",
            ),
            ("100 %{ %{unknown} %{title", "100 %{ %{unknown} %{title"),
        ] {
            assert_eq!(message(template, &commits), expected, "{template}");
        }
    }

    #[test]
    fn the_template_files_of_gitea_have_its_variables() {
        let read = |path: &str| -> Result<Option<String>, std::fmt::Error> {
            let text = "${PullRequestTitle} (#${PullRequestIndex})\n\n${PullRequestDescription}\n\n${ReviewedOn}";
            Ok((path == ".gitea/default_merge_message/SQUASH_TEMPLATE.md").then(|| text.to_owned()))
        };
        let settings = MergeSettings::default_of(Forge::Gitea).with_files(Forge::Gitea, read).unwrap();
        let expected = "Raise the crane (#12)\n\nHigher.\n\nChangelog: added\n\nReviewed-on:";
        assert_eq!(message(&settings.squash_template, &[]), expected);
        assert!(
            message(&settings.merge_template, &[]).starts_with("Merge pull request 'Raise the crane' (#12) from crane")
        );
    }

    #[test]
    fn github_takes_the_only_commit_or_the_title_and_a_list() {
        let template = "%{subject_or_title} (#%{number})\n\n%{bodies}";
        assert_eq!(message(template, &["Paint it\n\nChangelog: added\n"]), "Paint it (#12)\n\nChangelog: added");
        let several = message(template, &["Raise it", "Paint it"]);
        assert_eq!(several, "Raise the crane (#12)\n\n* Raise it\n\n* Paint it");
    }
}
