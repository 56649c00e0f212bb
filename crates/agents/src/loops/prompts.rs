//! What models are told, kept in files of their own. Each begins with its version; together they have a digest that goes
//! into the fingerprint of a run.

use minijinja::{Environment, UndefinedBehavior, context};
use quintain_core::agent::{Briefing, SlipKind};
use quintain_core::{Digest, Limits};
use quintain_models::model::Points;

use crate::loops::generalist;
use crate::loops::protocol::{ActionForm, MessageFault};

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
        Points::Pixels | Points::Resized => "in pixels of the picture, from its upper left corner",
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
pub(super) fn correction(fault: &MessageFault, form: ActionForm) -> String {
    let kind = match fault.kind {
        SlipKind::Prose => "prose",
        SlipKind::Plan => "plan",
        SlipKind::Several => "several",
        SlipKind::Malformed => "malformed",
        SlipKind::Empty => "empty",
    };
    render(
        CORRECTION.0,
        CORRECTION.1,
        context! { kind, why => fault.why.as_deref(), calls => form == ActionForm::Calls },
    )
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
        insta::assert_snapshot!(react(&briefing(), Some((1280, 720)), Points::Thousandths, true), @"
        You carry out a task step by step. You act on the world only by calling tools, and you are shown after every call what
        the world looks like then.

        # Task
        Press the button.

        # How to work
        - In every turn, first write down in a few sentences what you see, what came of your last action and what you will do
          next. Then call exactly one tool.
        - Look before you act: what you remember of the screen may no longer hold. If an action changed nothing, do not repeat
          it; find out why.
        - When the task is done, check the result once, then end with `done`. Nothing counts that comes after it, and
          nothing counts if you never end. Only if the task cannot be done at all, end with `give_up`.
        - The elements on the screen are numbered. Name an element by its number, `mark`, wherever it has one.
        - The pictures of the screen are 1280 pixels wide and 720 pixels high. In functions, points are from 0 to 1000 across and down, whatever the size of the picture.

        # Limits
        You have 30 turns. The last turn should be the ending.
        ");
        insta::assert_snapshot!(react_text("Do it.\n", Points::Unit, true), @"
        Do it.

        All points and distances are fractions of the screen: 0 is its left or upper edge, 1 its right or lower edge.

        The elements on the screen are numbered. Name an element by its number, `mark=`, wherever it has one.

        Write every reply in two parts. First `Thought:` and, in a few sentences, what you see, what came of your last action and
        what you will do next. Then, on the last line, `Action:` and the one action.
        ");
        insta::assert_snapshot!(planner(&briefing()), @"
        You direct the work on a task. You see the screen and decide what is done; a colleague with a steady hand finds the places
        that you name and moves the pointer there. You act only by calling tools, and you are shown after every call what the
        world looks like then.

        # Task
        Press the button.

        # How to work
        - In every turn, first write down in a few sentences what you see, what came of your last action and what you will do
          next. Then call exactly one tool.
        - Where a tool asks for a target, describe one thing on the screen: what it is, what is written on it, and where it is if
          there are several alike. Your colleague sees the same screen but knows neither the task nor what you said before.
        - If an action changed nothing, do not repeat it; describe the target in another way or find out what is in the way.
        - When the task is done, check the result once, then end with `done`. Nothing counts that comes after it, and
          nothing counts if you never end. Only if the task cannot be done at all, end with `give_up`.

        # Limits
        You have 30 turns. The last turn should be the ending.
        ");
        insta::assert_snapshot!(grounder(Points::Pixels), @"
        You are shown a screen and told of one thing on it. Find it and call `point` with the middle of where one would click to
        use it. Points are in pixels of the picture, from its upper left corner. If it is not on the screen, say so in words and do not call anything.
        ");
    }

    #[test]
    fn a_correction_is_one_short_line() {
        let kinds = [SlipKind::Prose, SlipKind::Plan, SlipKind::Several, SlipKind::Malformed, SlipKind::Empty];
        let line = |kind| {
            let why = (kind == SlipKind::Malformed).then(|| "there is no action `clik`".to_owned());
            correction(&MessageFault { kind, why }, ActionForm::Calls)
        };
        insta::assert_snapshot!(kinds.map(line).join("\n"), @"
        Your reply holds words but no action. Call exactly one tool now; if the task is over, use the ending.
        Your reply is a plan; nothing of it was carried out. Call exactly one tool now; if the task is over, use the ending.
        Your reply holds several actions; none of them was carried out. Call exactly one tool now; if the task is over, use the ending.
        Your action was not carried out: there is no action `clik`. Call exactly one tool now; if the task is over, use the ending.
        Your reply was empty. Call exactly one tool now; if the task is over, use the ending.
        ");
        let words = correction(&MessageFault { kind: SlipKind::Prose, why: None }, ActionForm::Words);
        insta::assert_snapshot!(words, @"Your reply holds words but no action. Answer now with exactly one action in the agreed form; if the task is over, use the ending.");
    }

    #[test]
    fn what_a_task_says_is_no_template() {
        let mut briefing = briefing();
        briefing.instruction = "Type {{ steps }} {% if x %}".to_owned();
        assert!(react(&briefing, None, Points::Pixels, false).contains("Type {{ steps }} {% if x %}"));
    }
}
