//! Thought, then action: with the model's own computer tool, with our functions, in words, or by numbered elements.

use quintain_core::observation::ObservationPart;
use quintain_core::surface::{ActionGroup, Surface};
use quintain_core::{AgentError, Briefing};
use quintain_models::model::{ModelCard, Tool};
use quintain_models::tools::{self, Pointing, ScreenTool};

use crate::loops::dialogue::DialogueTerms;
use crate::loops::observation_renderer::ObservationRenderer;
use crate::loops::protocol::ActionForm;
use crate::loops::{LoopOptions, Mode, N_PICTURES, not_set_up, prompts, spoken_briefing};

pub(super) fn set_up(
    card: &ModelCard,
    manner: &LoopOptions,
    briefing: &Briefing,
    sights: &ObservationRenderer,
) -> Result<(DialogueTerms, usize), AgentError> {
    let mode = chosen(manner.mode, card, &briefing.surface)?;
    let shown = shown(&briefing.surface, sights);
    let (system, tools) = match mode {
        Mode::Text => (in_words(briefing, sights, card), Vec::new()),
        _ => (prompts::react(briefing, shown, card.points, mode == Mode::Marks), offered(mode, briefing, card, shown)),
    };
    let terms = DialogueTerms {
        system,
        tools,
        form: if mode == Mode::Text { ActionForm::Words } else { ActionForm::Calls },
        points: card.points,
        targets: false,
        surface: briefing.surface.clone(),
        max_output: manner.max_output(card, briefing.effort),
        effort: briefing.effort,
    };
    Ok((terms, manner.n_pictures.unwrap_or(N_PICTURES)))
}

/// The mode that was asked for, or the model's own tool where it has one and the world a screen to use it on.
pub(super) fn chosen(mode: Option<Mode>, card: &ModelCard, surface: &Surface) -> Result<Mode, AgentError> {
    let has_screen = surface.groups.contains(&ActionGroup::Gui) && surface.parts.contains(&ObservationPart::Screen);
    match mode {
        Some(Mode::Native) if card.computer.is_none() => {
            Err(not_set_up(format!("{} has no computer tool of its own; use tools=schema", card.name)))
        }
        Some(Mode::Marks) if !surface.parts.contains(&ObservationPart::Marks) => {
            Err(not_set_up("tools=marks needs the marks: the task must allow them, and --show must name them"))
        }
        // A world without a screen has nothing to use it on: its functions are offered instead.
        Some(Mode::Native) | None if card.computer.is_some() && card.sees && has_screen => Ok(Mode::Native),
        Some(Mode::Native) | None => Ok(Mode::Schema),
        Some(mode) => Ok(mode),
    }
}

/// How large the screen is shown, where it can be pointed at.
pub(super) fn shown(surface: &Surface, sights: &ObservationRenderer) -> Option<(u32, u32)> {
    surface.screen.map(|size| sights.fit(size))
}

/// The tools of a mode.
pub(super) fn offered(mode: Mode, briefing: &Briefing, card: &ModelCard, shown: Option<(u32, u32)>) -> Vec<Tool> {
    let hand = match (mode, card.computer, shown) {
        (Mode::Native, Some(dialect), Some(shown)) => ScreenTool::Native { dialect, shown },
        _ => ScreenTool::Schema,
    };
    let pointing = if mode == Mode::Marks { Pointing::Marks(card.points) } else { Pointing::Points(card.points) };
    tools::tools(&briefing.surface, briefing.answer.as_ref(), hand, pointing)
}

fn in_words(briefing: &Briefing, sights: &ObservationRenderer, card: &ModelCard) -> String {
    let marks = briefing.surface.parts.contains(&ObservationPart::Marks);
    prompts::react_text(&spoken_briefing(briefing, sights, card.points).prompt(), card.points, marks)
}

#[cfg(test)]
mod tests;
