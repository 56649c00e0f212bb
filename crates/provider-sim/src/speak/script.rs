//! A mind that says what was written down for it.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::asked::ReadRequest;
use crate::mind::{Mind, MindReply, SpokenCall, UnknownToMind};

/// Says the lines of a file. A line with a `turn` is said in that turn; of several with the same turn, the second is for
/// the second try. Lines without a turn are said in order, one for each time the model has spoken in the request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScriptSpeaker {
    lines: Vec<ScriptLine>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptLine {
    turn: Option<u32>,
    thought: Option<String>,
    text: Option<String>,
    #[serde(default)]
    calls: Vec<ScriptCall>,
}

/// A call as it is written: `{"name": ..., "arguments": {...}}` or `{"native": {...}}`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "WrittenFields")]
enum ScriptCall {
    Native { native: Value },
    Function { name: String, arguments: Value },
}

/// Whatever a call may have.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenFields {
    #[serde(default, deserialize_with = "named")]
    native: Option<Value>,
    name: Option<String>,
    #[serde(default, deserialize_with = "named")]
    arguments: Option<Value>,
}

/// Whatever is named is there, be it `null`.
fn named<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl TryFrom<WrittenFields> for ScriptCall {
    type Error = &'static str;

    fn try_from(fields: WrittenFields) -> Result<Self, Self::Error> {
        match fields {
            WrittenFields { native: Some(native), name: None, arguments: None } => Ok(Self::Native { native }),
            WrittenFields { native: None, name: Some(name), arguments } => {
                Ok(Self::Function { name, arguments: arguments.unwrap_or_else(|| Value::Object(Map::new())) })
            }
            WrittenFields { native: Some(_), .. } => Err("a call with `native` has neither `name` nor `arguments`"),
            WrittenFields { native: None, name: None, .. } => Err("a call has a `name`, or is `native`"),
        }
    }
}

/// A line of a script that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("line {line} of the script cannot be read: {cause}")]
pub struct ScriptError {
    line: usize,
    cause: serde_json::Error,
}

impl ScriptSpeaker {
    /// Reads JSON lines, each `{"turn"?: N, "thought"?: TEXT, "text"?: TEXT, "calls"?: [CALL, ...]}`. Empty lines are left
    /// out.
    pub fn read(text: &str) -> Result<Self, ScriptError> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let read = |(idx, line)| serde_json::from_str(line).map_err(|cause| ScriptError { line: idx + 1, cause });
        Ok(Self { lines: lines.map(read).collect::<Result<_, _>>()? })
    }

    /// The line that is for this request.
    fn line(&self, asked: &ReadRequest) -> Option<&ScriptLine> {
        let of_turn = asked.turn().and_then(|(turn, at)| {
            let n_tries = n_answers(asked, at);
            self.lines.iter().filter(|line| line.turn == Some(turn)).nth(n_tries)
        });
        of_turn.or_else(|| self.lines.iter().filter(|line| line.turn.is_none()).nth(asked.n_answers()))
    }
}

/// How many times the model has spoken since this piece.
fn n_answers(asked: &ReadRequest, since: usize) -> usize {
    let said = &asked.said[since..];
    let begins = |pair: &[crate::asked::SaidMessage]| !pair[0].by_model && pair[1].by_model;
    said.windows(2).filter(|pair| begins(pair)).count()
}

impl Mind for ScriptSpeaker {
    fn say(&self, asked: &ReadRequest) -> Result<MindReply, UnknownToMind> {
        let line = self.line(asked).ok_or_else(|| match asked.turn() {
            Some((turn, _)) => UnknownToMind(format!("the script says nothing for turn {turn}")),
            None => UnknownToMind(format!("the script says nothing after {} answers", asked.n_answers())),
        })?;
        Ok(MindReply {
            thought: line.thought.clone(),
            text: line.text.clone(),
            calls: line.calls.iter().cloned().map(SpokenCall::from).collect(),
        })
    }
}

impl From<ScriptCall> for SpokenCall {
    fn from(written: ScriptCall) -> Self {
        match written {
            ScriptCall::Native { native } => Self::Native(native),
            ScriptCall::Function { name, arguments } => Self::Function { name, arguments },
        }
    }
}
