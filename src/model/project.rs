//! A project on a forge: the addresses of its pages, and the form of its references.

use std::fmt;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::{
    CommitLink, Forge, ForgeProfile, JobServer, MergeRequest, Oid,
    address::{public_address, remote_helper},
};

/// What would end a path in an address, or the address in Markdown.
const UNSAFE_IN_LINKS: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'(').add(b')').add(b'<').add(b'>').add(b'?').add(b'`');

/// The host and the path of a project, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Project {
    /// `https://host[:port]`, without a final slash; empty if it is not known.
    host: String,
    /// `group/sub/project`; empty if it is not known.
    path: String,
    forge: Forge,
    evidence: ForgeEvidence,
}

/// How the forge of a project is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ForgeEvidence {
    /// Nothing says it, so GitLab is assumed.
    #[default]
    Assumed,
    /// The name of the host, or the CI job that runs on it.
    Host,
    /// The configuration or an option, whatever the host is.
    Stated,
}

impl Project {
    /// Creates a project of this host and path; either may be empty.
    #[must_use]
    pub(crate) fn new(host: &str, path: &str) -> Self {
        let host = match host.trim_end_matches('/') {
            "" => String::new(),
            url if url.contains("://") => url.to_owned(),
            name => format!("https://{name}"),
        };
        let named = Forge::named_by(&host);
        let evidence = named.map_or(ForgeEvidence::Assumed, |_| ForgeEvidence::Host);
        let path = path.trim_matches('/').trim_end_matches(".git").to_owned();
        Self { host, path, forge: named.unwrap_or_default(), evidence }
    }

    /// Returns the same project on a host that runs the forge that is stated, if one is, else that of the CI job if the
    /// job runs on this host. The name of the host counts only if neither says anything.
    pub(crate) fn with_forge(self, stated: Option<Forge>, job: Option<&JobServer>) -> Self {
        let is_known = !self.host.is_empty();
        let of_job = job.filter(|job| is_known && job.is_at(&self.host)).map(|job| job.forge);
        match (stated, of_job) {
            (Some(forge), _) => Self { forge, evidence: ForgeEvidence::Stated, ..self },
            (None, Some(forge)) => Self { forge, evidence: ForgeEvidence::Host, ..self },
            (None, None) => self,
        }
    }

    /// Returns the forge that the configuration or an option states.
    pub(crate) fn stated_forge(&self) -> Option<Forge> {
        (self.evidence == ForgeEvidence::Stated).then_some(self.forge)
    }

    /// Whether nothing says which forge the host runs, so that links are those of GitLab.
    pub(crate) fn assumes_forge(&self) -> bool {
        self.evidence == ForgeEvidence::Assumed && !self.host.is_empty()
    }

    /// Parses the URL of a git remote: `https://host/group/project.git`, `ssh://git@host:2222/group/project`,
    /// `git@host:group/project.git`. `None` for a local path, which is not a project. The query and the fragment, which
    /// may hold a token, are no part of the path.
    pub(crate) fn from_remote(url: &str) -> Option<Self> {
        if remote_helper(url).is_some() {
            return None;
        }
        let url = &public_address(url);
        let (host, path) = match url.split_once("://") {
            Some(("file", _)) => return None,
            Some((scheme, rest)) => {
                let (authority, path) = rest.split_once('/')?;
                (web_host(scheme, authority), path)
            }
            None => {
                let (authority, path) = url.split_once(':')?;
                // `C:\repo` is a drive, and a slash before the colon makes it a path (git-fetch(1), GIT URLS).
                if authority.len() < 2 || authority.contains('/') {
                    return None;
                }
                (web_host("ssh", authority), path)
            }
        };
        let project = Self::new(&host, path);
        (!project.path.is_empty()).then_some(project)
    }

    /// Returns the URL of the host; empty if it is not known.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// Returns the path of the project; empty if it is not known.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Returns the last part of the path; `None` if the path is empty.
    pub(crate) fn name(&self) -> Option<&str> {
        self.path.rsplit('/').next().filter(|name| !name.is_empty())
    }

    /// Returns the forge that the host runs.
    pub(crate) fn forge(&self) -> Forge {
        self.forge
    }

    /// Returns the forge whose messages the history has; `None` in a repository whose host is not known, such as a clone of
    /// a local path, unless the configuration states the forge.
    pub(crate) fn forge_of_messages(&self) -> Option<Forge> {
        (!self.host.is_empty() || self.stated_forge().is_some()).then_some(self.forge)
    }

    /// Returns the link of a commit: its IDs, its reference and its page.
    pub(crate) fn commit(&self, id: Oid) -> CommitLink {
        let id = id.to_string();
        let reference = if self.path.is_empty() { id.clone() } else { format!("{}@{id}", self.path) };
        let web_url = self.page(&self.path, self.profile().links.commit, &id);
        CommitLink { short_id: id[..Oid::SHORT].to_owned(), id, reference, web_url, ..CommitLink::default() }
    }

