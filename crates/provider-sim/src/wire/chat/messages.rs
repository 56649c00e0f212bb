//! The messages of a request: who said what, and whether every call was answered right after it was made.

use crate::asked::SaidMessage;
use crate::wire::openai::{self, PlacedValue};
use crate::wire::{WrongRequest, weigh};

/// Everything that was said.
#[derive(Debug, Default)]
pub(super) struct ChatTalk {
    pub(super) system: String,
    pub(super) said: Vec<SaidMessage>,
    /// The calls of the message before that have not been answered.
    open: Vec<String>,
    /// Whether the message before, tool messages apart, made calls.
    called: bool,
}

/// Reads the messages.
pub(super) fn read(at: &PlacedValue) -> Result<ChatTalk, WrongRequest> {
    let messages = at.list()?;
    if messages.is_empty() {
        return Err(empty(at));
    }
    let mut talk = ChatTalk::default();
    for message in &messages {
        talk.message(message)?;
    }
    talk.check_answered()?;
    Ok(talk)
}

impl ChatTalk {
    fn message(&mut self, at: &PlacedValue) -> Result<(), WrongRequest> {
        let role = at.field("role")?.one_of(&["system", "developer", "user", "assistant", "tool"])?;
        if role == "tool" {
            return self.outcome(at);
        }
        self.check_answered()?;
        self.called = false;
        match role {
            "assistant" => self.assistant(at),
            "user" => self.user(at),
            _ => self.rule(at),
        }
    }

    /// What the developer says: before anything else it is the system prompt, later it is words like others.
    fn rule(&mut self, at: &PlacedValue) -> Result<(), WrongRequest> {
        at.only(&["role", "content", "name"])?;
        for text in texts(&at.field("content")?)? {
            if self.said.is_empty() {
                self.system.push_str(text);
                self.system.push('\n');
            } else {
                self.said.push(weigh::words(text));
            }
        }
        Ok(())
    }

    fn user(&mut self, at: &PlacedValue) -> Result<(), WrongRequest> {
        at.only(&["role", "content", "name"])?;
        let content = at.field("content")?;
        if let Some(text) = content.value().as_str() {
            self.said.push(weigh::words(text));
            return Ok(());
        }
        for part in parts(&content)? {
            self.said.push(shown(&part)?);
        }
        Ok(())
    }

    fn assistant(&mut self, at: &PlacedValue) -> Result<(), WrongRequest> {
        at.only(&[
            "role",
            "content",
            "name",
            "refusal",
            "tool_calls",
            "reasoning_content",
            "reasoning",
            "reasoning_details",
        ])?;
        let thought = at.maybe("reasoning_content").or_else(|| at.maybe("reasoning"));
        if let Some(thought) = thought {
            self.said.push(weigh::thought(thought.text()?));
        }
        let (content, calls) = (at.maybe("content"), at.maybe("tool_calls"));
        if content.is_none() && calls.is_none() && at.maybe("refusal").is_none() {
            let path = at.path();
            return Err(WrongRequest::request(format!(
                "Invalid value for 'content' in '{path}': expected a string, got null."
            )));
        }
        for text in content.map(|content| texts(&content)).transpose()?.unwrap_or_default() {
            self.said.push(weigh::by_model(weigh::words(text)));
        }
        calls.map_or(Ok(()), |calls| self.calls(&calls))
    }

    fn calls(&mut self, at: &PlacedValue) -> Result<(), WrongRequest> {
        let calls = at.list()?;
        if calls.is_empty() {
            return Err(empty(at));
        }
        for call in &calls {
            call.only(&["id", "type", "function", "index"])?;
            call.field("type")?.one_of(&["function"])?;
            let function = call.field("function")?;
            function.only(&["name", "arguments"])?;
            let id = call.text_of("id")?;
            if self.open.iter().any(|other| other == id) {
                return Err(WrongRequest::request(format!(
                    "Duplicate value for 'tool_call_id' of '{id}' in '{}'.",
                    at.path()
                )));
            }
            self.said.push(openai::call(id, function.text_of("name")?, function.text_of("arguments")?));
            self.open.push(id.to_owned());
        }
        self.called = true;
        Ok(())
    }

    fn outcome(&mut self, at: &PlacedValue) -> Result<(), WrongRequest> {
        at.only(&["role", "content", "tool_call_id", "name"])?;
        let id = at.text_of("tool_call_id")?;
        let path = at.path();
        if !self.called {
            return Err(WrongRequest::request(format!(
                "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls' ('{path}')."
            )));
        }
        let Some(idx) = self.open.iter().position(|open| open == id) else {
            return Err(WrongRequest::request(format!(
                "Invalid parameter: 'tool_call_id' of '{id}' not found in 'tool_calls' of previous message."
            )));
        };
        self.open.remove(idx);
        self.said.push(weigh::outcome(id));
        // Tool messages hold words only: a picture has to come from the user.
        self.said.extend(texts(&at.field("content")?)?.into_iter().map(weigh::words));
        Ok(())
    }

    fn check_answered(&self) -> Result<(), WrongRequest> {
        if self.open.is_empty() {
            return Ok(());
        }
        Err(WrongRequest::request(format!(
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. \
             The following tool_call_ids did not have response messages: {}",
            self.open.join(", ")
        )))
    }
}

/// Content that is words only.
fn texts<'a>(at: &PlacedValue<'a>) -> Result<Vec<&'a str>, WrongRequest> {
    if let Some(text) = at.value().as_str() {
        return Ok(vec![text]);
    }
    let text = |part: PlacedValue<'a>| {
        part.field("type")?.one_of(&["text"])?;
        part.only(&["type", "text", "prompt_cache_breakpoint"])?;
        part.text_of("text")
    };
    parts(at)?.into_iter().map(text).collect()
}

/// Content that may show something.
fn shown(at: &PlacedValue) -> Result<SaidMessage, WrongRequest> {
    if at.field("type")?.one_of(&["text", "image_url"])? == "text" {
        at.only(&["type", "text", "prompt_cache_breakpoint"])?;
        return Ok(weigh::words(at.text_of("text")?));
    }
    at.only(&["type", "image_url", "prompt_cache_breakpoint"])?;
    let image = at.field("image_url")?;
    image.only(&["url", "detail"])?;
    image.maybe("detail").map(|at| at.one_of(&["auto", "low", "high", "original"])).transpose()?;
    openai::picture(&image.field("url")?)
}

fn parts<'a>(at: &PlacedValue<'a>) -> Result<Vec<PlacedValue<'a>>, WrongRequest> {
    let parts = at.list()?;
    if parts.is_empty() { Err(empty(at)) } else { Ok(parts) }
}

fn empty(at: &PlacedValue) -> WrongRequest {
    let path = at.path();
    WrongRequest::request(format!(
        "Invalid '{path}': empty array. Expected an array with minimum length 1, but got an empty array instead."
    ))
}
