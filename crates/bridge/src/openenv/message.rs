//! The messages of the protocol. Shapes as in `OpenEnv`'s `env_server/types.py`: an observation is
//! `{observation, reward, done}`, an error is `{message, code}`.

use quintain_core::Reply;
use quintain_core::surface::Surface;
use quintain_core::trial::TrialResult;
use quintain_models::model::{Points, ToolCall};
use quintain_models::tools::{self, Sight};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::super::seat::GuestEnd;
use super::super::session::SessionState;
use super::super::words;

/// What a trainer asks for when it resets. Fields that only other environments know are let pass.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(super) struct Reset {
    /// The seed of the instance.
    pub(super) seed: Option<u64>,
    /// A name of the trainer's own for the episode.
    pub(super) episode_id: Option<String>,
    /// The task: `suite/task@preset#seed`; preset and seed may be left out.
    pub(super) task: Option<String>,
    /// The task by its number in the list of tasks, where it is not named.
    pub(super) index: Option<usize>,
}

/// What a trainer does.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct OpenEnvStep {
    /// The action.
    pub(super) action: Value,
    /// The most seconds that it waits.
    #[serde(default)]
    pub(super) timeout_s: Option<f64>,
    /// Which episode, over plain HTTP; the one that began last if not given.
    #[serde(default)]
    pub(super) episode_id: Option<String>,
    /// A name of the trainer's own for the request: returned as it is.
    #[serde(default)]
    pub(super) request_id: Option<String>,
}

/// A message on a socket.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Incoming {
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) data: Value,
}

/// The protocol's words for what went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum ErrorCode {
    InvalidJson,
    UnknownType,
    ValidationError,
    ExecutionError,
    CapacityReached,
    FactoryError,
    SessionError,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OpenEnvFailure {
    pub(super) code: ErrorCode,
    message: String,
    more: Map<String, Value>,
}

impl OpenEnvFailure {
    pub(super) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), more: Map::new() }
    }

    #[must_use]
    pub(super) fn with(mut self, name: &str, value: Value) -> Self {
        self.more.insert(name.to_owned(), value);
        self
    }

    /// As the `data` of an error message.
    pub(super) fn data(self) -> Value {
        let mut data = json!({"message": self.message, "code": self.code});
        for (name, value) in self.more {
            data[name] = value;
        }
        data
    }
}

/// Reads something of a shape, or says what is wrong with it.
pub(super) fn shaped<T: for<'de> Deserialize<'de>>(value: Value) -> Result<T, OpenEnvFailure> {
    serde_json::from_value(value).map_err(|error| OpenEnvFailure::new(ErrorCode::ValidationError, error.to_string()))
}

/// Where a trial is, as an observation message: a picture is a PNG file in base 64. The reward comes at the
/// end: the score if the agent ended the trial rightly; nothing where a fault ended the trial, for that is no failure of
/// the policy.
pub(super) fn observed(at: &SessionState, reward: Option<f64>) -> Result<Value, OpenEnvFailure> {
    match at {
        SessionState::Turn(shown) => {
            let broke = |error: std::io::Error| OpenEnvFailure::new(ErrorCode::ExecutionError, error.to_string());
            let pictures = words::pictures(shown).map_err(broke)?;
            let pictures: Map<String, Value> =
                pictures.into_iter().map(|(part, picture)| (part.to_string(), picture.into())).collect();
            let observation = json!({
                "turn": shown.step_idx + 1,
                "text": words::turn(shown),
                "pictures": pictures,
                "remaining": shown.remaining,
            });
            Ok(json!({"observation": observation, "reward": reward, "done": false}))
        }
        SessionState::Over(over) => Ok(ended(over)),
    }
}

fn ended(over: &GuestEnd) -> Value {
    let observation = json!({"text": "The trial is over.", "pictures": {}});
    let (reward, metadata) = match over {
        GuestEnd::Judged(TrialResult { verdict, .. }) if verdict.ending.is_fault() => {
            (None, json!({"ending": verdict.ending.to_string(), "fault": verdict.fault}))
        }
        GuestEnd::Judged(TrialResult { verdict, spent }) => {
            let ending = verdict.ending.to_string();
            (Some(verdict.reward()), json!({"ending": ending, "solved": verdict.solved, "steps": spent.steps}))
        }
        GuestEnd::PutDown => (None, json!({"ending": "put down"})),
    };
    json!({"observation": observation, "reward": reward, "done": true, "metadata": metadata})
}

/// What an action says: `{"name", "arguments"}`, the same as `OpenEnv`'s tools write it
/// (`{"tool_name", "arguments"}`), or the words of a model as `{"text"}`.
pub(super) fn reply(action: &Value, surface: &Surface) -> Result<Reply, OpenEnvFailure> {
    if let Some(text) = action.get("text").and_then(Value::as_str) {
        return Ok(Reply::text(text));
    }
    let name = action.get("name").or_else(|| action.get("tool_name")).and_then(Value::as_str);
    let Some(name) = name else {
        let why = "an action is {\"name\": ..., \"arguments\": {...}} or {\"text\": ...}";
        return Err(OpenEnvFailure::new(ErrorCode::ValidationError, why));
    };
    let input = action.get("arguments").cloned().unwrap_or_else(|| json!({}));
    let call = ToolCall { id: String::new(), name: name.to_owned(), input, native: None, opaque: None };
    Ok(tools::read(&call, &Sight { computer: None, points: Points::Pixels, shown: surface.screen }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(action: &Value) -> String {
        match reply(action, &Surface::default()) {
            Ok(reply) => reply.raw,
            Err(failure) => failure.data().to_string(),
        }
    }

    #[test]
    fn actions_have_three_forms() {
        insta::assert_snapshot!(read(&json!({"name": "move", "arguments": {"direction": 2}})), @r#"{"arguments":{"direction":2},"name":"move"}"#);
        insta::assert_snapshot!(read(&json!({"type": "call_tool", "tool_name": "done"})), @r#"{"arguments":{},"name":"done"}"#);
        insta::assert_snapshot!(read(&json!({"text": "('stop', 'stop')"})), @"('stop', 'stop')");
        insta::assert_snapshot!(read(&json!({"value": 1})), @r#"{"code":"VALIDATION_ERROR","message":"an action is {\"name\": ..., \"arguments\": {...}} or {\"text\": ...}"}"#);
    }

    #[test]
    fn a_trial_that_was_put_down_has_no_reward() {
        let over = SessionState::Over(Box::new(GuestEnd::PutDown));
        insta::assert_snapshot!(observed(&over, Some(0.0)).unwrap(), @r#"{"done":true,"metadata":{"ending":"put down"},"observation":{"pictures":{},"text":"The trial is over."},"reward":null}"#);
    }
}
