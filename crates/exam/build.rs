//! Finds out by hashes which code each assignment rests on.

use std::io;
use std::path::Path;

use quintain_code_digest::{CodeTree, listed};

fn main() -> io::Result<()> {
    let tree = CodeTree::default().with("src", Path::new("src"))?;
    tree.leave(&listed(tree.text("src/lib.rs").unwrap_or_default()))
}
