//! Chains of the suite have a way over the sites, in a small and in a standard world. These are samples:
//! `quintain check chains --dry` goes all ways in all presets.

use std::sync::Arc;

use quintain_atlas::{Edition, Size};
use quintain_chains::{ChainWish, WORLDS, WorkedChain, WorldAddress, route};
use quintain_core::{Pick, Rng};
use serde_json::json;

use crate::drawn::chains;

#[test]
fn every_third_chain_has_a_way() {
    let mut wrong = Vec::new();
    // Large worlds take ten times as long.
    for (size, every) in [(Size::Small, 3), (Size::Standard, 15)] {
        let web = WORLDS.web(WorldAddress { edition: Edition::FIRST, seed: 1, size });
        for (name, task, chain) in chains().into_iter().step_by(every) {
            let mut parameters = task.parameters(&Pick::default());
            parameters.insert("size".to_owned(), json!(size));
            let wish = ChainWish { parameters, traps: (0, 12), most_deeds: usize::MAX };
            let mut rng = Rng::for_purpose(1, task.id.as_str());
            let instance = chain.draw(&web.atlas, &wish, &mut rng).unwrap_or_else(|why| panic!("{name}: {why}"));
            let worked = WorkedChain { spec: chain.spec.clone(), web: Arc::clone(&web), instance };
            let mut n_waypoints = 0;
            for (at, step) in chain.spec.steps.iter().enumerate() {
                match route::of_step(&worked, at) {
                    Ok(way) => n_waypoints += way.len(),
                    Err(why) => wrong.push(format!("{name} {size:?} {}: {why}", step.name)),
                }
            }
            println!("{name} {size:?}: {n_waypoints} waypoints");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
