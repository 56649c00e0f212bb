//! Traces of what was played, for whoever collects them.

use std::time::Duration;

use quintain_runner::engine::{SystemClock, WallClock};
use quintain_store::{LineRange, RunDir};

use super::context::WorkerContext;
use super::hand_in_queue::FinishedTrial;
use crate::traces::PlayedAttempt;

/// How long a worker that ends waits for its last traces.
const WITHIN: Duration = Duration::from_secs(5);

/// Offers the trace of an attempt whose record is on disk. What cannot be read has been told of by others.
pub(super) fn offer(context: &WorkerContext<'_>, run: &RunDir, brought: &FinishedTrial) {
    let Some(tracer) = &context.tracer else { return };
    let (lease, trial) = (&brought.finish.lease, &brought.finish.trial);
    let name = trial.to_string();
    if !tracer.wants(&lease.run, &name, lease.attempt) {
        return;
    }
    let place = brought.place().and_then(|place| place.parse::<LineRange>().ok());
    let Some(lines) = place.and_then(|place| run.lines(&place).ok()) else { return };
    let agent = run.header().agents.iter().find(|agent| agent.label == trial.agent);
    tracer.offer(PlayedAttempt {
        run: lease.run.clone(),
        trial: name,
        attempt: lease.attempt,
        agent: trial.agent.clone(),
        model: agent.and_then(|agent| agent.model.clone()),
        ended_ms: SystemClock.now_ms(),
        lines,
    });
}

/// Sends the last ones.
pub(super) fn flush(context: &WorkerContext<'_>) {
    let Some(tracer) = &context.tracer else { return };
    let n_dropped = context.block_on(tracer.flush(WITHIN));
    if n_dropped > 0 {
        context.log(&format!("{n_dropped} traces could not be sent"));
    }
}
