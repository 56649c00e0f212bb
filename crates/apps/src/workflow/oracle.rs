//! The oracle: makes the edits of a solution with mouse and keyboard, finding everything through the table of places.
//!
//! It is closed loop: each turn it looks at the table, sees whether its last move had the effect it should have had, and
//! decides on one action. Nothing about where things are on the screen is assumed.

mod moves;
mod reveal;
#[cfg(test)]
mod sketch;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use quintain_core::action::{Action, Button};
use quintain_core::world::OracleStyle;
use quintain_core::{Instance, Screen};

use crate::oracle::{PlaceTable, PlanPlayer};
use crate::workflow::model::Document;
use crate::workflow::model::edit::{DocumentDraft, Edit};
use crate::workflow::stretches::SolutionPlan;
use moves::{WorkflowMove, WorkflowMoveSign};
use reveal::Reveal;

/// So often a move is made before it is given up.
const MAX_ATTEMPTS: u32 = 3;

/// Carries out the plan of an instance.
pub(super) struct Builder {
    draft: DocumentDraft,
    edits: VecDeque<Edit>,
    moves: VecDeque<WorkflowMove>,
    reveal: Reveal,
    /// How often the first of the moves was made.
    n_attempts: u32,
    /// Whether the first of the moves has just been made, so that its effect is to be looked for.
    has_moved: bool,
    n_steps: u32,
    /// At least so many actions, the end included.
    length: u32,
}

impl Builder {
    /// An oracle for an instance of the app.
    pub(super) fn new(instance: &Instance, style: &OracleStyle) -> Result<Self, String> {
        if let Some(strategy) = &style.strategy {
            return Err(format!("the oracle of the Workflow Builder has no strategy `{strategy}`"));
        }
        let document = Document::read(&instance.start["document"])?;
        let plan = SolutionPlan::read(&instance.start)?;
        Ok(Self {
            reveal: Reveal::new(&document),
            draft: plan.draft()?,
            edits: plan.own().to_vec().into(),
            moves: VecDeque::new(),
            n_attempts: 0,
            has_moved: false,
            n_steps: 0,
            length: style.length.unwrap_or(0),
        })
    }

    /// The next action, or why there is none.
    fn next(&mut self, table: &PlaceTable) -> Result<Action, String> {
        self.reveal.look_round(table);
        self.look_back(table)?;
        while self.moves.is_empty() {
            let Some(edit) = self.edits.pop_front() else { return Ok(self.stop()) };
            self.moves = moves::of(&edit, &self.draft).map_err(|problem| problem.to_string())?;
            self.draft.make(&edit).map_err(|problem| problem.to_string())?;
        }
        self.go_on(table)
    }

    /// Sees whether the move that was made had its effect. If so it is over, else it is made again, but not for ever.
    fn look_back(&mut self, table: &PlaceTable) -> Result<(), String> {
        if !std::mem::take(&mut self.has_moved) {
            return Ok(());
        }
        let Some(made) = self.moves.front() else { return Ok(()) };
        if made.until().holds(table) {
            self.over();
            return Ok(());
        }
        self.n_attempts += 1;
        if self.n_attempts < MAX_ATTEMPTS {
            return Ok(());
        }
        if let WorkflowMoveSign::Perhaps(_) = made.until() {
            self.over();
            return Ok(());
        }
        Err(format!("{made} had no effect, {MAX_ATTEMPTS} times over"))
    }

    fn over(&mut self) {
        self.moves.pop_front();
        self.n_attempts = 0;
        self.reveal.found();
    }

    /// Makes the first of the moves, or brings what it needs into view.
    fn go_on(&mut self, table: &PlaceTable) -> Result<Action, String> {
        let Some(next) = self.moves.front() else { return Ok(self.stop()) };
        let needs = next.needs();
        if !needs.iter().all(|name| table.shows(name)) {
            return self.reveal.show(&needs, table).map_err(|why| format!("{next}: {why}"));
        }
        self.has_moved = true;
        Ok(match next {
            WorkflowMove::Click { on, .. } => {
                Action::Click { at: table.middle(on), button: Button::Left, held: Vec::new() }
            }
            WorkflowMove::Drag { from, to, .. } => Action::Drag {
                path: [from, to].iter().filter_map(|name| table.middle(name)).collect(),
                button: Button::Left,
            },
            WorkflowMove::Keys(keys) => Action::Key { keys: keys.iter().map(|key| (*key).to_owned()).collect() },
            WorkflowMove::Write(text) => Action::Type { text: text.clone() },
        })
    }

    /// The end, once the trial is as long as was asked for.
    fn stop(&self) -> Action {
        if self.n_steps < self.length { Action::Wait { ms: 100 } } else { Action::Done }
    }
}

impl PlanPlayer for Builder {
    fn decide(&mut self, table: &PlaceTable, _screen: Option<&Screen>) -> Result<Action, String> {
        self.n_steps += 1;
        self.next(table)
    }
}
