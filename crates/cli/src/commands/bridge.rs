//! `quintain bridge`: trials for agents that we do not run.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, bail};
use quintain_bridge::limit::make_room_for;
use quintain_bridge::{
    GuestSlot, McpServer, OfferedTask, OfferedTasks, OpenEnv, OpenEnvOptions, ReservedAddress, TrialStarter,
};
use quintain_core::lock::LockAlways as _;
use quintain_core::{InstanceId, Task};
use quintain_runner::{
    Cast, DoorKeeper, Grid, GuestDoor, GuestSeats, Job, Ledger, RunOptions, RunSummary, door, host, plan,
};
use quintain_store::{RunDir, RunHeader, Selection};
use quintain_workshop::{PrivateSeeds, Workshop, WrongWord, check_name, fingerprint, now, suites_used, words};
use serde_json::json;
use tokio::runtime::Runtime;

use crate::args::{BridgeArgs, BridgeMcpArgs, BridgeServeArgs, BridgeWay, GuestArgs};
use crate::commands::report;
use crate::commands::show::pick_of;
use crate::exit::Exit;
use crate::live::Live;
use crate::printer::Printer;
use crate::{guest, interrupt, printer, resolve};

/// A guest that is silent for a month has left.
const LONGEST_IDLE_S: f64 = 30.0 * 24.0 * 3600.0;

/// What a run that nothing is named after is called.
const RUN_NAME: &str = "bridge";

pub(crate) fn bridge(args: &BridgeArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    match &args.way {
        BridgeWay::Mcp(args) => mcp(args, workshop, printer),
        BridgeWay::Serve(args) => serve(args, workshop, printer),
    }
}

/// One trial over standard input and output. Everything else goes to standard error.
fn mcp(args: &BridgeMcpArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let selections = workshop.suites()?.select(&args.task)?;
    let [selection] = selections.as_slice() else {
        bail!(WrongWord(format!(
            "`{}` names {} tasks\nhint: name one; `quintain list tasks` lists them",
            args.task,
            selections.len()
        )));
    };
    let instance = InstanceId { task: selection.task.id.clone(), pick: pick_of(selection) };
    let bridge_run =
        BridgeRun::new(&args.guest, selections.clone(), (std::slice::from_ref(&args.task), None), workshop)?;
    let runtime = runtime()?;
    let (door, entrance) = door();
    let slot = Arc::new(GuestSlot::new(instance, Arc::new(door)));
    let served = runtime.spawn(McpServer::new(slot).serve_stdio());
    let stop = interrupt::flag_on_signal(|| {})?;
    let summary = bridge_run.host(entrance, &stop, Printer { quiet: true, ..printer })?;
    let left = runtime.block_on(async { tokio::time::timeout(Duration::from_secs(1), served).await });
    runtime.shutdown_background();
    if let Ok(Ok(Err(error))) = left {
        printer.say(error.to_string());
    }
    bridge_run.tell_one(&summary, printer)
}

/// Many trials over HTTP, until somebody presses Ctrl-C.
fn serve(args: &BridgeServeArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let selections = workshop.playable(&args.tasks, &|words| printer.say(words))?;
    let named = args.seeds.as_deref();
    let private = args.private.as_deref().map(|key| resolve::private_seeds(key, named)).transpose()?;
    let (selections, seeds) = match &private {
        Some(private) => (private.drawn(&selections)?, None),
        None => (selections, named.map(words::seeds).transpose()?),
    };
    let runtime = runtime()?;
    let front = front(args, &runtime)?; // No run is made where nobody could come.
    let bridge_run = BridgeRun::new(&args.guest, selections, (&args.tasks, private.as_ref()), workshop)?;
    let (door, entrance) = door();
    let stop = interrupt::flag_on_signal(|| {})?;
    let instances = bridge_run.instances(args, seeds)?;
    let opening = BridgeOpening { capacity: room_for(args.capacity, printer), instances, front };
    let address = bridge_run.open(opening, door, &runtime, printer)?;
    printer.say(format!("serving on {address}; press Ctrl-C to close"));
    let summary = bridge_run.host(entrance, &stop, printer)?;
    runtime.shutdown_background();
    bridge_run.tell(&summary, workshop, printer)
}

