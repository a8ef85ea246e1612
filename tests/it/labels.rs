//! Labels of merge and pull requests, which decide on their categories.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use crate::support::{
    Outcome, Service, TestRepo,
    service::{Fault, ReleaseRequest},
    tidings,
};

const FORGES: [&str; 3] = ["gitlab", "github", "gitea"];

const LABELS: &str = "labels:\n  bug: fixed\n  feature: added\n  breaking: breaking\n  internal: none\n";

/// A repository whose requests are on a service of a forge.
struct Labelled {
    repo: TestRepo,
    service: Service,
    forge: &'static str,
}

impl Labelled {
    /// Requests 11 to 14, of which the last has no label, and none is of another kind.
    fn new(forge: &'static str) -> Self {
        let repo = TestRepo::new();
        repo.author();
        repo.file(".tidings.yml", format!("forge: {forge}\n{LABELS}")).commit("Initial");
        repo.tag("v1.0.0");
        let service = Service::with_repository(repo.path());
        let path = if forge == "gitlab" { "group/app" } else { "harbor/app" };
        repo.git(&["remote", "add", "origin", &format!("{}/{path}.git", service.url())]);
        let new = Self { repo, service, forge };
        for (title, labels) in
            [("Add crane", "Feature"), ("Mend mast", "bug,help wanted"), ("Sweep", "internal,bug"), ("Paint", "")]
        {
            new.merge(title, labels, "ida");
        }
        if forge != "gitlab" {
            new.service.state().github.repository = Some(new.repo.path().to_owned());
        }
        new
    }

    /// Squashes a request, whose title was another one then.
    fn merge(&self, title: &str, labels: &str, author: &str) {
        let mut state = self.service.state();
        let number = state.requests.all.len() as u64 + 11;
        state.requests.all.push(ReleaseRequest {
            number,
            title: title.to_owned(),
            labels: labels.split(',').filter(|label| !label.is_empty()).map(str::to_owned).collect(),
            author: author.to_owned(),
            state: "merged",
            ..ReleaseRequest::default()
        });
        let subject = match self.forge {
            "gitlab" => format!("wip {title}\n\nSee merge request group/app!{number}"),
            _ => format!("wip {title} (#{number})"),
        };
        self.repo.commit(&subject);
    }

    fn run(&self, arguments: &[&str]) -> Outcome {
        let mut program = tidings(self.repo.path());
        program.args(arguments).args(["--base-url", &self.service.url()]).env("TIDINGS_TOKEN", "developer-token");
        program.arg("--cache").arg(self.repo.beside("cache"));
        if self.forge != "gitlab" {
            let root = if self.forge == "gitea" { "v1" } else { "v3" };
            program
                .env("GITHUB_API_URL", format!("{}/api/{root}", self.service.url()))
                .env("GITHUB_SERVER_URL", self.service.url());
        }
        program.output().unwrap().into()
    }

    /// The entries of the unreleased section: category, title and author.
    fn listed(&self, options: &[&str]) -> Vec<String> {
        let document = self.run(&[&["show", "--format", "json"], options].concat()).json();
        let entries = document["entries"].as_array().expect("a list").iter();
        let text = |value: &serde_json::Value| value.as_str().unwrap_or("-").to_owned();
        entries
            .map(|entry| [&entry["category"], &entry["title"], &entry["author"]["reference"]].map(text).join(" | "))
            .collect()
    }
}

#[test]
fn labels_name_the_category_and_the_forge_the_title_and_the_author() {
    for forge in FORGES {
        let labelled = Labelled::new(forge);
        let expected = ["added | Add crane | @ida", "fixed | Mend mast | @ida", "changes | Paint | @ida"];
        assert_eq!(labelled.listed(&[]), expected, "{forge}");
        let asked = labelled.service.requests().len();
        assert_eq!(asked, 1, "one request for all of them: {forge}");
        let is_ordered = labelled.service.last().target.contains("direction=desc");
        assert_eq!(is_ordered, forge == "github", "only GitHub knows it");
        assert_eq!(labelled.listed(&[]), expected);
        assert_eq!(labelled.service.requests().len(), asked, "the second run asks nobody: {forge}");
        let explained = labelled.run(&["explain"]).success();
        assert!(explained.contains("Sweep") && explained.contains("`internal` of the merge request"), "{explained}");
        assert_eq!(labelled.run(&["next"]).success(), "1.1.0\n");
        labelled.merge("Drop rope", "breaking", "olaf");
        assert_eq!(labelled.run(&["next"]).success(), "2.0.0\n", "{forge}");
    }
}

