//! Calls and what came of them.

use serde_json::Value;

use super::message::{picture, shown};
use super::{Kind, Open, Talk};
use crate::wire::openai::{self, At};
use crate::wire::{Wrong, weigh};

/// What the model can do with a computer.
const ACTIONS: &[&str] = &["click", "double_click", "drag", "keypress", "move", "screenshot", "scroll", "type", "wait"];

impl Talk {
    pub(super) fn function_call(&mut self, at: &At) -> Result<(), Wrong> {
        at.only(&["type", "id", "call_id", "name", "arguments", "status"])?;
        let id = at.text_of("call_id")?;
        self.said.push(openai::call(id, at.text_of("name")?, at.text_of("arguments")?));
        self.open(id, Kind::Function, Vec::new())
    }

    pub(super) fn function_output(&mut self, at: &At) -> Result<(), Wrong> {
        at.only(&["type", "id", "call_id", "output", "status"])?;
        self.close(at.text_of("call_id")?, Kind::Function)?;
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

    pub(super) fn computer_call(&mut self, at: &At) -> Result<(), Wrong> {
        at.only(&["type", "id", "call_id", "action", "actions", "pending_safety_checks", "status"])?;
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
        self.open(id, Kind::Computer, checks(at, "pending_safety_checks")?)
    }

    pub(super) fn computer_output(&mut self, at: &At) -> Result<(), Wrong> {
        at.only(&["type", "id", "call_id", "output", "acknowledged_safety_checks", "status"])?;
        let id = at.text_of("call_id")?;
        let open = self.close(id, Kind::Computer)?;
        let known = checks(at, "acknowledged_safety_checks")?;
        if let Some(check) = open.checks.iter().find(|check| !known.contains(check)) {
            return Err(Wrong::request(format!(
                "Computer call {id} has a pending safety check that was not acknowledged: {check}."
            )));
        }
        let screenshot = at.field("output")?;
        screenshot.field("type")?.one_of(&["computer_screenshot"])?;
        screenshot.only(&["type", "image_url", "detail"])?;
        self.said.push(picture(&screenshot)?);
        Ok(())
    }

    fn open(&mut self, id: &str, kind: Kind, checks: Vec<String>) -> Result<(), Wrong> {
        if self.open.iter().any(|open| open.id == id) {
            return Err(Wrong::request(format!("Duplicate tool call with call_id {id}.")));
        }
        self.open.push(Open { id: id.to_owned(), kind, checks });
        Ok(())
    }

    fn close(&mut self, id: &str, kind: Kind) -> Result<Open, Wrong> {
        let idx = self.open.iter().position(|open| open.id == id && open.kind == kind);
        let missing = || Wrong::request(format!("No tool call found for {} output with call_id {id}.", kind.name()));
        let open = self.open.remove(idx.ok_or_else(missing)?);
        self.said.push(weigh::outcome(id));
        Ok(open)
    }
}

/// The ids of safety checks.
fn checks(at: &At, name: &str) -> Result<Vec<String>, Wrong> {
    at.list_of(name)?.iter().map(|check| check.text_of("id").map(str::to_owned)).collect()
}
