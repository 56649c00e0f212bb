//! What a model said of a trial, held against the recording.

use quintain_core::trajectory::Step;
use serde_json::Value;

use super::dossier::told;
use super::{DroppedLabel, HeardOpinion, Opinion};
use crate::label::LabelKind;

/// A quote shorter than this stands nearly anywhere.
const SHORTEST_QUOTE: usize = 4;

/// Reads the arguments of the tool call. A label counts if its quote stands in the step that it cites; white space and the
/// marks of what was cut are passed over.
pub fn hear(given: &Value, steps: &[Step]) -> HeardOpinion {
    let mut heard = HeardOpinion::default();
    let Some(labels) = given.get("labels").and_then(Value::as_array) else {
        heard.dropped.push(DroppedLabel { given: given.clone(), because: "there is no list of labels".to_owned() });
        return heard;
    };
    for label in labels {
        match opinion(label, steps) {
            Ok(opinion) if heard.opinions.contains(&opinion) => {}
            Ok(opinion) => heard.opinions.push(opinion),
            Err(because) => heard.dropped.push(DroppedLabel { given: label.clone(), because }),
        }
    }
    heard
}

fn opinion(label: &Value, steps: &[Step]) -> Result<Opinion, String> {
    let word = |name: &str| label.get(name).and_then(Value::as_str).unwrap_or_default().trim().to_owned();
    let kind: LabelKind = serde_json::from_value(label.get("kind").cloned().unwrap_or_default())
        .map_err(|_cause| format!("there is no label `{}`", word("kind")))?;
    let step_idx = label.get("step").and_then(Value::as_u64).ok_or("no step is cited")?;
    let step = usize::try_from(step_idx).ok().and_then(|idx| steps.get(idx));
    let step = step.ok_or_else(|| format!("there is no step {step_idx}"))?;
    let quote = word("quote");
    if plain(&quote).chars().count() < SHORTEST_QUOTE {
        return Err("the quote is too short to prove anything".to_owned());
    }
    if !stands_in(&quote, step) {
        return Err(format!("the quote does not stand in step {step_idx}"));
    }
    Ok(Opinion { kind, step: step_idx as u32, quote, why: word("why") })
}

/// Whether words stand in a step as an agent said, did or was told them.
fn stands_in(quote: &str, step: &Step) -> bool {
    let action = step.action.as_ref().map(ToString::to_string);
    let texts = [Some(step.reply.raw.as_str()), step.reply.thought.as_deref(), action.as_deref()];
    let feedback = step.feedback.as_ref().map(told);
    let slips = step.reply.slips.iter().map(|slip| slip.said.as_str());
    let all: Vec<String> = texts.into_iter().flatten().chain(feedback.as_deref()).chain(slips).map(plain).collect();
    let pieces: Vec<String> =
        quote.split('…').map(plain).filter(|piece| piece.chars().count() >= SHORTEST_QUOTE).collect();
    !pieces.is_empty() && all.iter().any(|text| pieces.iter().all(|piece| text.contains(piece.as_str())))
}

fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
