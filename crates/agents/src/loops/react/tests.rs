//! What all loops on top of a [`ModelDialogue`] have in common is tested here.

use std::sync::Arc;
use std::time::Duration;

use quintain_core::action::Dialect;
use quintain_core::agent::{Effort, SlipKind};
use quintain_core::books::Purpose;
use quintain_core::ending::Boundary;
use quintain_core::{Agent, Limits, Reply, Spent, Turn};
use quintain_models::model::{Message, MessageRole, Model, ModelError, Piece, Points, Request, StopReason};
use quintain_models::picture_limit::PictureLimit;
use serde_json::json;

use super::*;
use crate::loops::Solo;
use crate::loops::test_model::{Scripted, USED, briefing, calls, card, card_with, native, observation, says};

const WITHIN: Duration = Duration::from_mins(1);

fn act(agent: &mut dyn Agent, step_idx: u32) -> Result<Reply, AgentError> {
    let (observation, remaining) = (observation(step_idx), Limits::steps(30).left(&Spent::default()));
    agent.act(&Turn { step_idx, observation: &observation, remaining }, WITHIN)
}

/// The clock says something else when a turn is told again.
fn recall(agent: &mut dyn Agent, step_idx: u32, reply: &Reply) {
    let observation = observation(step_idx).with_text(ObservationPart::Remaining, "another time");
    let remaining = Limits::steps(30).left(&Spent::default());
    agent.recall(&Turn { step_idx, observation: &observation, remaining }, reply);
}

fn react(model: &Arc<Scripted>, mode: Option<Mode>) -> Solo {
    Solo::react(Arc::clone(model) as Arc<dyn Model>, LoopOptions { mode, ..LoopOptions::default() })
}

fn begun(model: &Arc<Scripted>, mode: Option<Mode>) -> Solo {
    let mut agent = react(model, mode);
    agent.begin(&briefing()).unwrap();
    agent
}

#[test]
fn a_turn_is_a_thought_and_an_action() {
    let model = Scripted::new(card(), [Ok(calls("a", "click", json!({"x": 20, "y": 10})))]);
    let reply = act(&mut begun(&model, None), 0).unwrap();
    assert_eq!(reply.thought.as_deref(), Some("I think."));
    assert_eq!(reply.usage, Some(USED));
    assert_eq!(
        reply.read(&briefing().surface).unwrap().to_string(),
        r#"{"do":"click","at":{"x":20.0,"y":10.0},"button":"left","held":[]}"#
    );
    let asked = &model.asked()[0];
    assert_eq!((asked.purpose, asked.step_idx), (Purpose::Act, 0));
    assert!(asked.messages[0].text().starts_with("Turn 1.\n"), "{:?}", asked.messages[0]);
}

