//! An agent that is a program of its own: JSON lines on its standard input and output. `docs/agent-protocol.md` is the
//! contract.

mod process;
mod wire;

use std::time::Duration;

use quintain_core::{Agent, AgentError, Breakdown, Briefing, Reply, Turn};
use quintain_models::providers::redact;
use quintain_process::sandbox::{ProgramAccess, sandbox_hint};

use crate::lines::{Deadline, NoLine};
use process::{LastWords, Process};

/// The longest line a program may write.
pub const MAX_LINE: usize = 1 << 20;
/// How long a program may take to read the briefing.
const READING_LIMIT: Duration = Duration::from_secs(30);
/// How long a program may take to take note of a turn that is recalled.
const RECALL_LIMIT: Duration = Duration::from_mins(5);
/// How long a program may take to leave by itself when the trial is over.
const LEAVING_LIMIT: Duration = Duration::from_secs(2);

/// How much of a command line stands in messages.
const MAX_NAME: usize = 60;

/// A program that plays. It is started with the trial and is gone, with everything it started, when the trial is over.
#[derive(Debug)]
pub struct Subprocess {
    argv: Vec<String>,
    access: ProgramAccess,
    process: Option<Process>,
    broken: Option<AgentError>,
}

impl Subprocess {
    /// A program and its arguments, and what it may see. No shell is involved. It has our working directory, which is
    /// empty in a sandbox but for what it is shown, and outside of one our environment.
    pub fn new(argv: impl IntoIterator<Item = String>, access: ProgramAccess) -> Self {
        Self { argv: argv.into_iter().collect(), access, process: None, broken: None }
    }

    /// Writes a line; a program that does not read it in time is late.
    fn tell(&mut self, line: String, within: Duration) -> Result<(), AgentError> {
        let Some(process) = &mut self.process else {
            return Err(AgentError::harness(format!("agent {} is not running", self.name())));
        };
        process.tell(line, within).map_err(|why| self.stopped(why, within))
    }

    fn hear(&mut self, within: Duration, allowed: Duration) -> Result<String, AgentError> {
        let Some(process) = &self.process else {
            return Err(AgentError::harness(format!("agent {} is not running", self.name())));
        };
        process.hear(within).map_err(|why| self.stopped(why, allowed))
    }

    /// Ends the program and says why there is no reply.
    fn stopped(&mut self, why: NoLine, allowed: Duration) -> AgentError {
        let last = self.process.take().map(|process| process.close(Duration::ZERO)).unwrap_or_default();
        match (why, &last.exit) {
            (NoLine::Late, None) => AgentError::Late(allowed),
            (NoLine::Late | NoLine::Closed, Some(exit)) => self.broke(Breakdown::Exit, exit, &last),
            (NoLine::Closed, None) if last.is_host_kill => {
                AgentError::harness(self.told("was killed by the host, which ran out of memory", &last))
            }
            (NoLine::Closed, None) => self.broke(Breakdown::Exit, "closed its pipes or was killed", &last),
            (other, _) => self.broke(Breakdown::Protocol, &format!("broke the protocol: {other}"), &last),
        }
    }

    fn broke_protocol(&mut self, why: &str) -> AgentError {
        let last = self.process.take().map(|process| process.close(Duration::ZERO)).unwrap_or_default();
        self.broke(Breakdown::Protocol, &format!("broke the protocol: {why}"), &last)
    }

    fn broke(&self, how: Breakdown, what: &str, last: &LastWords) -> AgentError {
        AgentError::Broke { how, why: self.told(what, last) }
    }

    fn told(&self, what: &str, last: &LastWords) -> String {
        let mut why = format!("agent {} {what}", self.name());
        if !last.words.is_empty() {
            why.push_str("; its last words on standard error:\n");
            why.push_str(&redact(&last.words));
        }
        if let Some(hint) = sandbox_hint(&last.words).filter(|_| self.access.is_sandbox()) {
            why.push('\n');
            why.push_str(hint);
        }
        why
    }

    fn name(&self) -> String {
        let words: String = self.argv.join(" ").chars().take(MAX_NAME + 1).collect();
        let line = words.lines().next().unwrap_or_default();
        let is_whole = line.len() == words.len() && words.chars().count() <= MAX_NAME;
        if is_whole { format!("`{line}`") } else { format!("`{}...`", line.trim_end()) }
    }

