//! `quintain compare`

use quintain_report::compare as compare_rows;

use crate::args::{Common, CompareArgs};
use crate::exit::Exit;
use crate::printer::Printer;
use crate::{files, rows};

pub(crate) fn compare(args: &CompareArgs, common: &Common, printer: Printer) -> anyhow::Result<Exit> {
    let a = rows::with_tasks(&files::open_run(&args.a, common)?, common, printer)?;
    let b = rows::with_tasks(&files::open_run(&args.b, common)?, common, printer)?;
    let comparison = compare_rows(&a, &b);
    if comparison.n_pairs == 0 {
        anyhow::bail!(
            "`{}` and `{}` have no trial in common\nhint: pairs are trials of the same instance, task and world",
            args.a,
            args.b
        );
    }
    printer.data(&comparison, || comparison.text(&args.a, &args.b))?;
    Ok(Exit::Success)
}