#[test]
fn what_the_list_does_not_have_is_asked_for_by_its_number() {
    for forge in ["github", "gitea"] {
        let labelled = Labelled::new(forge);
        labelled.service.state().requests.all[0].state = "opened";
        assert_eq!(labelled.listed(&[])[0], "added | Add crane | @ida");
        // The number of an issue is no pull request.
        labelled.repo.commit("Sand (#99)");
        let asked = labelled.service.requests().len();
        labelled.listed(&[]);
        assert_eq!(labelled.service.requests().len(), asked + 1, "one number needs no list: {forge}");
        assert!(labelled.listed(&[]).contains(&"changes | Sand | -".to_owned()), "{:?}", labelled.listed(&[]));
    }
}

#[test]
fn bots_are_listed_where_a_label_says_so() {
    let labelled = Labelled::new("github");
    let bot = "renovate[bot] <29139614+renovate[bot]@users.noreply.github.com>";
    for (title, labels) in [("Update rope to 2", "bug"), ("Update sail to 3", "dependencies")] {
        labelled.merge(title, labels, "renovate[bot]");
        labelled.repo.git(&["commit", "-q", "--amend", "--allow-empty", "--no-edit", "--author", bot]);
    }
    let listed = labelled.listed(&[]);
    assert!(listed.contains(&"fixed | Update rope to 2 | @renovate[bot]".to_owned()), "{listed:?}");
    assert!(!listed.iter().any(|entry| entry.contains("sail")), "{listed:?}");
}

#[test]
fn a_forge_that_does_not_answer_is_an_error_and_offline_a_warning() {
    let labelled = Labelled::new("github");
    let fail =
        || labelled.service.fail(Fault::Status(404, "application/json", "{\"message\": \"Not Found\"}".to_owned()));
    fail();
    let stderr = labelled.run(&["show"]).failure(1);
    assert!(stderr.contains("error: cannot read the labels of 4 pull requests\n"), "{stderr}");
    assert!(stderr.contains("hint: use `--offline` to list them without their labels"), "{stderr}");
    let offline = labelled.run(&["show", "--offline"]);
    assert!(
        offline.stderr.contains("the labels of 4 pull requests are not known with `--offline`"),
        "{}",
        offline.stderr
    );
    assert_eq!(offline.success().matches("\n- [wip ").count(), 4);
    // A version is estimated without them, and no release is made of an estimate.
    fail();
    let next = labelled.run(&["next"]);
    assert!(next.stderr.contains("warning: without the labels of its requests, which could not be read: "), "{next:?}");
    assert!(next.stderr.contains("note: the version is an estimate"), "{next:?}");
    assert_eq!(next.success(), "1.0.1\n");
    for command in [&["next", "--strict"][..], &["release"]] {
        fail();
        labelled.run(command).failure(1);
    }
    // Messages are checked without their labels.
    let asked = labelled.service.requests().len();
    labelled.run(&["check", "v1.0.0.."]).success();
    assert_eq!(labelled.service.requests().len(), asked);
}

