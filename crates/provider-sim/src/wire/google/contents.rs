//! Conversations as Google reads them.

use serde_json::Value;

use super::super::Wrong;
use super::parts::{self, Piece};
use super::request::{array, only};
use crate::asked::{Said, What};

/// Reads the contents.
pub(super) fn read(contents: &Value) -> Result<Vec<Said>, Wrong> {
    let list = array(contents);
    if list.is_empty() {
        return Err(Wrong::request("* GenerateContentRequest.contents: contents is not specified"));
    }
    let mut reading = Reading::default();
    for (idx, content) in list.iter().enumerate() {
        reading.content(idx, content)?;
    }
    if reading.by_model {
        return Err(Wrong::request(
            "Please ensure that multiturn requests end with a user role or a function response.",
        ));
    }
    Ok(reading.said)
}

/// What has been read so far.
#[derive(Default)]
struct Reading {
    said: Vec<Said>,
    /// The calls that wait for a response: id and name.
    open: Vec<(String, String)>,
    /// Whether the content before was the model's.
    by_model: bool,
}

impl Reading {
    fn content(&mut self, idx: usize, content: &Value) -> Result<(), Wrong> {
        let at = format!("contents[{idx}]");
        only(&at, content, &["parts", "role"])?;
        let by_model = match content["role"].as_str() {
            None | Some("user" | "function") => false,
            Some("model") => true,
            Some(_) => return Err(Wrong::request("Please use a valid role: user, model.")),
        };
        let given = array(&content["parts"]);
        if given.is_empty() {
            return Err(Wrong::request(format!(
                "* GenerateContentRequest.{at}.parts: contents.parts must not be empty."
            )));
        }
        let pieces = given.iter().enumerate().map(|(idx, part)| parts::read(&format!("{at}.parts[{idx}]"), part));
        let pieces: Vec<Piece> = pieces.collect::<Result<_, _>>()?;
        let read = if by_model { self.by_model(idx, pieces) } else { self.by_user(pieces) };
        self.by_model = by_model;
        read
    }

    fn by_model(&mut self, content_idx: usize, pieces: Vec<Piece>) -> Result<(), Wrong> {
        if pieces.iter().any(|piece| piece.response.is_some()) {
            return Err(Wrong::request("Function responses must come with the role user, not with the role model."));
        }
        let calls = pieces.iter().filter(|piece| matches!(piece.said[0].what, What::Call { .. })).count();
        if calls > 0 && (self.by_model || self.said.is_empty()) {
            return Err(Wrong::request(
                "Please ensure that function call turn comes immediately after a user turn or after a function response \
                 turn.",
            ));
        }
        self.answered()?;
        for piece in pieces {
            for said in &piece.said {
                if let What::Call { id, name, .. } = &said.what {
                    parts::signed(content_idx, &piece, id, name, self.open.is_empty())?;
                    self.open.push((id.clone(), name.clone()));
                }
            }
            self.said.extend(piece.said.into_iter().map(|said| Said { by_model: true, ..said }));
        }
        Ok(())
    }

    fn by_user(&mut self, pieces: Vec<Piece>) -> Result<(), Wrong> {
        for piece in pieces {
            if let Some((id, name)) = &piece.response {
                self.close(id.as_deref(), name)?;
            }
            if piece.said.iter().any(|said| matches!(said.what, What::Call { .. } | What::Thought)) {
                return Err(Wrong::request("Function calls and thoughts must come with the role model."));
            }
            self.said.extend(piece.said);
        }
        self.answered()
    }

    /// The call that this responds to waits no longer.
    fn close(&mut self, id: Option<&str>, name: &str) -> Result<(), Wrong> {
        let meant = |call: &(String, String)| call.1 == name && id.is_none_or(|id| call.0 == id);
        match self.open.iter().position(meant) {
            Some(waits) => {
                self.open.remove(waits);
                Ok(())
            }
            None if self.by_model && !self.open.is_empty() => Err(Wrong::request(format!(
                "The function response `{name}` matches none of the function calls of the turn before in name and id."
            ))),
            None => Err(Wrong::request(
                "Please ensure that function response turn comes immediately after a function call turn.",
            )),
        }
    }

    /// Checks that no call waits.
    fn answered(&self) -> Result<(), Wrong> {
        if self.open.is_empty() {
            return Ok(());
        }
        Err(Wrong::request(
            "Please ensure that the number of function response parts is equal to the number of function call parts of the \
             function call turn.",
        ))
    }
}
