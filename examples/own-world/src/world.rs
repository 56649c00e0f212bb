//! The world: instances from seeds, what is shown, what may be done, what is handed over.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use quintain_agents::Script;
use quintain_core::instance::render;
use quintain_core::surface::ActionGroup;
use quintain_core::world::{Collected, OracleStyle};
use quintain_core::{
    Action, Agent, CallSchema, Digest, Evidence, Feedback, Instance, InstanceId, Observation, ObservationPart, Pick,
    Picture, Rng, Surface, Task, ValueType, World, WorldError, WorldKind,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::oracle::solution;

const TITLES: [&str; 9] = ["Beowulf", "Candide", "Dracula", "Emma", "Faust", "Hamlet", "Ivanhoe", "Medea", "Walden"];
const SPINE_PX: u32 = 16;
const PX_PER_CM: u32 = 3;
const TALLEST_CM: u32 = 40;

/// The kind of world `shelf`.
pub(crate) struct BookShelf;

/// One book. No two on a shelf share a title or a height.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Volume {
    pub(crate) title: String,
    pub(crate) height_cm: f64,
}

/// What the books are put in order by.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SortKey {
    Height,
    Title,
}

/// How an instance begins.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ShelfStart {
    by: SortKey,
    pub(crate) volumes: Vec<Volume>,
}

impl ShelfStart {
    pub(crate) fn read(start: &Value) -> Result<Self, String> {
        Self::deserialize(start).map_err(|error| format!("the start of the shelf cannot be read: {error}"))
    }

    /// The books as they should stand.
    pub(crate) fn in_order(&self) -> Vec<Volume> {
        let mut volumes = self.volumes.clone();
        volumes.sort_by(|one, other| match self.by {
            SortKey::Height => one.height_cm.total_cmp(&other.height_cm),
            SortKey::Title => one.title.cmp(&other.title),
        });
        volumes
    }

    /// A shelf that is out of order, by the parameters `by` and `n_volumes`.
    fn drawn(parameters: &Value, seed: u64) -> Result<Self, String> {
        let by = SortKey::deserialize(&parameters["by"]).map_err(|error| format!("the parameter `by`: {error}"))?;
        let n = parameters["n_volumes"].as_u64().unwrap_or(0) as usize;
        if !(2..=TITLES.len()).contains(&n) {
            return Err(format!("`n_volumes` must be from 2 to {}", TITLES.len()));
        }
        let (mut rng, mut titles) = (Rng::for_purpose(seed, "shelf"), TITLES);
        rng.shuffle(&mut titles);
        let heights = (1..).map(|idx| f64::from(TALLEST_CM - 2 * idx));
        let volume = |(title, height_cm): (&str, f64)| Volume { title: title.to_owned(), height_cm };
        let mut start = Self { by, volumes: titles.into_iter().zip(heights).map(volume).take(n).collect() };
        rng.shuffle(&mut start.volumes);
        while start.volumes == start.in_order() {
            rng.shuffle(&mut start.volumes);
        }
        Ok(start)
    }
}

impl WorldKind for BookShelf {
    fn kind(&self) -> &'static str {
        "shelf"
    }

    fn digest(&self, _task: &Task) -> Digest {
        Digest::of(b"shelf 1")
    }

    fn is_deterministic(&self) -> bool {
        true
    }

    fn instantiate_whole(&self, task: &Task, pick: &Pick) -> Result<Instance, WorldError> {
        let parameters = task.parameters(pick);
        let start = ShelfStart::drawn(&json!(parameters), pick.seed.unwrap_or(0)).map_err(WorldError::setup)?;
        Ok(Instance {
            id: InstanceId { task: task.id.clone(), pick: pick.clone() },
            instruction: render(task, &parameters).map_err(WorldError::setup)?,
            start: json!(start),
            parameters,
            secrets: Vec::new(),
            source: None,
        })
    }

    fn open(&self, instance: &Instance) -> Result<Box<dyn World + Send>, WorldError> {
        let start = ShelfStart::read(&instance.start).map_err(WorldError::setup)?;
        Ok(Box::new(OpenShelf(start.volumes)))
    }

    fn oracle(&self, instance: &Instance, style: &OracleStyle) -> Result<Box<dyn Agent + Send>, WorldError> {
        if style.strategy.is_some() || style.length.is_some() {
            return Err(WorldError::setup("a shelf is sorted in one way: leave out strategy and length"));
        }
        let start = ShelfStart::read(&instance.start).map_err(WorldError::setup)?;
        Ok(Box::new(Script::of_lines(&solution(&start))))
    }
}

/// A shelf as it stands.
struct OpenShelf(Vec<Volume>);

impl OpenShelf {
    fn text(&self) -> String {
        let line = |(place, book): (u32, &Volume)| format!("{place}: {}, {} cm\n", book.title, book.height_cm);
        (1..).zip(&self.0).map(line).collect()
    }

    fn picture(&self) -> Picture {
        let (width, height) = (self.0.len() as u32 * SPINE_PX, TALLEST_CM * PX_PER_CM);
        let mut picture = Picture::filled(width, height, [60, 40, 30]);
        for (y, row) in (0..).zip(picture.rgba_mut().chunks_exact_mut(4 * width as usize)) {
            let spines = self.0.iter().zip(row.chunks_exact_mut(4 * SPINE_PX as usize));
            let is_here = |book: &Volume| height - y <= book.height_cm as u32 * PX_PER_CM;
            // A book is white, three pixels from the one before.
            spines.filter(|(book, _)| is_here(book)).for_each(|(_, spine)| spine[12..].fill(255));
        }
        picture
    }
}

impl World for OpenShelf {
    fn surface(&self) -> Surface {
        let place = ValueType::Integer { min: 1, max: self.0.len() as i64 };
        let swap = CallSchema::plain("swap", "Exchanges two books.").arg("one", place.clone(), "the place of one", 1);
        Surface {
            calls: vec![swap.arg("other", place, "the place of the other", 2)],
            parts: [ObservationPart::Screen, ObservationPart::Text].into(),
            groups: [ActionGroup::Call].into(),
            screen: None,
        }
    }

    fn observe(&mut self, wanted: &BTreeSet<ObservationPart>, _within: Duration) -> Result<Observation, WorldError> {
        let mut shown = Observation::default();
        if wanted.contains(&ObservationPart::Screen) {
            shown = shown.with_picture(ObservationPart::Screen, Arc::new(self.picture()));
        }
        Ok(if wanted.contains(&ObservationPart::Text) {
            shown.with_text(ObservationPart::Text, self.text())
        } else {
            shown
        })
    }

    fn apply(&mut self, action: &Action, _within: Duration) -> Result<Feedback, WorldError> {
        let Action::Call(call) = action else { return Ok(Feedback::refused("only calls are understood")) };
        let places: Vec<usize> = call.args.iter().filter_map(Value::as_u64).map(|place| place as usize).collect();
        match places[..] {
            [one, other] if one != other && one.min(other) > 0 && one.max(other) <= self.0.len() => {
                self.0.swap(one - 1, other - 1);
                Ok(Feedback::changed(format!("the books at {one} and {other} have changed places")))
            }
            _ => Ok(Feedback::refused("these are not two places of the shelf")),
        }
    }

    fn snapshot(&mut self, _within: Duration) -> Result<Evidence, WorldError> {
        Ok(Evidence::document("shelf", json!({ "volumes": self.0 })))
    }

    fn collect(&mut self, within: Duration) -> Result<Collected, WorldError> {
        Ok(Collected { evidence: self.snapshot(within)?, ..Collected::default() })
    }
}
