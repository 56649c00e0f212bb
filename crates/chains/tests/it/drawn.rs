//! Every chain of the suite has instances.

use std::path::Path;
use std::time::Instant;

use quintain_atlas::{Edition, Size};
use quintain_chains::{ChainWish, QuestionChain, WORLDS, WorldAddress};
use quintain_core::{FileSet, Pick, Rng, Task};
use serde_json::json;

/// All chains of the suite with their tasks, by name.
pub(crate) fn chains() -> Vec<(String, Task, QuestionChain)> {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/chains");
    let mut chains: Vec<(String, Task, QuestionChain)> = std::fs::read_dir(suite)
        .expect("the suite is there")
        .filter_map(|folder| {
            let folder = folder.expect("a folder").path();
            let text = std::fs::read_to_string(folder.join("chain.toml")).ok()?;
            let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
            let chain = QuestionChain::read(&text).unwrap_or_else(|why| panic!("{name}: {why}"));
            Some((name, task(&folder), chain))
        })
        .collect();
    chains.sort_by(|one, other| one.0.cmp(&other.0));
    chains
}

/// The task of a folder.
fn task(folder: &Path) -> Task {
    let file =
        |name: &str| (name.to_owned(), std::fs::read(folder.join(name)).expect("the task has all its files").into());
    let files: FileSet = ["task.toml", "chain.toml"].map(file).into_iter().collect();
    Task::from_folder("chains", &files).unwrap_or_else(|problems| panic!("{}: {problems}", folder.display()))
}

#[test]
fn every_chain_has_instances() {
    for (size, seed) in [(Size::Small, 1), (Size::Standard, 1), (Size::Standard, 2)] {
        let web = WORLDS.web(WorldAddress { edition: Edition::FIRST, seed, size });
        for (name, task, chain) in chains() {
            let start = Instant::now();
            let mut parameters = task.parameters(&Pick::default());
            parameters.insert("size".to_owned(), json!(size));
            let wish = ChainWish { parameters, traps: (1, 12), most_deeds: usize::MAX };
            let mut rng = Rng::for_purpose(seed, &name);
            let mut n_draws = 0;
            let instance = loop {
                n_draws += 1;
                match chain.try_draw(&web.atlas, &wish, &mut rng).unwrap_or_else(|why| panic!("{name}: {why}")) {
                    Ok(instance) => break instance,
                    Err(_why) if n_draws < 20_000 => {}
                    Err(why) => panic!("{name} {size:?} {seed}: {}", why.reason()),
                }
            };
            println!("{name} {size:?} {seed}: {n_draws} draws, {:.1} ms", start.elapsed().as_secs_f64() * 1000.0);
            assert_eq!(instance.fields.len(), chain.spec.fields().count());
        }
    }
}
