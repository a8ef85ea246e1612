//! Repositories, settings and files that others wrote: nothing leaks, nothing hangs, nothing panics.

#[cfg(unix)]
mod arguments;
mod damage;
mod files;
mod large_files;
mod large_trees;
#[cfg(unix)]
mod ownership;
#[cfg(unix)]
mod programs;
mod regexes;
mod servers;
mod special_files;

use std::time::{Duration, Instant};

use crate::support::{Outcome, tidings};

/// Runs the program with a time limit: if it waited for a FIFO or read a device to its end, it would never return.
#[track_caller]
fn run_briefly(directory: &std::path::Path, arguments: &[&str]) -> Outcome {
    let mut command = tidings(directory);
    let outputs = [(); 2].map(|()| tempfile::tempfile().expect("a temporary file"));
    let [stdout, stderr] = outputs.each_ref().map(|file| file.try_clone().expect("another handle"));
    command.args(arguments).stdin(std::process::Stdio::null()).stdout(stdout).stderr(stderr);
    let mut child = command.spawn().expect("the program runs");
    let deadline = Instant::now() + Duration::from_secs(60);
    let status = loop {
        match child.try_wait().expect("the program can be waited for") {
            Some(status) => break status,
            None if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(10)),
            None => {
                child.kill().expect("the program can be killed");
                child.wait().expect("the program ends");
                panic!("{arguments:?} did not end");
            }
        }
    };
    let [stdout, stderr] = outputs.map(|mut file| {
        use std::io::{Read as _, Seek as _};
        let mut bytes = Vec::new();
        file.rewind().expect("a file can be rewound");
        file.read_to_end(&mut bytes).expect("the output is read");
        bytes
    });
    Outcome::from(std::process::Output { status, stdout, stderr })
}
