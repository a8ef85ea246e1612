//! The token is printed nowhere.

use crate::support::{Fault, Service};

/// Fit for a URL, a header and a search.
const TOKEN: &str = "glpat-hunter2";

#[test]
fn no_output_has_the_token() {
    let service = Service::start();
    let echo = format!("{{\"message\":\"no {TOKEN} here\"}}");
    for auth in ["private-token", "bearer", "query"] {
        for fault in [
            Fault::Status(400, "application/json", echo.clone()),
            Fault::Status(500, "text/plain", format!("bad {TOKEN}")),
            Fault::Status(200, "application/json", "{}".to_owned()),
            Fault::Redirect(302, format!("http://127.0.0.1:9/?private_token={TOKEN}")),
            Fault::Redirect(302, format!("ftp://x/{TOKEN}")),
        ] {
            service.fail(fault);
            let arguments = ["label", "get", "bug", "-vv", "--auth", auth, "--retries", "0"];
            let outcome = service.tidings_as(TOKEN, &arguments);
            assert!(outcome.stderr.contains("> GET"), "{}", outcome.stderr);
            assert!(!outcome.stderr.contains(TOKEN) && !outcome.stdout.contains(TOKEN), "{auth}: {outcome:?}");
        }
        let dry = service.tidings_as(TOKEN, &["label", "create", "x", "red", "--dry-run", "--auth", auth]).success();
        assert!(dry.contains("[masked]") && !dry.contains(TOKEN), "{dry}");
    }
}

#[test]
fn a_token_with_a_line_break_is_refused_unseen() {
    let service = Service::start();
    let stderr = service.tidings_as("hunter2\nX: y", &["label", "list"]).failure(2);
    assert!(stderr.contains("TIDINGS_TOKEN") && !stderr.contains("hunter2"), "{stderr}");
}
