//! What the generalist is told, put together from modules.

use minijinja::context;
use quintain_core::Briefing;
use quintain_core::surface::ActionGroup;
use quintain_models::model::Points;

use crate::loops::generalist::notes::ModelNotes;
use crate::loops::prompts::{of_points, render};

const IDENTITY: (&str, &str) = ("generalist/identity", include_str!("prompts/identity.md"));
const TOOLS: (&str, &str) = ("generalist/tools", include_str!("prompts/tools.md"));
const RUNTIME: (&str, &str) = ("generalist/runtime", include_str!("prompts/runtime.md"));
const RULES: (&str, &str) = ("generalist/rules", include_str!("prompts/rules.md"));
const NOTES: (&str, &str) = ("generalist/notes", include_str!("prompts/notes.md"));
const CHECKPOINT: (&str, &str) = ("generalist/checkpoint", include_str!("prompts/checkpoint.md"));
const GUI: (&str, &str) = ("generalist/gui", include_str!("prompts/gui.md"));
const LOOK: (&str, &str) = ("generalist/look", include_str!("prompts/look.md"));

/// All of them, for the digest of everything that models are told.
pub(in crate::loops) const ALL: [(&str, &str); 8] = [IDENTITY, TOOLS, RUNTIME, RULES, NOTES, CHECKPOINT, GUI, LOOK];

/// What is known of the one who is told.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListenerFacts {
    /// How large the screen is shown, where it can be pointed at.
    pub(super) screen: Option<(u32, u32)>,
    /// How points are given.
    pub(super) points: Points,
    /// Whether somebody else looks at the screen for it.
    pub(super) is_blind: bool,
}

/// The system part: who it is, how tools are used, what the limits are, what the rules are.
pub(super) fn system(briefing: &Briefing, told: ListenerFacts) -> String {
    let limits = &briefing.limits;
    let groups = &briefing.surface.groups;
    let values = context! {
        is_blind => told.is_blind,
        has_screen => told.screen.is_some(),
        has_shell => groups.contains(&ActionGroup::Shell) || groups.contains(&ActionGroup::Code),
        points => of_points(told.points),
        screen => told.screen.filter(|_| !told.is_blind),
        ending => if briefing.answer.is_some() { "answer" } else { "done" },
        steps => limits.steps,
        minutes => limits.minutes,
        tokens => limits.tokens,
        cost_usd => limits.cost_usd,
    };
    [IDENTITY, TOOLS, RUNTIME, RULES].map(|(name, text)| render(name, text, values.clone())).join("\n\n")
}

/// Plan and notes as they are shown again; nothing where there are none.
pub(super) fn notes(notes: &ModelNotes) -> String {
    render(NOTES.0, NOTES.1, context! { notes => &notes.notes, plan => &notes.plan })
}

/// What the one is told who sums up.
pub(super) fn checkpoint() -> String {
    render(CHECKPOINT.0, CHECKPOINT.1, context! {})
}

/// What the one is told who acts on the screen for another.
pub(super) fn gui(points: Points) -> String {
    render(GUI.0, GUI.1, context! { points => of_points(points) })
}

/// What the one is told who looks at the screen for another.
pub(super) fn look() -> String {
    render(LOOK.0, LOOK.1, context! {})
}
