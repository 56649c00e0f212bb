//! Finds out by a hash which code the general checks are.

use std::io;
use std::path::Path;

use quintain_code_digest::CodeTree;

fn main() -> io::Result<()> {
    CodeTree::default().with("src", Path::new("src"))?.leave(&[])
}
