//! `quintain compare`

use quintain_report::compare as compare_rows;
use quintain_workshop::Workshop;

use crate::args::CompareArgs;
use crate::exit::Exit;
use crate::printer::Printer;

pub(crate) fn compare(args: &CompareArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let a = workshop.rows(&workshop.open_run(&args.a)?, &|words| printer.say(words))?;
    let b = workshop.rows(&workshop.open_run(&args.b)?, &|words| printer.say(words))?;
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
