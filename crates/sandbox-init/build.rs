//! Builds the program as a static binary, so that it runs on any root tree, and without any crate, so that nothing of the
//! product is in it: whoever sits in a sandbox can read it.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=src/program");
    println!("cargo::rerun-if-changed=src/joining.rs");
    println!("cargo::rerun-if-changed=src/protocol.rs");
    let variable = |name: &str| env::var(name).unwrap_or_else(|_unset| panic!("cargo sets {name}"));
    let program = Path::new(&variable("OUT_DIR")).join("sandbox-init");
    let built = Command::new(variable("RUSTC"))
        .args(["src/program/main.rs", "--crate-name", "sandbox_init", "--edition", "2024", "--cap-lints", "allow"])
        .arg("--target")
        .arg(variable("TARGET"))
        .args(["-C", "opt-level=s", "-C", "panic=abort", "-C", "strip=symbols", "-C", "target-feature=+crt-static"])
        .arg("-o")
        .arg(&program)
        .status();
    assert!(
        built.is_ok_and(|status| status.success()),
        "the first program of sandboxes could not be linked statically: install the C library's static form \
         (`libc6-dev` on Debian, `glibc-static` on Fedora)"
    );
}
