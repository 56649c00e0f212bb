//! `quintain data`

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use quintain_core::suggest;
use quintain_core::words::count;
use quintain_store::data::{Condition, DataManifest, DataSet, FetchResult, fetch, path_of, verify};
use serde_json::json;

use crate::args::{DataArgs, DataWhat};
use crate::disk;
use crate::exit::Exit;
use crate::printer::Printer;
use crate::table::table;

pub(crate) fn data(args: &DataArgs, printer: Printer) -> anyhow::Result<Exit> {
    let manifest = manifest(args)?;
    let folder = folder(args)?;
    match &args.what {
        DataWhat::List => list(&manifest, &folder, printer),
        DataWhat::Fetch { sets } => fetch_all(&chosen(&manifest, sets)?, &folder, printer),
        DataWhat::Verify { sets } => {
            let mut chosen = chosen(&manifest, sets)?;
            if sets.is_empty() {
                chosen.retain(|set| folder.join(&set.name).exists());
            }
            verify_all(&chosen, &folder, printer)
        }
    }
}

fn manifest(args: &DataArgs) -> anyhow::Result<DataManifest> {
    let Some(path) = &args.manifest else { return Ok(DataManifest::built_in()?) };
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(DataManifest::parse(&text, &path.display().to_string())?)
}

/// The folder that data is kept in.
fn folder(args: &DataArgs) -> anyhow::Result<PathBuf> {
    if let Some(into) = &args.into {
        return Ok(into.clone());
    }
    let of_user = std::env::var_os("XDG_DATA_HOME").filter(|path| !path.is_empty()).map(PathBuf::from);
    let of_home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/share"));
    let base = of_user.or_else(of_home).context("there is no HOME to keep data in\nhint: give --into")?;
    Ok(base.join("quintain"))
}

fn chosen<'a>(manifest: &'a DataManifest, names: &[String]) -> anyhow::Result<Vec<&'a DataSet>> {
    if names.is_empty() {
        return Ok(manifest.sets.iter().collect());
    }
    let find = |name: &String| {
        manifest.sets.iter().find(|set| set.name == *name).with_context(|| {
            let hint = suggest::hint(name, manifest.sets.iter().map(|set| set.name.as_str()));
            format!("there is no set of data `{name}`\nhint: {hint}")
        })
    };
    names.iter().map(find).collect()
}

fn list(manifest: &DataManifest, folder: &Path, printer: Printer) -> anyhow::Result<Exit> {
    let n_here = |set: &DataSet| set.files.iter().filter(|file| path_of(folder, set, file).exists()).count();
    let json: Vec<_> = manifest
        .sets
        .iter()
        .map(|set| json!({"set": set, "n_bytes": set.n_bytes(), "n_here": n_here(set), "folder": folder.join(&set.name)}))
        .collect();
    printer.data(&json, || {
        let head = ["set", "option", "files", "here", "MB", "licence", "what"].map(str::to_owned).to_vec();
        let row = |set: &DataSet| {
            vec![
                set.name.clone(),
                format!("--{}", set.feeds),
                set.files.len().to_string(),
                n_here(set).to_string(),
                format!("{:.1}", set.n_bytes() as f64 / 1e6),
                set.licence.clone(),
                set.what.clone(),
            ]
        };
        table(&std::iter::once(head).chain(manifest.sets.iter().map(row)).collect::<Vec<_>>())
    })?;
    Ok(Exit::Success)
}

fn fetch_all(sets: &[&DataSet], folder: &Path, printer: Printer) -> anyhow::Result<Exit> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let client = quintain_store::data::client().context("no connection can be made")?;
    let bar = bar(sets, printer);
    let (mut n_new, mut n_bytes) = (0, 0);
    for set in sets {
        printer.say(format!("{}: {}, {}\n  credit: {}", set.name, set.licence, set.licence_url, set.credit));
        disk::write(&folder.join(format!("{}.licence.txt", set.name)), set.notice().as_bytes())?;
        for file in &set.files {
            bar.set_message(file.path.clone());
            let told = |n| bar.inc(n);
            match runtime.block_on(fetch(&client, folder, set, file, &told))? {
                FetchResult::AlreadyThere => bar.inc(file.size),
                FetchResult::New { n_bytes: n } => {
                    n_new += 1;
                    n_bytes += n;
                }
            }
        }
    }
    bar.finish_and_clear();
    let folders: Vec<PathBuf> = sets.iter().map(|set| folder.join(&set.name)).collect();
    let json = json!({"n_fetched": n_new, "n_bytes": n_bytes, "folders": folders});
    printer.data(&json, || {
        let used = sets.iter().map(|set| format!("\n  --{} {}", set.feeds, folder.join(set.given()).display()));
        format!("{} fetched; use them with{}", count(n_new, "file"), used.collect::<String>())
    })?;
    Ok(Exit::Success)
}

fn bar(sets: &[&DataSet], printer: Printer) -> ProgressBar {
    let target = if printer.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(sets.iter().map(|set| set.n_bytes()).sum()), target);
    let template = "{bar:32} {bytes}/{total_bytes}  {eta} left  {msg}";
    bar.set_style(ProgressStyle::with_template(template).expect("the template is sound"));
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

fn verify_all(sets: &[&DataSet], folder: &Path, printer: Printer) -> anyhow::Result<Exit> {
    if sets.is_empty() {
        bail!("nothing is kept in {}\nhint: quintain data fetch", folder.display());
    }
    let mut wrong = Vec::new();
    let mut n_sound = 0;
    for set in sets {
        for file in &set.files {
            match verify(folder, set, file)? {
                Condition::Sound => n_sound += 1,
                Condition::Missing => wrong.push((path_of(folder, set, file), "missing")),
                Condition::Altered => wrong.push((path_of(folder, set, file), "altered")),
            }
        }
    }
    let json = json!({"n_sound": n_sound, "wrong": wrong});
    printer.data(&json, || {
        let lines = wrong.iter().map(|(path, what)| format!("{what}: {}\n", path.display()));
        format!("{}{} as listed, {} not", lines.collect::<String>(), count(n_sound, "file"), wrong.len())
    })?;
    Ok(if wrong.is_empty() { Exit::Success } else { Exit::Refused })
}
