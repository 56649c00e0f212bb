//! Finding a picture and something to say of it.

use quintain_core::rng::Rng;

use super::describe::{Description, describe};
use super::{Parameters, Start};
use crate::dots::DotPixel;
use crate::sources::labels::{Labelled, Labels, Thing, WantedPicture};

/// How many pictures are tried before giving up.
const TRIES: usize = 40;
/// How small a share of the picture the thing may be.
const LEAST_SHARE: f64 = 0.0012;
/// How large a share: a dot set blindly must be unlikely to meet it.
const MOST_SHARE: f64 = 0.05;

/// Picks a picture in which one thing can be told from all others, and says how.
pub(super) fn generate(parameters: &Parameters, rng: &mut Rng, labels: &dyn Labels) -> Result<Start, String> {
    let Parameters { least, most, others, overlap, size, width, height, tolerance, sentences } = *parameters;
    if !(0.0..=20.0).contains(&tolerance) {
        return Err(format!("`tolerance` is {tolerance}: 0 to 20 pixels are possible"));
    }
    let wanted = WantedPicture { width, height, least, most, others, overlap, size };
    for _ in 0..TRIES {
        let labelled = labels.pick(rng, &wanted)?;
        let mut found = describe(&labelled, sentences);
        found.retain(|description| is_fit(&labelled, description.target));
        if let Some(chosen) = any_form(found, rng) {
            return Ok(start(labelled, chosen));
        }
    }
    let source = labels.name();
    Err(format!("{TRIES} pictures of {source} were tried: in none is there a thing that a clear sentence fits"))
}

/// Whether a thing is neither too small to see nor so large that any dot meets it.
fn is_fit(labelled: &Labelled, target: usize) -> bool {
    let all = f64::from(labelled.photo.width) * f64::from(labelled.photo.height);
    (LEAST_SHARE..=MOST_SHARE).contains(&(labelled.things[target].mask.area() as f64 / all))
}

/// One of the descriptions: every form of sentence is as likely as any other that is possible here.
fn any_form(mut found: Vec<Description>, rng: &mut Rng) -> Option<Description> {
    let mut forms: Vec<_> = found.iter().map(|description| description.form).collect();
    forms.sort_unstable();
    forms.dedup();
    if forms.is_empty() {
        return None;
    }
    let form = *rng.choose(&forms);
    found.retain(|description| description.form == form);
    let at = rng.below(found.len());
    Some(found.swap_remove(at))
}

fn start(mut labelled: Labelled, chosen: Description) -> Start {
    let place = inmost(&labelled.things[chosen.target]);
    let kind = labelled.things[chosen.target].kind.clone();
    let is_decoy = |(idx, thing): &(usize, &Thing)| *idx != chosen.target && thing.kind == kind;
    let decoys = labelled.things.iter().enumerate().filter(is_decoy).map(|(_, thing)| inmost(thing)).collect();
    let mask = labelled.things.swap_remove(chosen.target).mask;
    Start { photo: labelled.photo, licence: labelled.licence, sentence: chosen.sentence, mask, place, decoys }
}

fn inmost(thing: &Thing) -> DotPixel {
    let (x, y) = thing.mask.inmost();
    [x as i32, y as i32]
}
