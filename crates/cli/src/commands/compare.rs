//! `quintain compare`

use anyhow::bail;
use quintain_report::compare as compare_rows;
use quintain_store::RunHeader;
use quintain_workshop::Workshop;

use crate::args::CompareArgs;
use crate::exit::Exit;
use crate::printer::Printer;

pub(crate) fn compare(args: &CompareArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let (run_a, run_b) = (workshop.open_run(&args.a)?, workshop.open_run(&args.b)?);
    check_keys(run_a.header(), run_b.header())?;
    let a = workshop.rows(&run_a, &|words| printer.say(words))?;
    let b = workshop.rows(&run_b, &|words| printer.say(words))?;
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

/// Refuses runs whose private seeds come of different keys: none of their instances is the same.
fn check_keys(a: &RunHeader, b: &RunHeader) -> anyhow::Result<()> {
    match (&a.private, &b.private) {
        (Some(one), Some(other)) if one.key != other.key => bail!(
            "`{}` has private seeds of key {}, `{}` of key {}: no instance is the same\nhint: compare runs of one key",
            a.name,
            one.key,
            b.name,
            other.key
        ),
        _ => Ok(()),
    }
}
