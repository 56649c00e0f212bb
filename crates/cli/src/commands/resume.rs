//! `quintain resume`

use anyhow::bail;

use crate::args::{Common, ResumeArgs};
use crate::commands::run::{carry_out, tasks_for};
use crate::exit::Exit;
use crate::fleet::play::{self, Venue, Visit};
use crate::printer::Printer;
use crate::{budget, files};

pub(crate) fn resume(args: &ResumeArgs, common: &Common, printer: Printer) -> anyhow::Result<Exit> {
    let mut run = files::open_run(&args.run, common)?;
    let budget = budget::budget(&args.budget, run.header().budget);
    if budget != run.header().budget {
        run.set_budget(budget)?;
    }
    let tasks = tasks_for(&run, common)?;
    if run.header().engine == play::ENGINE {
        if !play::is_meant(&args.on_fleet) {
            bail!("run `{}` is played by a fleet\nhint: name it with --nats and --store", run.header().name);
        }
        let visit = Visit::of(&args.on_fleet, &args.working, common, printer);
        return Venue::reach(visit)?.come_back(run, &tasks);
    }
    carry_out(&run, &tasks, &args.working, common, printer)
}
