//! Finding a picture to count in.

use quintain_core::rng::Rng;

use super::{Parameters, Start};
use crate::sources::labels::{Labels, WantedPicture};

/// The most that can be asked for.
const MOST: usize = 60;

/// Picks a picture with a wanted number of things, and notes where each is.
pub(super) fn generate(parameters: &Parameters, rng: &mut Rng, labels: &dyn Labels) -> Result<Start, String> {
    let Parameters { least, most, others, overlap, size, width, height } = *parameters;
    if least < 2 || most <= least || most > MOST {
        return Err(format!("`least` is {least} and `most` is {most}: from 2 to {MOST}, and more than one number"));
    }
    let labelled = labels.pick(rng, &WantedPicture { width, height, least, most, others, overlap, size })?;
    let inmost = |(x, y): (i64, i64)| [x as i32, y as i32];
    let places: Vec<_> = labelled.in_question().map(|thing| inmost(thing.mask.inmost())).collect();
    let count = places.len();
    Ok(Start { photo: labelled.photo, licence: labelled.licence, kind: labelled.kind, least, most, count, places })
}
