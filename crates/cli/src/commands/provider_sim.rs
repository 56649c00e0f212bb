//! `quintain provider-sim`: a provider on this machine, with recorded solutions for a mind.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use quintain_core::lock::LockAlways as _;
use quintain_core::money::dollars_and_cents;
use quintain_provider_sim::mind::Mind;
use quintain_provider_sim::speak::{Habits, Needs, RecordedOracle, Recording, ScriptSpeaker, Slips};
use quintain_provider_sim::{ProviderSettings, Running, start};
use quintain_runner::ledger::{Ledger, TrialEntry};
use quintain_store::RunDir;
use quintain_workshop::Workshop;
use serde_json::json;

use crate::args::ProviderSimArgs;
use crate::exit::Exit;
use crate::interrupt;
use crate::printer::Printer;

pub(crate) fn provider_sim(args: &ProviderSimArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let listen = SocketAddr::from(([127, 0, 0, 1], args.port));
    let running = start(&settings(args, listen), mind(args, workshop)?)
        .with_context(|| format!("cannot listen on {listen}\nhint: choose another --port"))?;
    printer.data(&json!({ "url": running.url(), "base_url": running.base_url() }), || words(&running))?;
    let stop = interrupt::flag_on_signal(|| {})?;
    interrupt::wait_for_stop(&stop);
    let (total, told) = running.ledger().total_usd();
    let n_calls = running.ledger().entries().len();
    let (total, told) = (dollars_and_cents(total), dollars_and_cents(told));
    printer.say(format!("billed {n_calls} calls, {total}; told its callers of {told}"));
    Ok(Exit::Success)
}

fn settings(args: &ProviderSimArgs, listen: SocketAddr) -> ProviderSettings {
    let mut settings =
        ProviderSettings { listen, latency: Duration::from_millis(args.latency), ..ProviderSettings::default() };
    settings.chaos = args.chaos.unwrap_or_default();
    settings.chaos.seed = args.seed;
    settings.billing = args.bill.unwrap_or_default().seeded(args.seed);
    settings.per_minute = args.limit;
    settings
}

fn mind(args: &ProviderSimArgs, workshop: &Workshop) -> anyhow::Result<Arc<dyn Mind>> {
    let mind: Arc<dyn Mind> = match (&args.mind, &args.script) {
        (_, Some(path)) => {
            let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
            Arc::new(ScriptSpeaker::read(&text).with_context(|| format!("{} is no script", path.display()))?)
        }
        (runs, None) if !runs.is_empty() => Arc::new(oracle(runs, slips(args)?, workshop)?),
        _ => bail!(
            "the simulator has nothing to say\nhint: name a run of the oracle with --mind RUN, or a --script FILE"
        ),
    };
    let mind: Arc<dyn Mind> = match &args.needs {
        Some(text) => Arc::new(Needs::read(text, args.seed).map_err(|why| anyhow!(why))?.over(mind)),
        None => mind,
    };
    Ok(match &args.habit {
        Some(text) => Arc::new(Habits::read(text, args.seed).map_err(|why| anyhow!(why))?.over(mind)),
        None => mind,
    })
}

fn slips(args: &ProviderSimArgs) -> anyhow::Result<Slips> {
    let named = args.slips.as_deref().map(|text| Slips::read(text, args.seed)).transpose();
    Ok(named.map_err(|why| anyhow!(why))?.unwrap_or_default())
}

/// Recorded solutions of these runs, read when they are first asked for.
fn oracle(names: &[String], slips: Slips, workshop: &Workshop) -> anyhow::Result<RecordedOracle> {
    let mut shelf = SolvedTrials { slips, ..SolvedTrials::default() };
    for name in names {
        let run = workshop.open_run(name)?;
        let ledger = Ledger::of(&run)?;
        let run = Arc::new(run);
        for entry in ledger.entries.into_iter().filter(|entry| entry.finished.verdict.solved) {
            shelf.solved.insert(entry.trial.instance.to_string(), (Arc::clone(&run), entry));
        }
    }
    if shelf.solved.is_empty() {
        bail!("nothing is solved in {}\nhint: make a run with `--agent oracle` first", names.join(", "));
    }
    Ok(RecordedOracle::new(Arc::new(move |instance: &str| shelf.recording(instance))))
}

/// Solved trials by instance, and those that were read already.
#[derive(Default)]
struct SolvedTrials {
    solved: BTreeMap<String, (Arc<RunDir>, TrialEntry)>,
    read: Mutex<BTreeMap<String, Arc<Recording>>>,
    slips: Slips,
}

impl SolvedTrials {
    fn recording(&self, instance: &str) -> Option<Arc<Recording>> {
        let mut read = self.read.lock().always();
        if let Some(recording) = read.get(instance) {
            return Some(Arc::clone(recording));
        }
        let (run, entry) = self.solved.get(instance)?;
        let record = run.trajectory(&entry.place).ok()?;
        let actions = record.steps().into_iter().filter_map(|step| step.action).collect();
        let actions = self.slips.over(instance, actions);
        let screen = record.briefing().and_then(|briefing| briefing.surface.screen);
        let recording = Arc::new(Recording { actions, screen });
        read.insert(instance.to_owned(), Arc::clone(&recording));
        Some(recording)
    }
}

fn words(running: &Running) -> String {
    let base = running.base_url();
    format!(
        "a provider listens on {}\n\nset these, and any key, to have it answer in place of the real ones:\n  \
         export ANTHROPIC_BASE_URL='{base}' ANTHROPIC_API_KEY=sim\n  export OPENAI_BASE_URL='{base}' OPENAI_API_KEY=sim\n  \
         export GOOGLE_GEMINI_BASE_URL='{base}' GEMINI_API_KEY=sim\n  export CHAT_BASE_URL='{base}' CHAT_API_KEY=sim\n\n\
         then, for example:\n  quintain run puzzles/maze-2d@easy#0 --agent react:anthropic/sim\n\n\
         what it billed: {}/ledger; Ctrl-C stops it",
        running.url(),
        running.url()
    )
}
