//! `quintain worker`

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::bail;
use quintain_core::lock::LockAlways as _;
use quintain_core::words::count;
use quintain_core::{Event, Offerings};
use quintain_fleet::jetstream::ProcessRole;
use quintain_fleet::limits::Shares;
use quintain_fleet::metrics::Metrics;
use quintain_fleet::worker::{ArchiveAccess, WorkSummary, WorkerOptions, work};
use quintain_runner::RunOptions;
use quintain_store::RunDir;
use quintain_workshop::{Workshop, fingerprint};

use crate::args::WorkerArgs;
use crate::exit::Exit;
use crate::fleet::probe::{self, HostAbility};
use crate::fleet::{self, Fleet};
use crate::interrupt;
use crate::log::Log;
use crate::printer::Printer;

/// What a worker says when it is told to end.
const DRAINING: &str = "finishing what is being played and taking nothing new; once more puts it down at once";

/// How often it is told what was played.
const TELL_EVERY: Duration = Duration::from_secs(1);

pub(crate) fn worker(args: &WorkerArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let name = args.name.clone().unwrap_or_else(fleet::host_name);
    let offerings = workshop.offerings()?;
    let ability = probe::ability(args.can.as_deref(), offerings)?;
    ability.words.iter().for_each(|words| printer.say(words));
    if ability.classes.is_empty() {
        bail!("this host can play nothing");
    }
    let reached = Fleet::reach_as(&args.reached, &name, ProcessRole::Worker { name: name.clone() })?;
    let access = match &args.reached.store {
        Some(_) => ArchiveAccess::Direct(fleet::archive(&args.reached)?),
        None => ArchiveAccess::Signed,
    };
    let metrics = Arc::<Metrics>::default();
    let _served = fleet::serve_metrics(&reached, args.metrics.as_deref(), &metrics, printer)?;
    let options = options(args, &name, ability, metrics, offerings, printer);
    printer.say(greeting(&options, args));
    let stop = interrupt::flag_on_signal(move || printer.say(DRAINING))?;
    let teller = Mutex::new(WorkerNotices::new(args, printer)?);
    let tell = |event: &Event| teller.lock().always().on(event);
    let casting = |run: &RunDir, shares: Shares| {
        let cast = workshop.cast_with_shares(run, &shares).map_err(|error| format!("{error:#}"))?;
        cast.notices.heard_by(move |words| printer.say(words));
        Ok(cast)
    };
    let summary = work(&options, Arc::clone(&reached.engine), reached.hosts.clone(), access, &casting, &stop, &tell)?;
    teller.into_inner().always().finish(&summary)?;
    Ok(Exit::Success)
}

fn options(
    args: &WorkerArgs,
    name: &str,
    ability: HostAbility,
    metrics: Arc<Metrics>,
    offerings: &Offerings,
    printer: Printer,
) -> WorkerOptions {
    let slots = args.slots.map_or_else(|| probe::slots(&ability.classes, offerings), usize::from);
    let usual = || std::env::temp_dir().join(format!("quintain-worker-{name}"));
    let scratch: PathBuf = args.scratch.clone().unwrap_or_else(usual);
    WorkerOptions {
        slots,
        fingerprint: fingerprint::of_host(offerings, &probe::kinds_of(&ability.classes, offerings)),
        lease_for: fleet::lease_for(&args.reached),
        run: RunOptions { n_workers: slots, max_attempts: args.attempts, ..RunOptions::default() },
        metrics,
        log: Arc::new(move |line| printer.say(line)),
        ..WorkerOptions::new(name, ability.classes, scratch)
    }
}

fn greeting(options: &WorkerOptions, args: &WorkerArgs) -> String {
    let WorkerOptions { name, classes, slots, .. } = options;
    let at_once = count(*slots, "trial");
    format!("worker `{name}` of fleet `{}` plays {}, {at_once} at once", args.reached.fleet, classes.join(" and "))
}

/// Tells what was played, now and then.
struct WorkerNotices {
    printer: Printer,
    log: Option<Log>,
    told: Instant,
    tally: WorkerTally,
}

#[derive(Default)]
struct WorkerTally {
    ended: u64,
    solved: u64,
    faults: u64,
}

impl WorkerNotices {
    fn new(args: &WorkerArgs, printer: Printer) -> anyhow::Result<Self> {
        let log = args.log.as_deref().map(Log::open).transpose()?;
        Ok(Self { printer, log, told: Instant::now(), tally: WorkerTally::default() })
    }

    fn on(&mut self, event: &Event) {
        if let Some(log) = &mut self.log {
            log.on(event);
        }
        match event {
            Event::TrialEnded { trial, verdict, .. } => {
                self.tally.ended += 1;
                self.tally.solved += u64::from(verdict.solved);
                self.tally.faults += u64::from(verdict.ending.is_fault());
                if self.told.elapsed() >= TELL_EVERY {
                    self.told = Instant::now();
                    self.printer.say(format!("{}, last {trial}", self.tally.words()));
                }
            }
            Event::AttemptFaulted { trial, attempt, ending, why } => {
                self.printer.say(format!("{trial}: attempt {attempt} ended in a {ending}: {why}"));
            }
            Event::RunDenied { why } => self.printer.say(format!("this worker stops, for it cannot play: {why}")),
            _ => {}
        }
    }

    fn finish(self, summary: &WorkSummary) -> anyhow::Result<()> {
        let WorkSummary { n_won, n_late, n_put_down, n_packs, .. } = summary;
        self.printer.say(format!(
            "{} handed in, {n_late} too late, {n_put_down} put down; {} shipped",
            count(*n_won, "outcome"),
            count(*n_packs, "pack")
        ));
        self.log.map_or(Ok(()), Log::finish)
    }
}

impl WorkerTally {
    fn words(&self) -> String {
        format!("{} played, {} solved, {}", count(self.ended, "trial"), self.solved, count(self.faults, "fault"))
    }
}
