//! An object that was turned, to be turned back.

mod seen;
mod spread;
#[cfg(test)]
mod tests;

use quintain_core::digest::Digest;
use quintain_core::rng::Rng;
use serde::Deserialize;

use self::seen::SeenObject;
use crate::mental_rotation_3d::{self as rotation, Lots, MentalRotation3d, Start, TurnedSubject, YawPitchRoll};
use crate::solid::SolidTurn;
use crate::sources::meshes::{Body, Object};
use crate::sources::{MaterialSources, PuzzleMaterial};

/// The turning puzzle with objects.
pub type MentalRotation3dMeshes = MentalRotation3d<SourceObjects>;

/// Objects from a source.
pub struct SourceObjects;

/// What makes it easy or hard.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// How many degrees off the object may be.
    pub angle_tolerance: f64,
    /// Pixels along a side of each view.
    #[serde(default = "default_size")]
    pub size: u32,
}

fn default_size() -> u32 {
    256
}

/// How many objects are tried before the source is given up.
const N_TRIES: usize = 40;

impl TurnedSubject for SourceObjects {
    const NAME: &'static str = "mental-rotation-3d-meshes";
    const VERSION: u32 = 1;
    const MATERIAL: Option<PuzzleMaterial> = Some(PuzzleMaterial::Meshes);

    type Parameters = Parameters;
    type Thing = Object;

    fn generate(parameters: &Parameters, rng: &mut Rng, sources: &MaterialSources) -> Result<Start<Object>, String> {
        rotation::check(parameters.size, parameters.angle_tolerance)?;
        let lots = Lots { size: parameters.size, angle_tolerance: parameters.angle_tolerance };
        for _ in 0..N_TRIES {
            let object = sources.meshes.pick(rng)?;
            let mut seen = SeenObject::new(sources.meshes.load(&object)?);
            let views = lots.draw(rng, upright, |orientation| seen.shows_enough(orientation));
            if let Some(views) = views.filter(|views| seen.can_be_told(views.target)) {
                return Ok(Start { thing: object, views });
            }
        }
        let name = sources.meshes.name();
        Err(format!("{N_TRIES} objects of {name} look the same from another side; give it objects without symmetry"))
    }

    fn made_of(object: &Object) -> Option<Digest> {
        Some(object.digest)
    }

    fn body(object: &Object, sources: &MaterialSources) -> Result<Body, String> {
        sources.meshes.load(object)
    }
}

/// Upright, from any side, a little from above.
fn upright(rng: &mut Rng) -> SolidTurn {
    YawPitchRoll([rng.uniform(-180.0, 180.0), rng.uniform(15.0, 35.0), 0.0]).turn()
}
