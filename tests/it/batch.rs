//! `tidings batch`: many repositories, every result, nothing twice.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::support::{Outcome, Service, TestRepo, tidings};

/// An empty repository that knows who commits.
fn repository() -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    repo
}

/// A repository with `v1.0.0` and one change after it.
fn harbor() -> TestRepo {
    let repo = repository();
    repo.commit("Initial");
    repo.tag("v1.0.0");
    repo.change("Add crane", "added");
    repo
}

/// The results of a run, in the order of the list.
#[track_caller]
fn results(text: &str) -> Vec<Value> {
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines.sort_by_key(|line| line["index"].as_u64());
    lines
}

fn write(repo: &TestRepo, name: &str, text: &str) -> String {
    let path = repo.beside(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn every_item_answers_as_the_command_by_itself() {
    let (one, two) = (harbor(), harbor());
    let list = write(
        &one,
        "list.yml",
        &format!(
            "- {{command: show, repo: '{}', version: 1.1.0, options: {{date: '2024-03-09'}}, id: first}}\n\
             - {{command: next, repo: '{}', options: {{format: json}}}}\n\
             - {{command: base}}\n",
            one.path().display(),
            two.path().display(),
        ),
    );
    let outcome = one.tidings(&["batch", &list]);
    assert!(outcome.stderr.starts_with("3 of 3 items done in "), "{}", outcome.stderr);
    let lines = results(&outcome.success());
    let alone = one.tidings(&["show", "1.1.0", "--date", "2024-03-09"]).success();
    assert_eq!((&lines[0]["output"], &lines[0]["id"]), (&json!(alone), &json!("first")));
    assert_eq!((&lines[0]["ok"], &lines[0]["exit_code"]), (&json!(true), &json!(0)));
    assert_eq!(lines[1]["output"], two.tidings(&["next", "--format", "json"]).json());
    assert_eq!(lines[2]["output"], "v1.0.0\n");
}

#[test]
fn a_failure_is_told_and_stops_nothing() {
    let repo = harbor();
    let list = "{\"command\": \"show\", \"repo\": \"../nowhere\"}\n\
                {\"command\": \"show\", \"options\": {\"frm\": \"x\"}}\n\
                {\"command\": \"batch\", \"arguments\": [\"x\"]}\n\
                {\"command\": \"label delete\", \"project\": \"a/b\", \"arguments\": [\"x\"], \"options\": {\"base-url\": \"http://[::1]:9\"}}\n\
                {\"command\": \"next\", \"options\": {\"from\": \"HEAD\"}}\n\
                {\"command\": \"check\", \"options\": {\"max-title\": 3}}\n\
                {\"command\": \"base\", \"arguments\": [\"-C\"]}\n\
                {\"command\": \"base\"}\n";
    let outcome = repo.tidings(&["batch", &write(&repo, "list.jsonl", list)]);
    let lines = results(&outcome.stdout);
    let codes: Vec<_> = lines.iter().map(|line| line["exit_code"].as_u64().unwrap()).collect();
    assert_eq!(codes, [1, 2, 2, 2, 5, 3, 2, 0]);
    assert_eq!(lines[0]["error"]["hints"][0], "run the command inside a repository, or choose one with `--repo`");
    assert_eq!(lines[1]["error"]["message"], "unexpected argument '--frm' found");
    assert_eq!(lines[1]["error"]["hints"], json!(["a similar argument exists: '--from'"]));
    assert_eq!(lines[2]["error"]["message"], "`batch` cannot be nested");
    assert_eq!(lines[3]["error"]["hints"], json!(["use `--yes` to confirm"]));
    assert!(lines[5]["output"].as_str().unwrap().contains("title"), "the findings of a check are output: {}", lines[5]);
    let stderr = outcome.failure(1);
    assert!(stderr.contains("failed: show ../nowhere: no git repository at"), "{stderr}");
    assert!(stderr.contains("1 of 8 items done, 6 failed, 1 had nothing to do"), "{stderr}");
    assert!(stderr.ends_with("error: 6 of 8 items failed\n"), "{stderr}");
}

#[test]
fn what_was_done_is_not_done_again() {
    let repo = harbor();
    let list = "{\"command\": \"add\", \"version\": \"1.1.0\", \"id\": \"a\"}\n{\"command\": \"show\", \"repo\": \"../late\"}\n";
    let list = write(&repo, "list.jsonl", list);
    let journal = repo.beside("results.jsonl").to_str().unwrap().to_owned();
    // What `-o` wrote can be resumed, too; a failed item and half a line are not results.
    repo.tidings(&["batch", &list, "-o", &journal]).failure(1);
    let mut text = fs::read_to_string(&journal).unwrap();
    text.push_str("{\"index\": 9, \"ke");
    fs::write(&journal, text).unwrap();
    repo.git(&["clone", "-q", ".", "../late"]);
    let outcome = repo.tidings(&["batch", &list, "--resume", &journal]);
    assert!(outcome.stderr.contains("1 of the 3 lines of"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("1 of 2 items done, 1 done before"), "{}", outcome.stderr);
    assert_eq!(results(&outcome.success())[0]["command"], "show");
    assert_eq!(fs::read_to_string(&journal).unwrap().lines().count(), 4);
    let outcome = repo.tidings(&["batch", &list, "--resume", &journal]);
    assert_eq!(outcome.success(), "");
    assert_eq!(repo.git(&["rev-list", "--count", "HEAD"]), "3");
    repo.tidings(&["batch", &list, "--resume", &journal, "-o", &journal]).failure(2);
}

#[test]
fn the_shards_of_a_list_share_it() {
    let repo = harbor();
    let list = write(&repo, "list.yml", &"- {command: base}\n".repeat(7));
    let indexes = |outcome: String| -> Vec<u64> {
        results(&outcome).iter().map(|line| line["index"].as_u64().unwrap()).collect()
    };
    assert_eq!(indexes(repo.tidings(&["batch", &list, "--shard", "1/3"]).success()), [0, 3, 6]);
    assert_eq!(indexes(repo.tidings(&["batch", &list, "--shard", "3/3"]).success()), [2, 5]);
    let mut job = tidings(repo.path());
    job.args(["batch", &list, "--shard", "auto"]).envs([("CI_NODE_INDEX", "2"), ("CI_NODE_TOTAL", "3")]);
    assert_eq!(indexes(String::from_utf8(job.output().unwrap().stdout).unwrap()), [1, 4]);
    assert!(repo.tidings(&["batch", &list, "--shard", "4/3"]).failure(2).contains("is not a shard"));
}

#[test]
fn items_of_one_repository_follow_each_other() {
    let repo = repository();
    let mut release = |patch: usize| {
        repo.change("Mend it", "fixed");
        repo.tag(&format!("v1.0.{patch}"));
        format!("- {{command: add, version: 1.0.{patch}, options: {{to: v1.0.{patch}, first-release: yes}}}}\n")
    };
    let list: String = (0..6).map(&mut release).collect();
    let outcome = repo.tidings(&["batch", "--jobs", "6", &write(&repo, "list.yml", &list)]);
    assert_eq!(results(&outcome.success()).len(), 6);
    assert_eq!(repo.git(&["log", "-1", "--format=%s"]), "Add changelog for version 1.0.5");
    assert_eq!(repo.git(&["rev-list", "--count", "HEAD"]), "12");
}

#[test]
fn options_of_the_run_hold_for_items_that_do_not_set_them() {
    let repo = harbor();
    let path = repo.path().to_str().unwrap();
    let list = write(&repo, "list.yml", "- {command: base}\n- {command: base, options: {format: text}}\n");
    let mut elsewhere = tidings(Path::new("/"));
    let output = elsewhere.args(["batch", &list, "--repo", path, "--format", "json"]).output().unwrap();
    let lines = results(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(lines[0]["output"]["tag"], "v1.0.0");
    assert_eq!(lines[1]["output"], "v1.0.0\n");
}

#[test]
fn an_answer_that_is_no_text_wants_a_file() {
    let repo = harbor();
    repo.file("a.txt", "a\n");
    repo.commit("Add a");
    let list = "- {command: repo archive}\n- {command: repo archive, options: {output: ../a.tar.gz}}\n";
    let outcome = repo.tidings(&["batch", &write(&repo, "list.yml", list)]);
    let lines = results(&outcome.stdout);
    assert_eq!(lines[0]["error"]["message"], "the output is not text");
    assert_eq!((&lines[1]["ok"], &lines[1]["output"]), (&json!(true), &Value::Null));
    assert!(repo.beside("a.tar.gz").exists());
}

#[test]
fn a_list_with_a_mistake_is_refused_before_anything_is_done() {
    let repo = harbor();
    let list = write(&repo, "list.yml", "- {command: add, version: 1.1.0}\n- {comand: add}\n");
    let refusal = repo.tidings(&["batch", &list]).failure(1);
    assert!(refusal.contains("list.yml:2:3: unknown key `comand`"), "{refusal}");
    assert!(refusal.contains("did you mean `command`?"), "{refusal}");
    assert_eq!(repo.git(&["rev-list", "--count", "HEAD"]), "2");
    assert_eq!(repo.tidings(&["batch", &write(&repo, "none.yml", "")]).success(), "");
}

#[test]
fn commands_in_one_repository_share_its_history() {
    let repo = harbor();
    repo.file("pier/a", "1").change("Build the pier", "added");
    repo.tag("v1.1.0").tag("pier/v1.1.0");
    repo.write("tidings.yml", "packages: {pier: }\n").change("Mend the crane", "fixed");
    let commands = [
        json!({"command": "show", "options": {"to": "v1.1.0"}}),
        json!({"command": "show", "options": {"from": "v1.0.0"}}),
        json!({"command": "next", "options": {"format": "json"}}),
        json!({"command": "next", "options": {"format": "json", "package": "pier"}}),
        json!({"command": "explain", "options": {"first-release": true}}),
        json!({"command": "show", "options": {"all": true}}),
        json!({"command": "check", "options": {"format": "json", "from": "v1.0.0"}}),
        json!({"command": "repo contributors"}),
    ];
    let add = json!({"command": "add", "version": "1.2.0"});
    let items: Vec<String> = commands.iter().chain([&add]).chain(&commands).map(Value::to_string).collect();
    let alone = || -> Vec<Value> {
        let run = |item: &Value| {
            let options = item["options"].as_object().into_iter().flatten();
            let option = |(name, value): (&String, &Value)| match value.as_str() {
                Some(value) => format!("--{name}={value}"),
                None => format!("--{name}"),
            };
            let options: Vec<String> = options.map(option).collect();
            let words = item["command"].as_str().unwrap().split(' ');
            let outcome = repo.tidings(&words.chain(options.iter().map(String::as_str)).collect::<Vec<_>>());
            serde_json::from_str(&outcome.stdout).unwrap_or_else(|_| json!(outcome.stdout))
        };
        commands.iter().map(run).collect()
    };
    let before = alone();
    let lines = results(&repo.tidings(&["batch", &write(&repo, "list.jsonl", &items.join("\n"))]).stdout);
    let outputs: Vec<Value> = lines.iter().map(|line| line["output"].clone()).collect();
    assert_eq!(outputs[..8], before[..], "{lines:#?}");
    assert_eq!(lines[8]["ok"], true, "{}", lines[8]);
    assert_eq!(outputs[9..], alone()[..], "of the history that `add` has changed");
    assert_ne!(outputs[9..], before[..]);
}

#[test]
fn an_option_of_the_batch_goes_before_the_environment_and_that_of_an_item_before_both() {
    let service = Service::start();
    let repo = repository();
    let list = write(&repo, "list.yml", "- {command: label list}\n- {command: label list, options: {auth: bearer}}\n");
    let mut run = service.program("developer-token");
    run.args(["batch", &list, "--auth", "none", "-j", "1"]).env("TIDINGS_AUTH", "bearer");
    let lines = results(&Outcome::from(run.output().unwrap()).stdout);
    assert_eq!((&lines[0]["exit_code"], &lines[1]["exit_code"]), (&json!(4), &json!(0)), "{lines:?}");
    let sent: Vec<_> = service.requests().iter().map(|request| request.header("authorization").is_some()).collect();
    assert_eq!(sent, [false, true]);
}

#[test]
fn a_name_that_is_none_is_neither_repeated_nor_compared() {
    let repo = TestRepo::new();
    let long = "x".repeat(3_000_000);
    for item in [json!({ "command": long }), json!({ "command": "show", "options": { &long: true } })] {
        repo.write("list.jsonl", item.to_string());
        let outcome = repo.tidings(&["batch", "list.jsonl"]);
        assert!(outcome.code != 0 && outcome.stdout.len() + outcome.stderr.len() < 2_000, "{}", outcome.stderr.len());
        assert!(outcome.stderr.contains("unknown ") && outcome.stderr.contains("xxx…`"), "{}", outcome.stderr);
    }
}
