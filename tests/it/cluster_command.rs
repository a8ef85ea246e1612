//! `tidings cluster` against the tests' server.

use std::fs;

use serde_json::json;

use crate::support::Service;

const CERTIFICATE: &str =
    "-----BEGIN CERTIFICATE-----\nTUlJQ2VydGlmaWNhdGU\nc2Vjb25kbGluZQ\n-----END CERTIFICATE-----\n";

/// A directory with `token` and `ca.pem` in it.
fn directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("token"), "s3cr3t-kube\n").unwrap();
    fs::write(directory.path().join("ca.pem"), CERTIFICATE).unwrap();
    directory
}

#[test]
fn clusters_are_listed_and_shown() {
    let service = Service::start();
    let table = service.tidings_as("maintainer-token", &["cluster", "list"]).success();
    let expected = "ID  NAME   ENABLED  MANAGED  SCOPE  PROVIDER  API\n \
        1  own    yes      yes      *      user      https://k8s.example.com\n \
        2  cloud  yes      yes      *      gcp       https://k8s.example.com\n";
    assert_eq!(table, expected);
    let card = service.tidings_as("maintainer-token", &["cluster", "get", "2"]).success();
    assert!(card.starts_with("cloud\nid ") && card.contains("CA certificate  yes\n"), "{card}");
    assert!(!card.contains("BEGIN"), "{card}");
    let cluster = service.tidings_as("maintainer-token", &["cluster", "get", "2", "--format", "json"]).json();
    assert_eq!((&cluster["project"]["id"], &cluster["provider_gcp"]), (&json!(1), &json!(null)));
    let stderr = service.tidings_as("maintainer-token", &["cluster", "get", "9"]).failure(1);
    assert_eq!(stderr.matches("deprecated since GitLab 14.5").count(), 1, "{stderr}");
    let stderr = service.tidings(&["cluster", "list"]).failure(4);
    assert!(stderr.contains("this needs the role Maintainer and up"), "{stderr}");
}

#[test]
fn a_cluster_comes_changes_and_goes() {
    let service = Service::start();
    let directory = directory();
    let mut add = service.program("maintainer-token");
    add.current_dir(directory.path()).env("KUBE_CA", CERTIFICATE).args(
        [
            ["cluster", "add", "prod", "--api-url=https://k8s.example.org:6443/"].as_slice(),
            &["--kube-token-file=token", "--ca-cert-env=KUBE_CA", "--domain=example.org", "--managed=false"],
            &["--management-project-id=3", "--enabled=true", "--namespace=app-1", "--authorization-type=abac"],
            &["--environment-scope=review/*", "--format=json"],
        ]
        .concat(),
    );
    let output = add.output().unwrap();
    let cluster: serde_json::Value = serde_json::from_slice(&output.stdout).expect("an added cluster");
    assert_eq!(
        (&cluster["id"], &cluster["managed"], &cluster["domain"]),
        (&json!(3), &json!(false), &json!("example.org"))
    );
    let platform = &cluster["platform_kubernetes"];
    assert_eq!((&platform["ca_cert"], &platform["authorization_type"]), (&json!(CERTIFICATE), &json!("abac")));
    assert_eq!(service.state().clusters.find("3").unwrap().token, "s3cr3t-kube");
    let run = |arguments: &[&str]| service.tidings_as("maintainer-token", arguments);
    run(&["cluster", "edit", "3", "--enabled", "false", "--namespace", "other"]).success();
    let sent: serde_json::Value = serde_json::from_slice(&service.last().body).unwrap();
    assert_eq!(sent, json!({"enabled": false, "platform_kubernetes_attributes": {"namespace": "other"}}));
    run(&["cluster", "edit", "3", "--namespace", ""]).success();
    let sent: serde_json::Value = serde_json::from_slice(&service.last().body).unwrap();
    assert_eq!(sent, json!({"platform_kubernetes_attributes": {"namespace": ""}}), "an empty one clears it");
    let removed = run(&["cluster", "delete", "3", "--yes"]).success();
    assert_eq!(removed, "removed the cluster `3`; what runs in it is kept\n");
    run(&["cluster", "get", "3"]).failure(1);
}

#[test]
fn what_cannot_be_changed_is_told_with_the_rule() {
    let service = Service::start();
    let run = |arguments: &[&str]| service.tidings_as("maintainer-token", arguments);
    run(&["cluster", "edit", "1", "--name", "mine"]).success();
    run(&["cluster", "edit", "2", "--domain", "example.org"]).success();
    let stderr = run(&["cluster", "edit", "2", "--name", "mine"]).failure(1);
    assert!(stderr.contains("Cannot modify managed Kubernetes cluster"), "{stderr}");
    assert!(stderr.contains("can be changed only for a cluster that was added as an existing one"), "{stderr}");
}

#[test]
fn secrets_are_never_shown() {
    let service = Service::start();
    let directory = directory();
    for (url, more) in [("https://k8s", "--dry-run"), ("https://k8s", "--dry-run=json"), ("https://blocked", "-vv")] {
        let mut command = service.program("maintainer-token");
        command.current_dir(directory.path()).args(["cluster", "add", "x", "--kube-token-file=token", "-vv"]);
        command.args(["--ca-cert-file=ca.pem", "--api-url", url]);
        match more {
            "--dry-run=json" => command.args(["--dry-run", "--format=json"]),
            other => command.arg(other),
        };
        let output = command.output().unwrap();
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(text.contains("[masked]"), "{text}");
        for secret in ["s3cr3t-kube", "TUlJQ2VydGlmaWNhdGU", "c2Vjb25kbGluZQ"] {
            assert!(!text.contains(secret), "{text}");
        }
    }
    let stderr = service.tidings(&["cluster", "add", "x", "--api-url=https://k", "--kube-token-env=s3cr3t"]).failure(2);
    assert!(!stderr.contains("s3cr3t"), "{stderr}");
}

#[test]
fn mistakes_are_refused_before_anything_is_sent() {
    let service = Service::start();
    let directory = directory();
    let (token, certificate) = (directory.path().join("token"), directory.path().join("ca.pem"));
    let (token, certificate) = (token.to_str().unwrap(), certificate.to_str().unwrap());
    let url = "--api-url=https://k8s";
    for (code, arguments, words) in [
        (2, &["cluster", "add", "x"][..], "--api-url"),
        (2, &["cluster", "get", "own"], "an ID is a number from 1"),
        (2, &["cluster", "add", "x", url], "--kube-token-file"),
        (2, &["cluster", "add", "x", "--api-url", "k8s.example.com"], "it must be an http or https URL"),
        (2, &["cluster", "add", "x", url, "--kube-token-file", certificate], "is not a token"),
        (2, &["cluster", "add", "x", url, "--kube-token-file", token, "--ca-cert-file", token], "is not a certificate"),
        (2, &["cluster", "add", "x", url, "--authorization-type", "acl"], "unknown_authorization"),
        (1, &["cluster", "add", "x", url, "--kube-token-file", "missing"], "cannot read `missing`"),
        (2, &["cluster", "edit", "1"], "nothing to change about the cluster `1`"),
        (2, &["cluster", "edit", "1", "--namespace", "A_b"], "at most 63 of a-z"),
        (2, &["cluster", "edit", "1", "--enabled", "maybe"], "'maybe'"),
        (2, &["cluster", "get", "own"], "'own'"),
        (2, &["cluster", "delete", "1"], "--yes"),
    ] {
        let stderr = service.tidings(arguments).failure(code);
        assert!(stderr.contains(words), "{arguments:?}: {stderr}");
    }
    assert!(service.requests().is_empty());
}
