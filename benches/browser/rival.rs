//! Playwright in a process of its own, which takes orders by lines.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::{fs, io};

use serde_json::{Value, json};

use crate::scene::{dist, root};

/// The version that is measured.
const PACKAGE: &str = "playwright-core@1.65.0";

/// Playwright, waiting for orders.
pub(crate) struct Rival {
    process: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Rival {
    /// Installs it where it is not yet and starts it; a sentence where that cannot be done.
    pub(crate) fn start(document: &Value, clicks: [[f64; 2]; 2]) -> Result<Self, String> {
        let modules = Path::new(env!("CARGO_TARGET_TMPDIR")).join("playwright");
        install(&modules)?;
        let chromium = quintain_browser::find_chromium().ok_or("there is no Chromium")?;
        let script = root().join("benches/browser/playwright.mjs");
        let mut command = Command::new("node");
        command.args([script.as_path(), &modules, &chromium, &dist()]);
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut process = spawned.map_err(|error| format!("node does not start: {error}"))?;
        let orders = process.stdin.take().expect("it was asked for");
        let answers = BufReader::new(process.stdout.take().expect("it was asked for"));
        let mut rival = Self { process, orders, answers };
        rival.order(&json!({ "do": "prepare", "document": document, "clicks": clicks }))?;
        Ok(rival)
    }

    /// Its process.
    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Has one order carried out.
    pub(crate) fn order(&mut self, order: &Value) -> Result<Value, String> {
        let mut line = String::new();
        let asked = writeln!(self.orders, "{order}").and_then(|()| self.answers.read_line(&mut line));
        asked.map_err(|error| format!("Playwright is gone: {error}"))?;
        serde_json::from_str(&line).map_err(|error| format!("Playwright failed: {error}"))
    }
}

fn install(modules: &Path) -> Result<(), String> {
    if modules.join("node_modules/playwright-core").is_dir() {
        return Ok(());
    }
    let run = || -> io::Result<bool> {
        fs::create_dir_all(modules)?;
        fs::write(modules.join("package.json"), "{}")?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--silent", "--no-audit", "--no-fund", PACKAGE]).current_dir(modules);
        Ok(npm.env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1").stdout(Stdio::null()).status()?.success())
    };
    match run() {
        Ok(true) => Ok(()),
        Ok(false) => Err(format!("npm cannot install {PACKAGE}")),
        Err(error) => Err(format!("npm does not start: {error}")),
    }
}

impl Drop for Rival {
    fn drop(&mut self) {
        self.order(&json!({ "do": "close" })).ok();
        self.process.kill().ok();
        self.process.wait().ok();
    }
}
