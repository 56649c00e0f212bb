//! A guest's trial as a bridge plays it: turn by turn, until it is over.

use std::sync::Arc;

use quintain_core::trial::TrialResult;
use quintain_core::{Briefing, InstanceId, Reply, TrialId};

use super::offered_tasks::{NotBegun, TrialStarter};
use super::seat::{Guest, GuestEnd, ShownTurn};

/// A guest's trial. When it is dropped before its end, the guest has left and the trial ends as out of time.
#[derive(Debug)]
pub struct GuestSession {
    trial: TrialId,
    briefing: Briefing,
    guest: Guest,
    /// Nothing while a reply is being carried out, so that whoever stops waiting for that misses nothing.
    at: Option<SessionState>,
}

/// Where a trial is.
#[derive(Clone, Debug)]
pub enum SessionState {
    /// A turn waits for a reply.
    Turn(Box<ShownTurn>),
    /// It is over.
    Over(Box<GuestEnd>),
}

impl GuestSession {
    /// Begins a trial and waits for its first turn.
    pub async fn begin(reception: Arc<dyn TrialStarter>, instance: InstanceId) -> Result<Self, NotBegun> {
        let begun = tokio::task::spawn_blocking(move || reception.begin(&instance)).await;
        let (trial, guest) = begun.map_err(|_panicked| NotBegun::Closed)??;
        Self::seated(trial, guest).await
    }

    /// Waits for the first turn of a trial that somebody else began.
    pub async fn seated(trial: TrialId, mut guest: Guest) -> Result<Self, NotBegun> {
        let briefing = guest.briefing().await.map_err(|over| NotBegun::Broke(why(&over)))?;
        let mut session = Self { trial, briefing, guest, at: None };
        session.at().await;
        Ok(session)
    }

    /// Which trial it is.
    pub fn trial(&self) -> &TrialId {
        &self.trial
    }

    /// What it is about.
    pub fn briefing(&self) -> &Briefing {
        &self.briefing
    }

    /// Where it is now. Waits for a reply that is being carried out.
    pub async fn at(&mut self) -> &SessionState {
        let is_stale = self.guest.is_over() && matches!(self.at, Some(SessionState::Turn(_)));
        if is_stale || self.at.is_none() {
            self.at = None;
            self.at = Some(SessionState::of(self.guest.turn().await));
        }
        self.at.as_ref().expect("it was filled above")
    }

    /// Answers the turn that waits, and waits for what comes next. A trial that is over stays over.
    pub async fn reply(&mut self, reply: Reply) -> &SessionState {
        if let SessionState::Turn(_) = self.at().await {
            self.at = None;
            self.guest.reply(reply);
        }
        self.at().await
    }

    /// Tells when the trial is over, whether or not anybody replies.
    pub fn over(&self) -> tokio::sync::watch::Receiver<bool> {
        self.guest.over()
    }
}

impl SessionState {
    fn of(next: Result<ShownTurn, GuestEnd>) -> Self {
        next.map_or_else(|over| Self::Over(Box::new(over)), |shown| Self::Turn(Box::new(shown)))
    }
}

/// Why a trial was over before it began.
fn why(over: &GuestEnd) -> String {
    match over {
        GuestEnd::Judged(TrialResult { verdict, .. }) => {
            verdict.fault.clone().unwrap_or_else(|| verdict.ending.to_string())
        }
        GuestEnd::PutDown => "the host is closing".to_owned(),
    }
}
