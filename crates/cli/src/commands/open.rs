//! `quintain open`

use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, bail};
use quintain_bridge::{
    GuestControl, GuestEnd, LoopbackServer, OutsideSource, ServedApp, SiteFile, TrialSeat, app_router, guest_slot, seat,
};
use quintain_core::limits::LimitOverrides;
use quintain_core::lock::LockAlways as _;
use quintain_core::offering::{OutsideFile, OutsidePage};
use quintain_core::world::Collected;
use quintain_core::{Agent, AgentError};
use quintain_runner::{Job, Ledger, run_here};
use quintain_store::RunDir;
use quintain_workshop::Workshop;
use serde_json::{Value, json};

use crate::args::OpenArgs;
use crate::commands::play::tell;
use crate::exit::Exit;
use crate::interrupt;
use crate::outside::{OutsideTrial, options};
use crate::printer::{self, Printer};

/// How long an agent with a browser of its own may be silent: as long as the trial lasts.
const PATIENCE: Duration = Duration::from_hours(24);

pub(crate) fn open(args: &OpenArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let outing = OutsideTrial::of(&args.task, workshop)?;
    let Some(serve) = &outing.offering()?.outside else {
        bail!("`{}` is no browser app\nhint: `quintain bridge` serves every task to agents without one", args.task);
    };
    let app = Arc::new(AtAddress(serve(&outing.instance)?));
    let (seat, guest, control) = seat(PATIENCE);
    let loopback = LoopbackServer::open(args.port)
        .with_context(|| format!("cannot listen on port {}\nhint: choose another --port, or none", args.port))?;
    let served = Arc::clone(&app);
    let room = loopback.room(|url| app_router(url, served, guest_slot(outing.trial(), guest)))?;
    let cast = outing.cast(app, once(seat))?;
    let limits = LimitOverrides { minutes: args.minutes, ..LimitOverrides::default() };
    let run = outing.make_run(args.name.as_deref(), "open", limits, &cast)?;
    invite(&outing, room.url(), printer)?;
    let control = Arc::new(Mutex::new(Some(control)));
    let called_off = Arc::clone(&control);
    let stop = interrupt::flag_on_signal(move || {
        if let Some(control) = called_off.lock().always().as_ref() {
            control.call_off();
        }
    })?;
    let options = options();
    let tasks = [outing.task().clone()];
    let job = Job { run: &run, tasks: &tasks, cast: &cast, options: &options, stop: &stop, emit: &|_event| {} };
    let summary = run_here(&job)?;
    let control = control.lock().always().take();
    if summary.n_left > 0 {
        tell_guest(control, GuestEnd::PutDown);
        printer.say("stopped before anything was submitted: there is no verdict");
        return Ok(Exit::Interrupted);
    }
    tell_guest(control, over(&run)?);
    drop(loopback); // Whoever submitted is told before the address is gone.
    tell(&run, printer)
}

fn tell_guest(control: Option<GuestControl>, over: GuestEnd) {
    if let Some(control) = control {
        control.over(over);
    }
}

fn over(run: &RunDir) -> anyhow::Result<GuestEnd> {
    let ledger = Ledger::of(run)?;
    let entry = ledger.entries.first().context("the trial has no outcome")?;
    Ok(GuestEnd::Judged(entry.finished.clone()))
}

/// The seat, for the one attempt that there is.
fn once(seat: TrialSeat) -> impl Fn() -> Result<Box<dyn Agent + Send>, AgentError> + Send + Sync + 'static {
    let seat = Mutex::new(Some(seat));
    move || match seat.lock().always().take() {
        Some(seat) => Ok(Box::new(seat)),
        None => Err(AgentError::harness("whoever opened it has left")),
    }
}

/// Says where the app is and how to end.
fn invite(outing: &OutsideTrial<'_>, url: &str, printer: Printer) -> anyhow::Result<()> {
    let instruction = &outing.instance.instruction;
    if printer.json {
        let invitation = json!({
            "trial": outing.trial(), "url": url, "app": format!("{url}/app/"), "submit": format!("{url}/submit"),
            "instruction": instruction,
        });
        return printer::json_line(&invitation);
    }
    printer.say(format!("{}\n\nthe app:  {url}/app/\nto end:   quintain submit {url}\n", instruction.trim_end()));
    Ok(())
}

/// An app at an address: a site to those who look, and the place where the trial happens.
struct AtAddress(Arc<dyn OutsidePage>);

impl ServedApp for AtAddress {
    fn file(&self, path: &str) -> Option<SiteFile> {
        let OutsideFile { mime, policy, bytes } = self.0.file(path)?;
        Some(SiteFile { mime, policy, bytes })
    }

    fn tell(&self, text: &str) -> Result<Value, String> {
        self.0.tell(text)
    }
}

impl OutsideSource for AtAddress {
    fn directions(&self) -> String {
        "The app is open in a browser of the agent's own.".to_owned()
    }

    fn collect(&self) -> Collected {
        self.0.collect()
    }
}
