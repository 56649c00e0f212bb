//! Saves every picture along the oracle's way: `puzzle_pictures SUITES-FOLDER OUT-FOLDER SEED PUZZLE...`.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use quintain_core::action::Action;
use quintain_core::agent::Turn;
use quintain_core::instance::Pick;
use quintain_core::limits::{Limits, Spent};
use quintain_core::observation::{Observation, ObservationPart, Screen};
use quintain_core::task::{Task, TaskFiles};
use quintain_core::world::{OracleStyle, World, WorldKind};
use quintain_puzzles::Puzzles;

type Failed = Box<dyn std::error::Error>;
const WITHIN: Duration = Duration::from_mins(1);

fn main() -> Result<(), Failed> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [suites, out, seed, names @ ..] = args.as_slice() else {
        return Err("usage: puzzle_pictures SUITES-FOLDER OUT-FOLDER SEED PUZZLE...".into());
    };
    for name in names {
        let task = read(&Path::new(suites).join("puzzles").join(name))?;
        for preset in task.spec.presets.keys() {
            let pick = Pick { preset: Some(preset.clone()), seed: Some(seed.parse()?), ..Pick::default() };
            save_way(&task, &pick, &Path::new(out).join(format!("{name}-{preset}-{seed}")))?;
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

fn save_way(task: &Task, pick: &Pick, folder: &Path) -> Result<(), Failed> {
    std::fs::create_dir_all(folder)?;
    let kind = Puzzles::default();
    let instance = kind.instantiate(task, pick)?;
    let mut world = kind.open(&instance)?;
    let mut oracle = kind.oracle(&instance, &OracleStyle::default())?;
    let limits = Limits::steps(1000);
    for n_steps in 0.. {
        save(world.as_mut(), &folder.join(format!("{n_steps:02}.png")))?;
        let spent = Spent { steps: n_steps, ..Spent::default() };
        let remaining = limits.after(&spent).map_err(|_exhausted| "the oracle never stops")?;
        let turn = Turn { step_idx: n_steps, observation: &Observation::default(), remaining };
        let reply = oracle.act(&turn, WITHIN)?;
        match oracle.dialect().read(&reply.raw, &world.surface())? {
            Action::Done => break,
            action => world.apply(&action, WITHIN)?,
        };
    }
    Ok(())
}

fn save(world: &mut dyn World, path: &Path) -> Result<(), Failed> {
    let observation = world.observe(&BTreeSet::from([ObservationPart::Screen]), WITHIN)?;
    if let Screen::Raw(picture) = &observation.pictures[&ObservationPart::Screen] {
        image::save_buffer(path, picture.rgba(), picture.width(), picture.height(), image::ColorType::Rgba8)?;
    }
    Ok(())
}
