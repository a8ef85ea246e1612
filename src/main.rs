//! The `tidings` program: parse, run, report, exit.

use std::process::ExitCode;

fn main() -> ExitCode {
    tidings::cli::main()
}
