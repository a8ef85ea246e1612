//! `tidings repo` on a local repository and against the tests' server: the same output, the same errors.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Random, Service, TestRepo, generated};

/// A repository, and a service that hosts it.
struct Both {
    repo: TestRepo,
    service: Service,
}

impl Both {
    fn new(seed: u64) -> Self {
        Self::of(generated::repository(&mut Random::new(seed)))
    }

    fn of(repo: TestRepo) -> Self {
        repo.git(&["remote", "add", "origin", "git@git.example.org:group/app.git"]);
        let service = Service::with_repository(repo.path());
        Self { repo, service }
    }

    /// The JSON output, local and hosted.
    #[track_caller]
    fn json(&self, arguments: &[&str]) -> [Value; 2] {
        let arguments = [&["repo"], arguments, &["--format", "json"]].concat();
        [self.repo.tidings(&arguments).json(), self.service.tidings(&arguments).json()]
    }

    #[track_caller]
    fn agree(&self, arguments: &[&str]) -> Value {
        let [local, hosted] = self.json(arguments);
        assert_eq!(local, hosted, "{arguments:?}");
        local
    }

    /// The messages of refusals, local and hosted, without causes and hints.
    #[track_caller]
    fn refuse(&self, arguments: &[&str]) -> String {
        let arguments = [&["repo"], arguments].concat();
        let message = |stderr: String| stderr.lines().next().unwrap_or_default().to_owned();
        let local = message(self.repo.tidings(&arguments).failure(1));
        assert_eq!(local, message(self.service.tidings(&arguments).failure(1)), "{arguments:?}");
        local
    }
}

#[test]
fn trees_agree() {
    let both = Both::new(21);
    let root = both.agree(&["tree"]);
    both.agree(&["tree", "--ref", "topic"]);
    both.agree(&["tree", "--ref", "heavy", "--recursive"]);
    for entry in root.as_array().unwrap().iter().filter(|entry| entry["type"] == "tree") {
        let directory = entry["path"].as_str().unwrap();
        both.agree(&["tree", directory, "-r"]);
        both.agree(&["tree", &format!("/{directory}/")]);
    }
    assert_eq!(both.refuse(&["tree", "no/such"]), "error: directory `no/such` not found");
    assert_eq!(both.refuse(&["tree", "--ref", "nope"]), "error: unknown revision `nope`");
}

#[test]
fn pages_of_trees_agree_and_lead_on() {
    let both = Both::new(21);
    let whole = both.agree(&["tree", "-r"]);
    let (mut pages, mut token) = (Vec::new(), None::<String>);
    loop {
        let mut arguments = vec!["repo", "tree", "-r", "--per-page", "7", "--format", "json"];
        arguments.extend(token.iter().flat_map(|token| ["--page-token", token.as_str()]));
        let (local, hosted) = (both.repo.tidings(&arguments), both.service.tidings(&arguments));
        assert_eq!((&local.stdout, &local.stderr), (&hosted.stdout, &hosted.stderr));
        let next = local.stderr.trim().rsplit_once("--page-token ").map(|(_, token)| token.to_owned());
        pages.extend(local.json().as_array().unwrap().clone());
        match next {
            Some(next) => token = Some(next),
            None => break,
        }
    }
    assert_eq!(Value::from(pages), whole);
}

#[test]
fn blobs_agree() {
    let both = Both::new(22);
    let tree = both.agree(&["tree", "-r"]);
    let blobs = tree.as_array().unwrap().iter().filter(|entry| entry["type"] == "blob");
    for blob in blobs.take(6).map(|blob| blob["id"].as_str().unwrap()) {
        both.agree(&["blob", blob]);
        let file = both.repo.beside("blob");
        let arguments = ["repo", "blob", blob, "--raw", "-o", file.to_str().unwrap()];
        for outcome in [both.repo.tidings(&arguments), both.service.tidings(&arguments)] {
            outcome.success();
            assert_eq!(Some(fs::read(&file).unwrap()), both.repo.oracle().blob(blob));
        }
    }
    let unknown = "0123456789012345678901234567890123456789";
    assert_eq!(both.refuse(&["blob", unknown]), format!("error: blob `{unknown}` not found"));
    assert_eq!(both.refuse(&["blob", unknown, "--raw"]), format!("error: blob `{unknown}` not found"));
}

#[test]
fn comparisons_agree() {
    let both = Both::new(23);
    both.agree(&["compare", "main", "topic"]);
    both.agree(&["compare", "topic", "main", "--straight"]);
    both.agree(&["compare", "old/release", "heavy", "--unidiff"]);
    assert_eq!(both.agree(&["compare", "main", "heavy"])["compare_same_ref"], true);
    assert_eq!(both.refuse(&["compare", "nope", "main"]), "error: unknown revision `nope`");
    let words = "error: `nope`, `none` are unknown revisions";
    assert_eq!(both.refuse(&["compare", "nope", "none"]), words);
}

#[test]
fn contributors_agree() {
    let both = Both::new(24);
    both.agree(&["contributors"]);
    both.agree(&["contributors", "--ref", "topic", "--order-by", "name", "--sort", "desc"]);
    both.agree(&["contributors", "--order-by", "email"]);
    let words = "error: unknown revision `nope`";
    assert_eq!(both.refuse(&["contributors", "--ref", "nope"]), words);
}

