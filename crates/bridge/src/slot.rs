//! One trial for one guest to come: it begins when the guest does, and lasts however often the guest connects.

use std::sync::Arc;

use quintain_core::{Briefing, InstanceId, Reply};
use tokio::sync::{MappedMutexGuard, Mutex, MutexGuard};
use tokio::task::JoinHandle;

use super::offered_tasks::{NotBegun, TrialStarter};
use super::session::{GuestSession, SessionState};

/// One trial for one guest to come. A connection that breaks in the middle of a turn loses nothing of it.
pub struct GuestSlot {
    instance: InstanceId,
    reception: Arc<dyn TrialStarter>,
    stage: Mutex<SlotStage>,
}

enum SlotStage {
    Fresh,
    Beginning(JoinHandle<Result<GuestSession, NotBegun>>),
    Begun(Box<GuestSession>),
    Refused(NotBegun),
}

impl GuestSlot {
    /// A trial of an instance, not begun yet.
    pub fn new(instance: InstanceId, reception: Arc<dyn TrialStarter>) -> Self {
        Self { instance, reception, stage: Mutex::new(SlotStage::Fresh) }
    }

    /// Which instance it is of.
    pub fn instance(&self) -> &InstanceId {
        &self.instance
    }

    /// What the trial is about. It begins now if it has not.
    pub async fn briefing(&self) -> Result<Briefing, NotBegun> {
        Ok(self.begun().await?.briefing().clone())
    }

    /// Where the trial is. It begins now if it has not.
    pub async fn at(&self) -> Result<SessionState, NotBegun> {
        Ok(self.begun().await?.at().await.clone())
    }

    /// Answers the turn that waits, and returns where the trial is then.
    pub async fn reply(&self, reply: Reply) -> Result<SessionState, NotBegun> {
        Ok(self.begun().await?.reply(reply).await.clone())
    }

    async fn begun(&self) -> Result<MappedMutexGuard<'_, GuestSession>, NotBegun> {
        let mut stage = self.stage.lock().await;
        if let SlotStage::Fresh = *stage {
            let begin = GuestSession::begin(Arc::clone(&self.reception), self.instance.clone());
            *stage = SlotStage::Beginning(tokio::spawn(begin));
        }
        if let SlotStage::Beginning(begun) = &mut *stage {
            let begun = begun.await.unwrap_or(Err(NotBegun::Closed));
            *stage = begun.map_or_else(SlotStage::Refused, |session| SlotStage::Begun(Box::new(session)));
        }
        if let SlotStage::Refused(why) = &*stage {
            return Err(why.clone());
        }
        let session = MutexGuard::try_map(stage, |stage| match stage {
            SlotStage::Begun(session) => Some(session.as_mut()),
            _ => None,
        });
        session.map_err(|_still_fresh| NotBegun::Closed)
    }
}