#[test]
fn the_categories_of_github_are_taken_from_its_own_file() {
    let labelled = Labelled::new("github");
    let release = "changelog:\n  exclude:\n    authors: [octobot]\n  categories:\n    \
                   - title: Repairs 🔧\n      labels: [bug]\n    - title: Features\n      labels: [feature, semver-minor]\n";
    labelled.repo.file(".github/release.yml", release).file(".tidings.yml", "forge: github\nsource: merge-requests\n");
    labelled.merge("Add robot", "feature", "octobot[bot]");
    let text = labelled.run(&["show"]).success();
    let shown: Vec<&str> = text.lines().filter(|line| line.starts_with("###") || line.starts_with("- ")).collect();
    let headings: Vec<&str> = shown.iter().copied().filter(|line| line.starts_with('#')).collect();
    assert_eq!(headings, ["### Repairs 🔧", "### Features", "### Other Changes"], "{text}");
    let titles =
        ["Mend mast", "Sweep", "Add crane", "Paint"].map(|title| shown.iter().any(|line| line.contains(title)));
    assert_eq!((titles, shown.iter().any(|line| line.contains("robot"))), ([true; 4], false), "{text}");
    labelled.repo.file(".github/release.yml", "changelog:\n  categories:\n    - labels: [bug]\n");
    let stderr = labelled.run(&["show"]).failure(1);
    assert!(stderr.contains(".github/release.yml:3:7: `categories` needs a `title` for each category"), "{stderr}");
}

#[test]
fn sections_have_the_order_of_the_labels() {
    // As ruff sorts its requests: the first section whose label a request has, and a last one for all others.
    let config =
        "labels:\n  preview: Preview features\n  bug: Bug fixes\n  rule: Rule changes\n  \"*\": Other changes\n";
    for forge in FORGES {
        let labelled = Labelled::new(forge);
        labelled.repo.write(".tidings.yml", format!("forge: {forge}\n{config}"));
        // A file whose sections look like the program's own does not decide.
        labelled
            .repo
            .file("CHANGELOG.md", "# Changelog\n\n## 1.0.0\n\n### Bug fixes\n\n- One\n\n### Other changes\n\n- Two\n");
        labelled.merge("Add PTH116", "rule,preview", "ida");
        labelled.merge("Detect duplicates", "rule", "ida");
        let titles = ["Preview features", "Bug fixes", "Rule changes", "Other changes"];
        let text = labelled.run(&["show"]).success();
        let found: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("### ")).collect();
        assert!(found.iter().zip(titles).all(|(line, title)| line.starts_with(title)), "{forge}: {found:?}");
        assert_eq!(found.len(), titles.len(), "{forge}: {found:?}");
    }
}

#[test]
fn packages_have_the_labels_of_their_own_requests() {
    let labelled = Labelled::new("gitlab");
    let packages =
        "packages:\n  deck: { paths: [deck], tag_prefix: deck-v }\n  hull: { paths: [hull], tag_prefix: hull-v }\n";
    labelled.repo.file(".tidings.yml", format!("forge: gitlab\n{LABELS}{packages}")).commit("Add packages");
    labelled.repo.git(&["tag", "deck-v1.0.0"]);
    labelled.repo.git(&["tag", "hull-v1.0.0"]);
    for (directory, label) in [("deck", "bug"), ("hull", "breaking")] {
        labelled.repo.file(&format!("{directory}/file"), "new\n");
        labelled.merge(&format!("Paint {directory}"), label, "ida");
    }
    // What is learned for one package counts for the next, and is written once, at the end.
    let (cache, was_written) = (labelled.repo.beside("cache"), Arc::new(AtomicBool::new(false)));
    let (place, seen) = (cache.clone(), Arc::clone(&was_written));
    labelled.service.script(move |_| {
        seen.fetch_or(place.exists(), Ordering::SeqCst);
        None
    });
    assert_eq!(labelled.run(&["next", "--all-packages"]).success(), "deck 1.0.1\nhull 2.0.0\n");
    let asked = labelled.service.requests().len();
    assert_eq!((asked, was_written.load(Ordering::SeqCst), cache.exists()), (2, false, true));
    assert_eq!(labelled.run(&["next", "--all-packages"]).success(), "deck 1.0.1\nhull 2.0.0\n");
    assert_eq!(labelled.service.requests().len(), asked);
}

#[test]
fn labels_with_another_source_are_refused() {
    let repo = TestRepo::new();
    repo.file(".tidings.yml", "source: trailers\nlabels: { bug: fixed }\n").commit("Initial");
    let stderr = repo.tidings(&["show"]).failure(1);
    assert!(
        stderr.contains(".tidings.yml:2:9: `labels` is about merge requests, and `source` is `trailers`"),
        "{stderr}"
    );
}
