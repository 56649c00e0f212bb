//! A run on a fleet, from handing it in to its report.

use std::iter::once;
use std::sync::Mutex;

use anyhow::bail;
use quintain_core::Task;
use quintain_core::lock::LockAlways as _;
use quintain_core::words::count;
use quintain_fleet::steward::leader;
use quintain_fleet::waiting;
use quintain_runner::Engine;
use quintain_runner::engine::RunDirection;
use quintain_runner::engine::steered::SteeredEngine;
use quintain_store::RunDir;
use quintain_store::archive::Archive;
use quintain_workshop::Workshop;

use super::follow::{FollowEnd, Follower};
use super::{Fleet, bring, hand_in, look};
use crate::args::{OnFleetArgs, WorkingArgs};
use crate::audience::RunAudience;
use crate::commands::report;
use crate::exit::Exit;
use crate::interrupt;
use crate::printer::Printer;

/// What the header of a run says whose trials a fleet hands out.
pub(crate) const ENGINE: &str = "nats";

/// How a person has a run played.
#[derive(Clone, Copy)]
pub(crate) struct FleetPlay<'a> {
    args: &'a OnFleetArgs,
    working: &'a WorkingArgs,
    workshop: &'a Workshop,
    printer: Printer,
}

/// A fleet and its archive, both reached.
pub(crate) struct ReachedFleet<'a> {
    visit: FleetPlay<'a>,
    fleet: Fleet,
    archive: Archive,
}

/// Whether a run is meant for a fleet.
pub(crate) fn is_meant(args: &OnFleetArgs) -> bool {
    args.reached.nats.is_some() && !args.here
}

impl<'a> FleetPlay<'a> {
    pub(crate) fn of(
        args: &'a OnFleetArgs,
        working: &'a WorkingArgs,
        workshop: &'a Workshop,
        printer: Printer,
    ) -> Self {
        Self { args, working, workshop, printer }
    }
}

impl<'a> ReachedFleet<'a> {
    /// Reaches both.
    pub(crate) fn reach(visit: FleetPlay<'a>) -> anyhow::Result<Self> {
        if visit.working.workers.is_some() {
            visit.printer.say("--workers means nothing on a fleet: each of its workers has slots of its own");
        }
        super::store_url(&visit.args.reached)?;
        let fleet = Fleet::reach(&visit.args.reached)?;
        let archive = super::archive_of(&fleet, &visit.args.reached)?;
        Ok(Self { visit, fleet, archive })
    }

    /// Refuses the name of a run that the fleet has already, before anything of the new one is made.
    pub(crate) fn check_name(&self, name: &str) -> anyhow::Result<()> {
        let archived = self.archive.run(name)?;
        if self.fleet.wait(archived.exists())? {
            bail!(
                "the fleet has a run `{name}` already\nhint: choose another --name, or have it here with \
                 `quintain pull {name}`"
            );
        }
        Ok(())
    }

    /// Hands a new run in and sees it through.
    pub(crate) fn play(&self, run: RunDir, tasks: &[Task]) -> anyhow::Result<Exit> {
        let terms = hand_in::terms(self.visit.args, run.header(), tasks, self.visit.workshop.offerings()?)?;
        self.fleet.wait(hand_in::hand_in(&self.fleet, &self.archive, &run, tasks, &terms))?;
        self.see_through(run)
    }

    /// Comes back to a run: hands in what is missing, lets it go on, and sees it through.
    pub(crate) fn come_back(&self, run: RunDir, tasks: &[Task]) -> anyhow::Result<Exit> {
        let name = &run.header().name;
        let known = self.fleet.wait(self.fleet.engine.runs())?.into_iter().find(|standing| standing.run == *name);
        if known.is_none() {
            self.refuse_played(name)?;
        }
        let args = self.visit.args;
        let mut terms = hand_in::terms(args, run.header(), tasks, self.visit.workshop.offerings()?)?;
        if let Some(known) = &known {
            terms.priority = if args.priority.is_some() { terms.priority } else { known.terms.priority };
            terms.chunk = args.chunk.unwrap_or(known.terms.chunk);
        }
        self.fleet.wait(hand_in::hand_in(&self.fleet, &self.archive, &run, tasks, &terms))?;
        if known.is_some_and(|known| known.direction != RunDirection::Go) {
            self.fleet.wait(self.fleet.engine.direct(name, RunDirection::Go))?;
        }
        self.see_through(run)
    }

