//! `quintain export`

mod harbor;

use quintain_runner::Ledger;
use quintain_store::LineRange;
use quintain_store::export::{ExportFormat, ExportOptions, ExportPictures, Filter, export as write_export};
use quintain_workshop::Workshop;
use serde_json::json;

use crate::args::{ExportArgs, ExportFilter, FormatChoice};
use crate::exit::Exit;
use crate::printer::Printer;

pub(crate) fn export(args: &ExportArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    // Without `--harbor` there is a form: the command line was refused otherwise.
    let (false, Some(format)) = (args.harbor.harbor, args.format) else {
        return harbor::export(&args.what, (&args.harbor, &args.out), workshop, printer);
    };
    let run = workshop.open_run(&args.what)?;
    let mut entries = Ledger::of(&run)?.entries;
    entries.sort_by(|a, b| a.trial.cmp(&b.trial));
    let places: Vec<LineRange> = entries.into_iter().map(|entry| entry.place).collect();
    let options = ExportOptions {
        format: match format {
            FormatChoice::Atif => ExportFormat::Atif,
            FormatChoice::Sharegpt => ExportFormat::ShareGpt,
            FormatChoice::Openai => ExportFormat::Messages,
        },
        filter: match args.only {
            ExportFilter::All => Filter::All,
            ExportFilter::Success => Filter::Success,
            ExportFilter::Failure => Filter::Failure,
        },
        pictures: ExportPictures::Beside,
    };
    let exported = write_export(&run, &places, options, &args.out)?;
    let files: Vec<String> = exported.files.iter().map(|path| path.display().to_string()).collect();
    let json = json!({ "trials": exported.n_trials, "pictures": exported.n_pictures, "files": files });
    printer.data(&json, || {
        format!("{} trials and {} pictures in {}", exported.n_trials, exported.n_pictures, args.out.display())
    })?;
    Ok(Exit::Success)
}
