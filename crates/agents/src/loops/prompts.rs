//! What models are told, kept in files of their own. Each begins with its version; together they have a digest that goes
//! into the fingerprint of a run.

use minijinja::{Environment, UndefinedBehavior, context};
use quintain_core::agent::{Briefing, SlipKind};
use quintain_core::{Digest, Limits};

use crate::loops::generalist;
use crate::loops::protocol::{Fault, Form};
use crate::model::Points;

const TURNS: (&str, &str) = ("turns", include_str!("prompts/turns.md"));
const REACT: (&str, &str) = ("react", include_str!("prompts/react.md"));
const REACT_TEXT: (&str, &str) = ("react_text", include_str!("prompts/react_text.md"));
const PLANNER: (&str, &str) = ("planner", include_str!("prompts/planner.md"));
const GROUNDER: (&str, &str) = ("grounder", include_str!("prompts/grounder.md"));
const CORRECTION: (&str, &str) = ("correction", include_str!("prompts/correction.md"));

/// The prompts of the loops in this folder.
const ALL: [(&str, &str); 6] = [TURNS, REACT, REACT_TEXT, PLANNER, GROUNDER, CORRECTION];

/// The digest of everything that models are told: two runs with the same digest told them the same.
pub fn digest() -> Digest {
    Digest::of_parts(ALL.iter().chain(&generalist::prompts::ALL).map(|(name, text)| (*name, text.as_bytes())))
}

/// Fills in a prompt of ours. Values are put in as they are: nothing in them is taken for a template.
pub fn render(name: &str, template: &str, values: impl Into<minijinja::Value>) -> String {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let text = environment.render_named_str(name, template, values);
    text.unwrap_or_else(|error| panic!("the prompt `{name}` is broken: {error}")).trim().to_owned()
}

/// How points are explained to a model.
pub fn of_points(points: Points) -> &'static str {
    match points {
        Points::Pixels => "in pixels of the picture, from its upper left corner",
        Points::Thousandths => "from 0 to 1000 across and down, whatever the size of the picture",
        Points::Unit => "from 0 to 1 across and down, whatever the size of the picture",
    }
}

/// What the turns loop is told.
pub(super) fn turns(prompt: &str, points: Points) -> String {
    render(TURNS.0, TURNS.1, context! { prompt, unit => points == Points::Unit })
}

/// What the react loop is told that calls tools.
pub(super) fn react(briefing: &Briefing, size: Option<(u32, u32)>, points: Points, marks: bool) -> String {
    let told = context! { size => size, points => of_points(points), marks, ..of_task(briefing) };
    render(REACT.0, REACT.1, told)
}

/// What the react loop is told that writes its actions.
pub(super) fn react_text(prompt: &str, points: Points, marks: bool) -> String {
    render(REACT_TEXT.0, REACT_TEXT.1, context! { prompt, marks, unit => points == Points::Unit })
}

/// What a planner is told.
pub(super) fn planner(briefing: &Briefing) -> String {
    render(PLANNER.0, PLANNER.1, of_task(briefing))
}

/// What a grounder is told.
pub(super) fn grounder(points: Points) -> String {
    render(GROUNDER.0, GROUNDER.1, context! { points => of_points(points) })
}

/// The answer to a slip.
pub(super) fn correction(fault: &Fault, form: Form) -> String {
    let kind = match fault.kind {
        SlipKind::Prose => "prose",
        SlipKind::Plan => "plan",
        SlipKind::Several => "several",
        SlipKind::Malformed => "malformed",
        SlipKind::Empty => "empty",
    };
    render(CORRECTION.0, CORRECTION.1, context! { kind, why => fault.why.as_deref(), calls => form == Form::Calls })
}

/// The task and its limits.
fn of_task(briefing: &Briefing) -> minijinja::Value {
    let Limits { steps, minutes, tokens, cost_usd } = briefing.limits;
    let ending = if briefing.answer.is_some() { "answer" } else { "done" };
    context! { instruction => briefing.instruction.trim_end(), ending, steps, minutes, tokens, cost_usd }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loops::test_model::briefing;

    #[test]
    fn every_prompt_has_a_version() {
        for (name, text) in ALL {
            assert!(text.starts_with("{# version "), "{name}");
        }
    }

    #[test]
    fn prompts_are_whole_texts() {
        insta::assert_snapshot!(react(&briefing(), Some((1280, 720)), Points::Thousandths, true), @"");
        insta::assert_snapshot!(react_text("Do it.\n", Points::Unit, true), @"");
        insta::assert_snapshot!(planner(&briefing()), @"");
        insta::assert_snapshot!(grounder(Points::Pixels), @"");
    }

    #[test]
    fn a_correction_is_one_short_line() {
        let kinds = [SlipKind::Prose, SlipKind::Plan, SlipKind::Several, SlipKind::Malformed, SlipKind::Empty];
        let line = |kind| {
            let why = (kind == SlipKind::Malformed).then(|| "there is no action `clik`".to_owned());
            correction(&Fault { kind, why }, Form::Calls)
        };
        insta::assert_snapshot!(kinds.map(line).join("\n"), @"");
        let words = correction(&Fault { kind: SlipKind::Prose, why: None }, Form::Words);
        insta::assert_snapshot!(words, @"");
    }

    #[test]
    fn what_a_task_says_is_no_template() {
        let mut briefing = briefing();
        briefing.instruction = "Type {{ steps }} {% if x %}".to_owned();
        assert!(react(&briefing, None, Points::Pixels, false).contains("Type {{ steps }} {% if x %}"));
    }
}
