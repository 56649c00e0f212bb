//! An agent that says what it was given to say.

use std::time::Duration;

use quintain_core::{Action, Agent, AgentError, Briefing, Call, Reply, Turn};

/// The words that end a trial.
pub const STOP: &str = "('stop', 'stop')";

/// Says a fixed list of replies, one a turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    replies: Vec<Reply>,
}

impl Script {
    /// Says these replies, in order.
    pub fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self { replies: replies.into_iter().collect() }
    }

    /// Does these actions, in order.
    pub fn of_actions<'a>(actions: impl IntoIterator<Item = &'a Action>) -> Self {
        Self::new(actions.into_iter().map(|action| Reply::text(say(action))))
    }

    /// Whether some reply has these words in it.
    pub(crate) fn says(&self, words: &str) -> bool {
        self.replies.iter().any(|reply| reply.raw.contains(words))
    }

    /// Says the lines of a text, such as a task's `oracle.txt`. Empty lines and lines that begin with `#` are not said.
    pub fn of_lines(text: &str) -> Self {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        Self::new(lines.map(Reply::text))
    }
}

/// The number of the turn is the place in the script, so there is nothing to remember.
impl Agent for Script {
    fn begin(&mut self, _briefing: &Briefing) -> Result<(), AgentError> {
        Ok(())
    }

    fn act(&mut self, turn: &Turn<'_>, _within: Duration) -> Result<Reply, AgentError> {
        self.replies.get(turn.step_idx as usize).cloned().ok_or_else(|| {
            AgentError::harness(format!("the script ends after {} replies, the trial does not", self.replies.len()))
        })
    }

    fn recall(&mut self, _turn: &Turn<'_>, _reply: &Reply) {}
}

/// An action in the words of an agent: a tuple for a call, JSON for the rest.
pub fn say(action: &Action) -> String {
    match action {
        Action::Call(call) => say_call(call),
        Action::Done => STOP.to_owned(),
        other => other.to_string(),
    }
}

fn say_call(Call { name, args }: &Call) -> String {
    let args: Vec<String> = args.iter().map(ToString::to_string).collect();
    match args.as_slice() {
        [] => format!("('{name}', '{name}')"),
        args => format!("('{name}', {})", args.join(", ")),
    }
}
