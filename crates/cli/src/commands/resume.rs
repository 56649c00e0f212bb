//! `quintain resume`

use anyhow::bail;
use quintain_workshop::Workshop;

use crate::args::ResumeArgs;
use crate::budget;
use crate::commands::run::carry_out;
use crate::exit::Exit;
use crate::fleet::play::{self, FleetPlay, ReachedFleet};
use crate::printer::Printer;

pub(crate) fn resume(args: &ResumeArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let mut run = workshop.open_run(&args.run)?;
    let budget = budget::budget(&args.budget, run.header().budget);
    if budget != run.header().budget {
        run.set_budget(budget)?;
    }
    let tasks = workshop.tasks_for(&run)?;
    if run.header().engine == play::ENGINE {
        if !play::is_meant(&args.on_fleet) {
            bail!("run `{}` is played by a fleet\nhint: name it with --nats and --store", run.header().name);
        }
        let visit = FleetPlay::of(&args.on_fleet, &args.working, workshop, printer);
        return ReachedFleet::reach(visit)?.come_back(run, &tasks);
    }
    carry_out(&run, &tasks, &args.working, workshop, printer)
}
