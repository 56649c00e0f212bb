//! `quintain resume`

use anyhow::bail;
use quintain_core::words::count;
use quintain_runner::SqliteEngine;
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
        if args.faults {
            bail!(
                "run `{}` is played by a fleet, whose outcomes stay\nhint: `quintain pull` it, then `resume --faults` here",
                run.header().name
            );
        }
        if !play::is_meant(&args.on_fleet) {
            bail!("run `{}` is played by a fleet\nhint: name it with --nats and --store", run.header().name);
        }
        let visit = FleetPlay::of(&args.on_fleet, &args.working, workshop, printer);
        return ReachedFleet::reach(visit)?.come_back(run, &tasks);
    }
    let mut working = args.working.clone();
    if args.faults {
        let reopened = SqliteEngine::open(&run.engine_path())?.reopen_faults(&run.header().name)?;
        printer.say(format!("played again after faults: {}", count(reopened.n, "trial")));
        working.attempts += reopened.most_faults;
    }
    carry_out(&run, &tasks, &working, workshop, printer)
}
