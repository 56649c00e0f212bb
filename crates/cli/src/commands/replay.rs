//! `quintain replay`

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Context;
use quintain_agents::{Divergence, Replay};
use quintain_core::clock::StoppedClock;
use quintain_core::ending::{Ending, Exhausted};
use quintain_core::event::{Event, NoRecord};
use quintain_core::trial::{Played, Trial, TrialParts, TrialPast, TrialResult, play};
use quintain_core::{OpenContext, Task, Trajectory, TrialId, Verdict};
use quintain_runner::ledger::TrialEntry;
use quintain_runner::reduced::as_seen;
use quintain_runner::{Ledger, WithScratch};
use quintain_store::{AttemptRecord, RunDir};
use quintain_workshop::Workshop;
use serde_json::json;

use crate::args::ReplayArgs;
use crate::exit::Exit;
use crate::live::Live;
use crate::printer;
use crate::printer::Printer;

pub(crate) fn replay(args: &ReplayArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let run = workshop.open_run(&args.run)?;
    let ledger = Ledger::of(&run)?;
    if !args.all && args.trial.is_none() {
        return show_again(&run, &ledger, printer);
    }
    let wanted: Option<TrialId> = args.trial.as_deref().map(str::parse).transpose()?;
    let again = TrialReplay::of(&run, workshop)?;
    let mut results = Vec::new();
    for entry in ledger.entries.iter().filter(|entry| wanted.as_ref().is_none_or(|wanted| *wanted == entry.trial)) {
        results.extend(again.play(entry)?);
    }
    if let (Some(trial), []) = (&wanted, results.as_slice())
        && ledger.entry(trial).is_none()
    {
        anyhow::bail!("run `{}` has no outcome of trial `{trial}`", run.header().name);
    }
    tell(&results, printer)
}

/// Shows a recorded run as it was shown live: the same events through the same eyes, or as lines of JSON.
fn show_again(run: &RunDir, ledger: &Ledger, printer: Printer) -> anyhow::Result<Exit> {
    let mut live = Live::new(printer);
    let mut show = |event: &Event| {
        if printer.json {
            return printer::json_line(event);
        }
        live.on(event);
        Ok(())
    };
    show(&Event::RunBegan { run: run.header().name.clone(), n_trials: ledger.n_planned, n_done: 0 })?;
    for entry in &ledger.entries {
        let Some(record) = run.salvaged(&entry.place)? else { continue };
        events_of(entry, &record).iter().try_for_each(&mut show)?;
    }
    let n_done = ledger.entries.len() as u64;
    show(&Event::RunEnded { n_done, n_left: ledger.n_planned - n_done })?;
    Ok(Exit::Success)
}

fn events_of(entry: &TrialEntry, record: &AttemptRecord) -> Vec<Event> {
    let trial = &entry.trial;
    let mut events = vec![Event::TrialBegan { trial: trial.clone(), attempt: entry.attempt, recovered_turns: 0 }];
    events.extend(record.steps().iter().enumerate().map(|(idx, step)| Event::TurnTaken {
        trial: trial.clone(),
        step_idx: idx as u32,
        action: step.action.as_ref().map(ToString::to_string),
    }));
    events.push(Event::trial_ended(trial.clone(), entry.attempt, entry.finished.clone()));
    events
}

/// One trial played again from its recorded replies.
struct ReplayedTrial {
    trial: TrialId,
    n_compared: u32,
    divergence: Option<Divergence>,
    verdict: VerdictComparison,
}

/// How the verdict compares with the recorded one.
enum VerdictComparison {
    Same,
    Differs,
    /// The trial ended by something that a replay does not bring back: a clock, a price, a fault.
    Not(Ending),
}

/// Whether the same actions end the trial in the same way again.
fn ended_by_its_actions(ending: &Ending) -> bool {
    ending.by_the_agent() || *ending == Ending::Truncated(Exhausted::Steps)
}

/// Plays trials of a run again.
struct TrialReplay<'a> {
    run: &'a RunDir,
    tasks: BTreeMap<String, Task>,
    workshop: &'a Workshop,
}

impl<'a> TrialReplay<'a> {
    fn of(run: &'a RunDir, workshop: &'a Workshop) -> anyhow::Result<Self> {
        let tasks = workshop.tasks_of(run)?.into_iter().map(|task| (task.id.to_string(), task)).collect();
        Ok(Self { run, tasks, workshop })
    }

