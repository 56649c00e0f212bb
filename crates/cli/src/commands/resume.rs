//! `quintain resume`

use crate::args::{Common, ResumeArgs};
use crate::commands::run::{carry_out, tasks_for};
use crate::exit::Exit;
use crate::files;
use crate::printer::Printer;

pub(crate) fn resume(args: &ResumeArgs, common: &Common, printer: Printer) -> anyhow::Result<Exit> {
    let run = files::open_run(&args.run, common)?;
    let tasks = tasks_for(&run, common)?;
    carry_out(&run, &tasks, &args.working, common, printer)
}
