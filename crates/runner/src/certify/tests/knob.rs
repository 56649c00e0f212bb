//! A knob on a screen: a small world of mouse and addresses, sound or with one flaw. Trials in it count as costly.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use quintain_core::action::{Action, Dialect, Place};
use quintain_core::instance::render;
use quintain_core::surface::ActionGroup;
use quintain_core::trajectory::Feedback;
use quintain_core::world::{Collected, OracleStyle};
use quintain_core::{
    Agent, AgentError, Briefing, Digest, Evidence, Instance, InstanceGoal, InstanceId, Observation, ObservationPart,
    Pick, Picture, Reply, Surface, Task, Turn, World, WorldError, WorldKind,
};
use serde_json::json;

/// What is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    None,
    ForgetsRefusals,
    FollowsAddresses,
    HelpsThoseWhoAskWhere,
    TwinsAreAlike,
}

pub(super) struct Knob(pub(super) Flaw);

struct Open {
    flaw: Flaw,
    at: i64,
    /// Where the knob is, from the left.
    x: f64,
    was_asked_where: bool,
    refused: Vec<String>,
}

/// Clicks the knob until it is where it should be.
struct Turner {
    n_left: i64,
}

impl WorldKind for Knob {
    fn kind(&self) -> &'static str {
        "dial"
    }

    fn digest(&self, _task: &Task) -> Digest {
        Digest::of(format!("knob {:?}", self.0).as_bytes())
    }

    fn is_deterministic(&self) -> bool {
        true
    }

    fn is_costly(&self) -> bool {
        true
    }

    fn instantiate_whole(&self, task: &Task, pick: &Pick) -> Result<Instance, WorldError> {
        let mut parameters = task.parameters(pick);
        if self.0 == Flaw::TwinsAreAlike {
            parameters.insert("target".to_owned(), json!(3));
        }
        let target = parameters["target"].as_i64().unwrap_or(0);
        Ok(Instance {
            id: InstanceId { task: task.id.clone(), pick: pick.clone() },
            instruction: render(task, &parameters).map_err(WorldError::setup)?,
            parameters,
            start: json!({"target": target, "x": 10, "seed": pick.seed}),
            secrets: Vec::new(),
            source: None,
        })
    }

    fn goal(&self, instance: &Instance) -> InstanceGoal {
        InstanceGoal::of(instance.start["target"].clone())
    }

    fn open(&self, instance: &Instance) -> Result<Box<dyn World + Send>, WorldError> {
        let x = instance.start["x"].as_f64().unwrap_or(0.0);
        Ok(Box::new(Open { flaw: self.0, at: 0, x, was_asked_where: false, refused: Vec::new() }))
    }

    fn oracle(&self, instance: &Instance, _style: &OracleStyle) -> Result<Box<dyn Agent + Send>, WorldError> {
        Ok(Box::new(Turner { n_left: instance.start["target"].as_i64().unwrap_or(0) }))
    }
}

impl Agent for Turner {
    fn begin(&mut self, _briefing: &Briefing) -> Result<(), AgentError> {
        Ok(())
    }

    fn act(&mut self, turn: &Turn<'_>, _within: Duration) -> Result<Reply, AgentError> {
        let x = turn.observation.texts.get(&ObservationPart::Geometry).and_then(|x| x.parse::<f64>().ok());
        let x = x.ok_or_else(|| AgentError::harness("nobody says where the knob is"))?;
        self.n_left -= 1;
        let action = if self.n_left < 0 { Action::Done } else { Action::click((x, 50.0)) };
        Ok(Reply::text(serde_json::to_string(&action).expect("an action is JSON")))
    }

    fn recall(&mut self, _turn: &Turn<'_>, _reply: &Reply) {}

    fn dialect(&self) -> Dialect {
        Dialect::Canonical
    }

    fn wants_geometry(&self) -> bool {
        true
    }
}

impl Open {
    fn go(&mut self, url: &str) -> Feedback {
        if self.flaw != Flaw::ForgetsRefusals {
            self.refused.push(format!("navigation to {url}"));
        }
        if self.flaw == Flaw::FollowsAddresses {
            self.at = -1;
            return Feedback::changed("There you are.");
        }
        Feedback::refused("That address is out of bounds.")
    }
}

impl World for Open {
    fn surface(&self) -> Surface {
        Surface {
            calls: Vec::new(),
            groups: [ActionGroup::Gui, ActionGroup::Browser].into(),
            parts: [ObservationPart::Screen].into(),
            screen: Some((100, 100)),
        }
    }

    fn observe(&mut self, wanted: &BTreeSet<ObservationPart>, _within: Duration) -> Result<Observation, WorldError> {
        let mut seen = Observation::default();
        if wanted.contains(&ObservationPart::Screen) {
            seen = seen.with_picture(ObservationPart::Screen, Arc::new(Picture::filled(2, 2, [self.at as u8, 0, 0])));
        }
        self.was_asked_where = wanted.contains(&ObservationPart::Geometry);
        if self.was_asked_where {
            seen = seen.with_text(ObservationPart::Geometry, self.x.to_string());
        }
        Ok(seen)
    }

    fn apply(&mut self, action: &Action, _within: Duration) -> Result<Feedback, WorldError> {
        let is_deaf = self.flaw == Flaw::HelpsThoseWhoAskWhere && !self.was_asked_where;
        Ok(match action {
            Action::Goto { url } => self.go(url),
            Action::Click { at: Some(Place::Point(point)), .. } if (point.x - self.x).abs() < 2.0 && !is_deaf => {
                self.at += 1;
                Feedback::changed("It turns.")
            }
            _ => Feedback::unchanged("Nothing happens."),
        })
    }

    fn snapshot(&mut self, _within: Duration) -> Result<Evidence, WorldError> {
        Ok(Evidence::document("dial", self.at.into()))
    }

    fn collect(&mut self, within: Duration) -> Result<Collected, WorldError> {
        let evidence = Evidence { refused: self.refused.clone(), ..self.snapshot(within)? };
        Ok(Collected { evidence, ..Collected::default() })
    }
}
