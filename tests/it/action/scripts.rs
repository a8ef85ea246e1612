//! The shell scripts pass shellcheck.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn scripts() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci");
    let files = fs::read_dir(directory.join("action")).unwrap().map(|entry| entry.unwrap().path());
    let scripts = files.filter(|path| path.extension().is_some_and(|extension| extension == "sh"));
    scripts.chain(["run", "package", "pin"].map(|name| directory.join(name))).collect()
}

#[test]
fn bash_reads_them() {
    assert_eq!(scripts().len(), 5);
    for script in scripts() {
        let Ok(output) = Command::new("bash").arg("-n").arg(&script).output() else {
            return crate::support::skip_without("bash");
        };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn shellcheck_finds_nothing_where_it_is_installed() {
    let Ok(output) = Command::new("shellcheck").args(scripts()).output() else {
        return crate::support::skip_without("shellcheck");
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
