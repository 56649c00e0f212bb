//! Worlds whose trials take place elsewhere: nothing is seen or done through us, only the end comes here.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use quintain_core::action::Action;
use quintain_core::world::{Collected, OpenContext, OracleStyle, World, WorldError, WorldKind, WorldSupport};
use quintain_core::{
    Agent, Digest, Evidence, Feedback, Instance, InstanceGoal, Observation, ObservationPart, Pick, Surface, Task,
};

/// Where a trial takes place.
pub trait OutsideSource: Send + Sync {
    /// What the agent needs to know to go there.
    fn directions(&self) -> String;

    /// What there is now.
    fn collect(&self) -> Collected;
}

/// A kind of world with the same instances as another, whose trials take place elsewhere.
pub struct OutsideWorld {
    kind: Arc<dyn WorldKind>,
    venue: Arc<dyn OutsideSource>,
}

impl OutsideWorld {
    /// Trials of that kind at that venue. A venue has room for one trial.
    pub fn new(kind: Arc<dyn WorldKind>, venue: Arc<dyn OutsideSource>) -> Self {
        Self { kind, venue }
    }
}

impl WorldKind for OutsideWorld {
    fn kind(&self) -> &str {
        self.kind.kind()
    }

    fn digest(&self, task: &Task) -> Digest {
        self.kind.digest(task)
    }

    /// What was done elsewhere is not on record, so nothing can be done again.
    fn is_deterministic(&self) -> bool {
        false
    }

    fn is_costly(&self) -> bool {
        self.kind.is_costly()
    }

    fn instantiate_whole(&self, task: &Task, pick: &Pick) -> Result<Instance, WorldError> {
        self.kind.instantiate_whole(task, pick)
    }

    fn instantiate_stretch(&self, task: &Task, pick: &Pick) -> Result<Instance, WorldError> {
        self.kind.instantiate_stretch(task, pick)
    }

    fn open(&self, _instance: &Instance) -> Result<Box<dyn World + Send>, WorldError> {
        Ok(Box::new(OutsideView(Arc::clone(&self.venue))))
    }

    /// Whoever plays elsewhere has been given the files there.
    fn open_with(&self, instance: &Instance, _given: &OpenContext<'_>) -> Result<Box<dyn World + Send>, WorldError> {
        self.open(instance)
    }

    fn supports(&self, task: &Task) -> WorldSupport {
        self.kind.supports(task)
    }

    fn oracle(&self, instance: &Instance, style: &OracleStyle) -> Result<Box<dyn Agent + Send>, WorldError> {
        self.kind.oracle(instance, style)
    }

    fn goal(&self, instance: &Instance) -> InstanceGoal {
        self.kind.goal(instance)
    }
}

/// What is seen of a trial that takes place elsewhere.
struct OutsideView(Arc<dyn OutsideSource>);

impl World for OutsideView {
    fn surface(&self) -> Surface {
        Surface { parts: [ObservationPart::Text].into(), ..Surface::default() }
    }

    fn observe(&mut self, wanted: &BTreeSet<ObservationPart>, _within: Duration) -> Result<Observation, WorldError> {
        let nothing = Observation::default();
        Ok(if wanted.contains(&ObservationPart::Text) {
            nothing.with_text(ObservationPart::Text, self.0.directions())
        } else {
            nothing
        })
    }

    fn apply(&mut self, _action: &Action, _within: Duration) -> Result<Feedback, WorldError> {
        Ok(Feedback::refused("Nothing can be done from here: the trial takes place elsewhere."))
    }

    fn snapshot(&mut self, _within: Duration) -> Result<Evidence, WorldError> {
        Ok(self.0.collect().evidence)
    }

    fn collect(&mut self, _within: Duration) -> Result<Collected, WorldError> {
        Ok(self.0.collect())
    }
}
