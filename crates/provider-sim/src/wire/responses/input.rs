//! The items of a request: who said what, and whether every call has its output.

mod call;
mod message;

use super::kept::KeptAnswers;
use super::tools::ResponsesOffer;
use crate::asked::SaidMessage;
use crate::wire::openai::PlacedValue;
use crate::wire::{WrongRequest, weigh};

/// A call that waits for its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PendingCall {
    id: String,
    kind: CallKind,
    /// The safety checks that its output has to acknowledge.
    checks: Vec<String>,
}

/// What was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CallKind {
    Function,
    Computer,
}

impl CallKind {
    fn name(self) -> &'static str {
        match self {
            Self::Function => "function call",
            Self::Computer => "computer call",
        }
    }
}

/// Everything that was said.
#[derive(Debug, Default)]
pub(super) struct ResponsesTalk {
    pub(super) system: String,
    pub(super) said: Vec<SaidMessage>,
    pub(super) open: Vec<PendingCall>,
    /// What may be called since an item among what was said.
    pub(super) tools: ResponsesOffer,
    /// A thought whose consequence has not been seen yet.
    thought: Option<String>,
    /// The thoughts that came by name since anybody but the model has spoken.
    named: Vec<String>,
}

impl ResponsesTalk {
    /// Hears everything in `input`. Thoughts that come by name alone are looked up among what is kept.
    pub(super) fn hear(&mut self, at: &PlacedValue, kept: &KeptAnswers) -> Result<(), WrongRequest> {
        if let Some(text) = at.value().as_str() {
            self.said.push(weigh::words(text));
            return Ok(());
        }
        for item in at.list()? {
            self.item(&item, kept)?;
        }
        Ok(())
    }

    /// That nothing is left open at the end.
    pub(super) fn check_closed(&self) -> Result<(), WrongRequest> {
        if let Some(id) = &self.thought {
            return Err(alone(id));
        }
        match self.open.first() {
            Some(open) => {
                Err(WrongRequest::request(format!("No tool output found for {} {}.", open.kind.name(), open.id)))
            }
            None => Ok(()),
        }
    }

    /// Hears one item.
    pub(super) fn item(&mut self, at: &PlacedValue, kept: &KeptAnswers) -> Result<(), WrongRequest> {
        let kind = at.maybe("type").map_or(Ok("message"), |kind| {
            kind.one_of(&[
                "message",
                "reasoning",
                "function_call",
                "function_call_output",
                "computer_call",
                "computer_call_output",
                "additional_tools",
            ])
        })?;
        let by_model = match kind {
            "message" => at.text_of("role")? == "assistant",
            "additional_tools" => false,
            _ => !kind.ends_with("_output"),
        };
        if !by_model {
            self.named.clear();
        }
        if let Some(id) = self.thought.take_if(|_| kind != "reasoning") {
            return if by_model { self.heard(kind, at, kept) } else { Err(alone(&id)) };
        }
        self.heard(kind, at, kept)
    }

    fn heard(&mut self, kind: &str, at: &PlacedValue, kept: &KeptAnswers) -> Result<(), WrongRequest> {
        match kind {
            "message" => self.message(at),
            "reasoning" => self.reasoning(at, kept),
            "function_call" => self.function_call(at),
            "function_call_output" => self.function_output(at),
            "computer_call" => self.computer_call(at, kept),
            "additional_tools" => self.more_tools(at),
            _ => self.computer_output(at),
        }
    }

    /// Tools that the developer offers from here on. Source: `AdditionalTools` of the package `openai` 3.51.0; Codex sends it.
    fn more_tools(&mut self, at: &PlacedValue) -> Result<(), WrongRequest> {
        at.only(&["type", "id", "role", "tools"])?;
        at.field("role")?.one_of(&["developer"])?;
        at.field("tools")?.list()?.iter().try_for_each(|tool| self.tools.tool(tool))
    }

    /// A thought must be one of ours: sealed by us, or kept by us.
    fn reasoning(&mut self, at: &PlacedValue, kept: &KeptAnswers) -> Result<(), WrongRequest> {
        at.only(&["type", "id", "summary", "content", "encrypted_content", "status"])?;
        at.field("summary")?.list()?;
        let id = at.maybe("id").map(|id| id.text()).transpose()?;
        let sealed = at.maybe("encrypted_content").map(|sealed| sealed.text()).transpose()?;
        match sealed {
            Some(sealed) if !super::items::is_seal(sealed) => {
                let path = at.path();
                return Err(WrongRequest::request(format!("The encrypted content in '{path}' could not be verified.")));
            }
            None if id.is_none_or(|id| !kept.has_thoughts(id)) => {
                let id = at.text_of("id")?;
                return Err(WrongRequest::request(format!("Item with id '{id}' not found.")));
            }
            _ => {}
        }
        self.said.push(weigh::thought(sealed.or(id).unwrap_or_default()));
        self.named.extend(id.map(str::to_owned));
        self.thought = Some(id.unwrap_or(at.path()).to_owned());
        Ok(())
    }
}

fn alone(id: &str) -> WrongRequest {
    WrongRequest::request(format!("Item '{id}' of type 'reasoning' was provided without its required following item."))
}
