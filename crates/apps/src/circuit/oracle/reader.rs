//! Reads the values of a plan off the screen, once they are settled.

use std::collections::BTreeMap;

use quintain_core::action::Action;
use serde_json::Value;

use super::moves::{measure, watched};
use super::screen::{CircuitScreen, Origin, click};
use super::{CircuitPlan, glyphs};
use crate::circuit::model::quantity::{self, ValueUnit};
use crate::circuit::model::{CircuitQuantity, GridPoint, PartKind};

/// The longest wait in one action.
const LONGEST_WAIT_MS: u64 = 2000;
/// How long it waits between two looks.
const BETWEEN_LOOKS_MS: u64 = 200;
/// So often it looks at a value that does not come to rest or cannot be read.
const MAX_LOOKS: u32 = 40;
/// Up to this simulated time the app's usual speed is fast enough.
const USUAL_SPEED_UNTIL: f64 = 0.2;
/// Two looks in a row agree when they differ by less, as a share.
const AT_REST: f64 = 5e-3;

/// What is to be read, and what has been.
pub(super) struct PanelReader {
    targets: Vec<ReadTarget>,
    /// Whether the simulation has to be made faster first.
    hurries: bool,
    wait_ms: u64,
    read: BTreeMap<String, Value>,
    /// What the last look at the current target gave.
    last: Option<f64>,
    n_looks: u32,
}

struct ReadTarget {
    field: String,
    unit: ValueUnit,
    /// The line that shows it.
    line: String,
    points_at: Option<PointsAt>,
}

/// What the pointer has to be on for a line to show.
enum PointsAt {
    Part(String),
    Pin(GridPoint),
}

/// What to do next.
pub(super) enum ReaderStep {
    /// One action.
    Do(Action),
    /// Nothing more; the answer, where one is asked for.
    Over(Option<Value>),
}

impl PanelReader {
    /// A reader of a plan's values.
    pub(super) fn of(plan: &CircuitPlan) -> Self {
        let hurries = plan.settle > USUAL_SPEED_UNTIL;
        let speed = if hurries { 1.0 } else { plan.circuit.speed };
        Self {
            targets: plan.readings.iter().rev().filter_map(|reading| ReadTarget::of(reading, plan)).collect(),
            hurries,
            wait_ms: (1200.0 * plan.settle / speed).ceil() as u64,
            read: BTreeMap::new(),
            last: None,
            n_looks: 0,
        }
    }

    /// The next thing to do, or why it cannot go on.
    pub(super) fn next(&mut self, screen: &CircuitScreen<'_>, origin: Option<Origin>) -> Result<ReaderStep, String> {
        let Some(target) = self.targets.last() else {
            let answer = Value::Object(std::mem::take(&mut self.read).into_iter().collect());
            return Ok(ReaderStep::Over(
                Some(answer).filter(|answer| answer.as_object().is_some_and(|it| !it.is_empty())),
            ));
        };
        if std::mem::take(&mut self.hurries)
            && let Some(at) = screen.middle("bar/speed/1")
        {
            return Ok(ReaderStep::Do(click(at)));
        }
        if self.wait_ms > 0 {
            let ms = self.wait_ms.min(LONGEST_WAIT_MS);
            self.wait_ms -= ms;
            return Ok(ReaderStep::Do(Action::Wait { ms }));
        }
        self.n_looks += 1;
        if self.n_looks > MAX_LOOKS {
            return Err(format!("`{}` cannot be read off the screen", target.line));
        }
        let Some(place) = screen.place(&target.line) else { return target.point(screen, origin).map(ReaderStep::Do) };
        let text = screen.picture.and_then(|picture| glyphs::text_at(picture, place));
        let shown = text.as_deref().and_then(|text| text.split_once("= ")).map(|(_, value)| value.trim().to_owned());
        let Some((shown, value)) =
            shown.and_then(|text| Some((text.clone(), quantity::read(&text, target.unit).ok()?)))
        else {
            return Ok(ReaderStep::Do(Action::Wait { ms: BETWEEN_LOOKS_MS }));
        };
        if self.last.replace(value).is_none_or(|last| (last - value).abs() > AT_REST * value.abs()) {
            return Ok(ReaderStep::Do(Action::Wait { ms: BETWEEN_LOOKS_MS }));
        }
        self.read.insert(target.field.clone(), shown.into());
        self.targets.pop();
        (self.last, self.n_looks) = (None, 0);
        self.next(screen, origin)
    }
}

impl ReadTarget {
    fn of(reading: &crate::circuit::model::recipe::FieldReading, plan: &CircuitPlan) -> Option<Self> {
        let part = plan.circuit.labelled(&reading.part).next()?;
        let pin = reading.pin.clone().unwrap_or_default();
        let (line, points_at) = match measure(reading.quantity) {
            Some((key, _)) => {
                let scope = watched(plan).iter().position(|(label, at)| *label == reading.part && *at == pin)?;
                (format!("scope/s{}/{key}", scope + 1), None)
            }
            None if reading.quantity == CircuitQuantity::Drop => ("readout/Vd".to_owned(), Some(part_of(&part.id))),
            None if part.kind == PartKind::Opamp && pin == "out" => {
                ("readout/Vout".to_owned(), Some(part_of(&part.id)))
            }
            None => ("readout/V".to_owned(), Some(PointsAt::Pin(part.pin_place(&pin)?))),
        };
        Some(Self { field: reading.field.clone(), unit: ValueUnit::of(reading.quantity), line, points_at })
    }

    /// Points at what has to be pointed at.
    fn point(&self, screen: &CircuitScreen<'_>, origin: Option<Origin>) -> Result<Action, String> {
        let to = match &self.points_at {
            Some(PointsAt::Part(name)) => screen.middle(name),
            Some(PointsAt::Pin(pin)) => origin.and_then(|origin| screen.pixel(*pin, origin)),
            None => return Ok(Action::Wait { ms: BETWEEN_LOOKS_MS }),
        };
        let to = to.ok_or_else(|| format!("what `{}` is shown for is out of sight", self.line))?;
        Ok(Action::Move { to })
    }
}

fn part_of(id: &str) -> PointsAt {
    PointsAt::Part(format!("part/{id}"))
}
