//! Finds out by hashes which code each assignment rests on.

use std::io;
use std::path::Path;

use quintain_code_digest::{CodeApp, CodeTree};

fn main() -> io::Result<()> {
    let tree = CodeTree::default().with("src", Path::new("src"))?;
    tree.leave(&[CodeApp::of_module("capture"), CodeApp::of_module("mail"), CodeApp::of_module("variants"), CodeApp::of_module("close"), CodeApp::of_module("catalogues"), CodeApp::of_module("alerts"), CodeApp::of_module("trial"), CodeApp::of_module("economy"), CodeApp::of_module("stroop"), CodeApp::of_module("rtl"), CodeApp::of_module("loudness"), CodeApp::of_module("statements"), CodeApp::of_module("hydrants"), CodeApp::of_module("ccd")])
}