    fn ask(&mut self, turn: &Turn<'_>, within: Duration) -> Result<Reply, AgentError> {
        let deadline = Deadline::after(within);
        let line = wire::turn(turn).map_err(|why| AgentError::harness(why.to_string()))?;
        self.refuse_unasked()?;
        self.tell(line, within)?;
        let line = self.hear(deadline.left(), within)?;
        match wire::reply(&line, turn.step_idx) {
            Ok(wire::ProgramReply::Reply(reply)) => Ok(reply),
            Ok(wire::ProgramReply::Fault(why)) => {
                Err(AgentError::Broke { how: Breakdown::Declared, why: redact(&why) })
            }
            Err(why) => Err(self.broke_protocol(&why)),
        }
    }

    /// Tells of a turn that was answered before. Its answer is on record, so being late here is no agent's failure.
    fn remind(&mut self, turn: &Turn<'_>, reply: &Reply, within: Duration) -> Result<(), AgentError> {
        let line = wire::recall(turn, reply).map_err(|why| AgentError::harness(why.to_string()))?;
        self.refuse_unasked()?;
        self.tell(line, within).map_err(|error| match error {
            AgentError::Late(allowed) => {
                let (name, step_idx) = (self.name(), turn.step_idx);
                AgentError::harness(format!("agent {name} did not take note of turn {step_idx} within {allowed:?}"))
            }
            other => other,
        })
    }

    fn refuse_unasked(&mut self) -> Result<(), AgentError> {
        match self.process.as_ref().and_then(Process::said_unasked) {
            Some(line) => {
                Err(self.broke_protocol(&format!("it wrote a line nobody asked for: {}", wire::excerpt(&line))))
            }
            None => Ok(()),
        }
    }
}

impl Agent for Subprocess {
    fn begin(&mut self, briefing: &Briefing) -> Result<(), AgentError> {
        self.broken = None;
        self.process = None;
        let started = Process::start(&self.argv, &self.access, MAX_LINE);
        let why = |error| AgentError::harness(format!("agent {} cannot be started: {error}", self.name()));
        self.process = Some(started.map_err(why)?);
        self.tell(wire::begin(briefing), READING_LIMIT)
    }

    fn act(&mut self, turn: &Turn<'_>, within: Duration) -> Result<Reply, AgentError> {
        match self.broken.take() {
            Some(error) => Err(error),
            None => self.ask(turn, within),
        }
    }

    /// What goes wrong here is told at the next turn that asks for an answer.
    fn recall(&mut self, turn: &Turn<'_>, reply: &Reply) {
        if self.broken.is_none() {
            self.broken = self.remind(turn, reply, RECALL_LIMIT).err();
        }
    }

    fn end(&mut self) {
        if let Some(mut process) = self.process.take() {
            let deadline = Deadline::after(LEAVING_LIMIT);
            let has_heard = process.tell(wire::end(), LEAVING_LIMIT).is_ok();
            let leaving = if has_heard { deadline.left() } else { Duration::ZERO };
            process.close(leaving);
        }
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::{Limits, Observation, ObservationPart, Spent};

    use super::*;

    #[test]
    fn being_late_with_a_recalled_turn_is_a_fault_and_no_failure() {
        let mut agent = Subprocess::new(["sleep", "1000"].map(str::to_owned), ProgramAccess::Host);
        agent.process = Some(Process::start(&agent.argv, &agent.access, MAX_LINE).unwrap());
        let seen = Observation::default().with_text(ObservationPart::Ascii, "#".repeat(1 << 20));
        let remaining = Limits::steps(9).after(&Spent::default()).expect("nine steps are left");
        let turn = Turn { step_idx: 4, observation: &seen, remaining };
        agent.broken = agent.remind(&turn, &Reply::text("move(0)"), Duration::from_millis(200)).err();
        agent.recall(&turn, &Reply::text("move(0)"));
        let error = agent.act(&turn, Duration::from_secs(20)).unwrap_err();
        insta::assert_snapshot!(error, @"harness fault: agent `sleep 1000` did not take note of turn 4 within 200ms");
    }
}
