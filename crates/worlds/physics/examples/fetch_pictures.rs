//! Saves every picture along the oracle's way: `fetch_pictures SUITES-FOLDER OUT-FOLDER SEED`.

use std::path::Path;
use std::sync::Arc;

use quintain_core::Picture;
use quintain_core::instance::Pick;
use quintain_core::rng::Rng;
use quintain_core::task::{Task, TaskFiles};
use quintain_core::world::OracleStyle;
use quintain_physics::fetch_pick_and_place::FetchPickAndPlace;
use quintain_physics::fetch_reach::FetchReach;
use quintain_puzzles::{MaterialSources, Puzzle};
use serde_json::Value;

type Failed = Box<dyn std::error::Error>;

fn main() -> Result<(), Failed> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [suites, out, seed] = args.as_slice() else {
        return Err("usage: fetch_pictures SUITES-FOLDER OUT-FOLDER SEED".into());
    };
    for preset in ["easy", "hard"] {
        save::<FetchReach>(Path::new(suites), Path::new(out), preset, seed.parse()?)?;
        save::<FetchPickAndPlace>(Path::new(suites), Path::new(out), preset, seed.parse()?)?;
    }
    Ok(())
}

fn save<P: Puzzle>(suites: &Path, out: &Path, preset: &str, seed: u64) -> Result<(), Failed> {
    let mut files = TaskFiles::new();
    for name in ["task.toml", "instruction.md", "reference/canary.txt"] {
        files.insert(name.to_owned(), std::fs::read(suites.join("puzzles").join(P::NAME).join(name))?);
    }
    let task = Task::from_files("puzzles", &files)?;
    let pick = Pick { preset: Some(preset.to_owned()), seed: Some(seed), ..Pick::default() };
    let parameters = serde_json::from_value(Value::Object(task.parameters(&pick).into_iter().collect()))?;
    let mut rng = Rng::for_purpose(seed, &format!("{}/{}", P::NAME, P::VERSION));
    let start = P::generate(&parameters, &mut rng, &MaterialSources::default())?;
    let folder = out.join(format!("{}-{preset}-{seed}", P::NAME));
    std::fs::create_dir_all(&folder)?;
    let mut state = P::initial(&start);
    let mut drawing = P::draw(&start, &state, &MaterialSources::default())?;
    write(&P::redraw(&mut drawing, &start, &state), &folder.join("00.png"))?;
    for (i, call) in P::solve(&start, &OracleStyle::default())?.iter().enumerate() {
        P::apply(&start, &mut state, call);
        write(&P::redraw(&mut drawing, &start, &state), &folder.join(format!("{:02}.png", i + 1)))?;
    }
    Ok(())
}

fn write(picture: &Arc<Picture>, path: &Path) -> Result<(), Failed> {
    let mut encoder = png::Encoder::new(std::fs::File::create(path)?, picture.width(), picture.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    encoder.write_header()?.write_image_data(&picture.rgb())?;
    Ok(())
}
