//! `quintain check --dry`: instances are proven without being played, where their world can.

use std::collections::BTreeSet;
use std::time::Instant;

use anyhow::{Context, bail};
use quintain_core::instance::InstanceId;
use quintain_core::words::count;
use quintain_core::world::DryFigures;
use quintain_core::{Instance, Pick, Task, WorldKind};
use quintain_runner::{in_parallel, n_cores};
use quintain_workshop::{Workshop, words};
use serde_json::{Value, json};

use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::printer::Printer;
use crate::table::table;

/// The seed whose answers must not be those of any other.
const FIRST: u64 = 1;
/// So many problems of a task are told.
const MOST_TOLD: usize = 5;

/// A task to be proven, with its world.
struct DrySubject<'a> {
    task: Task,
    world: &'a dyn WorldKind,
    /// The first instance of the preset whose twins are proven.
    first: Instance,
}

/// What was found of one task.
#[derive(Default)]
struct DryResult {
    n_proven: usize,
    figures: DryFigures,
    wrong: Vec<String>,
}

/// Tells of every task what its proofs came to.
pub(super) fn tell(args: &CheckArgs, workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let start = Instant::now();
    let offerings = workshop.offerings()?;
    let mut subjects = Vec::new();
    for selection in workshop.playable(&args.tasks, &|words| printer.say(words))? {
        let world = offerings.world_for(&selection.task)?.as_ref();
        subjects.push(DrySubject::new(selection.task, world)?);
    }
    let n_twins = words::seeds(&args.seeds)?.len() as u64;
    let seeds: Vec<u64> = (FIRST..=FIRST + n_twins).collect();
    // Instances of one seed may share a world: seed by seed, so that each world is made once.
    let work = |idx: usize| subjects.iter().map(|subject| subject.prove(seeds[idx])).collect::<Vec<_>>();
    let mut n_done = 0;
    let by_seed = in_parallel(seeds.len(), n_cores(), &work, &mut |idx, _| {
        n_done += 1;
        printer.say(format!("{n_done} of {} seeds: {}", seeds.len(), seeds[idx]));
    });
    let results: Vec<DryResult> = (0..subjects.len())
        .map(|of| by_seed.iter().map(|seed| &seed[of]).fold(DryResult::default(), DryResult::plus))
        .collect();
    let none = results.iter().position(|result| result.n_proven == 0 && result.wrong.is_empty());
    if let Some(none) = none {
        bail!("`{}` cannot be proven without being played\nhint: leave out `--dry`", subjects[none].task.id);
    }
    let told: Vec<(&DrySubject<'_>, &DryResult)> = subjects.iter().zip(&results).collect();
    printer
        .data(&told.iter().map(|(subject, result)| result.json(&subject.task)).collect::<Vec<_>>(), || text(&told))?;
    let n_wrong = results.iter().filter(|result| !result.wrong.is_empty()).count();
    let n_proven: usize = results.iter().map(|result| result.n_proven).sum();
    let of = format!("{}, {}", count(results.len(), "task"), count(n_proven, "instance"));
    printer.say(format!("{of} proven in {:.1} s, {n_wrong} with something wrong", start.elapsed().as_secs_f64()));
    Ok(if n_wrong == 0 { Exit::Success } else { Exit::Refused })
}

impl<'a> DrySubject<'a> {
    fn new(task: Task, world: &'a dyn WorldKind) -> anyhow::Result<Self> {
        let first = world.instantiate(&task, &middle(&task, FIRST)).with_context(|| task.id.to_string())?;
        Ok(Self { task, world, first })
    }

    /// Proves the instances of a seed: all presets of the first, one of any other.
    fn prove(&self, seed: u64) -> DryResult {
        let picks = if seed == FIRST { self.task.picks(&[seed]) } else { vec![middle(&self.task, seed)] };
        let mut result = DryResult::default();
        for pick in picks {
            let by_heart = (seed != FIRST).then_some(&self.first);
            let proof = match self.world.instantiate(&self.task, &pick) {
                Ok(instance) => self.world.prove_dry(&self.task, &instance, by_heart),
                Err(error) => Some(Err(vec![error.to_string()])),
            };
            let id = InstanceId { task: self.task.id.clone(), pick };
            match proof {
                Some(Ok(figures)) => result = result.plus(&DryResult { n_proven: 1, figures, wrong: Vec::new() }),
                Some(Err(wrong)) => result.wrong.extend(wrong.into_iter().map(|why| format!("{id}: {why}"))),
                None => {}
            }
        }
        result
    }
}

/// The pick of the preset whose twins are proven.
fn middle(task: &Task, seed: u64) -> Pick {
    let preset = task.spec.presets.keys().find(|preset| *preset == "medium");
    let preset = preset.or_else(|| task.spec.presets.keys().next()).cloned();
    Pick { preset, seed: Some(seed), ..Pick::default() }
}

impl DryResult {
    fn plus(mut self, other: &Self) -> Self {
        self.n_proven += other.n_proven;
        self.wrong.extend(other.wrong.iter().cloned());
        for (what, figure) in &other.figures {
            *self.figures.entry(what.clone()).or_default() += figure;
        }
        self
    }

    fn json(&self, task: &Task) -> Value {
        json!({ "task": task.id, "instances": self.n_proven, "figures": self.figures, "wrong": self.wrong })
    }

    /// The mean of a figure over the instances.
    fn mean(&self, name: &str) -> f64 {
        self.figures.get(name).map_or(0.0, |sum| sum / self.n_proven.max(1) as f64)
    }
}

fn text(told: &[(&DrySubject<'_>, &DryResult)]) -> String {
    let names: BTreeSet<&String> = told.iter().flat_map(|(_, result)| result.figures.keys()).collect();
    let figures = names.iter().map(|name| (*name).clone());
    let head = ["task", "instances"].map(str::to_owned).into_iter().chain(figures).collect();
    let row = |(subject, result): &(&DrySubject<'_>, &DryResult)| {
        let figures = names.iter().map(|name| format!("{:.1}", result.mean(name)));
        [subject.task.id.to_string(), result.n_proven.to_string()].into_iter().chain(figures).collect()
    };
    let lines: Vec<Vec<String>> = [head].into_iter().chain(told.iter().map(row)).collect();
    let wrong = told.iter().flat_map(|(_, result)| result.wrong.iter().take(MOST_TOLD));
    let wrong = wrong.map(|why| format!("WRONG {why}"));
    [table(&lines)].into_iter().chain(wrong).collect::<Vec<_>>().join("\n")
}
