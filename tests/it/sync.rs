//! `tidings label sync` and `tidings role sync`: a server brought into line with a file.

use std::io::Write as _;

use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::support::{Fault, Outcome, Service, service::Response};

const LABELS: &str = "\
- name: bug
  color: red
  priority: 1
- name: late
  color: '#D9534F'
  description: not in time
- name: shared
  color: teal
";

const ROLES: &str = "\
- name: Auditor
  base_access_level: guest
  allow: [read_code, read_runners]
- name: Releaser
  description: makes releases
  base_access_level: 30
  allow: manage_deploy_tokens
";

fn sync(service: &Service, noun: &str, text: &str, more: &[&str]) -> Outcome {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let path = file.path().to_str().unwrap();
    service.tidings_as("admin-token", &[&[noun, "sync", path], more].concat())
}

/// The requests that were no question.
fn writes(service: &Service) -> usize {
    service.requests().iter().filter(|request| request.method != "GET").count()
}

#[test]
fn labels_become_those_of_the_file_and_then_stay() {
    let service = Service::start();
    let plan = "\
        change  bug     color #d9534f -> #ff0000, priority 1\n\
        create  late    color #d9534f, description \"not in time\"\n\
        leave   shared  of an ancestor group\n\
        leave   100%    not in the file\n\
        leave   a/b c   not in the file\n\
        leave   locked  not in the file\n\
        1 to create, 1 to change, 4 to leave\n";
    assert_eq!(sync(&service, "label", LABELS, &["--dry-run"]).success(), plan);
    assert_eq!(writes(&service), 0);
    let done = sync(&service, "label", LABELS, &[]).success();
    assert_eq!(done, format!("{plan}1 created, 1 changed\n"));
    assert_eq!(writes(&service), 2);
    let again = sync(&service, "label", LABELS, &[]).success();
    assert!(again.ends_with("locked  not in the file\n6 to leave\n"), "{again}");
    assert_eq!(writes(&service), 2);
}

#[test]
fn a_change_sends_what_differs_and_nothing_else() {
    let service = Service::start();
    sync(&service, "label", "- {name: a/b c, color: '#D9534F', priority: 3}", &[]).success();
    let request = service.last();
    assert_eq!((request.method.as_str(), request.body.as_slice()), ("PUT", &b"priority=3"[..]));
    let gone = sync(&service, "label", "- {name: a/b c, color: '#d9534f', priority: none, description: ~}", &[]);
    assert!(gone.success().contains("change  a/b c   priority 3 -> none\n"));
    assert_eq!(service.state().labels.find("a/b c").unwrap().priority, None);
}

#[test]
fn only_prune_deletes_and_only_when_it_is_meant() {
    let service = Service::start();
    let stderr = sync(&service, "label", LABELS, &["--prune"]).failure(2);
    assert!(
        stderr.contains("refusing to delete 3 labels of `group/app` without confirmation\nhint: use `--yes`"),
        "{stderr}"
    );
    assert_eq!(writes(&service), 0);
    let outcome = sync(&service, "label", LABELS, &["--prune", "--yes"]);
    assert!(outcome.stdout.ends_with("1 created, 1 changed, 2 deleted, 1 failed\n"), "{outcome:?}");
    let stderr = outcome.failure(1);
    assert!(stderr.contains("label `locked`: ") && stderr.contains("error: 1 of 5 changes failed"), "{stderr}");
    let state = service.state();
    assert!(state.labels.find("shared").is_some() && state.labels.find("100%").is_none());
}

#[test]
fn things_on_every_page_are_known() {
    let service = Service::start();
    for number in 0..120 {
        service.state().labels.add(&format!("z{number}"), "#ff0000");
    }
    let done = sync(&service, "label", "[{name: z0, color: red}, {name: z99, color: red}]", &["--prune", "--dry-run"]);
    assert!(done.success().ends_with("122 to delete, 3 to leave\n"));
}

#[test]
fn what_a_list_prints_can_be_given_back() {
    let service = Service::start();
    for (noun, list) in [("label", vec!["label", "list"]), ("role", vec!["role", "list"])] {
        let response = service.tidings_as("admin-token", &[&list[..], &["--format", "json"]].concat()).success();
        let done = sync(&service, noun, &response, &["--prune"]).success();
        assert!(done.ends_with(" to leave\n") && !done.contains(", "), "{done}");
    }
    assert_eq!(writes(&service), 0);
}