    /// Returns the merge request of this number, in this project or the one of a given path. If the host is not known,
    /// it has the sign that the message has before the number.
    pub(crate) fn merge_request(&self, path: Option<&str>, written_sign: Option<char>, number: u64) -> MergeRequest {
        let path = path.unwrap_or(&self.path);
        let profile = self.profile();
        let sign = written_sign.filter(|_| self.host.is_empty()).unwrap_or(profile.merge_request_sign);
        let reference = format!("{path}{sign}{number}");
        let short = if path == self.path { format!("{sign}{number}") } else { reference.clone() };
        let label = (self.forge() != Forge::GitLab).then_some(short);
        let web_url = profile.links.merge_request.and_then(|page| self.page(path, page, &number));
        MergeRequest { reference, label, web_url }
    }

    /// Returns the page that compares two refs from their merge base, the older first; `None` if the project is not
    /// known or its forge has no such page.
    pub(crate) fn compare_url(&self, from: &str, to: &str) -> Option<String> {
        (self.profile().links.compare)(&self.web_url(&self.path)?, from, to)
    }

    /// Returns the page that compares two refs without their merge base; `None` if the project is not known or its forge
    /// has no such page.
    pub(crate) fn straight_compare_url(&self, from: &str, to: &str) -> Option<String> {
        self.page(&self.path, self.profile().links.straight_compare?, &format_args!("{from}..{to}"))
    }

    /// Returns the page of a merge request, or of a placeholder for its number; `None` if the project is not known or its
    /// forge has no merge requests.
    pub(crate) fn merge_request_url(&self, number: &str) -> Option<String> {
        self.page(&self.path, self.profile().links.merge_request?, &number)
    }

    /// Returns the page of an issue, or of a placeholder for its number; `None` if the project is not known or its forge
    /// has no issues.
    pub(crate) fn issue_url(&self, number: &str) -> Option<String> {
        let issues = (self.profile().links.issues)(&self.web_url(&self.path)?)?;
        Some(format!("{issues}/{number}"))
    }

    /// Returns the page of a file on a branch; `None` if the project is not known or its forge has no API.
    pub(crate) fn branch_file_url(&self, branch: &str, file: &str) -> Option<String> {
        let page = self.profile().api.as_ref()?.branch_file;
        let encoded = |part: &str| utf8_percent_encode(part, UNSAFE_IN_LINKS).to_string();
        self.page(&self.path, page, &format_args!("{}/{}", encoded(branch), encoded(file)))
    }

    fn profile(&self) -> &'static ForgeProfile {
        self.forge.profile()
    }

    fn page(&self, path: &str, page: &str, item: &dyn fmt::Display) -> Option<String> {
        Some(format!("{}/{page}/{item}", self.web_url(path)?))
    }

    /// Returns the address of the page of a project on the same host; `None` if it is not known.
    fn web_url(&self, path: &str) -> Option<String> {
        let is_known = !self.host.is_empty() && !path.is_empty();
        is_known.then(|| format!("{}/{}", self.host, (self.profile().links.project)(path)))
    }
}