#[test]
fn a_refusal_is_told_as_one_and_not_corrected() {
    let thought = Piece::Thought { text: "Refused: cyber: It could do harm.".to_owned(), opaque: None };
    let silent = Message { role: MessageRole::Assistant, pieces: vec![thought] };
    let cut = calls("a", "click", json!({"x": 20, "y": 10}));
    let ended = [silent, says("I cannot help with that."), cut].map(|message| {
        let model = Scripted::stopping(StopReason::Refused, card(), [Ok(message)]);
        let reply = act(&mut begun(&model, None), 0).unwrap();
        assert_eq!((model.asked().len(), reply.slips.len()), (1, 0), "asked once, and no slip");
        reply.read(&briefing().surface).unwrap().to_string()
    });
    insta::assert_snapshot!(ended.join("\n"), @r#"
    {"do":"give_up","reason":"the model refuses: Refused: cyber: It could do harm."}
    {"do":"give_up","reason":"the model refuses: I cannot help with that."}
    {"do":"give_up","reason":"the model refuses: I think."}
    "#);
}

#[test]
fn an_answer_is_as_long_as_suits_the_model_unless_it_was_said_how_long() {
    let asked = |name: &str, options: LoopOptions, effort: Option<Effort>| {
        let model = Scripted::new(ModelCard { name: name.to_owned(), ..card() }, [Ok(says("done()"))]);
        let mut agent = Solo::react(Arc::clone(&model) as Arc<dyn Model>, options);
        agent.begin(&Briefing { effort, ..briefing() }).unwrap();
        drop(act(&mut agent, 0));
        model.asked()[0].max_output
    };
    let usual = LoopOptions::default();
    assert_eq!(asked("chat/test", usual, None), 4096);
    assert_eq!(asked("anthropic/claude-opus-5", usual, Some(Effort::High)), 48_000);
    let said = LoopOptions { max_output: Some(1000), ..usual };
    assert_eq!(asked("anthropic/claude-opus-5", said, Some(Effort::High)), 1000);
}

#[test]
fn a_scaled_picture_and_a_scale_of_its_own_point_at_the_same_place() {
    let small = ModelCard { pictures: PictureLimit::of_side(20), ..card() };
    for (card, x, y) in [(card(), 20.0, 10.0), (small.clone(), 10.0, 5.0)] {
        assert_eq!(clicked(card, x, y), (20.0, 10.0));
    }
    assert_eq!(clicked(ModelCard { points: Points::Thousandths, ..small.clone() }, 500.0, 500.0), (20.0, 10.0));
    assert_eq!(clicked(ModelCard { points: Points::Unit, ..small }, 0.5, 0.5), (20.0, 10.0));
}

fn clicked(card: ModelCard, x: f64, y: f64) -> (f64, f64) {
    let model = Scripted::new(card, [Ok(calls("a", "click", json!({"x": x, "y": y})))]);
    let reply = act(&mut begun(&model, None), 0).unwrap();
    match reply.read(&briefing().surface) {
        Ok(quintain_core::Action::Click { at: Some(place), .. }) => {
            let point = place.point().unwrap();
            (point.x, point.y)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_model_with_a_computer_tool_uses_it_where_there_is_a_screen() {
    let model = Scripted::new(
        card_with(Dialect::Anthropic),
        [Ok(native("a", &json!({"action": "left_click", "coordinate": [20, 10]})))],
    );
    let reply = act(&mut begun(&model, None), 0).unwrap();
    assert_eq!((reply.dialect, reply.seen), (Some(Dialect::Anthropic), Some((40, 20))));
    assert!(matches!(model.asked()[0].tools[0], Tool::Computer { size: (40, 20) }));

    let mut blank = briefing();
    blank.surface = Surface::default();
    let mut agent = react(&model, None);
    agent.begin(&blank).unwrap();
    let names: Vec<_> =
        agent.talk.unwrap().terms.tools.iter().map(|tool| tools::name(tool).unwrap().to_owned()).collect();
    assert_eq!(names, ["done", "give_up"]);
}

#[test]
fn a_slip_is_corrected_once_and_counted() {
    let model = Scripted::new(card(), [Ok(says("I will press it.")), Ok(calls("a", "click", json!({"x": 1, "y": 2})))]);
    let reply = act(&mut begun(&model, None), 0).unwrap();
    assert_eq!(reply.slips.iter().map(|slip| slip.kind).collect::<Vec<_>>(), [SlipKind::Prose]);
    assert!(reply.read(&briefing().surface).is_ok());
    assert_eq!(reply.usage.map(|usage| usage.input_tokens), Some(2 * USED.input_tokens));
    let asked = model.asked();
    assert_eq!(asked[1].purpose, Purpose::Correct);
    assert_eq!(asked[1].messages.len(), 3);

    let model = Scripted::new(card(), [Ok(says("I will.")), Ok(says("Really.")), Ok(says("Never asked for."))]);
    let reply = act(&mut begun(&model, None), 0).unwrap();
    assert_eq!((reply.raw.as_str(), reply.slips.len(), model.asked().len()), ("Really.", 1, 2));
    assert!(reply.read(&briefing().surface).is_err());
}

/// Every answer that a loop can get, slips, native calls and an overflow among them.
fn answers(mode: Option<Mode>) -> Vec<Result<Message, ModelError>> {
    let click = |id| calls(id, "click", json!({"x": 20, "y": 10}));
    let overflow = || Err(ModelError::Overflow { model: "chat/test".to_owned() });
    if mode == Some(Mode::Text) {
        let words = ["click(1, 2)", "1. Look\n2. Press", "click(3, 4)", "I think.", "wait(10)"];
        let rest = ["click(5, 6)", "click(7, 8)", "screenshot()", "stop()"];
        let words = words.map(|words| Ok(says(words))).into_iter();
        return words.chain([overflow()]).chain(rest.map(|words| Ok(says(words)))).collect();
    }
    vec![
        Ok(click("a")),
        Ok(says("1. Look\n2. Press")),
        Ok(click("b")),
        Ok(native("c", &json!({"action": "left_clik"}))),
        Ok(native("d", &json!({"action": "screenshot"}))),
        overflow(),
        Ok(click("e")),
        Ok(click("f")),
        Ok(click("g")),
        Ok(calls("h", "done", json!({}))),
    ]
}

#[test]
fn a_cut_talk_goes_on_with_the_very_same_request() {
    for mode in [None, Some(Mode::Schema), Some(Mode::Text)] {
        for n_recalled in 1..7 {
            let (whole, resumed) = (played(mode, 7, None), played(mode, 7, Some(n_recalled)));
            let last = |requests: &[Request]| requests.last().cloned();
            assert_eq!(last(&whole.1), last(&resumed.1), "{mode:?} after {n_recalled}");
            assert_eq!(whole.0, resumed.0);
        }
    }
}

/// Plays turns; with a cut, the first ones are recalled by an agent that never asked for them.
fn played(mode: Option<Mode>, n_turns: u32, cut: Option<u32>) -> (Vec<Reply>, Vec<Request>) {
    let model = Scripted::new(card_with(Dialect::Anthropic), answers(mode));
    let mut agent: Box<dyn Agent> = match mode {
        Some(Mode::Text) => Box::new(Solo::turns(Arc::clone(&model) as Arc<dyn Model>, LoopOptions::default())),
        _ => Box::new(react(&model, mode)),
    };
    agent.begin(&briefing()).unwrap();
    let mut replies = Vec::new();
    for step_idx in 0..n_turns {
        if cut == Some(step_idx) {
            agent = Box::new(react(&model, mode));
            if mode == Some(Mode::Text) {
                agent = Box::new(Solo::turns(Arc::clone(&model) as Arc<dyn Model>, LoopOptions::default()));
            }
            agent.begin(&briefing()).unwrap();
            for (idx, reply) in replies.iter().enumerate() {
                let written: Reply = serde_json::from_str(&serde_json::to_string(reply).unwrap()).unwrap();
                recall(agent.as_mut(), idx as u32, &written);
            }
        }
        replies.push(act(agent.as_mut(), step_idx).unwrap());
    }
    (replies, model.asked())
}

#[test]
fn what_does_not_fit_is_forgotten_from_the_oldest_turn_on() {
    let (_, asked) = played(Some(Mode::Schema), 7, None);
    let n_messages: Vec<usize> = asked.iter().map(|request| request.messages.len()).collect();
    insta::assert_snapshot!(format!("{n_messages:?}"), @"[1, 3, 5, 7, 9, 11, 5, 7, 9, 11]");
    assert!(asked.last().unwrap().messages[0].text().starts_with("Earlier turns are left out."));
}

#[test]
fn a_model_that_gives_no_answer_ends_the_trial_in_its_own_way() {
    let model = "chat/test".to_owned();
    let why = "overloaded".to_owned();
    let failed = |error| {
        let model = Scripted::new(card(), [Ok(says("hm")), Err(error)]);
        let mut agent = begun(&model, None);
        (act(&mut agent, 0).unwrap_err(), agent.wasted())
    };
    let (error, wasted) = failed(ModelError::Provider { model: model.clone(), why: why.clone(), mend: None });
    assert_eq!(error, AgentError::Fault { boundary: Boundary::Provider, why: "chat/test: overloaded".to_owned() });
    assert_eq!(wasted, Some(USED), "the first answer is paid for although no reply tells of it");
    assert!(matches!(
        failed(ModelError::Rejected { model: model.clone(), why, mend: None }).0,
        AgentError::Fault { .. }
    ));
    assert_eq!(failed(ModelError::OverBudget).0, AgentError::Interrupted);
    assert_eq!(failed(ModelError::Late(WITHIN)).0, AgentError::Late(WITHIN));
    let too_long = failed(ModelError::Overflow { model }).0;
    assert!(too_long.to_string().contains("does not fit into its context"), "{too_long}");
}

#[test]
fn an_impossible_mode_is_told_before_the_first_turn() {
    let begin = |mode| react(&Scripted::new(card(), []), Some(mode)).begin(&briefing()).unwrap_err().to_string();
    insta::assert_snapshot!(begin(Mode::Native), @"setup fault: chat/test has no computer tool of its own; use tools=schema");
    insta::assert_snapshot!(begin(Mode::Marks), @"setup fault: tools=marks needs the marks: the task must allow them, and --show must name them");
}

#[test]
fn elements_are_named_by_their_numbers() {
    let mut marked = briefing();
    marked.surface.parts.insert(ObservationPart::Marks);
    let model = Scripted::new(card(), [Ok(calls("a", "click", json!({"mark": 7})))]);
    let mut agent = react(&model, Some(Mode::Marks));
    agent.begin(&marked).unwrap();
    let reply = act(&mut agent, 0).unwrap();
    assert_eq!(reply.read(&marked.surface), Ok(quintain_core::Action::click(quintain_core::action::Place::Mark(7))));
    assert!(model.asked()[0].system.contains("`mark`"));
}