#[test]
fn the_plan_as_json_tells_what_became_of_each() {
    let service = Service::start();
    let planned = sync(&service, "label", LABELS, &["--dry-run", "--format", "json"]).json();
    assert_eq!((&planned[0]["outcome"], &planned[2]["outcome"]), (&json!("planned"), &json!("left")));
    assert_eq!(planned[0]["changes"]["color"], json!({"from": "#d9534f", "to": "#ff0000"}));
    let done = sync(&service, "label", LABELS, &["--format", "json"]).json();
    let shown = |row: &Value| json!([row["action"], row["name"], row["outcome"], row["answer"]["name"]]);
    assert_eq!(shown(&done[1]), json!(["create", "late", "done", "late"]));
    assert_eq!(shown(&done[2]), json!(["leave", "shared", "left", null]));
}

#[test]
fn a_server_out_of_reach_is_not_asked_on() {
    let service = Service::start();
    let labels = "- {name: x, color: red}\n- {name: y, color: red}\n";
    // The list arrives; after it every response is cut off.
    service.fail(Fault::Nothing).fail(Fault::Dropped);
    let outcome = sync(&service, "label", labels, &["--format", "json", "--retries", "0"]);
    let rows: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!((&rows[0]["outcome"], &rows[1]["outcome"]), (&json!("failed"), &json!("untried")));
    assert!(rows[0]["error"].as_str().unwrap().contains("POST /projects/group%2Fapp/labels"), "{rows}");
    assert_eq!(writes(&service), 1);
    assert!(outcome.failure(1).contains("1 of 2 changes failed"));
}

#[test]
fn a_role_is_recreated_because_no_server_changes_one() {
    let service = Service::start();
    let roles = "- {name: Reader, base_access_level: 10, allow: [read_code, read_runners]}";
    let stderr = sync(&service, "role", roles, &["--group", "group"]).failure(2);
    assert!(stderr.contains("refusing to delete and recreate 1 role of `group` without confirmation"), "{stderr}");
    let done = sync(&service, "role", roles, &["--group", "group", "--yes"]).success();
    let plan = "change  Reader  allow +read_runners (deleted and recreated)\n1 to change\n1 changed\n";
    assert_eq!(done, plan);
    let state = service.state();
    let role = state.member_roles.find("Reader").unwrap();
    assert_eq!((&role["description"], &role["read_runners"]), (&json!("reads code"), &json!(true)));
}

#[test]
fn roles_become_those_of_the_file_and_then_stay() {
    let service = Service::start();
    let done = sync(&service, "role", ROLES, &[]).success();
    let plan = "\
        leave   Auditor\n\
        create  Releaser  base_access_level developer, description \"makes releases\", allow +manage_deploy_tokens\n\
        1 to create, 1 to leave\n\
        1 created\n";
    assert_eq!(done, plan);
    assert!(sync(&service, "role", ROLES, &["--prune"]).success().ends_with("\n2 to leave\n"));
    let fewer = "- {name: Auditor, base_access_level: guest, allow: [read_code]}";
    let stderr = sync(&service, "role", fewer, &["--yes"]).failure(1);
    assert!(
        stderr.contains("role `Auditor`: ") && stderr.contains("assign another role to its members first"),
        "{stderr}"
    );
    assert_eq!(service.state().member_roles.find("Auditor").unwrap()["read_runners"], true);
}

