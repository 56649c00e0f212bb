//! `quintain resume`

use crate::args::{Common, ResumeArgs};
use crate::commands::run::{carry_out, tasks_for};
use crate::exit::Exit;
use crate::printer::Printer;
use crate::{budget, files};

pub(crate) fn resume(args: &ResumeArgs, common: &Common, printer: Printer) -> anyhow::Result<Exit> {
    let mut run = files::open_run(&args.run, common)?;
    let budget = budget::budget(&args.budget, run.header().budget);
    if budget != run.header().budget {
        run.set_budget(budget)?;
    }
    let tasks = tasks_for(&run, common)?;
    carry_out(&run, &tasks, &args.working, common, printer)
}
