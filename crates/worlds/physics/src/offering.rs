//! What this kind of world brings, and that it needs MuJoCo.

use std::sync::Arc;

use quintain_core::Digest;
use quintain_core::offering::{CodeDigests, HostFact, NeedScope, Offering, WorldNeed};
use quintain_puzzles::offering::{self as puzzles, of_entries};
use quintain_puzzles::{MaterialSources, PuzzleGoal, Puzzles};

use crate::{ALL, HINT, KIND, VERSION, found};

/// The code of this crate.
static CODE: CodeDigests = include!(concat!(env!("OUT_DIR"), "/code.rs"));

/// The puzzles of this crate. Nothing of theirs is made of what a user brings.
pub fn offering() -> Offering {
    Offering {
        checks: vec![Arc::new(PuzzleGoal::default().with(ALL))],
        needs: vec![mujoco()],
        facts: vec![HostFact { name: "mujoco", value: Arc::new(|| found().is_ok().then(|| VERSION.to_owned())) }],
        code: Some(code()),
        ..of_entries(Puzzles::new(KIND, ALL, MaterialSources::default()), ALL, &CODE)
    }
}

/// What is shared here, and what all puzzles share.
fn code() -> Digest {
    Digest::of_parts([("physics", &CODE.shared[..]), ("puzzles", &puzzles::CODE.shared[..])])
}

fn mujoco() -> WorldNeed {
    let look = || match found() {
        Ok(path) => Ok(path.display().to_string()),
        Err(missing) => Err(missing.plainly()),
    };
    WorldNeed {
        name: "mujoco",
        label: "MuJoCo 3.17.0",
        purpose: "for fetch-reach and fetch-pick-and-place",
        look: Arc::new(look),
        mend: HINT,
        scope: NeedScope::EveryTask,
    }
}