#[test]
fn mistakes_of_a_file_are_told_with_line_and_key_before_anything_is_sent() {
    let service = Service::start();
    for (noun, text, words) in [
        ("label", "- {name: x, colour: red}", ":1:13: unknown key `colour`"),
        ("label", "- name: x\n  color: organe", ":2:10: `color` must be a colour, not `organe`"),
        ("label", "- name: x\n  color: red\n  priority: high", ":3:13: `priority` must be a number from 0, or `none`"),
        ("label", "- {name: x, color: red}\n- {name: x, color: tan}", ":2:10: `name` is listed twice"),
        ("label", "- name: x", ":1:3: the key `color` is missing"),
        ("label", "labels: []", ":1:1: the file must be a list"),
        ("role", "- name: x\n  base_access_level: boss", ":2:22: `base_access_level` must be one of guest (10)"),
        ("role", "- name: x\n  base_access_level: 25", "owner (50), not `25`"),
        (
            "role",
            "- name: x\n  base_access_level: 10\n  allow:\n  - read_cod",
            ":4:5: `allow` has the unknown permission",
        ),
        ("role", "- name: x\n  base_access_level: 10\n  read_cod: true", ":3:3: unknown key `read_cod`"),
        ("role", "- name: x\n  base_access_level: 10\n  rights: [read_code]", ":3:3: unknown key `rights`"),
    ] {
        let stderr = sync(&service, noun, text, &[]).failure(1);
        assert!(stderr.contains(words), "{text}: {stderr}");
    }
    assert!(service.requests().is_empty());
    let newer = "- {name: x, base_access_level: 25, admin_runners: true, some_day: false}";
    sync(&service, "role", newer, &["--allow-unknown"]).success();
    assert_eq!(service.state().member_roles.find("x").unwrap()["admin_runners"], true);
}

#[test]
fn two_things_of_one_name_are_nobodys_to_choose_from() {
    let service = Service::start();
    service.state().labels.add("bug", "#123456");
    let stderr = sync(&service, "label", LABELS, &[]).failure(1);
    assert!(stderr.contains("the server has 2 labels named `bug`"), "{stderr}");
}

#[test]
fn a_role_that_cannot_be_replaced_is_created_again_as_it_was() {
    let service = Service::start();
    let before = service.state().member_roles.find("Reader").unwrap().clone();
    let roles = "- {name: Reader, base_access_level: 10, description: boom, allow: [read_code, read_runners]}";
    let refused = || Fault::Status(500, "application/json", "{}".to_owned());
    // The list and the deletion succeed, the creation does not, and the role is looked for.
    service.fail(Fault::Nothing).fail(Fault::Nothing).fail(refused());
    let outcome = sync(&service, "role", roles, &["--group", "group", "--yes"]);
    assert!(outcome.stdout.ends_with("1 to change\n1 failed\n"), "{}", outcome.stdout);
    let stderr = outcome.failure(1);
    assert!(stderr.contains("was created again as it was"), "{stderr}");
    let after = service.state().member_roles.find("Reader").unwrap().clone();
    for field in ["name", "description", "base_access_level", "read_code", "read_runners"] {
        assert_eq!(after[field], before[field], "{field}");
    }
}

#[test]
fn a_list_that_is_none_is_not_an_empty_one() {
    let service = Service::start();
    service.script(|request| {
        (request.method == "GET").then(|| Response::json(200, &json!({ "message": "try again later" })))
    });
    let stderr = sync(&service, "role", "- { name: Auditor, base_access_level: guest }\n", &["--dry-run"]).failure(1);
    assert!(stderr.contains("it is not a list"), "{stderr}");
    assert_eq!(writes(&service), 0);
}

#[test]
fn a_role_that_is_lost_is_reported_as_lost() {
    let service = Service::start();
    let roles = "- {name: Reader, base_access_level: 10, allow: [read_code, read_runners]}";
    service.fail(Fault::Nothing).fail(Fault::Nothing);
    let refused = || Fault::Status(500, "application/json", "{}".to_owned());
    service.fail(refused()).fail(Fault::Nothing).fail(refused());
    let outcome = sync(&service, "role", roles, &["--group", "group", "--yes"]);
    assert!(outcome.stdout.ends_with("1 deleted and not recreated\n"), "{}", outcome.stdout);
    let stderr = outcome.failure(1);
    assert!(stderr.contains("neither the new one nor the old one could be created"), "{stderr}");
    assert!(service.state().member_roles.find("Reader").is_none());
}

#[test]
fn keys_that_only_newer_servers_print_are_no_mistake() {
    let service = Service::start();
    let label = r##"[{"id": 1, "name": "bug", "color": "#d9534f", "future_field": {"x": 1}}]"##;
    assert!(sync(&service, "label", label, &[]).success().contains("leave  "));
    let role = r#"[{"id": 1, "name": "Auditor", "base_access_level": 10, "read_code": true, "read_runners": true, "new": "x"}]"#;
    assert!(sync(&service, "role", role, &[]).success().contains("leave  "));
}
