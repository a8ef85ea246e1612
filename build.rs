//! Links the program for a quick start: where it will lie in memory, since moving it there would take longer than reading
//! a small history, and with the unwinder in it instead of in a library of its own.

use std::env::var;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| var(name).is_ok_and(|found| found == value);
    let is_static = var("CARGO_CFG_TARGET_FEATURE").is_ok_and(|features| features.contains("crt-static"));
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") && !is_static {
        println!("cargo:rustc-link-arg-bins=-no-pie");
        // Every `libgcc` that can link has it; found first, it leaves nothing to look for in `libgcc_s`.
        println!("cargo:rustc-link-lib=gcc_eh");
    }
}
