//! One trial for one guest to come: it begins when the guest does, and lasts however often the guest connects.

use std::sync::Arc;

use quintain_core::{Briefing, InstanceId, Reply};
use tokio::sync::{MappedMutexGuard, Mutex, MutexGuard};
use tokio::task::JoinHandle;

use super::reception::{NotBegun, Reception};
use super::session::{At, Session};

/// One trial for one guest to come. A connection that breaks in the middle of a turn loses nothing of it.
pub struct Slot {
    instance: InstanceId,
    reception: Arc<dyn Reception>,
    stage: Mutex<Stage>,
}

enum Stage {
    Fresh,
    Beginning(JoinHandle<Result<Session, NotBegun>>),
    Begun(Box<Session>),
    Refused(NotBegun),
}

impl Slot {
    /// A trial of an instance, not begun yet.
    pub fn new(instance: InstanceId, reception: Arc<dyn Reception>) -> Self {
        Self { instance, reception, stage: Mutex::new(Stage::Fresh) }
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
    pub async fn at(&self) -> Result<At, NotBegun> {
        Ok(self.begun().await?.at().await.clone())
    }

    /// Answers the turn that waits, and returns where the trial is then.
    pub async fn reply(&self, reply: Reply) -> Result<At, NotBegun> {
        Ok(self.begun().await?.reply(reply).await.clone())
    }

    async fn begun(&self) -> Result<MappedMutexGuard<'_, Session>, NotBegun> {
        let mut stage = self.stage.lock().await;
        if let Stage::Fresh = *stage {
            let begin = Session::begin(Arc::clone(&self.reception), self.instance.clone());
            *stage = Stage::Beginning(tokio::spawn(begin));
        }
        if let Stage::Beginning(begun) = &mut *stage {
            let begun = begun.await.unwrap_or(Err(NotBegun::Closed));
            *stage = begun.map_or_else(Stage::Refused, |session| Stage::Begun(Box::new(session)));
        }
        if let Stage::Refused(why) = &*stage {
            return Err(why.clone());
        }
        let session = MutexGuard::try_map(stage, |stage| match stage {
            Stage::Begun(session) => Some(session.as_mut()),
            _ => None,
        });
        session.map_err(|_still_fresh| NotBegun::Closed)
    }
}
