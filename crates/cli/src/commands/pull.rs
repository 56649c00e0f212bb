//! `quintain pull`

use anyhow::Context;
use quintain_core::words::count;
use quintain_fleet::bond::ArchiveBond;
use quintain_store::archive::Archive;
use quintain_store::{Damage, RunDir};
use quintain_workshop::Workshop;
use serde_json::json;

use crate::args::PullArgs;
use crate::exit::Exit;
use crate::fleet::{self, Fleet, bring};
use crate::printer::Printer;
use crate::table::first_lines;

pub(crate) fn pull(args: &PullArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let archive = fleet::archive(&args.reached)?;
    let reached = reach(args, printer);
    if let Some(fleet) = &reached {
        check(fleet, &archive)?;
    }
    let runtime = fleet::runtime()?;
    let to = workshop.runs().join(&args.run);
    let (pulled, known, run) = runtime.block_on(async {
        let archived = bring::archived(&archive, &args.run).await?;
        let mut known = match &reached {
            Some(fleet) if fleet.knows(&args.run).await? => bring::from_server(fleet, &args.run).await?,
            _ => bring::from_archive(&archived).await?,
        };
        bring::make_whole(&mut known, &archived).await?;
        let pulled = bring::record(&archived, &to, printer).await?;
        let run = RunDir::open(&to).with_context(|| format!("{} is no run", to.display()))?;
        bring::write_down(&archived, &run, &known).await?;
        anyhow::Ok((pulled, known, run))
    })?;
    let broken: Vec<Damage> = pulled.broken.into_iter().chain(known.broken).collect();
    let (n_outcomes, n_trials) = (known.outcomes.len(), run.plan()?.len());
    let json = json!({
        "run": args.run,
        "path": to,
        "trials": n_trials,
        "outcomes": n_outcomes,
        "packs": pulled.progress.n_packs,
        "bytes": pulled.progress.n_bytes,
        "missing": pulled.missing,
        "broken": broken,
    });
    printer
        .data(&json, || format!("{}: {n_outcomes} of {} have an outcome", to.display(), count(n_trials, "trial")))?;
    let lines: Vec<String> = broken.iter().map(|damage| format!("  {damage}")).collect();
    if !lines.is_empty() {
        printer.say(format!("{} in the archive:\n{}", count(lines.len(), "broken thing"), first_lines(&lines, 20)));
    }
    Ok(if broken.is_empty() { Exit::Success } else { Exit::Refused })
}

/// Refuses an archive that is not the fleet's: of a run that both know, one would be mixed up with the other.
fn check(fleet: &Fleet, archive: &Archive) -> anyhow::Result<()> {
    let bond = fleet.wait(ArchiveBond::of(&fleet.client, &fleet.names))?;
    bond.map_or(Ok(()), |bond| Ok(fleet.wait(bond.check(archive, &fleet.names))?))
}

/// The fleet, where one is named and there. Where it is not, the archive tells what came of the run.
fn reach(args: &PullArgs, printer: Printer) -> Option<Fleet> {
    args.reached.nats.as_ref()?;
    let reached = Fleet::reach(&args.reached);
    reached.inspect_err(|error| printer.say(format!("{error:#}\nthe archive tells what came of the run"))).ok()
}
