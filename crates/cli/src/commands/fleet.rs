//! `quintain fleet`

use std::io::IsTerminal;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::bail;
use quintain_core::suggest;
use quintain_fleet::FleetNames;
use quintain_fleet::credentials::{KeyHolder, workers_account};
use quintain_fleet::limits::{Rule, Rules, rule};
use quintain_runner::Engine;
use quintain_runner::engine::RunDirection;
use quintain_workshop::Workshop;
use serde_json::json;

use crate::args::{
    CredentialsArgs, DrainArgs, FleetCommand, FleetCommandArgs, KeyOwner, LimitArgs, RunOfFleetArgs, StatusArgs,
};
use crate::exit::Exit;
use crate::fleet::Fleet;
use crate::fleet::look::{self, FleetWatcher};
use crate::interrupt;
use crate::printer::{self, Printer};
use crate::table::table;

/// How often a watched fleet is looked at.
const EVERY: Duration = Duration::from_secs(1);

/// Clears a terminal and goes to its first line.
const CLEAR: &str = "\x1b[2J\x1b[H";

pub(crate) fn fleet(args: &FleetCommandArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    match &args.what {
        FleetCommand::Status(args) => status(args, printer),
        FleetCommand::Drain(args) => drain(args, printer),
        FleetCommand::Pause(args) => direct(args, RunDirection::Pause, printer),
        FleetCommand::Resume(args) => direct(args, RunDirection::Go, printer),
        FleetCommand::Cancel(args) => direct(args, RunDirection::Cancel, printer),
        FleetCommand::Forget(args) => forget(args, printer),
        FleetCommand::Limit(args) => limit(args, printer),
        FleetCommand::Credentials(args) => credentials(args, workshop, printer),
    }
}

