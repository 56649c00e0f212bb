//! The ways through a chain that were worked out last: whoever draws an instance goes them first, and whoever proves or
//! plays it goes them next.

use std::sync::{Arc, Mutex, Weak};

use quintain_core::lock::LockAlways as _;
use quintain_core::task::ChainSpec;
use quintain_sites::Web;

use crate::find::Variables;
use crate::route;
use crate::waypoint::Waypoint;
use crate::worked::WorkedChain;

/// So many are kept: as many as threads may work on at once.
const N_KEPT: usize = 16;

/// A chain with the way of each of its steps. Its world is not kept for its sake: worlds are large.
struct WalkedChain {
    web: Weak<Web>,
    spec: ChainSpec,
    drawn: Variables,
    ways: Arc<[Vec<Waypoint>]>,
}

/// What is kept here follows from its chain, so nobody can tell whether it was.
static KEPT: Mutex<Vec<WalkedChain>> = Mutex::new(Vec::new());

impl WorkedChain {
    /// The way of each step; else the first step that has none, and why.
    pub fn ways(&self) -> Result<Arc<[Vec<Waypoint>]>, String> {
        if let Some(known) = KEPT.lock().always().iter().find(|known| known.is_of(self)) {
            return Ok(Arc::clone(&known.ways));
        }
        let steps = self.spec.steps.iter().enumerate();
        let ways = steps.map(|(at, step)| {
            route::of_step(self, at).map_err(|why| format!("there is no way to `{}`: {why}", step.name))
        });
        let ways: Arc<[Vec<Waypoint>]> = ways.collect::<Result<Vec<_>, String>>()?.into();
        let mut kept = KEPT.lock().always();
        let (spec, drawn) = (self.spec.clone(), self.instance.drawn.clone());
        kept.insert(0, WalkedChain { web: Arc::downgrade(&self.web), spec, drawn, ways: Arc::clone(&ways) });
        kept.truncate(N_KEPT);
        Ok(ways)
    }
}

impl WalkedChain {
    fn is_of(&self, worked: &WorkedChain) -> bool {
        let is_there = Weak::ptr_eq(&self.web, &Arc::downgrade(&worked.web));
        is_there && self.drawn == worked.instance.drawn && self.spec == worked.spec
    }
}
