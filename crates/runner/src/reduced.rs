//! A world whose pictures are made smaller before anybody sees them.
//!
//! It is a world like any other, with a smaller screen: it publishes the smaller size, shows pictures of it, and takes
//! points in its pixels, which it hands on in those of the screen behind it.

use std::collections::BTreeSet;
use std::time::Duration;

use quintain_core::action::{Action, Place, Point};
use quintain_core::event::{KeepError, Record};
use quintain_core::observation::{Observation, ObservationPart};
use quintain_core::surface::Surface;
use quintain_core::trajectory::Feedback;
use quintain_core::world::{Collected, KeptWorld, World, WorldError};
use quintain_core::{Evidence, FileSet, Settings};
use quintain_models::screen;
use serde_json::Value;

/// The world as these settings let it be seen.
#[must_use]
pub fn as_seen(world: Box<dyn World + Send>, settings: &Settings) -> Box<dyn World + Send> {
    match settings.resolution {
        None => world,
        Some(longest) => Box::new(ReducedWorld { world, longest }),
    }
}

struct ReducedWorld {
    world: Box<dyn World + Send>,
    longest: u32,
}

impl World for ReducedWorld {
    fn surface(&self) -> Surface {
        let mut surface = self.world.surface();
        surface.screen = surface.screen.map(|size| screen::fit(size, self.longest));
        surface
    }

    fn observe(&mut self, wanted: &BTreeSet<ObservationPart>, within: Duration) -> Result<Observation, WorldError> {
        let mut observation = self.world.observe(wanted, within)?;
        for picture in observation.pictures.values_mut() {
            *picture = screen::reduced(picture, self.longest)
                .map_err(|why| WorldError::world(format!("a picture cannot be made smaller: {why}")))?;
        }
        Ok(observation)
    }

    fn apply(&mut self, action: &Action, within: Duration) -> Result<Feedback, WorldError> {
        match ScreenReduction::of(self.world.surface().screen, self.longest) {
            None => self.world.apply(action, within),
            Some(scale) => self.world.apply(&scale.action(action), within),
        }
    }

    fn snapshot(&mut self, within: Duration) -> Result<Evidence, WorldError> {
        self.world.snapshot(within)
    }

    fn keep(&mut self, record: &mut dyn Record) -> Result<Option<KeptWorld>, KeepError> {
        self.world.keep(record)
    }

    fn put_back(&mut self, document: &Value, files: &FileSet) -> Result<(), WorldError> {
        self.world.put_back(document, files)
    }

    fn collect(&mut self, within: Duration) -> Result<Collected, WorldError> {
        self.world.collect(within)
    }
}

/// How much larger the screen is than it is shown.
#[derive(Clone, Copy, Debug)]
struct ScreenReduction {
    across: f64,
    down: f64,
}

impl ScreenReduction {
    /// Nothing where there is no screen to point at, or it is shown as it is.
    fn of(screen: Option<(u32, u32)>, longest: u32) -> Option<Self> {
        let full = screen?;
        let shown = screen::fit(full, longest);
        let ratio = |full: u32, shown: u32| f64::from(full) / f64::from(shown);
        (shown != full).then(|| Self { across: ratio(full.0, shown.0), down: ratio(full.1, shown.1) })
    }

    fn point(self, point: Point) -> Point {
        Point { x: (point.x * self.across).round(), y: (point.y * self.down).round() }
    }

    fn place(self, place: Place) -> Place {
        place.point().map_or(place, |point| self.point(point).into())
    }

    fn action(self, action: &Action) -> Action {
        let mut action = action.clone();
        match &mut action {
            Action::Move { to } => *to = self.place(*to),
            Action::Click { at, .. }
            | Action::DoubleClick { at, .. }
            | Action::TripleClick { at, .. }
            | Action::Press { at, .. }
            | Action::Release { at, .. } => *at = at.map(|place| self.place(place)),
            Action::Scroll { at, dx, dy } => {
                *at = at.map(|place| self.place(place));
                (*dx, *dy) = (*dx * self.across, *dy * self.down);
            }
            Action::Drag { path, .. } => path.iter_mut().for_each(|place| *place = self.place(*place)),
            Action::Zoom { from, to } => (*from, *to) = (self.point(*from), self.point(*to)),
            Action::Sequence { actions } => actions.iter_mut().for_each(|part| *part = self.action(part)),
            _ => {}
        }
        action
    }
}

#[cfg(test)]
mod tests;