fn status(args: &StatusArgs, printer: Printer) -> anyhow::Result<Exit> {
    let (fleet, mut looker) = (Fleet::reach(&args.reached)?, FleetWatcher::default());
    if !args.watch {
        let status = fleet.wait(looker.look(&fleet))?;
        printer.data(&status, || status.text())?;
        return Ok(Exit::Success);
    }
    let stop = interrupt::flag_on_signal(|| ())?;
    while !stop.load(Ordering::SeqCst) {
        let next = Instant::now() + EVERY;
        let status = fleet.wait(looker.look(&fleet))?;
        if printer.json {
            printer::json_line(&status)?;
        } else {
            let clear = if std::io::stdout().is_terminal() { CLEAR } else { "" };
            printer::plain(&format!("{clear}{}", status.text()))?;
        }
        while !stop.load(Ordering::SeqCst) && Instant::now() < next {
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    Ok(Exit::Success)
}

fn drain(args: &DrainArgs, printer: Printer) -> anyhow::Result<Exit> {
    let fleet = Fleet::reach(&args.reached)?;
    let hosts = fleet.wait(fleet.hosts.list())?;
    // One that has ended is listed no more, and would end again whenever it is started.
    if !args.undo && !hosts.iter().any(|host| host.name == args.host) {
        let hint = suggest::hint(&args.host, hosts.iter().map(|host| host.name.as_str()));
        bail!("the fleet `{}` has no host `{}`\nhint: {hint}", fleet.names.fleet(), args.host);
    }
    if args.undo {
        fleet.wait(fleet.hosts.undo_drain(&args.host))?;
        let mend = "if it has begun to, start it again once it has ended";
        printer.say(format!("`{}` is not asked to drain any more; {mend}", args.host));
    } else {
        fleet.wait(fleet.hosts.ask_to_drain(&args.host))?;
        printer.say(format!("`{}` finishes what it plays, takes nothing new, and ends", args.host));
    }
    Ok(Exit::Success)
}

fn direct(args: &RunOfFleetArgs, direction: RunDirection, printer: Printer) -> anyhow::Result<Exit> {
    let fleet = Fleet::reach(&args.reached)?;
    let run = &args.run;
    fleet.wait(fleet.standing(run))?;
    fleet.wait(fleet.engine.direct(run, direction))?;
    printer.say(match direction {
        RunDirection::Go => format!("run `{run}` is handed out"),
        RunDirection::Pause => format!("run `{run}` is paused: what is being played is finished, nothing new begins"),
        RunDirection::Cancel => format!("run `{run}` is cancelled; `quintain fleet resume {run}` would let it go on"),
    });
    Ok(Exit::Success)
}

fn forget(args: &RunOfFleetArgs, printer: Printer) -> anyhow::Result<Exit> {
    let fleet = Fleet::reach(&args.reached)?;
    let run = &args.run;
    let standing = fleet.wait(fleet.standing(run))?;
    let progress = fleet.wait(fleet.engine.progress(run))?;
    if standing.direction != RunDirection::Cancel && progress.n_done < progress.n_units {
        bail!("run `{run}` is not over\nhint: `quintain fleet cancel {run}` first");
    }
    fleet.wait(fleet.engine.forget(run))?;
    printer.say(format!("the server knows nothing of run `{run}` any more; the archive does"));
    Ok(Exit::Success)
}

fn limit(args: &LimitArgs, printer: Printer) -> anyhow::Result<Exit> {
    let fleet = Fleet::reach(&args.reached)?;
    if let Some(model) = &args.model {
        fleet.wait(set_limit(&fleet, model, args))?;
    }
    let limits = fleet.wait(look::limits(&fleet))?;
    printer.data(&limits, || match limits.as_slice() {
        [] => "no limits".to_owned(),
        limits => {
            let rows: Vec<_> = limits.iter().map(|limit| vec![limit.name.clone(), limit.says.clone()]).collect();
            table(&rows)
        }
    })?;
    Ok(Exit::Success)
}

async fn set_limit(fleet: &Fleet, model: &str, args: &LimitArgs) -> anyhow::Result<()> {
    let rules = Rules::open(fleet.client.clone(), fleet.names.clone()).await?;
    let asked = [(rule::requests(model), args.requests), (rule::tokens(model), args.tokens)];
    if !args.lift && asked.iter().all(|(_, amount)| amount.is_none()) {
        bail!("what may be asked of `{model}`?\nhint: --requests N, --tokens N, or --lift");
    }
    for (name, amount) in asked {
        match amount {
            Some(amount) => rules.set(&name, &Rule::per_minute(amount)).await?,
            None if args.lift => rules.remove(&name).await?,
            None => {}
        }
    }
    Ok(())
}

/// The classes that a worker of these kinds of world plays. What this program does not know is a class of somebody else's.
fn classes(can: &[String], workshop: &Workshop) -> anyhow::Result<Vec<String>> {
    let offerings = workshop.unfurnished()?;
    let known = offerings.classes();
    let classes = can.iter().flat_map(|name| {
        let of_kind = known.iter().filter(|class| class.offering.kind() == name).map(|class| class.name.clone());
        let of_kind: Vec<String> = of_kind.collect();
        if of_kind.is_empty() { vec![name.clone()] } else { of_kind }
    });
    Ok(classes.collect())
}

fn credentials(args: &CredentialsArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let who = match args.whose {
        KeyOwner::Steward => KeyHolder::Steward,
        KeyOwner::Submitter => KeyHolder::Submitter,
        KeyOwner::Worker => {
            KeyHolder::Worker { name: args.name.clone().unwrap_or_default(), classes: classes(&args.can, workshop)? }
        }
    };
    let names = FleetNames::of(&args.fleet);
    let account = if args.whose == KeyOwner::Worker { workers_account(&names) } else { args.fleet.clone() };
    let entry = quintain_fleet::credentials::issue(&names, &who, &args.out)?;
    printer.data(&json!({ "file": args.out, "entry": entry }), || entry.clone())?;
    printer.say(format!(
        "the secret half is in {}; what is printed belongs to the users of the account `{account}` in the server's \
         configuration (see deploy/nats/accounts.conf)",
        args.out.display()
    ));
    Ok(Exit::Success)
}
