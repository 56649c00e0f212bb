//! Finds out by hashes which code each app rests on.

use std::io;
use std::path::Path;

use quintain_code_digest::{CodeApp, CodeTree};

/// The apps, by their modules.
const MODULES: [&str; 3] = ["grass", "kalgebra", "texstudio"];

fn main() -> io::Result<()> {
    let tree = CodeTree::default().with("src", Path::new("src"))?;
    tree.leave(&MODULES.map(CodeApp::of_module))
}