    /// Refuses a run that the server does not know and of which something was played: handing it in would play that again.
    fn refuse_played(&self, name: &str) -> anyhow::Result<()> {
        let archived = self.archive.run(name)?;
        if !self.fleet.wait(archived.exists())? {
            return Ok(());
        }
        let n_done = self.fleet.wait(bring::from_archive(&archived))?.outcomes.len();
        if n_done == 0 {
            return Ok(());
        }
        bail!(
            "the server does not know run `{name}`, and the archive has {} of it\nhint: `quintain pull {name}` has it \
             here, and `quintain resume {name} --here` plays what is left; if the server was lost, a steward brings the \
             run back by itself",
            count(n_done, "outcome")
        );
    }

    fn see_through(&self, run: RunDir) -> anyhow::Result<Exit> {
        let FleetPlay { args, workshop, printer, .. } = self.visit;
        let name = run.header().name.clone();
        if args.detach {
            printer.say(left_words(&name, "is handed in"));
            return Ok(Exit::Success);
        }
        let followed = self.follow(&run)?;
        if followed == FollowEnd::Left {
            printer.say(left_words(&name, "goes on without you"));
            return Ok(Exit::Interrupted);
        }
        let run = if args.no_pull { run } else { self.bring_home(run)? };
        if args.no_pull {
            printer.say(format!("its record is in the archive\nhint: quintain pull {name}"));
        }
        match followed {
            FollowEnd::Complete if args.no_pull => Ok(Exit::Success),
            FollowEnd::Complete => report::after_run(&run, workshop, printer),
            FollowEnd::Cancelled | FollowEnd::Left => {
                printer.say(format!("the run was cancelled\nhint: `quintain resume {name}` would let it go on"));
                Ok(Exit::Interrupted)
            }
        }
    }

    fn follow(&self, run: &RunDir) -> anyhow::Result<FollowEnd> {
        let name = &run.header().name;
        let audience = Mutex::new(RunAudience::new(self.visit.printer, self.visit.working.log.as_deref())?);
        let stop = interrupt::flag_on_signal(|| ())?;
        let follower = Follower::new(&*self.fleet.engine, name, &audience, &stop);
        let end = self.fleet.wait(async {
            let events = self.fleet.events(name).await?;
            anyhow::Ok(follower.follow(events, || self.missing(run)).await?)
        })?;
        audience.lock().always().finish()?;
        Ok(end)
    }

    /// What may be the reason that nothing happens.
    async fn missing(&self, run: &RunDir) -> Option<String> {
        let led = leader(&self.fleet.client, &self.fleet.names).await.ok()?;
        if led.is_none() {
            return Some("nobody stewards this fleet, so little is put on offer: start `quintain steward`".to_owned());
        }
        let hosts = self.fleet.hosts.list().await.ok()?;
        let waiting = waiting(&self.fleet.engine, &run.header().name, &hosts).await.ok()?;
        let waiting = look::wait_statuses(&run.header().name, waiting);
        let lines: Vec<String> = waiting.iter().flat_map(|wait| once(wait.words()).chain(wait.reasons())).collect();
        (!lines.is_empty()).then(|| format!("{}\nhint: start `quintain worker` on one that can", lines.join("\n")))
    }

    /// Brings the record and the outcomes into the run's own folder.
    fn bring_home(&self, run: RunDir) -> anyhow::Result<RunDir> {
        let (name, path, budget) = (run.header().name.clone(), run.path().to_owned(), run.header().budget);
        drop(run);
        let mut run = self.fleet.wait(async {
            let archived = bring::archived(&self.archive, &name).await?;
            let mut known = bring::from_server(&self.fleet, &name).await?;
            bring::make_whole(&mut known, &archived).await?;
            bring::record(&archived, &path, self.visit.printer).await?;
            let run = RunDir::open(&path)?;
            bring::write_down(&archived, &run, &known).await?;
            anyhow::Ok(run)
        })?;
        if run.header().budget != budget {
            run.set_budget(budget)?;
        }
        Ok(run)
    }
}

fn left_words(run: &str, what: &str) -> String {
    format!(
        "run `{run}` {what}\nhint: `quintain resume {run}` comes back to it, `quintain fleet status` shows it, \
         `quintain fleet cancel {run}` stops it"
    )
}
