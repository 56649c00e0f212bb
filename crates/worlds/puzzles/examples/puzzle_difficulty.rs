//! Measures how hard the presets of puzzles are, and how fast they run: `puzzle_difficulty SUITES-FOLDER N-SEEDS PUZZLE...`.
//!
//! For each preset: the length of the usual solution, how often blind play solves it (random published calls, a stop with
//! probability 0.05 a turn), and the mean time of a reset (instance, world, first picture) and of a step with its picture.
#![expect(clippy::print_stdout, reason = "an example prints its table")]

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use quintain_core::action::{Action, Call};
use quintain_core::agent::Turn;
use quintain_core::check::{Case, Check, CheckKind};
use quintain_core::instance::{Instance, Pick};
use quintain_core::limits::{Limits, Spent};
use quintain_core::observation::{Observation, ObservationPart};
use quintain_core::rng::Rng;
use quintain_core::surface::{Surface, ValueType};
use quintain_core::task::{Task, TaskFiles};
use quintain_core::world::{OracleStyle, World, WorldKind};
use quintain_puzzles::{PuzzleGoal, Puzzles};
use serde_json::Value;

type Failed = Box<dyn std::error::Error>;
const WITHIN: Duration = Duration::from_mins(1);
const N_BLIND_PER_SEED: u64 = 50;

fn main() -> Result<(), Failed> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [suites, n_seeds, names @ ..] = args.as_slice() else {
        return Err("usage: puzzle_difficulty SUITES-FOLDER N-SEEDS PUZZLE...".into());
    };
    let n_seeds: u64 = n_seeds.parse()?;
    println!(
        "| puzzle | preset | solution mean | least | most | blind play | reset us | worst | step us | redraw bytes |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for name in names {
        let task = read(&Path::new(suites).join("puzzles").join(name))?;
        for preset in task.spec.presets.keys() {
            println!("| {name} | {preset} | {} |", row(&task, preset, n_seeds)?);
        }
    }
    Ok(())
}

fn read(folder: &Path) -> Result<Task, Failed> {
    let mut files = TaskFiles::new();
    for name in ["task.toml", "instruction.md", "reference/canary.txt"] {
        files.insert(name.to_owned(), std::fs::read(folder.join(name))?);
    }
    Ok(Task::from_files("puzzles", &files)?)
}

fn row(task: &Task, preset: &str, n_seeds: u64) -> Result<String, Failed> {
    let kind = Puzzles::default();
    let goal = PuzzleGoal::default().make(&task.spec.checks[0])?;
    let (mut lengths, mut n_blind, mut resets) = (Vec::new(), 0, Vec::new());
    let (mut steps, mut step_time, mut bytes) = (0_u32, Duration::ZERO, 0);
    for seed in 0..n_seeds {
        let pick = Pick { preset: Some(preset.to_owned()), seed: Some(seed), ..Pick::default() };
        let instance = kind.instantiate(task, &pick)?;
        let mut world = kind.open(&instance)?;
        bytes = shown(world.as_mut())?;
        resets.push(reset_time(&kind, task, &pick)?);
        let (n_steps, time) = by_oracle(&kind, &instance, world.as_mut())?;
        if !holds(goal.as_ref(), task, &instance, world.as_mut())? {
            return Err(format!("the oracle does not solve {}", instance.id).into());
        }
        lengths.push(n_steps);
        (steps, step_time) = (steps + n_steps, step_time + time);
        for blind in 0..N_BLIND_PER_SEED {
            let mut world = kind.open(&instance)?;
            let stopped = by_chance(world.as_mut(), task.limits(&pick).steps, &mut Rng::new(seed * 1000 + blind))?;
            n_blind += u32::from(stopped && holds(goal.as_ref(), task, &instance, world.as_mut())?);
        }
    }
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    Ok(format!(
        "{:.1} | {} | {} | {n_blind} of {} | {:.0} | {:.0} | {:.1} | {bytes}",
        f64::from(steps) / n_seeds as f64,
        lengths.iter().min().ok_or("no seeds")?,
        lengths.iter().max().ok_or("no seeds")?,
        n_seeds * N_BLIND_PER_SEED,
        resets.iter().copied().map(micros).sum::<f64>() / n_seeds as f64,
        resets.iter().copied().map(micros).fold(0.0, f64::max),
        micros(step_time) / f64::from(steps.max(1)),
    ))
}

