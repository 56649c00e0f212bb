//! A puzzle as a world.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use quintain_core::action::Action;
use quintain_core::evidence::Evidence;
use quintain_core::observation::{Observation, ObservationPart, Screen};
use quintain_core::picture::Picture;
use quintain_core::surface::{ActionGroup, Surface};
use quintain_core::trajectory::Feedback;
use quintain_core::world::{Collected, OracleStyle, World, WorldError};

use crate::puzzle::{Puzzle, after};
use crate::sources::MaterialSources;

/// The name of the one document of a puzzle.
pub(crate) const DOCUMENT: &str = "puzzle";

pub(crate) struct PuzzleWorld<P: Puzzle> {
    start: P::Start,
    state: P::State,
    drawing: P::Drawing,
    sources: MaterialSources,
    goal: Option<Arc<Picture>>,
}

impl<P: Puzzle> PuzzleWorld<P> {
    pub(crate) fn open(start: P::Start, sources: MaterialSources) -> Result<Self, WorldError> {
        let state = P::initial(&start);
        let drawing = P::draw(&start, &state, &sources).map_err(WorldError::setup)?;
        Ok(Self { start, state, drawing, sources, goal: None })
    }

    /// A picture of the solved state, drawn when first asked for.
    fn goal(&mut self) -> Result<Arc<Picture>, WorldError> {
        if let Some(goal) = &self.goal {
            return Ok(Arc::clone(goal));
        }
        let solution = P::solve(&self.start, &OracleStyle::default()).map_err(WorldError::world)?;
        let solved = after::<P>(&self.start, &solution);
        let mut drawing = P::draw(&self.start, &solved, &self.sources).map_err(WorldError::world)?;
        let goal = P::redraw(&mut drawing, &self.start, &solved);
        Ok(Arc::clone(self.goal.insert(goal)))
    }

    fn document(&self) -> Result<Evidence, WorldError> {
        let state = serde_json::to_value(&self.state).map_err(|error| WorldError::world(error.to_string()))?;
        Ok(Evidence::document(DOCUMENT, state))
    }
}

impl<P: Puzzle> World for PuzzleWorld<P> {
    fn surface(&self) -> Surface {
        let mut parts = BTreeSet::from([ObservationPart::Screen, ObservationPart::Goal]);
        if P::ascii(&self.start, &self.state).is_some() {
            parts.insert(ObservationPart::Ascii);
        }
        Surface { calls: P::calls(&self.start), groups: [ActionGroup::Call].into(), parts, screen: None }
    }

    fn observe(&mut self, wanted: &BTreeSet<ObservationPart>, _within: Duration) -> Result<Observation, WorldError> {
        let mut observation = Observation::default();
        if wanted.contains(&ObservationPart::Screen) {
            let picture = P::redraw(&mut self.drawing, &self.start, &self.state);
            observation = observation.with_picture(ObservationPart::Screen, picture);
        }
        if wanted.contains(&ObservationPart::Goal) {
            observation = observation.with_picture(ObservationPart::Goal, self.goal()?);
        }
        if wanted.contains(&ObservationPart::Ascii)
            && let Some(ascii) = P::ascii(&self.start, &self.state)
        {
            observation = observation.with_text(ObservationPart::Ascii, ascii);
        }
        Ok(observation)
    }

    fn apply(&mut self, action: &Action, _within: Duration) -> Result<Feedback, WorldError> {
        Ok(match action {
            Action::Call(call) => P::apply(&self.start, &mut self.state, call),
            Action::Wait { .. } | Action::Screenshot => Feedback::unchanged("Nothing changes while you wait."),
            other => Feedback::refused(format!("A puzzle has no `{}`.", other.verb())),
        })
    }

    fn snapshot(&mut self, _within: Duration) -> Result<Evidence, WorldError> {
        self.document()
    }

    fn collect(&mut self, _within: Duration) -> Result<Collected, WorldError> {
        let picture = P::redraw(&mut self.drawing, &self.start, &self.state);
        Ok(Collected { evidence: self.document()?, screen: Some(Screen::Raw(picture)), ..Collected::default() })
    }
}
