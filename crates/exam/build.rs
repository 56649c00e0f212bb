//! Finds out by hashes which code each assignment rests on.

use std::io;
use std::path::Path;

use quintain_code_digest::{CodeApp, CodeTree};

/// The assignments, by their modules.
const MODULES: [&str; 17] = [
    "alerts",
    "brand",
    "capture",
    "catalogues",
    "ccd",
    "close",
    "drainage",
    "economy",
    "filter",
    "hydrants",
    "loudness",
    "mail",
    "rtl",
    "statements",
    "stroop",
    "trial",
    "variants",
];

fn main() -> io::Result<()> {
    let tree = CodeTree::default().with("src", Path::new("src"))?;
    tree.leave(&MODULES.map(CodeApp::of_module))
}
