//! Conversations as Google reads them.

use serde_json::Value;

use super::super::WrongRequest;
use super::parts::{self, GooglePart};
use super::request::{array, only};
use crate::asked::{SaidMessage, SaidPiece};

/// Reads the contents.
pub(super) fn read(contents: &Value) -> Result<Vec<SaidMessage>, WrongRequest> {
    let list = array(contents);
    if list.is_empty() {
        return Err(WrongRequest::request("* GenerateContentRequest.contents: contents is not specified"));
    }
    let mut reading = ContentsReading::default();
    for (idx, content) in list.iter().enumerate() {
        reading.content(idx, content)?;
    }
    if reading.by_model {
        return Err(WrongRequest::request(
            "Please ensure that multiturn requests end with a user role or a function response.",
        ));
    }
    Ok(reading.said)
}

/// What has been read so far.
#[derive(Default)]
struct ContentsReading {
    said: Vec<SaidMessage>,
    /// The calls that wait for a response: id and name.
    open: Vec<(String, String)>,
    /// Whether the content before was the model's.
    by_model: bool,
}

impl ContentsReading {
    fn content(&mut self, idx: usize, content: &Value) -> Result<(), WrongRequest> {
        let at = format!("contents[{idx}]");
        only(&at, content, &["parts", "role"])?;
        let by_model = match content["role"].as_str() {
            None | Some("user" | "function") => false,
            Some("model") => true,
            Some(_) => return Err(WrongRequest::request("Please use a valid role: user, model.")),
        };
        let given = array(&content["parts"]);
        if given.is_empty() {
            return Err(WrongRequest::request(format!(
                "* GenerateContentRequest.{at}.parts: contents.parts must not be empty."
            )));
        }
        let pieces = given.iter().enumerate().map(|(idx, part)| parts::read(&format!("{at}.parts[{idx}]"), part));
        let pieces: Vec<GooglePart> = pieces.collect::<Result<_, _>>()?;
        let read = if by_model { self.by_model(idx, pieces) } else { self.by_user(pieces) };
        self.by_model = by_model;
        read
    }

    fn by_model(&mut self, content_idx: usize, pieces: Vec<GooglePart>) -> Result<(), WrongRequest> {
        if pieces.iter().any(|piece| piece.response.is_some()) {
            return Err(WrongRequest::request(
                "Function responses must come with the role user, not with the role model.",
            ));
        }
        let calls = pieces.iter().filter(|piece| matches!(piece.said[0].what, SaidPiece::Call { .. })).count();
        if calls > 0 && (self.by_model || self.said.is_empty()) {
            return Err(WrongRequest::request(
                "Please ensure that function call turn comes immediately after a user turn or after a function response \
                 turn.",
            ));
        }
        self.answered()?;
        for piece in pieces {
            for said in &piece.said {
                if let SaidPiece::Call { id, name, .. } = &said.what {
                    parts::signed(content_idx, &piece, id, name, self.open.is_empty())?;
                    self.open.push((id.clone(), name.clone()));
                }
            }
            self.said.extend(piece.said.into_iter().map(|said| SaidMessage { by_model: true, ..said }));
        }
        Ok(())
    }

    fn by_user(&mut self, pieces: Vec<GooglePart>) -> Result<(), WrongRequest> {
        for piece in pieces {
            if let Some((id, name)) = &piece.response {
                self.close(id.as_deref(), name)?;
            }
            if piece.said.iter().any(|said| matches!(said.what, SaidPiece::Call { .. } | SaidPiece::Thought)) {
                return Err(WrongRequest::request("Function calls and thoughts must come with the role model."));
            }
            self.said.extend(piece.said);
        }
        self.answered()
    }

    /// The call that this responds to waits no longer.
    fn close(&mut self, id: Option<&str>, name: &str) -> Result<(), WrongRequest> {
        let meant = |call: &(String, String)| call.1 == name && id.is_none_or(|id| call.0 == id);
        match self.open.iter().position(meant) {
            Some(waits) => {
                self.open.remove(waits);
                Ok(())
            }
            None if self.by_model && !self.open.is_empty() => Err(WrongRequest::request(format!(
                "The function response `{name}` matches none of the function calls of the turn before in name and id."
            ))),
            None => Err(WrongRequest::request(
                "Please ensure that function response turn comes immediately after a function call turn.",
            )),
        }
    }

    /// Checks that no call waits.
    fn answered(&self) -> Result<(), WrongRequest> {
        if self.open.is_empty() {
            return Ok(());
        }
        Err(WrongRequest::request(
            "Please ensure that the number of function response parts is equal to the number of function call parts of the \
             function call turn.",
        ))
    }
}
