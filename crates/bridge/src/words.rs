//! What a guest reads: the task and its limits, and each turn, in words.

use std::fmt::Write as _;

use base64::Engine as _;
use quintain_core::{Briefing, Limits, ObservationPart, Screen};
use quintain_models::screen::png;

use super::seat::ShownTurn;

/// The task, its limits and how to play, for a guest that has tools.
pub(crate) fn instructions(briefing: &Briefing) -> String {
    let mut text = briefing.instruction.trim_end().to_owned();
    if let Some((across, down)) = briefing.surface.screen {
        let _infallible = write!(
            text,
            "\n\nThe screen is {across} pixels wide and {down} pixels high; a point is given in pixels from its upper \
             left corner."
        );
    }
    let _infallible = write!(
        text,
        "\n\nEvery tool but `look` takes one step and returns what is seen after it. {} End the trial yourself when the \
         task is done.",
        limits(&briefing.limits)
    );
    text
}

fn limits(limits: &Limits) -> String {
    let mut parts = vec![format!("{} steps", limits.steps)];
    parts.extend(limits.minutes.map(|minutes| format!("{minutes} minutes")));
    parts.extend(limits.tokens.map(|tokens| format!("{tokens} tokens")));
    parts.extend(limits.cost_usd.map(|cost| format!("{cost} US dollars")));
    format!("You have {}.", parts.join(", "))
}

/// A turn in words: its number on a line of its own, what came of the last action, then everything else there is to
/// read.
pub(crate) fn turn(shown: &ShownTurn) -> String {
    let mut text = format!("Turn {}.", shown.step_idx + 1);
    let texts = shown.observation.texts.iter().filter(|(part, _)| part.is_for_agents());
    let (first, rest): (Vec<_>, Vec<_>) = texts.partition(|(part, _)| **part == ObservationPart::Feedback);
    for (part, words) in first.into_iter().chain(rest) {
        let gap = if words.contains('\n') { '\n' } else { ' ' };
        let _infallible = write!(text, "\n{part}:{gap}{}", words.trim_end());
    }
    text
}

/// The pictures of a turn, each by its part, as PNG files in base 64. The goal comes first.
pub(crate) fn pictures(shown: &ShownTurn) -> Result<Vec<(ObservationPart, String)>, std::io::Error> {
    let mut pictures: Vec<(&ObservationPart, &Screen)> = shown.observation.pictures.iter().collect();
    pictures.sort_by_key(|(part, _)| (**part != ObservationPart::Goal, **part));
    let encoded = pictures
        .into_iter()
        .map(|(part, screen)| Ok((*part, base64::engine::general_purpose::STANDARD.encode(png(screen)?))));
    encoded.collect()
}

#[cfg(test)]
mod tests {
    use quintain_core::{Observation, Spent, Surface};

    use super::*;

    #[test]
    fn a_turn_is_told_in_words() {
        let observation = Observation::default()
            .with_text(ObservationPart::Ascii, "#.#\n#@#\n")
            .with_text(ObservationPart::Remaining, "7 steps")
            .with_text(ObservationPart::Geometry, "secret")
            .with_text(ObservationPart::Feedback, "a wall is in the way");
        let shown = ShownTurn { step_idx: 2, observation, remaining: Limits::steps(9).left(&Spent::default()) };
        insta::assert_snapshot!(turn(&shown), @r"
        Turn 3.
        feedback: a wall is in the way
        ascii:
        #.#
        #@#
        remaining: 7 steps
        ");
    }

    #[test]
    fn the_task_and_its_limits_are_told() {
        let briefing = Briefing {
            instruction: "Find the way out.\n".to_owned(),
            surface: Surface { screen: Some((640, 480)), ..Surface::default() },
            limits: Limits { minutes: Some(5.0), cost_usd: Some(0.5), ..Limits::steps(30) },
            answer: None,
            history: None,
            effort: None,
            seed: 1,
        };
        insta::assert_snapshot!(instructions(&briefing), @r"
        Find the way out.

        The screen is 640 pixels wide and 480 pixels high; a point is given in pixels from its upper left corner.

        Every tool but `look` takes one step and returns what is seen after it. You have 30 steps, 5 minutes, 0.5 US dollars. End the trial yourself when the task is done.
        ");
    }
}
