//! `tidings role` against the tests' server.

use serde_json::json;

use crate::support::{Outcome, Service};

fn admin(service: &Service, arguments: &[&str]) -> Outcome {
    service.tidings_as("admin-token", &[&["role"], arguments].concat())
}

#[test]
fn roles_are_listed_with_what_they_grant_alone() {
    let service = Service::start();
    let table = admin(&service, &["list"]).success();
    assert_eq!(
        table,
        "ID  NAME     BASE   DESCRIPTION    PERMISSIONS\n 1  Auditor  guest  looks at code  read_code, read_runners\n"
    );
    let of_group = service.tidings_as("owner-token", &["role", "list", "--group", "group"]).success();
    assert!(
        of_group.contains(" 2  Reader  guest  reads code   read_code\n") && !of_group.contains("Auditor"),
        "{of_group}"
    );
    let document = admin(&service, &["list", "--format", "json"]).json();
    assert_eq!((&document[0]["admin_runners"], &document[0]["group_id"]), (&json!(false), &json!(null)));
}

#[test]
fn every_permission_of_the_contract_can_be_granted() {
    let service = Service::start();
    let help = service.tidings(&["role", "create", "--help"]).success();
    let (_, listed) = help.split_once("Permission that the role grants").unwrap();
    let lines = listed.lines().skip(2).map_while(|line| line.strip_prefix("            "));
    let names: Vec<&str> = lines.map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(names.len(), 20, "{names:?}");
    let allow: Vec<&str> = names.iter().flat_map(|name| ["--allow", name]).collect();
    let create = [&["create", "Everything", "--base-access-level", "Owner"], allow.as_slice()].concat();
    let card = admin(&service, &create).success();
    assert!(card.contains("base         owner\n") && card.contains(&names.join(", ")), "{card}");
    let roles = &service.state().member_roles;
    let role = roles.find("Everything").unwrap();
    assert!(names.iter().all(|name| role[name] == true) && role["admin_runners"] == false, "{role}");
}

#[test]
fn a_role_of_a_group_is_made_and_deleted() {
    let service = Service::start();
    let owner = |arguments: &[&str]| service.tidings_as("owner-token", &[&["role"], arguments].concat());
    let make = ["create", "Planner+", "--group", "group", "--base-access-level", "15", "--description", "plans more"];
    let role = owner(&[&make[..], &["--allow", "read_code", "--allow", "read_code", "--format", "json"]].concat());
    let role = role.json();
    assert_eq!((&role["base_access_level"], &role["group_id"]), (&json!(15), &json!(7)));
    assert_eq!((&role["read_code"], &role["description"]), (&json!(true), &json!("plans more")));
    owner(&["delete", "3", "--group", "group"]).failure(2);
    assert_eq!(owner(&["delete", "3", "--group", "group", "--yes"]).success(), "deleted the role `3`\n");
    assert!(service.state().member_roles.find("Planner+").is_none());
    let stderr = owner(&["delete", "3", "--group", "group", "--yes"]).failure(1);
    assert!(stderr.contains("Member Role Not Found"), "{stderr}");
}

#[test]
fn refusals_say_what_a_role_needs() {
    let service = Service::start();
    let stderr = service.tidings_as("owner-token", &["role", "list"]).failure(4);
    assert!(stderr.contains("an administrator's token"), "{stderr}");
    let stderr = service.tidings(&["role", "list", "--group", "group"]).failure(4);
    assert!(stderr.contains("or for the roles of a group the token of an owner"), "{stderr}");
    service.state().member_roles.of_groups_alone = true;
    let stderr = admin(&service, &["list"]).failure(1);
    assert!(stderr.contains("hint: GitLab.com has only roles of groups"), "{stderr}");
    service.state().member_roles.of_groups_alone = false;
    let stderr = admin(&service, &["delete", "1", "--yes"]).failure(1);
    assert!(stderr.contains("assigned to one or more members"), "{stderr}");
    assert!(stderr.contains("hint: assign another role to its members first"), "{stderr}");
    let stderr = admin(&service, &["create", "x", "--base-access-level", "10", "--group", "group/sub"]).failure(1);
    assert!(stderr.contains("hint: create the roles of a group in its top-level group"), "{stderr}");
}

#[test]
fn mistakes_about_roles_are_refused_before_anything_is_sent() {
    let service = Service::start();
    for (arguments, words) in [
        (&["--base-access-level", "10", "--allow", "read_cod"][..], "did you mean `read_code`?"),
        (&["--base-access-level", "10", "--allow", "fly"], "unknown permission"),
        (&["--base-access-level", "boss"], "guest (10), planner (15)"),
        (&["--base-access-level", "25"], "unknown access level"),
        (&["--allow", "read_code"], "--base-access-level <LEVEL>"),
    ] {
        let stderr = admin(&service, &[&["create", "x"], arguments].concat()).failure(2);
        assert!(stderr.contains(words), "{arguments:?}: {stderr}");
    }
    admin(&service, &["list", "--group", ""]).failure(2);
    let create = ["create", "x", "--base-access-level", "guest", "--allow", "read_code", "--dry-run"];
    let dry = admin(&service, &create).success();
    assert!(dry.starts_with("POST ") && dry.contains("base_access_level: 10\nread_code: true\n"), "{dry}");
    assert!(service.requests().is_empty());
}

#[test]
fn what_only_newer_servers_know_passes_when_it_is_meant() {
    let service = Service::start();
    let newest = ["--base-access-level", "25", "--allow", "admin_runners", "--allow-unknown"];
    let card = admin(&service, &[&["create", "x"], &newest[..]].concat()).success();
    assert!(card.contains("base         25\n") && card.contains("permissions  admin_runners\n"), "{card}");
}
