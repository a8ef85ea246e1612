//! Why an ssh ended before git answered, by what it said, and the cure.

use super::url::RepoUrl;
use crate::model::{Problem, ProblemKind};

/// What is in the way.
#[derive(Clone, Copy)]
enum Cause {
    ChangedKey,
    UnknownKey,
    RefusedKey,
    NoRepository,
    NoGit,
    NoHost,
}

/// What OpenSSH, plink, git and the well-known hosts say of each; the first that is found counts.
const SIGNS: [(Cause, &[&str]); 6] = [
    (Cause::ChangedKey, &["REMOTE HOST IDENTIFICATION HAS CHANGED", "POTENTIAL SECURITY BREACH"]),
    (Cause::UnknownKey, &["Host key verification failed", "host key is known", "host key is not cached"]),
    (
        Cause::RefusedKey,
        &["Permission denied (", "Too many authentication failures", "No supported authentication methods"],
    ),
    (
        Cause::NoRepository,
        &[
            "not appear to be a git repository",
            "epository not found",
            "could not be found",
            "epository does not exist",
            "mis-spelled the reponame",
        ],
    ),
    (Cause::NoGit, &["git-upload-pack: command not found", "git-upload-pack: not found", "'git-upload-pack' is not"]),
    (
        Cause::NoHost,
        &["resolve hostname", "connect to host", "Connection closed by", "Connection reset by", "Network error"],
    ),
];

/// The failure of an ssh that said this.
pub(super) fn explain(url: &RepoUrl, said: &str) -> Problem {
    // What is not shown of the URL may be a password.
    let shown = url.to_string();
    let host = url.host().filter(|host| shown.contains(host)).unwrap_or("HOST");
    let user = url.gix().user().filter(|user| shown.contains(&format!("{user}@")));
    let user = user.map(|user| format!("-l {user} ")).unwrap_or_default();
    let port = url.gix().port;
    let address = port.map_or_else(|| host.to_owned(), |port| format!("-p {port} {host}"));
    let (scan, login) = (format!("ssh-keyscan {address}"), format!("ssh -T {user}{address}"));
    let found = SIGNS.iter().find(|(_, signs)| signs.iter().any(|sign| said.contains(sign)));
    match found.map(|(cause, _)| *cause) {
        Some(Cause::ChangedKey) => {
            let known_as = port.map_or_else(|| host.to_owned(), |port| format!("'[{host}]:{port}'"));
            Problem::new(format!("`{host}` has another host key than before")).hint(format!(
                "if the host announced a new key, run `ssh-keygen -R {known_as}` and accept that one; otherwise somebody may be in between"
            ))
        }
        Some(Cause::UnknownKey) => Problem::new(format!("ssh does not know the host key of `{host}`")).hint(format!(
            "compare the fingerprint of `{scan} | ssh-keygen -lf -` with the one that the host publishes, then run `{scan} >> ~/.ssh/known_hosts`"
        )),
        Some(Cause::RefusedKey) => Problem::new(format!("`{host}` accepts no key that ssh offers"))
            .kind(ProblemKind::AccessDenied)
            .hint(format!("run `{login} -v` to see which keys are offered, and `ssh-add -l` which the agent has"))
            .hint("add the public key to your account there, or to the project as a deploy key"),
        Some(Cause::NoRepository) => Problem::new(format!("`{url}` does not exist, or the key may not read it"))
            .hint(format!("check the path of the repository; `{login}` shows on many hosts whose key it is")),
        Some(Cause::NoGit) => Problem::new(format!("`{host}` has no git"))
            .hint("install git there, in a directory of the `PATH` that ssh sets"),
        Some(Cause::NoHost) => Problem::new(format!("ssh does not get to `{host}`: {}", last(said)))
            .hint("check host and port of the URL, and the network"),
        None => Problem::new(format!("ssh ended before git answered from `{url}`: {}", last(said)))
            .hint(format!("run `{login}` to see whether ssh itself works")),
    }
}

/// The last line that says something: git's own at the end is always the same.
fn last(said: &str) -> &str {
    let mut lines = said.lines().rev().map(str::trim);
    let line = lines.find(|line| !line.is_empty() && !line.starts_with("fatal: Could not read"));
    line.map_or("it said nothing", |line| line.strip_prefix("ssh: ").unwrap_or(line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{hints, kind};

    fn explained(said: &str) -> (String, String, ProblemKind) {
        let url = RepoUrl::parse("ssh://ida@harbor.example:2222/ship.git").unwrap().unwrap();
        let error = anyhow::Error::from(explain(&url, said));
        (error.to_string(), hints(&error).join("; "), kind(&error))
    }

    #[test]
    fn each_refusal_has_its_cure() {
        let changed = "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\nHost key verification failed.\n";
        let gitlab = "remote: ERROR: The project you were looking for could not be found or you don't have permission to view it.\nfatal: Could not read from remote repository.\n";
        for (said, message, hint) in [
            (changed, "`harbor.example` has another host key", "ssh-keygen -R '[harbor.example]:2222'"),
            (
                "No ED25519 host key is known for x and y.\nHost key verification failed.\n",
                "does not know the host key",
                "ssh-keyscan -p 2222 harbor.example >>",
            ),
            (
                "ida@harbor.example: Permission denied (publickey).\n",
                "accepts no key",
                "ssh -T -l ida -p 2222 harbor.example -v",
            ),
            (
                "FATAL ERROR: No supported authentication methods available (server sent: publickey)\n",
                "accepts no key",
                "deploy key",
            ),
            (gitlab, "ship.git` does not exist, or the key may not read it", "check the path"),
            ("ERROR: Repository not found.\n", "does not exist", "check the path"),
            ("fatal: '/ship.git' does not appear to be a git repository\n", "does not exist", "check the path"),
            (
                "FATAL: R any ship ida DENIED by fallthru\n(or you mis-spelled the reponame)\n",
                "does not exist",
                "check the path",
            ),
            ("bash: line 1: git-upload-pack: command not found\n", "`harbor.example` has no git", "install git there"),
            (
                "ssh: Could not resolve hostname harbor.example: Name or service not known\n",
                "resolve hostname",
                "check host",
            ),
            ("ssh: connect to host harbor.example port 2222: Connection refused\n", "refused", "check host"),
            (
                "odd\nfatal: Could not read from remote repository.\n",
                "`ssh://ida@harbor.example:2222/ship.git`: odd",
                "run `ssh -T",
            ),
            ("", "it said nothing", "run `ssh -T"),
        ] {
            let (told, cure, _) = explained(said);
            assert!(told.contains(message) && cure.contains(hint), "{said}: {told}: {cure}");
        }
        assert_eq!(explained("Permission denied (publickey).").2, ProblemKind::AccessDenied);
        assert_eq!(explained(gitlab).2, ProblemKind::Failed);
    }
}
