//! An agent that draws lots: what it scores is chance.

mod draw;
mod gesture;

use std::time::Duration;

use quintain_core::{Action, Agent, AgentError, Briefing, ObservationPart, Reply, Rng, Screen, Surface, Turn};

use crate::script::{STOP, say};

/// How likely each turn is the one in which it ends the trial.
const STOP_CHANCE: f64 = 0.02;

/// Draws its actions blindly from what the world publishes. The same trial and seed give the same draws.
#[derive(Clone, Debug)]
pub struct Random {
    seed: u64,
    rng: Rng,
    surface: Surface,
}

impl Random {
    /// Draws from a stream of its own, mixed with the seed of the trial.
    pub fn new(seed: u64) -> Self {
        Self { seed, rng: Rng::new(seed), surface: Surface::default() }
    }

    fn draw(&mut self, turn: &Turn<'_>) -> String {
        if self.rng.chance(STOP_CHANCE) {
            return STOP.to_owned();
        }
        let n_calls = self.surface.calls.len();
        let gestures = gesture::offered(&self.surface);
        if n_calls + gestures.len() == 0 {
            return say(&Action::Wait { ms: 100 });
        }
        let size = self.screen(turn);
        let drawn = self.rng.below(n_calls + gestures.len());
        let action = match self.surface.calls.get(drawn) {
            Some(schema) => Action::Call(draw::call(&mut self.rng, schema)),
            None => gestures[drawn - n_calls].draw(&mut self.rng, size),
        };
        say(&action)
    }

    /// The size of the screen: what the world publishes, else what is shown.
    fn screen(&self, turn: &Turn<'_>) -> (u32, u32) {
        let shown = || turn.observation.pictures.get(&ObservationPart::Screen).map(Screen::size);
        self.surface.screen.or_else(shown).unwrap_or((1, 1))
    }
}

impl Agent for Random {
    fn begin(&mut self, briefing: &Briefing) -> Result<(), AgentError> {
        self.rng = Rng::for_purpose(briefing.seed, &format!("random agent {}", self.seed));
        self.surface = briefing.surface.clone();
        Ok(())
    }

    fn act(&mut self, turn: &Turn<'_>, _within: Duration) -> Result<Reply, AgentError> {
        Ok(Reply::text(self.draw(turn)))
    }

    /// Draws as it did then, so that the stream goes on where it was.
    fn recall(&mut self, turn: &Turn<'_>, _reply: &Reply) {
        self.draw(turn);
    }
}
