//! Calls and what came of them.

use serde_json::Value;

use super::message::{picture, shown};
use super::{CallKind, KeptAnswers, PendingCall, ResponsesTalk};
use crate::wire::openai::{self, PlacedValue};
use crate::wire::{WrongRequest, weigh};

/// What the model can do with a computer.
const ACTIONS: &[&str] = &["click", "double_click", "drag", "keypress", "move", "screenshot", "scroll", "type", "wait"];

impl ResponsesTalk {
    pub(super) fn function_call(&mut self, at: &PlacedValue) -> Result<(), WrongRequest> {
        at.only(&["type", "id", "call_id", "name", "arguments", "status", "caller", "namespace"])?;
        let id = at.text_of("call_id")?;
        self.said.push(openai::call(id, at.text_of("name")?, at.text_of("arguments")?));
        self.open(id, CallKind::Function, Vec::new())
    }

    pub(super) fn function_output(&mut self, at: &PlacedValue) -> Result<(), WrongRequest> {
        at.only(&["type", "id", "call_id", "output", "status", "caller", "name", "namespace"])?;
        self.close(at.text_of("call_id")?, CallKind::Function)?;
        let output = at.field("output")?;
        if let Some(text) = output.value().as_str() {
            self.said.push(weigh::words(text));
            return Ok(());
        }
        for piece in output.list()? {
            self.said.push(shown(&piece)?);
        }
        Ok(())
    }

    pub(super) fn computer_call(&mut self, at: &PlacedValue, kept: &KeptAnswers) -> Result<(), WrongRequest> {
        at.only(&["type", "id", "call_id", "action", "actions", "pending_safety_checks", "status"])?;
        self.check_thought_of(at.text_of("id")?, kept)?;
        let actions = match (at.maybe("action"), at.maybe("actions")) {
            (Some(action), None) => vec![action],
            (_, Some(actions)) => actions.list()?,
            (None, None) => return at.field("actions").map(drop),
        };
        for action in &actions {
            action.field("type")?.one_of(ACTIONS)?;
        }
        let actions = actions.iter().map(|action| action.value().clone()).collect();
        let id = at.text_of("call_id")?;
        self.said.push(weigh::call(id, "computer", &Value::Array(actions)));
        self.open(id, CallKind::Computer, checks(at, "pending_safety_checks")?)
    }

    /// A use of the computer comes with the thoughts that it came from, by their name. Sources: can1357/oh-my-pi pull 6824
    /// and `_capture_replay` in `lib/computer.py` of the package `openai` 3.51.0, which hands back both ids.
    fn check_thought_of(&self, id: &str, kept: &KeptAnswers) -> Result<(), WrongRequest> {
        match kept.thoughts_before(id) {
            Some(thoughts) if !self.named.contains(&thoughts) => Err(WrongRequest::request(format!(
                "Item '{id}' of type 'computer_call' was provided without its required 'reasoning' item: '{thoughts}'."
            ))),
            _ => Ok(()),
        }
    }

    pub(super) fn computer_output(&mut self, at: &PlacedValue) -> Result<(), WrongRequest> {
        at.only(&["type", "id", "call_id", "output", "acknowledged_safety_checks", "status"])?;
        let id = at.text_of("call_id")?;
        let open = self.close(id, CallKind::Computer)?;
        let known = checks(at, "acknowledged_safety_checks")?;
        if let Some(check) = open.checks.iter().find(|check| !known.contains(check)) {
            return Err(WrongRequest::request(format!(
                "Computer call {id} has a pending safety check that was not acknowledged: {check}."
            )));
        }
        let screenshot = at.field("output")?;
        screenshot.field("type")?.one_of(&["computer_screenshot"])?;
        screenshot.only(&["type", "image_url", "detail"])?;
        self.said.push(picture(&screenshot)?);
        Ok(())
    }

    fn open(&mut self, id: &str, kind: CallKind, checks: Vec<String>) -> Result<(), WrongRequest> {
        if self.open.iter().any(|open| open.id == id) {
            return Err(WrongRequest::request(format!("Duplicate tool call with call_id {id}.")));
        }
        self.open.push(PendingCall { id: id.to_owned(), kind, checks });
        Ok(())
    }

    fn close(&mut self, id: &str, kind: CallKind) -> Result<PendingCall, WrongRequest> {
        let idx = self.open.iter().position(|open| open.id == id && open.kind == kind);
        let missing =
            || WrongRequest::request(format!("No tool call found for {} output with call_id {id}.", kind.name()));
        let open = self.open.remove(idx.ok_or_else(missing)?);
        self.said.push(weigh::outcome(id));
        Ok(open)
    }
}

/// The ids of safety checks.
fn checks(at: &PlacedValue, name: &str) -> Result<Vec<String>, WrongRequest> {
    at.list_of(name)?.iter().map(|check| check.text_of("id").map(str::to_owned)).collect()
}
