//! Text in, text out: every turn is shown, every reply is one action in words.

use quintain_core::{AgentError, Briefing};
use quintain_models::model::ModelCard;

use crate::loops::dialogue::DialogueTerms;
use crate::loops::observation_renderer::ObservationRenderer;
use crate::loops::protocol::ActionForm;
use crate::loops::{LoopOptions, N_PICTURES, prompts, spoken_briefing};

#[expect(clippy::unnecessary_wraps, reason = "other loops can be set up wrongly")]
pub(super) fn set_up(
    card: &ModelCard,
    manner: &LoopOptions,
    briefing: &Briefing,
    sights: &ObservationRenderer,
) -> Result<(DialogueTerms, usize), AgentError> {
    let terms = DialogueTerms {
        system: prompts::turns(&spoken_briefing(briefing, sights, card.points).prompt(), card.points),
        tools: Vec::new(),
        form: ActionForm::Words,
        points: card.points,
        targets: false,
        surface: briefing.surface.clone(),
        max_output: manner.max_output(card, briefing.effort),
        effort: briefing.effort,
    };
    // As many pictures as turns are remembered, unless it was said how many.
    let of_history = briefing.history.map(|n_turns| n_turns as usize + 1);
    Ok((terms, manner.n_pictures.or(of_history).unwrap_or(N_PICTURES)))
}
