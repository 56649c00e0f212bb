//! Messages: words of the user, of the developer and of the model, and pictures.

use super::ResponsesTalk;
use crate::asked::SaidMessage;
use crate::wire::openai::{self, PlacedValue};
use crate::wire::{WrongRequest, weigh};

impl ResponsesTalk {
    pub(super) fn message(&mut self, at: &PlacedValue) -> Result<(), WrongRequest> {
        at.only(&["type", "role", "content", "id", "status", "phase"])?;
        at.maybe("phase").map(|at| at.one_of(&["commentary", "final_answer"])).transpose()?;
        let role = at.field("role")?.one_of(&["user", "assistant", "system", "developer"])?;
        let content = at.field("content")?;
        let pieces = match (content.value().as_str(), role) {
            (Some(text), "assistant") => vec![weigh::by_model(weigh::words(text))],
            (Some(text), _) => vec![weigh::words(text)],
            (None, "assistant") => content.list()?.iter().map(spoken).collect::<Result<_, _>>()?,
            (None, _) => content.list()?.iter().map(shown).collect::<Result<_, _>>()?,
        };
        let rules = matches!(role, "system" | "developer") && self.said.is_empty();
        if rules {
            self.rules(&pieces);
        } else {
            self.said.extend(pieces);
        }
        Ok(())
    }

    /// What the developer says before anything else joins the instructions.
    fn rules(&mut self, pieces: &[SaidMessage]) {
        for text in pieces.iter().filter_map(SaidMessage::text) {
            self.system.push_str(text);
            self.system.push('\n');
        }
    }
}

/// A piece that is shown to the model.
pub(super) fn shown(at: &PlacedValue) -> Result<SaidMessage, WrongRequest> {
    if at.field("type")?.one_of(&["input_text", "input_image"])? == "input_text" {
        at.only(&["type", "text", "prompt_cache_breakpoint"])?;
        return Ok(weigh::words(at.text_of("text")?));
    }
    at.only(&["type", "image_url", "detail", "prompt_cache_breakpoint"])?;
    picture(at)
}

/// The picture of a piece, wherever it comes from.
pub(super) fn picture(at: &PlacedValue) -> Result<SaidMessage, WrongRequest> {
    at.maybe("detail").map(|at| at.one_of(&["auto", "low", "high", "original"])).transpose()?;
    openai::picture(&at.field("image_url")?)
}

/// A piece that the model said.
fn spoken(at: &PlacedValue) -> Result<SaidMessage, WrongRequest> {
    let text = if at.field("type")?.one_of(&["output_text", "refusal"])? == "refusal" {
        at.only(&["type", "refusal"])?;
        at.text_of("refusal")?
    } else {
        at.only(&["type", "text", "annotations", "logprobs"])?;
        at.text_of("text")?
    };
    Ok(weigh::by_model(weigh::words(text)))
}
