//! The service for people: `cargo test --test it serve -- --ignored --nocapture`.

use std::io::{self, Read as _, Write as _};

use super::Service;

#[test]
#[ignore = "runs until its stdin ends"]
fn serve() {
    let service = match std::env::var_os("TIDINGS_SERVE_REPO") {
        Some(path) => {
            let service = Service::with_repository(path.as_ref());
            service.state().github.repository = Some(path.into());
            service
        }
        None => Service::start(),
    };
    let url = service.url();
    let text = format!(
        "\nexport TIDINGS_BASE_URL={url} TIDINGS_TOKEN=developer-token\n\
        tidings label list --project group/app\n\
        curl -X POST '{url}/faults/busy?times=2'    # also: {}\n\
        tokens: admin- owner- maintainer- developer- reporter- planner- guest- read- expired- revoked-token\n\
        TIDINGS_SERVE_REPO=PATH gives group/app a repository; Ctrl-D ends\n",
        super::Fault::NAMES.join(" ")
    );
    io::stdout().write_all(text.as_bytes()).expect("stdout takes it");
    io::stdin().read_to_end(&mut Vec::new()).expect("stdin can be read");
}
