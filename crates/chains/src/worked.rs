//! An instance of a chain, worked out again from what its start keeps.

use std::sync::Arc;

use quintain_core::Rng;
use quintain_core::task::ChainSpec;
use quintain_sites::Web;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chain::{ChainWish, QuestionChain};
use crate::find::Variables;
use crate::solve::{ChainInstance, solve};
use crate::waypoint::Waypoint;
use crate::world::{WORLDS, WorldAddress};

/// What an instance of a chain keeps in its start state, under `plan`, beside the expected values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptChain {
    /// Which world it is in.
    pub world: WorldAddress,
    /// What `chain.toml` says.
    pub chain: ChainSpec,
    /// Parameters and what was drawn.
    pub drawn: Variables,
}

/// A chain, its world and what it comes to there.
#[derive(Clone, Debug)]
pub struct WorkedChain {
    /// What `chain.toml` says.
    pub spec: ChainSpec,
    /// The sites of its world.
    pub web: Arc<Web>,
    /// What was drawn, and what it comes to.
    pub instance: ChainInstance,
}

impl KeptChain {
    /// What a start state keeps.
    pub fn of_start(start: &Value) -> Option<Self> {
        serde_json::from_value(start.get("plan")?.get("chain")?.clone()).ok()
    }
}

/// So many instances are tried for one that can be found over the sites; nearly all can.
const MOST_TRIED: usize = 40;

impl WorkedChain {
    /// Draws an instance that can be found over the sites: every step has a way, and all of them can be gone in time.
    pub fn draw(chain: &QuestionChain, web: &Arc<Web>, wish: &ChainWish, rng: &mut Rng) -> Result<Self, String> {
        let mut lacking = String::new();
        for _ in 0..MOST_TRIED {
            let instance = chain.draw(&web.atlas, wish, rng)?;
            let worked = Self { spec: chain.spec.clone(), web: Arc::clone(web), instance };
            match worked.ways().map(|ways| ways.iter().flatten().map(Waypoint::n_deeds).sum::<usize>()) {
                Ok(n_deeds) if n_deeds <= wish.most_deeds => return Ok(worked),
                Ok(n_deeds) => lacking = format!("{n_deeds} deeds are too many"),
                Err(why) => lacking = why,
            }
        }
        Err(format!("none of {MOST_TRIED} instances can be found over the sites: {lacking}"))
    }

    /// The chain of a start state.
    pub fn of_start(start: &Value) -> Result<Self, String> {
        let kept = KeptChain::of_start(start).ok_or("the start of the instance holds no chain")?;
        let web = WORLDS.web(kept.world);
        let fields = solve(&web.atlas, &kept.chain, &kept.drawn);
        let fields = fields.map_err(|why| format!("the chain of the instance has no answers: {why:?}"))?;
        Ok(Self { spec: kept.chain, web, instance: ChainInstance { drawn: kept.drawn, fields } })
    }
}
