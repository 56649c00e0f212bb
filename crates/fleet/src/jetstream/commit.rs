//! Handing in outcomes and putting units back.

use std::time::Instant;

use futures_util::{StreamExt, TryStreamExt, stream};
use quintain_runner::engine::{
    AttemptEnd, Committed, EngineError, Hold, Lease, Outcome, RecordedOutcome, Release, RunDirection,
};

use super::NatsEngine;
use super::fitting::{fitting, most_bytes};
use super::handle::LeaseHandle;
use super::holdings::{ClockMoment, ParcelClose};
use super::server::{MessagePut, WITHIN};
use super::tries::ServerTries;
use super::wire::{HandedIn, PastAttempt};
use crate::ask::{MessageSource, StreamMessage};
use crate::server_failure::failed;

/// How many outcomes are under way at once.
const AT_ONCE: usize = 256;

impl NatsEngine {
    pub(super) async fn hand_in(&self, results: &[(Lease, Outcome)]) -> Result<Vec<Committed>, EngineError> {
        let each: Vec<_> = results.iter().map(|(lease, outcome)| self.hand_in_one(lease, outcome)).collect();
        stream::iter(each).buffered(AT_ONCE).try_collect().await
    }

    async fn hand_in_one(&self, lease: &Lease, outcome: &Outcome) -> Result<Committed, EngineError> {
        let committed = self.arbitrate(lease, outcome).await?;
        if let Committed::Already(counts) = &committed
            && (counts.attempt, &counts.outcome.place) != (lease.attempt, &outcome.place)
        {
            self.note_late(lease, outcome, counts).await?;
        }
        let closes = self.holdings().settle(lease);
        for close in closes {
            self.close(close).await?;
        }
        Ok(committed)
    }

    /// The first message on the unit's subject counts. A refusal does not prove that another was first, nor silence
    /// that ours is not there; what is there is looked at.
    async fn arbitrate(&self, lease: &Lease, outcome: &Outcome) -> Result<Committed, EngineError> {
        let (claim, nonce) = (self.claim(lease), LeaseHandle::of(lease).nonce);
        let subject = self.names.outcome(&claim.run, claim.idx, &claim.ticket);
        // One that no message can hold would be handed in again and again, and never count.
        let outcome = fitting(outcome, most_bytes(self.server.client.server_info().max_payload)).into_owned();
        let handed_in = HandedIn { unit: lease.unit.clone(), attempt: lease.attempt, nonce, outcome };
        let body = serde_json::to_vec(&handed_in).map_err(failed("write down an outcome"))?;
        let mut tries = ServerTries::begin();
        loop {
            let put = self.server.put(subject.clone(), Some(0), body.clone()).await;
            if let MessagePut::At(_) = put {
                return Ok(Committed::Won);
            }
            let trouble = match self.look(&claim, MessageSource::Outcome).await {
                Ok(Some(there)) => return decide(&handed_in, &there),
                Ok(None) => failed("hand in an outcome")(format!("{put:?}")),
                Err(error) => error,
            };
            tries.again(trouble).await?;
        }
    }

    async fn note_late(&self, lease: &Lease, outcome: &Outcome, counts: &RecordedOutcome) -> Result<(), EngineError> {
        let mut late =
            PastAttempt { attempt: lease.attempt, end: AttemptEnd::Late, place: Some(outcome.place.clone()) };
        let claim = self.claim(lease);
        let mut known = self.holdings().known(lease);
        if counts.attempt == lease.attempt {
            // The server had forgotten that it gave the unit out, and gave the same number out again.
            let history = self.read_history(&claim).await?;
            if history.1.attempts.iter().any(|past| past.end == late.end && past.place == late.place) {
                return Ok(());
            }
            late.attempt = history.1.highest().max(counts.attempt) + 1;
            known = Some(history);
        }
        let known = self.note(&claim, &lease.unit, known, &[late]).await?;
        self.holdings().learn(lease, known);
        Ok(())
    }

    pub(super) async fn put_back(&self, lease: &Lease, release: &Release) -> Result<Hold, EngineError> {
        let is_cancelled = self.direction_heard(&lease.run) == RunDirection::Cancel;
        let is_lost = !is_cancelled && self.hold(lease, ClockMoment::now()) == Hold::Lost;
        // If the unit is settled meanwhile, it is given to nobody else who would see that this attempt was lost.
        let end = if is_lost { AttemptEnd::Lost } else { release.end.clone() };
        let past = PastAttempt { attempt: lease.attempt, end, place: release.place.clone() };
        let known = self.holdings().known(lease);
        let known = self.note(&self.claim(lease), &lease.unit, known, &[past]).await?;
        self.holdings().learn(lease, known);
        if is_cancelled || is_lost {
            return Ok(Hold::Lost);
        }
        let close = self.holdings().put_back(lease, Instant::now() + release.delay);
        if let Some(close) = close {
            self.close(close).await?;
        }
        Ok(Hold::Still)
    }

    async fn close(&self, close: ParcelClose) -> Result<(), EngineError> {
        match close {
            ParcelClose::Done(ack) => self.server.ack(&ack).await,
            ParcelClose::Again(ack, rest) => {
                let nak = format!("-NAK {{\"delay\": {}}}", rest.as_nanos());
                self.server.tell(&ack, nak, WITHIN).await
            }
        }
    }
}

/// Ours, if it has our nonce.
fn decide(ours: &HandedIn, there: &StreamMessage) -> Result<Committed, EngineError> {
    let unreadable = |why: serde_json::Error| EngineError::Unreadable { unit: ours.unit.clone(), why: why.to_string() };
    let found: HandedIn = serde_json::from_str(&there.body).map_err(unreadable)?;
    if found.nonce == ours.nonce {
        return Ok(Committed::Won);
    }
    let HandedIn { unit, attempt, outcome, .. } = found;
    Ok(Committed::Already(Box::new(RecordedOutcome { seq: there.seq, unit, attempt, outcome })))
}
