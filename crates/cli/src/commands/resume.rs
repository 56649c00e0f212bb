//! `quintain resume`

use std::path::Path;
use std::sync::Mutex;

use anyhow::bail;
use quintain_agents::PersonPace;
use quintain_core::Task;
use quintain_core::lock::LockAlways as _;
use quintain_core::words::count;
use quintain_runner::SqliteEngine;
use quintain_store::RunDir;
use quintain_workshop::Workshop;

use crate::args::ResumeArgs;
use crate::commands::play as game;
use crate::commands::run::{carry_out, warn_of_unconfined};
use crate::exit::Exit;
use crate::fleet::play::{self, FleetPlay, ReachedFleet};
use crate::log::Log;
use crate::printer::Printer;
use crate::{budget, disk, player};

pub(crate) fn resume(args: &ResumeArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let mut run = workshop.open_run(&args.run)?;
    let budget = budget::budget(&args.budget, run.header().budget);
    if budget != run.header().budget {
        run.set_budget(budget)?;
    }
    let tasks = workshop.tasks_for(&run)?;
    warn_of_unconfined(run.header(), printer);
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
    if player::takes_part(run.header()) {
        return play_on(&run, &tasks, args, workshop, printer);
    }
    if args.screen.is_some() || args.wall {
        bail!("nobody plays `{}` by hand\nhint: leave out --screen and --wall", run.header().name);
    }
    let mut working = args.working.clone();
    if args.faults {
        let reopened = SqliteEngine::open(&run.engine_path())?.reopen_faults(&run.header().name)?;
        printer.say(format!("played again after faults: {}", count(reopened.n, "trial")));
        working.attempts += reopened.most_faults;
    }
    carry_out(&run, &tasks, &working, workshop, printer)
}

/// Goes on with a game, and ends as `play` does.
fn play_on(
    run: &RunDir,
    tasks: &[Task],
    args: &ResumeArgs,
    workshop: &Workshop,
    printer: Printer,
) -> anyhow::Result<Exit> {
    let screen = args.screen.as_deref().unwrap_or(Path::new(player::SCREEN));
    disk::check_folder_of(screen)?;
    let pace = if args.wall { PersonPace::Wall } else { PersonPace::Stepped };
    let cast = player::join(workshop.cast_to_play(run)?, screen, pace, printer);
    let log = Mutex::new(args.working.log.as_deref().map(Log::open).transpose()?);
    let emit = |event| {
        if let Some(log) = log.lock().always().as_mut() {
            log.on(&event);
        }
    };
    let ended = game::finish(run, tasks, &cast, &emit, printer)?;
    log.lock().always().take().map_or(Ok(()), Log::finish)?;
    Ok(ended)
}
