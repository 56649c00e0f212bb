//! `quintain models import`: litellm's public table of prices becomes a part of a file of models.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context as _, anyhow};
use quintain_core::words::count;
use quintain_models::catalogue::{ImportedPrices, ModelCatalogue, USUAL_PROVIDERS, import as read_table};
use quintain_workshop::now;
use serde_json::json;

use crate::disk;
use crate::exit::Exit;
use crate::printer::{Printer, plain};

/// The line from which on a file holds what was imported: what stands below it is written anew every time.
const MARK: &str = "# ---- Imported by `quintain models import`. Write nothing below: it is written anew every time.";

pub(super) fn import(table: &Path, from: &[String], into: Option<&Path>, printer: Printer) -> anyhow::Result<Exit> {
    let text = fs::read_to_string(table).with_context(|| format!("cannot read {}", table.display()))?;
    let usual = USUAL_PROVIDERS.map(str::to_owned);
    let providers = if from.is_empty() { usual.as_slice() } else { from };
    let providers: Vec<&str> = providers.iter().map(String::as_str).collect();
    let imported = read_table(&text, &providers).with_context(|| table.display().to_string())?;
    let today: String = now().chars().take(10).collect();
    let name = table.file_name().unwrap_or(table.as_os_str()).to_string_lossy();
    let entries = imported.to_toml(&format!("{name} of litellm read {today}"));
    match into {
        Some(file) => written(file, &entries)?,
        None if printer.json => {}
        None => plain(entries.trim_end())?,
    }
    told(&imported, into, printer)
}

/// Writes the entries below the mark. A file that would be no catalogue is left as it was.
fn written(file: &Path, entries: &str) -> anyhow::Result<()> {
    let before = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", file.display())),
    };
    let own = before.split(MARK).next().unwrap_or_default().trim_end();
    let gap = if own.is_empty() { "" } else { "\n\n" };
    let text = format!("{own}{gap}{MARK}\n\n{entries}");
    ModelCatalogue::built_in().with(&text).map_err(|why| anyhow!("{} is no catalogue: {why}", file.display()))?;
    disk::write(file, text.as_bytes())
}

fn told(imported: &ImportedPrices, into: Option<&Path>, printer: Printer) -> anyhow::Result<Exit> {
    let n_models = imported.models.len();
    if printer.json {
        let names: Vec<&String> = imported.models.keys().collect();
        printer.data(&json!({ "models": names, "left_out": imported.left_out, "into": into }), String::new)?;
    }
    let place = into.map(|file| format!(" into {}", file.display())).unwrap_or_default();
    printer.say(format!("{} read{place}", count(n_models, "model")));
    if !imported.left_out.is_empty() {
        printer.say(format!(
            "{} left out, whose prices cannot be told by the token",
            count(imported.left_out.len(), "model")
        ));
    }
    if let Some(file) = into {
        printer.say(format!("hint: use it with --models {0}, or set QUINTAIN_MODELS={0}", file.display()));
    }
    Ok(Exit::Success)
}
