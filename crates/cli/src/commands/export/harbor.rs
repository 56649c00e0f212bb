//! `quintain export --harbor`: instances of ours as folders that Harbor plays.

use std::path::Path;

use quintain_workshop::{HarborExport, Workshop};
use serde_json::json;

use crate::args::HarborExportArgs;
use crate::commands::show::pick_of;
use crate::exit::Exit;
use crate::printer::Printer;

pub(super) fn export(
    what: &str,
    (args, out): (&HarborExportArgs, &Path),
    workshop: &Workshop,
    printer: Printer,
) -> anyhow::Result<Exit> {
    let export = HarborExport::new(out, args.program.as_deref())?;
    let mut written = Vec::new();
    for selection in workshop.suites()?.select(what)? {
        let folder = export.write(&selection.task, &pick_of(&selection), workshop)?;
        written.push(folder.display().to_string());
    }
    printer.data(&json!({ "folders": written }), || {
        let hint = "put the program `quintain` into the folder `tests` of each, or give --program";
        let rest = if export.has_program() { String::new() } else { format!("\nhint: {hint}") };
        format!("{}{rest}", written.join("\n"))
    })?;
    Ok(Exit::Success)
}
