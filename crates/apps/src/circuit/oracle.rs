//! The oracle: draws the circuit of a plan with mouse and keyboard, and reads values off the picture.
//!
//! It is closed loop: each turn it looks at the table of places, sees whether its last move had the effect it should have
//! had, and decides on one action. What it answers it has read from the pixels of the app's own font.

mod glyphs;
mod moves;
mod reader;
mod screen;
mod typed;

use std::collections::VecDeque;

use quintain_core::action::Action;
use quintain_core::world::OracleStyle;
use quintain_core::{Instance, Screen as Picture};
use serde::Deserialize;

use super::app::CircuitPlan;
use crate::oracle::{PlaceTable, PlanPlayer};
use moves::CircuitMove;
use reader::{PanelReader, ReaderStep};
use screen::{CircuitScreen, Origin};

/// So often a move is made before it is given up.
const MAX_ATTEMPTS: u32 = 4;

/// Carries out the plan of an instance.
pub(super) struct CircuitPlayer {
    plan: CircuitPlan,
    moves: VecDeque<CircuitMove>,
    reader: PanelReader,
    /// Where the plan's grid lies on the app's, once it is known.
    origin: Option<Origin>,
    /// How often the first of the moves was made.
    n_attempts: u32,
    /// Whether the first of the moves has just been made, so that its effect is to be looked for.
    has_moved: bool,
    /// How often the view was changed to bring something into it.
    n_views: u32,
    n_steps: u32,
    /// At least so many actions, the end included.
    length: u32,
}

impl CircuitPlayer {
    /// An oracle for an instance of the app.
    pub(super) fn new(instance: &Instance, style: &OracleStyle) -> Result<Self, String> {
        if let Some(strategy) = &style.strategy {
            return Err(format!("the oracle of the Circuit Designer has no strategy `{strategy}`"));
        }
        let plan = CircuitPlan::deserialize(&instance.start["plan"]).map_err(|why| format!("the plan: {why}"))?;
        Ok(Self {
            moves: moves::of(&plan),
            reader: PanelReader::of(&plan),
            plan,
            origin: None,
            n_attempts: 0,
            has_moved: false,
            n_views: 0,
            n_steps: 0,
            length: style.length.unwrap_or(0),
        })
    }

    /// The next action, or why there is none.
    fn next(&mut self, screen: &CircuitScreen<'_>) -> Result<Action, String> {
        self.look_back(screen)?;
        if self.origin.is_none() {
            match Origin::fitting(&self.plan.circuit, screen) {
                Some(origin) => self.origin = Some(origin),
                None => return self.change_view(screen, "bar/zoom/out"),
            }
        }
        match self.moves.front() {
            Some(_) => self.go_on(screen),
            None => self.read(screen),
        }
    }

    /// Sees whether the move that was made had its effect. If so it is over, else it is made again, but not for ever.
    fn look_back(&mut self, screen: &CircuitScreen<'_>) -> Result<(), String> {
        let Some(made) = self.moves.front() else { return Ok(()) };
        if !std::mem::take(&mut self.has_moved) {
            return Ok(());
        }
        if made.until.holds(screen) {
            self.moves.pop_front();
            self.n_attempts = 0;
            return Ok(());
        }
        self.n_attempts += 1;
        if self.n_attempts < MAX_ATTEMPTS {
            Ok(())
        } else {
            Err(format!("{made} had no effect, {MAX_ATTEMPTS} times over"))
        }
    }

    /// Makes the first of the moves that still has to be made, or brings what it needs into view.
    fn go_on(&mut self, screen: &CircuitScreen<'_>) -> Result<Action, String> {
        while self.moves.front().is_some_and(|next| next.is_needless(screen)) {
            self.moves.pop_front();
        }
        let Some(next) = self.moves.front() else { return self.read(screen) };
        let Some(action) = next.action(screen, self.origin) else {
            return self.change_view(screen, "bar/zoom/fit");
        };
        self.has_moved = true;
        Ok(action)
    }

    /// Shows more of the drawing.
    fn change_view(&mut self, screen: &CircuitScreen<'_>, with: &str) -> Result<Action, String> {
        self.n_views += 1;
        if self.n_views > 2 * MAX_ATTEMPTS {
            return Err("what is to be pointed at cannot be brought into view".to_owned());
        }
        let at = screen.middle(with).ok_or_else(|| format!("`{with}` is not on the screen"))?;
        Ok(screen::click(at))
    }

    /// Reads what is to be read, waiting as long as it takes, and ends.
    fn read(&mut self, screen: &CircuitScreen<'_>) -> Result<Action, String> {
        if self.n_steps < self.length {
            return Ok(Action::Wait { ms: 100 });
        }
        match self.reader.next(screen, self.origin)? {
            ReaderStep::Do(action) => Ok(action),
            ReaderStep::Over(None) => Ok(Action::Done),
            ReaderStep::Over(Some(value)) => Ok(Action::Answer { value }),
        }
    }
}

impl PlanPlayer for CircuitPlayer {
    fn decide(&mut self, table: &PlaceTable, picture: Option<&Picture>) -> Result<Action, String> {
        self.n_steps += 1;
        self.next(&CircuitScreen { table, picture })
    }
}
