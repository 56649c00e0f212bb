//! Draws instances of a chain and prints them: `cargo run -p quintain-chains --example chain_peek -- FOLDER [SIZE] [SEED]`.
#![expect(clippy::print_stdout, reason = "that is what it is for")]

use std::path::PathBuf;

use quintain_atlas::{Edition, Size};
use quintain_chains::{ChainWish, QuestionChain, WORLDS, Waypoint, WorkedChain, WorldAddress, route, told};
use quintain_core::{FileSet, Rng, Task};
use serde_json::{Value, json};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().expect("the folder of a chain is wanted"));
    let size = match arguments.next().as_deref() {
        Some("small") => Size::Small,
        Some("large") => Size::Large,
        _ => Size::Standard,
    };
    let seed = arguments.next().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let files: FileSet = ["task.toml", "chain.toml"]
        .into_iter()
        .map(|name| (name.to_owned(), std::fs::read(folder.join(name)).expect("the file can be read").into()))
        .collect();
    let task = Task::from_folder("chains", &files).unwrap_or_else(|problems| panic!("{problems}"));
    let chain = QuestionChain::read(task.solution.as_deref().unwrap_or_default()).expect("the chain can be read");
    let web = WORLDS.web(WorldAddress { edition: Edition::FIRST, seed, size });
    for preset in task.spec.presets.keys() {
        let pick = quintain_core::Pick { preset: Some(preset.clone()), seed: Some(seed), ..Default::default() };
        let mut parameters = task.parameters(&pick);
        parameters.insert("size".to_owned(), json!(size));
        let wish = ChainWish::of(&task, &pick, parameters).expect("the parameters can be read");
        let mut rng = Rng::for_purpose(seed, task.id.as_str());
        let start = std::time::Instant::now();
        let worked = match WorkedChain::draw(&chain, &web, &wish, &mut rng) {
            Ok(worked) => worked,
            Err(why) => {
                println!("## {preset}: {why}");
                continue;
            }
        };
        let instance = &worked.instance;
        println!("## {preset} ({:.1} ms)", start.elapsed().as_secs_f64() * 1000.0);
        let words = told::instruction_words(&web.atlas, &chain, &instance.drawn);
        println!("{}", quintain_core::instance::render(&task, &words).unwrap_or_else(|why| why));
        for (field, solved) in chain.spec.fields().zip(&instance.fields) {
            println!("  {} = {}", field.name, told::in_words(&web.atlas, field, &solved.value));
        }
        let (mut n_waypoints, mut n_deeds) = (0, 0);
        for step in 0..chain.spec.steps.len() {
            let start = std::time::Instant::now();
            match route::of_step(&worked, step) {
                Ok(way) => {
                    n_waypoints += way.len();
                    n_deeds += way.iter().map(Waypoint::n_deeds).sum::<usize>();
                }
                Err(why) => println!("  NO WAY to step {}: {why}", chain.spec.steps[step].name),
            }
            println!("  way of step {step}: {:.1} ms", start.elapsed().as_secs_f64() * 1000.0);
        }
        println!("  {n_waypoints} waypoints, {n_deeds} deeds");
        let right = |name: &str| {
            let mut fields = chain.spec.fields().zip(&instance.fields);
            fields
                .find(|(field, _)| field.name == name)
                .map(|(field, one)| told::answered(&web.atlas, field, &one.value))
        };
        for wrong in worked.wrong_sheets() {
            let others = wrong.sheet.iter().filter(|(name, value)| right(name).as_ref() != Some(value));
            let others: Vec<String> = others.map(|(name, value)| format!("{name} {}", short(value))).collect();
            println!("  WRONG {} at {}: {}", wrong.how, wrong.field, others.join(" | "));
        }
    }
}

/// A value in few words.
fn short(value: &Value) -> String {
    value.to_string().chars().take(60).collect()
}