fn runtime() -> anyhow::Result<Runtime> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.context("the runtime could not be started")
}

fn front(args: &BridgeServeArgs, runtime: &Runtime) -> anyhow::Result<ReservedAddress> {
    let (address, port) = (&args.address, args.port);
    let front = runtime.block_on(ReservedAddress::open(address, port));
    front.with_context(|| format!("cannot listen on {address}:{port}\nhint: choose another --port, or none"))
}

/// How many sessions the system has room for, of those that are wanted.
fn room_for(wanted: usize, printer: Printer) -> usize {
    let capacity = make_room_for(wanted);
    if capacity < wanted {
        printer.say(format!("warning: the system allows room for {capacity} sessions only; see `ulimit -Hn`"));
    }
    capacity
}

/// The tasks as they were typed, and the key of their seeds.
type AskedTasks<'a> = (&'a [String], Option<&'a PrivateSeeds>);

/// What is opened to guests, and where.
struct BridgeOpening {
    capacity: usize,
    instances: Vec<InstanceId>,
    front: ReservedAddress,
}

/// A run that is open for guests.
struct BridgeRun {
    run: RunDir,
    cast: Cast,
    tasks: Vec<Task>,
    lobby: GuestSeats,
    selections: Vec<Selection>,
    idle: Duration,
}

impl BridgeRun {
    fn new(
        args: &GuestArgs,
        selections: Vec<Selection>,
        asked: AskedTasks<'_>,
        workshop: &Workshop,
    ) -> anyhow::Result<Self> {
        guest::check_label(&args.label)?;
        let idle = Duration::from_secs_f64(args.idle.min(LONGEST_IDLE_S));
        let lobby = GuestSeats::new(args.label.clone(), idle);
        let header = header(args, &selections, asked, workshop)?;
        let guests = lobby.clone();
        let cast = workshop.judging()?.with_agent(args.label.clone(), move |context| guests.agent(context));
        let run = RunDir::create(&workshop.runs().join(&header.name), &header, &[])?;
        let tasks = selections.iter().map(|selection| selection.task.clone()).collect();
        Ok(Self { run, cast, tasks, lobby, selections, idle })
    }

    /// Plays guests' trials until nobody can come any more, or until told to stop.
    fn host(&self, entrance: DoorKeeper, stop: &AtomicBool, shown_by: Printer) -> anyhow::Result<RunSummary> {
        let defaults = RunOptions::default();
        let options = RunOptions { call_limit: defaults.call_limit.max(self.idle), ..defaults };
        let live = Mutex::new(Live::new(shown_by));
        let emit = |event| live.lock().always().on(&event);
        let job = Job { run: &self.run, tasks: &self.tasks, cast: &self.cast, options: &options, stop, emit: &emit };
        Ok(host(&job, &self.lobby, entrance)?)
    }

    /// Opens the addresses: one for `OpenEnv`, and one of its own for each trial over MCP. None can be guessed from
    /// another: an agent must not come to where trainers are told scores.
    fn open(
        &self,
        opening: BridgeOpening,
        door: GuestDoor,
        runtime: &Runtime,
        printer: Printer,
    ) -> anyhow::Result<String> {
        let BridgeOpening { capacity, instances, front } = opening;
        let root = front.url();
        let path = format!("/env/{}", guest::token()?);
        let address = format!("{root}{path}");
        let reception: Arc<dyn TrialStarter> = Arc::new(door);
        let options = OpenEnvOptions { capacity, idle: self.idle };
        let env = OpenEnv::new(Arc::clone(&reception), self.menu(), options);
        let mut router = env.router(&path);
        let mut addresses = Vec::new();
        for instance in instances {
            let path = format!("/mcp/{}", guest::token()?);
            let slot = Arc::new(GuestSlot::new(instance.clone(), Arc::clone(&reception)));
            router = router.nest(&path, McpServer::new(slot).router());
            addresses.push((instance, format!("{root}{path}")));
        }
        tell_addresses(&address, &addresses, printer)?;
        runtime.spawn(front.serve(router));
        Ok(root)
    }