/// The time of a reset, undisturbed: the shortest of three.
fn reset_time(kind: &Puzzles, task: &Task, pick: &Pick) -> Result<Duration, Failed> {
    let mut shortest = Duration::MAX;
    for _ in 0..3 {
        let began = Instant::now();
        let instance = kind.instantiate(task, pick)?;
        shown(kind.open(&instance)?.as_mut())?;
        shortest = shortest.min(began.elapsed());
    }
    Ok(shortest)
}

/// Shows the screen; gives the bytes of its raw picture.
fn shown(world: &mut dyn World) -> Result<u32, Failed> {
    let observation = world.observe(&BTreeSet::from([ObservationPart::Screen]), WITHIN)?;
    Ok(observation.pictures[&ObservationPart::Screen].size().0
        * observation.pictures[&ObservationPart::Screen].size().1
        * 4)
}

/// Lets the oracle play; gives its steps without the stop, and the time that they and their pictures took.
fn by_oracle(kind: &Puzzles, instance: &Instance, world: &mut dyn World) -> Result<(u32, Duration), Failed> {
    let mut oracle = kind.oracle(instance, &OracleStyle::default())?;
    let surface = world.surface();
    let limits = Limits::steps(1000);
    let (mut n_steps, mut time) = (0, Duration::ZERO);
    loop {
        let remaining = limits
            .after(&Spent { steps: n_steps, ..Spent::default() })
            .map_err(|_exhausted| "the oracle never stops")?;
        let turn = Turn { step_idx: n_steps, observation: &Observation::default(), remaining };
        let reply = oracle.act(&turn, WITHIN)?;
        let action = oracle.dialect().read(&reply.raw, &surface)?;
        if action == Action::Done {
            return Ok((n_steps, time));
        }
        let began = Instant::now();
        world.apply(&action, WITHIN)?;
        shown(world)?;
        time += began.elapsed();
        n_steps += 1;
    }
}

/// Plays blindly; tells whether it came to a stop within the limit.
fn by_chance(world: &mut dyn World, limit: u32, rng: &mut Rng) -> Result<bool, Failed> {
    let surface = world.surface();
    for _ in 0..limit {
        if rng.chance(0.05) {
            return Ok(true);
        }
        world.apply(&Action::Call(any_call(&surface, rng)), WITHIN)?;
    }
    Ok(false)
}

fn any_call(surface: &Surface, rng: &mut Rng) -> Call {
    let schema = rng.choose(&surface.calls).clone();
    Call { args: schema.args.iter().map(|arg| any_value(&arg.value, rng)).collect(), name: schema.name }
}

fn any_value(value: &ValueType, rng: &mut Rng) -> Value {
    match value {
        ValueType::Integer { min, max } => rng.between(*min, *max).into(),
        ValueType::Number { min, max } => rng.uniform(*min, *max).into(),
        ValueType::Choice { of } => rng.choose(of).clone().into(),
        // No puzzle takes words.
        ValueType::Text { .. } | ValueType::Fields { .. } => Value::Null,
        ValueType::List { of, len } => (0..*len).map(|_| any_value(of, rng)).collect(),
    }
}

fn holds(goal: &dyn Check, task: &Task, instance: &Instance, world: &mut dyn World) -> Result<bool, Failed> {
    let evidence = world.snapshot(WITHIN)?;
    let finding = goal.judge(Case { evidence: &evidence, reference: &instance.reference(task) })?;
    Ok(finding.score.is_full())
}