#[test]
fn merge_bases_agree() {
    let both = Both::new(25);
    let base = both.agree(&["merge-base", "main", "main~3"]);
    assert_eq!(base["web_url"], format!("https://git.example.org/group/app/-/commit/{}", base["id"].as_str().unwrap()));
    both.agree(&["merge-base", "main", "main~1", "heavy~2"]);
    let words = "error: `x`, `y` are unknown revisions";
    assert_eq!(both.refuse(&["merge-base", "x", "main", "y"]), words);
    both.repo.git(&["-c", "user.name=I", "-c", "user.email=i@x", "commit-tree", "main^{tree}", "-m", "stranger"]);
    let id = both.repo.git(&["-c", "user.name=I", "-c", "user.email=i@x", "commit-tree", "main^{tree}", "-m", "other"]);
    let words = "error: no merge base: these refs have no common ancestor";
    assert_eq!(both.refuse(&["merge-base", "main", &id]), words);
}

#[test]
fn health_agrees_but_for_the_moment() {
    let both = Both::new(26);
    let stderr = both.service.tidings(&["repo", "health"]).failure(1);
    assert!(stderr.contains("no health report of this project yet") && stderr.contains("--generate"), "{stderr}");
    let [mut local, mut hosted] = both.json(&["health", "--generate"]);
    for report in [&mut local, &mut hosted] {
        assert!(report["updated_at"].is_string());
        report["updated_at"] = json!("now");
    }
    assert_eq!(local, hosted);
    let stderr = both.service.tidings_as("reporter-token", &["repo", "health"]).failure(4);
    assert!(stderr.contains("the right to push"), "{stderr}");
}

#[test]
fn archives_agree() {
    let both = Both::new(27);
    let file = |name: &str| both.repo.beside(name);
    let path = both.agree(&["tree", "-r"]).as_array().unwrap().iter().find_map(|entry| {
        let path = entry["path"].as_str().unwrap();
        (path.is_ascii() && entry["type"] == "blob" && !path.contains(['\n', '\t', ','])).then(|| path.to_owned())
    });
    let path = path.unwrap();
    for (name, arguments) in [
        ("a.tar", &[][..]),
        ("a.tar.gz", &["--sha", "topic"]),
        ("a.tbz2", &["--sha", "heavy", "--exclude-path", &path]),
        ("a.zip", &["--path", &path]),
    ] {
        let (local, hosted) = (file(&format!("local-{name}")), file(&format!("hosted-{name}")));
        let arguments = |file: &str| {
            [&["repo", "archive", "-o", file], arguments]
                .concat()
                .iter()
                .map(|one| (*one).to_owned())
                .collect::<Vec<_>>()
        };
        let run = |outcome: fn(&Both, &[&str]) -> crate::support::Outcome, to: &std::path::Path| {
            let arguments = arguments(to.to_str().unwrap());
            outcome(&both, &arguments.iter().map(String::as_str).collect::<Vec<_>>()).success();
            unpacked(name, &fs::read(to).unwrap())
        };
        let local = run(|both, arguments| both.repo.tidings(arguments), &local);
        let hosted = run(|both, arguments| both.service.tidings(arguments), &hosted);
        assert!(local == hosted, "{name} differs");
    }
    let missing = file("missing.zip");
    let arguments = ["repo", "archive", "--path", "no/such", "-o", missing.to_str().unwrap()];
    for outcome in [both.repo.tidings(&arguments), both.service.tidings(&arguments)] {
        assert!(outcome.failure(1).starts_with("error: nothing to archive: "));
        assert!(!missing.exists(), "a failure leaves no file");
    }
}

/// The archive without its compression, which may differ; of a ZIP file the names and sizes of its directory.
fn unpacked(name: &str, bytes: &[u8]) -> Vec<u8> {
    use std::io::Read as _;
    let mut plain = Vec::new();
    match name.rsplit('.').next().unwrap() {
        "gz" => drop(flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain).unwrap()),
        "tbz2" => drop(bzip2::read::BzDecoder::new(bytes).read_to_end(&mut plain).unwrap()),
        "tar" => plain.extend_from_slice(bytes),
        _ => {
            let headers = bytes.windows(4).enumerate().filter(|(_, sign)| sign == b"PK\x01\x02");
            for (offset, _) in headers {
                let length = usize::from(u16::from_le_bytes([bytes[offset + 28], bytes[offset + 29]]));
                plain.extend_from_slice(&bytes[offset + 24..offset + 28]);
                plain.extend_from_slice(&bytes[offset + 46..offset + 46 + length]);
            }
        }
    }
    plain
}

#[test]
fn an_empty_repository_is_called_so() {
    let both = Both::of(TestRepo::with_options(&["--bare"]));
    for operation in ["tree", "contributors"] {
        assert_eq!(both.refuse(&[operation]), "error: the repository has no commits yet");
    }
}

#[test]
fn everything_of_a_public_project_is_there_without_a_token() {
    let both = Both::new(28);
    for arguments in [&["tree"][..], &["contributors"], &["compare", "main", "topic"], &["merge-base", "main", "heavy"]]
    {
        let arguments = [&["repo", "--auth", "none"], arguments].concat();
        both.service.tidings(&arguments).success();
        assert_eq!(both.service.last().header("private-token"), None);
    }
}

#[test]
fn an_archive_that_stops_in_the_middle_is_an_error_and_leaves_no_file() {
    let both = Both::new(29);
    let file = both.repo.beside("whole.tar.gz");
    both.service.fail(crate::support::Fault::Truncated);
    let stderr = both.service.tidings(&["repo", "archive", "-o", file.to_str().unwrap()]).failure(1);
    assert!(stderr.contains("the download broke off"), "{stderr}");
    assert!(!file.exists());
}
