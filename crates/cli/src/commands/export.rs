//! `quintain export`

use quintain_runner::Ledger;
use quintain_store::Place;
use quintain_store::export::{ExportOptions, Filter, Format, Pictures, export as write_export};
use quintain_workshop::Workshop;
use serde_json::json;

use crate::args::{ExportArgs, ExportFormat, Only};
use crate::exit::Exit;
use crate::printer::Printer;

pub(crate) fn export(args: &ExportArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let run = workshop.open_run(&args.run)?;
    let mut entries = Ledger::of(&run)?.entries;
    entries.sort_by(|a, b| a.trial.cmp(&b.trial));
    let places: Vec<Place> = entries.into_iter().map(|entry| entry.place).collect();
    let options = ExportOptions {
        format: match args.format {
            ExportFormat::Atif => Format::Atif,
            ExportFormat::Sharegpt => Format::ShareGpt,
            ExportFormat::Openai => Format::Messages,
        },
        filter: match args.only {
            Only::All => Filter::All,
            Only::Success => Filter::Success,
            Only::Failure => Filter::Failure,
        },
        pictures: Pictures::Beside,
    };
    let exported = write_export(&run, &places, options, &args.out)?;
    let files: Vec<String> = exported.files.iter().map(|path| path.display().to_string()).collect();
    let json = json!({ "trials": exported.n_trials, "pictures": exported.n_pictures, "files": files });
    printer.data(&json, || {
        format!("{} trials and {} pictures in {}", exported.n_trials, exported.n_pictures, args.out.display())
    })?;
    Ok(Exit::Success)
}