/// Returns the web address of a remote's host, without a user; a port is kept for http and https only.
fn web_host(scheme: &str, authority: &str) -> String {
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if scheme == "http" || scheme == "https" {
        return format!("{scheme}://{host}");
    }
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    // Users with several keys name the host `github.com-work` in ssh_config(5).
    let mut hosts = Forge::ALL.iter().flat_map(|forge| forge.profile().ssh_hosts);
    let known = hosts.find(|(ssh, web)| {
        name.eq_ignore_ascii_case(ssh) || name.strip_prefix(web).is_some_and(|rest| rest.starts_with('-'))
    });
    format!("https://{}", known.map_or(name, |(_, web)| web))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remotes_of_every_form_name_host_and_path() {
        for (url, host, path) in [
            ("https://gitlab.com/group/project.git", "https://gitlab.com", "group/project"),
            ("https://user:secret@git.example.org:8443/a/b/c/", "https://git.example.org:8443", "a/b/c"),
            ("http://localhost:3000/o/p", "http://localhost:3000", "o/p"),
            ("ssh://git@git.example.org:2222/group/sub/app.git", "https://git.example.org", "group/sub/app"),
            ("git@github.com:owner/project.git", "https://github.com", "owner/project"),
            ("ssh://git@ssh.github.com:443/owner/project.git", "https://github.com", "owner/project"),
            ("ssh://git@altssh.gitlab.com:443/group/app.git", "https://gitlab.com", "group/app"),
            ("git@altssh.bitbucket.org:owner/project.git", "https://bitbucket.org", "owner/project"),
            ("git@ssh.dev.azure.com:v3/org/team/app", "https://dev.azure.com", "v3/org/team/app"),
            ("git@github.com-work:owner/project.git", "https://github.com", "owner/project"),
            ("git@ssh.harbor.example:owner/project.git", "https://ssh.harbor.example", "owner/project"),
            ("https://git.example.org/group/app.git?private_token=pw#pw", "https://git.example.org", "group/app"),
            ("git@git.example.org:group/app.git?key=pw", "https://git.example.org", "group/app"),
            ("git://git.example.org/group/app", "https://git.example.org", "group/app"),
        ] {
            let project = Project::from_remote(url).unwrap_or_else(|| panic!("{url}"));
            assert_eq!((project.host(), project.path()), (host, path), "{url}");
        }
    }

    #[test]
    fn a_local_path_is_not_a_project() {
        for url in [
            "/srv/git/app.git",
            "../app",
            r"C:\repos\app",
            "file:///srv/app",
            "./a:b",
            "https://host",
            "https://host?a/b",
            "ext::a/b",
        ] {
            assert_eq!(Project::from_remote(url), None, "{url}");
        }
    }

    #[test]
    fn every_forge_has_its_own_links() {
        let id: Oid = "0101010101010101010101010101010101010101".parse().unwrap();
        for (host, commit, request, reference) in [
            ("https://git.example.org", "/-/commit/", "/-/merge_requests/7", "a/b!7"),
            ("https://github.com", "/commit/", "/pull/7", "a/b#7"),
            ("https://codeberg.org", "/commit/", "/pulls/7", "a/b#7"),
            ("https://bitbucket.org", "/commits/", "/pull-requests/7", "a/b#7"),
            ("https://dev.azure.com", "/commit/", "/pullrequest/7", "a/b!7"),
        ] {
            let project = Project::new(host, "a/b");
            assert_eq!(project.commit(id).web_url, Some(format!("{host}/a/b{commit}{id}")));
            let merge_request = project.merge_request(None, None, 7);
            assert_eq!(merge_request.web_url, Some(format!("{host}/a/b{request}")));
            assert_eq!(merge_request.reference, reference);
        }
    }

    #[test]
    fn pages_are_found_whatever_the_form_of_the_remote() {
        let id: Oid = "0101010101010101010101010101010101010101".parse().unwrap();
        let azure = "https://dev.azure.com/org/team/_git/app";
        let data_center = "https://bitbucket.example/projects/key/repos/app";
        for (remote, page) in [
            ("https://ida@dev.azure.com/org/team/_git/app", azure),
            ("git@ssh.dev.azure.com:v3/org/team/app", azure),
            ("org@vs-ssh.visualstudio.com:v3/org/team/app", azure),
            ("https://org.visualstudio.com/team/_git/app", "https://org.visualstudio.com/team/_git/app"),
            ("ssh://git@bitbucket.example:7999/key/app.git", data_center),
            ("https://bitbucket.example/scm/key/app.git", data_center),
            ("https://bitbucket.example/code/scm/key/app.git", "https://bitbucket.example/code/projects/key/repos/app"),
            ("https://bitbucket.example/scm/~ida/app.git", "https://bitbucket.example/users/ida/repos/app"),
            ("git@git.sr.ht:~ida/app", "https://git.sr.ht/~ida/app"),
        ] {
            let commit = Project::from_remote(remote).unwrap().commit(id).web_url.unwrap();
            assert_eq!(commit.split("/commit").next(), Some(page), "{remote}");
        }
    }

    #[test]
    fn comparisons_and_issues_are_where_the_forge_has_them() {
        let compare = |remote: &str| Project::from_remote(remote).unwrap().compare_url("v1", "v2");
        let issue = |remote: &str| Project::from_remote(remote).unwrap().issue_url("7");
        for (remote, page, tracker) in [
            ("https://gitlab.com/a/b", Some("/-/compare/v1...v2"), Some("https://gitlab.com/a/b/-/issues/7")),
            ("https://github.com/a/b", Some("/compare/v1...v2"), Some("https://github.com/a/b/issues/7")),
            ("https://bitbucket.org/a/b", Some("/branches/compare/v2..v1"), Some("https://bitbucket.org/a/b/issues/7")),
            ("https://bitbucket.example/scm/a/b", Some("/compare/commits?targetBranch=v1&sourceBranch=v2"), None),
            (
                "https://dev.azure.com/a/b/_git/c",
                Some("/branchCompare?baseVersion=GTv1&targetVersion=GTv2"),
                Some("https://dev.azure.com/a/b/_workitems/edit/7"),
            ),
            ("https://git.sr.ht/~a/b", None, Some("https://todo.sr.ht/~a/b/7")),
        ] {
            let found = compare(remote);
            assert_eq!(found.is_some(), page.is_some(), "{found:?}");
            assert!(found.is_none_or(|found| found.ends_with(page.unwrap())), "{remote}");
            assert_eq!(issue(remote).as_deref(), tracker);
        }
        let commit = "0101010101010101010101010101010101010101";
        let azure = Project::new("https://dev.azure.com", "a/b/_git/c").compare_url(commit, "v2").unwrap();
        assert!(azure.ends_with(&format!("?baseVersion=GC{commit}&targetVersion=GTv2")), "{azure}");
    }

    #[test]
    fn links_need_a_host() {
        let project = Project::new("", "");
        let id: Oid = "0101010101010101010101010101010101010101".parse().unwrap();
        assert_eq!(project.commit(id).web_url, None);
        assert_eq!(project.commit(id).reference, id.to_string());
        assert_eq!(project.compare_url("v1", "v2"), None);
        assert_eq!(project.merge_request(None, Some('#'), 7).reference, "#7", "as the message has it");
    }
}
