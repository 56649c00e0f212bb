//! An agent that says again what was said in a recorded trial, and watches whether the world looks as it did.

mod divergence;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use quintain_core::lock::LockAlways as _;
use quintain_core::{Agent, AgentError, Briefing, Reply, Trajectory, Turn};

pub use divergence::{Divergence, DivergenceKind};

/// Replays a trajectory. The first divergence is in the [`ReplayReport`], the trial itself goes on.
#[derive(Clone, Debug)]
pub struct Replay {
    trajectory: Arc<Trajectory>,
    report: ReplayReport,
}

/// What a replay has found so far. Clones share it, so it can be read after the trial.
#[derive(Clone, Debug, Default)]
pub struct ReplayReport(Arc<Mutex<Findings>>);

#[derive(Debug, Default)]
struct Findings {
    n_compared: u32,
    first: Option<Divergence>,
}

impl Replay {
    /// An agent that replays the trajectory.
    pub fn new(trajectory: Trajectory) -> Self {
        Self { trajectory: Arc::new(trajectory), report: ReplayReport::default() }
    }

    /// Where the first divergence will stand.
    pub fn report(&self) -> ReplayReport {
        self.report.clone()
    }

    fn compare(&self, turn: &Turn<'_>) {
        let recorded = self.trajectory.steps.get(turn.step_idx as usize).map(|step| &step.shown);
        self.report.note(|| Divergence::between(turn.step_idx, recorded, &turn.observation.record()));
    }
}

impl ReplayReport {
    /// The first turn that did not look as it was recorded, if there was one.
    pub fn first_divergence(&self) -> Option<Divergence> {
        self.findings().first.clone()
    }

    /// How many turns were compared with the recording.
    pub fn n_compared(&self) -> u32 {
        self.findings().n_compared
    }

    fn findings(&self) -> std::sync::MutexGuard<'_, Findings> {
        self.0.lock().always()
    }

    fn note(&self, compare: impl FnOnce() -> Option<Divergence>) {
        let mut findings = self.findings();
        findings.n_compared += 1;
        if findings.first.is_none() {
            findings.first = compare();
        }
    }
}

impl Agent for Replay {
    fn begin(&mut self, _briefing: &Briefing) -> Result<(), AgentError> {
        *self.report.findings() = Findings::default();
        Ok(())
    }

    fn act(&mut self, turn: &Turn<'_>, _within: Duration) -> Result<Reply, AgentError> {
        self.compare(turn);
        let recorded = self.trajectory.steps.get(turn.step_idx as usize);
        recorded.map(|step| step.reply.clone()).ok_or_else(|| {
            AgentError::harness(format!("the recording ends after {} turns", self.trajectory.steps.len()))
        })
    }

    fn recall(&mut self, turn: &Turn<'_>, _reply: &Reply) {
        self.compare(turn);
    }

    /// A replay that stops short of the recording has diverged too.
    fn end(&mut self) {
        let n_played = self.report.n_compared();
        let n_recorded = self.trajectory.steps.len() as u32;
        if n_played < n_recorded {
            let mut findings = self.report.findings();
            findings
                .first
                .get_or_insert(Divergence { step_idx: n_played, what: DivergenceKind::EndedEarly { n_recorded } });
        }
    }
}
