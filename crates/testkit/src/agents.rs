//! Agents for the counter.

use std::time::Duration;

use quintain_core::{Agent, AgentError, Briefing, Instance, Reply, Turn};

/// Counts up to the target, one by one, and stops. Tells whoever listens of every turn it is asked about.
pub struct Counting {
    target: u32,
    value: u32,
    heard: Box<dyn FnMut(u32) + Send>,
}

impl Counting {
    /// One that solves the instance.
    pub fn to(instance: &Instance) -> Self {
        let target = instance.start["target"].as_u64().unwrap_or(0) as u32;
        Self { target, value: 0, heard: Box::new(|_| {}) }
    }

    /// Calls back for every turn that it has to think about, with the number of the turn.
    #[must_use]
    pub fn heard_by(mut self, heard: impl FnMut(u32) + Send + 'static) -> Self {
        self.heard = Box::new(heard);
        self
    }

    fn next(&mut self) -> &'static str {
        if self.value >= self.target {
            return "('stop', 'stop')";
        }
        self.value += 1;
        "('add', 1)"
    }
}

impl Agent for Counting {
    fn begin(&mut self, _briefing: &Briefing) -> Result<(), AgentError> {
        Ok(())
    }

    fn act(&mut self, turn: &Turn<'_>, _within: Duration) -> Result<Reply, AgentError> {
        (self.heard)(turn.step_idx);
        Ok(Reply::text(self.next()))
    }

    fn recall(&mut self, _turn: &Turn<'_>, _reply: &Reply) {
        self.next();
    }
}

/// Says the same things in order, whatever it is shown, then stops.
pub struct Fixed(std::vec::IntoIter<String>);

impl Fixed {
    /// One with these lines.
    pub fn saying<'a>(lines: impl IntoIterator<Item = &'a str>) -> Self {
        Self(lines.into_iter().map(str::to_owned).collect::<Vec<_>>().into_iter())
    }
}

impl Agent for Fixed {
    fn begin(&mut self, _briefing: &Briefing) -> Result<(), AgentError> {
        Ok(())
    }

    fn act(&mut self, _turn: &Turn<'_>, _within: Duration) -> Result<Reply, AgentError> {
        Ok(Reply::text(self.0.next().unwrap_or_else(|| "('stop', 'stop')".to_owned())))
    }

    fn recall(&mut self, _turn: &Turn<'_>, _reply: &Reply) {
        self.0.next();
    }
}
