//! The agreed form: one action a turn. What goes against it is told, once, and counted.

use quintain_core::Reply;
use quintain_core::action::Misread;
use quintain_core::agent::{Slip, SlipKind};
use quintain_core::surface::Surface;
use quintain_models::model::{EncodedImage, Message, MessageRole, Piece, ToolCall};
use quintain_models::tools::{self, Sight};
use serde_json::json;

use crate::loops::observation_renderer;
use crate::loops::prompts;

/// How actions are said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionForm {
    /// As calls of tools.
    Calls,
    /// In words.
    Words,
}

/// What a message says in the agreed form.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadMessage {
    /// The words of the turn, were they to go on as they are. Usage, slips and memory are not in it yet.
    pub reply: Reply,
    /// The call, where there is exactly one.
    pub call: Option<ToolCall>,
    /// What is wrong with it; nothing where it is one action that can be read.
    pub fault: Option<MessageFault>,
}

/// What is wrong with a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageFault {
    /// What was wrong.
    pub kind: SlipKind,
    /// In words, where the reason is one that the model can mend.
    pub why: Option<String>,
}

/// How much of what was said is kept of a slip.
const N_CHARS_KEPT: usize = 200;

/// Hears a message: the action in it, or what is wrong.
pub fn hear(message: &Message, form: ActionForm, surface: &Surface, sight: &Sight) -> ReadMessage {
    match form {
        ActionForm::Calls => {
            let calls: Vec<&ToolCall> = message.calls().collect();
            hear_calls(message, &calls, surface, sight)
        }
        ActionForm::Words => hear_words(message, surface, sight),
    }
}

/// Hears a message of which these calls are meant for the world; a loop may have answered others itself.
pub fn hear_calls(message: &Message, calls: &[&ToolCall], surface: &Surface, sight: &Sight) -> ReadMessage {
    let thought = thought_beside_calls(message);
    match calls {
        [] => {
            let fault = MessageFault { kind: without_action(&message.text()), why: None };
            ReadMessage { reply: words(message, sight), call: None, fault: Some(fault) }
        }
        [call] => {
            let reply = Reply { thought, ..tools::read(call, sight) };
            let fault = reply.read(surface).err().map(malformed);
            ReadMessage { reply, call: Some((*call).clone()), fault }
        }
        several => {
            // Written so that whoever reads it finds several actions and carries out none of them.
            let raw = several.iter().map(|call| tools::spoken(call)).collect::<Vec<_>>().join("\n");
            let fault = MessageFault { kind: SlipKind::Several, why: None };
            ReadMessage { reply: Reply { raw, thought, ..Reply::default() }, call: None, fault: Some(fault) }
        }
    }
}

/// The words of a turn in which the model or its provider refuses: it gives up, and says why. Whatever else is in the
/// message is not carried out, for it may have been cut short.
pub fn refused(message: &Message) -> Reply {
    let why = [message.text(), message.thoughts().unwrap_or_default()];
    let why = why.into_iter().find(|why| !why.trim().is_empty());
    let reason = why.map_or_else(|| "the model refuses".to_owned(), |why| format!("the model refuses: {why}"));
    let input = json!({ "reason": reason });
    let call = ToolCall { id: String::new(), name: "give_up".to_owned(), input, native: None, opaque: None };
    Reply { raw: tools::spoken(&call), thought: thought_beside_calls(message), ..Reply::default() }
}

fn hear_words(message: &Message, surface: &Surface, sight: &Sight) -> ReadMessage {
    let reply = words(message, sight);
    let fault = reply.read(surface).err().map(|misread| match misread {
        Misread::Nothing => MessageFault { kind: without_action(&reply.raw), why: None },
        Misread::Several => MessageFault { kind: SlipKind::Several, why: None },
        other => malformed(other),
    });
    ReadMessage { reply, call: None, fault }
}

fn words(message: &Message, sight: &Sight) -> Reply {
    let seen = sight.shown.map(|shown| sight.points.size(shown));
    Reply { raw: message.text(), thought: message.thoughts(), seen, ..Reply::default() }
}

#[expect(clippy::needless_pass_by_value, reason = "it is used as a function of the error")]
fn malformed(misread: Misread) -> MessageFault {
    MessageFault { kind: SlipKind::Malformed, why: Some(misread.to_string()) }
}

/// The thinking, and the words beside a call.
fn thought_beside_calls(message: &Message) -> Option<String> {
    let parts = [message.thoughts(), Some(message.text())];
    let parts: Vec<String> = parts.into_iter().flatten().filter(|part| !part.trim().is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join("\n"))
}

/// What words without an action are: nothing, a plan of several steps, or prose.
fn without_action(text: &str) -> SlipKind {
    let n_steps = text.lines().filter(|line| is_step(line)).count();
    match text.trim() {
        "" => SlipKind::Empty,
        _ if n_steps >= 2 => SlipKind::Plan,
        _ => SlipKind::Prose,
    }
}

/// `1. Open the menu`, `Step 2: ...`, `- click ...`.
fn is_step(line: &str) -> bool {
    let line = line.trim_start().trim_start_matches(['*', '#', ' ']);
    let after_number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = after_number.len() < line.len() && after_number.starts_with(['.', ')', ':']);
    let is_named = line.get(..5).is_some_and(|word| word.eq_ignore_ascii_case("step "));
    is_numbered || is_named || line.starts_with("- ")
}

/// The slip, to be counted.
pub fn slip(message: &Message, fault: &MessageFault) -> Slip {
    let calls = message.calls().map(tools::spoken);
    let said: Vec<String> = std::iter::once(message.text()).chain(calls).filter(|text| !text.is_empty()).collect();
    Slip { kind: fault.kind, said: said.join("\n").chars().take(N_CHARS_KEPT).collect() }
}

/// The answer to a slip: every call is told that it was not carried out, then one short sentence. A model's own
/// computer tool wants a picture in return.
pub fn correction(message: &Message, fault: &MessageFault, form: ActionForm, screen: Option<&EncodedImage>) -> Message {
    let mut pieces: Vec<Piece> = message.calls().map(|call| not_carried_out(call, screen)).collect();
    pieces.push(Piece::text(prompts::correction(fault, form)));
    Message { role: MessageRole::User, pieces }
}

fn not_carried_out(call: &ToolCall, screen: Option<&EncodedImage>) -> Piece {
    match observation_renderer::outcome(call, Some("Not carried out."), screen) {
        Piece::Outcome { id, name, pieces, .. } => Piece::Outcome { id, name, pieces, is_error: true },
        other => other,
    }
}

#[cfg(test)]
mod tests;
