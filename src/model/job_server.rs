//! The server that runs the CI job, which says what software it is by the variables of its jobs.

use super::Forge;

/// The server that runs the CI job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JobServer {
    /// `host[:port]`, in lower case.
    authority: String,
    /// The software it runs.
    pub forge: Forge,
}

impl JobServer {
    /// Finds the server of a job by its environment; `None` outside of a job.
    pub(crate) fn from_environment(lookup: &dyn Fn(&str) -> Option<String>) -> Option<Self> {
        let server = |name: &str, forge: Forge| {
            let authority = authority(&lookup(name)?).to_ascii_lowercase();
            (!authority.is_empty()).then_some(Self { authority, forge })
        };
        // Gitea and Forgejo set the variables of GitHub, too.
        let is_gitea = ["GITEA_ACTIONS", "FORGEJO_ACTIONS"].iter().any(|name| lookup(name).is_some());
        let github = if is_gitea { Forge::Gitea } else { Forge::GitHub };
        let is_github = is_gitea || lookup("GITHUB_ACTIONS").is_some();
        let of_github = is_github.then(|| server("GITHUB_SERVER_URL", github)).flatten();
        of_github.or_else(|| server("CI_SERVER_URL", Forge::GitLab))
    }

    /// Whether a host, given by name or as a URL, is this server. The address of an SSH remote does not name the port
    /// of the pages.
    pub(crate) fn is_at(&self, host: &str) -> bool {
        let other = authority(host).to_ascii_lowercase();
        other == self.authority || self.authority.split(':').next() == Some(other.as_str())
    }
}

/// Returns the host and the port of a URL.
fn authority(url: &str) -> &str {
    let rest = url.trim().split_once("://").map_or(url.trim(), |(_, rest)| rest);
    let authority = rest.split('/').next().unwrap_or_default();
    authority.rsplit_once('@').map_or(authority, |(_, host)| host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variables_of_a_job_say_what_its_server_runs() {
        let server = |variables: &[(&str, &str)]| {
            let lookup = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, v)| (*v).to_owned());
            JobServer::from_environment(&lookup)
        };
        let github = [("GITHUB_SERVER_URL", "https://Code.Harbor.example"), ("GITHUB_ACTIONS", "true")];
        let found = server(&github).unwrap();
        assert_eq!(found.forge, Forge::GitHub);
        assert!(found.is_at("https://code.harbor.example") && found.is_at("code.harbor.example"));
        assert!(!found.is_at("https://harbor.example") && !found.is_at("https://code.harbor.example:8443"));
        for variable in ["GITEA_ACTIONS", "FORGEJO_ACTIONS"] {
            assert_eq!(server(&[github[0], github[1], (variable, "true")]).unwrap().forge, Forge::Gitea);
        }
        let gitlab = server(&[("CI_SERVER_URL", "https://git.harbor.example:8443")]).unwrap();
        assert_eq!(gitlab.forge, Forge::GitLab);
        assert!(gitlab.is_at("https://git.harbor.example:8443") && gitlab.is_at("https://git.harbor.example"));
        assert_eq!(server(&github[..1]), None, "no job");
    }
}
