//! `quintain replay`

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Context;
use quintain_agents::{Divergence, Replay};
use quintain_checks::Panel;
use quintain_core::clock::StoppedClock;
use quintain_core::event::{Event, Record, RecordError, TrialEvent};
use quintain_core::judge::NothingToDerive;
use quintain_core::observation::Screen;
use quintain_core::trial::{Played, Stage, Trial, play};
use quintain_core::{Digest, Task, Trajectory, TrialId, Verdict};
use quintain_runner::Ledger;
use quintain_runner::ledger::Entry;
use quintain_store::{AttemptRecord, RunDir};
use serde_json::json;

use crate::args::{Common, ReplayArgs};
use crate::exit::Exit;
use crate::live::Live;
use crate::printer::Printer;
use crate::{cast, files, rows};

pub(crate) fn replay(args: &ReplayArgs, common: &Common, printer: Printer) -> anyhow::Result<Exit> {
    let run = files::open_run(&args.run, common)?;
    let ledger = Ledger::of(&run)?;
    if !args.all && args.trial.is_none() {
        return show_again(&run, &ledger, printer);
    }
    let wanted: Option<TrialId> = args.trial.as_deref().map(str::parse).transpose()?;
    let again = Again::of(&run, common)?;
    let mut results = Vec::new();
    for entry in ledger.entries.iter().filter(|entry| wanted.as_ref().is_none_or(|wanted| *wanted == entry.trial)) {
        results.push(again.play(entry)?);
    }
    if let (Some(trial), []) = (&wanted, results.as_slice()) {
        anyhow::bail!("run `{}` has no outcome of trial `{trial}`", run.header().name);
    }
    tell(&results, printer)
}

/// Shows a recorded run as it was shown live: the same events through the same eyes.
fn show_again(run: &RunDir, ledger: &Ledger, printer: Printer) -> anyhow::Result<Exit> {
    let mut live = Live::new(printer);
    live.on(&Event::RunBegan { run: run.header().name.clone(), n_trials: ledger.n_planned, n_done: 0 });
    for entry in &ledger.entries {
        let record = run.trajectory(&entry.place)?;
        for event in events_of(entry, &record) {
            live.on(&event);
        }
    }
    let n_done = ledger.entries.len() as u64;
    live.on(&Event::RunEnded { n_done, n_left: ledger.n_planned - n_done });
    Ok(Exit::Success)
}

fn events_of(entry: &Entry, record: &AttemptRecord) -> Vec<Event> {
    let trial = &entry.trial;
    let mut events = vec![Event::TrialBegan { trial: trial.clone(), attempt: entry.attempt, recovered_turns: 0 }];
    events.extend(record.steps().iter().enumerate().map(|(idx, step)| Event::TurnTaken {
        trial: trial.clone(),
        step_idx: idx as u32,
        action: step.action.as_ref().map(ToString::to_string),
    }));
    events.push(Event::TrialEnded {
        trial: trial.clone(),
        attempt: entry.attempt,
        verdict: Box::new(entry.verdict.clone()),
        spent: entry.spent,
    });
    events
}

/// One trial played again from its recorded replies.
struct Replayed {
    trial: TrialId,
    n_compared: u32,
    divergence: Option<Divergence>,
    verdict_differs: bool,
}

/// Plays trials of a run again.
struct Again<'a> {
    run: &'a RunDir,
    tasks: BTreeMap<String, Task>,
    worlds: cast::Worlds,
}

impl<'a> Again<'a> {
    fn of(run: &'a RunDir, common: &Common) -> anyhow::Result<Self> {
        let tasks = rows::tasks_of(run, common)?.into_iter().map(|task| (task.id.to_string(), task)).collect();
        Ok(Self { run, tasks, worlds: cast::worlds(common)? })
    }

    fn play(&self, entry: &Entry) -> anyhow::Result<Replayed> {
        let id = &entry.trial;
        let task = self.tasks.get(id.instance.task.as_str()).with_context(|| format!("task of `{id}` is not there"))?;
        let kind = cast::world_of(&self.worlds, task)?;
        let instance = kind.instantiate(task, &id.instance.pick)?;
        let header = self.run.header();
        let limits = header.limits.over(task.limits(&id.instance.pick));
        let trial = Trial {
            id,
            task,
            instance: &instance,
            world: kind.digest(task),
            settings: &header.settings,
            limits: &limits,
        };
        let mut agent = Replay::new(Trajectory { steps: self.run.trajectory(&entry.place)?.steps() });
        let report = agent.report();
        let panel = Panel::new(task, &cast::palette()).map_err(|problems| anyhow::anyhow!(problems.join("; ")))?;
        let played = play(
            &trial,
            &mut Stage {
                open: &|| kind.open(&instance),
                agent: &mut agent,
                reference: &|| Ok(instance.reference(task)),
                derive: &NothingToDerive,
                judge: &panel,
                record: &mut Forget,
                clock: &StoppedClock,
                interrupted: &|| false,
                call_limit: Duration::from_secs(60),
            },
            &[],
        )?;
        let same = matches!(&played, Played::Ended { verdict, .. } if same_judgement(verdict, &entry.verdict));
        Ok(Replayed {
            trial: id.clone(),
            n_compared: report.n_compared(),
            divergence: report.first_divergence(),
            verdict_differs: !same,
        })
    }
}

fn same_judgement(a: &Verdict, b: &Verdict) -> bool {
    (a.score, a.solved, &a.findings) == (b.score, b.solved, &b.findings)
}

/// Keeps nothing: a replay is compared, not recorded.
struct Forget;

impl Record for Forget {
    fn frame(&mut self, _digest: Digest, _screen: &Screen) -> Result<(), RecordError> {
        Ok(())
    }

    fn blob(&mut self, _bytes: &[u8]) -> Result<(), RecordError> {
        Ok(())
    }

    fn event(&mut self, _event: TrialEvent) -> Result<(), RecordError> {
        Ok(())
    }
}

fn tell(results: &[Replayed], printer: Printer) -> anyhow::Result<Exit> {
    let json: Vec<_> = results
        .iter()
        .map(|result| {
            json!({
                "trial": result.trial,
                "turns_compared": result.n_compared,
                "first_divergence": result.divergence.as_ref().map(ToString::to_string),
                "verdict_differs": result.verdict_differs,
            })
        })
        .collect();
    printer.data(&json, || results.iter().map(line).collect::<Vec<_>>().join("\n"))?;
    let diverged = results.iter().any(|result| result.divergence.is_some() || result.verdict_differs);
    Ok(if diverged { Exit::Refused } else { Exit::Success })
}

fn line(result: &Replayed) -> String {
    let Replayed { trial, n_compared, .. } = result;
    match (&result.divergence, result.verdict_differs) {
        (Some(divergence), _) => format!("{trial}: {divergence}"),
        (None, true) => format!("{trial}: {n_compared} turns the same, but the verdict differs"),
        (None, false) => format!("{trial}: {n_compared} turns and the verdict the same"),
    }
}
