//! A dial to turn: a small world, sound or with one flaw.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use quintain_agents::Script;
use quintain_core::action::{Action, Call};
use quintain_core::instance::render;
use quintain_core::surface::ActionGroup;
use quintain_core::trajectory::Feedback;
use quintain_core::world::{Collected, OracleStyle};
use quintain_core::{
    Agent, CallSchema, Digest, Evidence, Instance, InstanceId, Observation, ObservationPart, Pick, Picture, Rng,
    Surface, Task, ValueType, World, WorldError, WorldKind,
};
use serde_json::json;

/// What is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    None,
    TellsTheSecret,
    SecretAstray,
    Jitter,
    OtherInstances,
    ShowsTheGoal,
    MovesWhenRefusing,
    TakesUnpublishedCalls,
    SameSolution,
    Panics,
    NoInstances,
}

pub(super) struct Dial {
    flaw: Flaw,
    clock: Arc<AtomicU64>,
}

impl Dial {
    pub(super) fn new(flaw: Flaw) -> Self {
        Self { flaw, clock: Arc::new(AtomicU64::new(0)) }
    }
}

struct Open {
    flaw: Flaw,
    clock: Arc<AtomicU64>,
    at: i64,
    target: i64,
    token: String,
}

const STEP: i64 = 5;

impl WorldKind for Dial {
    fn kind(&self) -> &'static str {
        "dial"
    }

    fn digest(&self, _task: &Task) -> Digest {
        Digest::of(format!("{:?}", self.flaw).as_bytes())
    }

    fn is_deterministic(&self) -> bool {
        true
    }

    fn instantiate_whole(&self, task: &Task, pick: &Pick) -> Result<Instance, WorldError> {
        if self.flaw == Flaw::NoInstances {
            return Err(WorldError::setup("the dial is lost"));
        }
        let parameters = task.parameters(pick);
        let varies = task.spec.parameters["target"].generator.is_some();
        let mut rng = Rng::for_purpose(pick.seed.filter(|_| varies).unwrap_or(0), "token");
        let tick = if self.flaw == Flaw::OtherInstances { self.clock.fetch_add(1, Ordering::Relaxed) } else { 0 };
        let target = if self.flaw == Flaw::SameSolution { &json!(20) } else { &parameters["target"] };
        let mut start = json!({"target": target, "token": format!("{:016x}", rng.next_u64()), "tick": tick});
        if task.spec.result.infeasible {
            start["stuck"] = true.into();
        }
        let mut parameters = parameters.clone();
        parameters.insert("target".to_owned(), start["target"].clone());
        let secret = if self.flaw == Flaw::SecretAstray { "/tokn" } else { "/token" };
        Ok(Instance {
            id: InstanceId { task: task.id.clone(), pick: pick.clone() },
            instruction: render(task, &parameters).map_err(WorldError::setup)?,
            parameters,
            start,
            secrets: vec![secret.to_owned()],
            source: None,
        })
    }

    fn open(&self, instance: &Instance) -> Result<Box<dyn World + Send>, WorldError> {
        Ok(Box::new(Open {
            flaw: self.flaw,
            clock: Arc::clone(&self.clock),
            at: 0,
            target: instance.start["target"].as_i64().unwrap_or(0),
            token: instance.start["token"].as_str().unwrap_or_default().to_owned(),
        }))
    }

    fn oracle(&self, instance: &Instance, _style: &OracleStyle) -> Result<Box<dyn Agent + Send>, WorldError> {
        if instance.start["stuck"] == true {
            return Ok(Box::new(Script::of_actions(&[Action::GiveUp { reason: "it is stuck".to_owned() }])));
        }
        let target = instance.start["target"].as_i64().unwrap_or(0);
        let turns = (0..target).step_by(STEP as usize).map(|at| Action::call("turn", [(target - at).min(STEP).into()]));
        let actions: Vec<Action> = turns.chain([Action::Done]).collect();
        Ok(Box::new(Script::of_actions(&actions)))
    }
}

fn picture(of: i64) -> Arc<Picture> {
    Arc::new(Picture::filled(2, 2, [of as u8, 0, 0]))
}

impl World for Open {
    fn surface(&self) -> Surface {
        let turn = CallSchema::plain("turn", "Turns the dial.").arg(
            "by",
            ValueType::Integer { min: 1, max: STEP },
            "how far",
            1,
        );
        let mut calls = vec![turn];
        if self.flaw == Flaw::TakesUnpublishedCalls {
            calls.push(CallSchema::plain("reveal", "Left in by mistake."));
        }
        let parts = [ObservationPart::Screen, ObservationPart::Goal, ObservationPart::Text].into();
        Surface { calls, groups: [ActionGroup::Call].into(), parts, screen: None }
    }

    fn observe(&mut self, wanted: &BTreeSet<ObservationPart>, _within: Duration) -> Result<Observation, WorldError> {
        let mut observation = Observation::default();
        let tick = if self.flaw == Flaw::Jitter { self.clock.fetch_add(1, Ordering::Relaxed) } else { 0 };
        if wanted.contains(&ObservationPart::Screen) {
            observation = observation.with_picture(ObservationPart::Screen, picture(self.at));
        }
        if wanted.contains(&ObservationPart::Goal) || self.flaw == Flaw::ShowsTheGoal {
            observation = observation.with_picture(ObservationPart::Goal, picture(self.target));
        }
        if wanted.contains(&ObservationPart::Text) {
            let token = if self.flaw == Flaw::TellsTheSecret { &self.token } else { "-" };
            observation = observation.with_text(ObservationPart::Text, format!("at {} ({token}, {tick})", self.at));
        }
        Ok(observation)
    }

    fn apply(&mut self, action: &Action, _within: Duration) -> Result<Feedback, WorldError> {
        match action {
            Action::Call(Call { name, args }) if name == "turn" => {
                assert!(self.flaw != Flaw::Panics, "the dial came off");
                let by = args[0].as_i64().unwrap_or(0);
                if self.flaw == Flaw::MovesWhenRefusing && by == 1 {
                    self.at += 1;
                    return Ok(Feedback::refused("The dial does not turn."));
                }
                self.at += by;
                Ok(Feedback::changed("The dial turns."))
            }
            Action::Call(_) => {
                self.at = self.target;
                Ok(Feedback::changed("There it is."))
            }
            _ => Ok(Feedback::unchanged("Nothing happens.")),
        }
    }

    fn snapshot(&mut self, _within: Duration) -> Result<Evidence, WorldError> {
        Ok(Evidence::document("dial", self.at.into()))
    }

    fn collect(&mut self, within: Duration) -> Result<Collected, WorldError> {
        Ok(Collected { evidence: self.snapshot(within)?, ..Collected::default() })
    }
}