    /// What trainers may play: a task with each of its presets, or with the one that was asked for.
    fn menu(&self) -> OfferedTasks {
        let dishes = self.selections.iter().flat_map(|selection| {
            let has_canonical = selection.task.has_canonical();
            let dish = move |mut instance: InstanceId| {
                instance.pick.seed = selection.seed;
                OfferedTask { instance, has_canonical }
            };
            let id = |pick| InstanceId { task: selection.task.id.clone(), pick };
            selection.picks(&[0]).into_iter().map(id).map(dish)
        });
        OfferedTasks::new(dishes.collect())
    }

    /// The instances that have an address for MCP, each as often as it is to be played.
    fn instances(&self, args: &BridgeServeArgs, seeds: Option<Vec<u64>>) -> anyhow::Result<Vec<InstanceId>> {
        let canonical = self.selections.iter().all(|selection| selection.task.has_canonical());
        let seeds = match seeds {
            Some(named) => named,
            None if canonical => Vec::new(),
            None => vec![0],
        };
        let agents = [self.lobby.label().to_owned()];
        let selections = &self.selections;
        let grid = Grid { selections, seeds: &seeds, agents: &agents, repeats: args.repeats, after: &[] };
        Ok(plan(&grid, &self.cast)?.into_iter().map(|planned| planned.trial.instance).collect())
    }

    /// What came of the only trial there is, on standard error: standard output was the guest's.
    fn tell_one(&self, summary: &RunSummary, printer: Printer) -> anyhow::Result<Exit> {
        let ledger = Ledger::of(&self.run)?;
        let Some(entry) = ledger.entries.first() else {
            printer.say(guest::unfinished(&self.run, summary.n_left));
            return Ok(if summary.n_left > 0 { Exit::Interrupted } else { Exit::Success });
        };
        if printer.json {
            let json = json!({ "trial": entry.trial, "verdict": entry.finished.verdict, "spent": entry.finished.spent, "run": self.run.path() });
            printer.say(json.to_string());
        } else {
            printer.say(crate::commands::play::words(&entry.finished.verdict, entry.finished.spent.steps).trim_start());
            printer.say(format!("kept in {}", self.run.path().display()));
        }
        Ok(if entry.finished.verdict.ending.is_fault() { Exit::Faults } else { Exit::Success })
    }

    fn tell(&self, summary: &RunSummary, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
        if summary.n_left > 0 {
            printer.say(guest::unfinished(&self.run, summary.n_left));
        }
        if summary.n_done == 0 {
            return Ok(if summary.n_left > 0 { Exit::Interrupted } else { Exit::Success });
        }
        let told = report::after_run(&self.run, workshop, printer)?;
        Ok(if summary.n_left > 0 { Exit::Interrupted } else { told })
    }
}

fn header(
    args: &GuestArgs,
    selections: &[Selection],
    (selectors, private): AskedTasks<'_>,
    workshop: &Workshop,
) -> anyhow::Result<RunHeader> {
    let name = args.name.clone().unwrap_or_else(|| workshop.free_name(RUN_NAME, '-'));
    check_name(&name)?;
    if workshop.runs().join(&name).exists() {
        bail!("run `{name}` is already there\nhint: choose another --name");
    }
    let mut header = RunHeader::new(name, now());
    header.selectors = selectors.to_vec();
    header.private = private.map(PrivateSeeds::used);
    header.suites = suites_used(workshop.suites()?, selections);
    header.agents = vec![guest::used(&args.label)];
    header.settings = resolve::settings(&args.how)?;
    header.limits = resolve::limits(&args.how);
    header.fingerprint = fingerprint::here(workshop.offerings()?, selections);
    "sqlite".clone_into(&mut header.engine);
    Ok(header)
}

/// Where everything is: as data, so that scripts can hand the addresses out.
fn tell_addresses(address: &str, mcp: &[(InstanceId, String)], printer: Printer) -> anyhow::Result<()> {
    if printer.json {
        let mcp: Vec<_> = mcp.iter().map(|(instance, url)| json!({"instance": instance, "url": url})).collect();
        return printer::json_line(&json!({"openenv": address, "mcp": mcp}));
    }
    let mut lines = vec![format!("OpenEnv  {address}")];
    lines.extend(mcp.iter().map(|(instance, url)| format!("MCP      {url}  {instance}")));
    printer::plain(&lines.join("\n"))
}