    /// Nothing where the record is damaged: what would be played is not what was.
    fn play(&self, entry: &TrialEntry) -> anyhow::Result<Option<ReplayedTrial>> {
        let recorded = match self.run.trajectory(&entry.place) {
            Ok(record) => Trajectory { steps: record.steps() },
            Err(error) => {
                self.run.damage().note_error(error, "its trial is not played again")?;
                return Ok(None);
            }
        };
        let id = &entry.trial;
        let task = self.tasks.get(id.instance.task.as_str()).with_context(|| format!("task of `{id}` is not there"))?;
        let kind = self.workshop.offerings()?.world_of(task)?;
        let instance = kind.instantiate(task, &id.instance.pick)?;
        let header = self.run.header();
        let limits = header.limits.over(task.limits(&id.instance.pick));
        let trial = Trial {
            id,
            task,
            instance: &instance,
            world: kind.digest(task),
            settings: header.settings_of(&id.agent),
            limits: &limits,
        };
        let n_recorded = recorded.steps.len() as u32;
        let mut agent = Replay::new(recorded);
        let report = agent.report();
        let (panel, verifiers) = self.workshop.judges(task)?;
        let played = play(
            &trial,
            &mut TrialParts {
                open: &|| {
                    Ok(as_seen(kind.open_with(&instance, &OpenContext::of(task, trial.settings))?, trial.settings))
                },
                agent: &mut agent,
                reference: &|| Ok(instance.reference(task)),
                derive: &WithScratch(verifiers.as_ref()),
                judge: &panel,
                // A replay is compared, not recorded.
                record: &mut NoRecord,
                clock: &StoppedClock,
                interrupted: &|| false,
                call_limit: Duration::from_mins(1),
            },
            TrialPast::default(),
        )?;
        let same = matches!(&played, Played::Ended(TrialResult { verdict, .. }) if same_judgement(verdict, &entry.finished.verdict));
        let judged = ended_by_its_actions(&entry.finished.verdict.ending);
        let divergence = report.first_divergence().filter(|divergence| judged || divergence.step_idx < n_recorded);
        Ok(Some(ReplayedTrial {
            trial: id.clone(),
            n_compared: report.n_compared().min(n_recorded),
            divergence,
            verdict: match (judged, same) {
                (false, _) => VerdictComparison::Not(entry.finished.verdict.ending.clone()),
                (true, true) => VerdictComparison::Same,
                (true, false) => VerdictComparison::Differs,
            },
        }))
    }
}

fn same_judgement(a: &Verdict, b: &Verdict) -> bool {
    (a.score, a.solved, &a.findings) == (b.score, b.solved, &b.findings)
}

fn tell(results: &[ReplayedTrial], printer: Printer) -> anyhow::Result<Exit> {
    let json: Vec<_> = results
        .iter()
        .map(|result| {
            json!({
                "trial": result.trial,
                "turns_compared": result.n_compared,
                "first_divergence": result.divergence.as_ref().map(ToString::to_string),
                "verdict_differs": match result.verdict {
                    VerdictComparison::Same => Some(false),
                    VerdictComparison::Differs => Some(true),
                    VerdictComparison::Not(_) => None,
                },
            })
        })
        .collect();
    printer.data(&json, || results.iter().map(line).collect::<Vec<_>>().join("\n"))?;
    let diverged = results
        .iter()
        .any(|result| result.divergence.is_some() || matches!(result.verdict, VerdictComparison::Differs));
    Ok(if diverged { Exit::Refused } else { Exit::Success })
}

fn line(result: &ReplayedTrial) -> String {
    let ReplayedTrial { trial, n_compared, .. } = result;
    match (&result.divergence, &result.verdict) {
        (Some(divergence), _) => format!("{trial}: {divergence}"),
        (None, VerdictComparison::Differs) => format!("{trial}: {n_compared} turns the same, but the verdict differs"),
        (None, VerdictComparison::Same) => format!("{trial}: {n_compared} turns and the verdict the same"),
        (None, VerdictComparison::Not(ending)) => {
            format!("{trial}: {n_compared} turns the same; it ended by {ending}, so the verdict is not compared")
        }
    }
}
