//! From what a user calls a run to its folder, and small readers of what is typed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use quintain_core::observation::Part;
use quintain_core::settings::Settings;
use quintain_core::suggest;
use quintain_core::surface::ActionGroup;
use quintain_store::{LimitOverrides, RunDir};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::args::{Common, HowArgs};
use crate::models;

/// The folder of a run: a name under the folder of runs, or a path.
pub(crate) fn run_path(run: &str, common: &Common) -> PathBuf {
    let named = common.runs.join(run);
    if !named.exists() && Path::new(run).exists() { PathBuf::from(run) } else { named }
}

/// Refuses what cannot name a run: names are folders, and `@` and `~` mean something elsewhere.
pub(crate) fn check_name(name: &str) -> anyhow::Result<()> {
    let plain = name.chars().all(|c| c.is_alphanumeric() || "._-+".contains(c));
    if plain && !name.is_empty() && !name.starts_with(['.', '-']) {
        return Ok(());
    }
    bail!("`{name}` cannot name a run\nhint: letters, digits and `. _ - +`; --runs says where runs are kept")
}

/// A name that no run has yet: this one, or this one with a number.
pub(crate) fn free_name(stem: &str, joint: char, common: &Common) -> String {
    let (mut name, mut n) = (stem.to_owned(), 1_u32);
    while common.runs.join(&name).exists() {
        n += 1;
        name = format!("{stem}{joint}{n}");
    }
    name
}

/// Opens a run by name or path.
pub(crate) fn open_run(run: &str, common: &Common) -> anyhow::Result<RunDir> {
    let path = run_path(run, common);
    if !path.exists() {
        let known = run_names(common);
        let hint = match known.as_slice() {
            [] => format!("no runs are kept in `{}` yet; --runs names another folder", common.runs.display()),
            _ => suggest::hint(run, known.iter().map(String::as_str)),
        };
        bail!("there is no run `{run}`\nhint: {hint}");
    }
    Ok(RunDir::open(&path)?)
}

/// The names of all runs.
pub(crate) fn run_names(common: &Common) -> Vec<String> {
    let entries = std::fs::read_dir(&common.runs).into_iter().flatten().flatten();
    let runs = entries.filter(|entry| entry.path().join("run.json").exists());
    let mut names: Vec<String> = runs.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

/// How many trials of a run have an outcome, of how many.
pub(crate) fn progress(run: &RunDir) -> anyhow::Result<(u64, u64)> {
    let ledger = quintain_runner::Ledger::of(run)?;
    Ok((ledger.entries.len() as u64, ledger.n_planned))
}

/// Seeds as typed: `5` means 0 to 4, `10..20` means 10 to 19, `3,7` means those.
pub(crate) fn seeds(text: &str) -> anyhow::Result<Vec<u64>> {
    let wrong = || format!("`{text}` names no seeds\nhint: `5` for 0 to 4, `10..20` for 10 to 19, `3,7` for those");
    let seeds: Vec<u64> = if let Some((from, to)) = text.split_once("..") {
        (from.parse().with_context(wrong)?..to.parse().with_context(wrong)?).collect()
    } else if text.contains(',') {
        text.split(',').map(|seed| seed.trim().parse().with_context(wrong)).collect::<Result<_, _>>()?
    } else {
        (0..text.parse().with_context(wrong)?).collect()
    };
    if seeds.is_empty() {
        bail!(wrong());
    }
    Ok(seeds)
}

/// How agents are let to play, from what was typed.
pub(crate) fn settings(how: &HowArgs) -> anyhow::Result<Settings> {
    let effort = how.effort.as_deref().map(models::effort).transpose()?;
    let mut settings = Settings { history: how.history, effort, resolution: how.resolution, ..Settings::default() };
    if let Some(names) = &how.groups {
        settings.groups = Some(names.iter().map(|name| group(name)).collect::<Result<BTreeSet<_>, _>>()?);
    }
    if let Some(names) = &how.show {
        settings.show = names.iter().map(|name| part(name)).collect::<Result<BTreeSet<_>, _>>()?;
    }
    Ok(settings)
}

pub(crate) fn part(name: &str) -> anyhow::Result<Part> {
    let names = ["screen", "tree", "marks", "dom", "ascii", "text", "goal", "feedback", "remaining"];
    named(name, "part", &names)
}

pub(crate) fn group(name: &str) -> anyhow::Result<ActionGroup> {
    named(name, "group of actions", &["call", "gui", "browser", "shell", "code", "api"])
}

/// What goes by this name, or those that there are.
pub(crate) fn named<T: DeserializeOwned>(name: &str, what: &str, known: &[&str]) -> anyhow::Result<T> {
    serde_json::from_value(Value::String(name.to_owned())).map_err(|_cause| {
        anyhow::anyhow!("there is no {what} `{name}`\nhint: {}", suggest::hint(name, known.iter().copied()))
    })
}

/// The limits that replace a task's own.
pub(crate) fn limits(how: &HowArgs) -> LimitOverrides {
    LimitOverrides { steps: how.steps, minutes: how.minutes, tokens: how.tokens, cost_usd: how.cost }
}

/// Refuses a path whose folder is not there.
pub(crate) fn check_folder_of(path: &Path) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.is_dir()) {
        Some(missing) => bail!("there is no folder {} for {}", missing.display(), path.display()),
        None => Ok(()),
    }
}

/// Whether a program can be found: by its path, or by name on the path.
pub(crate) fn is_program(name: &str) -> bool {
    let on_path = || {
        std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(name).is_file()))
    };
    if name.contains('/') { Path::new(name).is_file() } else { on_path() }
}

/// Writes a file, making its folder first.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// Rows as aligned columns.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..n_columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_read_in_three_forms() {
        assert_eq!(seeds("3").unwrap(), [0, 1, 2]);
        assert_eq!(seeds("10..12").unwrap(), [10, 11]);
        assert_eq!(seeds("3, 7").unwrap(), [3, 7]);
        for wrong in ["", "0", "x", "5..5", "1,,2"] {
            assert!(seeds(wrong).is_err(), "{wrong}");
        }
    }
}
