//! Finds out by hashes which code each puzzle rests on.

use std::io;
use std::path::Path;

use quintain_code_digest::{CodeTree, registered};

fn main() -> io::Result<()> {
    let tree = CodeTree::default().with("src", Path::new("src"))?.with("fonts", Path::new("fonts"))?;
    tree.leave(&registered(tree.text("src/kind.rs").unwrap_or_default()))
}
