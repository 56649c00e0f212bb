//! Puts the built apps into the binary, so that it works alone, and finds out by hashes which code each rests on.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use quintain_code_digest::{CodeApp, CodeTree};

/// What the web is made of, in crates of their own.
const WORLD: [&str; 3] = ["atlas", "chains", "sites"];

fn main() -> io::Result<()> {
    bundles()?;
    let mut tree = CodeTree::default().with("src", Path::new("src"))?;
    // Pages are known by their bundles; what they and the Rust side both read counts here.
    let pages = Path::new("../../web/apps");
    for page in sorted(pages)? {
        tree = tree.with_only(".json", &format!("web/{page}"), &pages.join(&page).join("src"))?;
    }
    for name in WORLD {
        tree = tree.with(name, &Path::new("..").join(name).join("src"))?;
    }
    tree.leave(&apps()?)
}

/// The apps of this crate: the folders that bring something to the browser.
fn apps() -> io::Result<Vec<CodeApp>> {
    let mut apps = Vec::new();
    for name in sorted(Path::new("src"))?.iter().filter(|name| Path::new("src").join(name).join("app.rs").is_file()) {
        let mut app = CodeApp::of_module(name);
        app.own.push(format!("web/{name}-"));
        if name == "web" {
            app.own.extend(WORLD.map(|part| format!("{part}/")));
        }
        apps.push(app);
    }
    Ok(apps)
}

fn bundles() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("../../web/dist");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut code = String::from("&[\n");
    for app in sorted(&root)? {
        let mut files = Vec::new();
        walk(&root.join(&app), "", &mut files)?;
        writeln!(code, "    ({app:?}, &[").map_err(io::Error::other)?;
        for (name, path) in &files {
            writeln!(code, "        ({name:?}, include_bytes!({path:?})),").map_err(io::Error::other)?;
        }
        code.push_str("    ]),\n");
    }
    code.push_str("]\n");
    fs::write(PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?).join("bundles.rs"), code)
}

fn sorted(folder: &Path) -> io::Result<Vec<String>> {
    let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().into_string().unwrap_or_default()));
    let mut names = names.collect::<io::Result<Vec<String>>>()?;
    names.sort();
    Ok(names)
}

/// All files below a folder, by their path from the app's folder.
fn walk(folder: &Path, prefix: &str, files: &mut Vec<(String, String)>) -> io::Result<()> {
    for name in sorted(folder)? {
        let path = folder.join(&name).canonicalize()?;
        if path.is_dir() {
            walk(&path, &format!("{prefix}{name}/"), files)?;
        } else {
            files.push((format!("{prefix}{name}"), path.display().to_string()));
        }
    }
    Ok(())
}
